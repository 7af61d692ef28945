"""What kernels of the index, of keys and of layers are for, in plain Python: slow and obvious.

Tiles are codes, a multiset of them is a list in any order, a table is a list or a dict.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import count
from math import isqrt

from tests.reference import plays_of_word

CODES = 27
TILES = 12  # of a packed multiset
POINT_PARTS = 16  # a priority is in sixteenths of a point
MOST_ENTRY = 254
NEVER = 255
Prefix = tuple[int, ...]
Child = tuple[int, int, int, int, int]  # key, priority, score, parent, move

MIX = 0x9E3779B97F4A7C15


def packed(tiles: Iterable[int]) -> int:
    """Five bits a tile, code + 1, ascending, zeros behind the last."""
    return int("".join(f"{tile + 1:05b}" for tile in sorted(tiles)).ljust(5 * TILES, "0"), 2)


def first_tile(tiles: Sequence[int]) -> int:
    return min(tiles)


def packed_rest(tiles: Sequence[int]) -> int:
    """What is packed when the first tile is taken away."""
    return packed(sorted(tiles)[1:])


@cache
def multisets(size: int, codes: int) -> int:
    """How many multisets of `size` tiles there are of so many codes: without the last code, or with one of it taken away."""
    if size == 0 or codes == 0:
        return int(size == 0)
    return multisets(size, codes - 1) + multisets(size - 1, codes)


def rank(tiles: Sequence[int]) -> int:
    """How many multisets stand before: all smaller ones, then those whose largest tile, then next largest, is smaller."""
    smaller = sum(multisets(size, CODES) for size in range(len(tiles)))
    return smaller + sum(multisets(size, tile) for size, tile in enumerate(sorted(tiles), start=1))


def key(rank: int, left: int) -> int:
    return int(f"{rank:b}{left:014b}", 2)


def sweep_number(rank: int, left: int, score: int) -> int:
    """The part, six bits of a hash of the left draws, then 29 bits of rank, 8 of left draws, 21 of score."""
    part = int(f"{left * MIX % (1 << 64):064b}"[:6], 2)
    return int(f"{part:06b}{rank:029b}{left:08b}{score:021b}", 2)


def best_numbers(numbers: Iterable[int]) -> list[int]:
    """The highest of the numbers that differ in the last 21 bits only, ascending."""
    best: dict[int, int] = {}
    for number in sorted(numbers):
        best[number >> 21] = number
    return sorted(best.values())


def beginnings(hashes: Iterable[int], bits: int) -> set[int]:
    """The first bits of each hash."""
    return {hashed >> 64 - bits for hashed in hashes}


def move(*numbers: int) -> int:
    """Hexadecimal digits, the first number in the last one."""
    return int("".join(f"{number:x}" for number in reversed(numbers)), 16)


def first_place(number: int, places: int) -> int:
    """Fibonacci hashing: the number times 2**64 over the golden ratio, of which bits 24 and up say the place."""
    golden = (isqrt(5 << 128) - (1 << 64)) // 2
    return number * golden % 2**64 // 2**24 % places


def logarithm(size: int) -> int:
    return next(bits for bits in count() if 2**bits == size)


def hash_of(tiles: Iterable[int], tile_hash: Sequence[int]) -> int:
    return sum(tile_hash[tile] for tile in tiles) % 2**64


def around(start: int, places: int) -> Iterator[int]:
    """All places from `start` on, those before it at the end."""
    yield from range(start, places)
    yield from range(start)


def filled_table(hashes: Iterable[int], places: int) -> list[int | None]:
    """Which of the hashes stands at each place: each in the first free one from where its highest bits lead."""
    table: list[int | None] = [None] * places
    for number, hashed in enumerate(hashes):
        table[next(place for place in around(hashed * places // 2**64, places) if table[place] is None)] = number
    return table


def slot(hashed: int, score: int) -> int:
    """The lowest 37 bits of a hash before 27 of a score."""
    return int(f"{hashed:064b}"[-37:] + f"{score:027b}", 2)


def settled_place(slots: Sequence[int], start: int, hashed: int) -> int:
    """The first place from `start` on that is empty or bears the hash's mark."""
    return next(at for at in around(start, len(slots)) if slots[at] == 0 or slots[at] >> 27 == hashed % 2**37)


def least_entry(worth: int, least: int, step: int) -> int:
    """The first entry that stands for plays of `worth` or more: entry e is for all below least + e * step."""
    return next((entry for entry in range(1, MOST_ENTRY + 1) if worth < least + entry * step), NEVER)


def worth_of(tiles: Iterable[int], score: int, prices: Sequence[int]) -> int:
    return POINT_PARTS * score - sum(prices[tile] for tile in tiles)


def ratings(
    plays: Sequence[tuple[Sequence[int], int]], prices: Sequence[int], longest: int
) -> tuple[list[int], list[int], list[int]]:
    """The entry of each play (tiles, score), and by length the least worth and the least step that gives 253 entries."""
    worths = [worth_of(tiles, score, prices) for tiles, score in plays]
    least, step = [0] * (longest + 1), [1] * (longest + 1)
    for length in range(longest + 1):
        some = [worth for worth, (tiles, _score) in zip(worths, plays, strict=True) if len(tiles) == length]
        if some:
            least[length] = min(some)
            step[length] = next(width for width in count(1) if (max(some) - min(some)) // width < MOST_ENTRY - 1)
    entries = [least_entry(worth, least[len(tiles)], step[len(tiles)]) for worth, (tiles, _) in zip(worths, plays, strict=True)]
    return entries, least, step


def filtered(plays: Iterable[tuple[int, int]], bits: int) -> list[int]:
    """The largest entry of the plays (hash, entry) whose hashes begin with the same bits."""
    largest: defaultdict[str, int] = defaultdict(int)
    for hashed, entry in plays:
        largest[f"{hashed:064b}"[:bits]] = max(largest[f"{hashed:064b}"[:bits]], entry)
    return [largest[f"{place:0{bits}b}"] for place in range(2**bits)]


def bits_of_hash(hashed: int) -> int:
    """Three bits of 64, one for each of the last three groups of six bits of the hash; they may be the same."""
    return sum(1 << place for place in {int(f"{hashed:064b}"[at - 6 : at], 2) for at in (64, 58, 52)})


def sieve_level(plays: Sequence[tuple[int, int]], need: int) -> list[int]:
    """The words of the sieve for plays (hash, entry) of one length that are needed with an entry of `need` or more.

    A level has half as many words as it has room for plays, 1024 or a larger power of two, just enough for those needed. It
    holds those of lower entries, too, as long as there is room for all plays of an entry.
    """
    needed = [entry for _hashed, entry in plays if entry >= need]
    room = next(2**power for power in count(10) if len(needed) <= 2**power)
    lowest = next(low for low in range(1, NEVER) if sum(entry >= low for _hashed, entry in plays) <= room)
    words = [0] * (room // 2)
    for hashed, entry in plays:
        if entry >= lowest:
            words[hashed * len(words) // 2**64] |= bits_of_hash(hashed)
    return words


def trie(signatures: Sequence[Prefix]) -> list[tuple[int, int, int]]:
    """Mask, first child and entry of all beginnings of the signatures, the shortest first."""
    nodes = sorted({(), *(tiles[:n] for tiles in signatures for n in range(len(tiles) + 1))}, key=lambda p: (len(p), p))
    place = {prefix: number for number, prefix in enumerate(nodes)}
    found = []
    for prefix in nodes:
        below = [code for code in range(CODES) if (*prefix, code) in place]
        entry = signatures.index(prefix) if prefix in signatures else -1
        found.append((sum(1 << code for code in below), place[(*prefix, below[0])] if below else 0, entry))
    return found


Rule = Callable[[str, Mapping[str, int]], int]


def plain_score(play: str, values: Mapping[str, int]) -> int:
    return sum(values.get(tile, 0) for tile in play)


def length_score(play: str, _values: Mapping[str, int]) -> int:
    return len(play)


def best_below(words: Iterable[str], beginning: Sequence[str], order: str, rule: Rule, values: Mapping[str, int]) -> int:
    """The best score without blanks of any word whose letters, in that order, begin so."""
    signatures = {word: sorted(word, key=order.index) for word in words}
    return max(rule(word, values) for word in words if signatures[word][: len(beginning)] == list(beginning))


def placed(word: str, missing: Mapping[str, int], free: int, rule: Rule, values: Mapping[str, int]) -> int:
    """The best score of a word where so many of each letter are blanks, and up to `free` letters more."""
    most = sum(missing.values()) + free
    plays = plays_of_word("?" * most + word, word)
    replaced = ((play, Counter(word) - Counter(play)) for play in plays)
    return max(rule(play, values) for play, blanks in replaced if not Counter(missing) - blanks)


def ranking(rack: str, words: Sequence[str], shortest: int, rule: Rule, values: Mapping[str, int]) -> list[tuple[int, int]]:
    """(score, number) of the words that a rack can play, each in its best play, best first."""
    best = []
    for number, word in enumerate(words):
        scores = [rule(play, values) for play in plays_of_word(rack, word)]
        if scores and len(word) >= shortest:
            best.append((max(scores), number))
    return sorted(best, key=lambda item: (-item[0], item[1]))


def fitting(
    plays: Sequence[tuple[Sequence[int], int]], available: Sequence[int], prices: Sequence[int]
) -> list[tuple[int, int]]:
    """(number, worth) of the plays (tiles, score) that need no tile more often than it is available."""
    return [
        (number, worth_of(tiles, score, prices))
        for number, (tiles, score) in enumerate(plays)
        if all(many <= available[tile] for tile, many in Counter(tiles).items())
    ]


def merged(children: Iterable[Child]) -> dict[int, Child]:
    """Of each key the child with the best score, then the smallest move and parent; of equal ones the first."""
    best: dict[int, Child] = {}
    for child in children:
        best[child[0]] = min(best.get(child[0], child), child, key=lambda c: (-c[2], c[4], c[3]))
    return best


def without_low(children: Iterable[Child], cutoff: int) -> list[Child]:
    return [child for child in children if child[1] >= cutoff]


def by_length(children: Iterable[tuple[int, Child]]) -> dict[int, list[Child]]:
    """Children in the order in which they come, by the tiles that they have played."""
    found: defaultdict[int, list[Child]] = defaultdict(list)
    for length, child in children:
        found[length].append(child)
    return dict(found)


def scratch_sizes(most: int) -> list[int]:
    """Room for a hand of old and new tiles, the tiles kept, each draw, each draw less a tile, both with one to spare; codes."""
    draws = list(range(most + 1))
    pairs = [(draw, tile) for draw in draws for tile in range(most)]
    return [most + most, most, len(draws), len(pairs), len(draws) + len(pairs) + 1, CODES]


def lowered(bound: int, of_foci: list[int], least: int) -> int:
    """The bound of a state after a look at the bounds of several foci, one after the other, while it is at least `least`."""
    for other in of_foci:
        if bound < least:
            break
        bound = min(bound, other)
    return bound
