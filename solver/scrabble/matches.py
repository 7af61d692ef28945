"""What many games between two bots say."""

from dataclasses import dataclass, field
from statistics import mean, stdev


@dataclass
class Match:
    """The games so far. spreads: the points of the first bot less those of the other one; faulty: games with faults."""

    points: list[int] = field(default_factory=list)
    spreads: list[int] = field(default_factory=list)
    faulty: int = 0

    def add(self, totals: list[int], begins: bool, valid: bool) -> None:
        """Add a game. totals: in the order of turns; begins: whether the first bot moved first."""
        own, other = totals if begins else reversed(totals)
        self.points.append(own)
        self.spreads.append(own - other)
        self.faulty += not valid

    def text(self) -> str:
        """The figures, a line each."""
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
