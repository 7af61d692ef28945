"""The process of one search: it reads a job from standard input and writes events to standard output, each a line of JSON."""

import json
import os
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict
from os import _exit  # itself, whatever a plug-in finds in its place
from pathlib import Path
from typing import Any

from solver.bound.schedule import tighten_upper_bound
from solver.errors import RowdrawError
from solver.index.problem import Problem
from solver.lab.python import end_with_parent
from solver.model.puzzle import Puzzle
from solver.model.solution import Solution, Turn
from solver.search.run import Progress, Run
from solver.solving.order import suited_strategy
from solver.solving.strategies import make_strategy

Send = Callable[[dict[str, Any]], None]

_EVERY = 0.15  # seconds between two reports of progress
_EXACT_SECONDS, _BOUND_SECONDS = 120.0, 5.0


def puzzle_fields(puzzle: Puzzle) -> dict[str, Any]:
    """Return a puzzle as the fields of a job."""
    return {
        **asdict(puzzle),
        "own_words": None if puzzle.own_words is None else str(puzzle.own_words),
    }


def _run_job(job: dict[str, Any], send: Send) -> None:
    """Run a job, one of `JOBS`. Raises `RowdrawError`."""
    fields = job["puzzle"]
    own_words = None if fields["own_words"] is None else Path(fields["own_words"])
    problem = Problem.of(Puzzle(**{**fields, "own_words": own_words}))
    turns = tuple(Turn(*turn) for turn in job["turns"])
    JOBS[job["kind"]](problem, turns, job, send)


def _solve(problem: Problem, turns: tuple[Turn, ...], job: dict[str, Any], send: Send) -> None:
    """Search from a position with any strategy; report progress, and each better game."""
    strategy = make_strategy(job["strategy"])
    if turns and not getattr(strategy, "goes_on", False):
        raise RowdrawError(
            f"{strategy.name} begins every game itself: start over, or choose beam, widening or greedy"
        )
    reported, score = 0.0, -1

    def watch(run: Run, progress: Progress) -> None:
        nonlocal reported, score
        if run.incumbent.score != score:
            score = run.incumbent.score
            send(
                {
                    "event": "better",
                    "score": score,
                    "turns": _lines(run.incumbent),
                    "seconds": run.elapsed,
                }
            )
        if run.elapsed - reported > _EVERY:
            reported = run.elapsed
            where = {"label": progress.label, "done": progress.done, "total": progress.total}
            send(
                {
                    "event": "progress",
                    **where,
                    "seconds": run.elapsed,
                    "racks": run.racks,
                    "score": score,
                }
            )

    run = Run(0, job["threads"], job["seconds"], opening=turns, watch=watch)
    strategy.search(problem, run)
    best = run.incumbent
    send(
        {
            "event": "better",
            "score": best.score,
            "turns": _lines(best),
            "seconds": run.elapsed,
            "bound": run.bound,
        }
    )


def _bound(problem: Problem, _turns: tuple[Turn, ...], job: dict[str, Any], send: Send) -> None:
    """Send a score that no game exceeds: on a short row the best possible one, with its game."""
    if suited_strategy(problem, _EXACT_SECONDS) == "exact":
        run = Run(threads=job["threads"], seconds=_EXACT_SECONDS)
        make_strategy("exact").search(problem, run)
        send({"event": "game", "score": run.incumbent.score, "turns": _lines(run.incumbent)})
        bound = run.bound
    else:
        bound = tighten_upper_bound(
            problem, "r1", Run(threads=job["threads"], seconds=_BOUND_SECONDS)
        ).points
    if bound is not None:
        send({"event": "bound", "bound": bound})


def _lines(solution: Solution) -> list[str]:
    return [str(turn) for turn in solution.turns]


JOBS: dict[str, Callable[[Problem, tuple[Turn, ...], dict[str, Any], Send], None]] = {
    "solve": _solve,
    "bound": _bound,
}


def main() -> None:
    """Load everything, wait for a job and run it. So a search begins at once in a process that is already there."""
    from solver.solving.warmup import warm_up

    with suppress(OSError, AttributeError):  # Windows has no such call
        os.nice(5)  # the server's own answers come first
    warm_up(lambda _message: None)
    line = sys.stdin.readline()
    if not line:
        return
    end_with_parent()
    began = time.perf_counter()

    def send(event: dict[str, Any]) -> None:
        sys.stdout.write(json.dumps(event) + "\n")
        sys.stdout.flush()

    try:
        _run_job(json.loads(line), send)
        send({"event": "done", "seconds": time.perf_counter() - began})
    except RowdrawError as error:
        send({"event": "error", "message": str(error)})
    except BrokenPipeError:
        _exit(0)
