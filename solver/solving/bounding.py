"""Upper bounds: the one way to compute them, for the command, the library and the page."""

from dataclasses import replace

from solver.bound.ascent import Bound, Keep
from solver.bound.schedule import tighten_upper_bound
from solver.index.problem import Problem
from solver.search.run import Ending, Run
from solver.solving.order import Order, Reports

_UNASKED = 60.0  # seconds for the bound of a user who names no time


def lowest_bound(
    problem: Problem,
    order: Order,
    ending: Ending,
    reports: Reports,
    *,
    states: int,
    start: Bound | None = None,
    keep: Keep = lambda _bound: None,
) -> tuple[Bound, Run]:
    """Lower the bound of a puzzle until `ending` stops it, or the time is over, or it gains little.

    Args:
        problem: The puzzle and its words.
        order: Its `seconds` (None for a minute) and `threads` count.
        ending: Can stop the computation early.
        reports: What hears of the computation.
        states: How many states a layer of the sweeps may hold; 0 for no sweeps.
        start: An earlier bound, for a warm start.
        keep: Called with every better bound.

    Returns:
        The lowest bound, and the run that found it.

    Raises:
        StrategyError: The row is too long, or the puzzle is a variant.
    """
    # imported only here, because it loads all that is compiled
    from solver.solving.compile_all import warm_up_bounds

    problem.require_ordinary("a bound")
    warm_up_bounds(reports.say)
    if order.seconds is None:
        order = replace(order, seconds=_UNASKED)
    run = ending.of(order.new_run(reports))
    return tighten_upper_bound(problem, run, start, keep, states=states), run
