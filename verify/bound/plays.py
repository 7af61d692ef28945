"""Every multiset of tiles that lays down a word, with the best score that it can have.

Tiles are numbered from 1, 0 is no tile. A multiset is told by the sum of one random number a tile: two multisets may share
theirs, though hardly ever, and then the better score counts for both. That adds plays that nobody can make, and a bound that
holds with these holds without them.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from verify.bound.words import BLANK, LETTERS, Ints, Words

MOST_TILES = 10  # of a rack
_FILTER_BITS = 24
_SEED = 294

Marks = npt.NDArray[np.uint64]
# of each kind of tile; kinds are numbered as in `verify.bound.words`
MARK: Marks = np.random.default_rng(_SEED).integers(0, 1 << 64, LETTERS + 1, dtype=np.uint64)


@dataclass(frozen=True)
class Plays:
    """marks: of the multisets, ascending; score: the best of each, in points; highest: by the highest bits of a mark, the best
    of all plays with such marks, -1 where there is none, int32."""

    marks: Marks
    score: Ints
    highest: npt.NDArray[np.int32]

    @classmethod
    def of(cls, words: Words, values: Ints, blanks: int) -> "Plays":
        """Those of `words`, any letters laid down with one of `blanks` blanks. values: points of each kind of tile."""
        marks, scores = [np.zeros(0, dtype=np.uint64)], [np.zeros(0, dtype=np.int64)]
        for length in range(1, len(words.starts) - 1):
            letters = words.letters[words.starts[length] : words.starts[length + 1], :length]
            if len(letters):
                best = _with_blanks(letters, values, blanks)
                marks.append(best[0])
                scores.append(best[1])
        mark, score = _best(np.concatenate(marks), np.concatenate(scores))
        highest = np.full(1 << _FILTER_BITS, -1, dtype=np.int32)
        np.maximum.at(highest, place_of(mark), score.astype(np.int32))
        return cls(mark, score, highest)

    def find(self, marks: Marks) -> tuple[Ints, npt.NDArray[np.bool_]]:
        """Of each mark the best score, and whether there is such a play."""
        at = np.minimum(np.searchsorted(self.marks, marks), len(self.marks) - 1)
        return self.score[at], self.marks[at] == marks


def place_of(marks: Marks) -> npt.NDArray[np.uint64]:
    """Where `Plays.highest` tells of a mark."""
    return marks >> np.uint64(64 - _FILTER_BITS)


def _with_blanks(letters: Ints, values: Ints, blanks: int) -> tuple[Marks, Ints]:
    """All plays of words of one length: letters at any places are blanks."""
    count, length = letters.shape
    points = np.arange(1, length + 1) * values[letters]
    own = MARK[letters]
    mark, score = np.zeros((count, 1), dtype=np.uint64), np.zeros((count, 1), dtype=np.int64)
    used = np.zeros(1, dtype=np.int64)
    for place in range(length):
        few = used < blanks
        mark = np.concatenate([mark + own[:, place, None], mark[:, few] + MARK[BLANK]], axis=1)
        score = np.concatenate([score + points[:, place, None], score[:, few]], axis=1)
        used = np.concatenate([used, used[few] + 1])
    return _best(mark.ravel(), score.ravel())


def _best(mark: Marks, score: Ints) -> tuple[Marks, Ints]:
    """Each mark once, with its best score."""
    order = np.lexsort((-score, mark))
    mark, score = mark[order], score[order]
    first = np.ones(len(mark), dtype=np.bool_)
    first[1:] = mark[1:] != mark[:-1]
    return mark[first], score[first]
