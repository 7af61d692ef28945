"""The core alone: it needs nothing else of rowdraw, and agrees with a second reading of rules."""

import random
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

from tests.fuzz import plain
from tests.fuzz.mutation import mutated
from tests.posts.forms import OTHER, RECORD
from tests.process import python
from verify import judge, load_rules
from verify.core import Puzzle, Turn, is_valid, replay, turns_of

ROOT = Path(__file__).resolve().parents[2]


def run(answer: str, folder: Path) -> subprocess.CompletedProcess[str]:
    (folder / "answer.txt").write_text(answer)
    program = folder / "verify/core.py"
    data = (ROOT / "data/puzzles/challenge.toml", ROOT / "data/enable1.txt")
    return python("-I", program, *data, folder / "answer.txt")


def test_the_core_runs_alone(tmp_path: Path) -> None:
    (tmp_path / "verify").mkdir()
    shutil.copy(ROOT / "verify/core.py", tmp_path / "verify")
    shutil.copytree(ROOT / "data/tiles", tmp_path / "data/tiles")
    done = run("\n".join(RECORD), tmp_path)
    assert (done.returncode, done.stdout) == (0, "valid, 1042 points in 13 turns\n")
    done = run("\n".join([RECORD[0], "12 outmove outmove", *RECORD[2:]]), tmp_path)
    assert done.returncode == 1
    assert (
        done.stderr == "line 2: 12 left draws, but the rack holds 0 of 10 tiles, the row 90: "
        "expected at most 10\n"
    )
    assert run("# nothing\n", tmp_path).stderr == "no turn\n"


def test_mutated_answers_get_the_verdict_of_a_second_reading() -> None:
    rules = load_rules()
    rng = random.Random(56)
    seeds = ["\n".join(lines).encode() for lines in (RECORD, OTHER)]
    compared = 0
    for _ in range(800):
        content = mutated(rng, seeds)
        text = content.decode(errors="replace")
        expected = plain.judged(content, rules.row, rules.rack_size, rules.words)
        played = replay(rules, turns_of(text))
        valid = is_valid(played)
        assert judge(text, rules, strict=True).valid == valid
        if expected is not None:
            compared += 1
            assert (valid, valid * sum(turn.score for turn in played)) == expected, text
    assert compared > 100


def test_a_game_without_a_turn_is_not_valid_and_one_may_stop_at_any_time() -> None:
    puzzle = Puzzle("teas", 4, {"t": 1, "e": 1, "a": 1, "s": 1}, frozenset({"tea", "teas"}))
    assert not is_valid(replay(puzzle, []))
    assert is_valid(replay(puzzle, [Turn(1, "4", "tea", "tea")]))
    (full,) = replay(replace(puzzle, bonus=5), [Turn(1, "0", "teas", "teas")])
    assert full.score == 15
