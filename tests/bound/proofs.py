"""Certificates of small puzzles, as the solver makes them."""

from concurrent.futures import ThreadPoolExecutor

from solver.bound.ascent import Bound
from solver.bound.certificate import certificate
from solver.bound.schedule import make_relaxation
from solver.bound.sweeps.campaign import sweeps
from solver.bound.sweeps.training import Trainer
from solver.search.run import Run
from tests.bound.games import Small


def text_of(game: Small, name: str) -> str:
    with ThreadPoolExecutor(1) as pool:
        relaxation = make_relaxation(name, game.problem, pool)
        bound = relaxation.evaluate(game.prices)
    assert bound is not None
    return certificate(game.problem, Bound(name, game.prices, bound, relaxation.width))


def swept(game: Small, states: int, trainer: Trainer | None = None) -> str:
    """A certificate of r3 whose bound comes from a sweep."""
    with ThreadPoolExecutor(1) as pool:
        of_prices = make_relaxation("r3", game.problem, pool).evaluate(game.prices)
    assert of_prices is not None
    bound = Bound("r3", game.prices, of_prices)
    for lower in sweeps(game.problem, Run(), bound, states, trainer):
        bound = lower
    return certificate(game.problem, bound)
