"""The best plays of racks without blanks, on the trie of plain signatures.

`solver.index.kernels.placed_plays` takes racks with blanks.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from solver.compiled import borrowing, kernel, lowest_bit, popcount
from solver.index.kernels.build_trie import Trie
from solver.model.racks import MAX_TILES
from solver.model.scoring import Scoring
from solver.model.tiles import N_CODES

DEEPEST = MAX_TILES


class SignatureWords(NamedTuple):
    """The words of a signature index.

    Attributes:
        family: The first member of each signature; int64.
        members: Word ids; int32. Those with signature s are members[family[s] : family[s + 1]].
        starts: The first letter of each word in `codes`; int64.
        codes: The letters of all words; uint8. Those of word w are codes[starts[w] : starts[w + 1]].
    """

    family: npt.NDArray[np.int64]
    members: npt.NDArray[np.int32]
    starts: npt.NDArray[np.int64]
    codes: npt.NDArray[np.uint8]


@borrowing
def word_score(
    words: SignatureWords,
    word: int,
    scoring: Scoring,
    missing: npt.NDArray[np.int8],
    spent: npt.NDArray[np.int8],
) -> int:
    """Return the score of a word in which blanks stand for the earliest copies of missing letters.

    Args:
        words: The words of the index.
        word: The id of the word, of at most DEEPEST letters.
        scoring: The scoring of plays.
        missing: The number of blanks for each letter; int8, by code.
        spent: Scratch space; int8, by code.
    """
    start, stop = words.starts[word], words.starts[word + 1]
    spent[:] = 0
    total = scoring.extra[stop - start]
    for i in range(start, stop):
        code = words.codes[i]
        if spent[code] < missing[code]:
            spent[code] += np.int8(1)
        else:
            total += scoring.weights[i - start + 1] * np.int64(scoring.margins[code])
    return total


@kernel
def node_reaches(trie: Trie, words: SignatureWords, scoring: Scoring, nodes: npt.NDArray[np.uint32]) -> None:
    """Fill `nodes` (uint32, shape (n, 4)): mask, child, entry + 1, and the best score of any word at or below the node.

    The score is that without blanks. Words of more than DEEPEST letters, which no rack can make, count as 0.
    """
    mask, child, entry = trie.mask, trie.child, trie.entry
    family, members = words.family, words.members
    missing = np.zeros(N_CODES, np.int8)
    spent = np.zeros(N_CODES, np.int8)
    for node in range(mask.shape[0] - 1, -1, -1):
        reach = np.int64(0)
        if entry[node] >= 0:
            for m in range(family[entry[node]], family[entry[node] + 1]):
                word = members[m]
                if words.starts[word + 1] - words.starts[word] <= DEEPEST:
                    reach = max(reach, word_score(words, word, scoring, missing, spent))
        for place in range(child[node], child[node] + popcount(mask[node])):
            reach = max(reach, np.int64(nodes[place, 3]))
        nodes[node, 0] = mask[node]
        nodes[node, 1] = child[node]
        nodes[node, 2] = entry[node] + 1
        nodes[node, 3] = reach


@kernel
def best_plays(
    racks: npt.NDArray[np.int8],
    shortest: int,
    scoring: Scoring,
    nodes: npt.NDArray[np.uint32],
    words: SignatureWords,
    out_score: npt.NDArray[np.int64],
    out_word: npt.NDArray[np.int32],
) -> None:
    """Find the best words of each rack without blanks.

    Args:
        racks: The racks, counts by code, of at most DEEPEST tiles; int8, shape (racks, N_CODES).
        shortest: The fewest letters that a word may have.
        scoring: The scoring of plays.
        nodes: The nodes of the trie, see `node_reaches`.
        words: The words of the index.
        out_score: The scores, best first; shape (racks, top).
        out_word: The word ids, shape (racks, top), or -1 if the rack has fewer words. Of equal scores the smallest id is first.
    """
    top = out_score.shape[1]
    family, members = words.family, words.members
    at = np.zeros(DEEPEST + 1, np.int64)
    pending = np.zeros(DEEPEST + 1, np.uint32)
    played = np.zeros(DEEPEST + 1, np.uint32)
    counts = np.zeros(N_CODES, np.int8)
    missing = np.zeros(N_CODES, np.int8)
    spent = np.zeros(N_CODES, np.int8)
    one = np.uint32(1)
    for rack in range(racks.shape[0]):
        scores, ids = out_score[rack], out_word[rack]
        scores[:] = -1
        ids[:] = -1
        have = np.uint32(0)
        for code in range(N_CODES):
            counts[code] = racks[rack, code]
            if counts[code] > 0:
                have |= one << np.uint32(code)
        depth = 0
        at[0] = 0
        pending[0] = nodes[0, 0] & have
        while depth >= 0:
            if pending[depth] == 0:
                depth -= 1
                if depth >= 0:
                    code = played[depth]
                    counts[code] += np.int8(1)
                    have |= one << code
                continue
            code = lowest_bit(pending[depth])
            pending[depth] &= pending[depth] - one
            parent = at[depth]
            node = np.int64(nodes[parent, 1]) + np.int64(popcount(nodes[parent, 0] & ((one << code) - one)))
            if np.int64(nodes[node, 3]) < scores[top - 1]:
                continue
            played[depth] = code
            counts[code] -= np.int8(1)
            if counts[code] == 0:
                have &= ~(one << code)
            depth += 1
            at[depth] = node
            pending[depth] = nodes[node, 0] & have
            signature = np.int64(nodes[node, 2]) - 1
            if signature >= 0 and depth >= shortest:
                for m in range(family[signature], family[signature + 1]):
                    word = members[m]
                    score = word_score(words, word, scoring, missing, spent)
                    if score >= scores[top - 1]:
                        rank_word(scores, ids, word, score)


@borrowing
def rank_word(scores: npt.NDArray[np.int64], ids: npt.NDArray[np.int32], word: int, score: int) -> None:
    """Insert a word into the ranking of the best words so far, if it is one of them."""
    top = scores.shape[0]
    place = top
    while place > 0 and (
        ids[place - 1] < 0 or score > scores[place - 1] or (score == scores[place - 1] and word < ids[place - 1])
    ):
        place -= 1
    if place < top:
        for i in range(top - 1, place, -1):
            scores[i] = scores[i - 1]
            ids[i] = ids[i - 1]
        scores[place] = score
        ids[place] = word
