"""The state of a game between turns, the steps that turns make, and greedy search.

Greedy search makes the best play over all draws in each turn.
"""

from dataclasses import dataclass, replace
from operator import attrgetter
from typing import ClassVar, NamedTuple

import numpy as np

from solver.checking import check_number
from solver.compiled import I64
from solver.errors import StrategyError
from solver.index.problem import Problem
from solver.model.puzzle import Puzzle
from solver.model.solution import Solution, Turn
from solver.model.tiles import Counts, counts_of, decode, encode
from solver.search.run import Run


@dataclass(frozen=True)
class Hand:
    """The state of a game between turns.

    Attributes:
        left: The number of tiles drawn from the left end of the row.
        right: The number of tiles drawn from the right end of the row.
        leave: The tiles held: counts by code.
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

    def gone(self, problem: Problem) -> I64:
        """Return the tiles drawn so far: int64, counts by code."""
        puzzle = problem.puzzle
        drawn: I64 = puzzle.counts_from_left[self.left] + puzzle.counts_from_right[self.right]
        return drawn

    def used(self, problem: Problem) -> I64:
        """Return the tiles played so far: int64, counts by code."""
        used: I64 = self.gone(problem) - self.leave
        return used

    def draw_size(self, problem: Problem) -> int:
        """Return the number of tiles that the next turn draws."""
        room = problem.puzzle.rack_size - int(self.leave.sum())
        return min(room, len(problem.puzzle.row) - self.left - self.right)

    def drawn(self, problem: Problem, left: int) -> "Hand":
        """Return the hand after a draw of `left` tiles from the left, the others from the right."""
        row = problem.puzzle.row_codes
        right = self.draw_size(problem) - left
        end = len(row) - self.right
        new = np.concatenate([row[self.left : self.left + left], row[end - right : end]])
        return Hand(self.left + left, self.right + right, self.leave + counts_of(new))

    def choices(self, problem: Problem) -> range:
        """Return the left draws that lead to different hands: only 0 if they empty the row."""
        draws = self.draw_size(problem)
        empties = draws == len(problem.puzzle.row) - self.left - self.right
        return range(1) if empties else range(draws + 1)


class Hands(NamedTuple):
    """The hands of all states of a layer.

    Attributes:
        left: The number of tiles that each has drawn from the left; int64, shape (n,).
        right: The number of tiles that each has drawn from the right; int64, shape (n,).
        used: The tiles that each has played; int64, counts by code, shape (n, N_CODES).
    """

    left: I64
    right: I64
    used: I64

    @classmethod
    def of(cls, puzzle: Puzzle, played: int, left: I64, leave: Counts) -> "Hands":
        """Return the hands with these left draws and leaves after `played` tiles played."""
        right = played + leave.sum(axis=1, dtype=np.int64) - left
        gone = puzzle.counts_from_left[left] + puzzle.counts_from_right[right]
        return cls(left, right, gone - leave)


def layers_before(problem: Problem, hand: Hand) -> range:
    """Return the layers, in tiles played, from which one turn may lead to `hand`."""
    tiles = len(problem.puzzle.row)
    drawn = hand.left + hand.right
    before = drawn - problem.puzzle.rack_size
    if drawn == tiles:
        return range(max(0, before), hand.played)
    return range(before, before + 1)


def turns_into(problem: Problem, before: Hands, hand: Hand) -> tuple[I64, I64, Counts]:
    """Find the hands before a turn that leads to `hand`, among those of one of `layers_before`.

    Returns:
        Their indices; the left draws of each turn, int64; and the tiles that it plays, by code:
        int8, shape (n, N_CODES).
    """
    tiles = hand.used(problem) - before.used
    draws = hand.left - before.left
    if hand.left + hand.right == len(problem.puzzle.row):
        # a draw that empties the row takes the same tiles from either end
        draws = np.zeros_like(draws)
    fits = (draws >= 0) & (before.right <= hand.right) & (tiles >= 0).all(axis=1)
    places = np.flatnonzero(fits)
    return places, draws[places], tiles[places].astype(np.int8)


def racks_of(problem: Problem, hand: Hand) -> list[Counts]:
    """Return the rack after each draw of `hand.choices`."""
    return [hand.drawn(problem, left).leave for left in hand.choices(problem)]


def can_play(problem: Problem, hand: Hand) -> bool:
    """Return whether any draw allows a play."""
    # one rack at a time, because the first one nearly always has a play
    return any(problem.finder.best([rack])[0] for rack in racks_of(problem, hand))


def turn_of(problem: Problem, hand: Hand, left: int, tiles: Counts) -> tuple[Turn, Hand]:
    """Return the best turn that draws `left` tiles from the left and plays exactly `tiles`.

    Also return the hand after it.
    """
    rack = hand.drawn(problem, left)
    play = problem.finder.best([tiles], shortest=int(tiles.sum()))[0][0]
    return Turn(left, *play), Hand(rack.left, rack.right, rack.leave - tiles)


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
    """The parameters of greedy search.

    Attributes:
        ties: The most lines of equally good plays to follow; 1 follows the first.
    """

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
    """A hand, and the turns that lead to it with their score."""

    hand: Hand
    turns: tuple[Turn, ...] = ()
    score: int = 0


def play_on(problem: Problem, hand: Hand, run: Run, ties: int) -> tuple[Turn, ...]:
    """Return the best greedy line from `hand` to the end, with at most `ties` tied lines followed.

    Of tied plays those with fewer tiles come first, then those with fewer left draws. When the run
    is over, only the best line is followed, so that the search ends soon.
    """
    lines = [_Line(hand)]
    best = lines[0]
    while lines:
        followed = ties
        compared = _PLAYS_COMPARED
        if run.is_over or ties == 1:
            followed = 1
            compared = 1
        reached: dict[tuple[int, int, bytes], _Line] = {}
        for line in lines[:followed]:
            best = max(best, line, key=attrgetter("score"))
            for turn in _best_turns(problem, line.hand, run, compared):
                drawn = line.hand.drawn(problem, turn.left)
                after = replace(drawn, leave=drawn.leave - counts_of(encode(turn.play)))
                key = (after.left, after.right, after.leave.tobytes())
                score = line.score + turn.score
                if key not in reached or score > reached[key].score:
                    reached[key] = _Line(after, (*line.turns, turn), score)
        lines = sorted(reached.values(), key=attrgetter("score"), reverse=True)
        if lines:
            drawn_by_now = lines[0].hand.left + lines[0].hand.right
            run.report("greedy", drawn_by_now, len(problem.puzzle.row))
    return best.turns


def _best_turns(problem: Problem, hand: Hand, run: Run, compared: int) -> list[Turn]:
    """Return all turns with the best score of any draw, of the best `compared` plays of each."""
    racks = racks_of(problem, hand)
    run.racks += len(racks)
    plays_of_draws = problem.finder.best(racks, top=compared)
    turns = [Turn(left, *play) for left, plays in enumerate(plays_of_draws) for play in plays]
    best = max((turn.score for turn in turns), default=0)
    tied = [turn for turn in turns if turn.score == best]
    return sorted(tied, key=lambda turn: (len(turn.play), turn.left, turn.word))
