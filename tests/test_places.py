"""Errors name the file, the line and what was expected, in words of rowdraw's own."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.errors import PuzzleError
from solver.model.puzzle import read_puzzle
from verify import RulesError, judge, load_rules
from verify.files import json_value, toml_fields
from verify.judging import Judge

TURNS = "6 s?l?mnized solemnized\n"
PYTHONS_OWN = ("codec", "Expecting", "char 0", "Invalid value", "Extra data", "delimiter", "document)", "set_int_max")


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
        ("# rack 99", ":2: rack = 99: expected a whole number from 2 to 15"),
        ("# bonus 99999", ":2: bonus = 99999: expected a whole number from 0 to 10,000"),
        ("# values a=100000", ":2: values = "),
        ("# row tea!", ":2: row = 'tea!': expected 1 to 10,000 tiles"),
        ("# puzzle mine.toml", ":2: it says that it answers the puzzle 'mine.toml': pass that file with --puzzle"),
        ("# values a=1 a=2", ":2: values = "),
        (f"# words nope {'0' * 64}", ":2: its words are those of the list 'nope'"),
    ],
)
def test_an_impossible_rule_of_an_answer_is_named_with_its_line(header: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(f"# my answer\n{header}\n{TURNS}")
    with pytest.raises(RulesError) as error:
        Judge(None, None)(str(tmp_path / "a.txt"))
    assert str(error.value).startswith(f"{tmp_path / 'a.txt'}{message}")
    fault = judge(f"# my answer\n{header}\n{TURNS}").violations[0]
    assert (fault.line, fault.code, fault.message.startswith(message[4:])) == (2, "unknown-puzzle", True)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('# mine\nrow = "te1"\n', 2),
        ('row = "tea"\n\nrack = 99\n', 3),
        ('row = "tea"\nbonus = -1\n', 2),
        ('row = "tea"\n[values]\na = 100000\n', 2),
        ('row = "tea"\nvalues.a = 100000\n', 2),
        ('row = "tea"\nname = ""\n', 2),
        ('row = "tea"\nwords = 7\n', 2),
        ('row = "tea"\nrakc = 7\n', 2),
        ('rack = 7\nrow = { bag = "english" }\n', 2),
    ],
)
def test_an_impossible_field_of_a_puzzle_is_named_with_its_line(text: str, line: int, tmp_path: Path) -> None:
    file = tmp_path / "own.toml"
    file.write_text(text)
    with pytest.raises(RulesError) as referees:
        load_rules(str(file))
    with pytest.raises(PuzzleError) as solvers:
        read_puzzle(file)
    for error in (referees, solvers):
        assert str(error.value).startswith(f"{file}:{line}: ")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"row = \n", "line 1, column 7: expected TOML, each name once, such as rack = 7"),
        (b'rack = 7\nrow "tea"\n', "line 2, column 5: expected TOML, each name once, such as rack = 7"),
        (b'row = "tea\n', "line 1, column 11: expected TOML, each name once, such as rack = 7"),
        (b'row = "tea" rack = 7\n', "line 1, column 13: expected TOML, each name once, such as rack = 7"),
        (b"rack = 7\nrack = 8\n", "line 2, column 9: expected TOML, each name once, such as rack = 7"),
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
        (b"{a: 1}", "line 1, column 2: expected JSON"),
        (b"{} {}", "line 1, column 4: expected JSON"),
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
        assert not any(words in message for words in PYTHONS_OWN), message


def test_a_list_of_old_certificates_is_called_one(tmp_path: Path) -> None:
    certificate = {"certificate": "rowdraw bound", "puzzle": "challenge"}
    for text in (json.dumps([certificate] * 2), "\n[\n" + json.dumps(certificate, indent=1) + "]"):
        (tmp_path / "two.json").write_text(text)
        with pytest.raises(RulesError, match=r"two\.json: a certificate of version 1, a JSON file"):
            Judge(None, None)(str(tmp_path / "two.json"))
