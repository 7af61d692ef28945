"""Hands: where a game stands between turns, and how a turn leads from one to the next."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from solver.index.problem import Problem
from solver.model.solution import Solution, Turn
from solver.model.tiles import Counts, counts_of, decode, encode


@dataclass(frozen=True)
class Hand:
    """Where a game stands between turns: tiles gone from each end of the row, and the leave (counts by code)."""

    left: int
    right: int
    leave: Counts

    @classmethod
    def at_start(cls) -> "Hand":
        """Before the first draw."""
        return cls(0, 0, counts_of([]))

    @property
    def played(self) -> int:
        """How many tiles have been played."""
        return self.left + self.right - int(self.leave.sum())

    @property
    def tiles(self) -> str:
        """The tiles held, in the order of the alphabet."""
        return "".join(sorted(decode(np.repeat(np.arange(len(self.leave)), self.leave))))

    def gone(self, problem: Problem) -> npt.NDArray[np.int64]:
        """How many of each tile have been drawn: int64, by code."""
        puzzle = problem.puzzle
        drawn: npt.NDArray[np.int64] = puzzle.counts_from_left[self.left] + puzzle.counts_from_right[self.right]
        return drawn

    def wants(self, problem: Problem) -> int:
        """How many tiles the next turn draws."""
        puzzle = problem.puzzle
        return min(puzzle.rack_size - int(self.leave.sum()), len(puzzle.row) - self.left - self.right)

    def drawn(self, problem: Problem, left: int) -> "Hand":
        """The hand after `left` tiles from the left and the others from the right."""
        row = problem.puzzle.row_codes
        right = self.wants(problem) - left
        end = len(row) - self.right
        new = np.concatenate([row[self.left : self.left + left], row[end - right : end]])
        return Hand(self.left + left, self.right + right, self.leave + counts_of(new))

    def choices(self, problem: Problem) -> range:
        """The left draws worth telling apart: all of them, but one where the draw empties the row."""
        wants = self.wants(problem)
        empties = wants == len(problem.puzzle.row) - self.left - self.right
        return range(1) if empties else range(wants + 1)


def racks_of(problem: Problem, hand: Hand) -> list[Counts]:
    """The rack after each draw of `hand.choices`."""
    return [hand.drawn(problem, left).leave for left in hand.choices(problem)]


def can_play(problem: Problem, hand: Hand) -> bool:
    """Whether there is a play after any draw."""
    # one rack after the other, for the first one has a play nearly always
    return any(problem.finder.best([rack])[0] for rack in racks_of(problem, hand))


def turn_of(problem: Problem, hand: Hand, left: int, tiles: Counts) -> tuple[Turn, Hand]:
    """The best-scoring turn that draws `left` tiles from the left and plays exactly `tiles`, and the hand after it."""
    rack = hand.drawn(problem, left)
    play = problem.finder.best([tiles], shortest=int(tiles.sum()))[0][0]
    return Turn(left, play.tiles, play.word, play.score), Hand(rack.left, rack.right, rack.leave - tiles)


def rearranged(problem: Problem, solution: Solution) -> Solution:
    """The same draws and tiles, each turn's laid down as they score most: somebody else's words may be others."""
    hand, turns = Hand.at_start(), []
    for turn in solution.turns:
        best, hand = turn_of(problem, hand, turn.left, counts_of(encode(turn.play)))
        turns.append(best)
    return Solution(tuple(turns))


def after_all(problem: Problem, turns: tuple[Turn, ...]) -> Hand:
    """The hand after a game's first `turns`."""
    hand = Hand.at_start()
    for turn in turns:
        hand = after(problem, hand, turn)
    return hand


def after(problem: Problem, hand: Hand, turn: Turn) -> Hand:
    """The hand after `turn`."""
    return turn_of(problem, hand, turn.left, counts_of(encode(turn.play)))[1]
