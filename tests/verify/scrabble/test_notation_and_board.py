"""Words in notation and on the empty board: published figures, every error, and the outside kata."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.process import rowdraw
from tests.reference import VALUES
from verify.scrabble import (
    BoardError,
    NotationError,
    Square,
    letter_score,
    letter_scores,
    multipliers,
    standard_board,
    word_score,
)
from verify.scrabble.board import SIZE, score_word
from verify.scrabble.explain import english_distribution, explain
from verify.scrabble.tiles import tile_set

D = "1332142418513113X11114484X"


def test_published_figures_of_the_notation() -> None:
    assert [letter_score(letter, D) for letter in ("s", "Z", "x")] == ["1", "X", "8"]
    words = ("shrubbery", "E[Q]U(I)N[O]X", "e[XT]ra(VAG)an[Z]a")
    assert [letter_scores(word, D) for word in words] == ["141133114", "1X11118", "1811141211X1"]
    assert [multipliers(word) for word in words] == ["111111111", "1213121", "122113331121"]
    assert [word_score(word, D) for word in words] == [19, 36, 65]
    assert english_distribution() == D


@given(st.lists(st.tuples(st.text("abcxyzQ", min_size=1, max_size=4), st.sampled_from(["", "[]", "()"])), min_size=1))
def test_any_well_formed_word_scores_letter_by_letter(parts: list[tuple[str, str]]) -> None:
    word = "".join(f"{b[:1]}{text}{b[1:]}" for text, b in parts)
    expected = sum(VALUES[letter] * {"": 1, "[]": 2, "()": 3}[b] for text, b in parts for letter in text.lower())
    assert word_score(word, D) == expected
    assert len(multipliers(word)) == len(letter_scores(word, D)) == sum(len(text) for text, _b in parts)


@pytest.mark.parametrize(
    ("word", "message"),
    [
        ("ab[c", "the bracket at place 3 of 'ab[c' is never closed: expected ']'"),
        ("ab]c", "']' at place 3 of 'ab]c' closes a bracket that is not open"),
        ("a[b)c", "')' at place 4 of 'a[b)c' closes a bracket that is not open: expected a letter or ']'"),
        ("a[b(c)]", "'(' at place 4 of 'a[b(c)]' opens a bracket inside another"),
        ("a[]b", "']' at place 3 of 'a[]b' closes an empty bracket"),
        ("a b", "' ' at place 2 of 'a b' is not a letter"),
        ("caf\u00e9", "'\u00e9' at place 4"),
        ("", "has no letters"),
    ],
)
def test_broken_notation_is_refused_with_the_place(word: str, message: str) -> None:
    for scored in (lambda: multipliers(word), lambda: word_score(word, D), lambda: letter_scores(word, D)):
        with pytest.raises(NotationError) as caught:
            scored()
        assert message in str(caught.value)


def test_broken_distributions_and_letters_are_refused() -> None:
    with pytest.raises(NotationError, match="has 25 scores: expected 26"):
        letter_score("a", D[:-1])
    with pytest.raises(NotationError, match="'0' at place 3"):
        letter_score("a", "130" + D[3:])
    assert letter_score("q", D.lower()) == "X"
    for letter in ("", "ab", "1", "\u00e9", "\u212a"):
        with pytest.raises(NotationError, match="is not a letter"):
            letter_score(letter, D)


def total(word: str, at: str | None = None, across: bool = True, bonus: bool = False) -> int:
    return score_word(
        word, lambda letter: VALUES[letter.lower()], None if at is None else Square.parse(at), across, bonus
    ).total


def test_published_figures_of_the_board() -> None:
    assert (total("Cabbage"), total("Cabbage", "I2"), total("Cabbage", "A4", across=False)) == (14, 32, 51)
    assert total("Cabbage", "I2", bonus=True) == 82
    assert total("cab", "H8", bonus=True) == 14
    # a row of eight from A1 crosses two triple-word squares and a double-letter square under its d
    assert total("abcdefgh", "A1") == 9 * (1 + 3 + 3 + 2 * 2 + 1 + 4 + 2 + 4)


@pytest.mark.parametrize(
    ("word", "at", "across", "message"),
    [
        ("cabbage", "J1", True, "leaves the board at J1 across: expected at most 6"),
        ("cabbage", "A10", False, "leaves the board at A10 down: expected at most 6"),
        ("a", "A1", True, "has 1 letters: expected 2 to 15"),
        ("a" * 16, None, True, "has 16 letters"),
        ("cab", "P1", True, "'P1' is not a square"),
        ("cab", "A16", True, "'A16' is not a square"),
        ("cab", "A0", True, "'A0' is not a square"),
        ("cab", "1A", True, "'1A' is not a square"),
        ("cab", "A01", True, "'A01' is not a square"),
    ],
)
def test_what_the_board_does_not_have_is_refused(word: str, at: str | None, across: bool, message: str) -> None:
    with pytest.raises(BoardError) as caught:
        total(word, at, across)
    assert message in str(caught.value)


def test_the_board_is_symmetric_and_has_its_61_premium_squares() -> None:
    board = standard_board()
    squares = [Square(row, column) for row in range(SIZE) for column in range(SIZE)]
    for square in squares:
        for mirrored in (Square(square.column, square.row), Square(SIZE - 1 - square.row, square.column)):
            assert board.name(square) == board.name(mirrored)
    names = [board.name(square) for square in squares]
    counts = {name: names.count(name) for name in set(names) - {""}}
    assert counts == {"3xWS": 8, "2xWS": 16, "star": 1, "3xLS": 12, "2xLS": 24}
    assert all(Square.parse(str(square)) == square for square in squares)


def test_the_board_and_the_figures_are_those_of_the_kata(cases: Path) -> None:
    kata = json.loads((cases / "kata_board_and_tiles.json").read_text())
    board = standard_board()
    for row, names in enumerate(kata["Board"]):
        assert [board.name(Square(row, column)) for column in range(SIZE)] == [name.strip() for name in names]
    for place, name in kata["PremiumSquares"].items():
        assert board.name(Square.parse(place.replace(",", ""))) == name
    for letter, value in kata["Tiles"].items():
        assert VALUES.get(letter.lower(), 0) == value
    checked = 0
    for line in (cases / "kata_cases.tsv").read_text().splitlines():
        if not line.startswith("#"):
            word, start, way, expected = line.split("\t")
            at = None if start == "-" else start.replace(",", "")
            assert total(word, at, way != "vertical") == int(expected)
            checked += 1
    assert checked == 3


def test_the_command_prints_letters_values_multipliers_and_sum() -> None:
    shown = rowdraw("score", "e[xt]ra(vag)an[z]a").stdout.splitlines()
    assert [line.split() for line in shown] == [
        ["letters", *"extravaganza"],
        ["values", *"181114121".replace("", " ").split(), "1", "10", "1"],
        ["multipliers", *"122113331121"],
        ["score", "65"],
    ]
    for arguments, score in (
        (["Cabbage"], 14),
        (["Cabbage", "--at", "I2", "--across"], 32),
        (["Cabbage", "--at", "A4", "--down"], 51),
    ):
        assert rowdraw("score", *arguments).stdout.splitlines()[-1].split() == ["score", str(score)]
    assert "50 for 7 tiles" in rowdraw("score", "cabbage", "--at", "I2", "--bonus").stdout
    for arguments, message in (
        (["cab", "--tiles", "klingon"], "expected one of catalan"),
        (["cab", "--tiles", "german", "--distribution", "1" * 26], "expected one of them"),
        (["ñu"], "expected a to z, ?"),
        (["[c]hico", "--tiles", "spanish"], "a part of a spanish tile"),
        (["cab", "--tiles", "english_super", "--at", "A1"], "on the super board"),
        (["e[x"], "never closed"),
        (["cabbage", "--at", "O1"], "leaves the board"),
        (["c[a]b", "--at", "A1"], "has brackets"),
        (["cab", "--distribution", "123"], "has 3 scores"),
    ):
        done = rowdraw("score", *arguments)
        assert (done.returncode, done.stdout) == (2, "")
        assert message in done.stderr


@pytest.mark.parametrize(
    ("word", "tiles", "score"),
    [
        ("cab?age", "english", 11),
        ("CABbAGE", "english", 11),
        ("cABBAGE", "english", 11),  # a blank at the beginning, too
        ("Cabbage", "english", 14),  # a capital at the beginning is how words are written
        ("CABBAGE", "english", 14),
        ("c[?]b", "english", 6),
        ("chico", "spanish", 10),
        ("CHIcO", "spanish", 7),
        ("chICO", "spanish", 5),
        ("(ch)ico", "spanish", 20),
        ("col·lega", "catalan", 18),
        ("æð", "icelandic", 6),
    ],
)
def test_blanks_score_nothing_and_tiles_are_those_of_the_set(word: str, tiles: str, score: int) -> None:
    assert explain(word, tiles=tile_set(tiles)).splitlines()[-1].split() == ["score", str(score)]
