"""The best plays of racks by a scan of the word list: for racks with blanks, and for variants.

With a few blanks a walk down the trie would reach most of the words, since a blank may stand for any letter at each node. The
scan instead takes the words of each length in descending order of their highest possible score. It stops when no later word can
be among the best. A mask of letters rules out nearly all of the words that it looks at.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from solver.compiled import borrowing, kernel, popcount
from solver.index.kernels.best_plays import SignatureWords, rank_word
from solver.model.racks import MAX_TILES
from solver.model.scoring import Scoring
from solver.model.tiles import BLANK_CODE, N_CODES

_MASK_BITS = 64  # two copies of each letter, and a third one of the most common letters
_STEP = 32  # the scan checks after this number of words whether it may stop


class RankedWords(NamedTuple):
    """The words of a lexicon that fit a rack, by length, then by reach from high to low, then by id.

    Attributes:
        first: The index of the first word of each length; int64, shape (MAX_TILES + 2,).
        word: The word ids; int32.
        reach: A score that no play of the word exceeds; int64.
        letters: A bit mask of the letters, then of second copies, then of third copies as far as 64 bits allow; uint64.
    """

    first: npt.NDArray[np.int64]
    word: npt.NDArray[np.int32]
    reach: npt.NDArray[np.int64]
    letters: npt.NDArray[np.uint64]


@borrowing
def placed_score(
    words: SignatureWords,
    word: int,
    scoring: Scoring,
    missing: npt.NDArray[np.int8],
    free: int,
    spent: npt.NDArray[np.int8],
) -> int:
    """Return the score of a word whose missing letters are blanks, placed where they score most.

    Args:
        words: The words of the index.
        word: The id of the word.
        scoring: The scoring of plays.
        missing: The number of blanks for each letter; int8, by code.
        free: The number of other letters that may be blanks too.
        spent: Scratch space; int8, by code.
    """
    margins = scoring.margins
    start, length = words.starts[word], words.starts[word + 1] - words.starts[word]
    spent[:] = 0
    blanks = 0  # bit mask of places
    for place in range(length):
        code = words.codes[start + place]
        if margins[code] >= 0 and spent[code] < missing[code]:
            spent[code] += np.int8(1)
            blanks |= 1 << place
    # a letter with a negative margin costs least at the earliest places, so its blanks take the latest
    for place in range(length - 1, -1, -1):
        code = words.codes[start + place]
        if margins[code] < 0 and spent[code] < missing[code]:
            spent[code] += np.int8(1)
            blanks |= 1 << place
    total = scoring.extra[length]
    for place in range(length):
        if (blanks >> place) & 1 == 0:
            total += _gain(words, start, place, scoring)
    for _ in range(free):
        worst = np.int64(0)
        where = 0
        for place in range(length):
            gain = _gain(words, start, place, scoring)
            if gain < worst and (blanks >> place) & 1 == 0:
                worst = gain
                where = place
        if worst == 0:
            break
        total -= worst
        blanks |= 1 << where
    return total


@borrowing
def _gain(words: SignatureWords, start: int, place: int, scoring: Scoring) -> int:
    """Return the points that the letter at `place` of the word that begins at `start` scores above a blank."""
    return scoring.weights[place + 1] * np.int64(scoring.margins[words.codes[start + place]])


@borrowing
def _drawn_score(words: SignatureWords, word: int, scoring: Scoring, have: npt.NDArray[np.int8], blanks: int) -> int:
    """Return the score of a word by a plain scoring; -1 if the tiles do not make the word.

    Blanks stand for the earliest copies of missing letters only. The tiles of the word are removed from `have`, the tiles of
    the rack (int8, by code).
    """
    start, stop = words.starts[word], words.starts[word + 1]
    total = scoring.extra[stop - start]
    for i in range(stop - 1, start - 1, -1):
        code = words.codes[i]
        if have[code] > 0:
            have[code] -= np.int8(1)
            total += _gain(words, start, i - start, scoring)
        else:
            blanks -= 1
            if blanks < 0:
                return np.int64(-1)
    return total


@borrowing
def _any_score(
    words: SignatureWords,
    word: int,
    scoring: Scoring,
    have: npt.NDArray[np.int8],
    blanks: int,
    missing: npt.NDArray[np.int8],
) -> int:
    """Return the same as `_drawn_score` by any scoring, with blanks placed where they score most.

    `have` (int8, by code) is overwritten; `missing` (int8, by code) is scratch space.
    """
    missing[:] = 0
    for i in range(words.starts[word], words.starts[word + 1]):
        code = words.codes[i]
        if have[code] > 0:
            have[code] -= np.int8(1)
        else:
            missing[code] += np.int8(1)
            blanks -= 1
            if blanks < 0:
                return np.int64(-1)
    return placed_score(words, word, scoring, missing, blanks, have)


@kernel
def rate_words(words: SignatureWords, scoring: Scoring, reach: npt.NDArray[np.int64], letters: npt.NDArray[np.uint64]) -> None:
    """Fill `reach` and `letters`, shape (words,), for each word of at most MAX_TILES letters; see `RankedWords`."""
    counts = np.zeros(N_CODES, np.int8)
    for word in range(reach.shape[0]):
        start, length = words.starts[word], words.starts[word + 1] - words.starts[word]
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
    """Return the bit for a further copy of a letter after `copies` of them; 0 if the mask has no room for it."""
    place = np.int64(code) - 1 + (N_CODES - 1) * np.int64(copies)
    return np.uint64(1) << np.uint64(place) if place < _MASK_BITS else np.uint64(0)


@kernel
def placed_plays(
    racks: npt.NDArray[np.int8],
    shortest: int,
    scoring: Scoring,
    is_plain: bool,
    words: SignatureWords,
    ranked: RankedWords,
    out_score: npt.NDArray[np.int64],
    out_word: npt.NDArray[np.int32],
) -> None:
    """Find the best words of each rack, with or without blanks, by any scoring.

    Args:
        racks: The racks, counts by code; int8, shape (racks, N_CODES).
        shortest: The fewest letters that a word may have.
        scoring: The scoring of plays.
        is_plain: See `solver.model.scoring.Scoring.is_plain`.
        words: The words of the index.
        ranked: The words in the order of the scan.
        out_score: See `solver.index.kernels.best_plays.best_plays`.
        out_word: See `solver.index.kernels.best_plays.best_plays`.
    """
    have = np.zeros(N_CODES, np.int8)
    missing = np.zeros(N_CODES, np.int8)
    first, reach, letters = ranked.first, ranked.reach, ranked.letters
    worst = out_score.shape[1] - 1
    for rack in range(racks.shape[0]):
        scores, ids = out_score[rack], out_word[rack]
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
                if reach[start] < scores[worst] or (reach[start] == scores[worst] and ranked.word[start] > ids[worst] >= 0):
                    break
                for place in range(start, min(start + _STEP, end)):
                    if popcount(letters[place] & lacking) > blanks:
                        continue
                    have[:] = racks[rack]
                    word = ranked.word[place]
                    if is_plain:
                        score = _drawn_score(words, word, scoring, have, blanks)
                    else:
                        score = _any_score(words, word, scoring, have, blanks, missing)
                    if score >= 0:
                        rank_word(scores, ids, word, score)
