"""The process of one search: it reads a job and writes events, each a line of JSON."""

import json
import os
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import Any

from solver.errors import RowdrawError
from solver.index.problem import Problem
from solver.lab.python import end_with_parent
from solver.model.solution import Solution, Turn
from solver.search.run import Ending, Progress, Run
from solver.solving.bounding import lowest_bound
from solver.solving.order import Order, Reports
from solver.solving.solve import carry_out
from solver.solving.strategies import can
from verify.bound.certificate import LONGEST_ROW
from verify.rules import unpacked

Send = Callable[[dict[str, Any]], None]

_EVERY = 0.15  # seconds between two reports of progress
_EXACT_SECONDS = 120.0
_BOUND_SECONDS = 10.0


def _solve(problem: Problem, turns: tuple[Turn, ...], job: dict[str, Any], send: Send) -> None:
    """Search from a position with any strategy; report progress, and each better game."""
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
            send(
                {
                    "event": "progress",
                    "label": progress.label,
                    "done": progress.done,
                    "total": progress.total,
                    "seconds": run.elapsed,
                    "racks": run.racks,
                    "score": score,
                }
            )

    order = Order(job["strategy"], job["seconds"], threads=job["threads"], after=turns)
    result = carry_out(problem, order, Ending(), Reports(watch))[0]
    send(
        {
            "event": "better",
            "score": result.score,
            "turns": _lines(result.solution),
            "seconds": result.seconds,
            "bound": result.bound,
        }
    )


def _bound(problem: Problem, _turns: tuple[Turn, ...], job: dict[str, Any], send: Send) -> None:
    """Send a score that no game exceeds: on a short row the best possible one, with its game."""
    order = Order(seconds=_EXACT_SECONDS, threads=job["threads"])
    if can(order.chosen(problem), "proves"):
        result = carry_out(problem, order, Ending())[0]
        send({"event": "game", "score": result.score, "turns": _lines(result.solution)})
        bound = result.bound
    elif len(problem.puzzle.row) > LONGEST_ROW:
        return  # takes too much time and memory for a server
    else:
        order = replace(order, seconds=_BOUND_SECONDS)
        bound = lowest_bound(problem, order, Ending(), Reports(), states=0)[0].points
    if bound is not None:
        send({"event": "bound", "bound": bound})


def _lines(solution: Solution) -> list[str]:
    return [str(turn) for turn in solution.turns]


JOBS: dict[str, Callable[[Problem, tuple[Turn, ...], dict[str, Any], Send], None]] = {
    "solve": _solve,
    "bound": _bound,
}


def main() -> None:
    """Load everything, wait for a job and run it.

    So a search begins at once in a process that is already there.
    """
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
        job = json.loads(line)
        problem = Problem(unpacked(job["puzzle"]))
        turns = tuple(Turn(*turn) for turn in job["turns"])
        JOBS[job["kind"]](problem, turns, job, send)
        send({"event": "done", "seconds": time.perf_counter() - began})
    except RowdrawError as error:
        send({"event": "error", "message": str(error)})
    except BrokenPipeError:
        os._exit(0)
