"""One run of a comparison, in its own process, which reads a task and writes a journal line.

A crash or a lack of memory ends no other run, and all runs start under equal conditions.
"""

import json
import os
import subprocess
import sys
import threading
import time
from contextlib import suppress
from dataclasses import asdict
from os import _exit  # itself, whatever a plug-in finds in its place
from pathlib import Path
from typing import Any

from solver.errors import RowdrawError
from solver.lab.compare.plan import Budget, forbid_plans
from solver.lab.python import python_command

Outcome = dict[str, Any]

_GRACE = 600  # seconds beyond its budget after which a run is killed
_LONGEST_ERROR = 2000  # characters kept


def run_isolated(task: dict[str, Any]) -> Outcome:
    """Run `task` (`Task.as_dict`) in a new process. Never raises: any failure becomes the `error` of the line."""
    seconds = Budget.parse(task["budget"]).seconds
    # in a new session, so that Ctrl-C reaches only the comparison, which then ends its runs itself
    process = subprocess.Popen(
        python_command("from solver.lab.compare.work import work; work()"),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        start_new_session=True,
    )
    assert process.stdin is not None
    lifeline, process.stdin = process.stdin, None
    _running.add(process)
    if _ending.is_set():  # it was started while the others were killed
        process.kill()
    try:
        with suppress(BrokenPipeError):  # it has exited already, and its stderr says why
            lifeline.write(f"{json.dumps(task)}\n")
            lifeline.flush()
        out, err = process.communicate(timeout=None if seconds is None else seconds + _GRACE)
    except subprocess.TimeoutExpired:
        process.kill()
        out, err = process.communicate()
        err = f"given up {_GRACE} s after its budget\n{err}"
    finally:
        _running.discard(process)
        with suppress(BrokenPipeError):
            lifeline.close()
    try:
        if process.returncode != 0:
            raise ValueError
        outcome: Outcome = json.loads(out)
    except ValueError:
        reason = err.strip()[-_LONGEST_ERROR:] or "its process ended before it had printed its answer, and without a message"
        outcome = failed(task, f"exit {process.returncode}: {reason}")
    return outcome


def failed(task: dict[str, Any], error: str) -> Outcome:
    """Return the journal line of a run that ended with an error."""
    return {**task, "error": error, "finished": now()}


def now() -> str:
    """Return the time as a journal writes it, in UTC."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())


_running: set["subprocess.Popen[str]"] = set()
_ending = threading.Event()


def begin() -> None:
    """Let runs start again after `end_all`."""
    _ending.clear()


def end_all() -> None:
    """Kill the runs that this process has started or is about to start."""
    _ending.set()
    for process in list(_running):
        process.kill()


def run_here(task: dict[str, Any]) -> Outcome:
    """Run `task` in this process, with compiled kernels, and let the referee confirm the solution."""
    from solver.index.problem import Problem
    from solver.model.puzzle import load_puzzle
    from solver.search.run import Run
    from solver.solving.confirm import confirm
    from solver.solving.result import machine, versions
    from solver.solving.solve import search
    from solver.solving.strategies import is_program, make_strategy
    from solver.solving.warmup import load_kernels

    words = task["words"]
    problem = Problem.of(load_puzzle(task["puzzle"], words and Path(words)))
    if problem.puzzle.digest(problem.lexicon.digest) != task["puzzle_digest"]:
        raise ValueError(f"puzzle {task['puzzle']} differs from the one that the comparison was planned with")
    strategy = make_strategy(task["strategy"])
    # loaded before the clock starts, because it takes the same time for every strategy
    problem.rules  # noqa: B018
    if not is_program(task["strategy"]):
        load_kernels()
        if strategy.name == "exact":
            # imported only here, because every run begins a process, and few of them need it
            from solver.solving.compile_all import load_bounds

            load_bounds()
        problem.finder  # noqa: B018
        if problem.has_closed_index:
            problem.closed  # noqa: B018
    budget = Budget.parse(task["budget"])
    run = Run(seed=task["seed"], threads=task["threads"], seconds=budget.seconds, rack_budget=budget.racks)
    result = search(problem, strategy, run)
    verdict = confirm(problem, result)
    return {
        **task,
        "score": verdict.score,
        "seconds": result.seconds,
        "cpu_seconds": result.cpu_seconds,
        "racks": result.racks,
        "complete": result.complete,
        "trace": [[point.seconds, point.racks, point.score] for point in result.trace],
        "solution": [str(turn) for turn in result.solution.turns],
        "rules": {
            "row": problem.puzzle.row,
            "rack": problem.puzzle.rack_size,
            "values": dict(problem.puzzle.values),
            **({"bonus": problem.puzzle.bonus} if problem.puzzle.bonus else {}),
        },
        "notes": run.notes,
        "parameters": asdict(strategy.parameters),
        "versions": versions(),
        "machine": machine(),
        "finished": now(),
    }


def work() -> None:
    """Run the task on standard input, and print its journal line."""
    # without this, libraries would start more threads than the task may have
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ[name] = "1"
    task = json.loads(sys.stdin.readline())
    forbid_plans()
    # a strategy may print to standard output
    outcomes = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    try:
        outcome = json.dumps(run_here(task))
    except RowdrawError as error:
        sys.exit(str(error))
    with outcomes:
        outcomes.write(outcome)


def _end_with_parent() -> None:
    """Exit when standard input is closed: then the comparison that started this process is gone."""
    while os.read(0, 1):
        pass
    _exit(1)
