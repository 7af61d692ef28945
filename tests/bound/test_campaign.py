"""Long proofs: they keep the same states, whatever is killed, damaged or missing."""

import json
import re
import shutil
import signal
import tempfile
import threading
import time
from collections.abc import Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.bound.ascent import Bound
from solver.bound.kernels.packed_states import merged
from solver.bound.prices import first_prices
from solver.bound.sweeps import campaign as campaign_module
from solver.bound.sweeps import sweep as sweep_module
from solver.bound.sweeps.campaign import Checkpoint, sweeps
from solver.bound.sweeps.folder import Folder
from solver.bound.sweeps.outlooks import Focus, Outlooks, all_foci
from solver.bound.sweeps.store import Files, Store
from solver.bound.sweeps.sweep import Sweep, Tally
from solver.bound.sweeps.tasks import Bench, Crew, plays_of
from solver.bound.sweeps.training import Trainer
from solver.errors import RowdrawError, StrategyError
from solver.index.problem import Problem
from solver.lab.compare.execute import dask_executor
from solver.model.puzzle import load_puzzle
from solver.model.solution import Solution, Turn
from solver.search.run import Run
from tests.bound.games import Small, small, smalls
from tests.cluster import cluster

GAME = small("aeostz?eastoz", 5, 3)
START = Bound(GAME.prices, 10**8)


def swept_in(
    folder: Path, games: list[Solution], limit: int | None = None, trainer: Trainer | None = None
) -> tuple[int, list[tuple[int, int]]]:
    """Sweep in a folder until no gap is left; return the bound, and claim and racks of each sweep.

    games: those that earlier processes have found, and this one finds.
    trainer: None to train no prices.
    """
    workspace = Folder(GAME.problem, folder)
    run = Run(rack_budget=limit)
    for game in games:
        run.offer(game)
    run.found = lambda _run, game: games.append(game)
    start = workspace.bound or START
    points = 0
    for bound in sweeps(GAME.problem, run, start, 10**9, trainer or never(GAME.problem), workspace):
        points = bound.points
        assert bound == workspace.bound
    checkpoint = workspace.checkpoint()
    assert checkpoint is not None
    assert checkpoint.tally is not None
    return points, [(one.claim, one.racks) for one in (*checkpoint.measured, checkpoint.tally)]


def refused(folder: Path, message: str) -> None:
    """Try to sweep in a folder."""
    with pytest.raises(RowdrawError, match=message):
        swept_in(folder, [])


def never(problem: Problem) -> Trainer:
    return Trainer(problem, fewest=10**9)


class KilledError(Exception):
    """What stands for the end of the process."""


ROW = "tea?seatbaesttajetoe"
SHORT = ROW[:14]
CLAIM = 50
PROBLEM = Problem(load_puzzle("challenge").with_row(SHORT))
FREE = Bound(first_prices(PROBLEM).with_cells(3, 3), 10**9)
Kept = dict[int, list[int]]  # by layer


def states_in(store: Store, tiles: int) -> Kept:
    return {layer: merged(store.chunks("states", layer)).tolist() for layer in range(tiles + 1)}


def swept(game: Small, claim: int, store: Store) -> tuple[Tally, Kept]:
    with ThreadPoolExecutor(2) as pool:
        outlooks = Outlooks(game.problem, all_foci(game.problem, pool, game.prices, []))
        tally = Tally(claim)
        crew = Crew(pool, Bench(game.problem, plays_of(game.problem), outlooks, store))
        assert Sweep(Run(threads=2), crew, never(game.problem)).play(
            tally, 10**9, lambda: None, "sweep"
        )
        return tally, states_in(store, len(game.row))


def test_a_rack_too_large_for_sweeps_is_refused_before_they_begin() -> None:
    game = small("aeostz?eastoz", 12, 3)
    with pytest.raises(StrategyError, match="racks of up to 10: this one has 13 and 12"):
        next(sweeps(game.problem, Run(), Bound(game.prices, 10**9), 1_000))


@given(game=smalls, claim=st.integers(0, 60), part=st.integers(1, 30))
@settings(max_examples=15)
def test_neither_parts_nor_files_change_the_states_of_a_sweep(
    game: Small, claim: int, part: int
) -> None:
    tally, states = swept(game, claim, Store())
    with pytest.MonkeyPatch.context() as patch, tempfile.TemporaryDirectory() as folder:
        patch.setattr(sweep_module, "_PARTITION", part)
        again, in_files = swept(game, claim, Files(Path(folder)))
        assert in_files == states
        assert replace(again, parts=1) == replace(tally, parts=1)
        assert swept(game, claim, Store())[1] == states


def bound_in(folder: Path) -> int | None:
    bound = Folder(GAME.problem, folder).bound
    return None if bound is None else bound.points


@contextmanager
def small_parts(kill_at: tuple[int, bool] | None = None) -> Iterator[list[str]]:
    """Make partitions small, and kill proofs at one of their writes; yield the kinds of these."""
    put = Files.put
    written = list[str]()

    def put_or_die(files: Files, kind: str, *numbers: Any) -> None:
        written.append(kind)
        if (len(written), False) == kill_at:
            raise KilledError
        put(files, kind, *numbers)
        if (len(written), True) == kill_at:
            raise KilledError

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sweep_module, "_PARTITION", 100)
        patch.setattr(campaign_module, "_FIRST", 3)
        patch.setattr(Files, "put", put_or_die)
        yield written


@cache
def uninterrupted() -> tuple[list[tuple[int, int]], int | None, int]:
    """Claim and racks of each sweep of a whole proof, its bound, and the number of its writes."""
    with small_parts() as written, tempfile.TemporaryDirectory() as folder:
        _bound, racks = swept_in(Path(folder), [])
        return racks, bound_in(Path(folder)), len(written)


@given(moments=st.lists(st.tuples(st.floats(0, 0.99), st.booleans()), min_size=1, max_size=3))
@settings(max_examples=8)
def test_a_proof_that_is_killed_again_and_again_makes_the_same_sweeps(
    moments: list[tuple[float, bool]],
) -> None:
    """Before or after one of the writes, a part of the way through the writes of a whole proof."""
    racks, bound, last = uninterrupted()
    assert len(racks) > 1
    games: list[Solution] = []
    with tempfile.TemporaryDirectory() as folder:
        for number, (share, after) in enumerate(moments):
            last = 1 + int(share * last)
            # what is left after the first kill may take fewer writes
            with (
                small_parts((last, after)),
                pytest.raises(KilledError) if number == 0 else suppress(KilledError),
            ):
                swept_in(Path(folder), games)
        with small_parts():
            assert swept_in(Path(folder), games)[1] == racks
        assert bound_in(Path(folder)) == bound


def test_a_finished_proof_leaves_no_states_and_says_the_same_again(tmp_path: Path) -> None:
    games: list[Solution] = []
    _bound, racks = swept_in(tmp_path, games)
    assert not list(tmp_path.glob("sweep/layer-*"))
    assert bound_in(tmp_path) == games[-1].score
    assert swept_in(tmp_path, games) == (0, racks)
    assert bound_in(tmp_path) == games[-1].score


def test_states_of_an_earlier_sweep_do_not_count_in_the_next_one(tmp_path: Path) -> None:
    whole = swept_in(tmp_path / "whole", [])
    folder = tmp_path / "other"
    Files(folder / "sweep").folder.mkdir(parents=True)
    # the children of another game, with more points than any has
    Files(folder / "sweep").put("children", 3, 2, 0, np.array([2**63], dtype=np.uint64))
    assert swept_in(folder, []) == whole


def test_a_sweep_that_has_not_ended_lowers_no_bound(tmp_path: Path) -> None:
    assert swept_in(tmp_path, [], limit=30)[0] == 0
    assert bound_in(tmp_path) is None


def states_at_each_checkpoint(patch: pytest.MonkeyPatch) -> list[tuple[int, Kept]]:
    """Return a list of the layer and the states of all layers, which each checkpoint extends."""
    kept = []
    keep_checkpoint = Folder.keep_checkpoint

    def keep(self: Folder, checkpoint: Checkpoint, foci: list[Focus]) -> None:
        keep_checkpoint(self, checkpoint, foci)
        assert checkpoint.tally is not None
        kept.append((checkpoint.tally.layer, states_in(self.store, len(self.problem.puzzle.row))))

    patch.setattr(Folder, "keep_checkpoint", keep)
    return kept


@pytest.mark.filterwarnings("default")
def test_a_cluster_that_loses_a_worker_makes_the_states_that_threads_make(tmp_path: Path) -> None:

    def sweep(name: str, executor: Executor | None = None) -> list[tuple[int, Kept]]:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(sweep_module, "_PARTITION", 50)
            kept = states_at_each_checkpoint(patch)
            checkpoints.append(kept)
            workspace = Folder(PROBLEM, tmp_path / name, executor)
            run = Run(threads=2)
            run.offer(Solution((Turn(0, "a", "a", CLAIM),)))
            *_higher, last = sweeps(PROBLEM, run, FREE, 10**9, never(PROBLEM), workspace)
            assert last.points == run.incumbent.score > CLAIM
            return kept

    checkpoints: list[list[tuple[int, Kept]]] = []
    by_threads = sweep("threads")
    with cluster(tmp_path, 2) as (address, workers):

        def kill_one() -> None:
            while len(checkpoints) < 2 or not checkpoints[1] or checkpoints[1][-1][0] < 4:
                time.sleep(0.02)
            workers[0].kill()

        killer = threading.Thread(target=kill_one, daemon=True)
        killer.start()
        with dask_executor(address, 2) as executor:
            by_cluster = sweep("cluster", executor)
        killer.join()
        assert workers[0].wait(timeout=10) == -signal.SIGKILL
    assert by_cluster == by_threads
    assert sum(map(len, by_threads[-1][1].values())) > 100


class Blind(ThreadPoolExecutor):
    """Workers that see the folder of a sweep without some of its files."""

    def __init__(self, other: Path, lost: str) -> None:
        super().__init__(2)
        self._other = other
        self._lost = lost

    def submit(self, task: Any, /, *arguments: Any, **_more: Any) -> Any:
        its_task, shared, partition = arguments
        shutil.copytree(
            shared.files.folder,
            self._other,
            dirs_exist_ok=True,
            ignore=shutil.ignore_patterns(self._lost),
        )
        return super().submit(task, its_task, replace(shared, files=Files(self._other)), partition)


@pytest.mark.parametrize("lost", ["children-*", "focus-*"])
def test_workers_that_see_only_part_of_the_folder_prove_nothing(tmp_path: Path, lost: str) -> None:
    """A layer without its children would be empty; without foci its bounds would prune nothing."""
    with Blind(tmp_path / "other", lost) as executor:
        workspace = Folder(PROBLEM, tmp_path / "sweep", executor)
        message = "not all files of the sweep: expected the same"
        with pytest.raises(OSError, match=message) as raised:
            list(sweeps(PROBLEM, Run(), FREE, 10**9, never(PROBLEM), workspace))
    assert raised.value.filename == str(tmp_path / "other")


@given(
    numbers=st.sets(st.integers(0, 2**40 - 1), min_size=1, max_size=20),
    place=st.floats(0, 0.999),
    cut=st.booleans(),
)
def test_numbers_that_were_cut_short_or_changed_are_refused(
    numbers: set[int], place: float, cut: bool
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        store = Files(Path(folder))
        stored = np.array(sorted(numbers), dtype=np.uint64) << np.uint64(24)
        store.put("states", 3, 3, 0, stored)
        for part in range(4):
            expected = stored[stored >> np.uint64(62) == part]
            assert np.array_equal(store.part("states", 3, part, 4), expected)
        (path,) = Path(folder).glob("layer-003/*")
        whole = path.read_bytes()
        at = int(place * len(whole))
        if cut:
            path.write_bytes(whole[:at])
        else:
            path.write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
        damaged = r"states-003-00.u64: damaged: remove the folder"
        with pytest.raises(RowdrawError, match=damaged):
            store.chunks("states", 3)
        with pytest.raises(RowdrawError, match=damaged):
            [store.part("states", 3, part, 4) for part in range(4)]


def test_zeros_and_another_file_are_no_numbers_of_a_sweep(tmp_path: Path) -> None:
    store = Files(tmp_path)
    store.put("states", 3, 3, 0, np.arange(9, dtype=np.uint64))
    store.put("states", 4, 4, 0, np.arange(7, dtype=np.uint64))
    path, other = sorted(tmp_path.glob("*/*.u64"))
    for content in (bytes(path.stat().st_size), other.read_bytes()):
        path.write_bytes(content)
        with pytest.raises(RowdrawError, match="damaged"):
            store.find("states", 3, 3, 0)


@cache
def stopped_sweep() -> Path:
    """A folder with a bound, and a sweep that was stopped before it proved a lower one."""
    folder = Path(tempfile.mkdtemp())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sweep_module, "_PARTITION", 10)
        Folder(GAME.problem, folder).keep_bound(START)
        swept_in(folder, [], limit=60)
    return folder


@pytest.fixture
def stopped(tmp_path: Path) -> Path:
    """A copy of the folder of a stopped sweep."""
    return Path(shutil.copytree(stopped_sweep(), tmp_path / "stopped"))


def test_each_file_that_a_stopped_sweep_needs_is_missed(stopped: Path) -> None:
    needed = json.loads((stopped / "sweep/sweep.json").read_text())["files"]
    assert {name[:9] for name in needed} > {"layer-000", "layer-005", "focus-000"}
    assert {"children", "states-0"} <= {name[10:18] for name in needed}
    for name in needed:
        path = stopped / "sweep" / name
        moved = path.rename(stopped / "moved")
        refused(stopped, f"{path.name}: missing: remove the folder")
        moved.rename(path)


OTHER = (Path(__file__).resolve().parents[2] / "examples/certificates/sweep.txt").read_bytes()
# a file of a proof, a part of it that is replaced, by what, and the message
CHANGED = [
    ("sweep/sweep.json", b"(?s).*", b"", "not the progress of a sweep"),
    ("sweep/sweep.json", b"(?s).*", b"[1]", "not the progress of a sweep"),
    ("sweep/sweep.json", b'h": "', b'h": "0', "a sweep of another puzzle"),
    ("sweep/sweep.json", b"left draws", b"hashes", "a sweep of another version"),
    *[
        ("sweep/sweep.json", b'"layer": [^,}]+', b'"layer": ' + layer, "(damaged|not the progress)")
        for layer in (b"99", b"-3", b"1e999", b"null")
    ],
    ("sweep/focus-0000.npz", b"(?s).*", b"", "damaged: remove the folder"),
    ("sweep/focus-0000.npz", b"(?s).{50}$", b"", "damaged: remove the folder"),
    ("sweep/focus-0000.npz", b"(?s)^(.{151}).{99}", rb"\g<1>" + b"x" * 99, "damaged: remove the"),
    ("certificate.txt", b"claim [0-9]+", b"claim 1", "[0-9]+: .*one of them was changed$"),
    ("certificate.txt", b"(?s).*", OTHER, "another puzzle"),
]


@pytest.mark.parametrize(("name", "old", "new", "message"), CHANGED)
def test_a_file_that_somebody_has_changed_is_refused_and_stays(
    name: str, old: bytes, new: bytes, message: str, stopped: Path
) -> None:
    path = stopped / name
    whole = path.read_bytes()
    path.write_bytes(changed := re.sub(old, new, whole, count=1))
    assert changed != whole
    refused(stopped, f"{path.name}:.*{message}")
    assert path.read_bytes() == changed


def test_files_of_somebody_else_in_the_folder_of_a_sweep_stay(tmp_path: Path) -> None:
    names = ("layer-ideas/cake.txt", "layer-1", "layer-003/photo.png", "focus-group.npz")
    theirs = [tmp_path / "sweep" / name for name in names]
    for path in theirs:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("theirs")
    swept_in(tmp_path, [])
    assert [path.read_text() for path in theirs] == ["theirs"] * len(theirs)


TRUTH = 46  # the best score of `GAME`


def trained_in(folder: Path, games: list[Solution]) -> int | None:
    """Sweep in a folder with new prices in every layer; return the bound on file."""
    swept_in(folder, games, trainer=Trainer(GAME.problem, fewest=1, apart=1, groups=2, rounds=2))
    return bound_in(folder)


def killed_at_deletion(number: int, folder: Path, games: list[Solution]) -> bool:
    """Sweep in a folder until a focus is deleted; return whether that killed the process."""
    deleted = 0
    unlink = Path.unlink

    def dying(path: Path, missing_ok: bool = False) -> None:
        nonlocal deleted
        deleted += path.suffix == ".npz"
        if deleted == number:
            raise KilledError
        unlink(path, missing_ok)

    with pytest.MonkeyPatch.context() as patch, suppress(KilledError):
        patch.setattr(Path, "unlink", dying)
        trained_in(folder, games)
        return False
    return True


@pytest.mark.parametrize("number", [2, 8])
def test_a_process_killed_while_it_deletes_foci_proves_nothing_false(
    number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(campaign_module, "_FIRST", 3)
    games: list[Solution] = []
    assert killed_at_deletion(number, tmp_path, games)
    assert trained_in(tmp_path, games) == TRUTH


def test_an_answer_that_is_lost_after_the_proof_is_found_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(campaign_module, "_FIRST", 10**9)
    found: list[Solution] = []
    again: list[Solution] = []
    best, _racks = swept_in(tmp_path, found)
    swept_in(tmp_path, again)
    assert found[-1].score == again[-1].score == best
