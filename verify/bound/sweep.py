"""Sweeps: all real games, as far as the relaxed games of r3 do not rule them out.

A state is what the rest of a game depends on: tiles played, left draws, the leave. Its completion bound is its score + the
prices of all tiles not played yet + what the relaxed game brings from there + the worth of the leave. No game through the state
scores more. It makes no difference to a game which of equal tiles a leave holds, so we may say that it holds the cheapest.

States whose completion bound does not exceed the claim are dropped, when they are met and again when their layer's turn comes.
From all others every draw and every play is made. The claim holds if none of these games scores more.
"""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from verify.bound.foci import Judges
from verify.bound.keeping import NOTHING, Keeper
from verify.bound.numbers import MOST_LEFT, MOST_SCORE, MOST_TILES, Numbers, joined
from verify.bound.plays import Plays
from verify.bound.turns import POINT, bounds_of, draw_all, no_recent, play_all, play_table
from verify.bound.words import BLANK, KINDS, Words
from verify.rules import Rules

Progress = Callable[[int, int], None]
_MOST_STATES = 300_000_000
_ROOM = 1 << 16  # states of one length that a thread keeps before it sorts them
_UNSETTLED = 4_000_000  # states of a layer and one number of left draws before equal ones are looked for


class SweepTooLargeError(Exception):
    """More states than memory is expected to hold; the message says where."""


class Layer:
    """The states with one number of tiles played that have been met so far, by left draws."""

    def __init__(self) -> None:
        self._parts: dict[int, list[Numbers]] = {}
        self._room: dict[int, int] = {}

    def add(self, left: int, states: Numbers) -> None:
        """Add states, each once and ascending."""
        parts = self._parts.setdefault(left, [])
        parts.append(states)
        if sum(map(len, parts)) > self._room.get(left, _UNSETTLED):
            self._parts[left] = [joined(parts)]
            self._room[left] = _UNSETTLED + 2 * len(self._parts[left][0])

    def lefts(self) -> list[int]:
        """The left draws of its states."""
        return sorted(self._parts)

    def parts(self) -> dict[int, Numbers]:
        """Its states by left draws, each once."""
        for left, some in self._parts.items():
            self._parts[left] = [joined(some)]
        return {left: some[0] for left, some in self._parts.items()}

    def settled(self, left: int) -> Numbers:
        """The states with so many left draws, each once; forgets them."""
        return joined(self._parts.pop(left))


class Sweep:
    """All games of a puzzle that may score more than `claim` points."""

    def __init__(self, rules: Rules, judges: Judges, claim: int, progress: Progress, keeper: Keeper = NOTHING) -> None:
        """Raises `SweepTooLargeError` if the rack or the row, or what plays score, is too large for a number."""
        tiles, rack = len(rules.row), rules.rack_size
        if rack > MOST_TILES or tiles > MOST_LEFT or claim >= MOST_SCORE:
            raise SweepTooLargeError(f"racks of {rack} tiles, rows of {tiles}, {claim:,} points")
        values = np.zeros(KINDS, dtype=np.int64)
        for letter, value in rules.values.items():
            values[ord(letter) - ord("a")] = value
        self._rules, self._judges, self._claim, self._progress, self._keeper = rules, judges, claim, progress, keeper
        self._row = np.array([BLANK + 1 if tile == "?" else ord(tile) - ord("a") + 1 for tile in rules.row], dtype=np.int64)
        words, blanks = Words.of(rules), rules.row.count("?")
        try:
            self._table = play_table([Plays.of(words, length, values, blanks) for length in range(rack + 1)])
        except ValueError as error:
            raise SweepTooLargeError(str(error)) from error

    def best(self) -> int:
        """The best score of all games played here; it stops at the first layer with more than the claim.

        Raises `SweepTooLargeError` if there are too many states.
        """
        tiles = len(self._row)
        following, best, states = self._keeper.sweep() or (0, 0, {0: {0: np.zeros(1, dtype=np.uint64)}})
        layers: dict[int, Layer] = {}
        for played, lefts in states.items():
            for left, some in lefts.items():
                layers.setdefault(played, Layer()).add(left, some)
        with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
            for played in range(following, tiles + 1):
                if played in layers:
                    found = self._useful(layers.pop(played), played, pool)
                    best = max([best, *(score for score, _states in found.values())])
                    if best > self._claim:
                        break
                    useful = {left: some for left, (_score, some) in found.items() if len(some)}
                    if played < tiles:
                        self._play(useful, played, layers, pool)
                self._progress(played, tiles)
                if self._keeper.is_due():
                    self._keeper.keep_sweep(played + 1, best, {at: layer.parts() for at, layer in layers.items()})
        return best

    def _useful(self, layer: Layer, played: int, pool: ThreadPoolExecutor) -> dict[int, tuple[int, Numbers]]:
        """By left draws, the best score of a layer's states, and those whose bounds exceed the claim."""
        lefts = layer.lefts()
        outlooks = {left: self._judges.of_leaves(played, left) for left in lefts}

        def useful(left: int) -> tuple[int, Numbers]:
            states = layer.settled(left)
            bound = np.empty(len(states), dtype=np.int64)
            bounds_of(states, outlooks[left], bound)
            best = int((states & np.uint64(MOST_SCORE)).max())
            return best, states[bound >= self._least]

        found = dict(zip(lefts, pool.map(useful, lefts), strict=True))
        if (count := sum(len(some) for _best, some in found.values())) > _MOST_STATES:
            raise SweepTooLargeError(f"{count:,} states after {played} tiles")
        return found

    @property
    def _least(self) -> int:
        """The least bound of use, in thousandths of a point."""
        return (self._claim + 1) * POINT

    def _play(self, states: dict[int, Numbers], played: int, layers: dict[int, Layer], pool: ThreadPoolExecutor) -> None:
        """Make every draw and every play."""
        tiles, rack = len(self._row), self._rules.rack_size
        drawn = min(tiles, played + rack)
        lefts = sorted(states)
        targets = [0] if drawn == tiles else [*range(lefts[0], min(drawn, lefts[-1] + rack) + 1)] if lefts else []
        outlooks = {left: self._judges.outlook(played, drawn, left) for left in targets}

        def play(left: int) -> dict[int, Numbers]:
            near = [some for was, some in states.items() if drawn == tiles or was <= left <= was + rack]
            racks = []
            for some in near:
                room = np.empty(len(some), dtype=np.uint64)
                racks.append(joined([room[: draw_all(some, played, self._row, rack, left, room)]]))
            together = joined(racks)
            out, at, pieces = np.empty((MOST_TILES + 1, _ROOM), dtype=np.uint64), 0, dict[int, list[Numbers]]()
            recent = no_recent()
            while at < len(together):
                count = np.zeros(MOST_TILES + 1, dtype=np.int64)
                at = play_all(at, together, outlooks[left], self._least, self._table, recent, out, count)
                for length in np.flatnonzero(count).tolist():
                    pieces.setdefault(length, []).append(joined([out[length, : count[length]]]))
            return {length: joined(some) for length, some in pieces.items()}

        for left, found in zip(targets, pool.map(play, targets), strict=True):
            for length, children in found.items():
                layers.setdefault(played + length, Layer()).add(left, children)
