"""Certificates of small puzzles, as the solver makes them."""

from concurrent.futures import ThreadPoolExecutor

from solver.bound.ascent import Bound
from solver.bound.certificate import certificate
from solver.bound.relaxations.kinds import RELAXATIONS
from solver.bound.sweeps.sweep import sweeps
from solver.bound.sweeps.training import Trainer
from solver.model.units import POINT
from solver.search.run import Run
from tests.bound.games import Small


def text_of(game: Small, name: str) -> str:
    with ThreadPoolExecutor(1) as pool:
        relaxation = RELAXATIONS[name].make(game.problem, pool)
        bound = relaxation.evaluate(game.prices)
    assert bound is not None
    return certificate(game.problem, Bound(name, relaxation.parameters, bound, game.prices, 1))


def swept(game: Small, states: int, trainer: Trainer | None = None) -> str:
    """A certificate of r3 whose bound comes from a sweep."""
    with ThreadPoolExecutor(1) as pool:
        of_prices = RELAXATIONS["r3"].make(game.problem, pool).evaluate(game.prices)
    assert of_prices is not None
    points, foci = of_prices // POINT, ()
    for lower, outlooks in sweeps(game.problem, Run(), game.prices, states, of_prices / POINT, trainer):
        points, foci = lower, tuple(outlooks.foci[1:])
    return certificate(game.problem, Bound("r3", {}, points * POINT, game.prices, 1, of_prices, foci))
