"""Sweeps: a search through all real games that the relaxed games of r3 do not rule out.

A state is what the rest of a game depends on: tiles played, left draws, the leave. Its completion bound is its score + the
prices of all tiles not played yet + the value of the relaxed game from there + the worth of the leave. No game through the
state scores more. It does not matter which of equal tiles a leave holds, so we assume that it holds the cheapest.

The sweep prunes a state as soon as its completion bound does not exceed the claim, by the prices for the layer before it or for
its layer; and before it plays many states, by any prices that cover them. It also drops states that a state with one more
blank dominates, see `verify.bound.dominance`. From all other states it makes every draw and every play. The claim holds if none
of these games scores more. A few more states than these are kept, see `verify.bound.gainful`.
"""

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import repeat

import numpy as np

from verify.bound.checkpoints import KEEP_NOTHING, Keeper
from verify.bound.dominance import drop_dominated, most_lost
from verify.bound.drawing import are_leaves, draw_all
from verify.bound.foci import Judges, Outlook
from verify.bound.gainful import GainTree, PlayPrices, gain_tree, highest_worth, whole_tree
from verify.bound.numbers import MOST_LEFT, MOST_SCORE, MOST_TILES, Numbers, joined, spell
from verify.bound.play_tree import play_tree
from verify.bound.playing import no_recent, play_all
from verify.bound.pruning import drop_ruled_out
from verify.bound.relaxed_game import POINT
from verify.bound.word_arrays import Ints, WordArrays, kinds_of, values_of
from verify.replay.rules import Rules
from verify.threads import ThreadPool

Progress = Callable[[int, int], None]
_MOST_STATES = 300_000_000
_ROOM = 1 << 16  # states after plays of one length that a thread collects before it sorts them
_FEW = 1 << 14  # up to this number of racks all plays are tried: building a tree of gains would take longer
_WORTH_A_LOOK = 2_000  # states of a layer with one number of left draws that are judged by all foci before they are played
_UNSETTLED = 4_000_000  # states of a layer with one number of left draws before duplicates are merged


class SweepTooLargeError(Exception):
    """The sweep has more states than memory can hold, or states too large to pack; the message says where."""


class LayerStates:
    """The states met so far with one number of tiles played, by left draws."""

    def __init__(self) -> None:
        self._parts: dict[int, list[Numbers]] = {}
        self._room: dict[int, int] = {}

    def add(self, left: int, states: Numbers) -> None:
        """Add distinct ascending states."""
        parts = self._parts.setdefault(left, [])
        parts.append(states)
        if sum(map(len, parts)) > self._room.get(left, _UNSETTLED):
            self._parts[left] = [joined(parts)]
            self._room[left] = _UNSETTLED + 2 * len(self._parts[left][0])

    def lefts(self) -> list[int]:
        """Return the left draws of the states, ascending."""
        return sorted(self._parts)

    def parts(self) -> dict[int, Numbers]:
        """Return the distinct states by left draws."""
        for left, some in self._parts.items():
            self._parts[left] = [joined(some)]
        return {left: some[0] for left, some in self._parts.items()}

    def settled(self, left: int) -> Numbers:
        """Remove and return the distinct states with `left` left draws."""
        return joined(self._parts.pop(left))


class ClaimSweep:
    """A search for games of a puzzle that score more than `claim` points."""

    def __init__(self, rules: Rules, judges: Judges, claim: int, progress: Progress, keeper: Keeper = KEEP_NOTHING) -> None:
        """Raises `SweepTooLargeError` if the rack, the row or the score of a play is too large to pack into an integer."""
        tiles, rack = len(rules.row), rules.rack_size
        if rack > MOST_TILES or tiles > MOST_LEFT or claim >= MOST_SCORE:
            raise SweepTooLargeError(f"racks of {rack} tiles, rows of {tiles}, {claim:,} points")
        self._rules, self._judges, self._claim, self._progress, self._keeper = rules, judges, claim, progress, keeper
        self._row = kinds_of(rules) + 1
        words, values = WordArrays.of(rules), values_of(rules)
        self._most_lost = most_lost(words, values)
        try:
            self._plays = play_tree(words, values, rules.row.count("?"))
        except ValueError as error:
            raise SweepTooLargeError(str(error)) from error
        self._whole = whole_tree(self._plays)

    def best(self) -> int:
        """Return the best score met; the sweep stops at the first layer with a score above the claim.

        Raises:
            SweepTooLargeError: The sweep has too many states.
            RulesError: A kept sweep cannot be used.
        """
        tiles = len(self._row)
        following, best, states = self._keeper.sweep(self._fit) or (0, 0, {0: {0: np.zeros(1, dtype=np.uint64)}})
        layers: dict[int, LayerStates] = {}
        for played, lefts in states.items():
            for left, some in lefts.items():
                layers.setdefault(played, LayerStates()).add(left, some)
        with ThreadPool(os.cpu_count() or 1) as pool:
            for played in range(following, tiles + 1):
                if played in layers:
                    lefts = self._settled(layers.pop(played), played, pool)
                    best = max([best, *(int((some & np.uint64(MOST_SCORE)).max()) for some in lefts.values())])
                    if best > self._claim:
                        break
                    if played < tiles:
                        self._play(lefts, played, layers, pool)
                self._progress(played, tiles)
                if self._keeper.is_due():
                    self._keeper.keep_sweep(played + 1, best, {at: layer.parts() for at, layer in layers.items()})
        return best

    def _fit(self, played: int, left: int, states: Numbers) -> bool:
        """Return whether kept states can occur in a layer."""
        some = (states[first : first + _UNSETTLED] for first in range(0, len(states), _UNSETTLED))
        return all(are_leaves(part, spell(part), played, self._row, self._rules.rack_size, left) for part in some)

    def _settled(self, layer: LayerStates, played: int, pool: ThreadPoolExecutor) -> dict[int, Numbers]:
        """Return the states of a layer by left draws. Raises `SweepTooLargeError` if they are too many."""
        lefts = layer.lefts()
        states = dict(zip(lefts, pool.map(layer.settled, lefts), strict=True))
        if (count := sum(map(len, states.values()))) > _MOST_STATES:
            raise SweepTooLargeError(f"{count:,} states after {played} tiles")
        return states

    def _play(self, states: dict[int, Numbers], played: int, layers: dict[int, LayerStates], pool: ThreadPoolExecutor) -> None:
        """Make every draw and every play of a layer; add the resulting states to later layers."""
        tiles, rack = len(self._row), self._rules.rack_size
        drawn = min(tiles, played + rack)
        lefts = sorted(states)
        targets = [0] if drawn == tiles else range(lefts[0], min(drawn, lefts[-1] + rack) + 1)
        self._judges.forget(played)
        leaves = dict(zip(lefts, pool.map(self._useful, repeat(played), lefts, (states[was] for was in lefts)), strict=True))
        # by length of the play, the outlook of the layer that it leads to; created before threads need it
        outlooks = {
            left: [self._judges.outlook(played + length, drawn, left) for length in range(drawn - played + 1)]
            for left in targets
        }

        def play(left: int) -> dict[int, Numbers]:
            racks = []
            for was in lefts:
                if drawn == tiles or was <= left <= was + rack:
                    some, spelled = leaves[was]
                    room = np.empty(len(some), dtype=np.uint64)
                    racks.append(room[: draw_all(some, spelled, played, self._row, rack, left, room)])
            return self._played(*self._undominated(joined(racks)), outlooks[left])

        for left, by_length in zip(targets, pool.map(play, targets), strict=True):
            for length, children in by_length.items():
                layers.setdefault(played + length, LayerStates()).add(left, children)

    def _useful(self, played: int, left: int, states: Numbers) -> tuple[Numbers, Numbers]:
        """Return the states of a layer with these left draws that are worth playing; `states` is overwritten."""
        some, spelled = self._undominated(states)
        if len(some) < _WORTH_A_LOOK:
            return some, spelled
        kept = drop_ruled_out(some, spelled, *self._judges.by_focus(played, left), (self._claim + 1) * POINT)
        return some[:kept], spelled[:kept]

    def _undominated(self, states: Numbers) -> tuple[Numbers, Numbers]:
        """Return the undominated of some states or racks, and their tiles; `states` is overwritten."""
        spelled = spell(states)
        kept = drop_dominated(states, spelled, self._most_lost)
        return states[:kept], spelled[:kept]

    def _played(self, racks: Numbers, spelled: Numbers, outlooks: list[Outlook]) -> dict[int, Numbers]:
        """Play racks with the same number of tiles and of left draws; return the states not pruned, by length of the play.

        Args:
            racks: The racks.
            spelled: Their tiles.
            outlooks: By length of the play, the outlook after it; the first one is for the layer before the play.
        """
        size, least = len(outlooks) - 1, (self._claim + 1) * POINT
        before = [outlooks[0]] * len(outlooks)
        prices = PlayPrices(1, size, *_by_length(before), *_by_length(outlooks))
        out, pieces, recent = np.empty((MOST_TILES + 1, _ROOM), dtype=np.uint64), dict[int, list[Numbers]](), no_recent()

        def play(plays: GainTree, prices: PlayPrices) -> None:
            at = 0
            while at < len(racks):
                at, count = play_all(at, racks, spelled, plays, prices, least, recent, out)
                for made in np.flatnonzero(count).tolist():
                    pieces.setdefault(made, []).append(joined([out[made, : count[made]]]))

        if len(racks) <= _FEW:
            play(self._whole, prices)
        else:
            for shortest, longest in _alike(prices.worth):
                some = prices._replace(shortest=shortest, longest=longest)
                play(gain_tree(self._plays, some, least - highest_worth(racks, spelled, prices.worth[shortest])), some)
        return {made: joined(some) for made, some in pieces.items()}


def _by_length(outlooks: list[Outlook]) -> tuple[Ints, Ints]:
    """Return the worth of tiles and the value of the rest of the game after a play of each length."""
    size = len(outlooks) - 1
    worth = np.stack([outlook.worth[size - length] for length, outlook in enumerate(outlooks)])
    return worth, np.array([outlook.to_come[size - length] for length, outlook in enumerate(outlooks)], dtype=np.int64)


def _alike(worth: Ints) -> Iterator[tuple[int, int]]:
    """Group the lengths from 1 on into ranges with the same worth of tiles; yield the shortest and the longest of each."""
    shortest = 1
    for length in range(2, len(worth) + 1):
        if length == len(worth) or (worth[length] != worth[shortest]).any():
            yield shortest, length - 1
            shortest = length
