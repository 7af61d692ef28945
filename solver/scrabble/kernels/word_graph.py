"""A word graph: all beginnings of words as a tree, breadth first, so that the children of a node stand side by side."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from solver.compiled import borrowing


class WordGraph(NamedTuple):
    """The nodes of a tree of words; node 0 is the empty beginning.

    letter: the last letter of each node, from 1 on, ascending among the children of a node; uint8, shape (nodes,).
    first: the first child of each node; its last one stands before the first child of the next node; int32, shape (nodes + 1,).
    ends: whether the node is a word; bool, shape (nodes,).
    """

    letter: npt.NDArray[np.uint8]
    first: npt.NDArray[np.int32]
    ends: npt.NDArray[np.bool_]


@borrowing
def child_of(graph: WordGraph, node: int, letter: int) -> int:
    """The child of `node` by `letter`; -1 if there is none."""
    for child in range(graph.first[node], graph.first[node + 1]):
        if graph.letter[child] == letter:
            return child
    return -1
