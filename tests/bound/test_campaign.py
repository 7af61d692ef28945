"""Long proofs: the same states however they are cut up, wherever they are kept, whoever expands them, whatever is killed."""

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

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.bound.ascent import Bound
from solver.bound.kernels.packed_states import Packed, merged
from solver.bound.relaxations.prices import Prices, first_prices
from solver.bound.sweeps import campaign as campaign_module
from solver.bound.sweeps import sweep as sweep_module
from solver.bound.sweeps.campaign import Stage, sweeps
from solver.bound.sweeps.crew import Threads
from solver.bound.sweeps.folder import Folder
from solver.bound.sweeps.outlooks import Outlooks, all_foci
from solver.bound.sweeps.store import Files, Memory, Store
from solver.bound.sweeps.sweep import Sweep, Tally
from solver.bound.sweeps.tasks import Bench, scored_plays
from solver.errors import StrategyError
from solver.index.problem import Problem
from solver.lab.compare.execute import dask_executor
from solver.model.puzzle import load_puzzle
from solver.model.solution import Solution, Turn
from solver.search.run import Run
from tests.bound.games import Small, small, smalls
from tests.bound.sweeping import GAME, KilledError, never, swept_in
from tests.cluster import cluster

ROW = "tea?seatbaesttajetoe"
SHORT, CLAIM = ROW[:14], 50
Kept = dict[int, list[int]]  # by layer


def states_in(store: Store, tiles: int) -> Kept:
    return {layer: merged(store.chunks("states", layer)).tolist() for layer in range(tiles + 1)}


def swept(game: Small, claim: int, store: Store) -> tuple[Tally, Kept]:
    with ThreadPoolExecutor(2) as pool:
        outlooks = Outlooks(game.problem, all_foci(game.problem, pool, game.prices, []))
        tally = Tally(claim)
        crew = Threads(pool, Bench(game.problem, scored_plays(game.problem), outlooks, store))
        assert Sweep(Run(threads=2), crew, never(game.problem)).play(tally)
        return tally, states_in(store, len(game.row))


def test_a_rack_too_large_for_sweeps_is_refused_before_they_begin() -> None:
    game = small("aeostz?eastoz", 12, 3)
    with pytest.raises(StrategyError, match="racks of up to 10: this one has 13 and 12"):
        next(sweeps(game.problem, Run(), Bound("r3", game.prices, 10**9), 1_000))


@given(game=smalls, claim=st.integers(0, 60), part=st.integers(1, 30))
@settings(max_examples=15)
def test_neither_parts_nor_files_change_the_states_of_a_sweep(game: Small, claim: int, part: int) -> None:
    tally, states = swept(game, claim, Memory())
    with pytest.MonkeyPatch.context() as patch, tempfile.TemporaryDirectory() as folder:
        patch.setattr(sweep_module, "_PARTITION", part)
        again, in_files = swept(game, claim, Files(Path(folder)))
        assert in_files == states
        assert replace(again, size=0, parts=1) == replace(tally, size=0, parts=1)
        assert swept(game, claim, Memory())[1] == states


def bound_in(folder: Path) -> int | None:
    bound = Folder(GAME.problem, folder).bound
    return None if bound is None else bound.points


@contextmanager
def small_parts(kill_at: tuple[int, bool] | None = None) -> Iterator[list[str]]:
    """Proofs with small partitions, killed before or after one of their writes; yield the kinds of these."""
    put, written = Files.put, list[str]()

    def put_or_die(self: Files, kind: str, layer: int, source: int, part: int, numbers: Packed) -> None:
        written.append(kind)
        if (len(written), False) == kill_at:
            raise KilledError
        put(self, kind, layer, source, part, numbers)
        if (len(written), True) == kill_at:
            raise KilledError

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sweep_module, "_PARTITION", 100)
        patch.setattr(campaign_module, "_FIRST", 3)
        patch.setattr(Files, "put", put_or_die)
        yield written


@cache
def uninterrupted() -> tuple[list[tuple[int, int]], int | None, int]:
    """Claim and racks of each sweep of a proof that no one kills, its bound, and the number of its writes."""
    with small_parts() as written, tempfile.TemporaryDirectory() as folder:
        _bound, racks = swept_in(Path(folder), [])
        return racks, bound_in(Path(folder)), len(written)


@given(moments=st.lists(st.tuples(st.floats(0, 0.99), st.booleans()), min_size=1, max_size=4))
@settings(max_examples=20)
def test_a_proof_that_is_killed_again_and_again_makes_the_same_sweeps(moments: list[tuple[float, bool]]) -> None:
    """Before or after one of the writes, a part of the way through the writes of a whole proof."""
    racks, bound, last = uninterrupted()
    assert len(racks) > 1
    games: list[Solution] = []
    with tempfile.TemporaryDirectory() as folder:
        for number, (share, after) in enumerate(moments):
            last = 1 + int(share * last)
            # what is left after the first kill may take fewer writes
            with small_parts((last, after)), pytest.raises(KilledError) if number == 0 else suppress(KilledError):
                swept_in(Path(folder), games)
        with small_parts():
            assert swept_in(Path(folder), games)[1] == racks
        assert bound_in(Path(folder)) == bound


def test_a_finished_proof_leaves_no_states_and_says_the_same_again(tmp_path: Path) -> None:
    games: list[Solution] = []
    _bound, racks = swept_in(tmp_path, games)
    assert not list(tmp_path.glob("sweep/layer-*"))
    before = bound_in(tmp_path)
    assert before == games[-1].score
    assert swept_in(tmp_path, games) == (0, racks)
    assert bound_in(tmp_path) == before


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


def prices_for(problem: Problem) -> Prices:
    return first_prices(problem).with_cells(3, 3)


def states_at_each_checkpoint(patch: pytest.MonkeyPatch) -> list[tuple[int, Kept]]:
    """Return a list that each checkpoint of a sweep extends, by its layer and the states of all layers."""
    kept, keep_stage = [], Folder.keep_stage

    def keep(self: Folder, stage: Stage, outlooks: Outlooks) -> None:
        keep_stage(self, stage, outlooks)
        assert stage.tally is not None
        kept.append((stage.tally.layer, states_in(self.store(), len(self.problem.puzzle.row))))

    patch.setattr(Folder, "keep_stage", keep)
    return kept


@pytest.mark.filterwarnings("default")
def test_a_cluster_that_loses_a_worker_makes_the_states_that_threads_make(tmp_path: Path) -> None:
    problem = Problem.of(load_puzzle("challenge").with_row(SHORT))
    start = Bound("r3", prices_for(problem), 10**9)

    def sweep(name: str, executor: Executor | None = None) -> list[tuple[int, Kept]]:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(sweep_module, "_PARTITION", 50)
            kept = states_at_each_checkpoint(patch)
            checkpoints.append(kept)
            workspace = Folder(problem, tmp_path / name, executor)
            run = Run(threads=2)
            run.offer(Solution((Turn(0, "a", "a", CLAIM),)))
            *_higher, last = sweeps(problem, run, start, 10**9, never(problem), workspace)
            assert last.points == run.incumbent.score > CLAIM
            return kept

    checkpoints: list[list[tuple[int, Kept]]] = []
    by_threads = sweep("threads")
    with cluster(tmp_path, 3) as (address, workers):

        def kill_one() -> None:
            while len(checkpoints) < 2 or not checkpoints[1] or checkpoints[1][-1][0] < 4:
                time.sleep(0.02)
            workers[0].kill()

        killer = threading.Thread(target=kill_one, daemon=True)
        killer.start()
        with dask_executor(address, 3) as executor:
            by_cluster = sweep("cluster", executor)
        killer.join()
        assert workers[0].wait(timeout=10) == -signal.SIGKILL
    assert by_cluster == by_threads
    assert sum(map(len, by_threads[-1][1].values())) > 100
