"""Compile every kernel before a clock is started."""

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from solver.index.problem import Problem
from solver.kernels.jit import CACHED, kernel_folder
from solver.model.lexicon import Lexicon
from solver.model.puzzle import Puzzle
from solver.search.run import Run
from solver.solving.strategies import make_strategy

_ROW = "to?eats"
_WORDS = ("at", "east", "eat", "oat", "tea", "to", "toe")


def warm_up(say: Callable[[str], None]) -> None:
    """Compile, or load, all that a search needs; `say` is told where that takes long."""
    mark = kernel_folder() / "complete"
    # those of bounds and exact search come when they are first asked for
    if CACHED and 0 < _marked(mark) <= _kept():
        return
    say("compiling kernels, about a quarter of a minute" + (" (only this once)" if CACHED else ""))
    load_kernels()
    if CACHED:
        # without the mark they are only looked for anew
        with suppress(OSError):
            mark.write_text(str(_kept()))


def _kept() -> int:
    return len(list(kernel_folder().rglob("*.nbc")))


def _marked(mark: Path) -> int:
    """How many kernels there were when all had been compiled; 0 where nobody knows."""
    try:
        return int(mark.read_bytes())
    except (OSError, ValueError):
        return 0


def load_kernels() -> None:
    """Run every kernel once, so that none is compiled or loaded later."""
    lexicon = Lexicon("warmup", _WORDS)
    for rack in (5, 12):
        problem = Problem(Puzzle("warmup", _ROW, rack, "warmup", dict.fromkeys("aeost", 1)), lexicon)
        # a beam of one state is the one that fills its layers even here, and drops states
        for spec in ("greedy", "widening", "beam", "beam:width=1"):
            make_strategy(spec).search(problem, Run(threads=1, rack_budget=1000))
