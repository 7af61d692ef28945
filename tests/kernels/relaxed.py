"""What kernels of relaxed games are for, in plain Python: slow and obvious.

Tiles are codes, 0 for a blank; priced tiles are lists of prices by code. All figures are thousandths of a point.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

BLANK = 0
LETTERS = range(1, 27)
IMPOSSIBLE = -(1 << 40)  # gain of a letter that no tile can give
Word = tuple[int, ...]
Prices = Mapping[int, Sequence[int]]  # by code, of each tile


def masks(tiles: Sequence[int]) -> tuple[int, int]:
    """A bit for each letter's first and second copies; for its third and fourth ones."""
    first, second, third, fourth = (
        sum(1 << letter - 1 for letter in LETTERS if tiles.count(letter) > copy) for copy in range(4)
    )
    return second << 26 | first, fourth << 26 | third


def lacking(word: Word, known: Sequence[int]) -> int:
    """How many letters of the word are not known: at most four copies of each are looked at."""
    return sum(max(0, min(4, word.count(letter)) - known.count(letter)) for letter in set(word))


def play_gain(word: Word, values: Sequence[int], offered: Prices) -> int:
    """The most that a word gains, from whatever tile at each place: points less prices."""
    if not word:
        return 0
    # the last letter from each tile that may give it, or from none
    ways = [(IMPOSSIBLE, offered)]
    for code in {word[-1], BLANK}:
        points = len(word) * values[code] if code != BLANK else 0
        for tile, price in enumerate(offered.get(code, ())):
            rest = {**offered, code: [*offered[code][:tile], *offered[code][tile + 1 :]]}
            ways.append((points - price, rest))
    return max(gain + play_gain(word[:-1], values, rest) for gain, rest in ways)


def reach(word: Word, values: Sequence[int], least: Mapping[int, int]) -> int | None:
    """What a word would gain if each letter came from its cheapest tile, or from the cheapest blank; None where none is."""
    total = 0
    for place, letter in enumerate(word, start=1):
        ways = [place * values[letter] - least[letter]] if letter in least else []
        ways += [-least[BLANK]] if BLANK in least else []
        if not ways:
            return None
        total += max(ways)
    return total


def merged_prices(
    new: Prices, new_more: Sequence[int], old: Prices, old_more: Sequence[int], held: int
) -> dict[int, list[int]]:
    """The prices of all new tiles and of the `held` cheapest old ones of each code, each with its extra cost."""
    return {
        code: sorted(
            [price + new_more[code] for price in new.get(code, ())]
            + [price + old_more[code] for price in sorted(old.get(code, ()))[:held]]
        )
        for code in {*new, *old}
    }


def best_word(words: Iterable[Word], values: Sequence[int], offered: Prices, known: Sequence[int], spare: int) -> int | None:
    """The most that any word gains that has at most `spare` letters besides the known ones; None if no word has."""
    return max((play_gain(word, values, offered) for word in words if lacking(word, known) <= spare), default=None)


def drawn_places(tiles: int, drawn: int, lefts: Iterable[int]) -> list[int]:
    """The places in the row of the tiles that are drawn where any of `lefts` of them may be from the left."""
    return sorted({i for left in lefts for i in (*range(left), *range(tiles - (drawn - left), tiles))})


def by_code(row: Sequence[int], price: Sequence[int], places: Iterable[int]) -> dict[int, list[int]]:
    """The prices of the tiles at those places, ascending."""
    found: dict[int, list[int]] = {}
    for place in places:
        found.setdefault(row[place], []).append(price[place])
    return {code: sorted(prices) for code, prices in found.items()}


def free_value(words: Iterable[Word], values: Sequence[int], offered: Prices, onward: Mapping[int, int]) -> int:
    """The best play of any tiles and what comes after it, by its length; 0 where no play is better than none.

    A length without anything `onward` may not be played.
    """
    totals = [onward[len(word)] + play_gain(word, values, offered) for word in words if len(word) in onward]
    return max([0, *totals])


def cell(tiles: int, rack: int, sides: int, holds: int, drawn: int, left: int, held: int) -> tuple[int, int, int]:
    """Moment, side and hold: which part of `sides` equal ones of 0 to drawn, and of `holds` ones of 0 to rack - 1."""
    if drawn == tiles:
        return tiles + (rack - held), 0, 0
    side = max(side for side in range(sides) if side * (drawn + 1) <= left * sides)
    hold = max(hold for hold in range(holds) if hold * rack <= held * holds)
    return drawn, side, hold


def window_lefts(low: int, high: int, more: int) -> list[int]:
    """The left draws of states that had from `low` to `high` of them, after `more` draws from any end."""
    return sorted({left + taken for left in range(low, high + 1) for taken in range(more + 1)})


def turn_gain(
    word: Word,
    values: Sequence[int],
    new: Prices,
    old: Prices,
    held: int,
    more_before: Sequence[int],
    more_after: Sequence[int],
) -> int | None:
    """What a word brings in a turn, without what comes after it; None where it needs more old tiles than are held.

    Each new tile pays what holding it costs afterwards, whether it is kept or played, and is paid so if it is kept. Each old
    tile that is held may be the one whose price rises most. Which is taken off again for one that is played.
    """
    known = [code for code, prices in new.items() for _ in prices]
    if lacking(word, known) > held + known.count(BLANK):
        return None
    rise = max((more_after[code] - more_before[code] for code in old), default=0) if held else 0
    offered = merged_prices(new, more_after, old, [more + rise for more in more_before], held)
    return held * rise + sum(more_after[code] for code in known) + play_gain(word, values, offered)


def rest_bound(tiles: Iterable[int], cheapest: Prices, more: Sequence[int]) -> int:
    """The total cost of tiles, each the cheapest one left of its code, with its extra cost."""
    left = {code: sorted(prices) for code, prices in cheapest.items()}
    return sum(left[tile].pop(0) + more[tile] for tile in tiles)


@dataclass(frozen=True)
class RelaxedGame:
    """The whole game of relaxation r3. tile: prices of the tiles of the row; leave: by moment, side, hold and code."""

    row: tuple[int, ...]
    rack: int
    words: tuple[Word, ...]
    values: tuple[int, ...]
    tile: tuple[int, ...]
    leave: Sequence[Sequence[Sequence[Sequence[int]]]]

    @cached_property
    def known(self) -> dict[tuple[int, int, int], int]:
        """The values met so far, by state: drawn, left ones of them, held."""
        return {}

    def held_prices(self, drawn: int, left: int, held: int) -> Sequence[int]:
        sides, holds = len(self.leave[0]), len(self.leave[0][0])
        moment, side, hold = cell(len(self.row), self.rack, sides, holds, drawn, left, held)
        return self.leave[moment][side][hold]

    def draws(self, drawn: int, left: int, held: int) -> Iterator[tuple[int, int, list[int]]]:
        """Drawn, left and the places of the new tiles, after every draw. Of an empty row left does not matter: it is 0."""
        tiles = len(self.row)
        want = min(self.rack - held, tiles - drawn)
        end = tiles - (drawn - left)
        for from_left in range(want + 1):
            places = [*range(left, left + from_left), *range(end - (want - from_left), end)]
            yield drawn + want, 0 if drawn + want == tiles else left + from_left, places

    def value(self, drawn: int, left: int, held: int) -> int:
        """The best rest of the game from a state in which `held` tiles are held, which may be any that were drawn."""
        state = drawn, left, held
        if state not in self.known:
            self.known[state] = max([0, *(total for _after, total in self._turns(*state))])
        return self.known[state]

    def _turns(self, drawn: int, left: int, held: int) -> Iterator[tuple[tuple[int, int, int], int]]:
        """Each turn: the state after it, and what it and the best rest of the game bring."""
        tiles = len(self.row)
        old = by_code(self.row, self.tile, drawn_places(tiles, drawn, [left]) if drawn < tiles else range(tiles))
        for after, now_left, places in self.draws(drawn, left, held):
            new = by_code(self.row, self.tile, places)
            for word in self.words:
                kept = held + len(places) - len(word)
                if kept < 0:
                    continue
                more_before, more_after = self.held_prices(drawn, left, held), self.held_prices(after, now_left, kept)
                gain = turn_gain(word, self.values, new, old, held, more_before, more_after)
                if gain is not None:
                    yield (after, now_left, kept), gain + self.value(after, now_left, kept)
