"""The best plays of a rack."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from solver.index import SignatureIndex
from solver.kernels import best
from solver.lexicon import Lexicon
from solver.racks import laid_tiles
from solver.tiles import BLANK_CODE, Counts

RULES: Mapping[str, int] = {"positional": best.POSITIONAL, "scrabble": best.PLAIN, "longest": best.LONGEST}


@dataclass(frozen=True)
class Play:
    """Tiles as they are laid down, the word they make and what it scores: `Play("s?l?mnize", "solemnize", 151)`."""

    tiles: str
    word: str
    score: int


def best_plays(
    racks: Sequence[Counts] | npt.NDArray[np.int8],
    lexicon: Lexicon,
    index: SignatureIndex,
    values: npt.NDArray[np.int32],
    top: int = 1,
    rule: str = "positional",
    shortest: int = 1,
) -> list[list[Play]]:
    """For each rack (counts by code, shape (racks, N_CODES)) its `top` best words, each in its best play, best first.

    Words of fewer than `shortest` letters are left out. Equal scores are in the order of the alphabet. A blank is spent only
    where a letter is missing, on its earliest copy: with values of 0 or more no other play of the word scores more.
    """
    counts = np.ascontiguousarray(racks, dtype=np.int8).reshape(len(racks), -1)
    scores = np.empty((len(racks), top), dtype=np.int64)
    words = np.empty((len(racks), top), dtype=np.int32)
    best.best_plays(
        counts,
        shortest,
        RULES[rule],
        values,
        index.mask,
        index.child,
        index.entry,
        index.family,
        index.members,
        lexicon.starts,
        lexicon.codes,
        scores,
        words,
    )
    return [
        [
            # without blanks the tiles are the word, and most racks have none
            Play(laid_tiles(rack, text) if rack[BLANK_CODE] else text, text, score)
            for text, score in ((lexicon.words[word], score) for word, score in zip(ids, totals, strict=True) if word >= 0)
        ]
        for rack, ids, totals in zip(counts, words.tolist(), scores.tolist(), strict=True)
    ]
