"""The daily rows: their games are valid, weeks go from easy to hard, a stopped command resumes."""

import json
import re
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest

import daily_rows
from daily_rows import JOURNAL, WEEK, DailyRow, daily_file, find_rows, in_weeks
from solver.errors import RowdrawError
from solver.index.problem import Problem
from solver.model.puzzle import load_puzzle
from solver.search.greedy import Greedy
from solver.search.run import Run
from solver.solving.strategies import make_strategy
from verify import judge

ROWS = json.loads((Path(__file__).parents[2] / "data/daily.json").read_text(encoding="utf-8"))


def test_the_first_day_is_a_monday_and_no_row_comes_twice() -> None:
    assert date.fromisoformat(ROWS["first"]).weekday() == 0
    rows = [day["row"] for day in ROWS["rows"]]
    assert len(set(rows)) == len(rows) >= 10 * WEEK
    assert len(rows) % WEEK == 0
    assert all(30 <= len(row) <= 40 for row in rows)


def test_the_referee_accepts_the_game_of_every_day(challenge: Problem) -> None:
    rules = challenge.rules
    for day in ROWS["rows"]:
        verdict = judge("\n".join(day["turns"]).encode(), replace(rules, row=day["row"]))
        assert (verdict.valid, verdict.score) == (True, day["best"]), day["row"]


def test_a_week_goes_from_easy_to_hard() -> None:
    rows = [1 - day["greedy"] / day["best"] for day in ROWS["rows"]]
    for at in range(0, len(rows), WEEK):
        assert rows[at : at + WEEK] == sorted(rows[at : at + WEEK])
    assert min(rows) > 0


@pytest.mark.parametrize("day", ROWS["rows"][::180], ids=lambda day: day["row"])
def test_no_search_beats_the_game_of_a_day_and_greedy_finds_what_the_file_says(
    day: dict[str, Any], challenge: Problem
) -> None:
    problem = Problem(challenge.rules.with_row(day["row"]))
    greedy, wide = Run(), Run()
    Greedy().search(problem, greedy)
    make_strategy("beam:width=5000").search(problem, wide)
    assert greedy.incumbent.score == day["greedy"]
    assert wide.incumbent.score <= day["best"]


def test_an_interrupted_command_keeps_its_rows_and_the_next_one_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(daily_rows, "_SHORTEST", 6)
    monkeypatch.setattr(daily_rows, "_LONGEST", 9)
    monkeypatch.setattr(
        daily_rows, "_HARDEST_TO_SEE", 1.0
    )  # short rows are easy, and many would have to be searched for a hard one
    puzzle = load_puzzle("challenge")
    found = find_rows(puzzle, 3, tmp_path, Run)
    first = next(found)
    found.close()
    assert first in JOURNAL.entries(tmp_path).values()
    rows = list(find_rows(puzzle, 3, tmp_path, Run))
    assert rows[0] == first
    assert len(rows) == 3

    def interrupted() -> Run:
        run = Run()
        run.interrupt()
        return run

    assert list(find_rows(puzzle, 3, tmp_path, interrupted)) == rows
    assert len(list(find_rows(puzzle, 4, tmp_path, interrupted))) == 3
    assert json.loads(daily_file(rows))["rows"][0]["row"] == in_weeks(rows)[0].row


def test_turns_that_do_not_score_what_the_journal_says_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    puzzle, row = load_puzzle("challenge"), "tea?setsoatzest"
    monkeypatch.setattr(daily_rows, "_random_row", lambda *_number: row)
    for turns in (["nonsense"], ["5 teas teas"]):
        JOURNAL.keep(tmp_path, DailyRow(row, 900, 1, turns))
        with pytest.raises(
            RowdrawError,
            match=f"daily.jsonl: {re.escape(row)}: expected turns that score 900 points",
        ):
            next(find_rows(puzzle, 1, tmp_path, Run))


def test_a_damaged_journal_is_named(tmp_path: Path) -> None:
    (tmp_path / "daily.jsonl").write_text('{"row": "abc", "best": 1, "turns": []}\n')
    with pytest.raises(RowdrawError, match=r"daily.jsonl:1: .* missing .*`greedy`"):
        JOURNAL.entries(tmp_path)
