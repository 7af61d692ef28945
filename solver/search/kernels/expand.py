"""Plays of a beam's racks, with children below the cut-off dropped before they are stored.

On the closed index a search spends its time. A rack of 10 tiles has at most 1024 sub-multisets, and a few hundred if tiles
repeat. Their hashes are sums, and each new tile doubles the list of them. Each hash is looked up in a filter that fits the
processor's cache. So no load waits for another, and few sub-multisets pass. A walk down a trie visits fewer places, but waits
at each.

Racks too large for that index take the trie of plain signatures. The children are the same, but the search is slower. The walk
down the trie decides letter by letter where to use blanks. Many words then make the same play, so a table first collects the
distinct plays of a rack.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from solver.compiled import kernel, lowest_bit, popcount
from solver.index.kernels.indexes import (
    CHOOSE,
    MAX_RACK,
    OFFSET,
    SCORE_MASK,
    TILE_HASH,
    UNREACHABLE,
    Trie,
    first_slot,
    needed_entry,
    rank_counts,
    settled_slot,
    unrank_counts,
    unrank_tiles,
)
from solver.index.kernels.rack_plays import SignatureWords, placed_score, word_score
from solver.model.tiles import BLANK_CODE, CLOSED_RACK, N_CODES, SCALE, Scoring
from solver.search.kernels.fishing import MOST_LANDINGS, fish, new_scratch
from solver.search.kernels.sieve import ClosedPlays, HashedRow, Rack, Setups, Subsets
from solver.search.kernels.states import (
    Children,
    Cutoffs,
    DrawnRacks,
    left_of,
    packed_key,
    packed_move,
    rank_of,
    write_child,
)

_SUBSETS = 1 << CLOSED_RACK
_MOST_PLAYS = 252  # plays of one length: C(10, 5)


@kernel
def expand_closed(
    first: int,
    stop: int,
    racks: DrawnRacks,
    row: HashedRow,
    cutoffs: Cutoffs,
    plays: ClosedPlays,
    out: Children,
) -> int:
    """Expand racks into the children that reach the cut-offs of their layers.

    Args:
        first: The first rack to expand.
        stop: The rack after the last one to expand.
        racks: All racks of a layer.
        row: The row.
        cutoffs: The least priorities of children. If they have landings, second plays are looked for as well.
        plays: The plays of the closed index.
        out: Output.

    Returns:
        The first rack that was not expanded: `stop`, or less if a buffer of `out` is nearly full.
    """
    # named tuples are unpacked before the loop: numba updates a reference count at each access to an array in one
    key, rack_priority, rack_score, rack_parent, rack_left = racks
    slots, ranks, slot_shift = plays.slots, plays.ranks, plays.slot_shift
    filter_, filter_shift, prices = plays.filter, plays.filter_shift, plays.prices
    cutoff, setup_cutoff, wanted = (
        cutoffs.layers,
        cutoffs.setups,
        _lower(cutoffs.layers, cutoffs.setups),
    )
    out_count, room = (
        out.count,
        out.states.key.shape[1] - _MOST_PLAYS - (MOST_LANDINGS if len(cutoffs.landings) > 0 else 0),
    )
    tiles, need = np.zeros(CLOSED_RACK, np.int64), np.full(CLOSED_RACK + 1, UNREACHABLE, np.uint8)
    subsets = _new_subsets()
    hashes, lengths, members, costs = subsets
    chosen, entries = np.zeros(_SUBSETS + 1, np.int64), np.zeros(_SUBSETS, np.uint64)
    setup, setup_slot, scratch = (
        np.zeros(_SUBSETS, np.int64),
        np.zeros(_SUBSETS, np.uint64),
        new_scratch(CLOSED_RACK),
    )
    for rack in range(first, stop):
        if _most(out_count) > room:
            return rack
        size, left = unrank_tiles(rank_of(key[rack]), tiles), left_of(key[rack])
        priority, score, parent = (
            rack_priority[rack],
            np.int64(rack_score[rack]),
            np.int64(rack_parent[rack]),
        )
        _needed_entries(priority, wanted, plays.least, plays.step, need)
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
            played, points = np.int64(lengths[i]), np.int64(entry & SCORE_MASK)
            child_priority = priority + SCALE * points - np.int64(costs[i])
            if entry == np.uint64(0):
                continue
            if child_priority >= setup_cutoff[played]:
                setup[setups], setup_slot[setups] = i, slot
                setups += 1
            if child_priority < cutoff[played]:
                continue
            play, leave = _parted(tiles, size, np.int64(members[i]))
            # two multisets may share a mark: the ranks decide
            if ranks[slot] == play + OFFSET[played]:
                child, move = (
                    leave + OFFSET[size - played],
                    packed_move(np.int64(rack_left[rack]), played),
                )
                write_child(
                    out,
                    played,
                    packed_key(child, np.uint64(left)),
                    child_priority,
                    score + points,
                    parent,
                    move,
                )
        if setups > 0:
            here = Rack(
                tiles, size, left, np.int64(rack_left[rack]), priority, score, parent, prices
            )
            fish(
                here,
                subsets,
                Setups(setup[:setups], setup_slot[:setups]),
                row,
                cutoffs,
                plays,
                out,
                scratch,
            )
    return stop


@kernel
def _most(counts: npt.NDArray[np.int64]) -> int:
    """Return the largest of the counts, without `max` of arrays: to load code that calls it, numba imports scipy.linalg."""
    most = 0
    for count in counts:
        most = max(most, count)
    return most


@kernel
def _new_subsets() -> Subsets:
    """Return room for the sub-multisets of one rack."""
    return Subsets(
        np.zeros(_SUBSETS, np.uint64),
        np.zeros(_SUBSETS, np.uint8),
        np.zeros(_SUBSETS, np.uint16),
        np.zeros(_SUBSETS, np.int32),
    )


@kernel
def _lower(cutoffs: npt.NDArray[np.int64], others: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Return the lower of two cut-offs for each length of a play; shape (CLOSED_RACK + 1,)."""
    lower = np.empty(CLOSED_RACK + 1, np.int64)
    for length in range(1, CLOSED_RACK + 1):
        lower[length] = min(cutoffs[length], others[length])
    return lower


@kernel
def _needed_entries(
    priority: int,
    wanted: npt.NDArray[np.int64],
    least: npt.NDArray[np.int64],
    step: npt.NDArray[np.int64],
    need: npt.NDArray[np.uint8],
) -> None:
    """Fill `need` with the least filter entry that a useful play of each length can have.

    Args:
        priority: The rack's priority.
        wanted: The least priority of a child, by length.
        least: See `ClosedPlays`.
        step: See `ClosedPlays`.
        need: Output, by length.
    """
    for length in range(1, CLOSED_RACK + 1):
        # priority + worth >= wanted
        need[length] = needed_entry(wanted[length] - priority, least[length], step[length])


@kernel
def _all_subsets(
    tiles: npt.NDArray[np.int64],
    size: int,
    price: npt.NDArray[np.int64],
    hashes: npt.NDArray[np.uint64],
    lengths: npt.NDArray[np.uint8],
    members: npt.NDArray[np.uint16],
    costs: npt.NDArray[np.int32],
) -> int:
    """Fill `hashes` to `costs` with all distinct sub-multisets of a rack, the empty one first, and return their number.

    A sub-multiset takes the first of equal tiles, so that it occurs once. For the arrays see `Subsets`.
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
    hashes: npt.NDArray[np.uint64],
    lengths: npt.NDArray[np.uint8],
    count: int,
    filter_: npt.NDArray[np.uint8],
    shift: np.uint64,
    need: npt.NDArray[np.uint8],
    chosen: npt.NDArray[np.int64],
) -> int:
    """Write the indices of the subsets that pass the filter, among the first `count`, to `chosen`, and return their number."""
    passed = 0
    for i in range(count):
        chosen[passed] = i
        passed += np.int64(filter_[hashes[i] >> shift] >= need[lengths[i]])
    return passed


@kernel
def _parted(tiles: npt.NDArray[np.int64], size: int, inside: int) -> tuple[np.uint64, np.uint64]:
    """Return the ranks, without offsets, of the tiles inside a play and of the others. `inside` is a bit mask of places."""
    play, leave = np.uint64(0), np.uint64(0)
    taken_before, kept = 0, 0
    for place in range(size):
        taken = (inside >> place) & 1
        taken_before += taken
        kept += 1 - taken
        # without a branch, which the processor would mispredict every other time
        play += CHOOSE[taken_before, tiles[place]] * np.uint64(taken)
        leave += CHOOSE[kept, tiles[place]] * np.uint64(1 - taken)
    return play, leave


_MOST_PLACED = 6435  # plays of one length from a rack of 15 tiles: C(15, 7)
TABLE_BITS = 16  # a rack of 15 tiles has at most 2**15 plays, and the table is at most half full


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
    prices: npt.NDArray[np.int64]


class PlayTable(NamedTuple):
    """The distinct plays of one rack, numbered from 0.

    Attributes:
        places: A hash table from the rank of a play to its number + 1; int32, shape (2 ** TABLE_BITS,). It holds zeros between
            racks.
        rank: The rank of the tiles of each play; uint64, shape (2 ** MAX_RACK,).
        score: The best score of each play, in points; int32, shape (2 ** MAX_RACK,).
    """

    places: npt.NDArray[np.int32]
    rank: npt.NDArray[np.uint64]
    score: npt.NDArray[np.int32]


@kernel
def rack_plays(counts: npt.NDArray[np.int8], plays: TriePlays, table: PlayTable) -> int:
    """Write every play of a rack with its best score to `table`, and return the number of plays.

    Args:
        counts: The rack; int8, shape (N_CODES,).
        plays: The plays of the signature index.
        table: Output; its `places` are zeros before and after.
    """
    # named tuples are unpacked before the loop: numba updates a reference count at each access to an array in one
    mask, child, entry = plays.trie
    words, scoring = plays.words, plays.scoring
    family, members = words.family, words.members
    size = 0
    for code in range(N_CODES):
        size += counts[code]
    at = np.zeros(size + 1, np.int64)
    choice = np.zeros(size + 1, np.int64)  # the next choice to try: 2 * code, + 1 to use a blank
    played = np.zeros(size + 1, np.int64)
    missing = np.zeros(N_CODES, np.int8)
    real = np.zeros(N_CODES, np.int8)
    spent = np.zeros(N_CODES, np.int8)
    one = np.uint32(1)
    noted = 0
    depth = 0
    blanks = counts[BLANK_CODE]
    is_variant = scoring.margins.min() < 0
    while depth >= 0:
        node = at[depth]
        option = choice[depth]
        code = option // 2
        rest = mask[node] >> np.uint32(code) if code < N_CODES else np.uint32(0)
        if rest == 0:
            depth -= 1
            if depth >= 0:
                code = played[depth] // 2
                if played[depth] % 2 == 1:
                    missing[code] -= np.int8(1)
                    blanks += np.int8(1)
                else:
                    real[code] -= np.int8(1)
            continue
        step = lowest_bit(rest)
        if step > 0:
            code += np.int64(step)
            option = 2 * code
        choice[depth] = option + 1
        blank = option % 2 == 1
        # real copies of a letter come before its blanks, so that each choice is made once
        if blank:
            if blanks == 0:
                continue
            missing[code] += np.int8(1)
            blanks -= np.int8(1)
        else:
            if real[code] == counts[code] or missing[code] > 0:
                continue
            real[code] += np.int8(1)
        played[depth] = option
        depth += 1
        node = np.int64(child[node]) + np.int64(
            popcount(mask[node] & ((one << np.uint32(code)) - one))
        )
        at[depth] = node
        choice[depth] = 2 * code
        if entry[node] < 0:
            continue
        best = np.int64(-1)
        for m in range(family[entry[node]], family[entry[node] + 1]):
            if is_variant:
                # the walk has decided which tiles are played, so no other letter may be a blank
                best = max(best, placed_score(words, members[m], scoring, missing, 0, spent))
            else:
                best = max(best, word_score(words, members[m], scoring, missing, spent))
        real[BLANK_CODE] = counts[BLANK_CODE] - blanks
        noted = _note_play(rank_counts(real), best, noted, table)
        real[BLANK_CODE] = 0
    _clear(table, noted)
    return noted


@kernel
def _note_play(rank: np.uint64, score: int, noted: int, table: PlayTable) -> int:
    """Add a play to the first `noted` ones, or raise its score, and return the new number of plays."""
    last = np.uint64((1 << TABLE_BITS) - 1)
    slot = first_slot(rank, last)
    while table.places[slot] != 0 and table.rank[table.places[slot] - 1] != rank:
        slot = (slot + np.uint64(1)) & last
    if table.places[slot] == 0:
        table.rank[noted] = rank
        table.score[noted] = score
        noted += 1
        table.places[slot] = noted
    elif score > table.score[table.places[slot] - 1]:
        table.score[table.places[slot] - 1] = score
    return noted


@kernel
def _clear(table: PlayTable, noted: int) -> None:
    """Reset all places of the table to 0."""
    last = np.uint64((1 << TABLE_BITS) - 1)
    for i in range(noted):
        slot = first_slot(table.rank[i], last)
        while table.places[slot] != 0:
            table.places[slot] = 0
            slot = (slot + np.uint64(1)) & last


@kernel
def expand_trie(
    first: int, stop: int, racks: DrawnRacks, cutoffs: Cutoffs, plays: TriePlays, out: Children
) -> int:
    """Expand racks as `expand_closed` does, but on the trie of signatures and without second plays."""
    counts = np.zeros(N_CODES, np.int8)
    play = np.zeros(N_CODES, np.int8)
    table = PlayTable(
        np.zeros(1 << TABLE_BITS, np.int32),
        np.zeros(1 << MAX_RACK, np.uint64),
        np.zeros(1 << MAX_RACK, np.int32),
    )
    for rack in range(first, stop):
        for length in range(1, cutoffs.layers.shape[0]):
            if out.count[length] + _MOST_PLACED > out.states.key.shape[1]:
                return rack
        unrank_counts(rank_of(racks.key[rack]), counts)
        for i in range(rack_plays(counts, plays, table)):
            length = unrank_counts(table.rank[i], play)
            priority = racks.priority[rack] + SCALE * np.int64(table.score[i])
            for code in range(N_CODES):
                priority -= play[code] * plays.prices[code]
                play[code] = counts[code] - play[code]
            if priority >= cutoffs.layers[length]:
                key = packed_key(rank_counts(play), np.uint64(left_of(racks.key[rack])))
                move = packed_move(np.int64(racks.left_draws[rack]), np.int64(length))
                write_child(
                    out,
                    length,
                    key,
                    priority,
                    racks.score[rack] + table.score[i],
                    racks.parent[rack],
                    move,
                )
    return stop
