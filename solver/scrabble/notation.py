"""The score of one word, in lines that a person can check.

In Scrabble notation `[...]` doubles and `(...)` triples each letter inside. `?` is a blank, worth
0. Small letters and capitals mean the same.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from string import ascii_uppercase

from verify.scrabble.board import NotationError, board_of
from verify.scrabble.play import Scored, parse_place, scored
from verify.scrabble.tiles import BLANK, TileSet
from verify.text import counted, quote

_GROUP = re.compile(r"\[([^][()]+)\]|\(([^][()]+)\)|([^][()]+)|.")
# by the groups of this pattern; without a group it matches a bracket that is out of place
_MULTIPLIERS = {1: 2, 2: 3, 3: 1}
_SCORES = "123456789X"


@dataclass(frozen=True)
class WordScore:
    """How one word scores: letters with values and multipliers, its own multiplier and bonus."""

    letters: list[str]
    values: Sequence[int]
    multipliers: Sequence[int]
    word_multiplier: int
    bonus: int
    score: int

    def text(self) -> str:
        """Return letters, values, multipliers and score, a line each."""
        lines = []
        for name in ("letters", "values", "multipliers"):
            cells = " ".join(f"{cell:>2}" for cell in getattr(self, name))
            lines.append(f"{name:12}{cells}")
        if self.word_multiplier > 1:
            once = (self.score - self.bonus) // self.word_multiplier
            lines.append(f"{'word':12}{once} x {self.word_multiplier}")
        if self.bonus:
            lines.append(f"{'bonus':12}{self.bonus} for {len(self.letters)} tiles")
        lines.append(f"{'score':12}{self.score}")
        return "\n".join([*lines, ""])


def word_score(
    word: str, tiles: TileSet, place: str | None = None, bonus: bool = False
) -> WordScore:
    """Return how a word in notation scores.

    Args:
        word: In small letters, capitals or both.
        tiles: The tile set.
        place: Where the word begins on the empty board: `8H` across, `H8` down; None for no board.
        bonus: Whether a full rack earns its bonus.

    Raises:
        NotationError: The word cannot be read, or does not fit on the board.
    """
    text, multipliers = read_word(word, tiles)
    laid = [tiles.spelling.upper(tile) for tile in text]
    if (place is not None or bonus) and set(multipliers) != {1}:
        raise NotationError(
            f"{quote(word)} has brackets: on the board the premium squares say what is multiplied"
        )
    score = Scored(list(map(tiles.value, laid)), multipliers)
    if place is not None:
        score = _on_board(laid, tiles, place)
    earned = tiles.bonus if bonus and len(text) == tiles.rack_size else 0
    return WordScore(
        letters=text,
        values=score.values,
        multipliers=score.multipliers,
        word_multiplier=score.multiplier,
        bonus=earned,
        score=score.points + earned,
    )


def _on_board(laid: list[str], tiles: TileSet, place: str) -> Scored:
    """Return how a word scores on the empty board. Raises `NotationError` if it does not fit."""
    board = board_of(tiles.board)
    start, across = parse_place(place, board)
    word = tuple((start.next(across, step), tile) for step, tile in enumerate(laid))
    before = start.column if across else start.row
    room = board.size - before
    if not 2 <= len(laid) <= room:
        limit = f"and from there the board has {counted(room, 'square')}"
        what = f"{quote(''.join(laid))} does not fit at {place}"
        raise NotationError(f"{what}: expected 2 letters or more, {limit}")
    return scored(board, {}, word, tiles)


def tiles_of_distribution(distribution: str) -> TileSet:
    """Return a tile set with the values of a distribution.

    It is 26 scores of the letters a to z: 1 to 9, or X for 10.

    Raises:
        NotationError: The distribution cannot be read.
    """
    what = f"the distribution {quote(distribution)}"
    if len(distribution) != len(ascii_uppercase):
        raise NotationError(f"{what} has {len(distribution)} scores: expected 26")
    values: dict[str, int] = {}
    for letter, score in zip(ascii_uppercase, distribution.upper(), strict=False):
        if score not in _SCORES:
            where = f"{quote(score)} at place {len(values) + 1} of {what}"
            raise NotationError(f"{where} is not a score: expected 1 to 9 or X")
        values[letter] = _SCORES.index(score) + 1
    return TileSet("english", values)


def read_word(word: str, tiles: TileSet) -> tuple[list[str], list[int]]:
    """Return the tiles of a word in notation, and their multipliers.

    Letters that form one tile of the set are joined.

    Raises:
        NotationError: The word cannot be read.
    """
    longest_first = sorted(map(re.escape, tiles.values), key=len, reverse=True)
    one_tile = re.compile("|".join([*longest_first, "."]), re.IGNORECASE | re.DOTALL)
    text: list[str] = []
    multipliers: list[int] = []
    for part in _GROUP.finditer(word):
        if part.lastindex is None:
            expected = "expected [ ] or ( ) around letters, closed, and not inside other brackets"
            where = f"at place {part.start() + 1} of {quote(word)}"
            raise NotationError(f"{part[0]!r} {where}: {expected}")
        found = one_tile.findall(part[part.lastindex])
        text += found
        multipliers += [_MULTIPLIERS[part.lastindex]] * len(found)
    if not text:
        raise NotationError(f"{quote(word)} has no letters: expected a word such as e[q]u(i)n[o]x")
    for tile in text:
        # some letters of other alphabets have a capital of this one
        capital = tiles.spelling.upper(tile)
        is_of_set = capital in tiles.values and tile in (capital, tiles.spelling.lower(capital))
        if tile != BLANK and not is_of_set:
            what = f"{quote(tile)} of {quote(word)} is no tile of the {tiles.name} set"
            raise NotationError(f"{what}: expected its letters, ?, [ ] or ( )")
    if not tiles.are_right(text):
        what = f"{quote(word)} multiplies a part of a {tiles.name} tile"
        raise NotationError(f"{what}: expected all its letters in the brackets")
    return text, multipliers
