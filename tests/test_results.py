"""Every result file is a valid game with the score that its name and its comments claim."""

import json
from pathlib import Path

from verify import judge, load_rules


def test_every_solution_in_results_is_valid_with_the_score_of_its_name(root: Path) -> None:
    checked = 0
    for folder in (root / "results").iterdir():
        for path in folder.glob("[0-9]*.txt") if folder.is_dir() else ():
            verdict = judge(path.read_bytes(), load_rules(folder.name))
            assert verdict.valid, verdict.as_text()
            assert verdict.score == int(path.stem)
            assert f"# score {verdict.score}\n" in path.read_text()
            checked += 1
    assert checked >= 1


def test_the_record_says_how_it_was_found(root: Path) -> None:
    record = json.loads((root / "results/challenge/1042.json").read_text())
    assert {"strategy", "parameters", "seed", "seconds", "versions"} <= set(record)
    text = (root / "results/challenge/1042.txt").read_text()
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    assert [f"{turn['left']} {turn['play']} {turn['word']}" for turn in record["turns"]] == lines
