"""A game as the pages and pictures show it: which tile of the row is where, turn by turn."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from verify import Replay, Rules, Verdict, Violation
from verify.rules import BLANK
from verify.text import printable


@dataclass(frozen=True)
class PlayedTile:
    """A tile as laid down: `place` is its place in the row, from 0; None where it was not on the rack."""

    tile: str
    letter: str
    value: int
    position: int
    place: int | None

    @property
    def points(self) -> int:
        """What the tile scores there."""
        return self.position * self.value


@dataclass(frozen=True)
class GameTurn:
    """One turn. left, right, held and leave are places in the row: drawn now, on the rack before, and kept."""

    line: int
    left: tuple[int, ...]
    right: tuple[int, ...]
    held: tuple[int, ...]
    leave: tuple[int, ...]
    play: tuple[PlayedTile, ...]
    word: str
    score: int
    total: int
    violations: tuple[Violation, ...]

    @property
    def rack(self) -> tuple[int, ...]:
        """The rack before the play: what was held, then what was drawn."""
        return self.held + self.left + self.right


@dataclass(frozen=True)
class Game:
    """A game ready to be shown.

    faults, first: how many there are, in words, and the first one that stands for itself.
    violations: those that belong to no turn.
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

    @property
    def drawn_by(self) -> dict[int, tuple[int, str]]:
        """For each drawn tile's place the number of its turn, from 1, and the side it was drawn from."""
        found: dict[int, tuple[int, str]] = {}
        for number, turn in enumerate(self.turns, start=1):
            found |= dict.fromkeys(turn.left, (number, "left"))
            found |= dict.fromkeys(turn.right, (number, "right"))
        return found

    def as_dict(self) -> dict[str, object]:
        """Plain values for a page's script."""
        return asdict(self)


def make_game(verdict: Verdict, rules: Rules) -> Game:
    """The game that `verdict` was given on."""
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
        word = printable(replay.word)
        turns.append(GameTurn(replay.line, left, right, held, leave, play, word, replay.score, replay.total, here))
        held = leave
    values = tuple(rules.values.get(tile, 0) for tile in rules.row)
    file, puzzle = printable(Path(verdict.file).name), printable(verdict.puzzle)
    faults, first = str(verdict.faults), next(iter(verdict.faults.independent), None)
    return Game(
        file, puzzle, rules.row, values, verdict.score, verdict.valid, faults, first, tuple(turns), tuple(unplaced)
    )  # fmt: skip


def _lay_down(replay: Replay, rules: Rules, rack: Sequence[int]) -> tuple[tuple[PlayedTile, ...], tuple[int, ...]]:
    """The tiles of a play with their places, and the places that stay on the rack."""
    left = list(rack)
    play = []
    for position, tile in enumerate(replay.play, start=1):
        place = next((place for place in left if rules.row[place] == tile), None)
        if place is not None:
            left.remove(place)
        letter = replay.word[position - 1] if tile == BLANK and position <= len(replay.word) else tile
        play.append(PlayedTile(printable(tile), printable(letter), rules.values.get(tile, 0), position, place))
    return tuple(play), tuple(left)
