"""Outputs to folders and streams that are held, full, closed or not ours: none hangs or is lost."""

import logging
import os
import threading
from contextlib import nullcontext
from functools import partial
from pathlib import Path

import pytest

from solver import compiled
from solver.commands.running import saying_logs
from solver.commands.writing import Finds, hand_out
from solver.errors import RowdrawError
from solver.files import locked
from solver.index.problem import Problem
from solver.model.solution import Solution, Turn
from solver.outputs import Output
from solver.search.run import Run
from solver.show.forms import TEXT
from solver.solving.result import Result, answer_file, answer_files
from solver.solving.solve import _result
from tests.process import rowdraw, shell
from tests.test_commands import FAST, GREEDY

ROOT = Path(__file__).resolve().parents[2]


ANSWER = "6 s?l?mnized solemnized\n"


TURNS = (Turn(6, "s?l?mnized", "solemnized", 141),)


def test_a_better_answer_stays_while_a_search_writes_what_it_finds(
    challenge: Problem, tmp_path: Path
) -> None:
    file = tmp_path / "a.txt"
    finds = Finds(challenge.rules, answer_file(file, TEXT, challenge.rules), prints=False)
    finds(Run(), Solution(TURNS))
    assert file.read_text() == ANSWER
    best = (ROOT / "results" / "challenge" / "1042.txt").read_text()
    file.write_text(best)
    finds(Run(), Solution((*TURNS, Turn(9, "outmove", "outmove", 54))))
    assert file.read_text() == best


def result(problem: Problem) -> Result:
    return _result(problem, "greedy", {}, Run(incumbent=Solution(TURNS)), 0.0)


def files_of(problem: Problem, folder: Path) -> list[Output]:
    return answer_files(folder / "a.txt", TEXT, problem.rules, is_single=True, force=False)


def test_who_writes_a_file_does_not_wait_for_who_works_in_its_folder(
    challenge: Problem, tmp_path: Path
) -> None:
    done = threading.Event()

    def write() -> None:
        hand_out([result(challenge)], files_of(challenge, tmp_path), TEXT)
        done.set()

    with locked(tmp_path):
        threading.Thread(target=write, daemon=True).start()
        assert done.wait(60)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.json", "a.txt"], (
        "no lock is left"
    )


def test_an_answer_is_printed_where_another_process_holds_its_file(
    challenge: Problem,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr("solver.files.locked", partial(locked, seconds=0.2))
    with (
        locked(tmp_path / "a.txt"),
        pytest.raises(RowdrawError, match=r"a\.txt: cannot be written \(another process is"),
    ):
        hand_out([result(challenge)], files_of(challenge, tmp_path), TEXT)
    assert capsys.readouterr().out == ANSWER
    assert list(tmp_path.iterdir()) == []


def test_compiling_is_said_by_the_command_and_not_by_the_library(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for context, expected in (
        (nullcontext, ""),
        (saying_logs, "rowdraw: compiling kernels, up to a minute\n"),
    ):
        monkeypatch.setattr(compiled, "_announced", False)
        with context():
            compiled.tell_compiling(logging.getLogger("solver.compiled").info)
        assert capsys.readouterr().err == expected


def test_output_goes_through_links_and_into_pipes_and_never_replaces_them(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("target")
    rowdraw(*GREEDY, "-o", "link", cwd=tmp_path, code=0)
    assert (tmp_path / "link").is_symlink()
    assert "solemnized" in (tmp_path / "target").read_text()
    os.mkfifo(tmp_path / "pipe")
    read: list[str] = []
    reader = threading.Thread(target=lambda: read.append((tmp_path / "pipe").read_text()))
    reader.start()
    rowdraw(*GREEDY, "-o", "pipe", cwd=tmp_path, code=0)
    reader.join()
    assert "solemnized" in read[0]
    assert (tmp_path / "pipe").is_fifo()
    assert "solemnized" in rowdraw(*GREEDY, "-o", "-", cwd=tmp_path).stdout
    assert not (tmp_path / "-").exists()


@pytest.mark.parametrize("options", [FAST, ["--top", "2"], ["--json"]])
def test_a_row_without_a_play_has_no_answer_and_no_file_is_written(
    tmp_path: Path, options: list[str]
) -> None:
    done = rowdraw("solve", "--row", "qqq", "-o", "answer.txt", *options, cwd=tmp_path, code=2)
    assert not done.stdout
    assert done.stderr.endswith(
        "a row of your own: no word can be played for points, so there is no answer\n"
    )
    assert list(tmp_path.iterdir()) == []


@pytest.mark.usefixtures("full_device")
def test_a_full_disk_behind_standard_output_is_reported() -> None:
    for redirect, message in ((">/dev/full", "cannot write"), (">&-", "standard output is closed")):
        done = shell(f"rowdraw best abc {redirect}")
        assert done.returncode == 2
        assert message in done.stderr


@pytest.mark.usefixtures("full_device")
def test_an_answer_is_printed_although_messages_cannot_be() -> None:
    for redirect, answers in (("2>&-", 1), ("2>/dev/full", 1), ("2>&- >&-", 0)):
        done = shell(f"rowdraw solve --strategy greedy {redirect}")
        assert done.stdout.count(" riverboat\n") == answers


def test_names_that_are_no_text_are_refused_for_puzzles_and_shown_for_records(
    tmp_path: Path,
) -> None:
    name = os.fsdecode(b"caf\xe9")
    (tmp_path / f"{name}.toml").write_text('row = "teasets"\n')
    done = rowdraw("solve", f"{name}.toml", cwd=tmp_path, code=2)
    assert "expected a line of at most 100 characters" in done.stderr
    command = "bound --row tea --time 0 --results"
    done = rowdraw(*command.split(), name, cwd=tmp_path, code=0)
    assert len(list((tmp_path / name).glob("row-*/certificate.txt"))) == 1
    assert list(tmp_path.rglob("*.part")) == []
