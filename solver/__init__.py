"""Finds high-scoring games of the row-draw word puzzle, and says how far from perfect they can be.

    import solver

    result = solver.solve("challenge", seconds=20)
    print(result.score, result.bound)
    print(result.text())

Each name is imported when it is first used, so that `import solver` alone takes no time.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from solver.errors import RowdrawError
    from solver.index.rack_plays import Play
    from solver.lab.compare.collect import Comparison
    from solver.library import UpperBound, analyse, best_plays, compare, solve, upper_bound
    from solver.model.puzzle import Puzzle, load_puzzle
    from solver.model.solution import Turn
    from solver.solving.analysis import AnalysedTurn, Analysis
    from solver.solving.result import Result
    from solver.solving.strategies import register, strategy_names

    __version__: str

__all__ = [
    "AnalysedTurn",
    "Analysis",
    "Comparison",
    "Play",
    "Puzzle",
    "Result",
    "RowdrawError",
    "Turn",
    "UpperBound",
    "__version__",
    "analyse",
    "best_plays",
    "compare",
    "load_puzzle",
    "register",
    "solve",
    "strategy_names",
    "upper_bound",
]

_HOMES = {
    "AnalysedTurn": "solver.solving.analysis",
    "Analysis": "solver.solving.analysis",
    "Comparison": "solver.lab.compare.collect",
    "Play": "solver.index.rack_plays",
    "Puzzle": "solver.model.puzzle",
    "Result": "solver.solving.result",
    "RowdrawError": "solver.errors",
    "Turn": "solver.model.solution",
    "UpperBound": "solver.library",
    "analyse": "solver.library",
    "best_plays": "solver.library",
    "compare": "solver.library",
    "load_puzzle": "solver.model.puzzle",
    "register": "solver.solving.strategies",
    "solve": "solver.library",
    "strategy_names": "solver.solving.strategies",
    "upper_bound": "solver.library",
}


def __getattr__(name: str) -> Any:
    """The object that `__all__` lists under `name`, imported when it is first used."""
    if name == "__version__":
        from importlib.metadata import version

        return version("rowdraw")
    if name not in _HOMES:
        raise AttributeError(f"module 'solver' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)
