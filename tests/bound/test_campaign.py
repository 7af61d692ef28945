"""Long sweeps: the same states however they are cut up, wherever they are kept, whoever expands them, whatever is killed."""

import json
import re
import signal
import subprocess
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.bound.kernels.packed_states import Packed, merged
from solver.bound.relaxations.prices import Prices, first_prices
from solver.bound.schedule import with_cells
from solver.bound.sweeps import sweep as sweep_module
from solver.bound.sweeps.campaign import Campaign, _grown, begin_campaign, campaign_in
from solver.bound.sweeps.crew import Threads
from solver.bound.sweeps.outlooks import Focus, Outlooks
from solver.bound.sweeps.store import Files, Memory, Store
from solver.bound.sweeps.sweep import Sweep, Tally, all_foci
from solver.bound.sweeps.tasks import Bench, scored_plays
from solver.bound.sweeps.training import Trainer
from solver.errors import RecordError
from solver.index.problem import Problem
from solver.lab.compare.execute import dask_executor
from solver.model.puzzle import load_puzzle
from solver.search.run import Run
from tests.bound.games import Small, small, smalls
from tests.cluster import cluster
from tests.process import MAIN, rowdraw

ROW = "tea?seatbaesttajetoe"
SHORT, CLAIM = ROW[:14], 50
Kept = dict[int, list[int]]  # by layer


def states_in(store: Store, tiles: int) -> Kept:
    return {layer: merged(store.chunks("states", layer)).tolist() for layer in range(tiles + 1)}


def never(problem: Problem) -> Trainer:
    return Trainer(problem, least=10**9)


def swept(game: Small, claim: int, store: Store) -> tuple[Tally, Kept]:
    with ThreadPoolExecutor(2) as pool:
        outlooks = Outlooks(game.problem, all_foci(game.problem, pool, game.prices, []))
        tally = Tally(claim)
        crew = Threads(pool, Bench(game.problem, scored_plays(game.problem), outlooks, store))
        assert Sweep(Run(threads=2), crew, never(game.problem)).play(tally)
        return tally, states_in(store, len(game.row))


@given(game=smalls, claim=st.integers(0, 60), part=st.integers(1, 30))
@settings(max_examples=15)
def test_neither_parts_nor_files_change_the_states_of_a_sweep(game: Small, claim: int, part: int) -> None:
    tally, states = swept(game, claim, Memory())
    with pytest.MonkeyPatch.context() as patch, tempfile.TemporaryDirectory() as folder:
        patch.setattr(sweep_module, "_PART", part)
        again, in_files = swept(game, claim, Files(Path(folder)))
        assert in_files == states
        assert replace(again, size=0, parts=1) == replace(tally, size=0, parts=1)
        assert swept(game, claim, Memory())[1] == states


class KilledError(Exception):
    """What stands for the end of the process."""


GAME = small("aeostz?eastoz", 5, 3)


def campaign(folder: Path, claim: int = 30) -> Campaign:
    found = campaign_in(GAME.problem, folder, claim)
    return found or begin_campaign(GAME.problem, Run(), folder, claim, (GAME.prices, []))


@given(moments=st.lists(st.tuples(st.floats(0, 0.99), st.booleans()), min_size=1, max_size=4))
@settings(max_examples=20)
def test_a_sweep_that_is_killed_again_and_again_loses_no_state(moments: list[tuple[float, bool]]) -> None:
    """Before or after one of the writes, a part of the way through the writes of a whole sweep."""
    put, writes, dies = Files.put, 0, (10**9, False)

    def put_or_die(self: Files, kind: str, layer: int, source: int, part: int, numbers: Packed) -> None:
        nonlocal writes
        writes += 1
        if (writes, False) == dies:
            raise KilledError
        put(self, kind, layer, source, part, numbers)
        if (writes, True) == dies:
            raise KilledError

    with pytest.MonkeyPatch.context() as patch, tempfile.TemporaryDirectory() as some, tempfile.TemporaryDirectory() as other:
        patch.setattr(sweep_module, "_PART", 100)
        patch.setattr(Files, "put", put_or_die)
        whole = campaign(Path(some))
        assert whole.play(Run())
        dies = (1 + int(moments[0][0] * writes), moments[0][1])
        writes = 0
        with pytest.raises(KilledError):
            campaign(Path(other)).play(Run())
        for share, after in moments[1:]:
            dies, writes = (1 + int(share * dies[0]), after), 0
            with suppress(KilledError):  # what is left may take fewer writes
                campaign(Path(other)).play(Run())
        dies = (10**9, False)
        last = campaign(Path(other))
        assert last.play(Run())
        assert replace(last.tally, size=0) == replace(whole.tally, size=0)
        assert states_in(Files(Path(other)), len(GAME.row)) == states_in(Files(Path(some)), len(GAME.row))


def test_a_finished_sweep_keeps_its_states_alone_and_says_the_same_again(tmp_path: Path) -> None:
    first = campaign(tmp_path)
    assert first.play(Run())
    assert {path.name.split("-")[0] for path in tmp_path.glob("layer-*/*")} == {"states"}
    again = campaign(tmp_path)
    assert again.is_done
    assert again.play(Run())
    assert again.bound().thousandths == first.bound().thousandths == 1000 * first.tally.claim


def test_a_sweep_that_has_not_ended_proves_no_more_than_its_prices(tmp_path: Path) -> None:
    started = campaign(tmp_path)
    assert not started.is_done
    assert started.bound().thousandths == started.of_prices


def test_a_forecast_that_comes_to_the_claim_is_what_the_sweep_needs(tmp_path: Path) -> None:
    started = campaign(tmp_path)
    need = started.forecast(Run())
    assert need is not None
    assert started.play(Run())
    # the last of the quick sweeps has come to the claim
    assert need.racks == pytest.approx(started.tally.racks)
    assert need.growth >= 1


def test_a_forecast_follows_the_growth_that_was_measured_as_it_falls() -> None:
    claims = np.arange(1100.0, 1080.0, -2.0)
    racks = 1e5 * np.exp(0.15 * (1100 - claims) - 0.001 * (1100 - claims) ** 2)
    need = _grown(np.stack([claims, racks, racks, racks, racks], axis=1), 1070)
    assert need is not None
    assert need.racks == pytest.approx(1e5 * np.exp(0.15 * 30 - 0.001 * 30**2), rel=0.01)
    assert need.growth == pytest.approx(np.exp(0.15 - 0.002 * 18), rel=0.01)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "not how far a sweep has come"),
        ("[1]", "not how far a sweep has come"),
        ("{}", "not how far a sweep has come"),
        ('{"puzzle_hash": "x", "start": 30, "tally": {"claim": 3}}', "a sweep of another puzzle"),
        ('{"puzzle_hash": "x", "start": 30, "tally": {"claims": 3}}', "not how far a sweep has come"),
        ('{"puzzle_hash": "x", "start": 30, "tally": 3}', "not how far a sweep has come"),
    ],
)
def test_a_damaged_folder_is_refused(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "sweep.json").write_text(text)
    with pytest.raises(RecordError, match=message):
        campaign_in(GAME.problem, tmp_path, 30)


def test_a_folder_whose_parts_go_by_something_else_is_refused_and_left_as_it_is(tmp_path: Path) -> None:
    campaign(tmp_path, 30)
    saved = json.loads((tmp_path / "sweep.json").read_text())
    del saved["parts"]
    (tmp_path / "sweep.json").write_text(json.dumps(saved))
    with pytest.raises(RecordError, match="a sweep of another version"):
        campaign_in(GAME.problem, tmp_path, 30)
    assert json.loads((tmp_path / "sweep.json").read_text()) == saved


def test_the_claim_of_a_folder_stays(tmp_path: Path) -> None:
    campaign(tmp_path, 30)
    with pytest.raises(RecordError, match="for games above 30 points, not 31"):
        campaign(tmp_path, 31)
    assert campaign_in(GAME.problem, tmp_path, None) is not None


def test_numbers_that_were_cut_short_are_named(tmp_path: Path) -> None:
    store = Files(tmp_path)
    store.put("states", 3, 3, 0, np.arange(100, dtype=np.uint64))
    (path,) = tmp_path.glob("layer-003/*")
    path.write_bytes(path.read_bytes()[:-8])
    with pytest.raises(OSError, match="is cut short"):
        store.chunks("states", 3)
    path.write_bytes(b"12345")
    with pytest.raises(OSError, match="is cut short"):
        store.part("states", 3, 0, 1)


def prices_for(problem: Problem) -> Prices:
    return with_cells(first_prices(problem), 3, 3)


@pytest.mark.filterwarnings("default")
def test_a_cluster_that_loses_a_worker_makes_the_states_that_threads_make(tmp_path: Path) -> None:
    problem = Problem.of(load_puzzle("challenge").with_row(SHORT))
    start = (prices_for(problem), list[Focus]())
    by_threads = begin_campaign(problem, Run(threads=2), tmp_path / "threads", CLAIM, start)
    by_cluster = begin_campaign(problem, Run(threads=2), tmp_path / "cluster", CLAIM, start)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sweep_module, "_PART", 50)
        assert by_threads.play(Run(threads=2))
        with cluster(tmp_path, 3) as (address, workers):

            def kill_one() -> None:
                while by_cluster.tally.layer < 4:
                    time.sleep(0.02)
                workers[0].kill()

            killer = threading.Thread(target=kill_one, daemon=True)
            killer.start()
            with dask_executor(address, 3) as executor:
                assert by_cluster.play(Run(), executor)
            killer.join()
            assert workers[0].wait(timeout=10) == -signal.SIGKILL
    assert by_threads.tally.racks > 1000
    assert replace(by_cluster.tally, size=0) == replace(by_threads.tally, size=0)
    assert states_in(Files(tmp_path / "cluster"), len(SHORT)) == states_in(Files(tmp_path / "threads"), len(SHORT))


def test_the_command_goes_on_where_it_was_killed(tmp_path: Path) -> None:
    start, file = tmp_path / "start.json", tmp_path / "bound.json"
    done = rowdraw("bound", "--row", ROW, "--relaxation", "r3", "--time", "3", "--states", "0", "-o", str(start))
    assert done.returncode == 0, done.stderr
    command = ["lab", "sweep", "--row", ROW, "--claim", "100", "--start", str(start), "-o", str(file), "--folder"]
    whole = rowdraw(*command, str(tmp_path / "whole"))
    assert whole.returncode == 0, whole.stderr
    figures = r"forecast: about [\d,]+ racks, [\d,]+ states, [\d.,]+ GB of disk, [\d.,]+ hours on \d+ threads"
    assert re.search(figures, whole.stderr)
    folder = tmp_path / "killed"
    process = subprocess.Popen([*MAIN, *command, str(folder)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while process.poll() is None and not list(folder.glob("layer-00[6-9]/states-*")):
        time.sleep(0.01)
    process.kill()
    assert process.wait() == -signal.SIGKILL
    on = rowdraw(*command, str(folder))
    assert on.returncode == 0, on.stderr
    assert "going on after" in on.stderr
    assert on.stdout.splitlines()[-1] == whole.stdout.splitlines()[-1]
    assert json.loads((folder / "sweep.json").read_text())["tally"]["states"].keys()
    assert states_in(Files(folder), len(ROW)) == states_in(Files(tmp_path / "whole"), len(ROW))
    assert rowdraw("verify", str(file)).returncode == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "a new one needs --claim and --start"),
        (["--claim", "100"], "a new one needs --claim and --start"),
        (["--claim", "100", "--start", "none.json"], "none.json: the certificate cannot be read"),
        (["--claim", "100", "--executor", "dask", "--scheduler", "x"], "needs --claim and --start"),
    ],
)
def test_bad_usage_is_refused(tmp_path: Path, arguments: list[str], message: str) -> None:
    done = rowdraw("lab", "sweep", "--row", ROW, "--folder", "f", *arguments, cwd=tmp_path)
    assert done.returncode == 2
    assert message in done.stderr
