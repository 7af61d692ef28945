"""Word lists with lines that are no words: what counts, and what is said of the rest."""

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver import load_puzzle, solve
from solver.scrabble.graph import listed_words
from tests.fuzz.word_lists import STRANGE, both_readings
from tests.process import rowdraw
from verify import RulesError, load_rules
from verify.rules import read_words

SAID = (
    "own.txt: 1 of 2 lines is left out: words have only the letters a to z, unlike 'café' in line 2"
)

plain_words = st.text("abcxyz", min_size=1, max_size=18)
lines = st.one_of(
    plain_words,
    plain_words.map(str.upper),
    st.text(STRANGE + "abXY", max_size=6),
    st.sampled_from(
        [
            "",
            " ",
            "café",
            "cafe\u0301",
            "CAFÉ",
            "it's",
            "well-known",
            "ice cream",
            "x2",
            "naïve",
            "\ufeffab",
            "\u212a",
        ]
    ),
)
lists = st.tuples(
    st.sampled_from([b"", b"\xef\xbb\xbf", b"\xff\xfe"]),
    st.lists(lines, max_size=12),
    st.sampled_from(["\n", "\r\n", "\n\n", "\r", " \n"]),
).map(lambda parts: parts[0] + parts[2].join(parts[1]).encode())


@given(content=lists)
@settings(max_examples=300)
def test_the_reader_of_lists_and_the_core_read_the_same_words(content: bytes) -> None:
    both_readings(content)


def test_the_digest_of_a_list_is_over_the_words_that_count(tmp_path: Path) -> None:
    paths = [tmp_path / name for name in ("plain.txt", "more.txt")]
    paths[0].write_text("ab\ntea\n")
    paths[1].write_bytes("\ufeffTEA\r\ncafé\r\n\r\nab\r\nit's\r\nab".encode())
    digests = {load_rules(words=path).words_hash for path in paths}
    assert len(digests) == 1
    assert load_rules(words=str(paths[0])).notes == ()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "the word list is empty"),
        (b"\n \r\n\xc2\xa0", "the word list is empty"),
        (
            "\ncafé\nit's\n".encode(),
            "list.txt:2: 'café' is not a word, nor is any other line: expected letters a to z",
        ),
        (b"ab\rcd", r"list.txt:1: 'ab\\rcd' is not a word, nor is any other line"),
        (b"tea\n\xff\n", "line 2: byte 1 of the line, 0xff, is not UTF-8"),
    ],
)
def test_a_list_without_a_word_is_refused(content: bytes, message: str, tmp_path: Path) -> None:
    path = tmp_path / "list.txt"
    path.write_bytes(content)
    with pytest.raises(RulesError, match=message):
        read_words(path)


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """A puzzle whose list has a word that no tile can lay down, and an answer that plays it."""
    (tmp_path / "own.txt").write_text("ab\ncafé\n", encoding="utf-8")
    (tmp_path / "p.toml").write_text('row = "cafx?"\nrack = 5\n')
    (tmp_path / "a.txt").write_text("5 caf? café\n", encoding="utf-8")
    return tmp_path


def test_a_word_with_another_letter_is_left_out_and_the_verdict_names_it(own: Path) -> None:
    command = ("verify", "a.txt", "--puzzle", "p.toml", "--words", "own.txt")
    done = rowdraw(*command, cwd=own, code=1)
    fault = "unknown-word: 'café' is not in the word list: words have only the letters a to z"
    assert f"a.txt:1: {fault}\n" in done.stdout
    assert f"a.txt: {SAID}\n" in done.stdout
    assert json.loads(rowdraw(*command, "--json", cwd=own).stdout)[0]["notes"] == [SAID]


def test_bound_and_its_check_say_what_was_left_out(own: Path) -> None:
    rules = ("p.toml", "--words", "own.txt")
    bound = rowdraw("bound", *rules, "--time", "0", "-o", "b.txt", cwd=own)
    assert f"rowdraw: {SAID}\n" in bound.stderr
    check = ("verify", "b.txt", "--puzzle", *rules)
    done = rowdraw(*check, cwd=own, code=0)
    assert f"b.txt: {SAID}\n" in done.stdout
    assert json.loads(rowdraw(*check, "--json", cwd=own).stdout)[0]["notes"] == [SAID]


def test_the_library_warns_of_what_was_left_out(own: Path) -> None:
    with pytest.warns(UserWarning, match="1 of 2 lines is left out"):
        found = solve(load_puzzle(str(own / "p.toml"), own / "own.txt"), strategy="greedy")
    assert [turn.word for turn in found.solution.turns] == ["ab"]


def test_scrabble_has_words_of_any_letters(tmp_path: Path) -> None:
    path = tmp_path / "words.txt"
    path.write_text("þú\nCafé\nab\n", encoding="utf-8")
    assert listed_words(str(path)) == {"ÞÚ", "CAFÉ", "AB"}
    path.write_text("þú\nit's\n", encoding="utf-8")
    with pytest.raises(
        RulesError, match=r"words.txt:2: \"it's\" is not a word: expected letters only"
    ):
        listed_words(str(path))
