"""What a search strategy is."""

from typing import Any, Protocol, runtime_checkable

from solver.index.problem import Problem
from solver.search.run import Run


@runtime_checkable
class Strategy(Protocol):
    """A way to search. `search` offers solutions to the run and returns when it is done or the run is over.

    Whatever happens, it has offered at least one complete solution by then. A strategy that can go on with a game has an
    attribute `goes_on` that is true; all its solutions begin with the opening of the run.
    """

    @property
    def name(self) -> str:
        """What the registry calls it."""

    @property
    def parameters(self) -> Any:
        """A frozen dataclass."""

    def search(self, problem: Problem, run: Run) -> None:
        """Offer solutions to `run` until the search is done or the run is over."""
