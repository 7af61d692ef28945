"""The score of one word, in lines that a person can check.

In Scrabble notation `[...]` doubles and `(...)` triples each letter inside. `?` is a blank, worth 0. If capitals follow the
first letter, small letters are blanks, too, as in `CABbAGE`.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from string import ascii_uppercase

from verify.scrabble.board import FULL_RACK, FULL_RACK_BONUS, NotationError, board_of
from verify.scrabble.play import Scored, parse_place, scored
from verify.scrabble.tiles import BLANK, TileSet
from verify.text import quote

_GROUP = re.compile(r"\[([^][()]+)\]|\(([^][()]+)\)|([^][()]+)|.")
_MULTIPLIERS = {
    1: 2,
    2: 3,
    3: 1,
}  # by the groups of this pattern; without a group it matches a bracket that is out of place
_SCORES = "123456789X"


@dataclass(frozen=True)
class WordScore:
    """How one word scores: its letters with their values and multipliers, the multiplier of the word, and its bonus."""

    letters: list[str]
    values: Sequence[int]
    multipliers: Sequence[int]
    word_multiplier: int
    bonus: int
    score: int

    def text(self) -> str:
        """Return letters, values, multipliers and score, a line each."""
        rows = {"letters": self.letters, "values": self.values, "multipliers": self.multipliers}
        lines = [
            f"{name:12}" + " ".join(f"{cell:>2}" for cell in cells) for name, cells in rows.items()
        ]
        if self.word_multiplier > 1:
            lines.append(
                f"{'word':12}{(self.score - self.bonus) // self.word_multiplier} x {self.word_multiplier}"
            )
        if self.bonus:
            lines.append(f"{'bonus':12}{self.bonus} for {FULL_RACK} tiles")
        lines.append(f"{'score':12}{self.score}")
        return "".join(f"{line}\n" for line in lines)


def word_score(
    word: str, tiles: TileSet, square: str | None = None, across: bool = True, bonus: bool = False
) -> WordScore:
    """Return how a word in notation scores.

    Args:
        word: In small letters or capitals, or with one capital at the beginning.
        tiles: The tile set.
        square: The first square of the word on the empty board; None for no board.
        across: Whether the word runs across, or down.
        bonus: Whether seven tiles earn 50 points.

    Raises:
        NotationError: The word cannot be read, or does not fit on the board.
    """
    letters = read_word(word, tiles)
    text = [tile for tile, _multiplier in letters]
    has_blanks = any(tile != tile.lower() for tile in text[1:])
    laid = text if has_blanks else [tile.upper() for tile in text]
    score = Scored(
        [tiles.value(tile) for tile in laid], [multiplier for _tile, multiplier in letters]
    )
    if (square is not None or bonus) and set(score.multipliers) != {1}:
        raise NotationError(
            f"{quote(word)} has brackets: on the board the premium squares say what is multiplied"
        )
    if square is not None:
        score = _on_board(laid, tiles, square, across)
    earned = FULL_RACK_BONUS if bonus and len(text) == FULL_RACK else 0
    return WordScore(
        text, score.values, score.multipliers, score.multiplier, earned, score.points + earned
    )


def _on_board(laid: list[str], tiles: TileSet, square: str, across: bool) -> Scored:
    """Return how a word scores on the empty board. Raises `NotationError` if it does not fit."""
    board = board_of(tiles.board)
    at, _across = parse_place(square, board)
    room = board.size - (at.column if across else at.row)
    if not 2 <= len(laid) <= room:
        what = f"{quote(''.join(laid))} of {len(laid)} letters at {at} {'across' if across else 'down'}"
        raise NotationError(f"{what} does not fit on the board: expected 2 to {room}")
    return scored(
        board, {}, tuple((at.next(across, step), tile) for step, tile in enumerate(laid)), tiles
    )


def tiles_of_distribution(distribution: str) -> TileSet:
    """Return a tile set with the values of a distribution: 26 scores of the letters a to z, 1 to 9 or X for 10.

    Raises:
        NotationError: The distribution cannot be read.
    """
    if len(distribution) != len(ascii_uppercase):
        raise NotationError(
            f"the distribution {quote(distribution)} has {len(distribution)} scores: expected 26"
        )
    for place, score in enumerate(distribution.upper(), start=1):
        if score not in _SCORES:
            what = f"{quote(score)} at place {place} of the distribution {quote(distribution)} is not a score"
            raise NotationError(f"{what}: expected 1 to 9 or X")
    values = (_SCORES.index(score) + 1 for score in distribution.upper())
    return TileSet("english", dict(zip(ascii_uppercase, values, strict=True)))


def read_word(word: str, tiles: TileSet) -> list[tuple[str, int]]:
    """Return the tiles of a word in notation, each with its multiplier. Letters that form one tile of the set are joined.

    Raises:
        NotationError: The word cannot be read.
    """
    longest_first = sorted(map(re.escape, tiles.values), key=len, reverse=True)
    one_tile = re.compile("|".join([*longest_first, "."]), re.IGNORECASE | re.DOTALL)
    parsed: list[tuple[str, int]] = []
    for part in _GROUP.finditer(word):
        if part.lastindex is None:
            what = f"{part[0]!r} at place {part.start() + 1} of {quote(word)}"
            raise NotationError(
                f"{what}: expected [ ] or ( ) around letters, closed, and not inside other brackets"
            )
        parsed += [
            (tile, _MULTIPLIERS[part.lastindex]) for tile in one_tile.findall(part[part.lastindex])
        ]
    if not parsed:
        raise NotationError(f"{quote(word)} has no letters: expected a word such as e[q]u(i)n[o]x")
    for tile, _multiplier in parsed:
        # some letters of other alphabets have a capital of this one
        is_of_set = tile.upper() in tiles.values and tile.lower() == tile.upper().lower()
        if tile != BLANK and not is_of_set:
            what = f"{quote(tile)} of {quote(word)} is no tile of the {tiles.name} set"
            raise NotationError(f"{what}: expected its letters, ?, [ ] or ( )")
    if not tiles.are_right(tile for tile, _multiplier in parsed):
        raise NotationError(
            f"{quote(word)} multiplies a part of a {tiles.name} tile: expected all its letters in the brackets"
        )
    return parsed
