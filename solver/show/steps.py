"""A game for pages and pictures: the place of every tile of the row, turn by turn."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from solver.model.statement import Statement
from verify import Replay, Rules, Verdict, Violation
from verify.replay.rules import BLANK
from verify.text import printable


@dataclass(frozen=True)
class PlayedTile:
    """A tile of a play. `place` is its place in the row, from 0; None if the tile was not on the rack."""

    tile: str
    letter: str
    value: int
    position: int
    place: int | None

    @property
    def points(self) -> int:
        """Its points at its position."""
        return self.position * self.value


@dataclass(frozen=True)
class GameTurn:
    """One turn.

    Attributes:
        left: The places in the row of the tiles drawn from the left.
        right: Of those drawn from the right.
        held: Of the tiles on the rack before the draw.
        leave: Of the tiles kept after the play.
        bonus: The points of the play for its number of tiles.
    """

    line: int
    left: tuple[int, ...]
    right: tuple[int, ...]
    held: tuple[int, ...]
    leave: tuple[int, ...]
    play: tuple[PlayedTile, ...]
    word: str
    bonus: int
    score: int
    total: int
    violations: tuple[Violation, ...]

    @property
    def tiles(self) -> str:
        """The tiles of the play, with `?` for a blank."""
        return "".join(tile.tile for tile in self.play)

    @property
    def line_text(self) -> str:
        """The turn as a line of an answer."""
        return f"{len(self.left)} {self.tiles} {self.word}"

    @property
    def sum_text(self) -> str:
        """The score as a sum over the letters, see `sum_text`."""
        return sum_text((tile.value for tile in self.play), self.bonus)

    @property
    def rack(self) -> tuple[int, ...]:
        """The places of the rack before the play, those held first."""
        return self.held + self.left + self.right


@dataclass(frozen=True)
class Game:
    """A game in the form in which it is shown.

    Attributes:
        faults: The number of faults, in words.
        first: The first fault that follows from no other.
        violations: The faults that belong to no turn.
        statement: The rules, as the answer states them in every form.
    """

    file: str
    puzzle: str
    row: str
    values: tuple[int, ...]
    score: int
    valid: bool
    faults: str
    first: Violation | None
    turns: tuple[GameTurn, ...]
    violations: tuple[Violation, ...]
    statement: Statement

    @property
    def comments(self) -> str:
        """The comments with which the answer states its rules, a line each."""
        return self.statement.comments()

    @property
    def drawn_by(self) -> dict[int, tuple[int, str]]:
        """The number of the turn, from 1, that drew the tile at a place, and the side."""
        drawn: dict[int, tuple[int, str]] = {}
        for number, turn in enumerate(self.turns, start=1):
            drawn |= dict.fromkeys(turn.left, (number, "left")) | dict.fromkeys(turn.right, (number, "right"))
        return drawn

    def rack(self, turn: GameTurn) -> str:
        """Return the tiles of the rack before the play of `turn`, in the order of the alphabet."""
        return "".join(sorted(self.row[place] for place in turn.rack))

    def as_dict(self) -> dict[str, object]:
        """Return the game as plain values, for the script of a page."""
        return {name: value for name, value in asdict(self).items() if name != "statement"}


def sum_text(values: Iterable[int], bonus: int = 0) -> str:
    """Return the score of adjacent tiles as `1×1 + 0 + 3×1`, position times value, or 0 for a value of 0, then the bonus."""
    placed = [f"{position}×{value}" if value else "0" for position, value in enumerate(values, start=1)]
    return " + ".join([*placed, str(bonus)] if bonus else placed)


def make_game(verdict: Verdict, rules: Rules, statement: Statement | None = None) -> Game:
    """Return the game of a verdict. `statement` is what its answer states; None for the statement of `rules`."""
    start, stop = 0, len(rules.row)
    held: tuple[int, ...] = ()
    turns = []
    unplaced = list(verdict.violations)
    for replay in verdict.turns:
        left = tuple(range(start, start + len(replay.left)))
        right = tuple(range(stop - len(replay.right), stop))
        start, stop = start + len(replay.left), stop - len(replay.right)
        play, leave = _lay_down(replay, rules, held + left + right)
        here = tuple(fault for fault in unplaced if fault.line == replay.line)
        unplaced = [fault for fault in unplaced if fault.line != replay.line]
        word, bonus = printable(replay.word), rules.bonus_of(replay.play)
        turns.append(GameTurn(replay.line, left, right, held, leave, play, word, bonus, replay.score, replay.total, here))
        held = leave
    values = tuple(rules.values.get(tile, 0) for tile in rules.row)
    file, puzzle = printable(Path(verdict.file).name), printable(verdict.puzzle)
    faults = str(verdict.faults), next(iter(verdict.faults.independent), None)
    stated = statement or Statement.of_rules(rules)
    return Game(file, puzzle, rules.row, values, verdict.score, verdict.valid, *faults, tuple(turns), tuple(unplaced), stated)


def _lay_down(replay: Replay, rules: Rules, rack: Sequence[int]) -> tuple[tuple[PlayedTile, ...], tuple[int, ...]]:
    """Return the tiles of a play with their places, and the places that stay on the rack."""
    left = list(rack)
    play = []
    for position, tile in enumerate(replay.play, start=1):
        place = next((place for place in left if rules.row[place] == tile), None)
        if place is not None:
            left.remove(place)
        letter = replay.word[position - 1] if tile == BLANK and position <= len(replay.word) else tile
        play.append(PlayedTile(printable(tile), printable(letter), rules.values.get(tile, 0), position, place))
    return tuple(play), tuple(left)
