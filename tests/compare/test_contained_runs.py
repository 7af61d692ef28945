"""Classes and programs that cheat or misbehave are contained, and timed and judged from outside."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from solver.checking import Budget
from solver.lab.compare import apart
from solver.lab.compare.execute import run_isolated
from solver.lab.compare.plan import plan
from solver.lab.compare.runs import Journal, Outcome
from tests.process import MAIN, runs
from tests.web.serving import until

pytestmark = pytest.mark.usefixtures("posix")
NUMBER = str(20_000_000 + os.getpid())  # the argument of the sleepers that a test looks for
HEAD = f"""
import os, subprocess, sys, time
from dataclasses import dataclass

from solver.search.greedy import Greedy
from solver.search.run import Run

SLEEP = ["sleep", "{NUMBER}"]


@dataclass(frozen=True)
class Nothing:
    pass


def greedy(problem):
    mine = Run(threads=1)
    Greedy().search(problem, mine)
    return mine.incumbent


@dataclass(frozen=True)
class Mine:
    Parameters = Nothing
    parameters: Nothing = Nothing()
    name: str = "mine"

    def search(self, problem, run):
        found = greedy(problem)
"""


@pytest.fixture
def tiny(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a test, with a small puzzle."""
    (tmp_path / "tiny.toml").write_text('row = "tea?setsoat"\n')
    monkeypatch.chdir(tmp_path)
    return tmp_path


def outcome_of(folder: Path, body: str, budget: float = 1.0) -> Outcome:
    """The outcome of a class whose search has this body after `found` was found."""
    lines = "".join(f"        {line}\n" for line in body.splitlines())
    (folder / "mine.py").write_text(HEAD + lines)
    (task,) = plan(["tiny.toml"], ["mine.py:Mine"], 1, Budget(seconds=budget))
    return run_isolated(task)


def left() -> list[psutil.Process]:
    """The sleepers and the processes of runs that live on."""
    found = []
    for process in psutil.process_iter():
        try:
            line = process.cmdline()
        except psutil.Error:
            continue
        if NUMBER in line:
            found.append(process)
    return [process for process in found if runs(process)]


LEAVING = """
run.offer(found)
subprocess.Popen(SLEEP)
subprocess.Popen(SLEEP, start_new_session=True, env={})
subprocess.run(['setsid', 'sh', '-c', f'sleep {SLEEP[1]} & exit'], env={})
if os.fork() == 0: os.setsid(); os.execve('/bin/sleep', SLEEP, {})
"""


def test_what_a_class_leaves_behind_dies_with_its_run_and_keeps_nobody_waiting(tiny: Path) -> None:
    outcome = outcome_of(tiny, LEAVING, budget=60.0)
    assert (outcome.score, outcome.complete, outcome.notes) == (47, True, {})
    assert outcome.seconds < 50
    assert until(lambda: left() == [], 10)


LATE = """
first, second = (type(found)(found.turns[:count]) for count in (0, 1))
now = time.perf_counter()
time.sleep(2)
run.offer_found(first, 0.001)
run.started += 2
run.offer(second)
time.perf_counter = lambda: now
run.offer(found)
"""


def test_no_class_makes_a_late_answer_an_early_one(tiny: Path) -> None:
    """Neither by its own time, nor by a later start, nor by a clock that stands still."""
    outcome = outcome_of(tiny, LATE)
    assert (outcome.score, outcome.trace) == (0, [])
    *_worse, best = [score for _seconds, _racks, score in outcome.late]
    assert best == 47
    assert all(seconds > 2 for seconds, _racks, _score in outcome.late)


def test_a_flood_of_standard_error_is_not_kept(tiny: Path) -> None:
    import resource

    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    outcome = outcome_of(
        tiny,
        "run.offer(found)\nfor _ in range(300): sys.stderr.write('x' * 1_000_000)",
        budget=60.0,
    )
    assert (outcome.score, outcome.notes) == (47, {})
    unit = 1 if sys.platform == "darwin" else 1024
    assert (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * unit < 100_000_000


@pytest.mark.parametrize(
    ("body", "fault"),
    [
        ("os.kill(os.getpid(), 11)", "before its search was done it was killed by SIGSEGV"),
        ("os._exit(0)", "before its search was done it exited with code 0"),
        ("raise OSError('no more')", ": OSError: no more"),
    ],
)
def test_answers_before_a_crash_count_and_the_crash_is_noted(
    body: str, fault: str, tiny: Path
) -> None:
    outcome = outcome_of(tiny, f"run.offer(found)\n{body}")
    assert outcome.score == 47
    assert fault in outcome.notes["fault"]


def test_a_crash_without_an_answer_is_a_failure(tiny: Path) -> None:
    failed = outcome_of(tiny, "raise OSError('no more')")
    assert failed.failed
    assert ": OSError: no more" in failed.error


def test_a_class_that_forks_is_heard_once(tiny: Path) -> None:
    outcome = outcome_of(tiny, "os.fork()\nrun.offer(found)")
    assert (outcome.score, len(outcome.trace), outcome.notes) == (47, 1, {})


def test_an_invalid_answer_is_refused_even_if_the_class_disables_its_own_judge(tiny: Path) -> None:
    better = "from dataclasses import replace\nfirst = found.turns[0]\n"
    better += "cheat = type(found)((replace(first, score=999), *found.turns[1:]))\n"
    outcome = outcome_of(tiny, f"{better}run.confirm = None\nrun.offer(found)\nrun.offer(cheat)")
    assert outcome.score == 47
    assert "it offered an answer that is not valid: it claims" in outcome.notes["fault"]


def test_a_class_that_does_not_end_is_killed_some_seconds_after_its_limit(
    tiny: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert apart._PATIENCE <= 10
    monkeypatch.setattr(apart, "_PATIENCE", 1.0)
    begin = time.monotonic()
    outcome = outcome_of(tiny, "run.offer(found)\nwhile True: time.sleep(9)")
    assert time.monotonic() - begin < 60
    assert outcome.score == 47
    assert outcome.notes["fault"] == "it continued 1 s after its limit and was killed"


def test_the_processor_time_is_that_of_the_search_and_of_all_that_it_starts(tiny: Path) -> None:
    burn = "begin = time.process_time()\nwhile time.process_time() - begin < 0.5: pass\n"
    burn += "run.offer(found)"
    own = outcome_of(tiny, burn, budget=60.0)
    assert own.cpu_seconds is not None
    assert 0.5 <= own.cpu_seconds < 1.5
    code = "import time\nwhile time.process_time() < 0.5: pass"
    others = outcome_of(
        tiny, f"run.offer(found)\nsubprocess.run([sys.executable, '-c', {code!r}])", budget=60.0
    )
    assert others.cpu_seconds is not None
    assert others.cpu_seconds >= 0.5


@pytest.mark.parametrize("name", ["SIGINT", "SIGKILL"])
def test_runs_side_by_side_end_with_the_comparison(name: str, tiny: Path) -> None:
    waits = "        run.offer(found)\n        subprocess.Popen(SLEEP, start_new_session=True)\n"
    (tiny / "mine.py").write_text(HEAD + waits + "        time.sleep(600)\n")
    (tiny / "program.sh").write_text(f"echo 0 tea tea; echo; sleep {NUMBER}\n")
    strategies = "greedy;mine.py:Mine;command:sh program.sh"
    process = subprocess.Popen(
        [*MAIN, "compare", "--puzzles", "tiny.toml", "--strategies", strategies, "--seeds", "1",
         "--time", "600s", "--jobs", "3", "-o", "cmp"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert until(lambda: len(left()) == 2 and bool(Journal(tiny / "cmp").outcomes()), 120)
    process.send_signal(signal.Signals[name])
    _out, err = process.communicate(timeout=60)
    assert until(lambda: left() == [], 20)
    assert [outcome.label for outcome in Journal(tiny / "cmp").outcomes().values()] == ["greedy"]
    if name == "SIGINT":
        assert process.returncode == 130
        kept = "the same command goes on, and --collect reports these"
        assert f"interrupted, 1 of 3 runs done; {kept}" in err
