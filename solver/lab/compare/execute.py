"""Execution of a plan, here or on a cluster; each run is written into the journal as soon as it ends."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from contextlib import contextmanager

from solver.errors import RowdrawError
from solver.extras import require
from solver.lab.compare.journal import Journal
from solver.lab.compare.plan import Task
from solver.lab.compare.work import Outcome, begin, end_all, failed, run_isolated
from verify.threads import ThreadPool

_ATTEMPTS = 3  # how often a run is tried if its worker is lost


class ClusterError(RowdrawError):
    """A cluster that cannot be reached or used."""


def run_plan(tasks: Sequence[Task], journal: Journal, executor: Executor, note: Callable[[Outcome], None], window: int) -> None:
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
            running[executor.submit(run_isolated, task.as_dict())] = task
        done, _ = wait(running, return_when=FIRST_COMPLETED)
        for future in done:
            task = running.pop(future)
            error = future.exception()
            if error is not None and attempts[task.key] < _ATTEMPTS:
                waiting.append(task)
                continue
            outcome = future.result() if error is None else failed(task.as_dict(), f"{type(error).__name__}: {error}")
            journal.append(outcome)
            note(outcome)


@contextmanager
def local_executor(jobs: int) -> Iterator[Executor]:
    """Execute runs on this machine, each in its own process; leaving the context early kills them."""
    begin()
    pool = ThreadPool(jobs)
    try:
        yield pool
    except BaseException:
        pool.shutdown(wait=False, cancel_futures=True)
        end_all()
        raise
    finally:
        pool.shutdown()


@contextmanager
def dask_executor(scheduler: str | None, jobs: int) -> Iterator[Executor]:
    """Execute runs on the workers of a dask scheduler, or of a cluster of `jobs` workers started here.

    Another worker repeats the runs of a lost one. Raises `ClusterError` if there is no connection.
    """
    require("cluster", "distributed")
    from distributed import Client, LocalCluster
    from distributed.comm.addressing import parse_address, parse_host_port

    cluster = None
    try:
        if scheduler is not None:
            # a client with an address that cannot be read raises once more when it is collected
            parse_host_port(parse_address(scheduler)[1])
        if scheduler is None:
            cluster = LocalCluster(n_workers=jobs, threads_per_worker=1, processes=True, dashboard_address=None)
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
