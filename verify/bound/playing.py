"""Plays of a sweep, by compiled code."""

import numpy as np

from verify.bound.compiled import compiled
from verify.bound.gainful import GainTree, PlayPrices
from verify.bound.gains import count_bits
from verify.bound.numbers import MOST_TILES, NUMBER, TERMS, Numbers, count_tiles, left_of, score_of, spelled_tiles, state_number
from verify.bound.relaxed_game import POINT
from verify.bound.turn import NONE
from verify.bound.word_arrays import KINDS, Ints

_RECENT = 17  # bits of an index into the table of recent states
_SPREAD = np.uint64(0x9E3779B97F4A7C15)  # 2^64 divided by the golden ratio, as in Knuth, The Art of Computer Programming 3, 6.4
_MOST_OF_ONE_LENGTH = 252  # plays of one length from a rack of ten tiles: C(10, 5)
_ONE = np.uint32(1)


@compiled
def play_all(
    first: int, racks: Numbers, spelled: Numbers, plays: GainTree, prices: PlayPrices, least: int, recent: Numbers, out: Numbers
) -> tuple[int, Ints]:
    """Play the racks from index `first` on; write the states whose completion bound is at least `least`.

    Args:
        first: The index of the first rack to play.
        racks: Racks with the same number of tiles and of left draws.
        spelled: Their tiles.
        plays: The plays that gain enough; or the whole tree, where each leave is judged by itself.
            This is faster for few racks.
        prices: The prices of `plays`; with the whole tree, those of all lengths.
        least: The lowest completion bound of interest, in thousandths of a point.
        recent: A hash table of recent states, from `no_recent`. Neighbouring racks lead to the same states again and again; a
            state is skipped unless its score is higher than before.
        out: Output, by length of the play, shape (MOST_TILES + 1, room).

    Returns:
        The index of the first rack not played because `out` is full, or the number of racks; and the number of states written,
        by length of the play.
    """
    next_tiles, first_below, most, gain, gain_then, points = plays
    shortest, longest, worth, _come, worth_then, _come_then = prices
    whole = most[0] >= NONE  # no true gain is that high
    count = np.zeros(MOST_TILES + 1, np.int64)
    tiles, kept, needed_then = np.zeros(MOST_TILES, np.int64), np.zeros(KINDS, np.int64), np.zeros(MOST_TILES + 1, np.int64)
    # the path down the tree: at each depth the node, the tile that led to it, and the tiles not tried yet
    node, tile_of = np.zeros(MOST_TILES + 1, np.int64), np.zeros(MOST_TILES + 1, np.int64)
    untried = np.zeros(MOST_TILES + 1, np.uint32)
    for rack in range(first, len(racks)):
        if count.max() > out.shape[1] - _MOST_OF_ONE_LENGTH:
            return rack, count
        left, score = left_of(racks[rack]), score_of(racks[rack])
        distinct = count_tiles(tiles, spelled_tiles(spelled[rack], tiles), kept)
        on_rack, needed = np.uint32(0), least - POINT * score
        for i in range(distinct):
            on_rack |= _ONE << np.uint32(tiles[i])
            needed -= worth[shortest, tiles[i], kept[tiles[i]]]
        if most[0] < needed:
            continue
        for length in range(shortest, longest + 1):
            needed_then[length] = least - POINT * score
            for i in range(distinct):
                needed_then[length] -= worth_then[length, tiles[i], kept[tiles[i]]]
        depth = 0
        untried[0] = next_tiles[0] & on_rack
        while depth >= 0:
            if untried[depth] == 0:
                kept[tile_of[depth]] += 1
                depth -= 1
                continue
            bit = untried[depth] & (~untried[depth] + _ONE)
            untried[depth] ^= bit
            below = first_below[node[depth]] + count_bits(np.uint64(next_tiles[node[depth]] & (bit - _ONE)))
            if most[below] < needed:
                continue
            tile = count_bits(np.uint64(bit - _ONE))
            kept[tile] -= 1
            reached = score + points[below]
            useful = gain[below] >= needed and gain_then[below] >= needed_then[depth + 1]
            if useful and (not whole or POINT * reached + _brought(tiles, distinct, kept, depth + 1, prices) >= least):
                state = state_number(left, _number(tiles, distinct, kept), reached)
                at = (state >> NUMBER) * _SPREAD >> np.uint64(64 - _RECENT)
                if recent[at] >> NUMBER != state >> NUMBER or recent[at] < state:
                    recent[at] = state
                    out[depth + 1, count[depth + 1]] = state
                    count[depth + 1] += 1
            # tiles descend along a path
            onward = next_tiles[below] & on_rack & (bit - _ONE | (bit if kept[tile] > 0 else np.uint32(0)))
            if onward == 0:
                kept[tile] += 1
                continue
            depth += 1
            node[depth], tile_of[depth], untried[depth] = below, tile, onward
    return len(racks), count


@compiled
def _number(tiles: Ints, distinct: int, copies: Ints) -> np.uint64:
    """Return the number of a leave with `copies` of each of the descending distinct tiles."""
    number, place = np.uint64(0), MOST_TILES
    for i in range(distinct):
        number += np.uint64(TERMS[tiles[i], place, copies[tiles[i]]])
        place -= copies[tiles[i]]
    return number


@compiled
def _brought(tiles: Ints, distinct: int, copies: Ints, length: int, prices: PlayPrices) -> int:
    """Return the smaller of the two bounds, one for each set of prices, on a leave after a play of `length` tiles."""
    total, total_then = prices.come[length], prices.come_then[length]
    for i in range(distinct):
        total += prices.worth[length, tiles[i], copies[tiles[i]]]
        total_then += prices.worth_then[length, tiles[i], copies[tiles[i]]]
    return min(total, total_then)


def no_recent() -> Numbers:
    """Return an empty table of recent states; its sentinel is the number of no state."""
    return np.full(1 << _RECENT, np.iinfo(np.uint64).max, dtype=np.uint64)
