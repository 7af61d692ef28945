"""The best plays of racks.

Racks without blanks are looked up on the trie of plain signatures. For racks with blanks, and for
variants, all words are scanned.

With a few blanks a walk down the trie would reach most of the words, since a blank may stand for
any letter at each node. The scan instead takes the words of each length in descending order of
their highest possible score. It stops when no later word can be among the best. A mask of letters
rules out nearly all of the words that it looks at.
"""

from typing import NamedTuple

import numpy as np

from solver.compiled import I8, I32, I64, U8, U32, U64, borrowing, kernel, lowest_bit, popcount
from solver.index.kernels.indexes import Trie
from solver.model.tiles import BLANK_CODE, MAX_TILES, N_CODES, Scoring


class SignatureWords(NamedTuple):
    """The words of a signature index.

    Attributes:
        family: The first member of each signature; int64.
        members: Word ids; int32. Those with signature s are members[family[s] : family[s + 1]].
        starts: The first letter of each word in `codes`; int64.
        codes: The letters of all words; uint8. Those of word w are codes[starts[w] : starts[w +
            1]].
    """

    family: I64
    members: I32
    starts: I64
    codes: U8


@borrowing
def word_score(words: SignatureWords, word: int, scoring: Scoring) -> int:
    """Return the score of a word without blanks, of at most MAX_TILES letters."""
    start = words.starts[word]
    length = words.starts[word + 1] - start
    total = scoring.extra[length]
    for place in range(length):
        total += _gain(words, start, place, scoring)
    return total


@borrowing
def _gain(words: SignatureWords, start: int, place: int, scoring: Scoring) -> int:
    """Return the points by which a letter beats a blank at `place` of the word from `start` on."""
    return scoring.weights[place + 1] * np.int64(scoring.margins[words.codes[start + place]])


@borrowing
def drawn_score(
    words: SignatureWords,
    word: int,
    scoring: Scoring,
    is_plain: bool,
    have: I8,
    blanks: int,
) -> int:
    """Return the score of a word with blanks where they score most; -1 if the tiles do not make it.

    Args:
        words: The words of the index.
        word: The id of the word, of at most MAX_TILES letters.
        scoring: The scoring of plays.
        is_plain: See `solver.model.tiles.Scoring.is_plain`.
        have: The tiles without blanks; int8, by code. The letters of the word are removed from
            them.
        blanks: The number of blanks.
    """
    start = words.starts[word]
    length = words.starts[word + 1] - start
    total = scoring.extra[length]
    # of the copies of a letter that gains, the earliest are blanks: they cost least
    for place in range(length - 1, -1, -1):
        gain = _gain(words, start, place, scoring)
        if gain < 0:
            continue
        code = words.codes[start + place]
        if have[code] > 0:
            have[code] -= np.int8(1)
            total += gain
        else:
            blanks -= 1
    losing = 0  # bit mask of the places of letters that score less than a blank would
    if not is_plain:
        # of the copies of such a letter, the latest are blanks
        for place in range(length):
            gain = _gain(words, start, place, scoring)
            if gain >= 0:
                continue
            code = words.codes[start + place]
            if have[code] > 0:
                have[code] -= np.int8(1)
                total += gain
                losing |= 1 << place
            else:
                blanks -= 1
    if blanks < 0:
        return np.int64(-1)
    while blanks > 0 and losing != 0:
        worst = np.int64(0)
        where = 0
        for place in range(length):
            gain = _gain(words, start, place, scoring)
            if gain < worst and (losing >> place) & 1 == 1:
                worst = gain
                where = place
        total -= worst
        losing ^= 1 << where
        blanks -= 1
    return total


@kernel
def node_reaches(trie: Trie, words: SignatureWords, scoring: Scoring, nodes: U32) -> None:
    """Fill `nodes` (uint32, shape (n, 4)) with mask, child, entry + 1, and the best score below.

    This is the best score of any word at or below the node, without blanks. Words of more than
    MAX_TILES letters, which no rack can make, count as 0.
    """
    mask, child, entry = trie
    family = words.family
    for node in range(mask.shape[0] - 1, -1, -1):
        reach = np.int64(0)
        if entry[node] >= 0:
            for m in range(family[entry[node]], family[entry[node] + 1]):
                word = words.members[m]
                if words.starts[word + 1] - words.starts[word] <= MAX_TILES:
                    reach = max(reach, word_score(words, word, scoring))
        for place in range(child[node], child[node] + popcount(mask[node])):
            reach = max(reach, np.int64(nodes[place, 3]))
        nodes[node, 0] = mask[node]
        nodes[node, 1] = child[node]
        nodes[node, 2] = entry[node] + 1
        nodes[node, 3] = reach


@kernel
def best_plays(
    racks: I8,
    shortest: int,
    scoring: Scoring,
    nodes: U32,
    words: SignatureWords,
    out_score: I64,
    out_word: I32,
) -> None:
    """Find the best words of each rack without blanks.

    Args:
        racks: The racks, counts by code, of at most MAX_TILES tiles; int8, shape (racks, N_CODES).
        shortest: The fewest letters that a word may have.
        scoring: The scoring of plays.
        nodes: The nodes of the trie, see `node_reaches`.
        words: The words of the index.
        out_score: The scores, best first; shape (racks, top).
        out_word: The word ids, shape (racks, top), or -1 if the rack has fewer words. Of equal
            scores the smallest id is first.
    """
    top = out_score.shape[1]
    family = words.family
    members = words.members
    at = np.zeros(MAX_TILES + 1, np.int64)
    pending = np.zeros(MAX_TILES + 1, np.uint32)
    played = np.zeros(MAX_TILES + 1, np.uint32)
    counts = np.zeros(N_CODES, np.int8)
    one = np.uint32(1)
    for rack in range(racks.shape[0]):
        scores = out_score[rack]
        ids = out_word[rack]
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
            node = np.int64(nodes[parent, 1]) + np.int64(
                popcount(nodes[parent, 0] & ((one << code) - one))
            )
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
                    score = word_score(words, word, scoring)
                    if score >= scores[top - 1]:  # few words are: the call would cost more
                        rank_word(scores, ids, word, score)


@borrowing
def rank_word(scores: I64, ids: I32, word: int, score: int) -> None:
    """Insert a word into the ranking of the best words so far, if it is one of them."""
    top = scores.shape[0]
    place = top
    while place > 0 and (
        score > scores[place - 1] or (score == scores[place - 1] and word < ids[place - 1])
    ):
        place -= 1
    if place < top:
        for i in range(top - 1, place, -1):
            scores[i] = scores[i - 1]
            ids[i] = ids[i - 1]
        scores[place] = score
        ids[place] = word


_MASK_BITS = 64  # two copies of each letter, and a third one of the most common letters
_STEP = 32  # the scan checks after this number of words whether it may stop


class RankedWords(NamedTuple):
    """The words that fit a rack, by length, then by reach from high to low, then by id.

    Attributes:
        first: The index of the first word of each length; int64, shape (MAX_TILES + 2,).
        word: The word ids; int32.
        reach: A score that no play of the word exceeds; int64.
        letters: A bit mask of the letters, then of second copies, then of third copies as far as 64
            bits allow; uint64.
    """

    first: I64
    word: I32
    reach: I64
    letters: U64


@kernel
def rate_words(
    words: SignatureWords,
    scoring: Scoring,
    reach: I64,
    letters: U64,
) -> None:
    """Fill `reach` and `letters`, shape (words,), with those of each word; see `RankedWords`.

    Words of more than MAX_TILES letters have zeros.
    """
    counts = np.zeros(N_CODES, np.int8)
    for word in range(reach.shape[0]):
        start = words.starts[word]
        length = words.starts[word + 1] - start
        reach[word] = 0
        letters[word] = 0
        if length > MAX_TILES:
            continue
        total = scoring.extra[length]
        mask = np.uint64(0)
        counts[:] = 0
        for place in range(length):
            code = words.codes[start + place]
            mask |= _letter_bit(code, counts[code])
            counts[code] += np.int8(1)
            total += max(np.int64(0), _gain(words, start, place, scoring))
        reach[word] = total
        letters[word] = mask


@borrowing
def _letter_bit(code: int, copies: int) -> np.uint64:
    """Return the bit of a letter after `copies` copies of it; 0 if the mask has no room for it."""
    place = np.int64(code) - 1 + (N_CODES - 1) * np.int64(copies)
    if place >= _MASK_BITS:
        return np.uint64(0)
    return np.uint64(1) << np.uint64(place)


@kernel
def placed_plays(
    racks: I8,
    shortest: int,
    scoring: Scoring,
    is_plain: bool,
    words: SignatureWords,
    ranked: RankedWords,
    out_score: I64,
    out_word: I32,
) -> None:
    """Find the best words of each rack, with or without blanks, by any scoring.

    Args:
        racks: The racks, counts by code; int8, shape (racks, N_CODES).
        shortest: The fewest letters that a word may have.
        scoring: The scoring of plays.
        is_plain: See `solver.model.tiles.Scoring.is_plain`.
        words: The words of the index.
        ranked: The words in the order of the scan.
        out_score: See `solver.index.kernels.rack_plays.best_plays`.
        out_word: See `solver.index.kernels.rack_plays.best_plays`.
    """
    have = np.zeros(N_CODES, np.int8)
    first = ranked.first
    reach = ranked.reach
    letters = ranked.letters
    worst = out_score.shape[1] - 1
    for rack in range(racks.shape[0]):
        scores = out_score[rack]
        ids = out_word[rack]
        scores[:] = -1
        ids[:] = -1
        size = np.int64(0)
        lacking = ~np.uint64(0)
        for code in range(N_CODES):
            size += racks[rack, code]
            if code != BLANK_CODE:
                for copies in range(racks[rack, code]):
                    lacking &= ~_letter_bit(code, copies)
        blanks = np.int64(racks[rack, BLANK_CODE])
        for length in range(size, shortest - 1, -1):
            end = first[length + 1]
            for start in range(first[length], end, _STEP):
                if reach[start] < scores[worst] or (
                    reach[start] == scores[worst] and ranked.word[start] > ids[worst]
                ):
                    break
                for place in range(start, min(start + _STEP, end)):
                    if popcount(letters[place] & lacking) > blanks:
                        continue
                    have[:] = racks[rack]
                    word = ranked.word[place]
                    score = drawn_score(words, word, scoring, is_plain, have, blanks)
                    if score >= 0:
                        rank_word(scores, ids, word, score)
