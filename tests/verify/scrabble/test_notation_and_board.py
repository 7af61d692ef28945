"""Words in notation and on the empty board: published figures, errors, and the outside kata."""

import json
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.scrabble.notation import tiles_of_distribution, word_score
from tests.process import rowdraw
from tests.reference import VALUES
from verify.scrabble.board import NotationError, Square, board_of
from verify.scrabble.tiles import TileSet, tile_set

D = "1332142418513113X11114484X"


def scored(word: str, tiles: TileSet, *board: str | bool | None) -> tuple[list[str], int]:
    """Return the multipliers and the score of a word."""
    shown = word_score(word, tiles, *board).text()  # type: ignore[arg-type]
    lines = [line.split() for line in shown.splitlines()]
    return lines[2][1:], int(lines[-1][1])


@given(
    st.lists(
        st.tuples(st.text("abcxyzQ", min_size=1, max_size=4), st.sampled_from(["", "[]", "()"])),
        min_size=1,
    )
)
def test_any_well_formed_word_scores_letter_by_letter(parts: list[tuple[str, str]]) -> None:
    word = ""
    multipliers: list[str] = []
    expected = 0
    for text, brackets in parts:
        multiplier = 1 + ["", "[]", "()"].index(brackets)
        word += brackets[:1] + text.lower() + brackets[1:]
        multipliers += [str(multiplier)] * len(text)
        expected += multiplier * sum(VALUES[letter] for letter in text.lower())
    for tiles in (tile_set("english"), tiles_of_distribution(D), tiles_of_distribution(D.lower())):
        assert scored(word, tiles) == (multipliers, expected)


@pytest.mark.parametrize(
    ("word", "message"),
    [
        (
            "ab[c",
            "'[' at place 3 of 'ab[c': expected [ ] or ( ) around letters, closed, and not inside "
            "other brackets",
        ),
        ("a[b)c", "'[' at place 2"),
        ("a b", "' ' of 'a b' is no tile of the english set"),
        ("caf\u00e9", "'\u00e9' of 'caf\u00e9' is no tile"),
        ("\u017fo", "is no tile of the english set"),  # its capital is S
        ("", "has no letters"),
    ],
)
def test_broken_notation_is_refused_with_the_place(word: str, message: str) -> None:
    with pytest.raises(NotationError) as caught:
        word_score(word, tile_set("english"))
    assert message in str(caught.value)


def total(word: str, at: str | None = None, bonus: bool = False) -> int:
    return scored(word, tile_set("english"), at, bonus)[1]


def test_published_figures_of_the_board() -> None:
    # of emilybache/Scrabble-Kata
    assert (total("Cabbage"), total("Cabbage", "2I")) == (14, 32)
    assert (total("Cabbage", "4A"), total("Cabbage", "A4")) == (34, 51)
    assert total("Cabbage", "2I", bonus=True) == 82
    assert total("cab", "8H", bonus=True) == 14
    # a row of eight from A1 crosses two triple-word squares and a double-letter square under its d
    assert total("abcdefgh", "1A") == 9 * (1 + 3 + 3 + 2 * 2 + 1 + 4 + 2 + 4)


@pytest.mark.parametrize(
    ("word", "at", "message"),
    [
        ("cabbage", "1J", "'CABBAGE' does not fit at 1J: expected 2 letters or more, and from "),
        ("ab", "1O", "and from there the board has 1 square"),
        ("a", "A1", "'A' does not fit at A1"),
        ("cab", "P1", "'P1' is not a square"),
        ("cab", "1", "'1' is not a square: expected rows 1 to 15 and columns A to O"),
    ],
)
def test_what_the_board_does_not_have_is_refused(word: str, at: str, message: str) -> None:
    with pytest.raises(NotationError) as caught:
        total(word, at)
    assert message in str(caught.value)


def test_the_board_is_symmetric_and_has_its_61_premium_squares() -> None:
    board = board_of("standard")
    squares = [Square(row, column) for row in range(15) for column in range(15)]
    for square in squares:
        assert board.name(square) == board.name(Square(14 - square.column, square.row))
    assert Counter(board.name(square) for square in squares) == {
        "": 164,
        "3xWS": 8,
        "2xWS": 16,
        "star": 1,
        "3xLS": 12,
        "2xLS": 24,
    }


def test_the_board_is_that_of_the_kata(cases: Path) -> None:
    kata = json.loads((cases / "kata_board_and_tiles.json").read_text())
    board = board_of("standard")
    for row, names in enumerate(kata["Board"]):
        for column, name in enumerate(names):
            assert board.name(Square(row, column)) == name.strip()


@pytest.mark.parametrize(
    ("word", "tiles", "score"),
    [
        ("cab?age", "english", 11),
        ("CABbAGE", "english", 14),  # small letters and capitals mean the same
        ("c[?]b", "english", 6),
        ("chico", "spanish", 10),
        ("CHIcO", "spanish", 10),
        ("(ch)ico", "spanish", 20),
        ("col·lega", "catalan", 18),
    ],
)
def test_blanks_score_nothing_and_tiles_are_those_of_the_set(
    word: str, tiles: str, score: int
) -> None:
    assert scored(word, tile_set(tiles))[1] == score


def test_the_command_names_the_bonus_and_refuses_what_does_not_go_together() -> None:
    shown = rowdraw("scrabble", "score", "cabbage", "--at", "I2", "--bonus").stdout
    assert "50 for 7 tiles" in shown
    for arguments, message in (
        (f"cab --tiles german --distribution {'1' * 26}", "expected one of them"),
        ("[c]hico --tiles spanish", "a part of a spanish tile"),
        ("cab --tiles english_super --at V1", "expected rows 1 to 21 and columns A to U"),
        ("c[a]b --at A1", "has brackets"),
    ):
        done = rowdraw("scrabble", "score", *arguments.split(), code=2)
        assert not done.stdout
        assert message in done.stderr
