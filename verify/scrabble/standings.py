"""The standings of a tournament: wins and point spreads of the players of many games."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from verify.scrabble.judge import GameVerdict
from verify.text import counted, csv_text, printable

CSV_COLUMNS = ("place", "player", "games", "won", "lost", "tied", "spread", "points", "bingos", "phonies")
_LONGEST_NAME = 40  # characters shown of a name in a terminal


@dataclass
class Standing:
    """The results of one player.

    Attributes:
        player: The full name.
        won: Games won.
        lost: Games lost.
        tied: Games tied.
        spread: The sum over all games of the player's total minus that of the best opponent.
        points: The sum of the player's totals.
        bingos: Plays of a full rack.
        phonies: Plays with words that are not in the list.
    """

    player: str
    won: int = 0
    lost: int = 0
    tied: int = 0
    spread: int = 0
    points: int = 0
    bingos: int = 0
    phonies: int = 0

    @property
    def games(self) -> int:
        """The number of games counted."""
        return self.won + self.lost + self.tied

    @property
    def wins(self) -> Fraction:
        """The games won; a tie counts as half a win."""
        return self.won + Fraction(self.tied, 2)


@dataclass
class Standings:
    """The standings after the games added so far.

    Attributes:
        games: The number of games counted.
        others: The games not counted, each with the reason.
    """

    games: int = 0
    others: list[str] = field(default_factory=list)
    _players: dict[str, Standing] = field(default_factory=dict)

    def add(self, verdict: GameVerdict) -> None:
        """Count a game if it is valid and finished."""
        if not verdict.valid:
            fault = next(iter(verdict.violations))
            self.others.append(f"{verdict.file}: line {fault.line}: {fault.code}: {fault.message}")
            return
        if not verdict.finished or len(verdict.totals) < 2:
            why = "it is over, but the tiles left are not counted" if verdict.uncounted else "it is not finished"
            self.others.append(f"{verdict.file}: {why}")
            return
        self.games += 1
        for nick, total in verdict.totals.items():
            name = " ".join(verdict.names.get(nick, nick).split()) or nick
            standing = self._players.setdefault(name, Standing(name))
            best = max(other for who, other in verdict.totals.items() if who != nick)
            standing.won += total > best
            standing.lost += total < best
            standing.tied += total == best
            standing.spread += total - best
            standing.points += total
            standing.bingos += verdict.bingos.get(nick, 0)
            standing.phonies += sum(phony.player == nick for phony in verdict.phonies)

    def ranked(self) -> Iterator[tuple[int, Standing]]:
        """Yield place and player, by games won and then by spread; players equal in both share a place."""
        order = sorted(self._players.values(), key=lambda one: (-one.wins, -one.spread, one.player))
        place, before = 0, None
        for number, standing in enumerate(order, start=1):
            if (standing.wins, standing.spread) != before:
                place, before = number, (standing.wins, standing.spread)
            yield place, standing


def rows_of(standings: Standings) -> list[list[str]]:
    """Return the cells of the table, in the order of `CSV_COLUMNS`."""
    return [
        [
            str(place),
            printable(one.player),
            *(str(number) for number in (one.games, one.won, one.lost, one.tied)),
            f"{one.spread:+d}",
            *(str(number) for number in (one.points, one.bingos, one.phonies)),
        ]
        for place, one in standings.ranked()
    ]


def heading_of(standings: Standings) -> str:
    """Return a heading with the number of games counted and of games not counted."""
    count, others = standings.games, len(standings.others)
    heading = counted(count, "game", grouped=True)
    return f"{heading}, {others:,} more not counted" if others else heading


def standings_text(standings: Standings) -> str:
    """Return the table for a terminal."""
    rows = [[*row[:1], row[1][:_LONGEST_NAME], *row[2:]] for row in rows_of(standings)]
    table = [list(CSV_COLUMNS), *rows]
    widths = [max(len(row[column]) for row in table) for column in range(len(CSV_COLUMNS))]
    lines = [f"tournament: {heading_of(standings)}"]
    for row in table if rows else []:
        cells = [
            f"{cell:{width}}" if column == 1 else f"{cell:>{width}}"
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append("  ".join(cells).rstrip())
    lines += [f"not counted: {printable(other)}" for other in standings.others]
    return "".join(f"{line}\n" for line in lines)


def standings_csv(standings: Standings) -> str:
    """Return the table as comma-separated values."""
    return csv_text([CSV_COLUMNS, *rows_of(standings)])


def standings_json(standings: Standings) -> dict[str, Any]:
    """Return the table as plain values."""
    return {
        "games": standings.games,
        "not_counted": list(standings.others),
        "players": [
            {"place": place, **vars(one), "games": one.games, "wins": float(one.wins)} for place, one in standings.ranked()
        ],
    }
