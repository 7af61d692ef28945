"""Rules that answers and puzzles state: what they change, and errors that name file and line."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.model.puzzle import load_puzzle
from solver.solving.opened import OpenedGame
from tests.process import rowdraw
from verify import RowdrawError, Rules, judge
from verify.files import json_value, toml_fields
from verify.judging import Judge
from verify.rules import RulesError
from verify.stated import comments_of


def test_words_that_are_given_come_before_those_that_an_answer_names(tmp_path: Path) -> None:
    (tmp_path / "own.txt").write_text("tea\neat\nzzz\n")
    (tmp_path / "other.txt").write_text("tea\neat\n")
    command = "solve --row teaeat --words own.txt --strategy greedy -o a.txt"
    rowdraw(*command.split(), cwd=tmp_path, code=0)
    given = rowdraw("verify", "a.txt", "--words", "own.txt", cwd=tmp_path)
    assert given.stdout.endswith(
        "on the row teaeat, with the rules of challenge and the words of own.txt\n"
    )
    other = rowdraw("verify", "a.txt", "--words", "other.txt", cwd=tmp_path, code=0)
    assert "the answer names other words, those of the list 'own'" in other.stdout


TURNS = "6 s?l?mnized solemnized\n"
EASY = "# puzzle challenge\n# row zyzzyva\n# rack 7\n# values z=1000\n0 zyzzyva zyzzyva\n"


def test_a_verdict_never_speaks_of_a_bundled_puzzle_alone_where_an_answer_changes_its_rules() -> (
    None
):
    verdict = rowdraw("verify", "-", stdin=EASY).stdout
    values = "letter values of its own (z=1000 a=0 b=0 c=0 d=0 e=0 f=0 g=0 and 18 more)"
    assert verdict.endswith(
        f"on the row zyzzyva, with the rules that the answer itself names: rack 7, {values}\n"
    )
    (ranked,) = json.loads(rowdraw("verify", "-", "--rank", "--json", stdin=EASY).stdout)["tables"]
    assert ranked["puzzle"].startswith("the row zyzzyva")
    assert ranked["best_known"] is None


def test_the_puzzle_that_the_user_names_overrides_and_the_contradiction_is_said() -> None:
    for command in ("verify", "show"):
        done = rowdraw(command, "-", "--puzzle", "challenge", stdin=EASY, code=1)
        assert (
            "the answer itself names other rules "
            "(row zyzzyva, rack 7, letter values of its own (z=1000 a=0 " in done.stdout
        )
        assert "): judged by challenge" in done.stdout
    same = rowdraw(
        "verify", "-", "--puzzle", "challenge", stdin=f"# puzzle challenge\n# rack 10\n{TURNS}"
    )
    assert same.stdout == "-: valid, 141 points in 1 turn on challenge\n"


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"row": 0}, "row = '0': '0' at place 1 is not a tile"),
        (
            {"rules": {"rack": [7]}},
            "rack = [7]: expected a whole number of at most 6 digits, such as 7",
        ),
        (
            {"rules": {"rackk": 7}},
            "rules: unknown field 'rackk': expected row, rack, values, bonus, words, words_hash",
        ),
        (
            {"rules": {"words_hash": "0" * 64}},
            "expected enable1, or the name of another list and its SHA-256",
        ),
        (
            {"rules": {"words": "own", "words_hash": "0" * 63}},
            "expected enable1, or the name of another list and its SHA-256",
        ),
        ({"rules": []}, ""),
        ({"rules": "x"}, ""),
        ({"rules": {"values": {"a": []}}}, ""),
        ({"rules": {"values": [1]}}, ""),
        ({"rules": {"bonus": True}}, ""),
        ({"rules": {"row": [1]}}, ""),
    ],
)
def test_a_field_that_states_no_rule_is_named(fields: dict[str, object], message: str) -> None:
    answer = {**fields, "turns": [{"left": 6, "play": "s?l?mnized", "word": "solemnized"}]}
    (fault,) = judge(json.dumps(answer)).violations
    assert fault.code == "unknown-puzzle"
    assert message in fault.message


def puzzle_of(content: str, chosen: Rules) -> Rules:
    return OpenedGame("a", content.encode()).rules(chosen)


@pytest.mark.parametrize(
    ("header", "row", "rack", "bonus"),
    [
        ("# puzzle challenge\n# row teaeat\n", "teaeat", 10, 0),
        ("# puzzle challenge\n# row teaeat\n# rack 7\n# bonus 5\n", "teaeat", 7, 5),
        ("# rack 7\n", None, 7, 0),
        (
            "# puzzle own.toml\n# row teaeat\n# rack 7\n# values a=1\n# words enable1 {}\n",
            "teaeat",
            7,
            0,
        ),
    ],
)
def test_a_game_is_gone_on_with_by_all_the_rules_that_it_states(
    header: str, row: str, rack: int, bonus: int
) -> None:
    chosen = load_puzzle("challenge")
    found = puzzle_of(header.format(chosen.words_hash) + "0 tea tea\n", chosen)
    assert (found.row, found.rack_size, found.bonus) == (row or chosen.row, rack, bonus)
    assert found.puzzle != "challenge"


def test_a_game_that_states_the_rules_of_the_chosen_puzzle_is_of_that_puzzle(
    tmp_path: Path,
) -> None:
    (tmp_path / "own.toml").write_text('name = "mine"\nrow = "teaeat"\nrack = 5\nbonus = 5\n')
    for chosen in (
        load_puzzle("challenge"),
        load_puzzle("challenge").with_row("teaeat"),
        load_puzzle(str(tmp_path / "own.toml")),
    ):
        assert puzzle_of(comments_of(chosen) + "0 tea tea\n", chosen) is chosen


def test_words_of_the_users_own_come_before_those_that_a_game_states(tmp_path: Path) -> None:
    (tmp_path / "own.txt").write_text("tea\neat\n")
    sentences: list[str] = []
    chosen = load_puzzle("challenge", tmp_path / "own.txt")
    game = OpenedGame("a", f"# words mine {'0' * 64}\n0 tea tea\n".encode())
    assert game.rules(chosen, sentences.append) is chosen
    (sentence,) = sentences
    assert sentence.startswith(
        "a: the answer names other words, those of the list 'mine' (SHA-256 000000000000...)"
    )
    assert sentence.endswith(f"judged with {tmp_path / 'own.txt'}")


PYTHONS_OWN = re.compile(
    r"codec|Expecting|char 0|Invalid value|Extra data|delimiter|document\)|set_int_max"
)


def problem(read: Callable[[bytes], Any], content: bytes) -> str:
    """Return the message of the error that `read` raises for a file; empty if it raises none."""
    try:
        read(content)
    except ValueError as error:
        return str(error)
    return ""


@pytest.mark.parametrize(
    ("header", "message"),
    [
        ("# rack 99", "rack = 99: expected a whole number from 2 to 15"),
        ("# values a=100000", "values: a = 100000: expected"),
        ("# row tea!", "row = 'tea!': '!' at place 4 is not a tile"),
        (
            "# puzzle mine.toml",
            "it says that it answers the puzzle 'mine.toml': pass that file with --puzzle",
        ),
        (
            f"# words nope {'0' * 64}",
            "its words are those of the list 'nope' (SHA-256 000000000000...), "
            "which is not bundled",
        ),
        (
            f"# words enable1 {'0' * 64}",
            "its words are those of the list 'enable1' (SHA-256 000000000000...); "
            "the bundled list of that name has others: pass them with --words FILE",
        ),
    ],
)
def test_an_impossible_rule_of_an_answer_is_named_with_its_line(
    header: str, message: str, tmp_path: Path
) -> None:
    content = f"# my answer\n{header}\n{TURNS}"
    (tmp_path / "a").write_text(content)
    with pytest.raises(RulesError, match=f"^{tmp_path / 'a'}:2: {re.escape(message)}"):
        Judge(None, None)(str(tmp_path / "a"))
    with pytest.raises(RowdrawError, match=f"^a:2: {re.escape(message)}"):
        puzzle_of(content, load_puzzle("challenge"))
    fault = judge(content).violations[0]
    assert (fault.line, fault.code) == (2, "unknown-puzzle")
    assert fault.message.startswith(message)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"row = \n", "line 1, column 7: expected TOML, each name once, such as rack = 7"),
        (
            b'rack = 7\nrow "tea"\n',
            "line 2, column 5: expected TOML, each name once, such as rack = 7",
        ),
        (
            b"rack = 7\nrack = 8\n",
            "line 2, column 9: expected TOML, each name once, such as rack = 7",
        ),
        (b"values = { a = 1", "the end: expected TOML"),
        (b'\xef\xbb\xbfrack = 7\nrow = "\xff"\n', "line 2: byte 8 of the line, 0xff, is not UTF-8"),
    ],
)
def test_a_file_that_is_not_toml_is_described_in_our_words(content: bytes, message: str) -> None:
    assert problem(toml_fields, content).startswith(message)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "line 1, column 1: expected JSON"),
        (b'{\n  "a": }', "line 2, column 8: expected JSON"),
        (b'{"a": 1\n "b": 2}', "line 2, column 2: expected JSON"),
        (b'["\xff"]', "line 1: byte 3 of the line, 0xff, is not UTF-8"),
        (b"1" * 5000, "a number of thousands of digits"),
    ],
)
def test_a_file_that_is_not_json_is_described_in_our_words(content: bytes, message: str) -> None:
    assert problem(lambda text: json_value(text, 100), content) == message


@given(content=st.binary(max_size=40) | st.text('{}[]"\\,:=.#a1 \n', max_size=40).map(str.encode))
def test_no_words_of_pythons_readers_reach_a_user(content: bytes) -> None:
    for read in (toml_fields, lambda text: json_value(text, 100)):
        message = problem(read, content)
        assert not PYTHONS_OWN.search(message), message
