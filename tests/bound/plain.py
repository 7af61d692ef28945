"""The check of a certificate as docs/certificate.md defines it: what to read first.

It is far too slow for real puzzles. Tests compare it with the compiled code on random small puzzles
and prices. Amounts are whole thousandths of a point.
"""

from collections import Counter
from collections.abc import Collection, Iterator
from functools import cached_property
from itertools import product
from string import ascii_lowercase

from tests.reference import best_by_tiles, rest_of
from verify.bound.certificate import Certificate, Focus

POINT = 1000
Node = tuple[int, int, int]
"""A state of a relaxed game: tiles drawn, left draws, tiles held."""
State = tuple[int, str]
"""A real state: left draws, 0 once the row is empty, and the sorted leave."""


class PlainGame:
    """The puzzle of a certificate: its draws and its plays."""

    def __init__(self, certificate: Certificate, words: Collection[str]) -> None:
        self.certificate = certificate
        self.row = certificate.row
        self.rack = certificate.rack
        self.tiles = len(certificate.row)
        self.words = sorted(word for word in words if len(word) <= self.rack)
        self.values = dict(zip(ascii_lowercase, certificate.values, strict=True))

    def drawn(self, drawn: int, left: int) -> list[int]:
        """Return the places of the tiles drawn, `left` of them from the left."""
        places = range(self.tiles)
        if drawn == self.tiles:
            return [*places]
        return [*places[:left], *places[self.tiles - (drawn - left) :]]

    def draws(self, drawn: int, left: int, held: int) -> list[tuple[int, int]]:
        """Return the tiles drawn and the left draws after each possible draw."""
        after = min(self.tiles, drawn + self.rack - held)
        if after == self.tiles:
            return [(after, 0)]
        return [(after, left + more) for more in range(after - drawn + 1)]

    def gain(self, word: str, tiles: list[tuple[str, int]]) -> int | None:
        """Return the most points less prices, over all ways to lay down `word` from priced tiles.

        None if it cannot be laid down.
        """
        totals = []
        for blanked in product([False, True], repeat=len(word)):
            unused = list(tiles)
            total = 0
            for place, (letter, is_blank) in enumerate(zip(word, blanked, strict=True), start=1):
                kind = "?" if is_blank else letter
                prices = [price for other, price in unused if other == kind]
                if not prices:
                    break
                # it does not matter which of equal tiles goes where: the cheapest are best
                unused.remove((kind, min(prices)))
                total -= min(prices)
                if not is_blank:
                    total += POINT * place * self.values[letter]
            else:
                totals.append(total)
        return max(totals, default=None)


class PlainFocus:
    """A focus: its values F, and its completion bounds."""

    def __init__(self, game: PlainGame, focus: Focus) -> None:
        self.game = game
        self.focus = focus
        self._values: dict[Node, int] = {}

    def leave(self, drawn: int, left: int, held: int) -> Counter[str]:
        """Return the prices of the leaves of a cell, by kind."""
        certificate = self.game.certificate
        first, low, high = self.focus.window
        if drawn == self.game.tiles:
            return self._at(drawn + self.game.rack - held, 0, 0)
        side = (left - low) * certificate.sides // (high - low + drawn - first + 1)
        return self._at(drawn, side, held * certificate.holds // self.game.rack)

    def _at(self, moment: int, side: int, hold: int) -> Counter[str]:
        """Return the prices at a moment: those of its knots, interpolated and rounded down."""
        knots = self.focus.knots
        begin = max((knot for knot in knots if knot <= moment), default=knots[0])
        end = min((knot for knot in knots if knot >= moment), default=knots[-1])
        at_begin = Counter(self.focus.leaves.get((begin, side, hold), {}))
        at_end = Counter(self.focus.leaves.get((end, side, hold), {}))
        if begin == end or not begin <= moment <= end:
            return at_begin
        prices: Counter[str] = Counter()
        for kind in {*at_begin, *at_end}:
            weighted = at_begin[kind] * (end - moment) + at_end[kind] * (moment - begin)
            prices[kind] = weighted // (end - begin)
        return prices

    def covers(self, drawn: int, left: int) -> bool:
        """Return whether states with these tiles drawn and left draws have values."""
        first, low, high = self.focus.window
        if drawn == self.game.tiles:
            return True
        return drawn >= first and low <= left <= min(drawn, high + drawn - first)

    def value(self, node: Node) -> int:
        """Return F: the most that the rest of the relaxed game brings."""
        if node not in self._values:
            best = 0
            for after, left in self.game.draws(*node):
                best = max(best, *self._turns(node, after, left), 0)
            self._values[node] = best
        return self._values[node]

    def _turns(self, node: Node, after: int, left: int) -> Iterator[int]:
        """Yield the values of all words after one draw."""
        drawn, was, held = node
        game = self.game
        prices = self.focus.tiles
        old = game.drawn(drawn, was)
        new = [i for i in game.drawn(after, left) if i not in old]
        fresh = Counter(game.row[i] for i in new)
        bought = self.leave(drawn, was, held)
        for word in game.words:
            keep = held + len(new) - len(word)
            if keep < 0 or (Counter(word) - fresh).total() > held + fresh["?"]:
                continue
            sold = self.leave(after, left, keep)
            rise = 0
            if held:
                rise = max(sold[game.row[i]] - bought[game.row[i]] for i in old)
            tiles = [(game.row[i], prices[i] + sold[game.row[i]]) for i in new]
            for kind in set(game.row):
                cheapest = sorted(prices[i] for i in old if game.row[i] == kind)[:held]
                tiles += [(kind, price + bought[kind] + rise) for price in cheapest]
            gain = game.gain(word, tiles)
            if gain is not None:
                kept = held * rise + sum(sold[game.row[i]] for i in new)
                yield gain + kept + self.value((after, left, keep))

    def completion(self, played: int, state: State, score: int) -> int:
        """Return a bound on what a game scores that reaches a state with a score."""
        left, leave = state
        held = len(leave)
        drawn = played + held
        near = self.game.drawn(drawn, left)
        prices = self.focus.tiles
        total = POINT * score + sum(price for i, price in enumerate(prices) if i not in near)
        for kind, count in Counter(leave).items():
            total += sum(sorted(prices[i] for i in near if self.game.row[i] == kind)[:count])
            total += count * self.leave(drawn, left, held)[kind]
        return total + self.value((drawn, left, held))


class PlainCheck:
    """The check of a certificate."""

    def __init__(self, certificate: Certificate, words: Collection[str]) -> None:
        self.game = PlainGame(certificate, words)
        self.foci = [PlainFocus(self.game, focus) for focus in certificate.foci]

    @cached_property
    def bound_of_prices(self) -> int:
        """The bound of the prices of the whole game."""
        return sum(self.foci[0].focus.tiles) + self.foci[0].value((0, 0, 0))

    def bounds(self, played: int, state: State, score: int) -> list[int]:
        """Return the completion bounds of a state by all foci that cover it."""
        left, leave = state
        covering = [focus for focus in self.foci if focus.covers(played + len(leave), left)]
        return [focus.completion(played, state, score) for focus in covering]

    def layers(self) -> Iterator[dict[State, int]]:
        """Yield the states of each layer that the sweep keeps, with their best scores.

        It stops after a layer with a score above the claim.
        """
        game = self.game
        layers: list[dict[State, int]] = [{} for _ in range(game.tiles + 1)]
        layers[0][0, ""] = 0
        for played, met in enumerate(layers):
            layer = {
                state: score for state, score in met.items() if self._is_open(played, state, score)
            }
            yield layer
            if max(layer.values(), default=0) > game.certificate.claim:
                return
            for (left, leave), score in layer.items():
                drawn = played + len(leave)
                before = game.drawn(drawn, left)
                for after, then in game.draws(drawn, left, len(leave)):
                    new = [game.row[i] for i in game.drawn(after, then) if i not in before]
                    rack = leave + "".join(new)
                    for tiles, points in best_by_tiles(rack, game.words, game.values).items():
                        kept = rest_of(rack, tiles)
                        reached = layers[played + len(tiles)]
                        reached[then, kept] = max(reached.get((then, kept), 0), score + points)

    def _is_open(self, played: int, state: State, score: int) -> bool:
        return min(self.bounds(played, state, score)) >= POINT * (self.game.certificate.claim + 1)

    def best(self) -> int:
        """Return the best score that the sweep meets: at most the claim if the claim holds."""
        return max((score for layer in self.layers() for score in layer.values()), default=0)
