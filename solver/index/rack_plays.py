"""The best plays of a rack."""

from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from solver.index.index import SignatureIndex
from solver.index.kernels import best_plays as kernels
from solver.index.kernels.build_trie import Trie
from solver.index.kernels.placed_plays import RankedWords, placed_plays, rate_words
from solver.model.lexicon import Lexicon
from solver.model.racks import MAX_TILES, laid_tiles
from solver.model.scoring import Scoring
from solver.model.tiles import BLANK, BLANK_CODE, Counts, encode


class Play(NamedTuple):
    """The tiles that a play lays down, the word they make, and its score: `Play("s?l?mnize", "solemnize", 151)`."""

    tiles: str
    word: str
    score: int


_Best = tuple[npt.NDArray[np.int64], npt.NDArray[np.int32]]  # scores and word ids, shape (racks, top)


def ranked_words(words: kernels.SignatureWords, scoring: Scoring) -> RankedWords:
    """Return the words that fit a rack, in the order in which a scan looks at them."""
    lengths = np.diff(words.starts)
    reach, letters = np.empty(len(lengths), dtype=np.int64), np.empty(len(lengths), dtype=np.uint64)
    rate_words(words, scoring, reach, letters)
    order = np.lexsort((-reach, lengths))
    order = order[: np.count_nonzero(lengths <= MAX_TILES)]
    first = np.searchsorted(lengths[order], np.arange(MAX_TILES + 2))
    return RankedWords(first, order.astype(np.int32), reach[order], letters[order])


class PlayFinder:
    """A finder of the best plays of racks under one rule.

    Args:
        lexicon: The words.
        index: The signature index of the words.
        scoring: The scoring of plays by that rule.
    """

    def __init__(self, lexicon: Lexicon, index: SignatureIndex, scoring: Scoring) -> None:
        self._lexicon = lexicon
        self._scoring = scoring
        self._is_plain = scoring.is_plain
        self._words = kernels.SignatureWords(index.family, index.members, lexicon.starts, lexicon.codes)
        self._trie = Trie(index.mask, index.child, index.entry)

    def best(self, racks: Sequence[Counts] | npt.NDArray[np.int8], top: int = 1, shortest: int = 1) -> list[list[Play]]:
        """Return the best words of each rack, each in its best play, best first.

        Words of equal score are in alphabetical order. A blank stands only for a missing letter, at its earliest copy, since no
        other play of the word scores more. Letters worth less than a blank are the exception: blanks stand for them where that
        scores most.

        Args:
            racks: Counts by code; shape (racks, N_CODES).
            top: The number of words for each rack, or fewer if it has fewer.
            shortest: The fewest letters that a word may have.
        """
        counts = np.ascontiguousarray(racks, dtype=np.int8).reshape(len(racks), -1)
        scores = np.empty((len(racks), top), dtype=np.int64)
        words = np.empty((len(racks), top), dtype=np.int32)
        walked = counts[:, BLANK_CODE] == 0
        for search, chosen in ((self._walk, walked), (self._scan, ~walked)):
            best = scores[chosen], words[chosen]
            if len(best[0]):
                search(counts[chosen], shortest, best)
                scores[chosen], words[chosen] = best
        text = self._lexicon.words
        return [
            [
                # most racks hold no blanks, and then the tiles spell the word
                Play(self._laid(counts[rack], text[word]) if blanks else text[word], text[word], score)
                for word, score in zip(ids, totals, strict=True)
                if word >= 0
            ]
            for rack, (blanks, ids, totals) in enumerate(
                zip(counts[:, BLANK_CODE].tolist(), words.tolist(), scores.tolist(), strict=True)
            )
        ]

    def _walk(self, racks: npt.NDArray[np.int8], shortest: int, best: _Best) -> None:
        """Write the best plays of racks without blanks to `best`."""
        kernels.best_plays(racks, shortest, self._scoring, self._nodes, self._words, *best)

    def _scan(self, racks: npt.NDArray[np.int8], shortest: int, best: _Best) -> None:
        """Write the best plays of any racks to `best`."""
        placed_plays(racks, shortest, self._scoring, self._is_plain, self._words, self._ranked, *best)

    @cached_property
    def _nodes(self) -> npt.NDArray[np.uint32]:
        """The nodes of the trie with their reaches; see `solver.index.kernels.best_plays.node_reaches`."""
        nodes = np.empty((len(self._trie.mask), 4), dtype=np.uint32)
        kernels.node_reaches(self._trie, self._words, self._scoring, nodes)
        return nodes

    @cached_property
    def _ranked(self) -> RankedWords:
        return ranked_words(self._words, self._scoring)

    def _laid(self, rack: Counts, word: str) -> str:
        """Return the tiles that `rack` lays down for `word`, which it can make, with blanks where they score most."""
        if self._is_plain:
            return laid_tiles(rack, word)
        have, codes = rack.tolist(), encode(word)
        gains = self._scoring.weights[1 : len(word) + 1] * self._scoring.margins[codes]
        tiles = [BLANK] * len(word)
        # the real tiles of a letter take the copies that gain most
        order = np.argsort(-gains, kind="stable").tolist()
        for place in order:
            if have[codes[place]] > 0:
                have[codes[place]] -= 1
                tiles[place] = word[place]
        spare = have[BLANK_CODE] - tiles.count(BLANK)
        costly = [place for place in reversed(order) if tiles[place] != BLANK and gains[place] < 0]
        for place in costly[:spare]:
            tiles[place] = BLANK
        return "".join(tiles)
