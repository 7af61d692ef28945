"""The input of every search: a puzzle with its lexicon, its indexes, and the best plays of racks.

The indexes are signatures, for any rack, and the index closed under blanks, for the racks of a
beam. Both are built from the lexicon and kept in the user's cache folder, under a key made of
everything that they depend on. A damaged file, or one with another key, is a cache miss: the index
is rebuilt.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from solver.cache import kept_arrays
from solver.compiled import I8, I32, I64, U32, U64
from solver.errors import StrategyError
from solver.index.kernels.indexes import Trie, build_trie, close_under_blanks, fill_slots, hashes_of
from solver.index.kernels.rack_plays import (
    RankedWords,
    SignatureWords,
    best_plays,
    node_reaches,
    placed_plays,
    rate_words,
)
from solver.model.puzzle import Lexicon, Puzzle
from solver.model.tiles import (
    BLANK,
    BLANK_CODE,
    CLOSED_RACK,
    MAX_TILES,
    N_CODES,
    ORDER,
    USUAL_RACK,
    Counts,
    Scoring,
    encode,
    laid_tiles,
)
from verify import Rules
from verify.threads import ThreadPool

_VERSION = 4


@dataclass(frozen=True)
class SignatureIndex:
    """A trie of the signatures of all words that fit a rack.

    A signature is the sorted letters of a word, without blanks.

    Attributes:
        mask: See `solver.index.kernels.indexes.Trie`.
        child: See `solver.index.kernels.indexes.Trie`.
        entry: See `solver.index.kernels.indexes.Trie`; the numbers are those of signatures.
        family: The first member of each signature.
        members: The word ids. Those with signature s are members[family[s] : family[s + 1]].
    """

    mask: U32
    child: U32
    entry: I32
    family: I64
    members: I32


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


def signature_index(lexicon: Lexicon) -> SignatureIndex:
    """Return the signature index of `lexicon`, from the cache if possible."""
    subject = f"{_VERSION} {ORDER} {lexicon.digest}"
    return SignatureIndex(
        **kept_arrays("signatures", subject, lambda: vars(build_signature_index(lexicon)))
    )


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


def build_signature_index(lexicon: Lexicon) -> SignatureIndex:
    """Build the signature index of `lexicon`."""
    every_length = np.diff(lexicon.starts)
    playable = np.flatnonzero(every_length <= MAX_TILES)
    lengths = every_length[playable]
    width = int(lengths.max(initial=1))
    rows = np.full((len(playable), width), N_CODES, dtype=np.uint8)
    rows[np.arange(width) < lengths[:, None]] = lexicon.codes[
        np.repeat(every_length <= MAX_TILES, every_length)
    ]
    rows.sort(axis=1)
    rows = np.where(rows == N_CODES, 0, rows + 1).astype(np.uint8)
    # as byte strings, signatures sort in the order of the trie
    distinct, signature = np.unique(rows.view(f"S{width}").ravel(), return_inverse=True)
    trie = build_trie(distinct.view(np.uint8).reshape(-1, width))
    return SignatureIndex(
        mask=trie.mask,
        child=trie.child,
        entry=trie.entry,
        family=np.concatenate([np.zeros(1, np.int64), np.cumsum(np.bincount(signature))]),
        members=playable[np.argsort(signature, kind="stable")].astype(np.int32),
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


_Best = tuple[I64, I32]  # scores and word ids, shape (racks, top)


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
        self._words = SignatureWords(index.family, index.members, lexicon.starts, lexicon.codes)
        self._trie = Trie(index.mask, index.child, index.entry)

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
        counts = np.ascontiguousarray(racks, dtype=np.int8).reshape(len(racks), -1)
        scores = np.empty((len(racks), top), dtype=np.int64)
        words = np.empty((len(racks), top), dtype=np.int32)
        # for one play of all tiles, to scan the words of one length is faster than to fill the
        # nodes for a walk
        is_whole = len(counts) == 1 and counts.sum() == shortest
        walked = (counts[:, BLANK_CODE] == 0) & (not is_whole)
        for search, chosen in ((self._walk, walked), (self._scan, ~walked)):
            best = scores[chosen], words[chosen]
            if len(best[0]):
                search(counts[chosen], shortest, best)
                scores[chosen], words[chosen] = best
        text = self._lexicon.words
        return [
            [
                # most racks hold no blanks, and then the tiles spell the word
                Play(
                    self._laid(counts[rack], text[word]) if blanks else text[word],
                    text[word],
                    score,
                )
                for word, score in zip(ids, totals, strict=True)
                if word >= 0
            ]
            for rack, (blanks, ids, totals) in enumerate(
                zip(counts[:, BLANK_CODE].tolist(), words.tolist(), scores.tolist(), strict=True)
            )
        ]

    def _walk(self, racks: I8, shortest: int, best: _Best) -> None:
        """Write the best plays of racks without blanks to `best`."""
        best_plays(racks, shortest, self._scoring, self._nodes, self._words, *best)

    def _scan(self, racks: I8, shortest: int, best: _Best) -> None:
        """Write the best plays of any racks to `best`."""
        placed_plays(
            racks, shortest, self._scoring, self._is_plain, self._words, self._ranked, *best
        )

    @cached_property
    def _nodes(self) -> U32:
        """The nodes of the trie with their reaches.

        See `solver.index.kernels.rack_plays.node_reaches`.
        """
        nodes = np.empty((len(self._trie.mask), 4), dtype=np.uint32)
        node_reaches(self._trie, self._words, self._scoring, nodes)
        return nodes

    @cached_property
    def _ranked(self) -> RankedWords:
        """The words that fit a rack, in the order in which a scan looks at them."""
        lengths = np.diff(self._words.starts)
        reach, letters = (
            np.empty(len(lengths), dtype=np.int64),
            np.empty(len(lengths), dtype=np.uint64),
        )
        rate_words(self._words, self._scoring, reach, letters)
        order = np.lexsort((-reach, lengths))
        order = order[: np.count_nonzero(lengths <= MAX_TILES)]
        first = np.searchsorted(lengths[order], np.arange(MAX_TILES + 2))
        return RankedWords(first, order.astype(np.int32), reach[order], letters[order])

    def _laid(self, rack: Counts, word: str) -> str:
        """Return the tiles that `rack` lays down for `word`, with blanks where they score most."""
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
    def signatures(self) -> SignatureIndex:
        """The index of signatures, for any rack."""
        return signature_index(self.lexicon)

    @cached_property
    def finder(self) -> PlayFinder:
        """The finder of the best plays of a rack."""
        return self.finder_by("positional")

    def finder_by(self, rule: str) -> PlayFinder:
        """Return a finder of the best plays of a rack by a rule of `solver.model.weights.RULES`."""
        return PlayFinder(self.lexicon, self.signatures, self.puzzle.scoring(rule))

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
