"""Execution of a plan, here or on a cluster: each run is written into the journal as soon as it ends.

Each run has a process of its own, which reads a task and writes a journal line. So a crash or a lack of memory ends no other
run, and all runs start under equal conditions.
"""

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from contextlib import contextmanager, suppress
from os import _exit  # itself, whatever a plug-in finds in its place
from typing import TYPE_CHECKING

import msgspec
from msgspec.structs import asdict

from solver.errors import RowdrawError, require
from solver.lab.compare.runs import Failure, Journal, Outcome, RunRules, Task, forbid_plans, line_of
from solver.lab.python import end_with_parent, python_command
from verify.threads import ThreadPool

if TYPE_CHECKING:
    from solver.search.run import Run

_ABANDONED = 600  # seconds beyond its budget after which a run is killed
_LONGEST_ERROR = 2000  # characters kept
_UNCOUNTED = (
    60  # seconds without another rack after which a class under a budget of racks is stopped
)


def run_isolated(task: Task) -> Outcome:
    """Run `task` in a new process. Never raises: any failure becomes a `Failure`."""
    seconds = task.limit.seconds
    # in a new session, so that Ctrl-C reaches only the comparison, which then ends its runs itself
    process = subprocess.Popen(
        python_command("from solver.lab.compare.execute import work; work()"),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        # what a plug-in or a library prints there may be in any encoding
        errors="replace",
        start_new_session=True,
    )
    assert process.stdin is not None
    lifeline, process.stdin = process.stdin, None
    _running.add(process)
    if _ending.is_set():  # it was started while the others were killed
        process.kill()
    try:
        with suppress(BrokenPipeError):  # it has exited already, and its stderr says why
            lifeline.write(f"{line_of(task).decode()}\n")
            lifeline.flush()
        out, err = process.communicate(timeout=None if seconds is None else seconds + _ABANDONED)
    except subprocess.TimeoutExpired:
        process.kill()
        out, err = process.communicate()
        err = f"given up {_ABANDONED} s after its budget\n{err}"
    finally:
        _running.discard(process)
        with suppress(BrokenPipeError):
            lifeline.close()
    try:
        if process.returncode != 0:
            raise ValueError
        return msgspec.convert(json.loads(out), Outcome)
    except ValueError:
        reason = (
            err.strip()[-_LONGEST_ERROR:]
            or "its process ended before it had printed its answer, and without a message"
        )
        return failed(task, f"exit {process.returncode}: {reason}")


def failed(task: Task, error: str) -> Failure:
    """Return a run that ended with an error."""
    return Failure(**asdict(task), key=task.key, error=error, finished=now())


def now() -> str:
    """Return the time as a journal writes it, in UTC."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())


_running: set["subprocess.Popen[str]"] = set()
_ending = threading.Event()


def run_here(task: Task) -> Outcome:
    """Run `task` in this process, with compiled kernels, and let the referee confirm the solution."""
    from solver.index.problem import Problem
    from solver.model.puzzle import load_puzzle
    from solver.search.run import GRACE, Ending
    from solver.solving.order import Order
    from solver.solving.result import machine, versions
    from solver.solving.solve import carry_out

    rules = load_puzzle(task.puzzle, task.words)
    if rules.digest != task.puzzle_digest:
        raise ValueError(
            f"puzzle {task.puzzle} differs from the one that the comparison was planned with"
        )
    budget = task.limit
    order = Order(
        strategy=task.strategy,
        seconds=budget.seconds,
        racks=budget.racks,
        seed=task.seed,
        threads=task.threads,
        grace=GRACE,
    )
    result = carry_out(Problem(rules), order, Ending())[0]
    return Outcome(
        **asdict(task),
        key=task.key,
        score=result.score,
        seconds=result.seconds,
        cpu_seconds=result.cpu_seconds,
        racks=result.racks,
        complete=result.complete,
        trace=[(point.seconds, point.racks, point.score) for point in result.trace],
        late=[(point.seconds, point.racks, point.score) for point in result.late],
        solution=[str(turn) for turn in result.turns],
        rules=RunRules(rules.row, rules.rack_size, dict(rules.values), rules.bonus),
        notes=result.notes,
        parameters=result.parameters,
        versions=versions(),
        machine=machine(),
        finished=now(),
    )


def work() -> None:
    """Run the task on standard input, and print its journal line."""
    # without this, libraries would start more threads than the task may have
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ[name] = "1"
    task = msgspec.convert(json.loads(sys.stdin.readline()), Task)
    forbid_plans()
    # a strategy may print to standard output
    outcomes = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    end_with_parent()
    try:
        outcome = line_of(run_here(task)).decode()
    except RowdrawError as error:
        sys.exit(str(error))
    with outcomes:
        outcomes.write(outcome)


def _require_racks(run: "Run", task: Task) -> None:
    """Let this process fail when a class under a budget of racks has counted none for a while: it would never end."""
    if "+" not in task.code:
        return  # the strategies of the package count

    def watch() -> None:
        counted = -1
        while run.racks > counted:
            counted = run.racks
            time.sleep(_UNCOUNTED)
        print(
            f"strategy {task.label} has counted no rack for {_UNCOUNTED:g} s under a budget of {run.rack_budget:,} racks, "
            f"after {counted:,}: expected it to add each rack that it looks at to run.racks, or a budget such as 10s",
            file=sys.stderr,
            flush=True,
        )
        _exit(1)

    threading.Thread(target=watch, daemon=True).start()


LOCAL = "local"  # the address that stands for a cluster started here
_ATTEMPTS = 3  # how often a run is tried if its worker is lost


class ClusterError(RowdrawError):
    """A cluster that cannot be reached or used."""


def run_plan(
    tasks: Sequence[Task],
    journal: Journal,
    executor: Executor,
    note: Callable[[Outcome], None],
    window: int,
) -> None:
    """Run `tasks`, at most `window` at a time in the executor; append each run to `journal`, then call `note` with it.

    A run whose worker is lost is tried again. A run that fails is kept with its error, and the others continue.
    """
    waiting = list(reversed(tasks))
    attempts: dict[str, int] = {}
    running: dict[Future[Outcome], Task] = {}
    while waiting or running:
        while waiting and len(running) < window:
            task = waiting.pop()
            attempts[task.key] = attempts.get(task.key, 0) + 1
            running[executor.submit(run_isolated, task)] = task
        done, _ = wait(running, return_when=FIRST_COMPLETED)
        for future in done:
            task = running.pop(future)
            error = future.exception()
            if error is not None and attempts[task.key] < _ATTEMPTS:
                waiting.append(task)
                continue
            outcome = (
                future.result()
                if error is None
                else failed(task, f"{type(error).__name__}: {error}")
            )
            journal.append(outcome)
            note(outcome)


@contextmanager
def local_executor(jobs: int) -> Iterator[Executor]:
    """Execute runs on this machine, each in its own process; leaving the context early kills them."""
    _ending.clear()
    pool = ThreadPool(jobs)
    try:
        yield pool
    except BaseException:
        pool.shutdown(wait=False, cancel_futures=True)
        _ending.set()
        for process in list(_running):
            process.kill()
        raise
    finally:
        pool.shutdown()


@contextmanager
def dask_executor(scheduler: str, jobs: int) -> Iterator[Executor]:
    """Execute runs on the workers of a dask cluster. Another worker repeats the runs of a lost one.

    Args:
        scheduler: The address of the scheduler, or `LOCAL` for a cluster started here.
        jobs: The workers of a cluster started here.

    Raises:
        ClusterError: There is no connection.
    """
    require("cluster", "distributed")
    from distributed import Client, LocalCluster
    from distributed.comm.addressing import parse_address, parse_host_port

    cluster = None
    try:
        if scheduler == LOCAL:
            cluster = LocalCluster(
                n_workers=jobs, threads_per_worker=1, processes=True, dashboard_address=None
            )
        else:
            # a client with an address that cannot be read raises once more when it is collected
            parse_host_port(parse_address(scheduler)[1])
        client = Client(cluster or scheduler, timeout="10s", set_as_default=False)
    except (OSError, ValueError) as error:
        if cluster is not None:
            cluster.close()
        raise ClusterError(f"scheduler {scheduler}: cannot be reached ({error})") from error
    try:
        with client:
            yield client.get_executor(pure=False, retries=_ATTEMPTS)
    finally:
        if cluster is not None:
            cluster.close()
