"""The tasks of a sweep, and the crews that run them: threads of this process, or workers of a cluster that share a folder.

Each task handles one partition of a layer, and no two tasks of a layer write the same data.
"""

import errno
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError, Executor, Future
from contextlib import suppress
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

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
from solver.bound.sweeps.store import Files, Store, read_foci, write_foci
from solver.index.kernels.indexes import PACKED_TILES, TILE_BITS, build_trie
from solver.index.problem import Problem
from solver.model.tiles import CLOSED_RACK, POINT
from solver.search.run import Run
from verify.rules import unpacked

_PAUSE = 0.5  # seconds between two checks of whether the run is over


@dataclass(frozen=True)
class Partition:
    """A partition of a layer, and the score that matters to its tasks.

    Attributes:
        layer: the layer, in tiles played.
        number: the number of the partition, from 0.
        parts: the number of partitions of the layer, a power of two.
        claim: the score in points that games must be able to exceed.
    """

    layer: int
    number: int
    parts: int
    claim: int

    @property
    def least(self) -> int:
        """The lowest completion bound of a useful state, in thousandths of a point."""
        return (self.claim + 1) * POINT


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


def settle(bench: Bench, partition: Partition) -> tuple[Packed, npt.NDArray[np.int64]]:
    """Make children into states of the layer: drop duplicates, and states with too low a bound.

    Returns:
        The child with the highest score, packed, shape (1,), or (0,) without children. And the number of states kept, by the
        whole points of their bounds: int64.
    """
    states = bench.store.part("children", partition.layer, partition.number, partition.parts)
    at = int(np.argmax(unpack_scores(states))) if len(states) else 0
    best = states[at : at + 1]
    bounds = _bounds(bench, partition, states)
    useful = bounds >= partition.least
    bench.store.put("states", partition.layer, partition.layer, partition.number, states[useful])
    return best, np.bincount(bounds[useful] // POINT)


def sift(bench: Bench, partition: Partition) -> int:
    """Drop the states that the current bounds rule out, and return how many are left."""
    states = _states(bench, partition)
    states = states[_bounds(bench, partition, states) >= partition.least]
    bench.store.put("states", partition.layer, partition.layer, partition.number, states)
    return len(states)


def _bounds(bench: Bench, partition: Partition, states: Packed) -> npt.NDArray[np.int64]:
    """Return the bounds of states of the partition, by all foci if the layer has many states."""
    return bench.outlooks.bounds(
        states, partition.layer, partition.least if partition.parts > 1 else None
    )


def _states(bench: Bench, partition: Partition) -> Packed:
    """Return the states that `settle` stored for the partition; no other task writes them."""
    states = bench.store.find("states", partition.layer, partition.layer, partition.number)
    assert states is not None
    return states


def draw(bench: Bench, partition: Partition) -> None:
    """Store the racks that the states of a partition draw."""
    puzzle = bench.problem.puzzle
    states = _states(bench, partition)
    room = np.empty(len(states) * (puzzle.rack_size + 1), dtype=np.uint64)
    racks = merged(
        [room[: packed_racks(states, partition.layer, puzzle.row_codes, puzzle.rack_size, room)]]
    )
    bench.store.put("racks", partition.layer, partition.layer, partition.number, racks)


def expand(bench: Bench, partition: Partition) -> int:
    """Store the children of a partition's racks, unless that is already done, and return how many racks were expanded."""
    done = bench.store.find("counts", partition.layer, partition.layer, partition.number)
    if done is not None and all(
        bench.store.find("children", partition.layer + length, partition.layer, partition.number)
        is not None
        for length in done[1:].tolist()
    ):
        return int(done[0])
    racks = bench.store.part("racks", partition.layer, partition.number, partition.parts)
    by_length = children_of(
        racks, bench.outlooks.after_draw(partition.layer), partition.least, bench.plays
    )
    for length, states in by_length.items():
        bench.store.put(
            "children", partition.layer + length, partition.layer, partition.number, states
        )
    counts = np.array([len(racks), *by_length], dtype=np.uint64)
    bench.store.put("counts", partition.layer, partition.layer, partition.number, counts)
    return len(racks)


def children_of(racks: Packed, terms: BoundTerms, least: int, plays: PlayTrie) -> dict[int, Packed]:
    """Return the children of racks with bounds of at least `least` thousandths of a point, by the length of the play.

    All racks have the same number of tiles drawn. `terms` are those of leaves after their draws; only the first focus counts.
    """
    pieces: dict[int, list[Packed]] = {}
    lefts, size = unpack_lefts(racks), int(leaves_of(racks[:1]).sum())
    for left in np.unique(lefts).tolist():
        alike, rest = racks[lefts == left], terms.rest[0, :, left]
        worth = terms.worth[0, size - 1 :: -1, left]  # after plays of 1, 2, ... tiles
        keys = [its.tobytes() for its in worth]
        for _key, group in groupby(range(size), keys.__getitem__):
            first, *more = group
            lengths = first + 1, first + 1 + len(more)
            for begin in range(0, len(alike), most_racks(plays)):
                some = alike[begin : begin + most_racks(plays)]
                found, length_of = children(some, left, rest, worth[first], lengths, least, plays)
                for length in np.unique(length_of).tolist():
                    pieces.setdefault(length, []).append(found[length_of == length])
    return {length: merged(chunks) for length, chunks in pieces.items()}


def plays_of(problem: Problem) -> PlayTrie:
    """Return the plays of the problem's closed index."""
    index = problem.closed
    order = np.argsort(index.packed)
    packed = index.packed[order]
    rows = np.empty((len(packed), CLOSED_RACK), dtype=np.uint8)
    for place in range(CLOSED_RACK):
        rows[:, place] = packed >> np.uint64(TILE_BITS * (PACKED_TILES - 1 - place)) & np.uint64(
            (1 << TILE_BITS) - 1
        )
    return play_trie(build_trie(rows), index.score[order])


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

    def each(
        self, run: Run, task: Task[TaskResult], partitions: Sequence[Partition]
    ) -> Iterator[TaskResult]:
        """As `Crew.each`. Raises `ConnectionError` if the cluster gives a task up."""
        from distributed import KilledWorker

        write_foci(self._folder, self.bench.outlooks.foci)
        problem, layer = self.bench.problem, partitions[0].layer
        files = _files_of(Files(self._folder), layer)
        self._shared = _Shared(
            str(self._folder),
            problem.rules.packed(),
            problem.rules.digest,
            len(self.bench.outlooks.foci),
            files,
        )
        try:
            yield from super().each(run, task, partitions)
        except (KilledWorker, CancelledError) as error:
            raise ConnectionError(
                errno.ECONNABORTED, f"workers of the cluster were lost: {error}"
            ) from error

    def _submit(self, task: Task[TaskResult], partition: Partition) -> Future[TaskResult]:
        return self._executor.submit(_run_in_worker, task, self._shared, partition)


@dataclass(frozen=True)
class _Shared:
    """What all workers of a cluster must see: without some files, or with other words, they would prove too low a bound.

    Attributes:
        folder: the folder of the sweep.
        puzzle: the puzzle, see `Rules.packed`.
        digest: the digest of the puzzle with its words.
        n_foci: the number of foci.
        n_files: as `_files_of` returns it for the layer; the tasks may add more.
    """

    folder: str
    puzzle: dict[str, Any]
    digest: str
    n_foci: int
    n_files: tuple[int, ...]


def _files_of(store: Files, layer: int) -> tuple[int, ...]:
    """Return how many files of children and of racks a layer has."""
    return tuple(len(store.names(kind, range(layer, layer + 1))) for kind in ("children", "racks"))


_benches: dict[str, Bench] = {}
_lock = threading.Lock()


def _run_in_worker(task: Task[TaskResult], shared: _Shared, partition: Partition) -> TaskResult:
    """Run a task in the process of a worker, which keeps its loaded data for later tasks.

    Raises `OSError` if the worker does not see all that is shared: its folder is another one, or its listing is out of date.
    """
    folder = Path(shared.folder)
    with _lock:
        # the folder may have been that of another puzzle before
        known_bench = _benches.get(shared.folder)
        if known_bench is None or known_bench.problem.rules.digest != shared.digest:
            _benches.clear()
            problem = Problem(unpacked(shared.puzzle))
            _benches[shared.folder] = Bench(
                problem, plays_of(problem), Outlooks(problem, []), Files(folder)
            )
        bench = _benches[shared.folder]
        known = len(bench.outlooks.foci)
        if known < shared.n_foci:
            bench.outlooks.add(read_foci(folder, known)[: shared.n_foci - known])
    seen = _files_of(Files(folder), partition.layer)
    is_missing = any(count < there for count, there in zip(seen, shared.n_files, strict=True))
    if (
        is_missing
        or len(bench.outlooks.foci) < shared.n_foci
        or bench.problem.rules.digest != shared.digest
    ):
        lack = "a worker sees another word list, or not all files of the sweep: expected the same list and folder on all workers"
        raise OSError(errno.ENOENT, lack, shared.folder)
    return task(bench, partition)
