"""The best plays of racks where plays score something beside their margins, or margins are negative: variants.

The walk of `best_plays` spends a blank only where a letter is missing. That is wrong where a blank is worth more than a letter.
Here every word is tried, which is slower. Ordinary rules keep their walk as it is: a branch for variants in it made it a tenth
slower, even though no rack took the branch.
"""

import numpy as np
import numpy.typing as npt

from solver.kernels.best_plays import POSITIONAL, Words, rank_word
from solver.kernels.jit import borrowing, kernel
from solver.model.scoring import Scoring
from solver.model.tiles import BLANK_CODE, N_CODES


@borrowing
def placed_score(
    words: Words,
    word: int,
    scoring: Scoring,
    rule: int,
    missing: npt.NDArray[np.int8],
    free: int,
    spent: npt.NDArray[np.int8],
) -> int:
    """Score of a word, positional or plain, where missing[letter] of its letters are blanks, wherever they score most.

    missing, spent: int8, by code; spent is scratch.
    free: how many letters more may be blanks.
    """
    margins, extra = scoring.margins, scoring.extra
    start, length = words.starts[word], words.starts[word + 1] - words.starts[word]
    spent[:] = 0
    blanks = 0  # a bit for each place
    for place in range(length):
        code = words.codes[start + place]
        if margins[code] >= 0 and spent[code] < missing[code]:
            spent[code] += np.int8(1)
            blanks |= 1 << place
    # a letter that costs points costs least at the earliest places, so that its blanks are the latest
    for place in range(length - 1, -1, -1):
        code = words.codes[start + place]
        if margins[code] < 0 and spent[code] < missing[code]:
            spent[code] += np.int8(1)
            blanks |= 1 << place
    total = extra[length]
    for place in range(length):
        if (blanks >> place) & 1 == 0:
            total += _gain(words, start, place, margins, rule)
    for _ in range(free):
        worst = np.int64(0)
        where = 0
        for place in range(length):
            gain = _gain(words, start, place, margins, rule)
            if gain < worst and (blanks >> place) & 1 == 0:
                worst = gain
                where = place
        if worst == 0:
            break
        total -= worst
        blanks |= 1 << where
    return total


@borrowing
def _gain(words: Words, start: int, place: int, margins: npt.NDArray[np.int32], rule: int) -> int:
    """What the letter at that place of the word that begins at `start` scores more than a blank."""
    margin = np.int64(margins[words.codes[start + place]])
    return (place + 1) * margin if rule == POSITIONAL else margin


@kernel
def placed_plays(
    racks: npt.NDArray[np.int8],
    shortest: int,
    rule: int,
    scoring: Scoring,
    words: Words,
    out_score: npt.NDArray[np.int64],
    out_word: npt.NDArray[np.int32],
) -> None:
    """As `solver.kernels.best_plays.best_plays`, by any positional or plain scoring."""
    missing = np.zeros(N_CODES, np.int8)
    spent = np.zeros(N_CODES, np.int8)
    starts, codes, members = words.starts, words.codes, words.members
    for rack in range(racks.shape[0]):
        scores, ids = out_score[rack], out_word[rack]
        scores[:] = -1
        ids[:] = -1
        size = racks[rack].sum()
        blanks = np.int64(racks[rack, BLANK_CODE])
        for member in range(members.shape[0]):
            word = members[member]
            length = starts[word + 1] - starts[word]
            if length < shortest or length > size:
                continue
            missing[:] = 0
            free = blanks
            spent[:] = racks[rack]
            for i in range(starts[word], starts[word + 1]):
                code = codes[i]
                if spent[code] > 0:
                    spent[code] -= np.int8(1)
                else:
                    missing[code] += np.int8(1)
                    free -= 1
                    if free < 0:
                        break
            if free >= 0:
                rank_word(scores, ids, word, placed_score(words, word, scoring, rule, missing, free, spent))
