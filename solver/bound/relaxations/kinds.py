"""The relaxations, from the coarsest to the finest: one entry for each, from which everything else follows.

This module loads none of them, since the command line lists them in its help.
"""

import math
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from solver.bound.ascent import Relaxation
    from solver.index.problem import Problem


@dataclass(frozen=True)
class RelaxationKind:
    """A relaxation, and how long an ascent works on its prices.

    Attributes:
        make: Builds it for a problem and a pool of threads. Raises `StrategyError` if the row is too long for it.
        takes: The time that it takes on a row of 100 tiles, measured on two cores without a time limit.
        share: The share of the remaining time for it, unless it comes last.
        longest: Its time limit in seconds, unless it comes last.
        gain: Unless it comes last, it ends when a round is predicted to gain fewer points.
        prices_leaves: Whether leaves have prices. Then a sweep may follow.
    """

    make: "Callable[[Problem, ThreadPoolExecutor], Relaxation]"
    takes: str
    share: float
    longest: float
    gain: float
    prices_leaves: bool = False


def _r1(problem: "Problem", pool: ThreadPoolExecutor) -> "Relaxation":
    from solver.bound.relaxations.r1 import FreeRelaxation

    return FreeRelaxation(problem, pool)


def _r2(problem: "Problem", pool: ThreadPoolExecutor) -> "Relaxation":
    from solver.bound.relaxations.r3 import LeaveRelaxation

    return LeaveRelaxation(problem, pool, uses_leave=False)


def _r3(problem: "Problem", pool: ThreadPoolExecutor) -> "Relaxation":
    from solver.bound.relaxations.r3 import LeaveRelaxation

    return LeaveRelaxation(problem, pool, uses_leave=True)


RELAXATIONS: Mapping[str, RelaxationKind] = {
    "r1": RelaxationKind(_r1, "half a minute", share=0.1, longest=20.0, gain=0.5),
    "r2": RelaxationKind(_r2, "two to three minutes", share=0.25, longest=120.0, gain=0.5),
    "r3": RelaxationKind(_r3, "up to an hour, with its sweeps,", share=0.4, longest=math.inf, gain=0.05, prices_leaves=True),
}
