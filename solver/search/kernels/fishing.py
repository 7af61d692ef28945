"""Fishing: a weak first play that prepares a strong second one.

The best games are runs of plays of all tiles, or of all but one. Between them stand plays that look
bad: they play few tiles at poor positions, and make room for the draw that the next play needs.
Scrabble players call this fishing. A state after such a play is far below the cut-off of its layer,
but the next play lifts it to the top again. So the search looks for both plays together. After a
first play below the cut-off it tries every draw, and looks up each new rack in a sieve: whole, and
without each tile.
"""

from typing import NamedTuple

import numpy as np

from solver.compiled import I8, I64, U8, U64, borrowing, kernel
from solver.index.kernels.indexes import (
    CHOOSE,
    MIX,
    OFFSET,
    SCORE_MASK,
    TILE_HASH,
    UNREACHABLE,
    log2,
    needed_entry,
    rank_counts,
    settled_slot,
)
from solver.model.tiles import N_CODES, SCALE
from solver.search.kernels.sieve import ClosedPlays, Rack, Setups, Sieves, Subsets, sieve_bits
from solver.search.kernels.states import Children, Cutoffs, packed_key, packed_move, write_child


@kernel
def most_children(longest: int, fishes: bool) -> int:
    """Return the most children of a rack of `longest` tiles that have played one number of tiles.

    Without second plays these are the plays of half of the tiles. With them each is followed by
    every draw, and then by a play of the whole rack or without one tile. When the draw empties the
    row, first plays of any length lead there.
    """
    half = longest // 2
    plays = 1
    for place in range(half):
        plays = plays * (longest - place) // (place + 1)
    if not fishes:
        return plays
    return plays + (plays * (half + 1) + (1 << longest) - 1) * (longest + 1)


class Scratch(NamedTuple):
    """Scratch space for one rack.

    Attributes:
        hand: The tiles kept after a first play, then those of a draw; int64.
        kept_hashes: The hashes of the tiles kept; uint64.
        whole: The hash of the rack after each draw; uint64.
        lacking: The hash of the rack without one tile, by draw and tile; uint64.
        hits: The indices of the hashes that pass the sieve; int64.
        counts: Counts by code; int8, shape (N_CODES,).
    """

    hand: I64
    kept_hashes: U64
    whole: U64
    lacking: U64
    hits: I64
    counts: I8


@kernel
def new_scratch(most: int) -> Scratch:
    """Return scratch space for racks of up to `most` tiles."""
    return Scratch(
        np.zeros(2 * most, np.int64),
        np.zeros(most, np.uint64),
        np.zeros(most + 1, np.uint64),
        np.zeros((most + 1) * most, np.uint64),
        np.zeros((most + 1) * (most + 1) + 1, np.int64),
        np.zeros(N_CODES, np.int8),
    )


class FirstPlay(NamedTuple):
    """A first play, and the size of the rack after it.

    Attributes:
        inside: A bit mask of the places of the rack whose tiles it plays.
        slot: Its slot in the hash table.
        length: The number of tiles that it plays.
        score: The score of the game after it, in points.
        priority: The priority after it, in sixteenths of a point.
        kept: The number of tiles kept.
        full: The number of tiles of the next rack.
    """

    inside: int
    slot: np.uint64
    length: int
    score: int
    priority: int
    kept: int
    full: int


class SecondPlay(NamedTuple):
    """A candidate for a second play: all tiles of a rack, or all but one.

    Attributes:
        slot: Its slot in the hash table.
        draw: The number of tiles that the rack drew from the left.
        left: The number of tiles drawn from the left since the start; 0 if the row is empty.
        without: The place of the tile that is kept, or -1.
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
    cutoffs: Cutoffs,
    plays: ClosedPlays,
    out: Children,
    scratch: Scratch,
) -> None:
    """Write the states that a rack reaches by one of the first plays `setups` and a second play."""
    # named tuples are unpacked before the loop: numba updates a reference count at each access to
    # an array in one
    hashes, lengths, members, costs = subsets
    codes, row_hashes = plays.row
    landing = cutoffs.landings
    hands = out.hands
    slots, _ranks, slot_shift, _filter, _shift, least, step, _sieves, _row, _prices = plays
    hand, kept_hashes, whole, lacking, hits, _counts = scratch
    hands_shift = np.uint64(64 - log2(hands.shape[0]))
    place_in_game = np.uint64(cutoffs.drawn << 32 | rack.left << 8 | rack.size) * MIX
    order = np.uint64(rack.left_draws << 32 | rack.parent)
    # the tiles from `left` to `end` are the rest of the row
    left = rack.left
    end = codes.shape[0] - (cutoffs.drawn - left)
    for number in range(len(setups.subset)):
        chosen = setups.subset[number]
        slot = setups.slot[number]
        length = np.int64(lengths[chosen])
        points = np.int64(slots[slot] & SCORE_MASK)
        score = np.uint64(rack.score + points)
        hand_hash = rack.hash - hashes[chosen]
        state = (hand_hash + place_in_game) * MIX
        known = hands[state >> hands_shift]
        if _has_hand(known, state, score, order):
            continue
        known[0] = state
        known[1] = score
        known[2] = order
        drawn = min(length, codes.shape[0] - cutoffs.drawn)
        full = rack.size - length + drawn
        if full < 2:
            continue
        priority = rack.priority + SCALE * points - np.int64(costs[chosen])
        wanted = landing[length + full] - priority
        need = needed_entry(wanted, least[full], step[full])
        wanted = landing[length + full - 1] - priority
        need_lacking = needed_entry(wanted, least[full - 1], step[full - 1])
        if need == UNREACHABLE and need_lacking == UNREACHABLE:
            continue
        inside = np.int64(members[chosen])
        kept = _keep(rack.tiles, rack.size, inside, hand, kept_hashes)
        first = FirstPlay(
            inside=inside,
            slot=slot,
            length=length,
            score=rack.score + points,
            priority=priority,
            kept=kept,
            full=full,
        )
        empties = cutoffs.drawn + drawn == codes.shape[0]
        draws = drawn + 1
        if empties:
            draws = 1
        near_left = row_hashes[left : left + drawn]
        near_right = row_hashes[end - drawn : end]
        pairs = _hash_draws(
            hand_hash, kept_hashes[:kept], near_left, near_right, draws, whole, lacking
        )
        wholes = _sift(plays.sieves, full, need, whole[:draws], hits, 0)
        passed = _sift(plays.sieves, full - 1, need_lacking, lacking[:pairs], hits, wholes)
        for j in range(passed):
            if j < wholes:
                draw = hits[j]
                without = np.int64(-1)
                hashed = whole[draw]
            else:
                draw = hits[j] // full
                without = hits[j] % full
                hashed = lacking[hits[j]]
            second_slot = hashed >> slot_shift
            second_slot = settled_slot(slots, second_slot, slots[second_slot], hashed)
            if slots[second_slot] == np.uint64(0):
                continue
            from_left = draw
            now_left = left + draw
            if empties:
                from_left = drawn
                now_left = 0
            _deal(hand, kept, codes[left : left + from_left], codes[end - drawn + from_left : end])
            second = SecondPlay(slot=second_slot, draw=draw, left=now_left, without=without)
            _land(rack, first, second, landing, plays, out, scratch)


@borrowing
def _land(
    rack: Rack,
    first: FirstPlay,
    second: SecondPlay,
    landing: I64,
    plays: ClosedPlays,
    out: Children,
    scratch: Scratch,
) -> None:
    """Write the state after both plays if it reaches the cut-off.

    Both must be real plays: sieves and marks may be wrong.
    """
    hand = scratch.hand
    counts = scratch.counts
    counts[:] = 0
    points = np.int64(plays.slots[second.slot] & SCORE_MASK)
    priority = first.priority + SCALE * points
    played = 0
    leave = np.uint64(0)
    for place in range(first.full):
        if place == second.without:
            leave = CHOOSE[1, hand[place]] + OFFSET[1]
        else:
            played += 1
            priority -= rack.price[hand[place]]
            counts[hand[place]] += np.int8(1)
    first_play, _kept = parted(rack.tiles, rack.size, first.inside)
    if (
        priority >= landing[first.length + played]
        and first_play + OFFSET[first.length] == plays.ranks[first.slot]
        and rank_counts(counts) == plays.ranks[second.slot]
    ):
        key = packed_key(leave, np.uint64(second.left))
        move = packed_move(rack.left_draws, first.length, second.draw, played)
        length = first.length + played
        write_child(out, length, key, priority, first.score + points, rack.parent, move)


@kernel
def parted(tiles: I64, size: int, inside: int) -> tuple[np.uint64, np.uint64]:
    """Return the ranks, without offsets, of the tiles inside a play and of the others.

    `inside` is a bit mask of places.
    """
    play = np.uint64(0)
    leave = np.uint64(0)
    taken_before = 0
    kept = 0
    for place in range(size):
        taken = (inside >> place) & 1
        taken_before += taken
        kept += 1 - taken
        # without a branch, which the processor would mispredict every other time
        play += CHOOSE[taken_before, tiles[place]] * np.uint64(taken)
        leave += CHOOSE[kept, tiles[place]] * np.uint64(1 - taken)
    return play, leave


@borrowing
def _has_hand(known: U64, state: np.uint64, score: np.uint64, order: np.uint64) -> bool:
    """Return whether the same hand was reached before with at least the same score.

    Of equal scores the first parent, by `order`, counts. `known` is the entry for this hand in the
    hash table, which another hand may have overwritten.
    """
    return known[0] == state and (known[1] > score or (known[1] == score and known[2] <= order))


@borrowing
def _keep(
    tiles: I64,
    size: int,
    inside: int,
    hand: I64,
    kept_hashes: U64,
) -> int:
    """Write the tiles of a rack that are not `inside` a play to `hand`; return their number.

    Their hashes are written to `kept_hashes`.
    """
    kept = 0
    for place in range(size):
        hand[kept] = tiles[place]
        kept_hashes[kept] = TILE_HASH[tiles[place]]
        kept += 1 - ((inside >> place) & 1)
    return kept


@borrowing
def _hash_draws(
    hand_hash: np.uint64,
    kept: U64,
    near_left: U64,
    near_right: U64,
    draws: int,
    whole: U64,
    lacking: U64,
) -> int:
    """Write the hashes of the racks after every draw, whole and without each tile.

    Return the number of the latter.

    Args:
        hand_hash: The hash of the hand.
        kept: The hashes of the tiles of the hand.
        near_left: The hashes of the tiles that a draw from the left alone takes.
        near_right: The hashes of the tiles that a draw from the right alone takes; the same number.
        draws: The number of draws.
        whole: Output, by draw.
        lacking: Output, by draw and tile.
    """
    drawn = len(near_right)
    total = hand_hash
    for place in range(drawn):
        total += near_right[place]
    written = 0
    for draw in range(draws):
        whole[draw] = total
        # if a rack holds a tile twice, the same state occurs twice
        for place in range(len(kept)):
            lacking[written + place] = total - kept[place]
        written += len(kept)
        for place in range(draw):
            lacking[written] = total - near_left[place]
            written += 1
        for place in range(draw, drawn):
            lacking[written] = total - near_right[place]
            written += 1
        if draw < drawn:
            total += near_left[draw] - near_right[draw]
    return written


@borrowing
def _sift(
    sieves: Sieves,
    length: int,
    need: int,
    hashes: U64,
    hits: I64,
    passed: int,
) -> int:
    """Write the indices of the hashes that pass a level of a sieve; return the new number of hits.

    Args:
        sieves: The sieves.
        length: The number of tiles of the plays looked for.
        need: The least entry of these plays.
        hashes: The hashes to test.
        hits: Output; new hits follow those already there.
        passed: The number of hits already there.
    """
    words = sieves.words
    start = np.uint64(sieves.start[length, need])
    shift = sieves.shift[length, need]
    for i in range(len(hashes)):
        bits = sieve_bits(hashes[i])
        hits[passed] = i
        passed += np.int64(words[start + (hashes[i] >> shift)] & bits == bits)
    return passed


@borrowing
def _deal(
    hand: I64,
    kept: int,
    from_left: U8,
    from_right: U8,
) -> None:
    """Write the tiles of a draw after the first `kept` tiles of `hand`."""
    for place in range(len(from_left)):
        hand[kept + place] = from_left[place]
    for place in range(len(from_right)):
        hand[kept + len(from_left) + place] = from_right[place]
