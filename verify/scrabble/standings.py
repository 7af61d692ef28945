"""The standings of a tournament: wins and point spreads of the players of many games."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from verify.report import Sheet
from verify.rules import RulesError
from verify.scrabble.judge import GameVerdict
from verify.scrabble.tables import toml_file
from verify.text import counted, printable, quote

COLUMNS = (
    "place",
    "player",
    "games",
    "won",
    "lost",
    "tied",
    "spread",
    "points",
    "bingos",
    "phonies",
)


@dataclass
class Standings:
    """The standings after the games added so far.

    Attributes:
        aliases: The name of the player for each other spelling, which is in small letters.
        games: The number of games counted.
        others: The games not counted, each with the reason.
    """

    aliases: Mapping[str, str] = field(default_factory=dict)
    games: int = 0
    others: list[str] = field(default_factory=list)
    _players: dict[str, tuple[str, Counter[str]]] = field(
        default_factory=dict
    )  # by name in small letters, sums of columns
    _files: dict[tuple[object, ...], str] = field(default_factory=dict)  # of the games counted

    def add(self, verdict: GameVerdict) -> None:
        """Count a game if it is valid and finished, and was not counted before."""
        if not verdict.valid:
            fault = next(iter(verdict.violations))
            self.others.append(f"{verdict.file}: line {fault.line}: {fault.code}: {fault.message}")
            return
        if not verdict.finished or len(verdict.totals) < 2:
            why = (
                "it is over, but the tiles left are not counted"
                if verdict.uncounted
                else "it is not finished"
            )
            self.others.append(f"{verdict.file}: {why}")
            return
        events = (step.event for step in verdict.steps)
        moves = tuple(
            (event.player, event.kind, event.place, event.tiles, event.score) for event in events
        )
        first = self._files.setdefault(moves, verdict.file)
        if first != verdict.file:
            self.others.append(f"{verdict.file}: it is the same game as {first}")
            return
        self.games += 1
        for nick, total in verdict.totals.items():
            name = " ".join(verdict.names.get(nick, nick).split()) or nick
            name = self.aliases.get(name.casefold(), name)
            best = max(other for who, other in verdict.totals.items() if who != nick)
            results = {
                "games": 1,
                "won": total > best,
                "lost": total < best,
                "tied": total == best,
                "spread": total - best,
                "points": total,
                "bingos": verdict.bingos.get(nick, 0),
                "phonies": sum(phony.player == nick for phony in verdict.phonies),
            }
            _name, sums = self._players.setdefault(name.casefold(), (name, Counter()))
            for column, number in results.items():
                sums[column] += number

    def rows(self) -> list[dict[str, Any]]:
        """Return the value of each column for each player, by games won and then by spread; equal players share a place.

        A tie counts as half a win. The spread is the sum over all games of the player's total minus that of the best opponent.
        """
        wins = [
            (name, sums, sums["won"] + sums["tied"] / 2) for name, sums in self._players.values()
        ]
        players: list[dict[str, Any]] = [
            {"player": name, **sums, "wins": won} for name, sums, won in wins
        ]
        players.sort(key=lambda one: (-one["wins"], -one["spread"], one["player"]))
        places: dict[tuple[float, int], int] = {}
        ranked = enumerate(players, start=1)
        return [
            {"place": places.setdefault((one["wins"], one["spread"]), number), **one}
            for number, one in ranked
        ]

    def as_json(self) -> dict[str, Any]:
        """Return the table as plain values."""
        return {"games": self.games, "not_counted": list(self.others), "players": self.rows()}

    def sheet(self) -> Sheet:
        """Return the table for a person."""
        rows = [
            [
                f"{row[column]:+d}" if column == "spread" else printable(str(row[column]))
                for column in COLUMNS
            ]
            for row in self.rows()
        ]
        others = [printable(other) for other in self.others]
        more = f", {len(others):,} more not counted" if others else ""
        return Sheet(
            "tournament",
            counted(self.games, "game", grouped=True) + more,
            COLUMNS,
            rows,
            others,
            "not counted",
        )


def read_aliases(file: str) -> dict[str, str]:
    """Return the aliases in a TOML file with lines such as `"Ann Lee" = ["A. Lee", "al"]`. Raises `RulesError`."""
    names = toml_file(Path(file), "the list of aliases")
    for name, others in names.items():
        if not isinstance(others, list) or not all(isinstance(other, str) for other in others):
            raise RulesError(
                f"{file}: {quote(name)}: expected a list of other names, such as ['A. Lee', 'al']"
            )
    return {other.casefold(): name for name, others in names.items() for other in [name, *others]}
