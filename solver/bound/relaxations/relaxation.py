"""What relaxations have in common: words, and the arcs and the goal for the master programme.

An arc is a turn of a relaxed game with the tiles that it uses. Each becomes a row of the programme.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from solver.bound.kernels.relaxed_play import RelaxedWords, masks_of_words
from solver.bound.relaxations.prices import Prices
from solver.compiled import F64, I64
from solver.index.problem import Problem
from solver.model.tiles import BLANK_CODE, N_CODES, POINT, encode_bytes

State = tuple[int, ...]
Held = tuple[int, int, int, int]  # moment, side * holds + hold, code, count
Stop = Callable[[], bool]  # returns whether an evaluation must end early


def never() -> bool:
    """Return False: no evaluation ends early."""
    return False


def relaxed_words(problem: Problem) -> RelaxedWords:
    """Return the words that tiles of the row can spell and a rack can hold."""
    rack = problem.puzzle.rack_size
    words = sorted((word for word in problem.lexicon.words if len(word) <= rack), key=len)
    # -1 after the last letter
    raw = np.array(words, f"S{rack}").view(np.uint8).reshape(-1, rack)
    letters = encode_bytes(raw).astype(np.int8)
    counts = (letters[:, :, None] == np.arange(N_CODES)).sum(axis=1)
    total = problem.puzzle.counts_from_left[-1]
    fits = np.maximum(counts - total, 0).sum(axis=1) <= total[BLANK_CODE]
    lengths = (letters[fits] >= 0).sum(axis=1)
    first = np.searchsorted(lengths, np.arange(rack + 2)).astype(np.int64)
    return RelaxedWords(
        first=first,
        letters=letters[fits],
        masks=masks_of_words(counts[fits]),
        values=problem.puzzle.value_table.astype(np.int64) * POINT,
    )


def some_words(words: RelaxedWords, chosen: I64) -> RelaxedWords:
    """Return the words with the ascending indices `chosen`, numbered from 0."""
    return RelaxedWords(
        first=np.searchsorted(chosen, words.first).astype(np.int64),
        letters=words.letters[chosen],
        masks=words.masks.take(chosen, axis=1),
        values=words.values,
    )


@dataclass(frozen=True)
class Arc:
    """A turn from one state to another.

    A leave is listed as entries (moment, side * holds + hold, code, count), only for tiles with a
    price. A count is negative if the turn plays more old tiles than were held.

    Attributes:
        score: thousandths of a point.
        tiles: the places in the row of the tiles that it plays.
        held: the leave before the turn.
        kept: the leave after the turn.
    """

    source: State
    target: State
    score: int
    tiles: tuple[int, ...]
    held: tuple[Held, ...] = ()
    kept: tuple[Held, ...] = ()


@dataclass(frozen=True)
class Goal:
    """The objective that prices minimise, in points.

    It is a weighted sum of prices and of values of states, plus a constant. `tile` has the weights
    of tile prices, `leave` those of prices of leaves, shape (moments, sides, holds, N_CODES), and
    `states` the weight of the value of each state.
    """

    tile: F64
    leave: F64
    states: dict[State, float]
    constant: float = 0.0


class Relaxation(ABC):
    """A relaxation whose prices an ascent can improve.

    `goal` and arcs belong to the prices evaluated last.

    Attributes:
        name: its name in certificates and progress.
        root: the state before the first draw.
        first_moment: the first moment at which leaves have prices; None if they have none.
        first_step: the step of the first round.
        spares: whether it is quicker with fewer words.
        words: the words of the problem.
    """

    name: str
    root: State
    first_moment: int | None = None
    first_step = 2.0
    spares = True

    def __init__(self, problem: Problem, words: RelaxedWords | None = None) -> None:
        self.words = words or relaxed_words(problem)
        self._row = problem.puzzle.row_codes
        self._tiles = len(self._row)
        self._rack = problem.puzzle.rack_size
        self._prices: Prices

    @abstractmethod
    def evaluate(self, prices: Prices, stop: Stop = never, *, full: bool = True) -> int | None:
        """Return the bound at `prices`, in thousandths of a point; None if `stop` ended it early.

        `stop` is asked from time to time. Without `full` the result may be too low for a bound.
        """

    @abstractmethod
    def arc_from(self, state: State) -> Arc | None:
        """Return the best turn from a state; None if ending the game is best."""

    def goal(self) -> Goal:
        """Return the goal whose value is the bound."""
        return Goal(np.ones(self._tiles), np.zeros(self._prices.leave.shape), {self.root: 1.0})

    def arcs_from(self, state: State, passed: set[State]) -> list[Arc]:
        """Return the turns of the best path from `state` to the first state in `passed`.

        Its other states are added to `passed`.
        """
        path: list[Arc] = []
        while state not in passed and (arc := self.arc_from(state)) is not None:
            passed.add(state)
            path.append(arc)
            state = arc.target
        return path

    def _length(self, word: int) -> int:
        """Return the number of letters of a word, given by its index."""
        return int(np.searchsorted(self.words.first, word, side="right")) - 1

    def _play(self, word: int, places: I64, cost: I64) -> tuple[int, tuple[int, ...]]:
        """Return the best play of a word from tiles of the row: which tile each letter takes.

        Args:
            word: the index of the word.
            places: the places of the tiles that may be played.
            cost: what playing each of them costs, in thousandths of a point.

        Returns:
            Its score in thousandths of a point, and the places of its tiles, one for each letter.
        """
        # imported only here, because a library that offers bounds must not wait for it where it
        # only searches
        from ortools.graph.python.min_cost_flow import SimpleMinCostFlow

        length = self._length(word)
        letters = self.words.letters[word, :length]
        codes = self._row[places]
        points = np.arange(1, length + 1) * self.words.values[letters]
        # a blank takes any letter, for no points
        letter, tile = np.nonzero((letters[:, None] == codes) | (codes == BLANK_CODE))
        gains = np.where(codes[tile] == BLANK_CODE, 0, points[letter]) - cost[tile]
        # one unit flows from each letter through a tile to the end
        end = length + len(places)
        tiles = np.arange(length, end)
        flow = SimpleMinCostFlow()
        choices = flow.add_arcs_with_capacity_and_unit_cost(
            letter, length + tile, np.ones_like(letter), -gains
        )
        flow.add_arcs_with_capacity_and_unit_cost(
            tiles, np.full_like(tiles, end), np.ones_like(tiles), np.zeros_like(tiles)
        )
        flow.set_nodes_supplies(np.arange(length), np.ones(length, dtype=np.int64))
        flow.set_node_supply(end, -length)
        flow.solve()
        chosen = tile[flow.flows(choices) > 0]
        is_blank = codes[chosen] == BLANK_CODE
        return int(points[~is_blank].sum()), tuple(places[chosen].tolist())


def is_drawn(tiles: int, drawn: int, left: int) -> npt.NDArray[np.bool_]:
    """Return which places of a row of `tiles` tiles are drawn.

    `left` is 0 once the row is empty.
    """
    places = np.arange(tiles)
    return (places < left) | (places >= tiles - drawn + left)
