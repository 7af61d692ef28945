"""Decides whether a row-draw answer is valid, and what it scores.

No verdict on an answer comes from another file.

    python verify/core.py PUZZLE.toml WORDS.txt ANSWER.txt

The rules: a row of tiles lies on the table. In each turn the player draws tiles from the two ends
of the row until the rack is full or the row is empty, `left` of them from the left end and the
others from the right end, and then plays a word of the list. The tile in position i scores i x its
value; a play of a full rack scores the bonus. A blank, `?`, stands for any letter. The game ends
when the player stops.
"""

import re
import sys
import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

BLANK = "?"
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_SMALL = str.maketrans(_LETTERS.upper(), _LETTERS)
_TILES = frozenset(_LETTERS) | {BLANK}


class ImpossibleError(ValueError):
    """A rule that no puzzle can have. rule: its name in a puzzle file."""

    def __init__(self, rule: str, message: str) -> None:
        super().__init__(message)
        self.rule = rule


@dataclass(frozen=True)
class Puzzle:
    """The rules of a game.

    values: the value of each tile, 0 if it has none. bonus: the points for a play of a full rack.
    """

    row: str
    rack_size: int
    values: Mapping[str, int]
    words: frozenset[str] = field(repr=False)
    bonus: int = 0

    def __post_init__(self) -> None:
        """Raise `ImpossibleError` unless a puzzle can have these rules."""
        if not isinstance(self.row, str):
            raise ImpossibleError("row", f"row = {_quote(self.row)}: expected a string of tiles")
        if not 1 <= len(self.row) <= 10_000:
            raise ImpossibleError("row", f"row has {len(self.row)} tiles: expected 1 to 10,000")
        for place, tile in enumerate(self.row, start=1):
            if tile not in _TILES:
                strange = f"row = {_quote(self.row)}: {tile!r} at place {place} is not a tile"
                raise ImpossibleError("row", f"{strange}: expected a to z and ? for a blank")
        require_whole("rack", "rack", self.rack_size, 2, 15)
        require_whole("bonus", "bonus", self.bonus, 0, 10_000)
        if not isinstance(self.values, Mapping):
            expected = "expected a table of letter = value"
            raise ImpossibleError("values", f"values = {_quote(self.values)}: {expected}")
        for tile, value in self.values.items():
            if tile not in _TILES:
                expected = 'expected a to z, or "?" for a blank'
                raise ImpossibleError("values", f"values: {_quote(tile)} is not a tile: {expected}")
            require_whole("values", f"values: {tile}", value, 0, 1000)


def require_whole(rule: str, named: str, number: object, least: int, most: int) -> None:
    """Raise `ImpossibleError` unless a number, as `named` in the message, is within its limits."""
    if type(number) is not int or not least <= number <= most:
        expected = f"expected a whole number from {least} to {most:,}"
        raise ImpossibleError(rule, f"{named} = {_quote(number)}: {expected}")


@dataclass(frozen=True)
class Turn:
    """A turn as it is written, in small letters.

    count: the left draws, or a line that is no turn, without play and word.
    """

    line: int
    count: str
    play: str
    word: str


class Position(NamedTuple):
    """A game between two turns: the rest of the row, and the leave."""

    row: str
    leave: str = ""


@dataclass(frozen=True)
class Fault:
    """A fault of an answer. code: its kind. message: what is wrong, and what was expected."""

    line: int
    code: str
    message: str


@dataclass(frozen=True)
class Played(Turn):
    """A turn with its faults.

    after: the position after it; None where its draws or its tiles are at fault.
    """

    score: int
    faults: list[Fault]
    after: Position | None = None
    row: str = ""  # before the draw; empty where a fault hides it, as are the next three
    left: str = ""  # the tiles drawn from the left end
    right: str = ""
    rack: str = ""  # all tiles after the draw
    total: int = 0  # the points so far


def play(puzzle: Puzzle, at: Position | None, turn: Turn, total: int = 0) -> Played:
    """Judge a turn.

    at: the position before it; None after a fault of draws or tiles. total: the points before it.
    """
    count, tiles, word = turn.count, turn.play, turn.word
    if not tiles:
        malformed = (
            f"{_quote(count)}: expected left draws, tiles and word, such as '6 s?l?mnize solemnize'"
        )
        return Played(
            **vars(turn),
            score=0,
            faults=[Fault(turn.line, "malformed-line", malformed)],
            total=total,
        )
    faults: list[tuple[str, str]] = []
    after = None
    row = left = right = rack = ""
    if not re.fullmatch("[0-9]{1,9}", count):
        faults.append(
            (
                "bad-left-count",
                f"left draws {_quote(count)}: expected a whole number in plain digits, 0 or more",
            )
        )
    elif at == ("", ""):
        faults.append(
            ("after-end", f"{_quote(word)} comes after the end of the game: row and rack are empty")
        )
    elif at is not None:
        drawn = min(puzzle.rack_size - len(at.leave), len(at.row))
        begin, end = int(count), len(at.row) - drawn + int(count)
        if begin > drawn:
            room = (
                f"the rack holds {len(at.leave)} of {puzzle.rack_size} tiles, the row {len(at.row)}"
            )
            faults.append(
                ("too-many-draws", f"{begin} left draws, but {room}: expected at most {drawn}")
            )
        else:
            row, left, right = at.row, at.row[:begin], at.row[end:]
            rack = at.leave + left + right
            if lacking := "".join(sorted((Counter(tiles) - Counter(rack)).elements())):
                holds = f"the rack {''.join(sorted(rack))!r} holds"
                faults.append(
                    ("not-on-rack", f"{_quote(tiles)} needs {_quote(lacking)} more than {holds}")
                )
            else:
                after = Position(
                    row[begin:end], "".join((Counter(rack) - Counter(tiles)).elements())
                )
    if len(tiles) != len(word) or any(
        tile not in (letter, BLANK) for tile, letter in zip(tiles, word, strict=True)
    ):
        faults.append(("play-word-mismatch", f"play {_quote(tiles)} does not spell {_quote(word)}"))
    if word not in puzzle.words:
        faults.append(("unknown-word", f"{_quote(word)} is not in the word list"))
    found = [Fault(turn.line, code, message) for code, message in faults]
    points = score(puzzle, tiles)
    return Played(
        turn.line, count, tiles, word, points, found, after, row, left, right, rack, total + points
    )


def score(puzzle: Puzzle, tiles: str) -> int:
    """Return the points of a play."""
    points = sum(place * puzzle.values.get(tile, 0) for place, tile in enumerate(tiles, start=1))
    return points + (puzzle.bonus if len(tiles) == puzzle.rack_size else 0)


def replay(puzzle: Puzzle, turns: Iterable[Turn]) -> list[Played]:
    """Play the turns of an answer.

    After a fault of draws or tiles only the words of the later turns are checked.
    """
    played: list[Played] = []
    at: Position | None = Position(puzzle.row)
    for turn in turns:
        total = played[-1].total if played else 0
        played.append(play(puzzle, at, turn, total))
        at = played[-1].after
    return played


def is_valid(played: list[Played]) -> bool:
    """Whether an answer is valid: it has a turn, and no turn has a fault."""
    return bool(played) and not any(turn.faults for turn in played)


def turns_of(answer: str) -> list[Turn]:
    """Read the challenge's format: a turn in each line, such as `6 s?l?mnize solemnize`.

    A line that begins with # is a comment.
    """
    lines = answer.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    found = [(number, line.strip().translate(_SMALL)) for number, line in enumerate(lines, start=1)]
    fields = [
        (number, line, line.split(None, 3))
        for number, line in found
        if line and not line.startswith("#")
    ]
    return [
        Turn(number, *three) if len(three) == 3 else Turn(number, line, "", "")
        for number, line, three in fields
    ]


def words_of(text: str) -> frozenset[str]:
    """Read a word list: a word is a line of letters a to z."""
    lines = map(str.strip, text.translate(_SMALL).split("\n"))
    return frozenset(line for line in lines if line.isascii() and line.isalpha())


def _quote(value: object) -> str:
    if isinstance(value, str) and len(value) > 60:
        return f"{value[:57]!r}..."
    return repr(value)[:200]


def main(puzzle: str, words: str, answer: str) -> str | int:
    """Print the score of an answer. Returns its faults, or 0 for none."""
    fields: dict[str, Any] = tomllib.loads(Path(puzzle).read_text("utf-8"))
    values = fields.get("values", "english")
    if isinstance(values, str):
        tiles = Path(__file__).parents[1] / "data" / "tiles" / Path(f"{values}.toml").name
        values = tomllib.loads(tiles.read_text("utf-8"))["values"]
    listed = words_of(Path(words).read_bytes().decode("utf-8-sig"))
    row: Any = fields.get("row")
    rules = Puzzle(
        row=row.translate(_SMALL) if isinstance(row, str) else row,
        rack_size=fields.get("rack", 10),
        values=values,
        words=listed,
        bonus=fields.get("bonus", 0),
    )
    played = replay(rules, turns_of(Path(answer).read_text("utf-8", "replace")))
    if is_valid(played):
        print(f"valid, {played[-1].total} points in {len(played)} turns")
        return 0
    return (
        "\n".join(f"line {fault.line}: {fault.message}" for turn in played for fault in turn.faults)
        or "no turn"
    )


if __name__ == "__main__":
    try:
        sys.exit(main(*sys.argv[1:]) if len(sys.argv) == 4 else __doc__)
    except ImpossibleError as error:
        sys.exit(f"{sys.argv[1]}: {error}")
    except (OSError, ValueError, KeyError) as error:
        sys.exit(f"{error}: expected the files of a puzzle, of a word list and of an answer")
