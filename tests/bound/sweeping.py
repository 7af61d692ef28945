"""A small proof in a folder, for tests that stop it or damage its files."""

from pathlib import Path

from solver.bound.ascent import Bound
from solver.bound.sweeps.campaign import sweeps
from solver.bound.sweeps.folder import Folder
from solver.bound.sweeps.training import Trainer
from solver.index.problem import Problem
from solver.model.solution import Solution
from solver.search.run import Run
from tests.bound.games import small

GAME = small("aeostz?eastoz", 5, 3)
START = Bound("r3", GAME.prices, 10**9)


def swept_in(
    folder: Path, games: list[Solution], limit: int | None = None, trainer: Trainer | None = None
) -> tuple[int, list[tuple[int, int]]]:
    """Sweep in a folder until no gap is left; return the bound, and claim and racks of each sweep.

    games: those that earlier processes have found, and this one finds.
    trainer: None to train no prices.
    """
    workspace = Folder(GAME.problem, folder)
    run = Run(rack_budget=limit)
    for game in games:
        run.offer(game)
    run.found = lambda _run, game: games.append(game)
    bounds = list(sweeps(GAME.problem, run, workspace.bound or START, 10**9, trainer or never(GAME.problem), workspace))
    assert bounds[-1:] in ([], [workspace.bound])
    stage = workspace.stage()
    assert stage is not None
    assert stage.tally is not None
    racks = [(one.claim, one.racks) for one in stage.measured]
    return bounds[-1].points if bounds else 0, [*racks, (stage.tally.claim, stage.tally.racks)]


def never(problem: Problem) -> Trainer:
    return Trainer(problem, least=10**9)


class KilledError(Exception):
    """What stands for the end of the process."""
