"""The record book: answers and certificates on file, and the table of them."""

import json
import threading
from pathlib import Path

import pytest

from solver.bound.ascent import Bound
from solver.bound.certificate import certificate
from solver.bound.relaxations.prices import first_prices
from solver.errors import RowdrawError
from solver.files import locked, replace_file
from solver.index.problem import Problem
from solver.lab.records import (
    best_on_file,
    book,
    entries,
    keep_bound,
    solution_on_file,
)
from solver.model.tiles import POINT
from solver.search.greedy import Greedy
from solver.search.run import Run
from solver.solving.result import Result
from solver.solving.solve import search
from tests.process import rowdraw


@pytest.fixture(scope="module")
def greedy(challenge: Problem) -> Result:
    return search(challenge, Greedy(), Run())


def certified(problem: Problem, points: int) -> str:
    """A certificate that claims a number of points, whatever its prices give."""
    return certificate(problem, Bound("r1", first_prices(problem), points * POINT))


def filed(results: Path, result: Result) -> Path:
    """The answer's file in a record book, which `solve -o` may write."""
    path = results / "challenge" / f"{result.score}.txt"
    path.parent.mkdir(parents=True)
    result.save(path)
    return path


def test_an_answer_in_the_book_reads_back(
    challenge: Problem, greedy: Result, tmp_path: Path
) -> None:
    assert filed(tmp_path, greedy) == tmp_path / "challenge" / f"{greedy.solution.score}.txt"
    assert solution_on_file(tmp_path / "challenge", challenge) == greedy.solution


def test_a_folder_that_cannot_be_written_is_an_error_with_its_name(
    challenge: Problem, tmp_path: Path
) -> None:
    (tmp_path / "challenge").write_text("in the way")
    with pytest.raises(RowdrawError, match="cannot be written"):
        keep_bound(tmp_path, challenge, 1200, "")


def test_the_book_has_a_row_a_puzzle_with_bound_gap_and_public_best(
    greedy: Result, tmp_path: Path
) -> None:
    filed(tmp_path, greedy)
    (tmp_path / "challenge" / "bound-r1.json").write_text('{"bound": 1243.75}')
    (tmp_path / "challenge" / "broken.json").write_text("[")
    (tmp_path / "elsewhere").mkdir()
    (entry,) = entries(tmp_path)
    assert (entry.score, entry.bound, entry.public) == (946, 1243, 961)
    assert "| challenge | [946](challenge/946.txt) | 1243 | 297 | 961 | greedy ties=200 |" in book(
        tmp_path
    )
    with pytest.raises(RowdrawError, match="no such folder"):
        book(tmp_path / "nowhere")


def test_the_book_links_to_a_folder_whose_name_has_spaces(tmp_path: Path) -> None:
    folder = tmp_path / "my (fine) row"
    folder.mkdir()
    (folder / "7.txt").write_text("0 tea tea\n")
    assert "| my (fine) row | [7](my%20%28fine%29%20row/7.txt) |" in book(tmp_path)


def test_a_certificate_is_filed_and_none_with_a_higher_bound_replaces_it(
    challenge: Problem, greedy: Result, tmp_path: Path
) -> None:
    path = filed(tmp_path, greedy.with_bound(1100))
    for bound in (1200, 1100, 1150):
        keep_bound(tmp_path, challenge, bound, certified(challenge, bound))
        assert json.loads(path.with_suffix(".json").read_text())["bound"] == 1100
    assert (path.parent / "certificate.txt").read_text() == certified(challenge, 1100)


def test_records_of_another_puzzle_of_the_same_name_are_not_touched(
    challenge: Problem, greedy: Result, tmp_path: Path
) -> None:
    filed(tmp_path, greedy)
    other = Problem(challenge.rules.with_row("teasea", "challenge"))
    with pytest.raises(RowdrawError, match="another puzzle of that name"):
        keep_bound(tmp_path, other, 24, "")
    with pytest.raises(RowdrawError, match="a game of 946 points is on file"):
        keep_bound(tmp_path, challenge, 945, "")
    assert [path.name for path in sorted((tmp_path / "challenge").iterdir())] == [
        "946.json",
        "946.txt",
    ]


@pytest.mark.parametrize("name", ["../escaped", "a/b", "..", ".hidden", "a\\b"])
def test_a_name_that_is_no_folder_keeps_no_records(
    challenge: Problem, name: str, tmp_path: Path
) -> None:
    problem = Problem(challenge.rules.with_row("tea", name))
    with pytest.raises(RowdrawError, match="a name that a folder can have"):
        keep_bound(tmp_path / "results", problem, 100, "")
    assert not list(tmp_path.rglob("certificate.txt"))


def test_the_committed_book_is_what_the_command_prints(root: Path) -> None:
    done = rowdraw("records", str(root / "results"), seconds=120)
    assert done.returncode == 0, done.stderr
    assert done.stdout == (root / "results" / "README.md").read_text(encoding="utf-8")


def test_a_file_is_replaced_whole_and_readable_for_everybody(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("old")
    replace_file(path, "new")
    assert path.read_text() == "new"
    assert path.stat().st_mode & 0o777 != 0o600
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "no turn"),
        (b"0 zoo zoo\n", "line 1"),
        (b"\xff", "no turn"),
        (b"6 s?l?mnized solemnized\n", "expected 999, as"),
    ],
)
def test_a_file_that_is_no_answer_of_its_score_is_refused_before_anything_runs(
    challenge: Problem, tmp_path: Path, content: bytes, message: str
) -> None:
    folder = tmp_path / "challenge"
    folder.mkdir()
    for name in ("9999", "0042", "\u0661\u0660"):
        (folder / f"{name}.txt").mkdir()
    assert best_on_file(folder) is None
    (folder / "999.txt").write_bytes(content)
    with pytest.raises(RowdrawError, match=message) as refused:
        keep_bound(tmp_path, challenge, 1200, "")
    assert "999.txt" in str(refused.value)


def test_who_holds_a_folder_keeps_others_out_until_done(tmp_path: Path) -> None:
    order: list[str] = []

    def other() -> None:
        with locked(tmp_path):
            order.append("other")

    with locked(tmp_path):
        thread = threading.Thread(target=other)
        thread.start()
        thread.join(0.3)
        order.append("first")
    thread.join()
    assert order == ["first", "other"]


def test_odd_fields_of_a_result_do_not_break_the_book(greedy: Result, tmp_path: Path) -> None:
    filed(tmp_path, greedy)
    path = tmp_path / "challenge" / f"{greedy.solution.score}.json"
    for bound in ("1" + "0" * 400, "NaN", '"Infinity"', "[]"):
        path.write_text(
            f'{{"bound": {bound}, "strategy": "a|b\\n\\ud800", "seconds": "x", "date": [1]}}'
        )
        assert "| - | - | 961 | a?b?? | - | [1] |" in book(tmp_path)
