"""Plays that are made for the sake of the next one.

The best games are strings of plays of all tiles, or of all but one, and between them plays that look bad: few tiles, poorly
placed, that make room for the draw that the next play needs. Scrabble players call it fishing. A state after such a
play is far below the cut-off of its layer, and what the next play brings lifts it to the top again. So these two plays are
looked for together: after a play that nobody would keep, every draw is tried, and every rack that comes of it is looked up
whole, and without each of its tiles in turn, in a sieve.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from solver.compiled import borrowing, kernel
from solver.index.kernels.closed_index import SCORE_MASK, UNREACHABLE, needed_entry, settled_slot
from solver.index.kernels.hashing import MIX, TILE_HASH, log2
from solver.index.kernels.ranks import rank_counts
from solver.model.tiles import N_CODES
from solver.model.units import SCALE
from solver.search.kernels.closed_plays import ClosedPlays, HashedRow, Rack, Setups, Subsets
from solver.search.kernels.sieve import sieve_bits
from solver.search.kernels.states import Children, Cutoffs, packed_key, packed_moves, write_child

# of a rack, for one number of tiles: 252 first plays of 5 tiles, 6 draws, 11 second plays; and where the draw empties the row,
# so that first plays of any length lead there, 1,023 of them and 11 second plays
MOST_LANDINGS = 252 * 6 * 11 + 1023 * 11


class Scratch(NamedTuple):
    """Room for one rack.

    hand: int64, the tiles kept after a first play, and behind them those of a draw.
    kept_hashes: uint64, of the tiles kept.
    whole, lacking: uint64, by draw, the hash of the rack; by draw and tile, the hash without that tile.
    hits: int64, which of these a sieve lets through.
    counts: int8, shape (N_CODES,).
    """

    hand: npt.NDArray[np.int64]
    kept_hashes: npt.NDArray[np.uint64]
    whole: npt.NDArray[np.uint64]
    lacking: npt.NDArray[np.uint64]
    hits: npt.NDArray[np.int64]
    counts: npt.NDArray[np.int8]


@kernel
def new_scratch(most: int) -> Scratch:
    """Room for racks of up to so many tiles."""
    return Scratch(
        np.zeros(2 * most, np.int64),
        np.zeros(most, np.uint64),
        np.zeros(most + 1, np.uint64),
        np.zeros((most + 1) * most, np.uint64),
        np.zeros((most + 1) * (most + 1) + 1, np.int64),
        np.zeros(N_CODES, np.int8),
    )


class FirstPlay(NamedTuple):
    """A first play, and the rack that comes after it.

    inside: its tiles, a bit for each place of the rack.
    slot: where it stands in the hash table.
    length: tiles; score: in points, of the game with this play; priority: after it.
    kept: tiles kept. full: tiles of the next rack.
    """

    inside: int
    slot: np.uint64
    length: int
    score: int
    priority: int
    kept: int
    full: int


class SecondPlay(NamedTuple):
    """What may be a second play: all tiles of a rack but for one at most.

    slot: where it stands in the hash table.
    draw: tiles that the rack drew from the left.
    left: tiles drawn from the left then, 0 where the row is empty.
    without: the place of the tile that is kept, -1 for none.
    """

    slot: np.uint64
    draw: int
    left: int
    without: int


@borrowing
def fish(
    rack: Rack,
    subsets: Subsets,
    setups: Setups,
    row: HashedRow,
    cutoffs: Cutoffs,
    plays: ClosedPlays,
    out: Children,
    scratch: Scratch,
) -> None:
    """Write the states that a rack reaches by one of the first plays `setups` and a second one of all tiles but one at most."""
    # bundles are opened before the loop: numba counts the users of each array that is taken out of one
    hashes, lengths, members, costs = subsets
    codes, row_hashes = row
    landing, hands = cutoffs.landings, out.hands
    slots, slot_shift, least, step = plays.slots, plays.slot_shift, plays.least, plays.step
    words, sieve_start, sieve_shift = plays.sieves
    hand, kept_hashes, whole, lacking, hits, _counts = scratch
    hands_shift = np.uint64(64 - log2(hands.shape[0]))
    place_in_game = np.uint64(cutoffs.drawn << 32 | rack.left << 8 | rack.size) * MIX
    order = np.uint64(rack.left_draws << 32 | rack.parent)
    rack_hash, left, end = _hash(rack), rack.left, codes.shape[0] - (cutoffs.drawn - rack.left)  # of what is left of the row
    for number in range(len(setups.subset)):
        chosen, slot = setups.subset[number], setups.slot[number]
        length, points = np.int64(lengths[chosen]), np.int64(slots[slot] & SCORE_MASK)
        hand_hash = rack_hash - hashes[chosen]
        state = (hand_hash + place_in_game) * MIX
        if _is_known(hands[state >> hands_shift], state, np.uint64(rack.score + points), order):
            continue
        want = min(length, codes.shape[0] - cutoffs.drawn)
        full = rack.size - length + want
        if full < 2:
            continue
        priority = rack.priority + SCALE * points - np.int64(costs[chosen])
        need = needed_entry(landing[length + full] - priority, least[full], step[full])
        need_lacking = needed_entry(landing[length + full - 1] - priority, least[full - 1], step[full - 1])
        if need == UNREACHABLE and need_lacking == UNREACHABLE:
            continue
        inside, emptied = np.int64(members[chosen]), cutoffs.drawn + want == codes.shape[0]
        kept = _keep(rack.tiles, rack.size, inside, hand, kept_hashes)
        first = FirstPlay(inside, slot, length, rack.score + points, priority, kept, full)
        draws = 1 if emptied else want + 1
        near_left, near_right = row_hashes[left : left + want], row_hashes[end - want : end]
        pairs = _hash_draws(hand_hash, kept_hashes[:kept], near_left, near_right, draws, whole, lacking)
        start, shift = np.uint64(sieve_start[full, need]), sieve_shift[full, need]
        wholes = _sift(words, start, shift, whole, draws, hits, 0)
        start, shift = np.uint64(sieve_start[full - 1, need_lacking]), sieve_shift[full - 1, need_lacking]
        found = _sift(words, start, shift, lacking, pairs, hits, wholes)
        for j in range(found):
            is_whole = j < wholes
            hashed = whole[hits[j]] if is_whole else lacking[hits[j]]
            second_slot = settled_slot(slots, hashed >> slot_shift, slots[hashed >> slot_shift], hashed)
            if slots[second_slot] == np.uint64(0):
                continue
            draw, without = (hits[j], -1) if is_whole else (hits[j] // full, hits[j] % full)
            from_left = want if emptied else draw
            _deal(hand, kept, codes[left : left + from_left], codes[end - want + from_left : end])
            _land(
                rack, first, SecondPlay(second_slot, draw, 0 if emptied else left + draw, without), landing, plays, out, scratch
            )


@borrowing
def _land(
    rack: Rack,
    first: FirstPlay,
    second: SecondPlay,
    landing: npt.NDArray[np.int64],
    plays: ClosedPlays,
    out: Children,
    scratch: Scratch,
) -> None:
    """Write the state after both plays if its layer wants it, and both are plays: a sieve and a mark may be wrong."""
    hand, counts, price, slots, ranks = scratch.hand, scratch.counts, rack.price, plays.slots, plays.ranks
    points = np.int64(slots[second.slot] & SCORE_MASK)
    priority = first.priority + SCALE * points
    for place in range(first.full):
        priority -= 0 if place == second.without else price[hand[place]]
    played = first.full - (0 if second.without < 0 else 1)
    if (
        priority >= landing[first.length + played]
        and _first_rank(rack.tiles, rack.size, first.inside, counts) == ranks[first.slot]
        and _rank_without(hand, first.full, second.without, counts) == ranks[second.slot]
    ):
        leave = hand[second.without : second.without + 1] if second.without >= 0 else hand[:0]
        key = packed_key(_rank_without(leave, len(leave), -1, counts), np.uint64(second.left))
        move = packed_moves(rack.left_draws, first.length, second.draw, played)
        write_child(out, first.length + played, key, priority, first.score + points, rack.parent, move)


@borrowing
def _hash(rack: Rack) -> np.uint64:
    """The hash of a whole rack."""
    total = np.uint64(0)
    for place in range(rack.size):
        total += TILE_HASH[rack.tiles[place]]
    return total


@borrowing
def _is_known(seen: npt.NDArray[np.uint64], state: np.uint64, score: np.uint64, order: np.uint64) -> bool:
    """Whether the same hand was met after other plays that score as much; notes it where not.

    The best of those plays is enough, and of equal ones the first in the order of a layer.

    seen: the hand's one place, which another one may have taken.
    """
    if seen[0] == state and (seen[1] > score or (seen[1] == score and seen[2] <= order)):
        return True
    seen[0], seen[1], seen[2] = state, score, order
    return False


@borrowing
def _keep(
    tiles: npt.NDArray[np.int64],
    size: int,
    inside: int,
    hand: npt.NDArray[np.int64],
    kept_hashes: npt.NDArray[np.uint64],
) -> int:
    """Write the tiles of a rack that are not `inside` a play to the hand, and their hashes; returns how many."""
    kept = 0
    for place in range(size):
        hand[kept] = tiles[place]
        kept_hashes[kept] = TILE_HASH[tiles[place]]
        kept += 1 - ((inside >> place) & 1)
    return kept


@borrowing
def _hash_draws(
    hand_hash: np.uint64,
    kept: npt.NDArray[np.uint64],
    near_left: npt.NDArray[np.uint64],
    near_right: npt.NDArray[np.uint64],
    draws: int,
    whole: npt.NDArray[np.uint64],
    lacking: npt.NDArray[np.uint64],
) -> int:
    """Write the hashes of the racks after every draw, whole and without each tile; returns how many of the latter.

    kept: of the tiles of the hand.
    near_left, near_right: of as many tiles at each end of the row as are drawn.
    """
    want = len(near_right)
    total = hand_hash
    for place in range(want):
        total += near_right[place]
    many = 0
    for draw in range(draws):
        whole[draw] = total
        # where a rack holds a tile twice, the same state is met twice
        for place in range(len(kept)):
            lacking[many + place] = total - kept[place]
        many += len(kept)
        for place in range(draw):
            lacking[many] = total - near_left[place]
            many += 1
        for place in range(draw, want):
            lacking[many] = total - near_right[place]
            many += 1
        if draw < want:
            total += near_left[draw] - near_right[draw]
    return many


@borrowing
def _sift(
    words: npt.NDArray[np.uint64],
    start: np.uint64,
    shift: np.uint64,
    hashes: npt.NDArray[np.uint64],
    count: int,
    hits: npt.NDArray[np.int64],
    found: int,
) -> int:
    """Sift hashes through a level of a sieve, which begins at word `start`.

    Writes to `hits`, behind the `found` first ones, which of the first `count` hashes it lets through; returns how many hits
    there are then.
    """
    for i in range(count):
        bits = sieve_bits(hashes[i])
        hits[found] = i
        found += np.int64(words[start + (hashes[i] >> shift)] & bits == bits)
    return found


@borrowing
def _deal(hand: npt.NDArray[np.int64], kept: int, from_left: npt.NDArray[np.uint8], from_right: npt.NDArray[np.uint8]) -> None:
    """Write the tiles of a draw behind the `kept` ones of `hand`."""
    for place in range(len(from_left)):
        hand[kept + place] = from_left[place]
    for place in range(len(from_right)):
        hand[kept + len(from_left) + place] = from_right[place]


@borrowing
def _first_rank(tiles: npt.NDArray[np.int64], size: int, inside: int, counts: npt.NDArray[np.int8]) -> np.uint64:
    """The rank of the tiles at the places `inside` a play.

    counts: scratch.
    """
    counts[:] = 0
    for place in range(size):
        counts[tiles[place]] += np.int8((inside >> place) & 1)
    return rank_counts(counts)


@borrowing
def _rank_without(tiles: npt.NDArray[np.int64], size: int, without: int, counts: npt.NDArray[np.int8]) -> np.uint64:
    """The rank of the first `size` tiles but for the one at place `without`, -1 for none.

    counts: scratch.
    """
    counts[:] = 0
    for place in range(size):
        counts[tiles[place]] += np.int8(place != without)
    return rank_counts(counts)
