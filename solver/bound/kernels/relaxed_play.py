"""Best plays of relaxed racks: some tiles are known, others may be any of those drawn before.

All figures are whole thousandths of a point. Words are sorted by length, and so is every array
over words. Two 64-bit masks also hold a word's letters, one bit for each of the first four copies
of a letter. They count the letters that a rack lacks without looking at the letters themselves.
"""

from typing import NamedTuple

import numpy as np

from solver.compiled import I8, I32, I64, U64, borrowing, kernel, popcount
from solver.model.tiles import BLANK_CODE, N_CODES, Codes

MINUS_INFINITY = -(1 << 60)  # a value or price where no play or tile exists
# the cost of a tile that does not exist; the tiles of a word cost less than half of it
NO_TILE = 1 << 40
_BUCKETS = 2048  # of a sort by gains, whose order is exact to the width of a bucket
_LETTERS = N_CODES - 1


class RelaxedWords(NamedTuple):
    """The words that fit a rack, by length.

    Attributes:
        first: int64, shape (rack + 2,), the index of the first word of each length; the last entry
            is the number of words.
        letters: int8, shape (words, rack), codes; a shorter word fills the first columns.
        masks: uint64, shape (2, words), the masks of letters, see `masks_of`.
        values: int64, shape (N_CODES,), by code, in thousandths of a point.
    """

    first: I64
    letters: I8
    masks: U64
    values: I64


class WordOrder(NamedTuple):
    """The words of each length in descending order of the most that they can gain: shape (words,).

    The words of length n fill the same range as in `RelaxedWords`.

    Attributes:
        word: int32, the index of the word.
        reach: int64, an upper bound of its gain, in thousandths of a point.
        masks: uint64, shape (2, words), its masks, copied so that the search reads them in order.
    """

    word: I32
    reach: I64
    masks: U64

    @classmethod
    def empty(cls, words: int, *blocks: int) -> "WordOrder":
        """Return room for an order of words, or for one of each block."""
        return cls(
            word=np.empty((*blocks, words), np.int32),
            reach=np.empty((*blocks, words), np.int64),
            masks=np.empty((*blocks, 2, words), np.uint64),
        )


class Tiles(NamedTuple):
    """Tiles by code. Those drawn at each node of r3 have two more axes in front.

    These axes are the tiles drawn and the left draws.

    Attributes:
        count: int64, shape (N_CODES,), the number of tiles.
        price: int64, shape (N_CODES, rack), the lowest prices of playing one, ascending, in
            thousandths of a point. Meaningless from index `count` on.
    """

    count: I64
    price: I64


class RackRoom(NamedTuple):
    """Room for the tiles of a rack, and for the search of a play.

    Attributes:
        tiles: the tiles that a word may be played with, and their costs; at most a rack of each
            code.
        gain: int64, shape (rack,), scratch.
        used: int64, shape (N_CODES,), scratch.
    """

    tiles: Tiles
    gain: I64
    used: I64


class RelaxedRack(NamedTuple):
    """The tiles that a word may be played with, some of them known.

    Attributes:
        low: mask of the first and second copies of the known tiles.
        high: mask of the third and fourth copies.
        spare: the number of letters that a word may need besides the known tiles: unknown tiles
            and known blanks supply them.
        room: the tiles.
    """

    low: np.uint64
    high: np.uint64
    spare: int
    room: RackRoom


@kernel
def new_tiles(rack: int) -> Tiles:
    """Return room for tiles; `rack` is the size of a full rack."""
    return Tiles(np.empty(N_CODES, np.int64), np.empty((N_CODES, rack), np.int64))


@kernel
def new_room(rack: int) -> RackRoom:
    """Return room for a rack of at most `rack` tiles."""
    return RackRoom(new_tiles(rack), np.empty(rack, np.int64), np.empty(N_CODES, np.int64))


@borrowing
def masks_of(counts: I64) -> tuple[np.uint64, np.uint64]:
    """Return the masks `low` and `high` of `counts`, shape (N_CODES,).

    Letter c has bit c - 1 of `low` for a first copy and bit c + 25 for a second one. `high` has
    the same bits for a third and a fourth copy. Blanks have no bits.
    """
    low = np.uint64(0)
    high = np.uint64(0)
    for code in range(1, N_CODES):
        bit = np.uint64(1) << np.uint64(code - 1)
        second_bit = bit << np.uint64(_LETTERS)
        if counts[code] >= 1:
            low |= bit
        if counts[code] >= 2:
            low |= second_bit
        if counts[code] >= 3:
            high |= bit
        if counts[code] >= 4:
            high |= second_bit
    return low, high


@kernel
def masks_of_words(counts: I64) -> U64:
    """Return the masks of each row of `counts`, shape (words, N_CODES), as in `RelaxedWords`."""
    masks = np.empty((2, len(counts)), np.uint64)
    for word in range(len(counts)):
        masks[0, word], masks[1, word] = masks_of(counts[word])
    return masks


@kernel
def order_words(words: RelaxedWords, least: I64, ordered: WordOrder) -> None:
    """Sort the words of each length into `ordered`, in descending order of what they can gain.

    A length without any tile is left out: its part of `ordered` stays as it was.

    Args:
        words: the words to sort.
        least: the lowest cost of a tile by length of the word and code, shape (rack + 1, N_CODES),
            in thousandths of a point; NO_TILE or more if no such tile exists.
        ordered: the arrays to fill.
    """
    first, letters, masks, values = words
    order, reach, order_masks = ordered
    lengths = len(first) - 1
    starts = np.empty(_BUCKETS + 1, np.int64)
    gains = np.empty(len(letters), np.int64)
    buckets = np.empty(len(letters), np.int64)
    gain = np.empty((lengths, N_CODES), np.int64)
    for length in range(1, lengths):
        begin = first[length]
        end = first[length + 1]
        if begin == end or least[length].min() >= NO_TILE:
            continue
        for place in range(length):
            for code in range(1, N_CODES):
                of_letter = (place + 1) * values[code] - least[length, code]
                gain[place, code] = max(of_letter, -least[length, BLANK_CODE])
        highest = MINUS_INFINITY
        lowest = -MINUS_INFINITY
        for word in range(begin, end):
            total = 0
            for place in range(length):
                total += gain[place, letters[word, place]]
            gains[word] = total
            highest = max(highest, total)
            # words that cannot be played must not widen the buckets: they all go to the last one
            if total > -NO_TILE // 2:
                lowest = min(lowest, total)
        # the width of a bucket is a power of two: divisions would take longer than all the rest
        shift = 0
        while (highest - min(lowest, highest)) >> shift >= _BUCKETS - 1:
            shift += 1
        starts[:] = 0
        for word in range(begin, end):
            buckets[word] = min(_BUCKETS - 1, (highest - gains[word]) >> shift)
            starts[buckets[word] + 1] += 1
        for bucket in range(_BUCKETS):
            starts[bucket + 1] += starts[bucket]
        for word in range(begin, end):
            bucket = buckets[word]
            at = begin + starts[bucket]
            starts[bucket] += 1
            order[at] = word
            reach[at] = highest - (bucket << shift)
            order_masks[0, at] = masks[0, word]
            order_masks[1, at] = masks[1, word]


@borrowing
def play_value(word: I8, length: int, values: I64, room: RackRoom) -> int:
    """Return the most that `word` can gain: its points minus the costs of its tiles.

    The cheapest tiles of a letter take its latest positions. Then blanks, the cheapest first, take
    the positions with the least gain. The result, in thousandths of a point, is far below 0 if
    letters are missing. The word has `length` letters; `values` is as in `RelaxedWords`.
    """
    have, price = room.tiles
    gain = room.gain
    used = room.used
    total = 0
    for place in range(length):
        used[word[place]] = 0
    for place in range(length - 1, -1, -1):
        code = word[place]
        if used[code] < have[code]:
            gain[place] = (place + 1) * values[code] - price[code, used[code]]
        else:
            gain[place] = -NO_TILE
        used[code] += 1
        total += gain[place]
    for blank in range(have[BLANK_CODE]):
        worst = 0
        for place in range(1, length):
            if gain[place] < gain[worst]:
                worst = place
        if gain[worst] >= -price[BLANK_CODE, blank]:
            break
        total += -price[BLANK_CODE, blank] - gain[worst]
        gain[worst] = -MINUS_INFINITY  # so that no other blank takes this position
    return total


@borrowing
def add_tiles(codes: Codes, tile_price: I64, tiles: Tiles) -> None:
    """Add tiles, given by their codes and prices, to `tiles`."""
    count, price = tiles
    size = price.shape[1]
    for i in range(len(codes)):
        code = codes[i]
        at = min(size, count[code])
        count[code] += 1
        while at > 0 and price[code, at - 1] > tile_price[i]:
            if at < size:
                price[code, at] = price[code, at - 1]
            at -= 1
        if at < size:
            price[code, at] = tile_price[i]


@borrowing
def fill_outer(row: Codes, tile_price: I64, left: int, right: int, tiles: Tiles) -> None:
    """Fill `tiles` with those of the row before the place `left` and from `right` on."""
    tiles.count[:] = 0
    add_tiles(row[:left], tile_price[:left], tiles)
    add_tiles(row[right:], tile_price[right:], tiles)


@borrowing
def merge_prices(
    new: Tiles, new_more: I64, old: Tiles, old_more: I64, rise: int, held: int, merged: Tiles
) -> None:
    """Merge the costs of new and old tiles into `merged`, by code, ascending.

    A new tile costs its price plus that of its code in `new_more`, shape (N_CODES,). An old one
    costs its price plus that of its code in `old_more`, plus `rise`. At most `held` of the old
    tiles count.
    """
    for code in range(N_CODES):
        news = new.count[code]
        olds = min(old.count[code], held)
        merged.count[code] = min(news + olds, merged.price.shape[1])
        i = 0
        j = 0
        for out in range(merged.count[code]):
            of_new = new.price[code, i] + new_more[code] if i < news else NO_TILE
            of_old = old.price[code, j] + old_more[code] + rise if j < olds else NO_TILE
            merged.price[code, out] = min(of_new, of_old)
            if of_new <= of_old:
                i += 1
            else:
                j += 1


@borrowing
def best_play(
    length: int, words: RelaxedWords, ordered: WordOrder, rack: RelaxedRack, base: int, best: int
) -> tuple[int, int]:
    """Return the word of `length` with the highest value above `best`, and that value.

    If no word exceeds `best`, return -1 and `best`. The search skips words that need more than the
    rack's spare letters. It ends where the reach rules out the rest.

    Args:
        length: the number of letters of the word.
        words: all words.
        ordered: the words in the order of the search.
        rack: the tiles that the word may use.
        base: a word's value is this plus its gain, in thousandths of a point; its gain is at most
            its reach.
        best: the value to exceed, in thousandths of a point.
    """
    order, reach, masks = ordered
    low = masks[0]
    high = masks[1]
    lacks_low = ~rack.low
    lacks_high = ~rack.high
    spare = rack.spare
    best_word = -1
    at = words.first[length]
    end = words.first[length + 1]
    while at < end and reach[at] + base > best:
        # most words fail the masks: only those that pass need their own reach, and one check
        # serves 64 of the others
        stop = min(end, at + 64)
        for i in range(at, stop):
            lacking = np.int64(popcount(low[i] & lacks_low))
            if lacking > spare:
                continue
            if lacking + np.int64(popcount(high[i] & lacks_high)) > spare:
                continue
            if reach[i] + base <= best:
                break
            total = base + play_value(words.letters[order[i]], length, words.values, rack.room)
            if total > best:
                best = total
                best_word = np.int64(order[i])
        at = stop
    return best_word, best
