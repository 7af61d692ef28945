"""What `rowdraw solve` reads: a puzzle from standard input, and what it says of what is none."""

from pathlib import Path

import pytest

from tests.process import rowdraw

FAILING = """
from dataclasses import dataclass

import solver


@dataclass(frozen=True)
class Nothing:
    pass


@dataclass(frozen=True)
class Mine:
    Parameters = Nothing
    parameters: Nothing = Nothing()
    name: str = "mine"

    def search(self, problem, run):
        print("looking")
        run.offer(solver.Solution((solver.Turn(0, "tea", "tea", 6),)))
        problem.finder.best(solver.racks_counts([""]))
"""


def test_a_puzzle_can_come_from_standard_input() -> None:
    puzzle = 'name = "mine"\nrow = "tea"\n'
    done = rowdraw("solve", "-", "--strategy", "greedy", stdin=puzzle, code=0)
    assert done.stdout == "# row tea\n0 ate ate\n"


def test_what_is_sent_to_a_search_that_reads_nothing_is_named() -> None:
    done = rowdraw("solve", "--strategy", "greedy", stdin="row = 'tea'\n", code=0)
    assert "standard input is not read: `rowdraw solve -` reads a puzzle from it" in done.stderr


@pytest.mark.parametrize(
    ("content", "hint"),
    [
        ("teas\nets?\n", "it holds a row of tiles: --row teasets?"),
        ("6 s?l?mnized solemnized\n", "it holds an answer: rowdraw verify file"),
        ("row", "it holds a row of tiles"),
    ],
)
def test_a_file_that_is_no_puzzle_is_named_with_the_command_for_it(
    content: str, hint: str, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text(content)
    done = rowdraw("solve", "file", cwd=tmp_path, code=2)
    assert hint in done.stderr


def test_an_error_after_an_answer_names_its_line_and_the_answer_counts(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(FAILING)
    done = rowdraw("solve", "--row", "tea", "--strategy", "mine.py:Mine", cwd=tmp_path, code=1)
    # what a strategy prints is no answer
    assert done.stdout == "# row tea\n0 tea tea\n"
    assert "looking\n" in done.stderr
    assert "mine.py:21: RackError: rack '' has 0 tiles" in done.stderr


def test_an_answer_without_turns_is_the_strategy_s_fault_where_a_word_can_be_played(
    tmp_path: Path,
) -> None:
    nothing = FAILING.replace('(solver.Turn(0, "tea", "tea", 6),)', "()")
    (tmp_path / "mine.py").write_text(nothing.rpartition("        problem.finder")[0])
    done = rowdraw("solve", "--row", "tea", "--strategy", "mine.py:Mine", cwd=tmp_path, code=2)
    assert "mine.py: strategy mine offered an answer without turns" in done.stderr
    command = ["compare", "--strategies", "mine.py:Mine", "--time", "9racks", "--puzzles"]
    (tmp_path / "tea.toml").write_text('row = "tea"\n')
    done = rowdraw(*command, "tea.toml", cwd=tmp_path, code=1)
    assert "offered an answer without turns" in done.stderr
    command = ["solve", "--row", "tea", "--values", "none", "--strategy", "mine.py:Mine"]
    done = rowdraw(*command, cwd=tmp_path, code=2)
    assert "no word can be played for points" in done.stderr


def test_a_name_that_is_too_long_for_a_file_is_refused_before_the_search(tmp_path: Path) -> None:
    done = rowdraw("solve", "--strategy", "greedy", "-o", "a" * 240 + ".txt", cwd=tmp_path, code=2)
    assert not done.stdout
    assert "expected a name of at most 200 bytes" in done.stderr
