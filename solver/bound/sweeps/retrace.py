"""The game that leads to a state of a sweep. A sweep of millions of states stores no parents: this module finds them again."""

from collections.abc import Callable

import numpy as np

from solver.bound.kernels.packed_states import Packed, unpack_scores
from solver.bound.kernels.parents import possible_parents
from solver.index.problem import Problem
from solver.model.solution import Turn
from solver.model.tiles import N_CODES, Counts
from solver.search.hand import Hand, turn_of

Kept = Callable[[int], list[Packed]]


def turns_to(problem: Problem, kept: Kept, played: int, state: np.uint64) -> tuple[Turn, ...]:
    """Return the turns that lead to `state`.

    Args:
        problem: the puzzle and its words.
        kept: returns the states of an earlier layer, in arrays.
        played: tiles played at `state`.
        state: the packed state.
    """
    moves: list[tuple[int, Counts]] = []
    while played > 0:
        played, state, left, tiles = _parent(problem, kept, played, state)
        moves.append((left, tiles))
    hand, turns = Hand.at_start(), []
    for left, tiles in reversed(moves):
        turn, hand = turn_of(problem, hand, left, tiles)
        turns.append(turn)
    return tuple(turns)


def _parent(problem: Problem, kept: Kept, played: int, state: np.uint64) -> tuple[int, np.uint64, int, Counts]:
    """Return the turn that led to `state`: tiles played before it, the state then, its left draws, and its tiles."""
    score = int(unpack_scores(np.array([state]))[0])
    rack = problem.puzzle.rack_size
    for length in range(min(rack, played), 0, -1):
        for states in kept(played - length):
            parents = np.empty((len(states), 2), dtype=np.int64)
            tiles = np.empty((len(states), N_CODES), dtype=np.int8)
            count = possible_parents(states, played - length, problem.puzzle.row_codes, rack, state, parents, tiles)
            tiles = tiles[:count]
            likely = np.flatnonzero(tiles.sum(axis=1) == length)
            plays = problem.finder.best(tiles[likely], shortest=length) if len(likely) else []
            for place, best in zip(likely.tolist(), plays, strict=True):
                before = states[parents[place, 0]]
                if best and int(unpack_scores(np.array([before]))[0]) + best[0].score == score:
                    return played - length, before, int(parents[place, 1]), tiles[place]
    raise AssertionError(f"no state of the layers kept leads to one with {played} tiles played and {score} points")
