"""Plays of a beam's racks on the trie of plain signatures, for racks too large for the index closed under blanks.

The same children as of `expand_closed`, found the slow way: blanks are spent letter by letter as the walk goes, and the plays
of a rack are gathered in a table first, since many words make the same play once blanks are spent.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from solver.compiled import kernel, lowest_bit, popcount
from solver.index.kernels.best_plays import POSITIONAL, SignatureWords, word_score
from solver.index.kernels.build_trie import Trie
from solver.index.kernels.hashing import first_slot
from solver.index.kernels.placed_plays import placed_score
from solver.index.kernels.ranks import MAX_RACK, rank_counts, unrank_counts
from solver.model.scoring import Scoring
from solver.model.tiles import BLANK_CODE, N_CODES
from solver.model.units import SCALE
from solver.search.kernels.states import Children, Cutoffs, DrawnRacks, left_of, packed_key, packed_move, rank_of, write_child

_MOST_PLAYS = 6435  # of one length, of a rack of 15 tiles: C(15, 7)
TABLE_BITS = 16  # twice the 2**15 plays that a rack of 15 tiles can have


class TriePlays(NamedTuple):
    """The plays of the index of signatures under the prices of a beam.

    scoring: how plays score.
    prices: int64, by code, of using a tile up, in sixteenths of a point.
    """

    trie: Trie
    words: SignatureWords
    scoring: Scoring
    prices: npt.NDArray[np.int64]


class PlayTable(NamedTuple):
    """The plays of one rack.

    places: int32, shape (2 ** TABLE_BITS,), 1 + the number of a play where its rank leads, zeros before and after.
    rank: uint64, of its tiles, score: int32, in points, shape (2 ** MAX_RACK,), by number.
    """

    places: npt.NDArray[np.int32]
    rank: npt.NDArray[np.uint64]
    score: npt.NDArray[np.int32]


@kernel
def rack_plays(counts: npt.NDArray[np.int8], plays: TriePlays, table: PlayTable) -> int:
    """Every play of the rack `counts` (int8, shape (N_CODES,)) with its best score; returns how many."""
    # bundles are opened before the loop: numba counts the users of each array that is taken out of one
    mask, child, entry = plays.trie
    words, scoring, margins = plays.words, plays.scoring, plays.scoring.margins
    family, members = words.family, words.members
    size = 0
    for code in range(N_CODES):
        size += counts[code]
    at = np.zeros(size + 1, np.int64)
    choice = np.zeros(size + 1, np.int64)  # 2 * code + (1 where a blank was spent), the next one to try
    played = np.zeros(size + 1, np.int64)
    missing = np.zeros(N_CODES, np.int8)
    real = np.zeros(N_CODES, np.int8)
    spent = np.zeros(N_CODES, np.int8)
    one = np.uint32(1)
    found = 0
    depth = 0
    blanks = counts[BLANK_CODE]
    is_variant = margins.min() < 0 or scoring.extra.max() > 0
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
        # of the copies of a letter the real ones come first, so that each choice is met once
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
                # the walk has settled which tiles are played, so that no other letter may be a blank
                best = max(best, placed_score(words, members[m], scoring, POSITIONAL, missing, 0, spent))
            else:
                best = max(best, word_score(words, members[m], margins, POSITIONAL, missing, spent))
        real[BLANK_CODE] = counts[BLANK_CODE] - blanks
        found = _note_play(rank_counts(real), best, found, table)
        real[BLANK_CODE] = 0
    _clear(table, found)
    return found


@kernel
def _note_play(rank: np.uint64, score: int, found: int, table: PlayTable) -> int:
    """Note a play among the `found` ones, or that it scores more; returns how many there are."""
    last = np.uint64((1 << TABLE_BITS) - 1)
    slot = first_slot(rank, last)
    while table.places[slot] != 0 and table.rank[table.places[slot] - 1] != rank:
        slot = (slot + np.uint64(1)) & last
    if table.places[slot] == 0:
        table.rank[found] = rank
        table.score[found] = score
        found += 1
        table.places[slot] = found
    elif score > table.score[table.places[slot] - 1]:
        table.score[table.places[slot] - 1] = score
    return found


@kernel
def _clear(table: PlayTable, found: int) -> None:
    """Make all places of the table 0 again."""
    last = np.uint64((1 << TABLE_BITS) - 1)
    for i in range(found):
        slot = first_slot(table.rank[i], last)
        while table.places[slot] != 0:
            table.places[slot] = 0
            slot = (slot + np.uint64(1)) & last


@kernel
def expand_trie(first: int, stop: int, racks: DrawnRacks, cutoffs: Cutoffs, plays: TriePlays, out: Children) -> int:
    """As `expand_closed`, one play ahead, with the trie of signatures in place of the closed index."""
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
