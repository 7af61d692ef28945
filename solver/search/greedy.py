"""The state of a game between turns, the steps that turns make, and greedy search: the best play over all draws each time."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from solver.errors import StrategyError
from solver.index.problem import Play, Problem
from solver.model.solution import Solution, Turn
from solver.model.tiles import Counts, counts_of, decode, encode
from solver.search.run import Run, check_number


@dataclass(frozen=True)
class Hand:
    """The state of a game between turns: the numbers of tiles drawn from the left and the right end of the row, and the leave.

    The leave, the tiles held, is counts by code.
    """

    left: int
    right: int
    leave: Counts

    @classmethod
    def at_start(cls) -> "Hand":
        """Return the hand before the first draw."""
        return cls(0, 0, counts_of([]))

    @property
    def played(self) -> int:
        """The number of tiles played."""
        return self.left + self.right - int(self.leave.sum())

    @property
    def tiles(self) -> str:
        """The tiles held, in the order of the alphabet."""
        return "".join(sorted(decode(np.repeat(np.arange(len(self.leave)), self.leave))))

    def gone(self, problem: Problem) -> npt.NDArray[np.int64]:
        """Return the tiles drawn so far: int64, counts by code."""
        puzzle = problem.puzzle
        drawn: npt.NDArray[np.int64] = (
            puzzle.counts_from_left[self.left] + puzzle.counts_from_right[self.right]
        )
        return drawn

    def used(self, problem: Problem) -> npt.NDArray[np.int64]:
        """Return the tiles played so far: int64, counts by code."""
        used: npt.NDArray[np.int64] = self.gone(problem) - self.leave
        return used

    def draw_size(self, problem: Problem) -> int:
        """Return the number of tiles that the next turn draws."""
        puzzle = problem.puzzle
        return min(
            puzzle.rack_size - int(self.leave.sum()), len(puzzle.row) - self.left - self.right
        )

    def drawn(self, problem: Problem, left: int) -> "Hand":
        """Return the hand after a draw of `left` tiles from the left and the others from the right."""
        row = problem.puzzle.row_codes
        right = self.draw_size(problem) - left
        end = len(row) - self.right
        new = np.concatenate([row[self.left : self.left + left], row[end - right : end]])
        return Hand(self.left + left, self.right + right, self.leave + counts_of(new))

    def choices(self, problem: Problem) -> range:
        """Return the left draws that lead to different hands: only 0 if the draw empties the row."""
        draws = self.draw_size(problem)
        empties = draws == len(problem.puzzle.row) - self.left - self.right
        return range(1) if empties else range(draws + 1)


def racks_of(problem: Problem, hand: Hand) -> list[Counts]:
    """Return the rack after each draw of `hand.choices`."""
    return [hand.drawn(problem, left).leave for left in hand.choices(problem)]


def can_play(problem: Problem, hand: Hand) -> bool:
    """Return whether any draw allows a play."""
    # one rack at a time, because the first one nearly always has a play
    return any(problem.finder.best([rack])[0] for rack in racks_of(problem, hand))


def turn_of(problem: Problem, hand: Hand, left: int, tiles: Counts) -> tuple[Turn, Hand]:
    """Return the best-scoring turn that draws `left` tiles from the left and plays exactly `tiles`, and the hand after it."""
    rack = hand.drawn(problem, left)
    play = problem.finder.best([tiles], shortest=int(tiles.sum()))[0][0]
    return Turn(left, play.tiles, play.word, play.score), Hand(
        rack.left, rack.right, rack.leave - tiles
    )


def after_all(problem: Problem, turns: tuple[Turn, ...]) -> Hand:
    """Return the hand after `turns` from the start of a game."""
    hand = Hand.at_start()
    for turn in turns:
        hand = after(problem, hand, turn)
    return hand


def after(problem: Problem, hand: Hand, turn: Turn) -> Hand:
    """Return the hand after `turn`."""
    return turn_of(problem, hand, turn.left, counts_of(encode(turn.play)))[1]


_PLAYS_COMPARED = 16  # plays of a rack; ties beyond these are not followed


@dataclass(frozen=True)
class GreedyParameters:
    """The parameters of greedy search: the most `ties`, lines of equally good plays, to follow; 1 follows the first."""

    ties: int = 200

    def __post_init__(self) -> None:
        check_number("ties", self.ties, 1, 100_000, StrategyError)


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
            for left, play in _best_turns(
                problem, line.hand, run, 1 if followed == 1 else _PLAYS_COMPARED
            ):
                drawn = line.hand.drawn(problem, left)
                after = Hand(drawn.left, drawn.right, drawn.leave - counts_of(encode(play.tiles)))
                key = (after.left, after.right, after.leave.tobytes())
                score = line.score + play.score
                if key not in reached or score > reached[key].score:
                    reached[key] = _Line(
                        after, score, Turn(left, play.tiles, play.word, play.score), line
                    )
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
    tied = [
        (left, play)
        for left, plays in zip(choices, plays_of_draws, strict=True)
        for play in plays
        if play.score == best
    ]
    return sorted(tied, key=lambda turn: (len(turn[1].tiles), turn[0], turn[1].word))
