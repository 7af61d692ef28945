"""Compilation of the kernels that few commands need, for `rowdraw warmup`."""

from collections.abc import Callable, Mapping

from solver.bound.ascent import Bound, ascend
from solver.bound.certificate import certificate
from solver.bound.prices import first_prices
from solver.bound.relaxation import Relaxation
from solver.bound.schedule import HOLDS, SIDES, tighten_upper_bound
from solver.bound.sweeps.campaign import sweeps
from solver.bound.sweeps.training import Trainer
from solver.errors import RefereeDisagreementError
from solver.index.problem import Problem, build_closed_index
from solver.model.tiles import rack_counts
from solver.model.weights import RULES
from solver.search.beam import BeamParameters
from solver.search.run import Run
from solver.search.several import best_answers
from solver.solving.warmup import mark_compiled, run_once, small_problem, warm_up
from verify.threads import ThreadPool

_BOUNDS = "bounds"  # the mark of all kernels of bounds and exact search


def _build_index() -> None:
    """Run the index kernels, even if the cache already holds this problem's index."""
    problem = small_problem(5)
    build_closed_index(problem.lexicon, problem.puzzle.scoring(), 5)


def _play_racks() -> None:
    """Run the kernels that find the best plays of racks, by each rule."""
    for blank in (0, 2):
        problem = small_problem(5, blank)
        for rule in RULES:
            problem.finder_by(rule).best([rack_counts("tea"), rack_counts("te?")])


def warm_up_bounds(say: Callable[[str], None]) -> None:
    """Compile what `warm_up` compiles, and all that bounds and exact search need.

    `say` is called as there.
    """
    warm_up(say)
    run_once(_BOUNDS, load_bounds, say)


def load_bounds() -> None:
    """Run every kernel of bounds and sweeps once, so that none is compiled or loaded later."""
    _make_bounds(lambda _problem, _bound: None)


def prove_bounds() -> None:
    """Run every kernel of bounds, sweeps and certificates, those of the referee too."""
    _make_bounds(_verify)
    mark_compiled(_BOUNDS)


def _make_bounds(use: Callable[[Problem, Bound], None]) -> None:
    """Call `use` with a small problem and a bound of each kind."""
    problem = small_problem(5)
    use(problem, tighten_upper_bound(problem, Run(seconds=1.0)))
    with ThreadPool(1) as pool:
        ascent = Relaxation(problem, pool, uses_leave=True)
        prices = first_prices(problem).with_cells(SIDES, HOLDS)
        of_prices = ascend(problem, ascent, prices, Run(seconds=1.0), stop=lambda _bound: True)
    # a sweep that makes prices for the states of each layer
    trainer = Trainer(problem, fewest=1, apart=1, rounds=2)
    for bound in sweeps(problem, Run(), of_prices, 1_000, trainer):
        use(problem, bound)


def _find_answers() -> None:
    """Run every kernel of a search for several answers."""
    best_answers(small_problem(5), Run(), BeamParameters(50), 3)


def _verify(problem: Problem, bound: Bound) -> None:
    from verify.bound.certificate import read_certificate
    from verify.bound.verdict import judge_certificate

    stated = read_certificate(certificate(problem, bound).encode(), "warmup")
    if not judge_certificate(stated, problem.rules, "warmup").valid:
        raise RefereeDisagreementError(
            f"the referee rejects a certificate of {bound.points} points for {problem.puzzle.row}"
        )


STEPS: Mapping[str, Callable[[], None]] = {
    "index": _build_index,
    "best plays": _play_racks,
    "several answers": _find_answers,
    "bounds, exact search, certificates": prove_bounds,
}
"""Steps of `warmup`, by name."""
