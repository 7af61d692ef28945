"""Answers by score: what the tables say, in every form, and that one bad file never loses the others."""

import csv
import io
import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from tests.hostile.test_terminal import obeyed
from tests.process import rowdraw
from verify import judge, load_rules
from verify.cli import main
from verify.files import data_folder, files_in
from verify.report import Ranking, as_csv, as_json, as_text, best_known, page, parting

ROOT = Path(__file__).resolve().parents[2]
STRANGE = "\x1b[31m<b>&\u202e"


@pytest.fixture
def record() -> str:
    return (ROOT / "results" / "challenge" / "1042.txt").read_text()


@pytest.fixture
def folder(tmp_path: Path, record: str) -> Path:
    """Answers to two puzzles, good, alike, bad and unreadable, and files that are none."""
    lines = [line for line in record.splitlines() if not line.startswith("#")]
    (tmp_path / "deep").mkdir()
    (tmp_path / ".hidden").mkdir()
    (tmp_path / "ann.txt").write_text(record)
    (tmp_path / "ben.md").write_text("My answer:\n\n" + "\n".join(f"> {line}" for line in lines))
    (tmp_path / "deep" / "eve.txt").write_text("\n".join(lines[:9]))
    (tmp_path / "deep" / "two.md").write_text(
        "**u/fay**\n\n" + "\n".join(lines[:2]) + "\n\n**u/guy**\n\n6 s?l?mnized solemnizes\n"
    )
    (tmp_path / "other.txt").write_text((ROOT / "results" / "shuffled-01" / "1049.txt").read_text())
    (tmp_path / "notes.md").write_text("These are the answers of last week.\n")
    (tmp_path / "picture.png").write_bytes(b"\x89PNG")
    (tmp_path / ".hidden" / "no.txt").write_text(record)
    (tmp_path / "gone.txt").symlink_to(tmp_path / "nowhere.txt")
    return tmp_path


def test_a_folder_is_ranked_and_one_bad_file_loses_no_other(folder: Path) -> None:
    done = rowdraw("verify", ".", "--rank", "--json", cwd=folder)
    assert done.returncode == 2
    output = json.loads(done.stdout)
    challenge, shuffled = output["tables"]
    assert [(row["place"], row["file"], row["score"]) for row in challenge["answers"][:2]] == [
        (1, "ann.txt", 1042),
        (1, "ben.md", 1042),
    ]
    assert challenge["answers"][1]["same_as"] == "ann.txt"
    assert [row["file"] for row in challenge["answers"][2:]] == ["deep/eve.txt", "deep/two.md#1"]
    assert challenge["answers"][2]["parts"] == "ends before turn 10"
    assert challenge["answers"][3]["name"] == "u/fay"
    assert [(bad["file"], bad["fault"]["code"]) for bad in challenge["invalid"]] == [("deep/two.md#2", "play-word-mismatch")]
    assert (shuffled["puzzle"], shuffled["best_known"], shuffled["answers"][0]["to_best"]) == ("shuffled-01", 1049, 0)
    assert output["no_answer"] == ["notes.md"]
    assert len(output["unreadable"]) == 1
    assert "gone.txt: cannot be read" in done.stderr
    assert "notes.md" in done.stderr


def test_gaps_are_those_to_the_best_known_score_and_to_the_bound(record: str) -> None:
    known = best_known()["challenge"]
    board = Ranking()
    verdict = judge("6 s?l?mnized solemnized\n9 outmove outmove\n")
    board.add(verdict)
    (table,) = board.tables
    assert table.to_best(verdict.score) == known["score"] - 195
    assert table.to_bound(verdict.score) == known["bound"] - 195
    assert f"best known {known['score']}" in as_text([table.sheet()])
    assert judge(record).score <= known["score"]


def test_rows_of_ones_own_and_own_words_have_no_best_known(record: str, tmp_path: Path) -> None:
    words = tmp_path / "words.txt"
    words.write_bytes((data_folder() / "enable1.txt").read_bytes())
    board = Ranking()
    board.add(judge(record, load_rules(words=str(words))))
    board.add(judge("# row teas\n4 teas teas\n"))
    assert [table.best for table in board.tables] == [None, None]
    assert ["best known" in as_text([table.sheet()]) for table in board.tables] == [False, False]


def test_exit_codes_of_a_ranking(folder: Path) -> None:
    assert rowdraw("verify", "ann.txt", "ben.md", "--rank", cwd=folder).returncode == 0
    assert rowdraw("verify", "ann.txt", "deep", "--rank", cwd=folder).returncode == 1
    for option in ("--csv", "--html"):
        done = rowdraw("verify", "ann.txt", option, cwd=folder)
        assert done.returncode == 2
        assert "--rank" in done.stderr


def test_two_lines_of_play_part_at_the_first_turn_that_differs() -> None:
    first, second = (6, "s?l", "sol"), (4, "in", "in")
    assert parting([first, second], [first, (4, "en", "en")]) == "turn 2: `4 in in` not `4 en en`"
    assert parting([first], [first, second]) == "ends before turn 2"
    assert parting([first, second], [first]) == "turn 2: `4 in in` more"
    assert parting([first], [first]) == ""


def test_no_name_and_no_heading_is_obeyed_or_taken_for_markup(record: str) -> None:
    board = Ranking()
    for text in (record, "6 s?l?mnized solemnizes"):
        board.add(judge(text, file=f"=cmd{STRANGE}"))
    sheets = [table.sheet() for table in board.tables]
    html = page("answers", sheets)
    for text in (as_text(sheets), as_csv(board.tables), html):
        assert not obeyed(text)
    assert "<b>" not in html
    rows = list(csv.DictReader(io.StringIO(as_csv(board.tables))))
    assert [row["valid"] for row in rows] == ["yes", "no"]
    assert all(row["file"].startswith("'=cmd") for row in rows)
    json.dumps(as_json(board.tables))


def test_names_of_files_that_are_no_text_are_ranked(tmp_path: Path, record: str) -> None:
    (tmp_path / os.fsdecode(b"a\xff.txt")).write_text(record)
    for form in ("--json", "--csv", "--html", "-q"):
        done = rowdraw("verify", ".", "--rank", form, cwd=tmp_path)
        assert (done.returncode, done.stderr) == (0, "")
        assert not obeyed(done.stdout)


def test_an_empty_folder_name_for_progress_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--keep", "", "x.json"])
    assert "argument --keep: the name is empty: expected a folder" in capsys.readouterr().err


def test_a_name_that_no_file_can_have_is_a_file_that_cannot_be_read(folder: Path) -> None:
    done = rowdraw("verify", "x" * 300, "ann.txt", cwd=folder)
    assert done.returncode == 2
    assert "cannot be read (File name too long)" in done.stderr
    assert "ann.txt: valid" in done.stdout


def test_tables_are_in_the_order_of_the_numbers_in_their_names_whatever_the_digits() -> None:
    board = Ranking()
    rules = load_rules(row="teas")
    for name in ("a10", "a9", "\u0663", "9"):
        board.add(judge("4 teas teas\n", replace(rules, name=name)))
    assert [table.puzzle for table in board.tables] == ["9", "a9", "a10", "\u0663"]


def test_a_record_above_the_best_known_has_a_gap_below_zero() -> None:
    board = Ranking()
    board.add(judge("6 s?l?mnized solemnized\n"))
    (table,) = board.tables
    table.best = 100
    assert table.to_best(141) == -41
    assert " -41 " in as_text([table.sheet()])


@pytest.mark.parametrize("option", [(), ("--rank",), ("--json",)])
def test_a_pipe_in_a_folder_is_not_waited_for_and_bytes_are_no_answer(
    option: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    os.mkfifo(tmp_path / "pipe.txt")
    assert files_in(tmp_path) == []
    (tmp_path / "program").write_bytes(bytes(range(255, 0, -1)) * 200 + b"\n\xff \xfe \xfd\n")
    assert main([str(tmp_path), *option]) == 2
    output = capsys.readouterr()
    assert "unknown-word" not in output.out
    assert "1 file holds no answer" in output.err
    assert "nothing to verify" in output.err


@pytest.mark.parametrize("option", [(), ("--rank",), ("--json",)])
def test_a_folder_without_files_is_named_and_an_error(
    option: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str], record: str
) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    assert main([str(empty), *option]) == 2
    output = capsys.readouterr().err
    assert f"{empty}: holds no file that may be an answer" in output
    assert "nothing to verify: expected at least one answer" in output
    (tmp_path / "ann.txt").write_text(record)
    assert main([str(tmp_path / "ann.txt"), *option]) == 0
    assert main([str(tmp_path / "ann.txt"), str(empty), *option]) == 2
    assert "nothing to verify" not in capsys.readouterr().err


def test_a_fault_of_a_whole_answer_is_told_without_a_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    turns = [{"left": 6, "play": "s?l?mnized", "word": "solemnized"}]
    (tmp_path / "two.json").write_text(json.dumps([{"puzzle": "nope", "turns": turns}, {"turns": turns}]))
    assert main([str(tmp_path / "two.json"), "--rank"]) == 1
    output = capsys.readouterr().out
    assert "two.json#1: unknown-puzzle: " in output
    assert "line 0" not in output


def test_the_page_holds_what_the_table_holds_and_no_ranking_is_an_answer(folder: Path) -> None:
    (folder / "ann.txt").rename(folder / "änn.txt")
    with (folder / "new.html").open("wb") as output:
        command = ("verify", ".", "--rank", "--html")
        done = subprocess.run([sys.executable, "-m", *command], cwd=folder, stdout=output, stderr=subprocess.PIPE, text=True)
    assert done.returncode == 2
    assert "new.html" not in done.stderr
    html = (folder / "new.html").read_text("ascii")
    for text in ("1042 points", "deep/two.md#1: u/fay", "play-word-mismatch", "&#228;nn.txt", "notes.md: holds no answer"):
        assert text in html
    for outside in ("http:", "https:", "<script", "url("):
        assert outside not in html
    (folder / "old.html").write_bytes((folder / "new.html").read_bytes())
    again = rowdraw("verify", "old.html", cwd=folder)
    assert (again.returncode, again.stdout) == (2, "")
    assert "old.html" in again.stderr
