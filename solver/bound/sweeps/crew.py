"""Crews, which run the tasks of a sweep: threads of this process, or workers of a cluster that share a folder."""

import errno
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError, Executor, Future
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

from solver.bound.sweeps.outlooks import Outlooks
from solver.bound.sweeps.store import Files, read_foci, write_foci
from solver.bound.sweeps.tasks import Bench, Partition, scored_plays
from solver.index.problem import Problem
from solver.model.puzzle import Puzzle
from solver.search.run import Run

TaskResult = TypeVar("TaskResult")
Task = Callable[[Bench, Partition], TaskResult]

_PAUSE = 0.5  # seconds between two checks of whether the run is over


class StoppedError(Exception):
    """The run was over before its tasks were done."""


class Crew:
    """Runs several tasks at once: on threads of this process."""

    def __init__(self, executor: Executor, bench: Bench) -> None:
        self._executor = executor
        self.bench = bench

    def each(self, run: Run, task: Task[TaskResult], partitions: Sequence[Partition]) -> Iterator[TaskResult]:
        """Run a task on each partition and yield the results in order. Raises `StoppedError` if the run is over first."""
        jobs = [self._submit(task, partition) for partition in partitions]
        try:
            for job in jobs:
                while not job.done() and not run.is_over:
                    with suppress(TimeoutError):
                        job.exception(timeout=_PAUSE)
                if run.is_over:
                    raise StoppedError
                yield job.result()
        finally:
            for job in jobs:
                job.cancel()

    def _submit(self, task: Task[TaskResult], partition: Partition) -> Future[TaskResult]:
        return self._executor.submit(task, self.bench, partition)


class Cluster(Crew):
    """Runs tasks on workers of a cluster, which see the folder of the sweep under the same path.

    They read and write the sweep's numbers and foci as files. If a worker is lost, another one repeats its task and writes the
    same files.
    """

    def __init__(self, executor: Executor, bench: Bench, folder: Path) -> None:
        super().__init__(executor, bench)
        self._folder = folder.resolve()

    def each(self, run: Run, task: Task[TaskResult], partitions: Sequence[Partition]) -> Iterator[TaskResult]:
        """As `Crew.each`. Raises `ConnectionError` if the cluster gives a task up."""
        from distributed import KilledWorker

        write_foci(self._folder, self.bench.outlooks.foci)
        try:
            yield from super().each(run, task, partitions)
        except (KilledWorker, CancelledError) as error:
            raise ConnectionError(errno.ECONNABORTED, f"workers of the cluster were lost: {error}") from error

    def _submit(self, task: Task[TaskResult], partition: Partition) -> Future[TaskResult]:
        puzzle, n_foci = self.bench.problem.puzzle, len(self.bench.outlooks.foci)
        return self._executor.submit(_run_in_worker, task, str(self._folder), puzzle, n_foci, partition)


_benches: dict[str, Bench] = {}
_lock = threading.Lock()


def _run_in_worker(task: Task[TaskResult], folder: str, puzzle: Puzzle, n_foci: int, partition: Partition) -> TaskResult:
    """Run a task in the process of a worker, which keeps its loaded data for later tasks and reads the first `n_foci` foci."""
    with _lock:
        # the folder may have been that of another puzzle before
        if folder not in _benches or _benches[folder].problem.puzzle != puzzle:
            _benches.clear()
            problem = Problem.of(puzzle)
            outlooks = Outlooks(problem, read_foci(Path(folder), 0)[:n_foci])
            _benches[folder] = Bench(problem, scored_plays(problem), outlooks, Files(Path(folder)))
        bench = _benches[folder]
        known = len(bench.outlooks.foci)
        if known < n_foci:
            bench.outlooks.add(read_foci(Path(folder), known)[: n_foci - known])
    return task(bench, partition)
