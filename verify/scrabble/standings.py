"""The standings of a tournament: wins and point spreads of the players of many games."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from operator import attrgetter
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
_MOVE = attrgetter("player", "kind", "place", "tiles", "score")


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
    # by name in small letters, sums of columns
    _players: dict[str, tuple[str, Counter[str]]] = field(default_factory=dict)
    _files: dict[tuple[object, ...], str] = field(default_factory=dict)  # of the games counted

    def add(self, verdict: GameVerdict) -> None:
        """Count a game if it is valid and finished, and was not counted before."""
        why = ""
        if not verdict.valid:
            fault = verdict.violations[0]
            why = f"line {fault.line}: {fault.code}: {fault.message}"
        elif verdict.uncounted:
            why = "it is over, but the tiles left are not counted"
        elif not verdict.finished or len(verdict.totals) < 2:
            why = "it is not finished"
        else:
            moves = tuple(_MOVE(step.event) for step in verdict.steps)
            first = self._files.setdefault(moves, verdict.file)
            if first != verdict.file:
                why = f"it is the same game as {first}"
        if why:
            self.others.append(f"{verdict.file}: {why}")
            return
        self.games += 1
        for nick, total in verdict.totals.items():
            name = " ".join(verdict.names.get(nick, nick).split()) or nick
            name = self.aliases.get(name.casefold(), name)
            best = max(other for who, other in verdict.totals.items() if who != nick)
            _name, sums = self._players.setdefault(name.casefold(), (name, Counter()))
            sums["games"] += 1
            sums["won"] += total > best
            sums["lost"] += total < best
            sums["tied"] += total == best
            sums["spread"] += total - best
            sums["points"] += total
            sums["bingos"] += verdict.bingos.get(nick, 0)
            sums["phonies"] += sum(phony.player == nick for phony in verdict.phonies)

    def rows(self) -> list[dict[str, Any]]:
        """Return the value of each column for each player, by games won and then by spread.

        Equal players share a place. A tie counts as half a win. The spread is the sum over all
        games of the player's total minus that of the best opponent.
        """
        players: list[dict[str, Any]] = []
        for name, sums in self._players.values():
            players.append({"player": name, **sums, "wins": sums["won"] + sums["tied"] / 2})
        players.sort(key=lambda row: (-row["wins"], -row["spread"], row["player"]))
        places: dict[tuple[float, int], int] = {}
        rows = []
        for number, row in enumerate(players, start=1):
            place = places.setdefault((row["wins"], row["spread"]), number)
            rows.append({"place": place, **row})
        return rows

    def as_json(self) -> dict[str, Any]:
        """Return the table as plain values."""
        return {"games": self.games, "not_counted": list(self.others), "players": self.rows()}

    def sheet(self) -> Sheet:
        """Return the table for a person."""
        rows = []
        for row in self.rows():
            shown = {**row, "spread": f"{row['spread']:+d}"}
            rows.append([printable(str(shown[column])) for column in COLUMNS])
        others = [*map(printable, self.others)]
        title = counted(self.games, "game", grouped=True)
        if others:
            title += f", {len(others):,} more not counted"
        return Sheet("tournament", title, COLUMNS, rows, others, "not counted")


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
