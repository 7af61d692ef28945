"""Every multiset of tiles that lays down a word, with the best score that it can have.

Tiles are numbered from 1; 0 is not a tile. The mark of a multiset is the sum of a random number for each of its tiles. Very
rarely two multisets have the same mark, and then the better score counts for both. This only adds plays to the game, and a
bound that holds with these plays also holds without them.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from verify.bound.words import BLANK, LETTERS, Ints, Words

MOST_TILES = 10  # of a rack
_ROOM = 3  # more bits than needed to number the plays: so seven of eight places are empty, where most look-ups of no play end
_SEED = 294

Marks = npt.NDArray[np.uint64]
# of each kind of tile; kinds are numbered as in `verify.bound.words`
MARK: Marks = np.random.default_rng(_SEED).integers(0, 1 << 64, LETTERS + 1, dtype=np.uint64)


@dataclass(frozen=True)
class Plays:
    """The plays of one number of tiles, in a table. The highest bits of a mark are its place in the table.

    marks: the marks of the multisets, ascending, and the largest number behind the last.
    score: the best score of each, in points.
    first: by place, the first mark there or beyond, int32.
    highest: by place, the best score there, -1 where there is none, int32, which has room for thousandths of a point too.
    shift: how many lowest bits a mark loses to become its place.
    """

    marks: Marks
    score: Ints
    first: npt.NDArray[np.int32]
    highest: npt.NDArray[np.int32]
    shift: np.uint64

    @classmethod
    def of(cls, words: Words, length: int, values: Ints, blanks: int) -> "Plays":
        """The plays of the words of `length` letters, with up to `blanks` blanks.

        values: the points of each kind of tile.
        """
        letters = words.letters[words.starts[length] : words.starts[length + 1], :length]
        mark, score = _with_blanks(letters, values, blanks)
        bits = max(1, len(mark).bit_length() + _ROOM)
        shift = np.uint64(64 - bits)
        place = (mark >> shift).astype(np.int64)
        highest = np.full(1 << bits, -1, dtype=np.int32)
        np.maximum.at(highest, place, score.astype(np.int32))
        count = np.bincount(place, minlength=1 << bits)
        first = (np.cumsum(count) - count).astype(np.int32)
        beyond = np.array([np.iinfo(np.uint64).max], dtype=np.uint64)
        return cls(np.concatenate([mark, beyond]), np.append(score, -1), first, highest, shift)

    def at_most(self, marks: Marks) -> npt.NDArray[np.int32]:
        """What a play with such a mark can score at most; -1 where there is none."""
        highest: npt.NDArray[np.int32] = self.highest[marks >> self.shift]
        return highest

    def find(self, marks: Marks) -> Ints:
        """The best score of each mark; -1 where there is no such play."""
        at = self.first[marks >> self.shift]
        behind = np.flatnonzero(self.marks[at] < marks)
        while len(behind):
            at[behind] += 1
            behind = behind[self.marks[at[behind]] < marks[behind]]
        return np.where(self.marks[at] == marks, self.score[at], -1)


def _with_blanks(letters: Ints, values: Ints, blanks: int) -> tuple[Marks, Ints]:
    """All plays of words of one length, with up to `blanks` blanks at any places."""
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
