"""The plays that a refinement may choose from."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from solver.index.kernels.build_closed import PACKED_TILES, TILE_BITS
from solver.index.kernels.fitting_plays import fitting_plays
from solver.index.problem import Problem
from solver.model.tiles import N_CODES, encode
from solver.search.beam_prices import tile_prices
from solver.search.history import SeenPlays

_NEAR = 6  # tiles played; a seen play within this distance of a turn is offered to it


@dataclass(frozen=True)
class Candidate:
    """A play that a turn may make: the codes of its tiles, ascending, and the best score of any word of exactly these."""

    tiles: tuple[int, ...]
    score: int


class Pool:
    """The plays offered to turns: those of a narrow beam's best games near the turn, and those of highest worth.

    The worth of a play is its score less the prices of its tiles.
    """

    def __init__(self, problem: Problem, seen: SeenPlays) -> None:
        self._index = problem.closed
        self._prices = tile_prices(problem)
        self._place, self._worth = np.empty((2, len(self._index.packed)), dtype=np.int64)
        order = np.argsort(-seen.promise, kind="stable")
        self._played = seen.played[order]
        self._seen = seen.tiles[order]
        self._score = seen.score[order]

    def best(self, available: npt.NDArray[np.int64], played: int, count: int) -> list[Candidate]:
        """Return about `count` plays of the tiles in `available` (int64, by code) for the turn after `played` tiles.

        Three in four come from the beam's best games; the others are those of highest worth.
        """
        near = np.abs(self._played - played) <= _NEAR
        fits = np.flatnonzero(near & (self._seen <= available).all(axis=1))
        seen: dict[tuple[int, ...], Candidate] = {}
        for i in fits:
            tiles = tuple(np.repeat(np.arange(N_CODES), self._seen[i]).tolist())
            seen.setdefault(tiles, Candidate(tiles, int(self._score[i])))
            if len(seen) >= count * 3 // 4:
                break
        for candidate in self._by_worth(available, count - len(seen)):
            seen.setdefault(candidate.tiles, candidate)
        return list(seen.values())

    def _by_worth(self, available: npt.NDArray[np.int64], count: int) -> list[Candidate]:
        index = self._index
        fitting = fitting_plays(index.packed, index.score, available, self._prices, self._place, self._worth)
        count = min(count, fitting)
        if count == 0:
            return []
        best = np.argpartition(self._worth[:fitting], fitting - count)[-count:]
        best = best[np.lexsort((best, -self._worth[best]))]
        return [Candidate(_unpacked(int(index.packed[i])), int(index.score[i])) for i in self._place[best]]


def candidate_of(play: str, score: int) -> Candidate:
    """Return the candidate for a play of a solution, with its score."""
    return Candidate(tuple(np.sort(encode(play)).tolist()), score)


def _unpacked(packed: int) -> tuple[int, ...]:
    codes = (packed >> TILE_BITS * (PACKED_TILES - 1 - place) & 31 for place in range(PACKED_TILES))
    return tuple(code - 1 for code in codes if code)
