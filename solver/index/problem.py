"""The input of every search: a puzzle with its lexicon, its index, and the best plays of racks.

The index closed under blanks has the plays of a beam. It is built from the lexicon and kept in the
user's cache folder, under a key made of everything that it depends on. A damaged file, or one with
another key, is a cache miss: the index is rebuilt.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from solver.cache import kept_arrays
from solver.compiled import I8, I32, U64
from solver.errors import StrategyError
from solver.index.kernels.indexes import close_under_blanks, fill_slots, hashes_of
from solver.index.kernels.rack_plays import (
    PAIRS,
    SpeltWords,
    WordBlocks,
    best_plays,
    rate_words,
)
from solver.model.puzzle import Lexicon, Puzzle
from solver.model.tiles import (
    BLANK,
    CLOSED_RACK,
    MAX_TILES,
    N_CODES,
    ORDER,
    USUAL_RACK,
    Counts,
    Scoring,
)
from verify import Rules
from verify.threads import ThreadPool

_VERSION = 4


@dataclass(frozen=True)
class ClosedIndex:
    """All tile multisets, blanks included, that play a word of at most `CLOSED_RACK` letters.

    Attributes:
        packed: The multisets, see `solver.index.kernels.indexes`; shape (n,). They are sorted by
            hash, so that hash tables are filled from one end to the other.
        score: The score of the best play of each multiset, in points; shape (n,).
        slots: A hash table from multiset to score, see `solver.index.kernels.indexes`.
        ranks: The rank of the multiset in each slot.
    """

    packed: U64
    score: I32
    slots: U64
    ranks: U64


def closed_index(lexicon: Lexicon, scoring: Scoring, longest: int) -> ClosedIndex:
    """Return the closed index of words of at most `longest` letters, from the cache if possible.

    `longest` is at most `CLOSED_RACK`.
    """
    margins, extra = scoring.margins.tobytes().hex(), scoring.extra[: longest + 1].tobytes().hex()
    subject = f"{_VERSION} {ORDER} {lexicon.digest} {margins} {extra} {longest}"
    return ClosedIndex(
        **kept_arrays(
            "closed", subject, lambda: vars(build_closed_index(lexicon, scoring, longest))
        )
    )


def build_closed_index(lexicon: Lexicon, scoring: Scoring, longest: int) -> ClosedIndex:
    """Build the closed index of `lexicon` on two threads."""
    lengths = np.diff(lexicon.starts)

    def close(length: int) -> tuple[U64, I32]:
        ids = np.flatnonzero(lengths == length)
        words = lexicon.codes[lexicon.starts[ids][:, None] + np.arange(length)]
        keys, scores = close_under_blanks(words, length, scoring.margins, 16)
        return keys, scores + np.int32(scoring.extra[length])

    # the longest words come first, because they are most of the work
    with ThreadPool(2) as pool:
        parts = list(pool.map(close, range(longest, 0, -1)))
    keys = np.concatenate([part[0] for part in parts])
    scores = np.concatenate([part[1] for part in parts])
    hashes = hashes_of(keys)
    order = np.argsort(hashes)
    packed, score = keys[order], scores[order]
    slots, ranks = (
        np.zeros(1 << max(6, (len(packed) * 3 // 2).bit_length()), dtype=np.uint64)
        for _ in range(2)
    )
    fill_slots(packed, hashes[order], score, slots, ranks)
    return ClosedIndex(packed=packed, score=score, slots=slots, ranks=ranks)


class Play(NamedTuple):
    """The tiles of a play, their word, and its score: `Play("s?l?mnize", "solemnize", 121)`."""

    tiles: str
    word: str
    score: int


class PlayFinder:
    """A finder of the best plays of racks under one rule.

    Args:
        lexicon: The words.
        scoring: The scoring of plays by that rule.
    """

    def __init__(self, lexicon: Lexicon, scoring: Scoring) -> None:
        self._lexicon = lexicon
        self._scoring = scoring
        self._words = SpeltWords(lexicon.starts, lexicon.codes)

    def best(
        self, racks: Sequence[Counts] | I8, top: int = 1, shortest: int = 1
    ) -> list[list[Play]]:
        """Return the best words of each rack, each in its best play, best first.

        Words of equal score are in alphabetical order. A blank stands only for a missing letter, at
        its earliest copy, since no other play of the word scores more. Letters worth less than a
        blank are the exception: blanks stand for them where that scores most.

        Args:
            racks: Counts by code; shape (racks, N_CODES).
            top: The number of words for each rack, or fewer if it has fewer.
            shortest: The fewest letters that a word may have.
        """
        counts = np.ascontiguousarray(racks, dtype=np.int8).reshape(len(racks), N_CODES)
        scores = np.empty((len(racks), top), dtype=np.int64)
        words = np.empty((len(racks), top), dtype=np.int32)
        lettered = np.empty((len(racks), top), dtype=np.int32)
        best_plays(
            counts,
            shortest,
            self._scoring,
            self._scoring.is_plain,
            self._words,
            self._blocks,
            scores,
            words,
            lettered,
        )
        text = self._lexicon.words
        return [
            [
                Play(_laid(text[word], places), text[word], score)
                for word, places, score in zip(*columns, strict=True)
                if word >= 0
            ]
            for columns in zip(words.tolist(), lettered.tolist(), scores.tolist(), strict=True)
        ]

    @cached_property
    def _blocks(self) -> WordBlocks:
        """The words in the order in which a search looks at them."""
        count = len(self._lexicon.words)
        block = np.empty(count, dtype=np.int64)
        reach = np.empty(count, dtype=np.int64)
        letters = np.empty(count, dtype=np.uint64)
        rate_words(self._words, self._scoring, block, reach, letters)
        order = np.lexsort((-reach, block))
        numbers, begin = np.unique(block[order], return_index=True)
        return WordBlocks(
            first=np.searchsorted(numbers, np.arange(MAX_TILES + 2) * PAIRS),
            begin=np.append(begin, count),
            common=np.bitwise_and.reduceat(letters[order], begin),
            word=order.astype(np.int32),
            reach=reach[order],
            letters=letters[order],
        )


def _laid(word: str, lettered: int) -> str:
    """Return the tiles of a word with letters at the places of a bit mask, and blanks elsewhere."""
    if lettered == (1 << len(word)) - 1:
        return word  # so are most plays
    return "".join(letter if lettered >> place & 1 else BLANK for place, letter in enumerate(word))


@dataclass(frozen=True)
class Problem:
    """A puzzle with what a search of it needs, which is made, loaded or built at its first use.

    Attributes:
        rules: The rules as the referee read them. Answers are judged by these, and nothing here
            changes them.
    """

    rules: Rules

    @cached_property
    def puzzle(self) -> Puzzle:
        """The rules as codes and tables."""
        return Puzzle(self.rules)

    @cached_property
    def lexicon(self) -> Lexicon:
        """The words."""
        return Lexicon(self.rules.word_list.words, self.rules.words_hash)

    @cached_property
    def finder(self) -> PlayFinder:
        """The finder of the best plays of a rack."""
        return self.finder_by("positional")

    def finder_by(self, rule: str) -> PlayFinder:
        """Return a finder of the best plays of a rack by a rule of `solver.model.weights.RULES`."""
        return PlayFinder(self.lexicon, self.puzzle.scoring(rule))

    def require_ordinary(self, what: str) -> None:
        """Raise `StrategyError` if the puzzle is a variant, which `what` does not support."""
        if self.rules.is_variant:
            reason = f"in {self.rules.puzzle} a blank is worth something or a full rack has a bonus"
            raise StrategyError(f"{what} does not support variants: {reason}")

    @property
    def has_closed_index(self) -> bool:
        """Whether the rack is small enough for an index closed under blanks."""
        return self.puzzle.rack_size <= CLOSED_RACK

    @property
    def is_sweepable(self) -> bool:
        """Whether the rack is small enough for the states of sweeps, and so for proofs."""
        return self.puzzle.rack_size <= USUAL_RACK

    @cached_property
    def closed(self) -> ClosedIndex:
        """The index closed under blanks. Raises `StrategyError` for a rack that is too large."""
        if not self.has_closed_index:
            raise StrategyError(
                f"a beam takes racks of up to {CLOSED_RACK} tiles, and this one has "
                f"{self.puzzle.rack_size}: greedy takes larger ones"
            )
        return closed_index(self.lexicon, self.puzzle.scoring(), self.puzzle.rack_size)
