"""Files that others hold, or that are not ours: nothing waits without an end, and nothing of theirs is lost."""

import logging
import os
import threading
from contextlib import nullcontext
from functools import partial
from pathlib import Path

import pytest
from click.testing import CliRunner

from solver import compiled
from solver.commands.cli import rowdraw as commands
from solver.commands.running import saying_logs
from solver.commands.writing import Finds, hand_out
from solver.errors import RowdrawError, TargetError
from solver.files import TEXT, locked
from solver.index.problem import Problem
from solver.lab.compare.execute import local_executor
from solver.model.solution import Solution, Turn
from solver.search.run import Run
from solver.solving import solve
from solver.solving.result import Result
from solver.solving.solve import _result
from solver.solving.strategies import make_strategy
from verify.files import read_file, remembering_inputs

ROOT = Path(__file__).resolve().parents[2]
ANSWER = "6 s?l?mnized solemnized\n"
TURNS = (Turn(6, "s?l?mnized", "solemnized", 141),)


@pytest.mark.parametrize("content", ["my notes\n", "# row zyzzyva\n0 zyzzyva zyzzyva\n", None])
def test_something_else_in_the_place_of_the_best_answer_so_far_stays(
    content: str | None, challenge: Problem, tmp_path: Path
) -> None:
    kept = tmp_path / "a.txt.so-far"
    if content is None:
        os.mkfifo(kept)  # a read would wait for a writer
    else:
        kept.write_text(content)
    with pytest.raises(TargetError, match=r"a\.txt\.so-far: it .*: move it elsewhere, or choose another name"):
        Finds(challenge, tmp_path / "a.txt", prints=False)
    assert content is None or kept.read_text() == content


def test_an_input_with_the_name_of_the_best_answer_so_far_is_not_written_to(challenge: Problem, tmp_path: Path) -> None:
    kept = tmp_path / "a.txt.so-far"
    kept.write_text(ANSWER)
    with remembering_inputs():
        read_file(kept, 1_000)
        with pytest.raises(TargetError, match="no input is written over"):
            Finds(challenge, tmp_path / "a.txt", prints=False)


def test_an_answer_so_far_of_a_killed_search_is_kept_until_one_is_as_good(
    challenge: Problem, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kept = tmp_path / "a.txt.so-far"
    kept.write_text((ROOT / "results" / "challenge" / "1042.txt").read_text())
    before = kept.read_text()
    finds = Finds(challenge, tmp_path / "a.txt", prints=False)
    finds(Run(), Solution(TURNS))
    finds.finish(result(challenge))
    assert kept.read_text() == before
    said = capsys.readouterr().err
    assert "an answer of 1042 points, from a search that was killed" in said
    assert "stays: it has a better answer, of 1042 points" in said


def test_an_empty_file_in_the_place_of_the_best_answer_so_far_is_used(challenge: Problem, tmp_path: Path) -> None:
    kept = tmp_path / "a.txt.so-far"
    kept.write_text("")
    finds = Finds(challenge, tmp_path / "a.txt", prints=False)
    finds(Run(), Solution(TURNS))
    assert kept.read_text() == ANSWER
    finds.finish(result(challenge))
    assert not kept.exists()


def result(problem: Problem) -> Result:
    return _result(problem, make_strategy("greedy"), Run(incumbent=Solution(TURNS)), None)


def test_who_writes_a_file_does_not_wait_for_who_works_in_its_folder(challenge: Problem, tmp_path: Path) -> None:
    done = threading.Event()

    def write() -> None:
        hand_out([result(challenge)], tmp_path / "a.txt", TEXT)
        done.set()

    with locked(tmp_path):
        threading.Thread(target=write, daemon=True).start()
        assert done.wait(60)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.json", "a.txt"], "no lock is left"


def test_an_answer_is_printed_where_another_process_holds_its_file(
    challenge: Problem, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("solver.files.locked", partial(locked, seconds=0.2))
    with locked(tmp_path / "a.txt"), pytest.raises(RowdrawError, match=r"a\.txt: cannot be written \(another process is"):
        hand_out([result(challenge)], tmp_path / "a.txt", TEXT)
    assert capsys.readouterr().out == ANSWER
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_does_not_take_a_lock_is_used_without_one(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError), locked(tmp_path / "missing" / "a.txt"):
        raise ZeroDivisionError  # what is done with the file says what is wrong


@pytest.mark.parametrize("command", [["best", "abc"], ["can", "cat", "cat"]])
def test_a_word_list_says_how_many_lines_it_leaves_out(command: list[str], tmp_path: Path) -> None:
    (tmp_path / "words.txt").write_text("cat\ncab\nit's\n")
    done = CliRunner().invoke(commands, [*command, "--words", str(tmp_path / "words.txt")])
    assert (done.exit_code, "1 of 3 lines is left out" in done.output) == (0, True), done.output


def test_compiling_is_said_by_the_command_and_not_by_the_library(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "file").touch()
    for folder, remark in ((tmp_path, " (only this once)"), (tmp_path / "file" / "below", "")):
        monkeypatch.setattr(compiled, "kernel_folder", lambda folder=folder: folder)
        for context, expected in ((nullcontext, ""), (saying_logs, f"rowdraw: compiling kernels, up to a minute{remark}\n")):
            monkeypatch.setattr(compiled, "_told", False)
            with context():
                compiled.tell_compiling(logging.getLogger("solver.compiled").info)
            assert capsys.readouterr().err == expected


class _NoThread(threading.Thread):
    def start(self) -> None:
        raise RuntimeError("can't start new thread")


def test_a_machine_without_threads_is_not_blamed_on_a_strategy(challenge: Problem, monkeypatch: pytest.MonkeyPatch) -> None:
    class Offering:
        name = "mine"
        parameters = None

        def search(self, problem: Problem, run: Run) -> None:  # noqa: ARG002
            run.offer(Solution(TURNS))

    monkeypatch.setattr(solve, "source_of", lambda _strategy: "mine.py")
    monkeypatch.setattr(solve.threading, "Thread", _NoThread)
    run = Run()
    solve.search_safely(Offering(), challenge, run)  # type: ignore[arg-type]
    assert run.incumbent.score == 141


def test_a_comparison_without_a_thread_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threading.Thread, "start", _NoThread.start)
    with pytest.raises(MemoryError, match="the system starts no thread"), local_executor(1) as pool:
        pool.submit(int)


def test_what_is_completed_for_words_depends_on_the_game() -> None:
    from solver.commands.options import complete_words
    from solver.commands.show import show

    context = show.make_context("show", ["a.txt"])
    parameter = next(option for option in show.params if option.name == "words")
    assert [item.type for item in complete_words(context, parameter, "")] == ["file"]
    context = show.make_context("show", ["a.gcg"])
    assert [item.value for item in complete_words(context, parameter, "en")] == ["enable1", "en"]
