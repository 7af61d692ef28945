"""Executes a plan, here or on a cluster, and writes each run into the journal as soon as it ends.

Each run searches in a process of its own, and is timed and judged in this one. So a crash or a lack
of memory ends no other run, and all runs start under equal conditions. On Windows, where no process
can be contained, runs search in this one.
"""

import os
import signal
import threading
import time
from collections.abc import Generator, Iterator, Sequence
from concurrent.futures import Executor, as_completed
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import astuple

from msgspec.structs import asdict

from solver.errors import RefereeDisagreementError, RowdrawError, require
from solver.index.problem import Problem
from solver.lab.compare.apart import Apart
from solver.lab.compare.runs import NO_ANSWER, Journal, Outcome, Task, recorded_rules
from solver.model.puzzle import load_puzzle
from solver.search.run import GRACE, Ending
from solver.solving.order import Order
from solver.solving.result import machine, versions
from solver.solving.solve import carry_out
from solver.solving.strategies import is_program
from verify.threads import ThreadPool

_LONGEST_ERROR = 2000  # characters kept

_running: set[Ending] = set()
_is_stopping = threading.Event()


def run_isolated(task: Task) -> Outcome:
    """Run `task` in a new process. Never raises: any failure is that of the outcome."""
    ending = Ending()
    _running.add(ending)
    try:
        if _is_stopping.is_set():  # it was started while the others were stopped
            return failed(task, "interrupted")
        return _run(task, ending)
    except (RowdrawError, RefereeDisagreementError) as error:
        return failed(task, str(error))
    except Exception as error:
        return failed(task, f"{type(error).__name__}: {error}")
    finally:
        _running.discard(ending)


def _run(task: Task, ending: Ending) -> Outcome:
    rules = load_puzzle(task.puzzle, task.words)
    if rules.digest != task.puzzle_digest:
        raise RowdrawError(
            f"puzzle {task.puzzle} differs from the one that the comparison was planned with"
        )
    is_here = is_program(task.strategy) or os.name != "posix"
    order = Order(
        strategy=task.strategy if is_here else Apart(task),
        seconds=task.limit.seconds,
        racks=task.limit.racks,
        seed=task.seed,
        threads=task.threads,
        grace=GRACE,
    )
    result = carry_out(Problem(rules), order, ending)[0]
    return Outcome(
        **asdict(task),
        key=task.key,
        score=result.score,
        seconds=result.seconds,
        cpu_seconds=result.cpu_seconds,
        racks=result.racks,
        complete=result.complete,
        trace=list(map(astuple, result.trace)),
        late=list(map(astuple, result.late)),
        solution=list(map(str, result.turns)),
        rules=recorded_rules(rules),
        notes=result.notes,
        versions=versions(),
        machine=machine(),
        finished=now(),
    )


def failed(task: Task, error: str) -> Outcome:
    """Return a run that ended with an error."""
    return Outcome(
        **asdict(task),
        **NO_ANSWER,
        key=task.key,
        error=error[-_LONGEST_ERROR:],
        finished=now(),
    )


def now() -> str:
    """Return the time as a journal writes it, in UTC."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())


LOCAL = "local"  # the address that stands for a cluster started here


class ClusterError(RowdrawError):
    """A cluster that cannot be reached or used."""


def make_runs(
    tasks: Sequence[Task], journal: Journal, jobs: int = 1, scheduler: str | None = None
) -> Generator[Outcome]:
    """Yield each run of `tasks` when it has ended and is in the journal.

    A run that fails is kept with its error, and the others continue. A cluster repeats the runs of
    a worker that is lost.

    Args:
        tasks: The runs to be made.
        journal: Their journal.
        jobs: The most runs at a time.
        scheduler: The address of a dask cluster, see `dask_executor`; None for this machine.
    """
    executing = local_executor(jobs)
    if scheduler is not None:
        executing = dask_executor(scheduler, jobs)
    with executing as executor:
        running = {executor.submit(run_isolated, task): task for task in tasks}
        for future in as_completed(running):
            error = future.exception()
            if error is None:
                outcome = future.result()
            else:
                outcome = failed(running[future], f"{type(error).__name__}: {error}")
            journal.append(outcome)
            yield outcome


@contextmanager
def local_executor(jobs: int) -> Iterator[Executor]:
    """Execute runs on this machine; leaving the context early kills them."""
    _is_stopping.clear()
    with ThreadPool(jobs) as pool:
        try:
            yield pool
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            _is_stopping.set()
            for ending in list(_running):
                with suppress(KeyboardInterrupt):  # raised if its run has not begun
                    ending.handle(signal.SIGINT, None)
            raise


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

    with ExitStack() as stack:
        try:
            if scheduler == LOCAL:
                cluster = LocalCluster(
                    n_workers=jobs, threads_per_worker=1, processes=True, dashboard_address=None
                )
                address = stack.enter_context(cluster)
            else:
                # a client with an address that cannot be read raises once more when it is collected
                parse_host_port(parse_address(scheduler)[1])
                address = scheduler
            client = stack.enter_context(Client(address, timeout="10s", set_as_default=False))
        except (OSError, ValueError) as error:
            raise ClusterError(f"scheduler {scheduler}: cannot be reached ({error})") from error
        yield client.get_executor(pure=False)
