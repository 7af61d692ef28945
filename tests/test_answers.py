"""Answers as they are handed out: which puzzle they answer, and how they were found."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.process import rowdraw
from tests.verify.test_reference_script import script_score
from verify import load_rules

GREEDY = ["solve", "--strategy", "greedy"]


@pytest.mark.parametrize("to_file", [True, False])
def test_an_answer_to_the_challenge_passes_the_script_of_its_post(to_file: bool, tmp_path: Path) -> None:
    done = rowdraw(*GREEDY, *(["-o", str(tmp_path / "answer.txt")] if to_file else []))
    text = (tmp_path / "answer.txt").read_text() if to_file else done.stdout
    rules = load_rules()
    assert script_score(text.splitlines(), rules.row, rules.rack_size, rules.words, rules.values) == 946


def test_the_script_itself_takes_what_is_written(tmp_path: Path, root: Path, cases: Path) -> None:
    rowdraw(*GREEDY, "-o", "answer.txt", cwd=tmp_path)
    command = [sys.executable, str(cases / "reference_verifier.py"), str(root / "data" / "enable1.txt")]
    with (tmp_path / "answer.txt").open() as file:
        assert subprocess.run(command, stdin=file, capture_output=True, text=True, check=True).stdout == "946\n"


@pytest.mark.parametrize("form", [[], ["--json"]])
@pytest.mark.parametrize(
    "chosen", [["shuffled-03"], ["--row", "tea?setsoat"], ["own.toml"], ["shuffled-02", "--row", "stea?tee"]]
)
def test_an_answer_to_any_row_says_which_wherever_it_goes(chosen: list[str], form: list[str], tmp_path: Path) -> None:
    (tmp_path / "own.toml").write_text('name = "my own"\nrow = "tea?setsoatinlongbows"\n')
    solved = rowdraw("solve", *chosen, "--strategy", "greedy", *form, cwd=tmp_path)
    assert rowdraw("verify", "-", stdin=solved.stdout, cwd=tmp_path).stdout.startswith("-: valid")
    rowdraw("solve", *chosen, "--strategy", "greedy", *form, "-o", "answer.txt", cwd=tmp_path)
    assert (tmp_path / "answer.txt").read_text() == solved.stdout or form
    assert rowdraw("verify", "answer.txt", cwd=tmp_path).returncode == 0


def test_an_answer_under_rules_of_ones_own_names_their_file_and_says_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "own.toml").write_text('row = "tea?setsoat"\nrack = 7\n')
    solved = rowdraw("solve", "own.toml", cwd=tmp_path)
    assert solved.stdout.startswith("# puzzle own.toml\n")
    assert "give --puzzle FILE with it" in rowdraw("verify", "-", stdin=solved.stdout, cwd=tmp_path).stderr
    assert rowdraw("verify", "-", "--puzzle", "own.toml", stdin=solved.stdout, cwd=tmp_path).returncode == 0


def test_a_file_of_somebody_elses_is_not_overwritten_by_how_the_answer_was_found(tmp_path: Path) -> None:
    (tmp_path / "answer.json").write_text('{"mine": 1}')
    done = rowdraw(*GREEDY, "-o", str(tmp_path / "answer.txt"))
    assert done.returncode == 0
    assert "answer.json: it holds something else than an answer" in done.stderr
    assert (tmp_path / "answer.json").read_text() == '{"mine": 1}'
    assert (tmp_path / "answer.txt").read_text().startswith("6 s?l?mnized solemnized\n")
