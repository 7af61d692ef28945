"""The interface of search strategies."""

from typing import Any, Protocol, runtime_checkable

from solver.index.problem import Problem
from solver.search.run import Run


@runtime_checkable
class Strategy(Protocol):
    """A way to search.

    `search` offers at least one complete solution to the run before it returns, even if the run is over early. A strategy that
    can continue a game has an attribute `goes_on` that is true; all its solutions begin with the opening of the run.
    """

    @property
    def name(self) -> str:
        """The name of the strategy in the registry."""

    @property
    def parameters(self) -> Any:
        """A frozen dataclass."""

    def search(self, problem: Problem, run: Run) -> None:
        """Offer solutions to `run` until the search is done or the run is over."""
