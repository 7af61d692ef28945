"""The record book: answers and certificates on file, and the table of them."""

from pathlib import Path

import pytest

from solver.bound.ascent import Bound
from solver.bound.certificate import certificate
from solver.bound.prices import first_prices
from solver.errors import RowdrawError
from solver.files import replace_file
from solver.index.problem import Problem
from solver.lab.records import (
    best_in,
    book,
    bundled_record,
    entries,
    keep_answer,
    keep_bound,
    known_in,
    record_book,
)
from solver.model.tiles import POINT
from solver.search.greedy import Greedy
from solver.search.run import Run
from solver.solving.result import Result
from solver.solving.solve import search
from tests.process import rowdraw
from verify import judge


@pytest.fixture(scope="module")
def greedy(challenge: Problem) -> Result:
    return search(challenge, Greedy(), Run())


def certified(problem: Problem, points: int) -> str:
    """A certificate that claims a number of points, whatever its prices give."""
    return certificate(problem, Bound(first_prices(problem), points * POINT))


def filed(results: Path, result: Result) -> Path:
    """The answer's file in a record book."""
    path = keep_answer(results, result)
    assert path is not None
    return path


def test_an_answer_is_filed_under_what_it_scores_unless_one_as_good_is_there(
    challenge: Problem, greedy: Result, tmp_path: Path
) -> None:
    path = filed(tmp_path, greedy)
    assert path == tmp_path / "challenge" / f"{greedy.score}.txt"
    best = best_in(path.parent, challenge.rules)
    assert best is not None
    assert best.score == greedy.score
    assert keep_answer(tmp_path, greedy) is None
    path.rename(path.with_name("any name.txt"))
    assert keep_answer(tmp_path, greedy) is None


def test_a_folder_that_cannot_be_written_is_an_error_with_its_name(
    challenge: Problem, tmp_path: Path
) -> None:
    (tmp_path / "challenge").write_text("in the way")
    with pytest.raises(RowdrawError, match="cannot be written"):
        keep_bound(tmp_path, challenge, 1200, "")


def test_the_book_has_a_row_a_puzzle_with_bound_gap_and_public_best(
    challenge: Problem, greedy: Result, tmp_path: Path
) -> None:
    filed(tmp_path, greedy)
    keep_bound(tmp_path, challenge, 1243, certified(challenge, 1243))
    (tmp_path / "challenge" / "broken.json").write_text("[")
    (tmp_path / "elsewhere").mkdir()
    (entry,) = entries(tmp_path)
    assert (entry.score, entry.bound, entry.public) == (946, 1243, 961)
    assert "| challenge | [946](challenge/946.txt) | 1243 | 297 | 961 | greedy ties=200 |" in book(
        [entry]
    )
    with pytest.raises(RowdrawError, match="no such folder"):
        entries(tmp_path / "nowhere")


def test_the_book_links_to_a_folder_whose_name_has_spaces_and_names_a_wrong_file_once(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")
    folder = tmp_path / "my (fine) row"
    folder.mkdir()
    (folder / "100.txt").write_text("0 zzz zzz\n")
    (folder / "999.txt").write_text("# row teasets\n# rack 7\n0 tea tea\n")
    assert "| my (fine) row | [6](my%20%28fine%29%20row/999.txt) |" in book(entries(tmp_path))
    assert len(caplog.messages) == 1


def test_records_of_another_puzzle_of_the_same_name_are_not_touched(
    challenge: Problem, greedy: Result, tmp_path: Path
) -> None:
    filed(tmp_path, greedy)
    with pytest.raises(RowdrawError, match="a game of 946 points is on file"):
        keep_bound(tmp_path, challenge, 945, "")
    names = ["946.json", "946.txt"]
    assert [path.name for path in sorted((tmp_path / "challenge").iterdir())] == names
    keep_bound(tmp_path, challenge, 1200, certified(challenge, 1200))
    other = Problem(challenge.rules.with_row("teasea", "challenge"))
    with pytest.raises(RowdrawError, match="another puzzle of that name"):
        keep_bound(tmp_path, other, 24, "")


@pytest.mark.parametrize("name", ["../escaped", "a/b", "..", ".hidden", "a\\b"])
def test_a_name_that_is_no_folder_keeps_no_records(
    challenge: Problem, name: str, tmp_path: Path
) -> None:
    problem = Problem(challenge.rules.with_row("tea", name))
    with pytest.raises(RowdrawError, match="a name that a folder can have"):
        keep_bound(tmp_path / "results", problem, 100, "")
    assert not list(tmp_path.rglob("certificate.txt"))


def test_a_file_is_replaced_whole_and_readable_for_everybody(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("old")
    replace_file(path, "new")
    assert path.read_text() == "new"
    assert path.stat().st_mode & 0o777 != 0o600
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        (b"", ": left out: no turn"),
        (b"0 zoo zoo\n", ":1: left out: "),
        (b"# puzzle shuffled-01\n1 wispy wispy\n", ": left out: an answer to another puzzle"),
        (b"# puzzle nowhere\n0 a a\n", "left out: "),
    ],
)
def test_a_file_that_is_no_answer_to_the_puzzle_is_named_and_does_not_count(
    challenge: Problem,
    tmp_path: Path,
    content: bytes,
    fault: str,
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level("INFO")
    folder = tmp_path / "challenge"
    folder.mkdir()
    (folder / "9999.txt").mkdir()
    (folder / "999.txt").write_bytes(content)
    assert known_in(tmp_path, challenge.rules).best == 0
    assert len(caplog.messages) == 1
    assert fault in caplog.messages[0]
    assert "999.txt" in caplog.messages[0]
    assert entries(tmp_path) == []


def test_a_certificate_that_an_answer_refutes_or_that_was_changed_does_not_count(
    challenge: Problem, greedy: Result, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")
    folder = filed(tmp_path, greedy).parent
    false = certified(challenge, greedy.score - 1)
    for text, fault in ((false, "an answer on file has"), (false[:-9], "it cannot be read, or")):
        (folder / "certificate.txt").write_text(text)
        assert known_in(tmp_path, challenge.rules).bound is None
        assert fault in caplog.messages[-1]


def test_the_best_known_answer_of_a_bundled_puzzle_is_an_answer_for_every_command(
    tmp_path: Path,
) -> None:
    for name, known in record_book().items():
        verdict = judge(bundled_record(name))
        assert (verdict.valid, verdict.score) == (True, known.best)
    said = "best:challenge: valid, 1042 points in 13 turns on challenge\n"
    assert rowdraw("verify", "best:challenge", cwd=tmp_path).stdout == said
    assert "1042" in rowdraw("show", "best:challenge", cwd=tmp_path).stdout
    unknown = rowdraw("show", "best:chalenge", cwd=tmp_path, code=2)
    assert "expected one such as best:challenge" in unknown.stderr
    # a file with such a name takes precedence
    (tmp_path / "best:challenge").write_text("6 s?l?mnized solemnized\n")
    assert "141 points" in rowdraw("verify", "best:challenge", cwd=tmp_path).stdout


def test_solve_files_its_answer_and_records_prints_what_it_scores(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text('name = "mine"\nrow = "teasets"\nrack = 7\n')
    rowdraw("solve", "mine.toml", "--strategy", "greedy", "--results", "rec", cwd=tmp_path, code=0)
    (path,) = (tmp_path / "rec" / "mine").glob("*.txt")
    path.rename(path.with_name("5000.txt"))
    score = path.stem
    assert f"| mine | [{score}](mine/5000.txt) |" in rowdraw("records", "rec", cwd=tmp_path).stdout
    again = rowdraw("solve", "mine.toml", "--strategy", "greedy", "--results", "rec", cwd=tmp_path)
    assert "one that scores as much or more is on file" in again.stderr


def test_odd_fields_of_a_result_do_not_break_the_book(greedy: Result, tmp_path: Path) -> None:
    filed(tmp_path, greedy)
    path = tmp_path / "challenge" / f"{greedy.solution.score}.json"
    for bound in ("1" + "0" * 400, "NaN", '"Infinity"', "[]"):
        path.write_text(
            f'{{"bound": {bound}, "strategy": "a|b\\n\\ud800", "seconds": "x", "date": [1]}}'
        )
        assert "| - | - | 961 | a?b?? | - | [1] |" in book(entries(tmp_path))
