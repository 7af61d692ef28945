"""A word graph: prefixes of words, where prefixes with the same continuations share a node."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from solver.compiled import borrowing, kernel, popcount

WORD = 1  # the bit of a node's letters that marks a word; letters are numbered from 1 on


class WordGraph(NamedTuple):
    """The nodes of a graph of words; node 0 is the empty prefix.

    Attributes:
        letters: The letters that may follow, bit 1 << letter, and `WORD` if the node is a word; uint64, shape (nodes,).
        lengths: The numbers of letters after which words end, bit 1 << number; uint32, shape (nodes,).
        first: The place in `child` of the first child of each node; int32, shape (nodes,).
        child: The children of each node by ascending letter; int32, shape (arcs,).
    """

    letters: npt.NDArray[np.uint64]
    lengths: npt.NDArray[np.uint32]
    first: npt.NDArray[np.int32]
    child: npt.NDArray[np.int32]


@borrowing
def next_node(graph: WordGraph, node: int, letter: int) -> int:
    """Return the child of `node` by `letter`, which must exist."""
    below = (np.uint64(1) << np.uint64(letter)) - np.uint64(2)
    return np.int64(graph.child[graph.first[node] + np.int64(popcount(graph.letters[node] & below))])


@borrowing
def child_of(graph: WordGraph, node: int, letter: int) -> int:
    """Return the child of `node` by `letter`; -1 if it does not exist."""
    if graph.letters[node] >> np.uint64(letter) & np.uint64(1) == 0:
        return -1
    return next_node(graph, node, letter)


@kernel
def find_equals(
    letters: npt.NDArray[np.uint64], first: npt.NDArray[np.int32], same: npt.NDArray[np.int32], slots: npt.NDArray[np.int32]
) -> None:
    """Fill `same` with one node for all those of a tree from which the same words continue.

    Args:
        letters: As in `WordGraph`, for a tree whose nodes are in breadth-first order, shape (nodes,).
        first: The first child of each node; its children end where those of the next node begin; shape (nodes + 1,).
        same: The result, shape (nodes,).
        slots: A hash table, filled with -1; its length is a power of two and more than the number of nodes.
    """
    last = len(slots) - 1
    # children come after their parents, so they have been compared when their parent is
    for node in range(len(letters) - 1, -1, -1):
        mixed = letters[node] * np.uint64(0x9E3779B97F4A7C15)
        for child in range(first[node], first[node + 1]):
            mixed = ((mixed ^ (mixed >> np.uint64(29))) + np.uint64(same[child])) * np.uint64(0xBF58476D1CE4E5B9)
        slot = np.int64(mixed >> np.uint64(32)) & last
        while slots[slot] >= 0 and not _are_equal(letters, first, same, node, slots[slot]):
            slot = (slot + 1) & last
        if slots[slot] < 0:
            slots[slot] = node
        same[node] = slots[slot]


@kernel
def fill_lengths(graph: WordGraph) -> None:
    """Fill `lengths` of a graph in which children come after their parents."""
    for node in range(len(graph.letters) - 1, -1, -1):
        lengths = np.uint32(graph.letters[node] & np.uint64(WORD))
        for at in range(graph.first[node], graph.first[node] + np.int64(popcount(graph.letters[node] & ~np.uint64(WORD)))):
            lengths |= graph.lengths[graph.child[at]] << np.uint32(1)
        graph.lengths[node] = lengths


@borrowing
def _are_equal(
    letters: npt.NDArray[np.uint64], first: npt.NDArray[np.int32], same: npt.NDArray[np.int32], one: int, other: int
) -> bool:
    step, children = 0, first[one + 1] - first[one]
    if letters[one] != letters[other]:
        return False
    while step < children and same[first[one] + step] == same[first[other] + step]:
        step += 1
    return step == children
