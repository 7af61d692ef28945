"""Answers by score: what the tables say, in every form; one bad file never loses the others."""

import csv
import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.hostile.test_terminal import obeyed
from tests.process import rowdraw
from verify import judge
from verify.cli import main
from verify.report import Ranking, as_csv, as_json, as_text, page, parting

ROOT = Path(__file__).resolve().parents[2]
STRANGE = "\x1b[31m<b>&\u202e"


@pytest.fixture
def record() -> str:
    return (ROOT / "results" / "challenge" / "1042.txt").read_text()


@pytest.fixture
def folder(tmp_path: Path, record: str) -> Path:
    """Answers to two puzzles, good, alike, bad and unreadable, and files that are none."""
    lines = [line for line in record.splitlines() if not line.startswith("#")]
    first = "\n".join(lines[:2])
    for name, text in {
        "ann.txt": record,
        "ben.md": "My answer:\n\n> " + "\n> ".join(lines),
        "deep/eve.txt": "\n".join(lines[:9]),
        "deep/two.md": f"**u/fay**\n\n{first}\n\n**u/guy**\n\n6 s?l?mnized solemnizes\n",
        "other.txt": (ROOT / "results/shuffled-01/1049.txt").read_text(),
        "notes.md": "These are the answers of last week.\n",
        ".hidden/no.txt": record,
    }.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    (tmp_path / "picture.png").write_bytes(b"\x89PNG")
    (tmp_path / "gone.txt").symlink_to(tmp_path / "nowhere.txt")
    return tmp_path


def test_a_folder_is_ranked_and_one_bad_file_loses_no_other(folder: Path) -> None:
    rowdraw("verify", "ann.txt", "deep", "--rank", cwd=folder, code=1)
    refused = rowdraw("verify", "ann.txt", "--format", "html", cwd=folder, code=2)
    assert "--rank" in refused.stderr
    done = rowdraw("verify", ".", "--rank", "--json", cwd=folder, code=2)
    output = json.loads(done.stdout)
    challenge, shuffled = output["tables"]
    ann, ben, eve, fay = challenge["answers"]
    for one, file in ((ann, "ann.txt"), (ben, "ben.md")):
        assert (one["place"], one["file"], one["score"]) == (1, file, 1042)
    assert ben["same_as"] == "ann.txt"
    assert (eve["file"], eve["parts"]) == ("deep/eve.txt", "ends before turn 10")
    assert eve["to_best"] == eve["to_bound"] == 1042 - eve["score"]
    assert (fay["file"], fay["name"]) == ("deep/two.md#1", "u/fay")
    (bad,) = challenge["invalid"]
    assert (bad["file"], bad["fault"]["code"]) == ("deep/two.md#2", "play-word-mismatch")
    assert (shuffled["puzzle"], shuffled["best_known"]) == ("shuffled-01", 1049)
    assert shuffled["answers"][0]["to_best"] == 0
    assert output["no_answer"] == ["notes.md"]
    assert len(output["unreadable"]) == 1
    assert "gone.txt: cannot be read" in done.stderr
    assert "notes.md" in done.stderr


def test_two_lines_of_play_part_at_the_first_turn_that_differs() -> None:
    first = "6 s?l sol"
    second = "4 in in"
    assert parting([first, second], [first, "4 en en"]) == "turn 2: `4 in in` not `4 en en`"
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


@pytest.mark.parametrize("option", [(), ("--rank",)])
def test_a_folder_without_answers_is_named_and_an_error_and_a_pipe_in_it_is_not_waited_for(
    option: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str], record: str
) -> None:
    folder = tmp_path / "folder"
    answer = tmp_path / "ann.txt"
    folder.mkdir()
    answer.write_text(record)
    os.mkfifo(folder / "pipe.txt")
    assert main([str(folder), *option]) == 2
    said = f"{folder}: holds no file that may be an answer"
    assert said in capsys.readouterr().err
    assert main([str(answer), str(folder), *option]) == 2
    assert said in capsys.readouterr().err
    (folder / "program").write_bytes(bytes(range(255, 0, -1)) * 200 + b"\n\xff \xfe \xfd\n")
    assert main([str(folder), *option]) == 2
    assert "1 file without an answer" in capsys.readouterr().err


def test_the_page_holds_what_the_table_holds_and_no_ranking_is_an_answer(folder: Path) -> None:
    (folder / "ann.txt").rename(folder / "änn.txt")
    with (folder / "new.html").open("wb") as output:
        command = [sys.executable, *["-m", "verify", ".", "--rank", "--format", "html"]]
        done = subprocess.run(command, cwd=folder, stdout=output, stderr=subprocess.PIPE, text=True)
    assert done.returncode == 2
    assert "new.html" not in done.stderr
    html = (folder / "new.html").read_text("ascii")
    for text in (
        "1042 points",
        "deep/two.md#1: u/fay",
        "play-word-mismatch",
        "&#228;nn.txt",
        "notes.md: holds no answer",
    ):
        assert text in html
    for outside in ("http:", "https:", "<script", "url("):
        assert outside not in html
    (folder / "old.html").write_bytes((folder / "new.html").read_bytes())
    again = rowdraw("verify", "old.html", cwd=folder, code=2)
    assert not again.stdout
    assert "old.html" in again.stderr
