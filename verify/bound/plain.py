"""The check of a certificate as docs/certificate.md defines it: what to read first. It is far too slow to be what runs.

Tests compare it with the compiled code on random small puzzles and prices. Amounts are whole thousandths of a point.
"""

from collections import Counter
from collections.abc import Collection, Iterator
from functools import cached_property
from itertools import combinations, product

from verify.bound.certificate import Certificate, Focus

POINT = 1000
Node = tuple[int, int, int]
"""A state of a relaxed game: tiles drawn, left draws, tiles held."""
State = tuple[int, str]
"""A real state, after some number of tiles played: left draws, 0 once the row is empty, and the leave in sorted order."""


class PlainGame:
    """The puzzle of a certificate: its draws and its plays."""

    def __init__(self, certificate: Certificate, words: Collection[str]) -> None:
        """Take a certificate and all words of its list."""
        self.certificate = certificate
        self.row, self.rack, self.tiles = certificate.row, certificate.rack, len(certificate.row)
        self.words = sorted(word for word in words if len(word) <= self.rack)

    def value(self, letter: str) -> int:
        """Return the points of a letter."""
        return self.certificate.values[ord(letter) - ord("a")]

    def drawn(self, drawn: int, left: int) -> list[int]:
        """Return the places of the tiles drawn, `left` of them from the left."""
        return [
            i
            for i in range(self.tiles)
            if drawn == self.tiles or i < left or i >= self.tiles - (drawn - left)
        ]

    def draws(self, drawn: int, left: int, held: int) -> list[tuple[int, int]]:
        """Return the tiles drawn and the left draws after each possible draw."""
        after = min(self.tiles, drawn + self.rack - held)
        return (
            [(after, 0)]
            if after == self.tiles
            else [(after, left + more) for more in range(after - drawn + 1)]
        )

    def gain(self, word: str, tiles: list[tuple[str, int]]) -> int | None:
        """Return the most points less prices, over all ways to lay down `word` from priced tiles; None if there is no way."""
        prices = {
            kind: sorted(price for other, price in tiles if other == kind) for kind, _price in tiles
        }
        best = None
        for blanked in product([False, True], repeat=len(word)):
            rest, total = {kind: list(some) for kind, some in prices.items()}, 0
            # of equal tiles it does not matter which one goes where: the cheapest are best
            for place, (letter, is_blank) in enumerate(zip(word, blanked, strict=True), start=1):
                some = rest.get("?" if is_blank else letter)
                if not some:
                    break
                total += (0 if is_blank else POINT * place * self.value(letter)) - some.pop(0)
            else:
                best = total if best is None else max(best, total)
        return best

    def plays(self, rack: str) -> dict[str, int]:
        """Return the best points of each multiset of tiles of a rack that can be laid down as a word."""
        best: dict[str, int] = {}
        for word in self.words:
            for blanks in (
                set(some)
                for count in range(len(word) + 1)
                for some in combinations(range(len(word)), count)
            ):
                tiles = "".join("?" if i in blanks else letter for i, letter in enumerate(word))
                if not Counter(tiles) - Counter(rack):
                    points = sum(
                        (i + 1) * self.value(letter)
                        for i, letter in enumerate(word)
                        if i not in blanks
                    )
                    key = "".join(sorted(tiles))
                    best[key] = max(best.get(key, 0), points)
        return best

    # r1

    def free_bound(self) -> int:
        """Return the bound of r1."""
        prices, width, rack, tiles = (
            self.certificate.foci[0].tiles,
            self.certificate.width,
            self.rack,
            self.tiles,
        )

        def best(near: list[int], rest: dict[int, int]) -> int:
            priced = [(self.row[i], prices[i]) for i in near]
            gains = (
                (self.gain(word, priced), rest[len(word)])
                for word in self.words
                if len(word) in rest
            )
            return max([0, *(gain + more for gain, more in gains if gain is not None)])

        ends = {0: 0}
        for size in range(1, min(rack, tiles) + 1):
            ends[size] = best(list(range(tiles)), {n: ends[size - n] for n in range(1, size + 1)})
        nodes: dict[tuple[int, int], int] = {}

        def after(drawn: int, node: int, length: int) -> int:
            if drawn + length >= tiles:
                return ends[tiles - drawn + rack - length]
            lefts = range(node * width, min(drawn, node * width + width - 1) + length + 1)
            return max(nodes[drawn + length, left // width] for left in lefts)

        for drawn in range(tiles - 1, rack - 1, -1):
            for node in range(drawn // width + 1):
                left, right = min(drawn, (node + 1) * width - 1), drawn - node * width
                near = [i for i in range(tiles) if i < left or i >= tiles - right]
                nodes[drawn, node] = best(
                    near, {length: after(drawn, node, length) for length in range(1, rack + 1)}
                )
        first = (
            ends[tiles]
            if tiles <= rack
            else max(nodes[rack, left // width] for left in range(rack + 1))
        )
        return sum(prices) + first


class PlainFocus:
    """A focus: its values F, and its completion bounds."""

    def __init__(self, game: PlainGame, focus: Focus) -> None:
        """Take a focus of the certificate of `game`."""
        self.game, self.focus = game, focus
        self._values: dict[Node, int] = {}

    def leave(self, drawn: int, left: int, held: int) -> Counter[str]:
        """Return the prices of the leaves of a cell, by kind."""
        certificate, (first, low, high) = self.game.certificate, self.focus.window
        if drawn == self.game.tiles:
            return self._at(drawn + self.game.rack - held, 0, 0)
        side = (left - low) * certificate.sides // (high - low + drawn - first + 1)
        return self._at(drawn, side, held * certificate.holds // self.game.rack)

    def _at(self, moment: int, side: int, hold: int) -> Counter[str]:
        """Return the prices at a moment: those of the knots around it, interpolated and rounded down."""
        before = [knot for knot in self.focus.knots if knot <= moment] or self.focus.knots[:1]
        after = [knot for knot in self.focus.knots if knot >= moment] or self.focus.knots[-1:]
        begin, end = before[-1], after[0]
        some, others = (
            Counter(self.focus.leaves.get((knot, side, hold), {})) for knot in (begin, end)
        )
        if begin == end or not begin <= moment <= end:
            return some
        at = {
            c: (some[c] * (end - moment) + others[c] * (moment - begin)) // (end - begin)
            for c in {*some, *others}
        }
        return Counter(at)

    def covers(self, drawn: int, left: int) -> bool:
        """Return whether states with these tiles drawn and left draws have values."""
        first, low, high = self.focus.window
        return drawn == self.game.tiles or (
            drawn >= first and low <= left <= min(drawn, high + drawn - first)
        )

    def value(self, node: Node) -> int:
        """Return F: the most that the rest of the relaxed game brings."""
        if node not in self._values:
            drawn, left, held = node
            turns = (self._turns(node, *then) for then in self.game.draws(drawn, left, held))
            self._values[node] = max([0, *(turn for some in turns for turn in some)])
        return self._values[node]

    def _turns(self, node: Node, after: int, left: int) -> Iterator[int]:
        """Yield the values of all words after one draw."""
        drawn, was, held = node
        game, prices = self.game, self.focus.tiles
        old = game.drawn(drawn, was) if drawn else []
        new = [i for i in game.drawn(after, left) if i not in old]
        fresh = Counter(game.row[i] for i in new)
        bought = self.leave(drawn, was, held)
        for word in game.words:
            keep = held + len(new) - len(word)
            if keep < 0 or (Counter(word) - fresh).total() > held + fresh["?"]:
                continue
            sold = self.leave(after, left, keep)
            rise = max(sold[game.row[i]] - bought[game.row[i]] for i in old) if held else 0
            tiles = [(game.row[i], prices[i] + sold[game.row[i]]) for i in new]
            for kind in set(game.row):
                cheapest = sorted(prices[i] for i in old if game.row[i] == kind)[:held]
                tiles += [(kind, price + bought[kind] + rise) for price in cheapest]
            gain = game.gain(word, tiles)
            if gain is not None:
                yield (
                    gain
                    + held * rise
                    + sum(sold[game.row[i]] for i in new)
                    + self.value((after, left, keep))
                )

    def completion(self, played: int, state: State, score: int) -> int:
        """Return a bound on what a game scores that reaches a state with a score."""
        left, leave = state
        drawn, held = played + len(leave), len(leave)
        near, prices = self.game.drawn(drawn, left) if drawn else [], self.focus.tiles
        total = POINT * score + sum(price for i, price in enumerate(prices) if i not in near)
        for kind, count in Counter(leave).items():
            total += sum(sorted(prices[i] for i in near if self.game.row[i] == kind)[:count])
            total += count * self.leave(drawn, left, held)[kind]
        return total + self.value((drawn, left, held))


class PlainCheck:
    """The check of a certificate of r3."""

    def __init__(self, certificate: Certificate, words: Collection[str]) -> None:
        """Take a certificate and all words of its list."""
        self.game = PlainGame(certificate, words)
        self.foci = [PlainFocus(self.game, focus) for focus in certificate.foci]

    @cached_property
    def bound_of_prices(self) -> int:
        """The bound of the prices of the whole game."""
        return sum(self.foci[0].focus.tiles) + self.foci[0].value((0, 0, 0))

    def bounds(self, played: int, state: State, score: int) -> list[int]:
        """Return the completion bounds of a state by all foci that cover it."""
        left, leave = state
        return [
            some.completion(played, state, score)
            for some in self.foci
            if some.covers(played + len(leave), left)
        ]

    def layers(self) -> Iterator[dict[State, int]]:
        """Yield the states of each layer that the sweep keeps, with their best scores, up to a score above the claim."""
        game, claim = self.game, self.game.certificate.claim
        layers: list[dict[State, int]] = [{} for _ in range(game.tiles + 1)]
        layers[0][0, ""] = 0
        for played, met in enumerate(layers):
            layer = {
                state: score for state, score in met.items() if self._is_open(played, state, score)
            }
            yield layer
            if max(layer.values(), default=0) > claim:
                return
            for (left, leave), score in layer.items():
                drawn = played + len(leave)
                before = game.drawn(drawn, left) if drawn else []
                for after, then in game.draws(drawn, left, len(leave)):
                    rack = leave + "".join(
                        game.row[i] for i in game.drawn(after, then) if i not in before
                    )
                    for tiles, points in game.plays(rack).items():
                        rest = "".join(sorted((Counter(rack) - Counter(tiles)).elements()))
                        reached = layers[played + len(tiles)]
                        reached[then, rest] = max(reached.get((then, rest), 0), score + points)

    def _is_open(self, played: int, state: State, score: int) -> bool:
        return min(self.bounds(played, state, score)) >= POINT * (self.game.certificate.claim + 1)

    def best(self) -> int:
        """Return the best score that the sweep meets: at most the claim if the claim holds."""
        return max((score for layer in self.layers() for score in layer.values()), default=0)
