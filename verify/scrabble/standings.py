"""The standings of a tournament: wins and point spreads of the players of many games."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from verify.report import Sheet
from verify.rules import RulesError
from verify.scrabble.gcg import Kind
from verify.scrabble.judge import GameVerdict
from verify.scrabble.tables import toml_file
from verify.text import counted, printable, quote

# the columns of the table; all but the first four are sums, or the highest of all games
COLUMNS = (
    "place",
    "player",
    "wins",
    "games",
    "won",
    "lost",
    "tied",
    "spread",
    "points",
    "bingos",
    "phonies",
    "high game",
    "high play",
)
_HIGHEST = ("high game", "high play")


class _Counted(NamedTuple):
    """A game that counts: its file, and by player the name and the sums for the table."""

    file: str
    players: list[tuple[str, Counter[str]]]


class NotCounted(NamedTuple):
    """A game that does not count, and why. kind: empty for one with a fault or without an end."""

    file: str
    kind: str
    why: str


@dataclass
class Standings:
    """The standings after the games added so far.

    Attributes:
        aliases: The name of the player for each other spelling, which is in small letters.
    """

    aliases: Mapping[str, str] = field(default_factory=dict)
    _refused: list[NotCounted] = field(default_factory=list)
    # by the seats and moves of a game, its copies
    _games: dict[tuple[object, ...], list[_Counted]] = field(default_factory=dict)

    def add(self, verdict: GameVerdict) -> None:
        """Count a game if it is valid and finished, and was not counted before."""
        kind = why = ""
        seats = list(verdict.totals)
        names = [self._name(verdict, nick) for nick in seats]
        if not verdict.valid:
            fault = verdict.violations[0]
            why = f"line {fault.line}: {fault.code}: {fault.message}"
        elif verdict.uncounted:
            kind = "uncounted"
            why = f"it is over, but the tiles left are not counted: {verdict.uncounted}"
        elif not verdict.finished or len(seats) < 2:
            why = "it is not finished"
        elif len(set(map(str.casefold, names))) < len(names):
            kind = "one-name"
            why = f"{' and '.join(names)}: expected different names"
        if why:
            self._refused.append(NotCounted(verdict.file, kind, why))
            return
        moves = []
        for step in verdict.steps:
            event = step.event
            what: object = "".join(sorted(event.tiles))
            if step.placed is not None:
                # tiles that are already on the board may be written in several ways
                what = frozenset(step.placed.new.items())
            moves.append((seats.index(event.player), event.kind, what, event.score))
        sums = [_sums(verdict, nick) for nick in seats]
        players = list(zip(names, sums, strict=True))
        self._games.setdefault(tuple(moves), []).append(_Counted(verdict.file, players))

    def _name(self, verdict: GameVerdict, nick: str) -> str:
        name = " ".join(verdict.names.get(nick, nick).split()) or nick
        return self.aliases.get(name.casefold(), name)

    @property
    def games(self) -> int:
        """The number of games counted."""
        return len(self._games)

    @property
    def others(self) -> list[NotCounted]:
        """The games not counted."""
        others = list(self._refused)
        for copies in self._games.values():
            first = _original(copies)
            why = f"it is the same game as {first.file}"
            others += [NotCounted(copy.file, "copy", why) for copy in copies if copy is not first]
        return others

    @property
    def _reasons(self) -> list[str]:
        return [f"{file}: {why}" for file, _kind, why in self.others]

    def rows(self) -> list[dict[str, Any]]:
        """Return the value of each column for each player, by games won and then by spread.

        Equal players share a place. A tie counts as half a win. The spread is the sum over all
        games of the player's total minus that of the best opponent.
        """
        players: dict[str, dict[str, Any]] = {}
        for copies in self._games.values():
            for name, sums in _original(copies).players:
                row = players.setdefault(name.casefold(), {"player": name, "wins": 0.0})
                row["wins"] += sums["won"] + sums["tied"] / 2
                for column, value in sums.items():
                    both = (row.get(column, 0), value)
                    row[column] = max(both) if column in _HIGHEST else sum(both)
        ranked = sorted(
            players.values(), key=lambda row: (-row["wins"], -row["spread"], row["player"])
        )
        places: dict[tuple[float, int], int] = {}
        for number, row in enumerate(ranked, start=1):
            row["place"] = places.setdefault((row["wins"], row["spread"]), number)
        return ranked

    def as_json(self) -> dict[str, Any]:
        """Return the table as plain values."""
        return {"games": self.games, "not_counted": self._reasons, "players": self.rows()}

    def sheet(self) -> Sheet:
        """Return the table for a person."""
        rows = []
        for row in self.rows():
            shown = {**row, "spread": f"{row['spread']:+d}", "wins": f"{row['wins']:g}"}
            rows.append([printable(str(shown[column])) for column in COLUMNS])
        others = [*map(printable, self._reasons)]
        title = counted(self.games, "game", grouped=True)
        if others:
            title += f", {len(others):,} more not counted"
        return Sheet("tournament", title, COLUMNS, rows, others, "not counted")


def _sums(verdict: GameVerdict, nick: str) -> Counter[str]:
    """Return what a game adds to the columns of a player."""
    total = verdict.totals[nick]
    best = max(other for who, other in verdict.totals.items() if who != nick)
    plays = [0]
    for step in verdict.steps:
        if step.event.player == nick and step.event.kind is Kind.PLAY:
            plays.append(step.score)
        elif step.event.player == nick and step.event.kind is Kind.WITHDRAWN:
            plays.pop()
    return Counter(
        {
            "games": 1,
            "won": int(total > best),
            "lost": int(total < best),
            "tied": int(total == best),
            "spread": total - best,
            "points": total,
            "bingos": verdict.bingos.get(nick, 0),
            "phonies": sum(phony.player == nick for phony in verdict.phonies),
            "high game": total,
            "high play": max(plays),
        }
    )


def _original(copies: Sequence[_Counted]) -> _Counted:
    """Return the game that counts of some files: the one of the shortest name."""
    return min(copies, key=lambda game: (len(game.file), game.file))


def read_aliases(file: str) -> dict[str, str]:
    """Return the aliases in a TOML file with lines such as `"Ann Lee" = ["A. Lee", "al"]`.

    Raises `RulesError`.
    """
    names = toml_file(Path(file), "the list of aliases")
    for name, others in names.items():
        if not isinstance(others, list) or not all(isinstance(other, str) for other in others):
            raise RulesError(
                f"{file}: {quote(name)}: expected a list of other names, such as ['A. Lee', 'al']"
            )
    return {other.casefold(): name for name, others in names.items() for other in [name, *others]}
