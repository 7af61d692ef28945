"""The lines of play behind the states of a beam."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from solver.kernels.ranks import LEFT_BITS, unrank_counts
from solver.problem import Problem
from solver.search.layers import StateArrays
from solver.solution import Hand, Turn, turn_of
from solver.tiles import N_CODES


@dataclass(frozen=True)
class Point:
    """A kept state: its layer, its place there, its score."""

    played: int
    place: int
    score: int


class History:
    """The kept states of the layers that were passed, with the way back."""

    def __init__(self, problem: Problem) -> None:
        self._problem = problem
        self._layers: dict[int, tuple[npt.NDArray[np.uint64], npt.NDArray[np.int32], npt.NDArray[np.int16]]] = {}

    def keep(self, played: int, arrays: StateArrays) -> None:
        """Remember the states of the layer with `played` tiles played."""
        key, _priority, _score, parent, move = arrays
        self._layers[played] = (key, parent, move)

    def turns_to(self, point: Point) -> tuple[Turn, ...]:
        """The turns that lead to `point`."""
        return self.line_to(point)[0]

    def line_to(self, point: Point) -> tuple[tuple[Turn, ...], Hand]:
        """The turns that lead to `point`, and the hand there."""
        moves = []
        played, place = point.played, point.place
        while played > 0:
            key, parent, move = self._layers[played]
            left, length = int(move[place]) & 15, int(move[place]) >> 4
            moves.append((left, key[place]))
            played -= length
            place = int(parent[place])
        turns = []
        hand = Hand.at_start()
        for left, key_after in reversed(moves):
            leave = np.zeros(N_CODES, dtype=np.int8)
            unrank_counts(np.uint64(key_after >> np.uint64(LEFT_BITS)), leave)
            turn, hand = turn_of(self._problem, hand, left, hand.drawn(self._problem, left).leave - leave)
            turns.append(turn)
        return tuple(turns), hand
