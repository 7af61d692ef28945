"""The history of a beam: the lines of play that lead to its states."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import numpy.typing as npt

from solver.index.kernels.ranks import unrank_counts
from solver.index.problem import Problem
from solver.model.solution import Turn
from solver.model.tiles import N_CODES, Counts, counts_of
from solver.search.hand import Hand, turn_of
from solver.search.kernels.states import Moves, States, left_of, lefts_of_keys, rank_of, ranks_of_keys, unpacked


@dataclass(frozen=True)
class Point:
    """A kept state of a beam: its layer, as the number of tiles played, its index there, and its score in points."""

    played: int
    place: int
    score: int


@dataclass(frozen=True)
class SeenPlays:
    """Plays that a beam made, with the numbers of tiles played before them, their tiles by code, and their scores.

    `promise` is the best score of any kept state that each play led to.
    """

    played: npt.NDArray[np.int64]
    tiles: npt.NDArray[np.int64]
    score: npt.NDArray[np.int64]
    promise: npt.NDArray[np.int64]


class History:
    """The kept states of the closed layers, with the moves that lead back to the start."""

    def __init__(self, problem: Problem, start: Hand) -> None:
        self._problem = problem
        self._start = start
        self._first = start.played
        self._layers: dict[int, States] = {}

    def keep(self, played: int, states: States) -> None:
        """Remember the states of the layer with `played` tiles played."""
        # priorities take much memory and are no longer needed
        self._layers[played] = states._replace(priority=states.priority[:0])

    def promise(self) -> dict[int, npt.NDArray[np.int32]]:
        """Return the best score of any kept state that each state led to, itself included: by layer, int32, shape (states,)."""
        best = {played: states.score.copy() for played, states in self._layers.items()}
        for played in sorted(self._layers, reverse=True):
            states = self._layers[played]
            lengths = unpacked(states.move).tiles
            for length in np.unique(lengths[lengths > 0]).tolist():
                chosen = lengths == length
                np.maximum.at(best[played - length], states.parent[chosen], best[played][chosen])
        return best

    def plays(self) -> "SeenPlays":
        """Return every single play that led to a kept state, with the promise of that state."""
        promise = self.promise()
        used = {played: self.used(played) for played in self._layers}
        nothing = np.zeros(0, dtype=np.int64)
        parts = [(nothing, np.zeros((0, N_CODES), dtype=np.int64), nothing, nothing)]
        for played, states in self._layers.items():
            # of two plays in one move only the sum is known
            moves = unpacked(states.move)
            lengths = np.where(moves.second_length == 0, moves.length, 0)
            for length in np.unique(lengths[lengths > 0]).tolist():
                before = played - length
                chosen = np.flatnonzero(lengths == length)
                parents = states.parent[chosen]
                counts = used[played][chosen] - used[before][parents]
                gained = states.score[chosen] - self._layers[before].score[parents]
                parts.append(
                    (np.full(len(chosen), before), counts, gained.astype(np.int64), promise[played][chosen].astype(np.int64))
                )
        return SeenPlays(*(np.concatenate(column) for column in zip(*parts, strict=True)))

    def used(self, played: int) -> npt.NDArray[np.int64]:
        """Return the tiles that each state of a layer has played: counts by code, shape (states, N_CODES)."""
        puzzle = self._problem.puzzle
        tiles = len(puzzle.row)
        key = self._layers[played].key
        left = lefts_of_keys(key)
        leave = np.zeros(N_CODES, dtype=np.int8)
        held = np.zeros((len(key), N_CODES), dtype=np.int64)
        for place, rank in enumerate(ranks_of_keys(key)):
            unrank_counts(rank, leave)
            held[place] = leave
        gone = np.minimum(tiles, played + held.sum(axis=1))
        # left draws are 0 when the row is empty, since they no longer matter
        drawn = np.where(
            (gone == tiles)[:, None],
            puzzle.counts_from_left[tiles],
            puzzle.counts_from_left[left] + puzzle.counts_from_right[gone - left],
        )
        used: npt.NDArray[np.int64] = drawn - held
        return used

    def scores(self, played: int) -> npt.NDArray[np.int32]:
        """Return the score of each state of a layer, best priority first; an empty array if the layer had no states."""
        return self._layers[played].score if played in self._layers else np.zeros(0, dtype=np.int32)

    @property
    def first(self) -> int:
        """The layer of the state from which the beam started."""
        return self._first

    def best_first(self) -> Iterator[Point]:
        """Yield all kept states, highest score first, and of equal scores the later layer first."""
        layers = [(played, states.score) for played, states in sorted(self._layers.items(), reverse=True)]
        score = np.concatenate([scores for _played, scores in layers])
        played = np.repeat([played for played, _scores in layers], [len(scores) for _played, scores in layers])
        place = np.concatenate([np.arange(len(scores)) for _played, scores in layers])
        for i in np.argsort(-score, kind="stable").tolist():
            yield Point(int(played[i]), int(place[i]), int(score[i]))

    def point(self, played: int, place: int) -> Point:
        """Return one state of a layer."""
        return Point(played, place, int(self._layers[played].score[place]))

    def layers_before(self, point: Point) -> list[int]:
        """Return the layers, by tiles played, from which one turn may lead to `point`."""
        return [played for played in self._layers if 0 < point.played - played <= self._problem.puzzle.rack_size]

    def hand_at(self, point: Point) -> Hand:
        """Return the hand at `point`. When the row is empty, all its tiles count as drawn from the right."""
        key = self._layers[point.played].key[point.place]
        leave = np.zeros(N_CODES, dtype=np.int8)
        held = unrank_counts(rank_of(key), leave)
        left = left_of(key)
        return Hand(left, point.played + int(held) - left, leave)

    def pair_into(self, point: Point) -> tuple[Point, tuple[Turn, ...]] | None:
        """Return the state from which a move of two turns leads to `point`, and these turns; None if one turn leads there."""
        states = self._layers[point.played]
        move = unpacked(int(states.move[point.place]))
        if point.played == self._first or not move.second_length:
            return None
        before = self.point(point.played - move.tiles, int(states.parent[point.place]))
        turns, _hand = self._two_turns(self.hand_at(before), move, self.hand_at(point).leave, point.score - before.score)
        return before, tuple(turns)

    def turns_to(self, point: Point) -> tuple[Turn, ...]:
        """Return the turns that lead to `point`."""
        return self.line_to(point)[0]

    def line_to(self, point: Point) -> tuple[tuple[Turn, ...], Hand]:
        """Return the turns that lead to `point`, and the hand there."""
        moves = []
        played, place = point.played, point.place
        while played > self._first:
            states = self._layers[played]
            move = unpacked(int(states.move[place]))
            moves.append((move, states.key[place], int(states.score[place])))
            played -= move.tiles
            place = int(states.parent[place])
        turns: list[Turn] = []
        hand = self._start
        before = 0
        for move, key_after, score_after in reversed(moves):
            leave = np.zeros(N_CODES, dtype=np.int8)
            unrank_counts(np.uint64(rank_of(key_after)), leave)
            if move.second_length:
                pair, hand = self._two_turns(hand, move, leave, score_after - before)
                turns += pair
            else:
                tiles = hand.drawn(self._problem, move.left).leave - leave
                turn, hand = turn_of(self._problem, hand, move.left, tiles)
                turns.append(turn)
            before = score_after
        return tuple(turns), hand

    def _two_turns(self, hand: Hand, move: Moves, leave: Counts, gained: int) -> tuple[list[Turn], Hand]:
        """Return the two turns of `move` from `hand` that end with `leave` and score `gained` points, and the hand after them.

        A move does not record which tiles its turns play, so every choice of tiles for the first turn is tried.
        """
        rack = hand.drawn(self._problem, move.left)
        for tiles in sorted(set(combinations(np.repeat(np.arange(N_CODES), rack.leave).tolist(), move.length))):
            first = counts_of(tiles)
            between = Hand(rack.left, rack.right, rack.leave - first)
            second = between.drawn(self._problem, move.second_left).leave - leave
            if (second < 0).any() or not (self._has_play(first) and self._has_play(second)):
                continue
            turns = [turn_of(self._problem, hand, move.left, first)]
            turns.append(turn_of(self._problem, between, move.second_left, second))
            if sum(turn.score for turn, _hand in turns) == gained:
                return [turn for turn, _hand in turns], turns[-1][1]
        raise AssertionError(f"no two turns from {hand} gain {gained} points")

    def _has_play(self, tiles: Counts) -> bool:
        return bool(self._problem.finder.best([tiles], shortest=int(tiles.sum()))[0])
