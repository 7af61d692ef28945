"""Explains the score of a word in lines that a person can check."""

import re
import tomllib
from functools import cache
from itertools import groupby
from string import ascii_lowercase

from verify.datafiles import data_folder
from verify.points import points
from verify.scrabble.board import FULL_RACK, Square, WordScore, score_word
from verify.scrabble.notation import NotationError, letter_score, read_signs
from verify.scrabble.tiles import BLANK, TileSet, tile_set
from verify.text import quote


def explain(
    word: str,
    distribution: str | None = None,
    square: str | None = None,
    across: bool = True,
    bonus: bool = False,
    tiles: TileSet | None = None,
) -> str:
    """Return letters, values, multipliers and score of a word in notation, in lines.

    Args:
        word: In small letters or capitals, or with one capital at the beginning. `?` is a blank, worth 0. If capitals follow
            the first letter, small letters are blanks, too, as in `CABbAGE`.
        distribution: The values of the letters a to z; None for those of `tiles`.
        square: The first square of the word on the empty board; None for no board.
        across: Whether the word runs across, or down.
        bonus: Whether seven tiles earn 50 points.
        tiles: The tile set; None for the English one.

    Raises:
        NotationError: The word or the distribution cannot be read.
        BoardError: The word does not fit on the board.
    """
    chosen = tile_set("english") if tiles is None else tiles
    letters = _tiles_of(word, chosen)
    has_blanks = any(tile != tile.lower() for tile, _multiplier in letters[1:])
    text = [tile for tile, _multiplier in letters]
    bracketed = tuple(multiplier for _tile, multiplier in letters)

    def value(tile: str) -> int:
        if tile == BLANK or (has_blanks and tile != tile.upper()):
            return chosen.blank_value if distribution is None else 0
        return chosen.value(tile.upper()) if distribution is None else _points(letter_score(tile, distribution))

    if square is None and not bonus:
        scored = WordScore(tuple(map(value, text)), bracketed, 1, 0)
    else:
        if set(bracketed) != {1}:
            raise NotationError(f"{word!r} has brackets: on the board the premium squares say what is multiplied")
        if square is not None and chosen.board != "standard":
            raise NotationError(f"the {chosen.name} set is played on the {chosen.board} board: expected no square")
        at = None if square is None else Square.parse(square)
        scored = score_word(text, value, at, across, bonus)
    return _lines(text, scored)


def _tiles_of(word: str, tiles: TileSet) -> list[tuple[str, int]]:
    """Return the tiles of a word in notation, each with its multiplier. Letters that form one tile of the set are joined."""
    signs = {sign for tile in tiles.values for sign in tile + tile.lower()} | {BLANK}
    expected = "a to z, ?" if signs <= {*ascii_lowercase, *ascii_lowercase.upper(), BLANK} else f"the {tiles.name} tiles, ?"
    longest_first = sorted(map(re.escape, tiles.values), key=len, reverse=True)
    one_tile = re.compile("|".join([*longest_first, r"\?", "."]), re.IGNORECASE)
    parsed: list[tuple[str, int]] = []
    for multiplier, group in groupby(read_signs(word, signs.__contains__, expected), key=lambda sign: sign[1]):
        parsed += [(tile, multiplier) for tile in one_tile.findall("".join(sign for sign, _multiplier in group))]
    for tile, _multiplier in parsed:
        if tile != BLANK and tile.upper() not in tiles.values:
            raise NotationError(f"{quote(tile)} of {quote(word)} is no tile of the {tiles.name} set")
    if not tiles.are_right(tile for tile, _multiplier in parsed):
        raise NotationError(f"{quote(word)} multiplies a part of a {tiles.name} tile: expected all its letters in the brackets")
    return parsed


@cache
def english_distribution() -> str:
    """Return the letter values of the English set as a distribution."""
    values = tomllib.loads((data_folder() / "tiles" / "english.toml").read_text(encoding="utf-8"))["values"]
    return "".join("X" if values[letter] == 10 else str(values[letter]) for letter in ascii_lowercase)


def _points(score: str) -> int:
    return 10 if score == "X" else int(score)


def _lines(text: list[str], scored: WordScore) -> str:
    rows = [
        ("letters", text),
        ("values", [str(value) for value in scored.values]),
        ("multipliers", [str(multiplier) for multiplier in scored.multipliers]),
    ]
    lines = [f"{name:12}" + " ".join(f"{cell:>2}" for cell in cells) for name, cells in rows]
    if scored.word_multiplier > 1:
        letters = points(zip(scored.values, scored.multipliers, strict=True))
        lines.append(f"{'word':12}{letters} x {scored.word_multiplier}")
    if scored.bonus:
        lines.append(f"{'bonus':12}{scored.bonus} for {FULL_RACK} tiles")
    lines.append(f"{'score':12}{scored.total}")
    return "".join(f"{line}\n" for line in lines)
