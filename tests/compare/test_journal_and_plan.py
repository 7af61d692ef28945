"""The journal keeps every finished run whatever happens, and a plan names its runs by all that
decides them."""

import csv
import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from solver.checking import Budget
from solver.errors import RowdrawError, StrategyError, require
from solver.lab.compare.collect import View
from solver.lab.compare.comparing import collect
from solver.lab.compare.plan import code_version, digest_of, plan, puzzle_files, specified
from solver.lab.compare.runs import NAME, NO_ANSWER, Journal, Outcome, Task, read_outcome
from solver.lab.compare.tables import Table, markdown, terminal
from tests.compare.runs import ENDED, USUAL, fields_of, run_of
from tests.process import rowdraw
from verify.text import csv_text


def test_a_success_outlasts_a_failure_and_a_later_success_an_earlier(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    for outcome in ({"score": 1}, {"error": "boom"}, {"score": 2}, {"error": "later"}):
        journal.append(run_of(key="a", **outcome))
    journal.append(run_of(key="b", error="boom"))
    lines = journal.path.read_text().splitlines()
    assert ['"error"' in line for line in lines] == [False, True, False, True, True]
    assert journal.outcomes()["a"].score == 2
    assert journal.outcomes()["b"].failed
    other = Journal(tmp_path / "other")
    assert other.extend(journal.outcomes().values()) == 2
    assert (
        other.extend(
            [run_of(key="a", score=9), run_of(key="b", score=5), run_of(key="b", error="x")]
        )
        == 1
    )
    assert (other.outcomes()["a"].score, other.outcomes()["b"].score) == (2, 5)


def test_a_file_that_is_no_journal_is_refused(tmp_path: Path) -> None:
    assert Journal(tmp_path).outcomes() == {}
    (tmp_path / NAME).write_text("hello\n")
    with pytest.raises(RowdrawError, match="is not a run of a comparison"):
        Journal(tmp_path).outcomes()


def test_a_plan_is_the_whole_matrix_each_run_with_its_own_key() -> None:
    tasks = plan(["challenge", "shuffled-01"], ["greedy", "beam:width=10"], 3, Budget(racks=1000))
    assert len(tasks) == 12
    assert len({task.key for task in tasks}) == 12
    assert tasks[0].strategy == "greedy:ties=200"
    assert tasks[1].strategy.startswith("beam:width=10,price=")
    task = tasks[0]
    for change in (
        {"puzzle_digest": "x"},
        {"strategy": "x"},
        {"seed": 9},
        {"budget": "x"},
        {"threads": 2},
        {"code": "x"},
    ):
        assert replace(task, **change).key != task.key
    assert replace(task, label="renamed", puzzle="elsewhere.toml").key == task.key


def test_the_code_of_a_run_is_that_of_all_that_searches(root: Path, tmp_path: Path) -> None:
    shutil.copytree(root / "solver", tmp_path / "solver")
    shutil.copytree(root / "data", tmp_path / "data")
    before = digest_of(tmp_path / "solver", tmp_path / "data")
    assert before == digest_of(root / "solver", root / "data") == code_version()
    changed = set()
    for name in (
        "solver/search/run.py",
        "solver/bound/relaxation.py",
        "solver/search/beam.py",
        "data/letter-positions.toml",
    ):
        with (tmp_path / name).open("a") as file:
            file.write("# changed\n")
        changed.add(digest_of(tmp_path / "solver", tmp_path / "data"))
    assert len(changed | {before}) == 5
    for name in ("commands/cli.py", "report/comparison.py", "lab/records.py"):
        (tmp_path / "solver" / name).write_text("")
    assert digest_of(tmp_path / "solver", tmp_path / "data") in changed


@pytest.fixture
def task() -> Task:
    return plan(["challenge"], ["greedy"], 1, Budget(racks=1000))[0]


@pytest.fixture
def usual(task: Task) -> dict[str, Any]:
    """The fields of a run, without points."""
    return {**ENDED, **USUAL, **fields_of(task)}


LIE = {"score": 6, "seconds": 1.0, "racks": 1, "trace": [[0.5, 1, 6]], "solution": ["6 lie lie"]}
TEA_RULES = {"row": "tea?", "rack": 10, "values": {"t": 2, "e": 1, "a": 1}}
TEA = {
    **LIE,
    "score": 7,
    "trace": [[0.5, 1, 7]],
    "solution": ["4 tea tea"],
    "puzzle": "mine.toml",
    "rules": TEA_RULES,
}


# what a line says of its run, and why it is left out
FALSE = [
    ({**LIE, "score": 1042}, "score = 1042: expected 6, the score of its solution"),
    ({**LIE, "score": 1042, "trace": [[0.5, 1, 1042]]}, "score = 1042: expected 6"),
    (
        {**LIE, "trace": [[0.5, 1, 1042]]},
        "its trace has a higher score than its solution: expected at most 6",
    ),
    ({**LIE, "solution": ["6 lie lies"]}, "turn 1 of its solution: .*lies"),
    ({**LIE, "solution": []}, "score = 6: expected 0"),
    ({**TEA, "score": 8}, "score = 8: expected 7"),
    ({**TEA, "puzzle": "challenge", "words": "mine.txt", "score": 8}, "score = 8: expected 7"),
    ({**TEA, "rules": TEA_RULES | {"rack": 99}}, "its rules: rack = 99: expected"),
]


def test_a_score_that_the_solution_does_not_have_is_named_and_counts_nowhere(
    usual: dict[str, Any], tmp_path: Path
) -> None:
    journal = Journal(tmp_path / "a")
    journal.append({**usual, **TEA, "key": "mine"})
    for number, (run, _message) in enumerate(FALSE):
        journal.append({**usual, **run, "key": str(number)})
    (outcome,) = journal.outcomes(recount=True).values()
    assert (outcome.key, outcome.score) == ("mine", 7)
    merged = rowdraw("compare", "--collect", "--merge", "a", "-o", "merged", cwd=tmp_path)
    for line, (_run, message) in enumerate(FALSE, start=2):
        assert re.search(rf"a/journal\.jsonl:{line}: left out: {message}", merged.stderr)
    assert set(Journal(tmp_path / "merged").outcomes()) == {"mine"}


def test_a_run_whose_line_is_wrong_is_missing_until_it_is_repeated(
    task: Task, usual: dict[str, Any], tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")
    journal = Journal(tmp_path)
    for score, missing in ((7, [task]), (6, [])):
        journal.append({**usual, **LIE, "score": score})
        assert journal.unfinished([task]) == missing
    # the wrong line of a run that was repeated is not named again, and after a plan none is
    journal.append({**usual, **LIE, "key": "another", "score": 7})
    collect(tmp_path, View((task,)))
    assert caplog.messages == [
        f"{journal.path}:1: left out: score = 7: expected 6, the score of its solution"
    ]


def test_every_wrong_line_is_named_and_every_line_that_is_no_run(
    usual: dict[str, Any], tmp_path: Path
) -> None:
    journal = Journal(tmp_path)
    journal.append({**usual, **LIE})
    with journal.path.open("ab") as file:
        file.write(b'{"key": "to\n\xff\n' + b"[" * 100_000 + b"\n")
    for number in range(24):
        journal.append({**usual, **LIE, "key": str(number), "score": 7})
    done = rowdraw("compare", "--collect", "-o", ".", cwd=tmp_path, code=0)
    lines = [line.removeprefix("rowdraw: ") for line in done.stderr.splitlines()]
    named = [line for line in lines if line.startswith("journal.jsonl:")]
    assert named[:2] == [
        """journal.jsonl:2: left out: '{"key": "to': expected a run of a comparison""",
        "journal.jsonl:3: left out: '\ufffd': expected a run of a comparison",
    ]
    assert [line.split(": ")[0] for line in named[:20]] == [
        f"journal.jsonl:{number}" for number in range(2, 22)
    ]
    assert named[20:] == ["journal.jsonl: 7 more lines are left out"]


@pytest.mark.parametrize("field", NO_ANSWER)
def test_only_a_run_that_failed_may_lack_what_figures_are_made_of(
    field: str, usual: dict[str, Any]
) -> None:
    lacking = {**usual, **LIE}
    del lacking[field]
    line = json.dumps(lacking).encode()
    assert read_outcome(line) == f"{field} = None: object missing required field `{field}`"
    failed = read_outcome(json.dumps({**lacking, "error": "exit 1"}).encode())
    assert isinstance(failed, Outcome)


def test_budgets_are_seconds_or_racks() -> None:
    for text, budget in (
        ("0.5s", Budget(seconds=0.5)),
        ("2", Budget(seconds=2)),
        (2, Budget(seconds=2)),
        ("1e6racks", Budget(racks=1_000_000)),
        ("7racks", Budget(racks=7)),
    ):
        assert Budget.of(text) == Budget.of(str(budget)) == budget


def test_a_bad_budget_is_refused() -> None:
    for text in ("", "s", "-1s", "-1", "infs", "nanracks", "10 minutes", float("nan")):
        with pytest.raises(RowdrawError, match="expected seconds or racks"):
            Budget.of(text)


def test_a_strategy_can_have_a_name_and_braces_stand_for_each_of_their_values() -> None:
    texts = [
        "mine=s.py:Mine:width=50",
        "beam:width={100, 200},price=0.7",
        "m=beam:width={1,2},price={3,4}",
        "command:awk {a,b} x=1",
    ]
    assert list(specified(texts)) == [
        ("mine", "s.py:Mine:width=50"),
        ("beam:width=100,price=0.7", "beam:width=100,price=0.7"),
        ("beam:width=200,price=0.7", "beam:width=200,price=0.7"),
        ("m 1 3", "beam:width=1,price=3"),
        ("m 1 4", "beam:width=1,price=4"),
        ("m 2 3", "beam:width=2,price=3"),
        ("m 2 4", "beam:width=2,price=4"),
        ("command:awk {a,b} x=1", "command:awk {a,b} x=1"),
    ]
    with pytest.raises(StrategyError, match="expected values such as"):
        list(specified(["beam:width={1"]))
    with pytest.raises(StrategyError, match="more than 1,000 strategies"):
        list(specified([f"beam:width={{{','.join(map(str, range(1001)))}}}"]))


def test_puzzles_are_names_patterns_files_and_folders(tmp_path: Path) -> None:
    for name in ("b", "a"):
        (tmp_path / f"{name}.toml").write_text('row = "teasets"\n')
    own = [str(tmp_path / "a.toml"), str(tmp_path / "b.toml")]
    assert puzzle_files(["challenge", "shuffled-0*"])[:2] == ["challenge", "shuffled-01"]
    assert len(puzzle_files(["all", "shuffled-*"])) == 21
    assert puzzle_files([str(tmp_path)]) == puzzle_files([f"{tmp_path}/*.toml"]) == own
    with pytest.raises(
        RowdrawError, match=r"shufled-\*: it gives no puzzle: expected bundled names"
    ):
        puzzle_files(["shufled-*"])


@pytest.mark.parametrize(
    ("puzzles", "strategies", "message"),
    [
        ("", "greedy", "no puzzles: expected names or files"),
        ("challenge", "x=greedy;x=beam", "two strategies have the name 'x'"),
        ("challenge nope", "greedy", "no such puzzle"),
        ("challenge", "greedy;nope", "unknown strategy"),
        ("challenge", "beam;beam:width=2000", "are the same"),
        ("challenge", " ", "no strategies"),
        ("challenge", "a\tb=greedy", r"strategy 'a.tb': expected characters that can be"),
    ],
)
def test_what_cannot_be_run_is_refused_before_anything_runs(
    puzzles: str, strategies: str, message: str
) -> None:
    with pytest.raises(RowdrawError, match=message):
        plan(puzzles.split(), strategies.split(";"), 1, Budget(seconds=1))


def test_a_puzzle_that_is_planned_twice_is_refused_and_a_comment_that_cannot_be_printed(
    root: Path,
) -> None:
    same = str(root / "data" / "puzzles" / "challenge.toml")
    with pytest.raises(RowdrawError, match=f"puzzles 'challenge' and '{same}' are the same"):
        plan(["challenge", same], ["greedy"], 1, Budget(seconds=1))
    with pytest.raises(RowdrawError, match=r"comment 'a.nb': expected characters that can be"):
        plan(["challenge"], ["greedy"], 1, Budget(seconds=1), comment="a\nb")


def test_tables_hold_the_same_cells_in_every_form() -> None:
    table = Table(("name", "n"), [["a|b", "1,000"], ["c", "2"]])
    assert markdown(table) == "| name | n |\n| --- | ---: |\n| a\\|b | 1,000 |\n| c | 2 |\n"
    assert csv_text([table.head, *table.cells]) == 'name,n\na|b,"1,000"\nc,2\n'
    assert terminal(table) == "name      n\n----  -----\na|b   1,000\nc         2\n"


@given(st.text(max_size=6), st.floats(allow_nan=False, allow_infinity=False))
def test_no_text_in_csv_is_a_formula_and_numbers_stay_numbers(text: str, number: float) -> None:
    interval = f"{number:+.1f} to {-number:+.1f}"
    ((first, *others),) = csv.reader(
        csv_text([[text, f"{number:+.1f}", interval, "-", number]]).splitlines()
    )
    assert not first.startswith(("=", "@"))
    assert not re.match(r"[+-].*[^\d., to+-]", first)
    assert others == [f"{number:+.1f}", interval, "-", str(number)]


def test_a_folded_table_has_each_figure_once_and_the_names_in_every_part() -> None:
    name = "beam:width=1000,price=0.75"
    figures = [f"{number},567" for number in range(10, 22)]
    printed = terminal(Table(("strategy", *figures), [[name, *figures]]), width=80)
    # each is a head and a cell
    assert all(printed.count(figure) == 2 for figure in figures)
    parts = printed.split("\n\n")
    assert len(parts) > 1
    assert all(part.startswith("strategy") and f"\n{name}  " in part for part in parts)
    assert max(map(len, printed.splitlines())) <= 80


def test_a_missing_library_is_named_with_the_extra_that_brings_it() -> None:
    require("report", "json")
    with pytest.raises(
        RowdrawError, match=r"this needs no_such_library: pip install 'rowdraw\[report\]'"
    ):
        require("report", "json", "no_such_library")
