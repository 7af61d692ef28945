"""The tasks of a sweep, and the crews that run them.

Crews are threads of this process, or workers of a cluster that share a folder. Each task handles
one partition of a layer, and no two tasks of a layer write the same data.
"""

import errno
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError, Executor, Future
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from solver.bound.kernels.completion_bounds import BoundTerms
from solver.bound.kernels.expand_bounded import PlayTrie, children, most_racks, play_trie
from solver.bound.kernels.packed_states import (
    Packed,
    leaves_of,
    merged,
    packed_racks,
    unpack_lefts,
    unpack_scores,
)
from solver.bound.sweeps.outlooks import Outlooks
from solver.bound.sweeps.store import Files, Store
from solver.compiled import I64
from solver.index.problem import Problem
from solver.model.tiles import POINT
from solver.search.run import Run
from verify.rules import unpacked

_PAUSE = 0.5  # seconds between two checks of whether the run is over


@dataclass(frozen=True)
class Partition:
    """A partition of a layer, and the bound that matters to its tasks.

    Attributes:
        layer: the layer, in tiles played.
        number: the number of the partition, from 0.
        parts: the number of partitions of the layer, a power of two.
        least: the lowest completion bound of a useful state, in thousandths of a point.
    """

    layer: int
    number: int
    parts: int
    least: int


@dataclass(frozen=True)
class Bench:
    """The data that all tasks share.

    Attributes:
        problem: the puzzle and its words.
        plays: the plays of the problem's closed index.
        outlooks: the completion bounds.
        store: the numbers of the sweep.
    """

    problem: Problem
    plays: PlayTrie
    outlooks: Outlooks
    store: Store


TaskResult = TypeVar("TaskResult")
Task = Callable[[Bench, Partition], TaskResult]


def settle(bench: Bench, partition: Partition) -> tuple[Packed, I64]:
    """Make children into states of the layer: drop duplicates, and states with too low a bound.

    Returns:
        The child with the highest score, packed, shape (1,), or (0,) without children. And the
        number of states kept, by the whole points of their bounds: int64.
    """
    states = bench.store.part("children", partition.layer, partition.number, partition.parts)
    best = states[:0]
    if len(states):
        best = states[[np.argmax(unpack_scores(states))]]
    bounds = _keep_states(bench, partition, states)
    return best, np.bincount(bounds // POINT)


def sift(bench: Bench, partition: Partition) -> int:
    """Drop the states that the current bounds rule out, and return how many are left."""
    return len(_keep_states(bench, partition, _states(bench, partition)))


def _keep_states(bench: Bench, partition: Partition, states: Packed) -> I64:
    """Store the states of a partition that their bounds do not rule out, and return these bounds.

    They are bounded by all foci if the layer has many states.
    """
    least = partition.least if partition.parts > 1 else None
    bounds = bench.outlooks.bounds(states, partition.layer, least)
    useful = bounds >= partition.least
    bench.store.put("states", partition.layer, partition.layer, partition.number, states[useful])
    return bounds[useful]


def _states(bench: Bench, partition: Partition) -> Packed:
    """Return the states that `settle` stored for the partition; no other task writes them."""
    states = bench.store.find("states", partition.layer, partition.layer, partition.number)
    assert states is not None
    return states


def draw(bench: Bench, partition: Partition) -> None:
    """Store the racks that the states of a partition draw."""
    puzzle = bench.problem.puzzle
    layer = partition.layer
    states = _states(bench, partition)
    room = np.empty(len(states) * (puzzle.rack_size + 1), np.uint64)
    count = packed_racks(states, layer, puzzle.row_codes, puzzle.rack_size, room)
    bench.store.put("racks", layer, layer, partition.number, merged([room[:count]]))


def expand(bench: Bench, partition: Partition) -> int:
    """Store the children of a partition's racks, and return how many racks were expanded."""
    store = bench.store
    layer = partition.layer
    racks = store.part("racks", layer, partition.number, partition.parts)
    by_length = children_of(racks, bench.outlooks.after_draw(layer), partition.least, bench.plays)
    for length, states in by_length.items():
        store.put("children", layer + length, layer, partition.number, states)
    return len(racks)


def children_of(racks: Packed, terms: BoundTerms, least: int, plays: PlayTrie) -> dict[int, Packed]:
    """Return the children of racks with useful bounds, by the length of the play.

    All racks have the same number of tiles drawn. `terms` are those of leaves after their draws;
    only the first focus counts. Bounds of at least `least` thousandths of a point are useful.
    """
    pieces: dict[int, list[Packed]] = {}
    lefts = unpack_lefts(racks)
    size = int(leaves_of(racks[:1]).sum())
    for left in np.unique(lefts).tolist():
        alike = racks[lefts == left]
        worth = terms.worth[0, size - 1 :: -1, left]  # after plays of 1, 2, ... tiles
        changes = np.flatnonzero((worth[1:] != worth[:-1]).any(axis=(1, 2)))
        shortest = 1
        for longest in [*(changes + 1).tolist(), size]:
            for begin in range(0, len(alike), most_racks(plays)):
                found, length_of = children(
                    racks=alike[begin : begin + most_racks(plays)],
                    left=left,
                    rest=terms.rest[0, :, left],
                    worth=worth[longest - 1],
                    lengths=(shortest, longest),
                    least=least,
                    trie=plays,
                )
                for length in np.unique(length_of).tolist():
                    pieces.setdefault(length, []).append(found[length_of == length])
            shortest = longest + 1
    return {length: merged(chunks) for length, chunks in pieces.items()}


def plays_of(problem: Problem) -> PlayTrie:
    """Return the plays of the problem's closed index."""
    index = problem.closed
    order = np.argsort(index.packed)
    return play_trie(index.packed[order], index.score[order])


class StoppedError(Exception):
    """The run was over before its tasks were done."""


class Crew:
    """Runs several tasks at once: on threads of this process."""

    def __init__(self, executor: Executor, bench: Bench) -> None:
        self._executor = executor
        self.bench = bench

    def each(
        self, run: Run, task: Task[TaskResult], partitions: Sequence[Partition]
    ) -> Iterator[TaskResult]:
        """Run a task on each partition and yield the results in order.

        Raises `StoppedError` if the run is over first.
        """
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

    They read and write the sweep's numbers and foci as files. If a worker is lost, another one
    repeats its task and writes the same files.
    """

    def __init__(self, executor: Executor, bench: Bench, files: Files) -> None:
        super().__init__(executor, bench)
        self._files = Files(files.folder.resolve())

    def each(
        self, run: Run, task: Task[TaskResult], partitions: Sequence[Partition]
    ) -> Iterator[TaskResult]:
        """As `Crew.each`. Raises `ConnectionError` if the cluster gives a task up."""
        from distributed import KilledWorker

        foci = self.bench.outlooks.foci
        self._files.write_foci(foci)
        self._shared = _Shared(
            files=self._files,
            puzzle=self.bench.problem.rules.packed(),
            digest=self.bench.problem.rules.digest,
            n_foci=len(foci),
            names=_names(self._files, partitions[0].layer),
        )
        try:
            yield from super().each(run, task, partitions)
        except (KilledWorker, CancelledError) as error:
            message = f"workers of the cluster were lost: {error}"
            raise ConnectionError(errno.ECONNABORTED, message) from error

    def _submit(self, task: Task[TaskResult], partition: Partition) -> Future[TaskResult]:
        return self._executor.submit(_run_in_worker, task, self._shared, partition)


@dataclass(frozen=True)
class _Shared:
    """What all workers of a cluster must see.

    Without some files, or with other words, they would prove too low a bound.

    Attributes:
        files: the numbers and foci of the sweep, in its folder.
        puzzle: the puzzle, see `Rules.packed`.
        digest: the digest of the puzzle with its words.
        n_foci: the number of foci.
        names: the names of the layer's files; the tasks may add more.
    """

    files: Files
    puzzle: dict[str, Any]
    digest: str
    n_foci: int
    names: frozenset[str]


def _names(files: Files, layer: int) -> frozenset[str]:
    """Return the names of the files that tasks of a layer read."""
    layers = range(layer, layer + 1)
    return frozenset(files.names("children", layers) + files.names("racks", layers))


_benches: dict[Path, Bench] = {}  # by folder, that of the last task
_lock = threading.Lock()


def _run_in_worker(task: Task[TaskResult], shared: _Shared, partition: Partition) -> TaskResult:
    """Run a task in the process of a worker, which keeps its loaded data for later tasks.

    Raises `OSError` if the worker does not see all that is shared: its folder is another one, or
    its listing is out of date.
    """
    files = shared.files
    with _lock:
        bench = _benches.get(files.folder)
        # the folder may have been that of another puzzle before
        if bench is None or bench.problem.rules.digest != shared.digest:
            problem = Problem(unpacked(shared.puzzle))
            bench = Bench(problem, plays_of(problem), Outlooks(problem, []), files)
            _benches.clear()
            _benches[files.folder] = bench
        foci = bench.outlooks.foci
        if len(foci) < shared.n_foci:
            bench.outlooks.add(files.read_foci(len(foci)))
    sees_all = len(foci) >= shared.n_foci and shared.names <= _names(files, partition.layer)
    if not sees_all or bench.problem.rules.digest != shared.digest:
        lack = (
            "a worker sees another word list, or not all files of the sweep: expected the same "
            "list and folder on all workers"
        )
        raise OSError(errno.ENOENT, lack, str(files.folder))
    return task(bench, partition)
