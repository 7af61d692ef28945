"""The best plays of racks, found by a scan of the words in blocks.

A block holds the words of one length that have the same two rarest letters, in descending order of
their highest possible score. The letters that all words of a block have in common rule out most
blocks at a glance, and a block ends where no later word can be among the best. A mask of letters
rules out nearly all of the words in between.
"""

from typing import NamedTuple

import numpy as np

from solver.compiled import I8, I32, I64, U8, U64, borrowing, kernel, popcount
from solver.model.tiles import BLANK_CODE, MAX_TILES, N_CODES, Scoring

# a block's number is length * PAIRS + its place among the blocks of that length
PAIRS = N_CODES * N_CODES


class SpeltWords(NamedTuple):
    """The letters of all words.

    Attributes:
        starts: The first letter of each word in `codes`; int64, shape (words + 1,).
        codes: The letters; uint8. Those of word w are codes[starts[w] : starts[w + 1]].
    """

    starts: I64
    codes: U8


@borrowing
def _gain(words: SpeltWords, start: int, place: int, scoring: Scoring) -> int:
    """Return the points by which a letter beats a blank at `place` of the word from `start` on."""
    return scoring.weights[place + 1] * np.int64(scoring.margins[words.codes[start + place]])


@borrowing
def drawn_play(
    words: SpeltWords,
    word: int,
    scoring: Scoring,
    is_plain: bool,
    have: I8,
    blanks: int,
) -> tuple[int, int]:
    """Lay down a word with blanks where they score most.

    Args:
        words: The words.
        word: The id of the word, of at most MAX_TILES letters.
        scoring: The scoring of plays.
        is_plain: See `solver.model.tiles.Scoring.is_plain`.
        have: The tiles without blanks; int8, by code. The letters of the word are removed from
            them.
        blanks: The number of blanks.

    Returns:
        The score, and a bit mask of the places with a letter; -1 and 0 if the tiles do not make
        the word.
    """
    start = words.starts[word]
    length = words.starts[word + 1] - start
    total = scoring.extra[length]
    lettered = 0
    # in a second pass, letters that score less than a blank would
    for losing in range(1 if is_plain else 2):
        for step in range(length):
            # the latest copies of a letter gain most, or the earliest where it loses
            place = step if losing else length - 1 - step
            gain = _gain(words, start, place, scoring)
            if (gain < 0) != (losing == 1):
                continue
            code = words.codes[start + place]
            if have[code] > 0:
                have[code] -= np.int8(1)
                total += gain
                lettered |= 1 << place
            else:
                blanks -= 1
    if blanks < 0:
        return np.int64(-1), 0
    while blanks > 0 and not is_plain:
        # the letter that loses most becomes a blank
        worst = np.int64(0)
        where = 0
        for place in range(length):
            gain = _gain(words, start, place, scoring)
            if gain < worst and (lettered >> place) & 1 == 1:
                worst = gain
                where = place
        if worst == 0:
            break
        total -= worst
        lettered ^= 1 << where
        blanks -= 1
    return total, lettered


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


@kernel
def rate_words(words: SpeltWords, scoring: Scoring, block: I64, reach: I64, letters: U64) -> None:
    """Fill the block, the reach and the letters of each word, shape (words,); see `WordBlocks`.

    Words of more than MAX_TILES letters have no reach and no letters.
    """
    counts = np.zeros(N_CODES, np.int8)
    for word in range(len(reach)):
        start = words.starts[word]
        length = words.starts[word + 1] - start
        reach[word] = 0
        letters[word] = 0
        block[word] = length * PAIRS
        if length > MAX_TILES:
            continue
        total = scoring.extra[length]
        counts[:] = 0
        rarest = 0
        second = 0
        for place in range(length):
            code = np.int64(words.codes[start + place])
            letters[word] |= _letter_bit(code, counts[code])
            counts[code] += np.int8(1)
            total += max(np.int64(0), _gain(words, start, place, scoring))
            if code > rarest:
                second = rarest
                rarest = code
            elif second < code < rarest:
                second = code
        reach[word] = total
        # rare letters come first: they score most, and good plays rule out more words
        block[word] += PAIRS - 1 - (rarest * N_CODES + second)


@borrowing
def _letter_bit(code: int, copies: int) -> np.uint64:
    """Return the bit of a letter after `copies` copies of it; 0 if the mask has no room for it."""
    place = np.int64(code) - 1 + (N_CODES - 1) * np.int64(copies)
    if place >= _MASK_BITS:
        return np.uint64(0)
    return np.uint64(1) << np.uint64(place)


class WordBlocks(NamedTuple):
    """All words by block, then by reach from high to low, then by id.

    Attributes:
        first: The index of the first block of each length; int64, shape (MAX_TILES + 2,).
        begin: The index of the first word of each block; int64, shape (blocks + 1,).
        common: A mask of the letters that all words of a block have; uint64, shape (blocks,).
        word: The word ids; int32, shape (words,).
        reach: A score that no play of the word exceeds; int64, shape (words,).
        letters: A bit mask of the letters, then of second copies, then of third copies as far as 64
            bits allow; uint64, shape (words,).
    """

    first: I64
    begin: I64
    common: U64
    word: I32
    reach: I64
    letters: U64


@kernel
def best_plays(
    racks: I8,
    shortest: int,
    scoring: Scoring,
    is_plain: bool,
    words: SpeltWords,
    blocks: WordBlocks,
    out_score: I64,
    out_word: I32,
    out_lettered: I32,
) -> None:
    """Find the best words of each rack by any scoring.

    Args:
        racks: The racks, counts by code, of at most MAX_TILES tiles; int8, shape (racks, N_CODES).
        shortest: The fewest letters that a word may have.
        scoring: The scoring of plays.
        is_plain: See `solver.model.tiles.Scoring.is_plain`.
        words: The words.
        blocks: The words in the order of the scan.
        out_score: The scores, best first; shape (racks, top).
        out_word: The word ids, shape (racks, top), or -1 if the rack has fewer words. Of equal
            scores the smallest id is first.
        out_lettered: A bit mask of the places of each word with a letter; the others have blanks.
            Shape (racks, top).
    """
    have = np.zeros(N_CODES, np.int8)
    # named tuples are unpacked before the loop: numba updates a reference count at each access to
    # an array in one
    first, begin, common, ids_in_order, reach, letters = blocks
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
            for block in range(first[length], first[length + 1]):
                if popcount(common[block] & lacking) > blanks:
                    continue
                for place in range(begin[block], begin[block + 1]):
                    if reach[place] < scores[worst]:
                        break
                    if popcount(letters[place] & lacking) > blanks:
                        continue
                    have[:] = racks[rack]
                    word = ids_in_order[place]
                    score, _lettered = drawn_play(words, word, scoring, is_plain, have, blanks)
                    if score >= 0:
                        rank_word(scores, ids, word, score)
        for place in range(worst + 1):
            if ids[place] >= 0:
                have[:] = racks[rack]
                _score, lettered = drawn_play(words, ids[place], scoring, is_plain, have, blanks)
                out_lettered[rack, place] = lettered
