"""The best plays of a rack."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from solver.index.index import SignatureIndex
from solver.kernels import best_plays as kernels
from solver.kernels.build_trie import Trie
from solver.model.lexicon import Lexicon
from solver.model.racks import laid_tiles
from solver.model.tiles import BLANK_CODE, Counts

RULES: Mapping[str, int] = {"positional": kernels.POSITIONAL, "scrabble": kernels.PLAIN, "longest": kernels.LONGEST}


class Play(NamedTuple):
    """Tiles as they are laid down, the word they make and what it scores: `Play("s?l?mnize", "solemnize", 151)`."""

    tiles: str
    word: str
    score: int


class PlayFinder:
    """Finds the best plays of racks under one rule.

    values: letter values by code, int32, shape (N_CODES,), 0 or more.
    rule: a key of `RULES`.
    """

    def __init__(
        self, lexicon: Lexicon, index: SignatureIndex, values: npt.NDArray[np.int32], rule: str = "positional"
    ) -> None:
        self._lexicon = lexicon
        self._values = values
        self._rule = RULES[rule]
        self._words = kernels.Words(index.family, index.members, lexicon.starts, lexicon.codes)
        self._nodes = np.empty((len(index.mask), 4), dtype=np.uint32)
        trie = Trie(index.mask, index.child, index.entry)
        kernels.node_reaches(trie, self._words, values, self._rule, self._nodes)

    def best(self, racks: Sequence[Counts] | npt.NDArray[np.int8], top: int = 1, shortest: int = 1) -> list[list[Play]]:
        """For each rack (counts by code, shape (racks, N_CODES)) its `top` best words, each in its best play, best first.

        Words of fewer than `shortest` letters are left out. Words of equal score are in alphabetical order. A blank is used
        only if a letter is missing, for its earliest copy: no other play of the word scores more.
        """
        counts = np.ascontiguousarray(racks, dtype=np.int8).reshape(len(racks), -1)
        scores = np.empty((len(racks), top), dtype=np.int64)
        words = np.empty((len(racks), top), dtype=np.int32)
        kernels.best_plays(counts, shortest, self._rule, self._values, self._nodes, self._words, scores, words)
        text = self._lexicon.words
        return [
            [
                # without blanks, as in most racks, the tiles spell the word
                Play(laid_tiles(counts[rack], text[word]) if blanks else text[word], text[word], score)
                for word, score in zip(ids, totals, strict=True)
                if word >= 0
            ]
            for rack, (blanks, ids, totals) in enumerate(
                zip(counts[:, BLANK_CODE].tolist(), words.tolist(), scores.tolist(), strict=True)
            )
        ]
