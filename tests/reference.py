"""The game in plain Python, slow and obvious: what kernels and searches are compared with."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from itertools import combinations
from types import MappingProxyType

VALUES = dict(
    zip(
        "abcdefghijklmnopqrstuvwxyz",
        [1, 3, 3, 2, 1, 4, 2, 4, 1, 8, 5, 1, 3, 1, 1, 3, 10, 1, 1, 1, 1, 4, 4, 8, 4, 10],
        strict=True,
    )
)


NO_BONUS: Mapping[int, int] = MappingProxyType({})  # points by the number of tiles of a play


def play_score(
    play: str, values: Mapping[str, int] = VALUES, bonus: Mapping[int, int] = NO_BONUS
) -> int:
    return sum(i * values.get(tile, 0) for i, tile in enumerate(play, start=1)) + bonus.get(
        len(play), 0
    )


def plays_of_word(rack: str, word: str) -> Iterator[str]:
    """Every way to lay down `word` from `rack`."""
    blanks = rack.count("?")
    for k in range(min(blanks, len(word)) + 1):
        for places in combinations(range(len(word)), k):
            play = "".join("?" if i in places else letter for i, letter in enumerate(word))
            if not Counter(play) - Counter(rack):
                yield play


def best_by_tiles(
    rack: str,
    words: Sequence[str],
    values: Mapping[str, int] = VALUES,
    bonus: Mapping[int, int] = NO_BONUS,
) -> dict[str, int]:
    """The best score of each multiset of tiles (sorted) that `rack` can play."""
    best: dict[str, int] = {}
    for word in words:
        for play in plays_of_word(rack, word):
            tiles = "".join(sorted(play))
            best[tiles] = max(best.get(tiles, -1), play_score(play, values, bonus))
    return best


def rest_of(rack: str, tiles: str) -> str:
    """The sorted tiles that a play leaves on a rack."""
    return "".join(sorted((Counter(rack) - Counter(tiles)).elements()))


def draws(
    row: str, left: int, right: int, leave: str, rack_size: int
) -> Iterator[tuple[int, int, str]]:
    """(left, right, rack) after every possible draw."""
    wants = min(rack_size - len(leave), len(row) - left - right)
    for from_left in range(wants + 1):
        new_left, new_right = left + from_left, right + wants - from_left
        drawn = row[left:new_left] + row[len(row) - new_right : len(row) - right]
        yield new_left, new_right, "".join(sorted(leave + drawn))


def racks_after(
    row: str, left: int, right: int, leave: str, rack_size: int
) -> Iterator[tuple[int, str]]:
    """Left draws and rack after every possible draw. A draw that empties the row has 0."""
    for new_left, new_right, rack in draws(row, left, right, leave, rack_size):
        yield 0 if new_left + new_right == len(row) else new_left, rack


def optimum(
    row: str,
    rack_size: int,
    words: Sequence[str],
    values: Mapping[str, int] = VALUES,
    bonus: int = 0,
) -> int:
    """The best total of any game, by trying everything.

    bonus: of a play of as many tiles as a rack holds.
    """

    @cache
    def plays(rack: str) -> dict[str, int]:
        return best_by_tiles(rack, words, values, {rack_size: bonus})

    @cache
    def rest(left: int, right: int, leave: str) -> int:
        best = 0
        for new_left, new_right, rack in draws(row, left, right, leave, rack_size):
            for tiles, score in plays(rack).items():
                best = max(best, score + rest(new_left, new_right, rest_of(rack, tiles)))
        return best

    return rest(0, 0, "")


Rule = Callable[[str, Mapping[str, int]], int]


def plain_score(play: str, values: Mapping[str, int]) -> int:
    return sum(values.get(tile, 0) for tile in play)


def length_score(play: str, _values: Mapping[str, int]) -> int:
    return len(play)


def ranking(
    rack: str, words: Sequence[str], shortest: int, rule: Rule, values: Mapping[str, int]
) -> list[tuple[int, str]]:
    """(score, word) of the words that a rack can play, each in its best play, best first."""
    found = {
        word: [rule(play, values) for play in plays_of_word(rack, word)]
        for word in words
        if len(word) >= shortest
    }
    return sorted(
        ((max(scores), word) for word, scores in found.items() if scores),
        key=lambda item: (-item[0], item[1]),
    )
