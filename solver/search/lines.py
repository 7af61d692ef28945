"""The lines of play behind the states of a beam."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from solver.kernels.ranks import LEFT_BITS, LEFT_MASK, unrank_counts
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


@dataclass(frozen=True)
class SeenPlays:
    """Plays of a beam. played: tiles played before each; tiles: its counts by code, shape (plays, N_CODES); score: its own;
    promise: the best total that it led to."""

    played: npt.NDArray[np.int64]
    tiles: npt.NDArray[np.int64]
    score: npt.NDArray[np.int64]
    promise: npt.NDArray[np.int64]


class History:
    """The kept states of the layers that were passed, with the way back."""

    def __init__(self, problem: Problem, start: Hand) -> None:
        self._problem = problem
        self._start = start
        self._first = start.played
        self._layers: dict[int, tuple[npt.NDArray[Any], ...]] = {}

    def keep(self, played: int, arrays: StateArrays) -> None:
        """Remember the states of the layer with `played` tiles played."""
        key, _priority, score, parent, move = arrays
        self._layers[played] = (key, parent, move, score)

    def promise(self) -> dict[int, npt.NDArray[np.int32]]:
        """By layer, the best score of any kept state that each state led to, itself included: int32, shape (states,)."""
        best = {played: score.copy() for played, (_key, _parent, _move, score) in self._layers.items()}
        for played in sorted(self._layers, reverse=True):
            _key, parent, move, _score = self._layers[played]
            lengths = move >> 4
            for length in np.unique(lengths[lengths > 0]).tolist():
                chosen = lengths == length
                np.maximum.at(best[played - length], parent[chosen], best[played][chosen])
        return best

    def plays(self) -> "SeenPlays":
        """Every play that led to a kept state, with the promise of that state."""
        promise = self.promise()
        leaves = {played: self._leaves(played) for played in self._layers}
        from_left, from_right = self._problem.puzzle.counts_from_left, self._problem.puzzle.counts_from_right
        tiles = len(self._problem.puzzle.row)
        nothing = np.zeros(0, dtype=np.int64)
        parts = [(nothing, np.zeros((0, N_CODES), dtype=np.int64), nothing, nothing)]
        for played, (key, parent, move, score) in self._layers.items():
            lengths = move >> 4
            for length in np.unique(lengths[lengths > 0]).tolist():
                before = played - length
                chosen = np.flatnonzero(lengths == length)
                came = parent[chosen]
                held, left = leaves[before][came], (self._layers[before][0][came] & LEFT_MASK).astype(np.int64)
                gone = np.minimum(tiles, before + held.sum(axis=1))
                drawn = min(tiles, before + self._problem.puzzle.rack_size)
                # once the row is empty its ends no longer matter, and left draws are 0
                had = np.where(gone[:, None] == tiles, from_left[tiles], from_left[left] + from_right[gone - left])
                now_left = (key[chosen] & LEFT_MASK).astype(np.int64)
                has = from_left[tiles][None, :] if drawn == tiles else from_left[now_left] + from_right[drawn - now_left]
                counts = held + has - had - leaves[played][chosen]
                gained = score[chosen] - self._layers[before][3][came]
                parts.append(
                    (np.full(len(chosen), before), counts, gained.astype(np.int64), promise[played][chosen].astype(np.int64))
                )
        return SeenPlays(*(np.concatenate(column) for column in zip(*parts, strict=True)))

    def _leaves(self, played: int) -> npt.NDArray[np.int64]:
        """Counts by code of the leave of each state of a layer: shape (states, N_CODES)."""
        key = self._layers[played][0]
        leave = np.zeros(N_CODES, dtype=np.int8)
        found = np.zeros((len(key), N_CODES), dtype=np.int64)
        for place, rank in enumerate(key >> np.uint64(LEFT_BITS)):
            unrank_counts(rank, leave)
            found[place] = leave
        return found

    def turns_to(self, point: Point) -> tuple[Turn, ...]:
        """The turns that lead to `point`."""
        return self.line_to(point)[0]

    def line_to(self, point: Point) -> tuple[tuple[Turn, ...], Hand]:
        """The turns that lead to `point`, and the hand there."""
        moves = []
        played, place = point.played, point.place
        while played > self._first:
            key, parent, move, _score = self._layers[played]
            left, length = int(move[place]) & 15, int(move[place]) >> 4
            moves.append((left, key[place]))
            played -= length
            place = int(parent[place])
        turns = []
        hand = self._start
        for left, key_after in reversed(moves):
            leave = np.zeros(N_CODES, dtype=np.int8)
            unrank_counts(np.uint64(key_after >> np.uint64(LEFT_BITS)), leave)
            turn, hand = turn_of(self._problem, hand, left, hand.drawn(self._problem, left).leave - leave)
            turns.append(turn)
        return tuple(turns), hand
