"""Upper bounds: the one way to compute them, for the command and the library."""

from collections.abc import Callable

from solver.bound.ascent import Bound, Keep
from solver.bound.schedule import tighten_upper_bound
from solver.index.problem import Problem
from solver.search.run import Run

_UNASKED = 60.0  # seconds for the bound of a user who names no time


def lowest_bound(
    problem: Problem,
    new_run: Callable[[float | None], Run],
    *,
    seconds: float | None,
    states: int,
    start: Bound | None = None,
    keep: Keep = lambda _bound: None,
    say: Callable[[str], None] = lambda _message: None,
) -> tuple[Bound, Run]:
    """Lower the bound of a puzzle until the run is over or the gain is too small.

    Args:
        problem: The puzzle and its words.
        new_run: Returns a run with a time limit in seconds.
        seconds: The time limit; None for a minute.
        states: How many states a layer of the sweeps may hold; 0 for no sweeps.
        start: An earlier bound, for a warm start.
        keep: Called with every better bound.
        say: Called with messages for the user.

    Returns:
        The lowest bound, and the run that found it.

    Raises:
        StrategyError: The row is too long, or the puzzle is a variant.
    """
    # imported only here, because it loads all that is compiled
    from solver.solving.compile_all import warm_up_bounds

    problem.require_ordinary("a bound")
    warm_up_bounds(say)
    run = new_run(_UNASKED if seconds is None else seconds)
    return tighten_upper_bound(problem, run, start, keep, states=states), run
