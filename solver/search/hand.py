"""Hands: the state of a game between turns, and the step that a turn makes from one to the next."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from solver.index.problem import Problem
from solver.model.solution import Solution, Turn
from solver.model.tiles import Counts, counts_of, decode, encode


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
        drawn: npt.NDArray[np.int64] = puzzle.counts_from_left[self.left] + puzzle.counts_from_right[self.right]
        return drawn

    def wants(self, problem: Problem) -> int:
        """Return the number of tiles that the next turn draws."""
        puzzle = problem.puzzle
        return min(puzzle.rack_size - int(self.leave.sum()), len(puzzle.row) - self.left - self.right)

    def drawn(self, problem: Problem, left: int) -> "Hand":
        """Return the hand after a draw of `left` tiles from the left and the others from the right."""
        row = problem.puzzle.row_codes
        right = self.wants(problem) - left
        end = len(row) - self.right
        new = np.concatenate([row[self.left : self.left + left], row[end - right : end]])
        return Hand(self.left + left, self.right + right, self.leave + counts_of(new))

    def choices(self, problem: Problem) -> range:
        """Return the left draws that lead to different hands: only 0 if the draw empties the row."""
        draws = self.wants(problem)
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
    return Turn(left, play.tiles, play.word, play.score), Hand(rack.left, rack.right, rack.leave - tiles)


def rearranged(problem: Problem, solution: Solution) -> Solution:
    """Return a solution with the same draws and tiles in which each turn plays the best word of its tiles."""
    hand, turns = Hand.at_start(), []
    for turn in solution.turns:
        best, hand = turn_of(problem, hand, turn.left, counts_of(encode(turn.play)))
        turns.append(best)
    return Solution(tuple(turns))


def after_all(problem: Problem, turns: tuple[Turn, ...]) -> Hand:
    """Return the hand after `turns` from the start of a game."""
    hand = Hand.at_start()
    for turn in turns:
        hand = after(problem, hand, turn)
    return hand


def after(problem: Problem, hand: Hand, turn: Turn) -> Hand:
    """Return the hand after `turn`."""
    return turn_of(problem, hand, turn.left, counts_of(encode(turn.play)))[1]
