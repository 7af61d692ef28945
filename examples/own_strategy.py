"""A strategy of one's own: in each turn the play that scores most for each tile that it uses up."""

from dataclasses import dataclass

import solver
from solver.index.problem import Problem
from solver.model.solution import Solution, Turn
from solver.model.tiles import counts_of, encode
from solver.search.greedy import Hand, turn_of
from solver.search.run import Run


@dataclass(frozen=True)
class ThriftyParameters:
    """The parameters.

    Attributes:
        shortest: The fewest letters of a play, where there is such a play.
    """

    shortest: int = 3


@dataclass(frozen=True)
class Thrifty:
    """Points per tile, turn by turn."""

    Parameters = ThriftyParameters
    parameters: ThriftyParameters = ThriftyParameters()
    name: str = "thrifty"

    def search(self, problem: Problem, run: Run) -> None:
        """Offer one game."""
        hand, turns = Hand.at_start(), []
        while best := self._best(problem, hand, run):
            left, tiles = best
            turn, hand = turn_of(problem, hand, left, counts_of(encode(tiles)))
            turns.append(turn)
        run.offer(Solution(tuple(turns)))

    def _best(self, problem: Problem, hand: Hand, run: Run) -> tuple[int, str] | None:
        draws = hand.choices(problem)
        racks = [hand.drawn(problem, left).leave for left in draws]
        run.racks += len(racks)
        for shortest in (self.parameters.shortest, 1):
            plays = zip(draws, problem.finder.best(racks, top=50, shortest=shortest), strict=True)
            found = [
                (play.score / len(play.tiles), left, play.tiles)
                for left, some in plays
                for play in some
            ]
            if found:
                return max(found)[1:]
        return None


if __name__ == "__main__":
    for strategy in (Thrifty(), Thrifty(ThriftyParameters(shortest=6)), "greedy"):
        result = solver.solve("challenge", strategy)
        first: Turn = result.turns[0]
        named = f"{result.strategy} {result.parameters}"
        print(f"{named:24} {result.score} points in {len(result.turns)} turns, from '{first}' on")
