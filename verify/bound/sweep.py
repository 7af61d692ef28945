"""The sweep: a search through all real games that the relaxed games of r3 do not rule out, see docs/certificate.md.

From each state of a layer the sweep makes every draw and every play, and keeps the states that may lead to more than the claim
by the prices for their parents' layer. It prunes them by all other prices that cover them when their own layer is played.
"""

import os
from collections.abc import Callable, Iterator, Sequence
from itertools import repeat

import numpy as np

from verify.bound.certificate import Certificate
from verify.bound.foci import Settled, completions, focus_for
from verify.bound.keeper import Keeper
from verify.bound.plays import gain_tree, play_all, play_tree
from verify.bound.states import Numbers, Packing, draw_all, highest_bound, joined, worthy
from verify.bound.values import NONE
from verify.bound.words import KINDS, POINT, Ints, WordArrays, kind_of
from verify.threads import ThreadPool

_MOST_STATES = 300_000_000
_ROOM = 1 << 16  # states after plays of one length that a thread collects before it sorts them
_WORTH_A_LOOK = 2_000  # states of a layer with one number of left draws that are bounded by all foci before they are played
_UNMERGED = 4_000_000  # states of a layer with one number of left draws before equal ones are merged

Layers = dict[int, dict[int, list[Numbers]]]
"""By tiles played and left draws: the states met so far, in arrays each without equal states."""


class SweepTooLargeError(Exception):
    """The sweep has more states than memory can hold, or states too large to pack; the message says where."""


class Sweep:
    """A search for games of a puzzle that score more than `claim` points."""

    def __init__(self, certificate: Certificate, words: WordArrays, foci: Sequence[Settled]) -> None:
        """Raises `SweepTooLargeError` if racks and scores are too large to pack into an integer."""
        self._foci, self._words = foci, words
        self._least = (certificate.claim + 1) * POINT
        self._kinds = sorted({kind_of(tile) for tile in certificate.row})
        self._digits = np.zeros(KINDS, dtype=np.int64)
        self._digits[self._kinds] = np.arange(len(self._kinds)) + 1
        bits = len(self._kinds).bit_length()
        row = self._digits[[kind_of(tile) for tile in certificate.row]]
        room = 64 - bits * certificate.rack
        best_play = max(certificate.values) * certificate.rack * (certificate.rack + 1) // 2
        if room < 0 or (certificate.claim + best_play).bit_length() > room:
            raise SweepTooLargeError(f"racks of {certificate.rack} tiles with {certificate.claim:,} points")
        self._packing = Packing(row, bits, room, certificate.rack)
        self._tree = play_tree(words, self._digits, certificate.row.count("?"), self._packing)

    def best(self, keeper: Keeper, progress: Callable[[int, int], None]) -> int:
        """Return the best score met; the sweep stops at the first layer with a score above the claim.

        Raises `SweepTooLargeError` if there are too many states.
        """
        tiles = len(self._packing.row)
        next_layer, best, layers = keeper.sweep() or (0, 0, {0: {0: [np.zeros(1, dtype=np.uint64)]}})
        with ThreadPool(os.cpu_count() or 1) as pool:
            for played in range(next_layer, tiles + 1):
                parts = layers.pop(played, {})
                lefts = dict(zip(parts, pool.map(self._merged, parts.values()), strict=True))
                if (count := sum(map(len, lefts.values()))) > _MOST_STATES:
                    raise SweepTooLargeError(f"{count:,} states after {played} tiles")
                best = max([best, *(int((some & np.uint64((1 << self._packing.score) - 1)).max()) for some in lefts.values())])
                if best * POINT >= self._least:
                    break
                if lefts and played < tiles:
                    self._play(lefts, played, layers, pool)
                progress(played, tiles)
                if keeper.is_due():
                    keeper.keep_sweep(played + 1, best, layers)
        return best

    def _merged(self, parts: list[Numbers]) -> Numbers:
        return joined(parts, self._packing)

    def _play(self, states: dict[int, Numbers], played: int, layers: Layers, pool: ThreadPool) -> None:
        """Make every draw and every play of a layer; add the states that they lead to to later layers."""
        tiles, rack = len(self._packing.row), self._packing.rack
        drawn = min(tiles, played + rack)
        useful = dict(zip(states, pool.map(lambda left: self._useful(states[left], played, left), states), strict=True))

        def play(left: int) -> dict[int, Numbers]:
            some = [
                draw_all(of_left, self._packing, played, was, left)
                for was, of_left in useful.items()
                if drawn == tiles or was <= left <= was + rack
            ]
            return self._played(np.concatenate(some), played, drawn, left)

        reached = {was + more for was in states for more in range(min(rack, drawn - was) + 1)}
        targets = [0] if drawn == tiles else sorted(reached)
        for left, by_length in zip(targets, pool.map(play, targets), strict=True):
            for length, children in by_length.items():
                parts = layers.setdefault(played + length, {}).setdefault(left, [])
                parts.append(children)
                if len(parts) > 1 and sum(map(len, parts)) > max(_UNMERGED, 2 * len(parts[0])):
                    parts[:] = [joined(parts, self._packing)]

    def _useful(self, states: Numbers, played: int, left: int) -> Numbers:
        """Return the states of a layer with these left draws that no focus rules out."""
        if len(states) < _WORTH_A_LOOK:
            return states
        held = np.arange(self._packing.rack)
        drawn = np.minimum(played + held, len(self._packing.row))
        for focus in sorted(self._foci, key=lambda focus: abs(focus.played - played)):
            covered = np.array([focus.covers(*place) for place in zip(drawn.tolist(), repeat(left))])
            if covered.any():
                come, worth = self._completions(focus, drawn[covered], left, held[covered])
                least = np.full(len(held) + 1, -NONE)
                least[held[covered]] = self._least - come
                worths = np.zeros((len(held) + 1, *worth.shape[1:]), dtype=np.int64)
                worths[held[covered]] = worth
                states = worthy(states, self._packing, worths, least)
        return states

    def _completions(self, focus: Settled, drawn: Ints, left: int, held: Ints) -> tuple[Ints, Ints]:
        """Return the parts of some completion bounds, see `completions`, with the worth of tiles by their digits."""
        come, worth = completions(focus.game, focus.most, drawn, left, held)
        by_digit = np.zeros((len(held), len(self._kinds) + 1, worth.shape[2]), dtype=np.int64)
        by_digit[:, 1:] = worth[:, self._kinds]
        return come, by_digit

    def _played(self, racks: Numbers, played: int, drawn: int, left: int) -> dict[int, Numbers]:
        """Play racks with the same number of tiles and of left draws; return the states not pruned, by length of the play."""
        if not len(racks):
            return {}
        size, rack = drawn - played, self._packing.rack
        focus = focus_for(self._foci, played, drawn, left)
        lengths = np.arange(size + 1)
        come, worth = self._completions(focus, np.full(size + 1, drawn), left, size - lengths)
        out, pieces = np.empty((rack + 1, _ROOM), dtype=np.uint64), dict[int, list[Numbers]]()
        for shortest, longest in _alike(worth):
            same = worth[shortest]
            plays = gain_tree(
                self._tree, shortest, longest, same, come, self._least - highest_bound(racks, self._packing, same)
            )
            needed = np.full(rack + 1, self._least - plays.most[0])
            some = joined([worthy(racks, self._packing, np.repeat(same[None], rack + 1, axis=0), needed)], self._packing)
            at = 0
            while at < len(some):
                at, count = play_all(some, at, self._packing, plays, same, self._least, out)
                for length in np.flatnonzero(count).tolist():
                    pieces.setdefault(length, []).append(joined([out[length, : count[length]]], self._packing))
        return {length: joined(parts, self._packing) for length, parts in pieces.items()}


def _alike(worth: Ints) -> Iterator[tuple[int, int]]:
    """Group the lengths from 1 on into ranges with the same worth of tiles; yield the shortest and the longest of each."""
    shortest = 1
    for length in range(2, len(worth) + 1):
        if length == len(worth) or (worth[length] != worth[shortest]).any():
            yield shortest, length - 1
            shortest = length
