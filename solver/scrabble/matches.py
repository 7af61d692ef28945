"""The result of many games between two bots."""

from dataclasses import dataclass, field
from statistics import mean, stdev


@dataclass
class Match:
    """The games so far.

    Attributes:
        points: The points of the first bot in each game.
        spreads: The points of the first bot minus those of the other one, in each game.
        faulty: The number of games in which the referee found faults.
    """

    points: list[int] = field(default_factory=list)
    spreads: list[int] = field(default_factory=list)
    faulty: int = 0

    def add(self, totals: list[int], begins: bool, valid: bool) -> None:
        """Add a game with its totals in the order of turns; `begins`: whether the first bot moved first."""
        first, second = totals if begins else reversed(totals)
        self.points.append(first)
        self.spreads.append(first - second)
        self.faulty += not valid

    def text(self) -> str:
        """Return the figures, a line each."""
        count = len(self.spreads)
        if count == 0:
            return "no game was played\n"
        error = stdev(self.spreads) / count**0.5 if count > 1 else 0.0
        won = sum((spread > 0) + 0.5 * (spread == 0) for spread in self.spreads) / count
        return (
            f"games   {count:,}, {self.faulty:,} with faults\n"
            f"points  {mean(self.points):.1f} a game\n"
            f"spread  {mean(self.spreads):+.1f} a game, standard error {error:.1f}\n"
            f"won     {won:.1%}\n"
        )
