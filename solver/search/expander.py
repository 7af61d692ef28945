"""The racks of a beam's layer, and the two ways to find their plays."""

from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from solver.index.kernels.best_plays import SignatureWords
from solver.index.kernels.build_trie import Trie
from solver.index.kernels.closed_index import Rated, fill_filter, rate_plays
from solver.index.kernels.hashing import TILE_HASH
from solver.index.problem import Problem
from solver.model.racks import CLOSED_RACK
from solver.search.kernels.closed_plays import ClosedPlays, HashedRow
from solver.search.kernels.draw_racks import draw_racks
from solver.search.kernels.expand_closed import expand_closed
from solver.search.kernels.expand_trie import TriePlays, expand_trie
from solver.search.kernels.sieve import fill_sieves
from solver.search.kernels.states import Children, Cutoffs, DrawnRacks, States
from solver.search.layers import new_children

_FILTER_BITS = 20  # one megabyte: a larger filter would reject more but not fit the processor's cache
_CAPACITY = 1 << 16  # children of each number of tiles that a thread collects before it moves them into a layer


def drawn_racks(problem: Problem, states: States, played: int, part: int = 0, parts: int = 1) -> DrawnRacks:
    """Return the distinct racks that the states of a layer can draw, or one of `parts` parts of them; see `draw_racks`."""
    size = problem.puzzle.rack_size
    most = len(states.key) * (size // parts + 1)
    arrays: list[Any] = [np.empty(most, dtype=kind) for kind in (np.uint64, np.int64, np.int32, np.int32, np.int16)]
    racks = DrawnRacks(*arrays)
    table = np.zeros(1 << (2 * most - 1).bit_length(), dtype=np.int32)
    count = draw_racks(states, problem.puzzle.row_codes, played, size, part, parts, table, racks)
    return racks.first(count)


class Expander(Protocol):
    """Expands racks: finds their plays and the children that reach the cut-offs."""

    longest: int  # the most tiles of one play
    reach: int  # the most tiles that a child has played since its parent
    largest_span: int  # the most racks between two looks at the clock and the cut-offs

    def children(self) -> Children:
        """Return room for the children that one thread makes."""
        return new_children(self.reach, _CAPACITY)

    def __call__(self, first: int, stop: int, racks: DrawnRacks, cutoffs: Cutoffs, out: Children) -> int:
        """Expand racks `first` to `stop` into `out`, and return the first rack that was not expanded."""


class ClosedExpander(Expander):
    """Expands racks of up to 10 tiles on the index closed under blanks."""

    longest = CLOSED_RACK
    largest_span = 2048

    def __init__(self, problem: Problem, prices: npt.NDArray[np.int64], fishes: bool = False) -> None:
        """Rate the plays of the closed index.

        `prices` are by code, or by left draws and code. `fishes` says whether second plays may be looked for.
        """
        index = problem.closed
        rows = np.atleast_2d(prices)
        mean = np.average(rows, axis=0).astype(np.int64)
        rated = rate_plays(index.packed, index.score, mean, self.longest)
        sifted = rated if fishes else Rated(rated.hash[:0], rated.length[:0], rated.entry[:0], rated.least, rated.step)
        self.reach = 2 * self.longest if fishes else self.longest
        row = problem.puzzle.row_codes
        self._row = HashedRow(row, np.append(TILE_HASH[row], np.uint64(0)))
        self._plays = ClosedPlays(
            index.slots,
            index.ranks,
            np.uint64(65 - len(index.slots).bit_length()),
            fill_filter(rated, _FILTER_BITS),
            np.uint64(64 - _FILTER_BITS),
            rated.least,
            rated.step,
            fill_sieves(sifted, self.longest),
            rows,
            np.maximum(mean - rows, 0),
        )

    def __call__(self, first: int, stop: int, racks: DrawnRacks, cutoffs: Cutoffs, out: Children) -> int:
        """As `Expander.__call__`."""
        return expand_closed(first, stop, racks, self._row, cutoffs, self._plays, out)


class TrieExpander(Expander):
    """Expands racks of more tiles on the trie of signatures: slower, and without second plays."""

    largest_span = 64

    def __init__(self, problem: Problem, prices: npt.NDArray[np.int64]) -> None:
        index, lexicon = problem.signatures, problem.lexicon
        self.longest = self.reach = problem.puzzle.rack_size
        trie = Trie(index.mask, index.child, index.entry)
        words = SignatureWords(index.family, index.members, lexicon.starts, lexicon.codes)
        self._plays = TriePlays(trie, words, problem.puzzle.scoring(), prices)

    def __call__(self, first: int, stop: int, racks: DrawnRacks, cutoffs: Cutoffs, out: Children) -> int:
        """As `Expander.__call__`."""
        return expand_trie(first, stop, racks, cutoffs, self._plays, out)


def make_expander(problem: Problem, prices: npt.NDArray[np.int64], fishes: bool) -> Expander:
    """Return the faster expander that `problem` allows, under prices by code. `fishes` asks for second plays if it can."""
    return ClosedExpander(problem, prices, fishes=fishes) if problem.has_closed_index else TrieExpander(problem, prices)
