"""The part that relaxations have in common: an ascent evaluates their prices and learns their best turns."""

from abc import ABC, abstractmethod
from collections.abc import Callable

from solver.bound.master import Goal
from solver.bound.relaxations.arcs import Arc, State, WordTable
from solver.bound.relaxations.prices import Prices
from solver.index.problem import Problem


class Relaxation(ABC):
    """A relaxation whose prices an ascent can improve; `goal` and arcs belong to the prices evaluated last.

    Attributes:
        name: its name in certificates and progress.
        root: the state before the first draw.
        width: how many left draws a node covers.
        first_moment: the first moment at which leaves have prices; None if they have none.
        first_step: the step of the first round.
        spares: whether it is quicker with fewer words.
        table: the words of the problem.
    """

    name: str
    root: State
    width = 1
    first_moment: int | None = None
    first_step = 2.0
    spares = True

    def __init__(self, problem: Problem, table: WordTable | None = None) -> None:
        self.table = WordTable.of(problem) if table is None else table
        self._puzzle = problem.puzzle
        self._prices: Prices

    @abstractmethod
    def evaluate(self, prices: Prices, stop: Callable[[], bool] = lambda: False, *, full: bool = True) -> int | None:
        """Return the bound at `prices`, in thousandths of a point; None if `stop`, asked from time to time, ended it early.

        Without `full` the result may be too low for a bound.
        """

    @abstractmethod
    def arc_from(self, state: State) -> Arc | None:
        """Return the best turn from a state; None if ending the game is best."""

    def goal(self) -> Goal:
        """Return the goal whose value is the bound."""
        return Goal.of_whole(self.root, len(self._puzzle.row), self._prices.leave.shape)

    def arcs_from(self, state: State, passed: set[State]) -> list[Arc]:
        """Return the turns of the best path from `state` to the first state in `passed`; add its other states to `passed`."""
        path: list[Arc] = []
        while state not in passed and (arc := self.arc_from(state)) is not None:
            passed.add(state)
            path.append(arc)
            state = arc.target
        return path
