"""Running a plan, here or on a cluster, and recording every run as it ends."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager

from solver.errors import RowdrawError
from solver.extras import require
from solver.lab.compare.journal import Journal
from solver.lab.compare.plan import Task
from solver.lab.compare.work import JournalLine, begin, end_all, run_isolated

_ATTEMPTS = 3  # a run whose worker is lost is tried that often


class ClusterError(RowdrawError):
    """A cluster that cannot be reached or used."""


def run_plan(
    tasks: Sequence[Task], journal: Journal, executor: Executor, told: Callable[[JournalLine], None], window: int
) -> None:
    """Run `tasks`, at most `window` at a time in the executor, and append each record to `journal`.

    A run whose worker is lost is tried again; one that fails is recorded with its error, and the rest go on.
    """
    waiting = list(reversed(tasks))
    attempts: dict[str, int] = {}
    running: dict[Future[JournalLine], Task] = {}
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
            record = future.result() if error is None else {**task.as_dict(), "error": f"{type(error).__name__}: {error}"}
            journal.append(record)
            told(record)


@contextmanager
def local_executor(jobs: int) -> Iterator[Executor]:
    """Runs on this machine, each in a process of its own; leaving the context early ends them."""
    begin()
    pool = ThreadPoolExecutor(jobs)
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
    """Runs on the workers of a dask scheduler, or of a cluster of `jobs` workers started here.

    Runs are idempotent, so a lost worker's runs are simply done again elsewhere. Raises `ClusterError`.
    """
    require("cluster", "distributed")
    from distributed import Client, LocalCluster

    cluster = None
    try:
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
