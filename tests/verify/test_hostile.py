"""What a stranger tried in order to fool the referee, or to make it stumble."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.solver.test_inputs import BAD_PUZZLES
from verify import RulesError, judge, load_rules
from verify.answers import stated_rules_of

GAME = "6 s?l?mnized solemnized\n9 outmove outmove\n"
KELVIN = "\u212a"


def codes(content: str | bytes) -> list[str]:
    raw = content.encode() if isinstance(content, str) else content
    return [violation.code for violation in judge(raw, load_rules()).violations]


def test_a_letter_that_only_lowers_to_ascii_is_no_letter() -> None:
    kettle = f"0 {KELVIN}a ka\n"
    assert "not-on-rack" in codes(kettle)
    assert "unknown-word" in codes(f"0 ka {KELVIN}a\n")


@pytest.mark.parametrize(
    "claim",
    ["961", "9999999999", "1,042", "-5", "999.", "195.5", "961 points", "961 pts."],
)
def test_no_false_claim_passes(claim: str) -> None:
    assert codes(f"{GAME}# score {claim}\n") == ["score-claim"]
    assert codes(f"{GAME}#SCORE: 195\n# score=195 points\n#  total   score 0195\n") == []


@pytest.mark.parametrize("score", [195.0, "195", True, [195], "thousands of digits"])
def test_a_claim_in_json_is_a_whole_number(score: object) -> None:
    turns = [{"left": 6, "play": "s?l?mnized", "word": "solemnized"}, {"left": 9, "play": "outmove", "word": "outmove"}]
    text = json.dumps({"score": score, "turns": turns}).replace('"thousands of digits"', "9" * 5000)
    assert codes(text) != []
    turns[0]["score"] = 777
    assert codes(json.dumps({"score": 195, "turns": turns})) == ["score-claim"]


def test_a_lone_carriage_return_ends_a_line() -> None:
    assert codes(GAME.replace("\n", "\r")) == []
    assert codes("# mine\r" + GAME) == []
    assert codes("6\rs?l?mnized solemnized\n") != []


@pytest.mark.parametrize("line", ["# score" + " " * 300_000 + "x", "# puzzle a" + " " * 300_000 + "b", "#" * 300_000])
def test_long_comments_are_read_at_once(line: str) -> None:
    assert codes(f"{line}\n{GAME}") == []


def test_words_that_begin_like_a_claim_are_none() -> None:
    assert codes(f"# rowdraw\n# puzzled by this one\n# rows are long\n{GAME}") == []
    stated = stated_rules_of(b"# row: teas\n#puzzle=  a  b.toml \n0 tea tea\n")
    assert (stated.row, stated.puzzle) == ("teas", "a  b.toml")


def test_leading_zeros_do_not_make_a_number_larger() -> None:
    assert codes("000000006 s?l?mnized solemnized\n") == []
    assert codes("999999999 s?l?mnized solemnized\n") == ["too-many-draws"]
    assert codes("0000000006 s?l?mnized solemnized\n") == ["bad-left-count"]


@pytest.mark.parametrize("text", BAD_PUZZLES)
def test_the_referee_refuses_the_puzzles_that_the_solver_refuses(tmp_path: Path, text: str) -> None:
    path = tmp_path / "bad.toml"
    path.write_text(text)
    with pytest.raises(RulesError):
        load_rules(str(path))


def verify(redirect: str, *, stdin: str = GAME, **environment: str) -> subprocess.CompletedProcess[str]:
    command = f"'{sys.executable}' -m verify - {redirect}"
    return subprocess.run(
        ["/bin/sh", "-c", command], input=stdin, capture_output=True, text=True, env={"PATH": "/bin", **environment},
        cwd=Path(__file__).resolve().parents[2], check=False,
    )  # fmt: skip


@pytest.mark.usefixtures("full_device")
@pytest.mark.parametrize(
    ("redirect", "code"), [("<&-", 2), (">&-", 2), ("> /dev/full", 2), ("--help > /dev/full", 2), ("| true", 0)]
)
def test_closed_and_full_streams_end_without_a_traceback(redirect: str, code: int) -> None:
    done = verify(redirect)
    assert "Traceback" not in done.stderr
    assert done.returncode == code


def test_a_terminal_that_knows_no_such_letters_is_no_error() -> None:
    done = verify("", stdin="6 \u5b57 zoo\n", PYTHONIOENCODING="ascii")
    assert "Traceback" not in done.stderr
    assert done.returncode == 1
    assert "\\u5b57" in done.stdout
