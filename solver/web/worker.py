"""A search for the page, in a process of its own: one job on standard input, events on standard output, a JSON line each."""

import json
import os
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from itertools import accumulate
from pathlib import Path
from typing import Any

from solver.bound.schedule import tighten_upper_bound
from solver.errors import RowdrawError
from solver.index.problem import Problem
from solver.model.puzzle import Puzzle
from solver.model.solution import Solution, Turn
from solver.search.beam import best_after
from solver.search.hand import after_all
from solver.search.run import Progress, Run
from solver.solving.analysis import analyse
from solver.solving.strategies import make_strategy
from verify.threads import ThreadPool

Tell = Callable[[dict[str, Any]], None]

_EVERY = 0.15  # seconds between two reports of progress
_WIDTHS = (50, 400, 3_000)  # of the beams that refine what is told of a position
_TRIED = 12  # plays of a rack that are looked at
_BOUND_SECONDS = 5.0
_REVIEW = (100, 2_000)  # widths of the beams that look for what each turn lost


def puzzle_fields(puzzle: Puzzle) -> dict[str, Any]:
    """A puzzle as a job tells it."""
    return {
        "name": puzzle.name,
        "row": puzzle.row,
        "rack_size": puzzle.rack_size,
        "words": puzzle.words,
        "values": dict(puzzle.values),
        "own_words": None if puzzle.own_words is None else str(puzzle.own_words),
        "bonus": puzzle.bonus,
    }


def run_job(job: dict[str, Any], tell: Tell) -> None:
    """Do a job of those in `JOBS`. Raises `RowdrawError`."""
    fields = job["puzzle"]
    own_words = None if fields["own_words"] is None else Path(fields["own_words"])
    problem = Problem.of(Puzzle(**{**fields, "own_words": own_words}))
    turns = tuple(Turn(*turn) for turn in job["turns"])
    JOBS[job["kind"]](problem, turns, job, tell)


def _solve(problem: Problem, turns: tuple[Turn, ...], job: dict[str, Any], tell: Tell) -> None:
    """Search with any strategy from a position on; tells how far it is, and each better game."""
    strategy = make_strategy(job["strategy"])
    if turns and not getattr(strategy, "goes_on", False):
        raise RowdrawError(f"{strategy.name} begins every game itself: start over, or choose beam, widening or greedy")
    told, score = 0.0, -1

    def watch(run: Run, progress: Progress) -> None:
        nonlocal told, score
        if run.incumbent.score != score:
            score = run.incumbent.score
            tell({"event": "better", "score": score, "turns": _lines(run.incumbent), "seconds": run.elapsed})
        if run.elapsed - told > _EVERY:
            told = run.elapsed
            where = {"label": progress.label, "done": progress.done, "total": progress.total}
            tell({"event": "progress", **where, "seconds": run.elapsed, "racks": run.racks, "score": score})

    run = Run(0, job["threads"], job["seconds"], opening=turns, watch=watch)
    strategy.search(problem, run)
    found = run.incumbent
    tell({"event": "better", "score": found.score, "turns": _lines(found), "seconds": run.elapsed, "bound": run.bound})


def _reach(problem: Problem, turns: tuple[Turn, ...], job: dict[str, Any], tell: Tell) -> None:
    """What can still be reached from a position, and after the best plays of a rack; wider and wider beams."""
    left = job.get("left")
    tried = [] if left is None else _plays(problem, turns, left)
    with ThreadPool(job["threads"]) as pool:
        for width in _WIDTHS:
            best = best_after(problem, turns, width, pool, job["threads"])
            tell({"event": "reach", "width": width, "score": best.score})
            for turn in tried:
                after = best_after(problem, (*turns, turn), width, pool, job["threads"])
                tell({"event": "play", "width": width, "line": str(turn), "score": after.score})


def _plays(problem: Problem, turns: tuple[Turn, ...], left: int) -> list[Turn]:
    hand = after_all(problem, turns)
    plays = problem.finder.best([hand.drawn(problem, left).leave], top=_TRIED)[0]
    return [Turn(left, *play) for play in plays]


def _review(problem: Problem, turns: tuple[Turn, ...], job: dict[str, Any], tell: Tell) -> None:
    """What each turn of a game lost; twice, the second time more carefully."""
    totals = list(accumulate(turn.score for turn in turns))
    for width in _REVIEW:
        run = Run(threads=job["threads"])
        found = analyse(problem, Solution(turns), run, width)
        lost = [
            {
                "line": str(turn.turn),
                "total": total,
                "reachable": turn.reachable,
                "lost": turn.lost,
                "better": None if turn.better is None else str(turn.better),
            }
            for turn, total in zip(found.turns, totals, strict=True)
        ]
        is_last = width == _REVIEW[-1]
        tell({"event": "review", "complete": is_last, "reachable": found.reachable, "turns": lost})


def _bound(problem: Problem, _turns: tuple[Turn, ...], job: dict[str, Any], tell: Tell) -> None:
    """A quick score that no game exceeds."""
    run = Run(threads=job["threads"], seconds=_BOUND_SECONDS)
    tell({"event": "bound", "bound": tighten_upper_bound(problem, "r1", run).value})


def _lines(solution: Solution) -> list[str]:
    return [str(turn) for turn in solution.turns]


JOBS: dict[str, Callable[[Problem, tuple[Turn, ...], dict[str, Any], Tell], None]] = {
    "solve": _solve,
    "reach": _reach,
    "review": _review,
    "bound": _bound,
}


def main() -> None:
    """Load everything, then wait for a job and do it: so a search that begins later begins at once."""
    from solver.solving.warmup import warm_up

    with suppress(OSError, AttributeError):  # Windows has no such call
        os.nice(5)  # plays are answered first
    warm_up(lambda _message: None)
    line = sys.stdin.readline()
    if not line:
        return
    threading.Thread(target=_end_with_server, daemon=True).start()
    began = time.perf_counter()

    def tell(event: dict[str, Any]) -> None:
        sys.stdout.write(json.dumps(event) + "\n")
        sys.stdout.flush()

    try:
        run_job(json.loads(line), tell)
        tell({"event": "done", "seconds": time.perf_counter() - began})
    except RowdrawError as error:
        tell({"event": "error", "message": str(error)})
    except BrokenPipeError:
        os._exit(0)


def _end_with_server() -> None:
    """Wait for the end of the input: it comes when the server is gone, however that happened."""
    while os.read(sys.stdin.fileno(), 1 << 12):
        pass
    os._exit(0)


if __name__ == "__main__":
    main()
