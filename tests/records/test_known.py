"""What is known of a puzzle, from the record book and a folder, and what `rowdraw solve` says."""

import json
import re
from pathlib import Path

import pytest
from msgspec.structs import replace

from record_book import book_toml
from solver.errors import RowdrawError
from solver.index.problem import Problem
from solver.lab.compare.comparing import collect
from solver.lab.compare.finding import find
from solver.lab.compare.runs import Journal
from solver.lab.records import (
    BOOK,
    NOTHING,
    RUNS,
    Known,
    book,
    entries,
    keep_bound,
    known_by_digest,
    known_in,
    known_of,
    record_book,
)
from solver.model.puzzle import load_puzzle
from tests.compare.runs import run_of
from tests.process import rowdraw
from tests.records.test_records import certified
from verify.rules import bundled_names

CHALLENGE = Known(1042, 1042, BOOK, BOOK)
ROW = load_puzzle("challenge").row
FIRST = "6 s?l?mnized solemnized\n"  # of 141 points


def test_the_committed_record_books_are_what_the_tool_and_the_command_print(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    results = root / "results"
    found = entries(results)
    assert book(found) == (results / "README.md").read_text("utf-8")
    # the certificates are read once: it takes seconds
    monkeypatch.setattr("record_book.entries", lambda _results: found)
    assert book_toml(results) == (root / "data" / "best-known.toml").read_text("utf-8")


def test_the_toml_has_bundled_names_alone_and_no_bound_where_there_is_none(
    tmp_path: Path,
) -> None:
    for name in ("challenge", "mine"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "any name.txt").write_text(FIRST)
    (tmp_path / "challenge" / "any name.json").write_text('{"bound": 88.5}')
    printed = book_toml(tmp_path)
    assert printed.startswith("# The best answer known of each bundled puzzle")
    digest = 'digest = "[0-9a-f]{64}"\n'
    assert re.sub(digest, "", printed).partition("\n\n")[2] == (
        f'[challenge]\nscore = 141\nturns = [\n    "{FIRST.strip()}"\n]\n'
    )
    with pytest.raises(RowdrawError, match="no such folder"):
        book_toml(tmp_path / "none")


def test_every_bundled_puzzle_is_in_the_book_with_its_optimum_and_found_by_its_digest(
    root: Path,
) -> None:
    assert set(record_book()) == set(bundled_names())
    for name, known in record_book().items():
        assert known_by_digest(load_puzzle(name).digest) == known
        assert 961 < known.best == known.bound
        record = json.loads((root / "results" / name / f"{known.best}.json").read_text())
        assert (record["bound"], record["gap"]) == (known.best, 0)
    assert record_book()["challenge"] == CHALLENGE


def test_a_puzzle_is_known_by_what_it_is_and_not_by_its_name(challenge: Problem) -> None:
    rules = challenge.rules
    assert known_of(challenge) == CHALLENGE
    assert known_of(Problem(rules.with_row(ROW, "mine"))) == CHALLENGE
    assert known_of(Problem(rules.with_row(ROW[::-1], "challenge"))) == NOTHING
    assert known_of(Problem(rules.with_words(rules.word_list.words[1:]))) == NOTHING
    assert known_by_digest("challenge") == NOTHING


def test_a_folder_is_known_by_what_the_referee_gives_its_answers_and_its_certificate(
    challenge: Problem, tmp_path: Path
) -> None:
    rules = challenge.rules
    folder = tmp_path / "challenge"
    folder.mkdir()
    (folder / "1042.txt").write_text(FIRST)
    (folder / "1043.txt").write_text("no answer")
    (folder / "old.json").write_text(json.dumps({"bound": 168}))
    source = str(tmp_path)
    assert known_in(tmp_path, rules) == Known(141, None, source)
    keep_bound(tmp_path, challenge, 1168, certified(challenge, 1168))
    assert known_in(tmp_path, rules) == Known(141, 1168, source, source)
    other = rules.with_row(ROW[::-1], "challenge")
    assert known_in(tmp_path, other) == NOTHING
    assert known_in(tmp_path / "none", rules) == NOTHING


def test_the_better_number_counts_and_keeps_where_it_comes_from() -> None:
    folder = Known(1050, 1100, "folder", "folder")
    assert (
        CHALLENGE.with_other(folder)
        == folder.with_other(CHALLENGE)
        == Known(1050, 1042, "folder", BOOK)
    )
    assert CHALLENGE.with_other(Known(1042, 1042.0, RUNS, RUNS)) == CHALLENGE
    assert NOTHING.with_other(folder) == folder.with_other(NOTHING) == folder


@pytest.fixture
def journal(tmp_path: Path) -> Journal:
    """Of a run of 926 points on the challenge, with its digest."""
    found = Journal(tmp_path / "cmp")
    found.append(
        run_of(
            label="greedy",
            puzzle="mine.toml",  # whose rules the run does not state: any score fits its solution
            puzzle_name="challenge",
            puzzle_digest=load_puzzle("challenge").digest,
            budget="1s",
            score=926,
            trace=[[0.1, 1, 926]],
            solution=["6 s?l?mnized solemnized"],
        )
    )
    return found


def known_row(printed: str) -> list[str]:
    """The last line of a report about the challenge, which says what is known of it."""
    return [line.split() for line in printed.splitlines() if line.startswith("challenge")][-1]


def test_a_comparison_in_an_empty_folder_is_measured_against_the_book(
    journal: Journal, tmp_path: Path
) -> None:
    done = rowdraw("compare", "--collect", "-o", journal.path.parent, cwd=tmp_path, code=0)
    assert "116.0 below the best known" in done.stdout.replace("\n", " ")
    assert known_row(done.stdout) == [
        "challenge",
        "1042",
        "record",
        "book",
        "1042",
        "record",
        "book",
    ]
    tables = (journal.path.parent / "tables.md").read_text()
    assert "| challenge | 1042 | record book | 1042 | record book |" in tables
    figures = json.loads((journal.path.parent / "figures.json").read_text())
    known = {"best": 1042, "bound": 1042.0, "best_from": BOOK, "bound_from": BOOK}
    assert figures["known"] == {"challenge": known}


def test_runs_that_are_better_than_anything_known_are_named(journal: Journal) -> None:
    (outcome,) = journal.outcomes().values()
    journal.append(replace(outcome, score=1043, trace=[[0.1, 1, 1043]]))
    comparison = collect(journal.path.parent)
    assert comparison.known == {"challenge": Known(1043, 1042.0, RUNS, BOOK)}
    assert find(comparison).notes == (
        "A new best on challenge: 1043 points, 1042 before (record book).",
    )


def test_a_better_folder_counts_before_the_book_only_where_it_is_named(
    journal: Journal, tmp_path: Path
) -> None:
    (tmp_path / "results" / "challenge").mkdir(parents=True)
    (tmp_path / "results" / "challenge" / "1043.txt").write_text(FIRST)
    command = ["compare", "--collect", "-o", str(journal.path.parent)]
    assert known_row(rowdraw(*command, cwd=tmp_path).stdout)[1:4] == ["1042", "record", "book"]
    named = rowdraw(*command, "--results", "results", cwd=tmp_path)
    assert known_row(named.stdout)[1:3] == ["1042", "record"]


def test_solve_says_how_its_answer_compares_with_the_book(tmp_path: Path) -> None:
    for arguments in (["challenge"], ["--row", ROW]):
        done = rowdraw("solve", *arguments, "--strategy", "greedy", cwd=tmp_path)
        assert "rowdraw: 946 points, best known 1042, at most 1042, turns 12" in done.stderr
    (tmp_path / "challenge.toml").write_text('name = "challenge"\nrow = "teasets?"\n')
    done = rowdraw("solve", "challenge.toml", "--strategy", "greedy", cwd=tmp_path)
    assert "best known" not in done.stderr


def test_solve_tells_a_new_best_with_the_one_before(monkeypatch: pytest.MonkeyPatch) -> None:
    from click.testing import CliRunner

    from solver.commands.solve import solve

    for known, said in (
        (Known(900, 950, BOOK, BOOK), "946 points, a new best, 900 before, at most 950,"),
        (Known(946, 946, BOOK, BOOK), "946 points, best known 946, optimal,"),
    ):
        monkeypatch.setattr("solver.lab.records.known_of", lambda _problem, known=known: known)
        assert said in CliRunner().invoke(solve, ["--strategy", "greedy"]).stderr
