"""Plays of a beam's racks on the trie of plain signatures, for racks too large for the index closed under blanks.

The children are those of `expand_closed`, but the search is slower. The walk down the trie decides letter by letter where to
use blanks. Many words then make the same play, so a table first collects the distinct plays of a rack.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from solver.compiled import kernel, lowest_bit, popcount
from solver.index.kernels.best_plays import SignatureWords, word_score
from solver.index.kernels.build_trie import Trie
from solver.index.kernels.hashing import first_slot
from solver.index.kernels.placed_plays import placed_score
from solver.index.kernels.ranks import MAX_RACK, rank_counts, unrank_counts
from solver.model.scoring import Scoring
from solver.model.tiles import BLANK_CODE, N_CODES
from solver.model.units import SCALE
from solver.search.kernels.states import Children, Cutoffs, DrawnRacks, left_of, packed_key, packed_move, rank_of, write_child

_MOST_PLAYS = 6435  # plays of one length from a rack of 15 tiles: C(15, 7)
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
        node = np.int64(child[node]) + np.int64(popcount(mask[node] & ((one << np.uint32(code)) - one)))
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
def expand_trie(first: int, stop: int, racks: DrawnRacks, cutoffs: Cutoffs, plays: TriePlays, out: Children) -> int:
    """Expand racks as `expand_closed` does, but on the trie of signatures and without second plays."""
    counts = np.zeros(N_CODES, np.int8)
    play = np.zeros(N_CODES, np.int8)
    table = PlayTable(
        np.zeros(1 << TABLE_BITS, np.int32), np.zeros(1 << MAX_RACK, np.uint64), np.zeros(1 << MAX_RACK, np.int32)
    )
    for rack in range(first, stop):
        for length in range(1, cutoffs.layers.shape[0]):
            if out.count[length] + _MOST_PLAYS > out.states.key.shape[1]:
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
                write_child(out, length, key, priority, racks.score[rack] + table.score[i], racks.parent[rack], move)
    return stop
