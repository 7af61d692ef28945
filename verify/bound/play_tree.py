"""A tree of every multiset of tiles that can form a word, with its best score.

Multisets are numbered as in `verify.bound.numbers`: tiles in descending order, blanks first, then z to a.
"""

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from verify.bound.compiled import compiled
from verify.bound.numbers import MOST_TILES, TERM, Numbers, tiles_of
from verify.bound.numbers import NUMBER as STATE_NUMBER
from verify.bound.word_arrays import BLANK_KIND, Ints, WordArrays

_SCORE = np.uint64(16)  # bits of the score of a play
_MOST_OF_A_PLAY = (1 << 16) - 1


class PlayTree(NamedTuple):
    """All plays as a tree: a node has the tiles of its parent and one more, which does not exceed the last of them.

    The nodes are in depth-first order, so that the descendants of a node directly follow it. The root has no tiles.

    Attributes:
        tile: The last tile of each node, as kind + 1.
        depth: The number of its tiles.
        beyond: The first node after its subtree.
        score: The best score of its tiles as a play, in points; -1 where they form no word.
    """

    tile: npt.NDArray[np.int8]
    depth: npt.NDArray[np.int8]
    beyond: npt.NDArray[np.int32]
    score: npt.NDArray[np.int32]


def play_tree(words: WordArrays, values: Ints, blanks: int) -> PlayTree:
    """Return the tree of all plays of the words, with up to `blanks` blanks.

    Args:
        words: All words.
        values: The points of each kind of tile.
        blanks: The number of blanks in the row.

    Raises:
        ValueError: A play scores more than fits in its bits.
    """
    parts = [np.zeros(0, dtype=np.uint64)]
    for length in range(1, len(words.starts) - 1):
        letters = np.ascontiguousarray(words.letters[words.starts[length] : words.starts[length + 1], :length])
        most = int((np.arange(1, length + 1) * values[letters]).sum(axis=1).max(initial=0))
        if most > _MOST_OF_A_PLAY:
            raise ValueError(f"a play of {most:,} points")
        ways = sum(math.comb(length, some) for some in range(min(blanks, length) + 1))
        room = np.empty(len(letters) * ways, dtype=np.uint64)
        plays = np.sort(room[: _lay_down(letters, values, blanks, room)])
        last = np.ones(len(plays), dtype=np.bool_)
        last[:-1] = plays[1:] >> _SCORE != plays[:-1] >> _SCORE
        parts.append(plays[last])
    together = np.sort(np.concatenate(parts))
    room_of_nodes = 1 + sum(length * len(part) for length, part in enumerate(parts))
    tree = PlayTree(
        np.zeros(room_of_nodes, dtype=np.int8),
        np.zeros(room_of_nodes, dtype=np.int8),
        np.zeros(room_of_nodes, dtype=np.int32),
        np.full(room_of_nodes, -1, dtype=np.int32),
    )
    nodes = _grow(together, tree)
    return PlayTree(tree.tile[:nodes].copy(), tree.depth[:nodes].copy(), tree.beyond[:nodes].copy(), tree.score[:nodes].copy())


@compiled
def _lay_down(letters: Ints, values: Ints, blanks: int, plays: Numbers) -> int:
    """Write every word of one length with blanks at any places, as number << 16 | score; return how many were written."""
    count, length = letters.shape
    order = np.zeros(length, np.int64)  # the places of a word, by descending letter
    written = 0
    for word in range(count):
        for place in range(length):
            at = place
            while at > 0 and letters[word, order[at - 1]] < letters[word, place]:
                order[at] = order[at - 1]
                at -= 1
            order[at] = place
        for blanked in range(1 << length):  # bit mask of the places with a blank
            number, score, used = np.uint64(0), 0, 0
            for place in range(length):
                if blanked >> place & 1:
                    number += TERM[BLANK_KIND + 1, MOST_TILES - used]
                    used += 1
            if used > blanks:
                continue
            for i in range(length):
                place = int(order[i])
                if not blanked >> place & 1:
                    letter = letters[word, place]
                    number += TERM[letter + 1, MOST_TILES - used]
                    score += (place + 1) * int(values[letter])
                    used += 1
            plays[written] = number << _SCORE | np.uint64(score)
            written += 1
    return written


@compiled
def _grow(plays: Numbers, tree: PlayTree) -> int:
    """Fill a tree with ascending plays; return the number of its nodes."""
    tile, depth, beyond, score = tree
    path, above = np.zeros(MOST_TILES + 1, np.int64), np.zeros(MOST_TILES, np.int64)
    open_to, nodes = 0, 1  # `path` holds the root, and the ancestors of the next play down to this depth
    tiles = np.zeros(MOST_TILES, np.int64)
    for play in plays:
        size = tiles_of(play >> _SCORE << STATE_NUMBER, tiles)
        same = 0
        while same < open_to and same < size and tiles[same] == above[same]:
            same += 1
        for place in range(same + 1, open_to + 1):
            beyond[path[place]] = nodes
        for place in range(same, size):
            tile[nodes], depth[nodes] = tiles[place], place + 1
            path[place + 1], above[place] = nodes, tiles[place]
            nodes += 1
        open_to = size
        score[path[size]] = np.int64(play & np.uint64(_MOST_OF_A_PLAY))
    for place in range(open_to + 1):
        beyond[path[place]] = nodes
    return nodes
