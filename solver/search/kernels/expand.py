"""Plays of a beam's racks, with children below the cut-off dropped before they are stored.

On the closed index a search spends its time. A rack of 10 tiles has at most 1024 sub-multisets, and
a few hundred if tiles repeat. Their hashes are sums, and each new tile doubles the list of them.
Each hash is looked up in a filter that fits the processor's cache. So no load waits for another,
and few sub-multisets pass. A walk down a trie visits fewer places, but waits at each.

Racks too large for that index take the trie of plain signatures. The children are the same, but the
search is slower. The walk down the trie decides letter by letter where to use blanks. Many words
then make the same play, so a table first collects the best score of each sub-multiset of the rack.
"""

from typing import NamedTuple

import numpy as np

from solver.compiled import I8, I32, I64, U8, U16, U64, kernel, lowest_bit, popcount
from solver.index.kernels.indexes import (
    MAX_RACK,
    OFFSET,
    SCORE_MASK,
    TILE_HASH,
    UNREACHABLE,
    Trie,
    needed_entry,
    rank_counts,
    settled_slot,
    unrank_counts,
    unrank_tiles,
)
from solver.index.kernels.rack_plays import SignatureWords, drawn_score
from solver.model.tiles import BLANK_CODE, N_CODES, SCALE, Scoring
from solver.search.kernels.fishing import fish, most_children, new_scratch, parted
from solver.search.kernels.sieve import ClosedPlays, Rack, Setups, Subsets
from solver.search.kernels.states import (
    Children,
    Cutoffs,
    States,
    left_of,
    packed_key,
    packed_move,
    rank_of,
    write_child,
)


@kernel
def expand_closed(
    first: int, stop: int, racks: States, cutoffs: Cutoffs, plays: ClosedPlays, out: Children
) -> int:
    """Expand racks into the children that reach the cut-offs of their layers.

    Args:
        first: The first rack to expand.
        stop: The rack after the last one to expand.
        racks: All racks of a layer.
        cutoffs: The least priorities of children. If they have landings, second plays are looked
            for as well.
        plays: The plays of the closed index.
        out: Output.

    Returns:
        The first rack that was not expanded: `stop`, or less if a buffer of `out` is nearly full.
    """
    # named tuples are unpacked before the loop: numba updates a reference count at each access to
    # an array in one
    key, rack_priority, rack_score, rack_parent, rack_left = racks
    slots, ranks, slot_shift, filter_, filter_shift, least, step, _sieves, _row, prices = plays
    _drawn, cutoff, setup_cutoff, landings = cutoffs
    out_count = out.count
    longest = len(least) - 1
    room = out.states.key.shape[1] - most_children(longest, len(landings) > 0)
    most_subsets = 1 << longest
    tiles = np.zeros(longest, np.int64)
    need = np.full(longest + 1, UNREACHABLE, np.uint8)
    subsets = _new_subsets(most_subsets)
    hashes, lengths, members, costs = subsets
    chosen = np.zeros(most_subsets + 1, np.int64)
    entries = np.zeros(most_subsets, np.uint64)
    setup = np.zeros(most_subsets, np.int64)
    setup_slot = np.zeros(most_subsets, np.uint64)
    scratch = new_scratch(longest)
    for rack in range(first, stop):
        if _most(out_count) > room:
            return rack
        size = unrank_tiles(rank_of(key[rack]), tiles)
        left = left_of(key[rack])
        priority = rack_priority[rack]
        score = np.int64(rack_score[rack])
        parent = np.int64(rack_parent[rack])
        left_draws = np.int64(rack_left[rack])
        for length in range(1, longest + 1):
            wanted = min(cutoff[length], setup_cutoff[length])
            # priority + worth >= wanted
            need[length] = needed_entry(wanted - priority, least[length], step[length])
        count = _all_subsets(tiles, size, prices, hashes, lengths, members, costs)
        candidates = _promising(hashes, lengths, count, filter_, filter_shift, need, chosen)
        # all loads start before the first value is needed
        for j in range(candidates):
            entries[j] = slots[hashes[chosen[j]] >> slot_shift]
        setups = 0
        for j in range(candidates):
            i = chosen[j]
            slot = settled_slot(slots, hashes[i] >> slot_shift, entries[j], hashes[i])
            entry = slots[slot]
            if entry == np.uint64(0):
                continue
            played = np.int64(lengths[i])
            points = np.int64(entry & SCORE_MASK)
            child_priority = priority + SCALE * points - np.int64(costs[i])
            if child_priority >= setup_cutoff[played]:
                setup[setups] = i
                setup_slot[setups] = slot
                setups += 1
            if child_priority < cutoff[played]:
                continue
            play, leave = parted(tiles, size, np.int64(members[i]))
            # two multisets may share a mark: the ranks decide
            if ranks[slot] == play + OFFSET[played]:
                child = packed_key(leave + OFFSET[size - played], np.uint64(left))
                move = packed_move(left_draws, played)
                write_child(out, played, child, child_priority, score + points, parent, move)
        if setups > 0:
            here = Rack(
                tiles=tiles,
                size=size,
                hash=hashes[count - 1],  # that of the last and largest sub-multiset
                left=left,
                left_draws=left_draws,
                priority=priority,
                score=score,
                parent=parent,
                price=prices,
            )
            first_plays = Setups(setup[:setups], setup_slot[:setups])
            fish(here, subsets, first_plays, cutoffs, plays, out, scratch)
    return stop


@kernel
def _most(counts: I64) -> int:
    """Return the largest of the counts.

    To load code that calls `max` of an array, numba imports scipy.linalg.
    """
    most = 0
    for count in counts:
        most = max(most, count)
    return most


@kernel
def _new_subsets(most: int) -> Subsets:
    """Return room for the sub-multisets of one rack, `most` of them."""
    return Subsets(
        np.zeros(most, np.uint64),
        np.zeros(most, np.uint8),
        np.zeros(most, np.uint16),
        np.zeros(most, np.int32),
    )


@kernel
def _all_subsets(
    tiles: I64,
    size: int,
    price: I64,
    hashes: U64,
    lengths: U8,
    members: U16,
    costs: I32,
) -> int:
    """Fill `hashes` to `costs` with the distinct sub-multisets of a rack; return their number.

    The empty one is the first, the whole rack the last.

    A sub-multiset takes the first of equal tiles, so that it occurs once. For the arrays see
    `Subsets`.
    """
    hashes[0] = 0
    lengths[0] = 0
    members[0] = 0
    costs[0] = 0
    count = 1
    place = 0
    while place < size:
        tile = tiles[place]
        before = count
        more_hash = np.uint64(0)
        more_members = np.uint16(0)
        more_length = np.uint8(0)
        more_cost = np.int32(0)
        while place < size and tiles[place] == tile:
            more_hash += TILE_HASH[tile]
            more_members |= np.uint16(1 << place)
            more_length += np.uint8(1)
            more_cost += np.int32(price[tile])
            # one loop for each array, so that the compiler vectorises each
            for i in range(before):
                hashes[count + i] = hashes[i] + more_hash
            for i in range(before):
                lengths[count + i] = lengths[i] + more_length
            for i in range(before):
                members[count + i] = members[i] | more_members
            for i in range(before):
                costs[count + i] = costs[i] + more_cost
            count += before
            place += 1
    return count


@kernel
def _promising(
    hashes: U64,
    lengths: U8,
    count: int,
    filter_: U8,
    shift: np.uint64,
    need: U8,
    chosen: I64,
) -> int:
    """Write the indices of the subsets that pass the filter to `chosen`; return their number.

    Only the first `count` subsets are tested.
    """
    passed = 0
    for i in range(count):
        chosen[passed] = i
        passed += np.int64(filter_[hashes[i] >> shift] >= need[lengths[i]])
    return passed


_MOST_PLACED = 6435  # plays of one length from a rack of 15 tiles: C(15, 7)


class TriePlays(NamedTuple):
    """The plays of the signature index under the prices of a beam.

    Attributes:
        trie: The trie of the signatures.
        words: The words of each signature.
        scoring: The scoring of plays.
        prices: The prices of tiles by code, in sixteenths of a point; int64.
    """

    trie: Trie
    words: SignatureWords
    scoring: Scoring
    prices: I64


@kernel
def rack_plays(counts: I8, plays: TriePlays, best: I64) -> int:
    """Fill `best` with the best score of each sub-multiset of a rack; return their number.

    A sub-multiset's number has a digit for each tile, in the order of the codes from the lowest
    digit: the copies of the tile. The base of a digit is one more than the rack's copies.

    Args:
        counts: The rack, of at most MAX_RACK tiles; int8, shape (N_CODES,).
        plays: The plays of the signature index.
        best: Output, by number, -1 for a sub-multiset that makes no word; shape (2 ** MAX_RACK,).
    """
    # named tuples are unpacked before the loop: numba updates a reference count at each access to
    # an array in one
    trie, words, scoring, _prices = plays
    mask, child, entry = trie
    family = words.family
    members = words.members
    weight = np.zeros(N_CODES, np.int64)
    numbers = 1
    for code in range(N_CODES):
        weight[code] = numbers
        numbers *= counts[code] + 1
    best[:numbers] = -1
    at = np.zeros(MAX_RACK + 1, np.int64)
    choice = np.zeros(MAX_RACK + 1, np.int64)  # the next to try: 2 * code, + 1 to use a blank
    spent = np.zeros(N_CODES, np.int8)
    missing = np.zeros(N_CODES, np.int8)  # the blanks spent, by letter
    have = np.zeros(N_CODES, np.int8)
    one = np.uint32(1)
    number = 0
    depth = 0
    is_plain = scoring.margins.min() >= 0
    while depth >= 0:
        node = at[depth]
        letter = choice[depth] // 2
        rest = mask[node] >> np.uint32(letter)
        if rest == 0:
            depth -= 1
            if depth >= 0:
                undone = choice[depth] - 1
                tile = _tile_of(undone)
                spent[tile] -= np.int8(1)
                missing[undone // 2] -= np.int8(undone % 2)
                number -= weight[tile]
            continue
        option = max(choice[depth], 2 * (letter + np.int64(lowest_bit(rest))))
        choice[depth] = option + 1
        letter = option // 2
        tile = _tile_of(option)
        # real copies of a letter come before its blanks, so that each choice is made once
        if spent[tile] == counts[tile] or (tile == letter and missing[letter] > 0):
            continue
        spent[tile] += np.int8(1)
        missing[letter] += np.int8(option % 2)
        number += weight[tile]
        depth += 1
        below = mask[node] & ((one << np.uint32(letter)) - one)
        node = np.int64(child[node]) + np.int64(popcount(below))
        at[depth] = node
        choice[depth] = 2 * letter
        if entry[node] < 0:
            continue
        blanks = np.int64(spent[BLANK_CODE])
        for m in range(family[entry[node]], family[entry[node] + 1]):
            have[:] = spent
            score = drawn_score(words, members[m], scoring, is_plain, have, blanks)
            best[number] = max(best[number], score)
    return numbers


@kernel
def _tile_of(choice: int) -> int:
    """Return the tile that a choice of the walk in `rack_plays` spends."""
    if choice % 2 == 1:
        return BLANK_CODE
    return choice // 2


@kernel
def expand_trie(
    first: int, stop: int, racks: States, cutoffs: Cutoffs, plays: TriePlays, out: Children
) -> int:
    """Expand racks as `expand_closed` does, but on the trie and without second plays."""
    counts = np.zeros(N_CODES, np.int8)
    leave = np.zeros(N_CODES, np.int8)
    best = np.zeros(1 << MAX_RACK, np.int64)
    for rack in range(first, stop):
        if _most(out.count) > out.states.key.shape[1] - _MOST_PLACED:
            return rack
        unrank_counts(rank_of(racks.key[rack]), counts)
        for number in range(rack_plays(counts, plays, best)):
            if best[number] < 0:
                continue
            priority = racks.priority[rack] + SCALE * best[number]
            length = 0
            rest = number
            for code in range(N_CODES):
                copies = rest % (counts[code] + 1)
                rest //= counts[code] + 1
                length += copies
                priority -= copies * plays.prices[code]
                leave[code] = counts[code] - copies
            if priority >= cutoffs.layers[length]:
                key = packed_key(rank_counts(leave), np.uint64(left_of(racks.key[rack])))
                move = packed_move(np.int64(racks.move[rack]), length)
                score = racks.score[rack] + best[number]
                write_child(out, length, key, priority, score, racks.parent[rack], move)
    return stop
