"""Plays that are made for the sake of the next one.

The best games are strings of plays of all tiles, or of all but one, and between them plays that look bad: few tiles, poorly
placed, that make room for the draw that the next play needs. Scrabble players call it fishing. A state after such a
play is far below the cut-off of its layer, and what the next play brings lifts it to the top again. So these two plays are
looked for together: after a play that nobody would keep, every draw is tried, and every rack that comes of it is looked up
whole, and without each of its tiles in turn, in a sieve.
"""

import numpy as np
import numpy.typing as npt

from solver.jit import kernel
from solver.kernels.closed import NEVER, SCORE_BITS, needed_entry, settled_slot
from solver.kernels.hashing import MIX, TILE_HASH, log2
from solver.kernels.ranks import LEFT_BITS, rank_counts
from solver.kernels.sieve import sieve_bits
from solver.tiles import N_CODES

# of a rack, for one number of tiles: 252 first plays of 5 tiles, 6 draws, 11 second plays; and where the draw empties the row,
# so that first plays of any length lead there, 1,023 of them and 11 second plays
MOST_LANDINGS = 252 * 6 * 11 + 1023 * 11


@kernel
def fish(
    setups: int,
    setup: npt.NDArray[np.int64],
    setup_slot: npt.NDArray[np.uint64],
    tiles: npt.NDArray[np.int64],
    size: int,
    left: int,
    drawn: int,
    row: npt.NDArray[np.uint8],
    row_hashes: npt.NDArray[np.uint64],
    rack_left: int,
    priority: int,
    score: int,
    parent: int,
    hashes: npt.NDArray[np.uint64],
    lengths: npt.NDArray[np.uint8],
    members: npt.NDArray[np.uint16],
    costs: npt.NDArray[np.int32],
    cut: npt.NDArray[np.int64],
    sieves: npt.NDArray[np.uint64],
    sieve_start: npt.NDArray[np.int64],
    sieve_shift: npt.NDArray[np.uint64],
    least: npt.NDArray[np.int64],
    step: npt.NDArray[np.int64],
    slots: npt.NDArray[np.uint64],
    ranks: npt.NDArray[np.uint64],
    price: npt.NDArray[np.int64],
    scale: int,
    known: npt.NDArray[np.uint64],
    out_key: npt.NDArray[np.uint64],
    out_priority: npt.NDArray[np.int64],
    out_score: npt.NDArray[np.int32],
    out_parent: npt.NDArray[np.int32],
    out_move: npt.NDArray[np.int32],
    out_count: npt.NDArray[np.int64],
) -> None:
    """Write the states that a rack reaches by a first play and a second one of all tiles but one at most.

    setup, setup_slot: which of the rack's sub-multisets (`hashes` to `costs`, see `solver.kernels.expand`) are first plays, and
    their slots; only the first `setups` are filled. tiles, size: of the rack, after `drawn` draws in all, `left` of them from
    the left, `rack_left` of those in this turn. cut: int64, by the tiles of both plays: the least priority after them, shape
    (2 * MAX_LENGTH + 1,). row_hashes: of the tiles of the row and of one more that is never drawn, uint64. known: hands met
    after a first play of this beam, with their scores, uint64, shape (a power of two, 4, of which the last is not used, so
    that no hand lies across two lines of the cache); each has one place and a later one may take it. The other parameters are
    those of `expand`.
    """
    tiles_in_row = row.shape[0]
    slot_shift = np.uint64(64 - log2(slots.shape[0]))
    known_shift = np.uint64(64 - log2(known.shape[0]))
    score_mask = np.uint64((1 << SCORE_BITS) - 1)
    end = tiles_in_row - (drawn - left)  # of what is left of the row
    hand = np.zeros(2 * size, np.int64)
    rack_hashes = np.zeros(size, np.uint64)
    held_hashes = np.zeros(size, np.uint64)
    whole = np.zeros(size + 1, np.uint64)  # by draw
    lacking = np.zeros((size + 1) * size, np.uint64)  # by draw and by the tile that is not played
    hits = np.zeros((size + 1) * (size + 1) + 1, np.int64)
    rack_hash = np.uint64(0)
    for place in range(size):
        rack_hashes[place] = TILE_HASH[tiles[place]]
        rack_hash += rack_hashes[place]
    place_in_game = np.uint64(drawn << 32 | left << 8 | size) * MIX
    order = np.uint64(rack_left << 32 | parent)
    for number in range(setups):
        first = setup[number]
        length = np.int64(lengths[first])
        first_score = np.int64(slots[setup_slot[number]] & score_mask)
        # the same hand after other plays: the best of them is enough, of those the first in the order of a layer
        state = (rack_hash - hashes[first] + place_in_game) * MIX
        seen = known[state >> known_shift]
        total_score = np.uint64(score + first_score)
        if seen[0] == state and (seen[1] > total_score or (seen[1] == total_score and seen[2] <= order)):
            continue
        seen[0], seen[1], seen[2] = state, total_score, order
        want = min(length, tiles_in_row - drawn)
        full = size - length + want
        if full < 2:
            continue
        reached = priority + scale * first_score - np.int64(costs[first])
        need_whole = needed_entry(cut[length + full] - reached, least[full], step[full])
        need_lacking = needed_entry(cut[length + full - 1] - reached, least[full - 1], step[full - 1])
        if need_whole == NEVER and need_lacking == NEVER:
            continue
        held = 0
        inside = np.int64(members[first])
        for place in range(size):
            hand[held] = tiles[place]
            held_hashes[held] = rack_hashes[place]
            held += 1 - ((inside >> place) & 1)
        emptied = drawn + want == tiles_in_row
        draws = 1 if emptied else want + 1
        total = rack_hash - hashes[first]
        for place in range(end - want, end):
            total += row_hashes[place]
        many = 0
        for draw in range(draws):
            whole[draw] = total
            # where a rack holds a tile twice, the same state is met twice
            for place in range(held):
                lacking[many + place] = total - held_hashes[place]
            many += held
            for place in range(left, left + draw):
                lacking[many] = total - row_hashes[place]
                many += 1
            for place in range(end - want + draw, end):
                lacking[many] = total - row_hashes[place]
                many += 1
            total += row_hashes[left + draw] - row_hashes[end - want + draw]
        found = 0
        start, shift = np.uint64(sieve_start[full, need_whole]), sieve_shift[full, need_whole]
        for i in range(draws):
            bits = sieve_bits(whole[i])
            hits[found] = -1 - i
            found += np.int64(sieves[start + (whole[i] >> shift)] & bits == bits)
        start, shift = np.uint64(sieve_start[full - 1, need_lacking]), sieve_shift[full - 1, need_lacking]
        for i in range(many):
            bits = sieve_bits(lacking[i])
            hits[found] = i
            found += np.int64(sieves[start + (lacking[i] >> shift)] & bits == bits)
        for j in range(found):
            is_whole = hits[j] < 0
            hashed = whole[-1 - hits[j]] if is_whole else lacking[hits[j]]
            first_slot = hashed >> slot_shift
            slot = settled_slot(slots, first_slot, slots[first_slot], hashed)
            if slots[slot] == np.uint64(0):
                continue
            draw, without = (-1 - hits[j], -1) if is_whole else (hits[j] // full, hits[j] % full)
            _deal(hand, held, want, draw, emptied, row, left, end)
            second_score = np.int64(slots[slot] & score_mask)
            landed = reached + scale * second_score
            for place in range(full):
                landed -= 0 if place == without else price[hand[place]]
            both = length + full - (0 if is_whole else 1)
            if landed < cut[both]:
                continue
            if not _are_plays(tiles, size, inside, ranks[setup_slot[number]], hand, full, without, ranks[slot]):
                continue
            counts = np.zeros(N_CODES, np.int8)
            if not is_whole:
                counts[hand[without]] = 1
            k = out_count[both]
            out_count[both] = k + 1
            out_key[both, k] = (rank_counts(counts) << np.uint64(LEFT_BITS)) | np.uint64(0 if emptied else left + draw)
            out_priority[both, k] = landed
            out_score[both, k] = score + first_score + second_score
            out_parent[both, k] = parent
            out_move[both, k] = rack_left | length << 4 | draw << 8 | (both - length) << 12


@kernel
def _deal(
    hand: npt.NDArray[np.int64],
    held: int,
    want: int,
    from_left: int,
    emptied: bool,
    row: npt.NDArray[np.uint8],
    left: int,
    end: int,
) -> None:
    """Write the `want` tiles of a draw behind the `held` ones of `hand`; all that is left of the row where that is `emptied`.

    left, end: of what is left of the row.
    """
    for place in range(want):
        if emptied or place < from_left:
            hand[held + place] = row[left + place]
        else:
            hand[held + place] = row[end - want + place]


@kernel
def _are_plays(
    tiles: npt.NDArray[np.int64],
    size: int,
    inside: int,
    first_rank: np.uint64,
    hand: npt.NDArray[np.int64],
    full: int,
    without: int,
    second_rank: np.uint64,
) -> bool:
    """Whether the two slots found by their marks, which are random, are those of the two plays."""
    counts = np.zeros(N_CODES, np.int8)
    for place in range(size):
        counts[tiles[place]] += np.int8((inside >> place) & 1)
    if rank_counts(counts) != first_rank:
        return False
    counts[:] = 0
    for place in range(full):
        counts[hand[place]] += np.int8(place != without)
    return bool(rank_counts(counts) == second_rank)
