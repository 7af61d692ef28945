"""Finds high-scoring games of the row-draw word puzzle, and says how far from perfect they can be.

    import solver

    result = solver.solve("challenge", time=20)
    print(result.score, result.bound)
    print(result.text())

Each name is imported at its first use, so that `import solver` alone takes no time.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from solver.errors import RowdrawError
    from solver.index.problem import Play, Problem
    from solver.lab.compare.comparing import Comparison
    from solver.library import UpperBound, analyse, best_plays, compare, solve, upper_bound
    from solver.model.puzzle import load_puzzle
    from solver.model.solution import Solution, Turn
    from solver.model.tiles import racks_counts
    from solver.search.run import Run, Strategy
    from solver.solving.analysis import AnalysedTurn, Analysis
    from solver.solving.result import Result
    from solver.solving.strategies import make_strategy, strategy_names
    from verify import Rules

    __version__: str

__all__ = [
    "AnalysedTurn",
    "Analysis",
    "Comparison",
    "Play",
    "Problem",
    "Result",
    "RowdrawError",
    "Rules",
    "Run",
    "Solution",
    "Strategy",
    "Turn",
    "UpperBound",
    "__version__",
    "analyse",
    "best_plays",
    "compare",
    "load_puzzle",
    "make_strategy",
    "racks_counts",
    "solve",
    "strategy_names",
    "upper_bound",
]

_MODULES = {
    "solver.errors": ("RowdrawError",),
    "solver.index.problem": ("Play", "Problem"),
    "solver.lab.compare.comparing": ("Comparison",),
    "solver.library": ("UpperBound", "analyse", "best_plays", "compare", "solve", "upper_bound"),
    "solver.model.puzzle": ("load_puzzle",),
    "solver.model.solution": ("Solution", "Turn"),
    "solver.model.tiles": ("racks_counts",),
    "solver.search.run": ("Run", "Strategy"),
    "solver.solving.analysis": ("AnalysedTurn", "Analysis"),
    "solver.solving.result": ("Result",),
    "solver.solving.strategies": ("make_strategy", "strategy_names"),
    "verify": ("Rules",),
}


def __getattr__(name: str) -> Any:
    """Import the object that `__all__` lists under `name`."""
    if name == "__version__":
        from importlib.metadata import version

        return version("rowdraw")
    module = next((module for module, names in _MODULES.items() if name in names), None)
    if module is None:
        raise AttributeError(f"module 'solver' has no attribute {name!r}")
    return getattr(import_module(module), name)


def __dir__() -> list[str]:
    return sorted(__all__)
