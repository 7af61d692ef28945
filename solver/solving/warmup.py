"""Compilation of the kernels of a search, before any time is measured."""

import threading
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial

from solver.compiled import kernel_folder, tell_compiling
from solver.index.problem import Problem
from solver.search.run import Run
from solver.solving.strategies import make_strategy
from verify import Rules
from verify.threads import watched_by

_ROW = "to?eats"
_WORDS = ("at", "east", "eat", "oat", "tea", "to", "toe")
_INTERVAL = 10.0  # seconds between two messages that compiling goes on


def warm_up(say: Callable[[str], None]) -> None:
    """Compile all that a search needs unless the cache has it.

    First call `say` with a message if that takes long.

    The kernels of bounds and of exact search are left to `compile_all.warm_up_bounds`.
    """
    run_once("complete", load_kernels, say)


def run_once(name: str, load: Callable[[], None], say: Callable[[str], None]) -> None:
    """Call `load`, which compiles kernels, unless that is noted in the cache under `name`.

    `say` gets messages while it compiles.
    """
    if (kernel_folder() / name).exists():
        return
    tell_compiling(say)
    with watched_by(partial(_say_seconds, say)):
        load()
    mark_compiled(name)


def _say_seconds(say: Callable[[str], None], ended: threading.Event) -> None:
    began = time.monotonic()
    while not ended.wait(_INTERVAL):
        say(f"still compiling, {time.monotonic() - began:.0f} s so far")


def mark_compiled(name: str) -> None:
    """Note that the cache has all kernels that `run_once` with this name compiles."""
    # if that is not possible, the next start only loads the kernels again
    with suppress(OSError):
        (kernel_folder() / name).touch()


def load_kernels() -> None:
    """Run every kernel of a search once, so that none is compiled or loaded later."""
    for rack in (5, 12):
        problem = small_problem(rack)
        # only a beam of one state fills its layers on so short a row, and so drops states
        for spec in ("greedy", "widening", "beam", "beam:width=1"):
            make_strategy(spec).search(problem, Run(threads=1, rack_budget=1000))


def small_problem(rack: int, blank: int = 0) -> Problem:
    """Return a small problem, with a blank worth `blank`, which runs kernels in no time."""
    values = dict.fromkeys("aeost", 1) | {"?": blank}
    return Problem(Rules(_ROW, rack, values, frozenset(_WORDS)))
