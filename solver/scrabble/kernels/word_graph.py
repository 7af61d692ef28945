"""A word graph: a tree of all prefixes of words in breadth-first order, so that the children of a node are contiguous."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from solver.compiled import borrowing


class WordGraph(NamedTuple):
    """The nodes of a tree of words; node 0 is the empty prefix.

    Attributes:
        letter: The last letter of each node, from 1 on, ascending among the children of a node; uint8, shape (nodes,).
        first: The first child of each node; its children end where those of the next node begin; int32, shape (nodes + 1,).
        ends: Whether the node is a word; bool, shape (nodes,).
    """

    letter: npt.NDArray[np.uint8]
    first: npt.NDArray[np.int32]
    ends: npt.NDArray[np.bool_]


@borrowing
def child_of(graph: WordGraph, node: int, letter: int) -> int:
    """Return the child of `node` by `letter`; -1 if it does not exist."""
    for child in range(graph.first[node], graph.first[node + 1]):
        if graph.letter[child] == letter:
            return child
    return -1
