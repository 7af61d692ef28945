"""Strategies in files outside the package, and the messages about their faults."""

import os
import re
import sys
from pathlib import Path

import pytest

import solver
from solver.checking import Budget
from solver.errors import StrategyError
from solver.index.problem import Problem
from solver.lab.compare.execute import local_executor, run_isolated
from solver.lab.compare.plan import plan
from solver.lab.compare.runs import Task
from solver.search.run import Run
from solver.solving.solve import search
from solver.solving.strategies import full_spec, make_strategy
from tests.process import rowdraw
from verify import load_rules

HEAD = """
from dataclasses import dataclass
from solver.search.greedy import Greedy
from solver.model.solution import Solution, Turn

@dataclass(frozen=True)
class Settings:
    shortest: int = 3
    share: float = 1
    deep: bool = False
    label: str = "x,y"
    things: tuple = ()

    def __post_init__(self):
        if self.shortest < 1:
            raise ValueError(f"shortest = {self.shortest}: expected 1 or more")

@dataclass(frozen=True)
class Mine:
    \"\"\"Mine, for a test.\"\"\"
    Parameters = Settings
    parameters: Settings = Settings()
    name: str = "mine"

    def search(self, problem, run):
"""
GREEDY = "        Greedy().search(problem, run)\n"
SOLVE = ["solve", "--row", "tea?setsoat", "--strategy"]


def written(folder: Path, body: str, name: str = "mine.py") -> Path:
    path = folder / name
    path.write_text(HEAD + body)
    return path


def test_a_class_of_a_file_is_a_strategy_with_settings_like_our_own(tmp_path: Path) -> None:
    spec = f"{written(tmp_path, GREEDY)}:Mine"
    made = make_strategy(f"{spec}:shortest=4,share=0.5,deep=true,label=q")
    chosen = made.parameters
    assert (chosen.shortest, chosen.share, chosen.deep, chosen.label) == (4, 0.5, True, "q")
    result = solver.solve("challenge", f"{spec}:shortest=4")
    assert (result.score, result.strategy, result.parameters["shortest"]) == (946, "mine", 4)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ("shortest=many", "strategy mine: shortest = 'many': expected a whole number"),
        ("shortest=0", "strategy mine: shortest = 0: expected 1 or more"),
        ("share=x", "strategy mine: share = 'x': expected a number"),
        ("deep=perhaps", "strategy mine: deep = 'perhaps': expected true or false"),
        ("things=1", "strategy mine: things is a tuple, which no text can give"),
        (
            "depth=1",
            "strategy mine has no parameter 'depth': expected shortest, share, deep, label, things",
        ),
    ],
)
def test_settings_are_checked_with_the_same_words_as_our_own(
    settings: str, message: str, tmp_path: Path
) -> None:
    with pytest.raises(StrategyError, match=message):
        make_strategy(f"{written(tmp_path, GREEDY)}:Mine:{settings}")


# the end of the search, or a whole file, and the message
FAULTY = [
    ("import no_such_module", "mine.py:1: ModuleNotFoundError: No module named 'no_such_module'"),
    ("def search(:", "mine.py:1: SyntaxError"),
    ("class Mine:\n    pass", "it has no name: expected a strategy, a class with a name"),
    (
        "class Mine:\n    name = 'my-own'\n    Parameters = search = int",
        "name = 'my-own' is not a name of letters",
    ),
    ("class Mine:\n    name = 'mine'\n    Parameters = int", "it has no search"),
    ("class Other:\n    pass", "there is no Mine: it has Other"),
    ("        run.bogus()\n", "mine.py:26: AttributeError: 'Run' object has no attribute 'bogus'"),
    (
        "        run.offer(None)\n",
        "mine.py:26: RowdrawError: solution = None: expected solver.model",
    ),
    ("        raise BaseException('x')\n", "mine.py:26: BaseException: x"),
    ("        pass\n", "strategy mine offered no answer"),
    (
        "        run.offer(Solution((Turn(0, 'zz', 'zz', 5),)))\n",
        "answer that is not valid: line 1: 'zz' needs",
    ),
    (
        "        run.offer(Solution((Turn(0, 'at', 'at', 999),)))\n",
        "it claims 999 points: expected 3",
    ),
    ("        raise ValueError('a\\x1b[31m\\nb')\n", r"ValueError: a\x1b[31m\nb"),
]


@pytest.mark.parametrize(("text", "message"), FAULTY, ids=lambda text: text.strip()[:40])
def test_what_is_wrong_with_a_plugin_is_reported_in_a_line_with_its_file(
    text: str, message: str, tmp_path: Path
) -> None:
    path = written(tmp_path, text)
    if not text.startswith(" "):
        path.write_text(text)
    done = rowdraw(*SOLVE, "mine.py:Mine", cwd=tmp_path, code=2)
    last = done.stderr.splitlines()[-1]
    assert message in last
    assert "mine.py" in last
    assert done.stdout == ""


def test_a_plugin_that_is_missing_or_needs_more_than_its_defaults_is_reported(
    tmp_path: Path,
) -> None:
    with pytest.raises(StrategyError, match=r"nowhere\.py: cannot be read"):
        make_strategy("nowhere.py:Mine")
    (tmp_path / "folder.py").mkdir()
    with pytest.raises(StrategyError, match="cannot be read"):
        make_strategy(f"{tmp_path / 'folder.py'}:Mine")
    path = written(tmp_path, GREEDY)
    path.write_text(
        path.read_text().replace("int = 3", "int").replace("= Settings()", "= Settings(3)")
    )
    with pytest.raises(StrategyError, match="mine: shortest: expected a default"):
        make_strategy(f"{path}:Mine")
    with pytest.raises(StrategyError, match=r"expected one of .*FILE\.py:NAME"):
        make_strategy("mine.py")


def test_a_field_without_a_default_is_not_confused_with_an_error_of_the_strategy(
    tmp_path: Path,
) -> None:
    path = written(tmp_path, GREEDY)
    text = path.read_text().replace("= Settings()", "= None")
    path.write_text(text.replace("    parameters:", "    other: int\n    parameters:"))
    with pytest.raises(StrategyError, match="mine: other: expected a default"):
        make_strategy(f"{path}:Mine")
    path.write_text(text.replace("self.shortest < 1", "len(self.shortest) < 1"))
    with pytest.raises(StrategyError, match=r"mine\.py:15: TypeError: object of type 'int'"):
        make_strategy(f"{path}:Mine")


def test_a_file_that_is_changed_at_once_and_keeps_its_size_is_read_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    path = written(tmp_path, GREEDY)
    status = path.stat()
    assert make_strategy(f"{path}:Mine").parameters.shortest == 3
    path.write_text(path.read_text().replace("int = 3", "int = 4"))
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert make_strategy(f"{path}:Mine").parameters.shortest == 4


def test_a_traceback_is_for_those_who_ask(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = written(tmp_path, "        run.bogus()\n")
    monkeypatch.setenv("ROWDRAW_DEBUG", "1")
    with pytest.raises(AttributeError, match="bogus"):
        solver.solve("challenge", f"{path}:Mine")


def test_what_a_plugin_offers_before_it_fails_counts(tmp_path: Path) -> None:
    written(tmp_path, GREEDY + "        raise RuntimeError('at the end')\n")
    done = rowdraw(*SOLVE, "mine.py:Mine", cwd=tmp_path, code=1)
    assert "mine.py:27: RuntimeError: at the end" in done.stderr
    assert "the best answer before that counts" in done.stderr
    assert done.stdout


@pytest.mark.long
def test_workers_load_a_plugin_with_its_neighbours_and_a_changed_one_is_another_run(
    tmp_path: Path,
) -> None:
    (tmp_path / "helpers.py").write_text("TIES = 3\n")
    # what it prints is no part of the record, whatever its encoding
    printing = "        import os\n        print('hello')\n        os.write(2, b'caf\\xe9')\n"
    written(tmp_path, f"        import helpers\n{printing}        Greedy().search(problem, run)\n")
    (tmp_path / "mine.py").write_text("import helpers\n" + (tmp_path / "mine.py").read_text())
    specs = [f"{tmp_path / 'mine.py'}:Mine:shortest=5", f"{tmp_path / 'mine.py'}:Mine"]

    def planned() -> list[Task]:
        return plan(["challenge"], specs, 1, Budget(racks=20000))

    before = planned()
    with local_executor(1):
        outcomes = [run_isolated(task) for task in before]
    assert [outcome.failed for outcome in outcomes] == [False, False]
    assert [outcome.score for outcome in outcomes] == [946, 946]
    assert planned() == before
    (tmp_path / "helpers.py").write_text("TIES = 4\n")
    changed = planned()
    assert {task.key for task in changed}.isdisjoint(task.key for task in before)
    (tmp_path / "mine.py").write_text((tmp_path / "mine.py").read_text() + "# changed\n")
    assert {task.key for task in planned()}.isdisjoint(task.key for task in changed)


def test_a_neighbour_of_a_plugin_hides_no_module_of_ours_or_of_python(tmp_path: Path) -> None:
    for name in ("solver", "verify", "statistics", "numpy", "psutil"):
        (tmp_path / f"{name}.py").write_text("raise RuntimeError('the wrong one')\n")
    written(tmp_path, "        import statistics, scipy.optimize\n" + GREEDY)
    rowdraw(*SOLVE, "mine.py:Mine", cwd=tmp_path, PYTHONSAFEPATH="1", code=0)


def test_what_no_text_can_give_is_not_spelled_out(tmp_path: Path) -> None:
    path = written(tmp_path, GREEDY)
    assert full_spec(f"{path}:Mine:shortest=4") == f"{path}:Mine:shortest=4,share=1.0,deep=False"
    assert full_spec(full_spec(f"{path}:Mine")) == full_spec(f"{path}:Mine")
    task = plan(["challenge"], [f"{path}:Mine"], 1, Budget(racks=10))[0]
    assert "+" in task.code


def test_all_strategies_are_listed_with_their_settings(tmp_path: Path) -> None:
    done = rowdraw("solve", "--list-strategies", cwd=tmp_path, code=0)
    assert "  width=2000: " in done.stdout
    assert "  ties=200: The most lines of equally" in done.stdout
    assert not re.search("=.*: $", done.stdout, re.MULTILINE)
    assert "command-json:PROGRAM" in done.stdout


def test_a_class_that_goes_on_after_ctrl_c_is_ended_by_a_second_one_and_its_answer_counts(
    tmp_path: Path,
) -> None:
    problem = Problem(load_rules(row="tea?setsoat"))
    path = written(
        tmp_path,
        GREEDY
        + "        if self.parameters.deep: run.interrupt()\n        raise KeyboardInterrupt\n",
    )
    said: list[str] = []
    run = Run(say=said.append)
    search(problem, make_strategy(f"{path}:Mine:deep=true"), run)
    assert run.incumbent.turns
    assert said == ["strategy mine was stopped; the best answer before that counts"]
    with pytest.raises(KeyboardInterrupt):
        search(problem, make_strategy(f"{path}:Mine"), Run())


def test_a_class_that_goes_on_after_its_limit_and_after_ctrl_c_is_reported_while_it_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("solver.solving.solve._GRACE", 0.0)
    problem = Problem(load_rules(row="tea?setsoat"))
    waits = "        import time\n        while len(run.say.__self__) < {0}: time.sleep(0.01)\n"
    body = waits.format(1) + "        run.interrupt()\n" + waits.format(2)
    path = written(tmp_path, GREEDY + body)
    said: list[str] = []
    search(problem, make_strategy(f"{path}:Mine"), Run(seconds=0.0, say=said.append))
    assert said == [
        "strategy mine continues after its limit; Ctrl-C asks it to stop",
        "strategy mine does not stop; Ctrl-C again stops it, and its best answer so far counts",
    ]
