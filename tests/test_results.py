"""Every result file is a valid game with the score that its name and its comments claim."""

import json
import re
from pathlib import Path

import pytest

from solver.lab.optima import random_row, read_truths, table
from solver.model.puzzle import bundled_puzzles, load_puzzle
from verify import judge, load_rules
from verify.bound.certificate import digest, puzzle_hash, read_certificate


def test_every_solution_in_results_is_valid_with_the_score_of_its_name(root: Path) -> None:
    checked = 0
    for folder in (root / "results").iterdir():
        for path in folder.glob("[0-9]*.txt") if folder.is_dir() else ():
            verdict = judge(path.read_bytes(), load_rules(folder.name))
            assert verdict.valid, verdict.as_text()
            assert verdict.score == int(path.stem)
            assert json.loads(path.with_suffix(".json").read_text())["score"] == verdict.score
            checked += 1
    assert checked >= 1


def test_certificates_belong_to_their_puzzles_and_no_score_exceeds_them(root: Path) -> None:
    checked = 0
    for path in (root / "results").glob("*/bound*.json"):
        told = read_certificate(path.read_bytes(), str(path))
        rules = load_rules(path.parent.name)
        assert told["digest"] == digest(told)
        assert (told["puzzle_hash"], told["words_hash"]) == (puzzle_hash(rules), rules.words_hash)
        best = max(int(file.stem) for file in path.parent.glob("[0-9]*.txt"))
        assert best <= float(told["bound"])
        if path.name != "bound.json":
            continue  # an earlier one
        record = json.loads((path.parent / f"{best}.json").read_text())
        assert (record["bound"], record["gap"]) == (float(told["bound"]), round(float(told["bound"]) - best, 3))
        checked += 1
    assert checked >= 1


def test_the_best_score_of_every_bundled_row_has_a_certificate(root: Path) -> None:
    for name in bundled_puzzles():
        best = max(int(file.stem) for file in (root / "results" / name).glob("[0-9]*.txt"))
        assert read_certificate((root / "results" / name / "bound.json").read_bytes(), name)["bound"] == f"{best}.000"


@pytest.mark.parametrize(("tiles", "rows"), [(30, 50), (40, 5), (50, 5), (60, 5), (80, 5)])
def test_tables_of_optima_are_what_their_journals_say(tiles: int, rows: int, root: Path) -> None:
    folder = root / f"results/optima-{tiles}"
    truths = read_truths(folder)
    assert (folder / "table.md").read_text() == table(truths)
    assert [truth.row for truth in truths] == [random_row(load_puzzle("challenge"), tiles, number) for number in range(rows)]
    assert all(truth.optimum is not None for truth in truths)


def test_answers_on_file_say_their_puzzle_and_nothing_else(root: Path) -> None:
    for folder in (root / "results").iterdir():
        for path in folder.glob("[0-9]*.txt") if folder.is_dir() else ():
            comments = [line for line in path.read_text().splitlines() if line.startswith("#")]
            assert comments == ([] if folder.name == "challenge" else [f"# puzzle {folder.name}"])


def test_the_record_says_how_it_was_found(root: Path) -> None:
    record = json.loads((root / "results/challenge/1042.json").read_text())
    assert {"strategy", "parameters", "seed", "seconds", "versions"} <= set(record)
    text = (root / "results/challenge/1042.txt").read_text()
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    assert [f"{turn['left']} {turn['play']} {turn['word']}" for turn in record["turns"]] == lines


def test_the_table_answered_a_turn_in_a_tenth_of_a_second(root: Path) -> None:
    few, many = (root / "results/table-load.md").read_text(encoding="utf-8").split("\n## ")
    assert "50 browsers" in few
    assert "200 browsers, a turn every 4 s each, 20 strangers, 600 s" in many
    for text in (few, many):
        assert "one search under way; 0 requests refused" in text
        (turn,) = (line for line in text.splitlines() if line.startswith("| turn |"))
        assert int(turn.split("|")[4].split()[0]) < 100
    begin, end = map(int, re.findall(r"at the end: (\d+) and (\d+) MB", many)[0])
    assert end <= 1.1 * begin
    assert "the one that stands ready included: 1." in many
