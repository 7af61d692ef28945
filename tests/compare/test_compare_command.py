"""`rowdraw compare` in real processes: resumed, killed, failing, merged, and on a cluster."""

import os
import signal
import subprocess
import threading
import time
from pathlib import Path

import msgspec
import pytest

from solver.checking import Budget
from solver.lab.compare.execute import make_runs, run_isolated
from solver.lab.compare.plan import plan
from solver.lab.compare.runs import NAME, Journal, Outcome
from tests.cluster import cluster
from tests.process import MAIN, rowdraw

MATRIX = ["--puzzles", "shuffled-01,shuffled-02", "--strategies", "greedy;beam:width=20"]
MATRIX += ["--seeds", "1", "--time", "20000racks"]


def outcomes(folder: Path) -> list[Outcome]:
    return list(Journal(folder).outcomes().values())


@pytest.fixture(scope="module")
def compared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("compared")
    done = rowdraw("compare", *MATRIX, "--jobs", "2", "-o", folder, code=0)
    assert "beam:width=20" in done.stdout
    return folder


def test_the_same_command_runs_only_what_is_missing(compared: Path) -> None:
    journal = compared / NAME
    before = journal.read_text()
    again = rowdraw("compare", *MATRIX, "-o", compared)
    assert "4 runs, 4 done already" in again.stderr
    assert journal.read_text() == before
    lines = before.splitlines(keepends=True)
    journal.write_text("".join(lines[:2]) + lines[2][:20])
    resumed = rowdraw("compare", *MATRIX, "-o", compared)
    assert "4 runs, 2 done already" in resumed.stderr
    assert len(outcomes(compared)) == 4
    collected = rowdraw("compare", "--collect", "-o", compared)
    assert collected.stdout == resumed.stdout


def test_a_rack_budget_makes_runs_repeatable(compared: Path) -> None:
    task = plan(["shuffled-01"], ["beam:width=20"], 1, Budget(racks=20000))[0]
    again = run_isolated(task)
    known = Journal(compared).outcomes()[task.key]
    assert (again.score, again.racks, again.solution) == (known.score, known.racks, known.solution)


def test_a_killed_comparison_goes_on_where_it_was(tmp_path: Path) -> None:
    command = [*MAIN, "compare", *MATRIX, "-o", str(tmp_path)]
    process = subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
    )
    while not outcomes(tmp_path):
        assert process.poll() is None
        time.sleep(0.05)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    had = len(outcomes(tmp_path))
    assert 1 <= had < 4
    resumed = rowdraw("compare", *MATRIX, "--jobs", "2", "-o", tmp_path)
    assert f"4 runs, {had} done already" in resumed.stderr
    assert len(outcomes(tmp_path)) == 4


def test_a_failing_run_is_recorded_and_the_rest_go_on(tmp_path: Path) -> None:
    tasks = plan(["shuffled-01"], ["greedy"], 2, Budget(racks=1000))
    broken = msgspec.structs.replace(tasks[0], strategy="greedy:ties=none")
    journal = Journal(tmp_path)
    outcomes_so_far: list[Outcome] = []
    outcomes_so_far += make_runs([broken, tasks[1]], journal)
    assert [outcome.failed for outcome in outcomes_so_far] == [True, False]
    assert "ties = 'none'" in outcomes_so_far[0].error
    rowdraw("compare", "--collect", "-o", tmp_path, code=0)


@pytest.mark.filterwarnings("default")
def test_a_cluster_that_loses_a_worker_finishes_every_run(tmp_path: Path) -> None:
    with cluster(tmp_path, 2) as (address, workers):
        tasks = plan(["shuffled-01"], ["beam:width=20", "greedy"], 2, Budget(racks=20000))
        journal = Journal(tmp_path)
        outcomes_so_far: list[Outcome] = []
        killer = threading.Thread(target=lambda: (_wait_for(outcomes_so_far), workers[0].kill()))
        killer.start()
        for outcome in make_runs(tasks, journal, 2, address):
            outcomes_so_far.append(outcome)  # noqa: PERF402 - another thread watches it
        killer.join()
        assert workers[0].wait(timeout=10) == -signal.SIGKILL
        found = journal.outcomes()
        assert set(found) == {task.key for task in tasks}
        assert all(not outcome.failed for outcome in found.values())


def _wait_for(outcomes_so_far: list[Outcome]) -> None:
    while not outcomes_so_far:
        time.sleep(0.02)
