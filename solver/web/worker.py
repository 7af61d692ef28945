"""The process of one search: it reads a job from standard input and writes events to standard output, each a line of JSON."""

import json
import os
import sys
import threading
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
from solver.model.puzzle import Puzzle
from solver.model.solution import Solution, Turn
from solver.model.tiles import encode
from solver.model.units import SCALE
from solver.search.beam import best_after
from solver.search.beam_prices import tile_prices
from solver.search.hand import after_all, racks_of
from solver.search.run import Progress, Run
from solver.solving.solve import suited_strategy
from solver.solving.strategies import make_strategy
from verify.threads import ThreadPool

Send = Callable[[dict[str, Any]], None]

_EVERY = 0.15  # seconds between two reports of progress
_WIDTHS = (50, 400, 3_000)  # of the beams that continue a position
_TRIED = (40, 12, 5)  # plays that beams of these widths continue
_COMPARED = 60  # best plays of a draw, by points, from which the promising ones are chosen
_EXACT_SECONDS, _BOUND_SECONDS = 30.0, 5.0
_REVIEW = (100, 2_000)  # widths of the beams that compute what each turn lost


def puzzle_fields(puzzle: Puzzle) -> dict[str, Any]:
    """Return a puzzle as the fields of a job."""
    return {**asdict(puzzle), "own_words": None if puzzle.own_words is None else str(puzzle.own_words)}


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
        raise RowdrawError(f"{strategy.name} begins every game itself: start over, or choose beam, widening or greedy")
    reported, score = 0.0, -1

    def watch(run: Run, progress: Progress) -> None:
        nonlocal reported, score
        if run.incumbent.score != score:
            score = run.incumbent.score
            send({"event": "better", "score": score, "turns": _lines(run.incumbent), "seconds": run.elapsed})
        if run.elapsed - reported > _EVERY:
            reported = run.elapsed
            where = {"label": progress.label, "done": progress.done, "total": progress.total}
            send({"event": "progress", **where, "seconds": run.elapsed, "racks": run.racks, "score": score})

    run = Run(0, job["threads"], job["seconds"], opening=turns, watch=watch)
    strategy.search(problem, run)
    best = run.incumbent
    send({"event": "better", "score": best.score, "turns": _lines(best), "seconds": run.elapsed, "bound": run.bound})


def _reach(problem: Problem, turns: tuple[Turn, ...], job: dict[str, Any], send: Send) -> None:
    """Send games that continue a position, found by wider and wider beams."""
    with ThreadPool(job["threads"]) as pool:
        for width in _WIDTHS:
            _send_game(send, best_after(problem, turns, width, pool, job["threads"]))


def _plays(problem: Problem, turns: tuple[Turn, ...], job: dict[str, Any], send: Send) -> None:
    """Send games that continue a position, one for each promising play of all its draws.

    The widest beams continue only the plays that narrower ones found best.
    """
    tried = _promising_turns(problem, turns, _TRIED[0])
    with ThreadPool(job["threads"]) as pool:
        for width, most in zip(_WIDTHS, _TRIED, strict=True):
            _send_game(send, best_after(problem, turns, width, pool, job["threads"]))
            scores = {}
            for turn in tried[:most]:
                game = best_after(problem, (*turns, turn), width, pool, job["threads"])
                scores[turn] = game.score
                _send_game(send, game)
            tried = sorted(scores, key=lambda turn: -scores[turn])


def _promising_turns(problem: Problem, turns: tuple[Turn, ...], most: int) -> list[Turn]:
    """Return turns that may continue a position, by the priority that a beam gives them: the best word of each set of tiles."""
    hand, prices = after_all(problem, turns), tile_prices(problem)
    draws = hand.choices(problem)
    found: dict[tuple[int, str], tuple[float, Turn]] = {}
    for left, plays in zip(draws, problem.finder.best(racks_of(problem, hand), top=_COMPARED), strict=True):
        for play in plays:
            priority = SCALE * play.score - int(prices[encode(play.tiles)].sum())
            # plays come best first
            found.setdefault((left, "".join(sorted(play.tiles))), (priority, Turn(left, *play)))
    return [turn for _priority, turn in sorted(found.values(), key=lambda one: -one[0])[:most]]


def _review(problem: Problem, turns: tuple[Turn, ...], job: dict[str, Any], send: Send) -> None:
    """Send games that continue each position of a game, from the last to the first, with narrow beams, then with wide ones."""
    with ThreadPool(job["threads"]) as pool:
        for width in _REVIEW:
            for played in range(len(turns), -1, -1):
                _send_game(send, best_after(problem, turns[:played], width, pool, job["threads"]))


def _bound(problem: Problem, _turns: tuple[Turn, ...], job: dict[str, Any], send: Send) -> None:
    """Send a score that no game exceeds: on a short row the best possible one, with its game."""
    if suited_strategy(problem, _EXACT_SECONDS) == "exact":
        run = Run(threads=job["threads"], seconds=_EXACT_SECONDS)
        make_strategy("exact").search(problem, run)
        _send_game(send, run.incumbent)
        bound = run.bound
    else:
        bound = tighten_upper_bound(problem, "r1", Run(threads=job["threads"], seconds=_BOUND_SECONDS)).value
    if bound is not None:
        send({"event": "bound", "bound": bound})


def _send_game(send: Send, game: Solution) -> None:
    send({"event": "game", "score": game.score, "turns": _lines(game)})


def _lines(solution: Solution) -> list[str]:
    return [str(turn) for turn in solution.turns]


JOBS: dict[str, Callable[[Problem, tuple[Turn, ...], dict[str, Any], Send], None]] = {
    "solve": _solve,
    "reach": _reach,
    "plays": _plays,
    "review": _review,
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
    threading.Thread(target=_end_with_server, daemon=True).start()
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


def _end_with_server() -> None:
    """Exit at the end of the input, which comes when the server exits or is killed."""
    while os.read(sys.stdin.fileno(), 1 << 12):
        pass
    _exit(0)
