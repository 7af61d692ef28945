"""Greedy search: in each turn the best play over all draws, with ties followed."""

from dataclasses import dataclass
from typing import ClassVar

from solver.errors import StrategyError
from solver.index.problem import Problem
from solver.index.rack_plays import Play
from solver.model.solution import Solution, Turn
from solver.model.tiles import counts_of, encode
from solver.search.hand import Hand, after_all, racks_of
from solver.search.run import Run

_PLAYS_COMPARED = 16  # plays of a rack; ties beyond these are not followed


@dataclass(frozen=True)
class GreedyParameters:
    """The parameters of greedy search: the most `ties`, lines of equally good plays, to follow; 1 follows the first."""

    ties: int = 200

    def __post_init__(self) -> None:
        if not 1 <= self.ties <= 100_000:
            raise StrategyError(f"ties = {self.ties}: expected 1 to 100,000")


@dataclass(frozen=True)
class Greedy:
    """The best play over all draws in each turn, with ties followed."""

    Parameters = GreedyParameters
    parameters: GreedyParameters = GreedyParameters()
    name: str = "greedy"
    goes_on: ClassVar[bool] = True

    def search(self, problem: Problem, run: Run) -> None:
        """Offer the best greedy game."""
        hand = after_all(problem, run.opening)
        run.offer(Solution((*run.opening, *play_on(problem, hand, run, self.parameters.ties))))


@dataclass(frozen=True)
class _Line:
    """A hand, the score so far, and the last turn with the line before it."""

    hand: Hand
    score: int = 0
    turn: Turn | None = None
    before: "_Line | None" = None

    def turns(self) -> tuple[Turn, ...]:
        backward = []
        line: _Line | None = self
        while line is not None and line.turn is not None:
            backward.append(line.turn)
            line = line.before
        return tuple(reversed(backward))


def play_on(problem: Problem, hand: Hand, run: Run, ties: int) -> tuple[Turn, ...]:
    """Return the best greedy line from `hand` to the end of the game, with at most `ties` tied lines followed.

    Of tied plays those with fewer tiles come first, then those with fewer left draws. When the run is over, only the best line
    is followed, so that the search ends soon.
    """
    lines = [_Line(hand)]
    best = lines[0]
    tiles = len(problem.puzzle.row)
    while lines:
        reached: dict[tuple[int, int, bytes], _Line] = {}
        followed = 1 if run.is_over else ties
        for line in lines[:followed]:
            best = max(best, line, key=lambda line: line.score)
            for left, play in _best_turns(problem, line.hand, run, 1 if followed == 1 else _PLAYS_COMPARED):
                drawn = line.hand.drawn(problem, left)
                after = Hand(drawn.left, drawn.right, drawn.leave - counts_of(encode(play.tiles)))
                key = (after.left, after.right, after.leave.tobytes())
                score = line.score + play.score
                if key not in reached or score > reached[key].score:
                    reached[key] = _Line(after, score, Turn(left, play.tiles, play.word, play.score), line)
        lines = sorted(reached.values(), key=lambda line: -line.score)
        if lines:
            run.report("greedy", lines[0].hand.left + lines[0].hand.right, tiles)
    return best.turns()


def _best_turns(problem: Problem, hand: Hand, run: Run, compared: int) -> list[tuple[int, Play]]:
    """Return all (left draws, play) with the best score of any draw, among the best `compared` plays of each draw."""
    choices = hand.choices(problem)
    racks = racks_of(problem, hand)
    run.racks += len(racks)
    plays_of_draws = problem.finder.best(racks, top=compared)
    best = max((plays[0].score for plays in plays_of_draws if plays), default=None)
    tied = [(left, play) for left, plays in zip(choices, plays_of_draws, strict=True) for play in plays if play.score == best]
    return sorted(tied, key=lambda turn: (len(turn[1].tiles), turn[0], turn[1].word))
