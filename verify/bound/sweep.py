"""Sweeps: all real games, as far as the relaxed game r3 does not rule them out.

A state is what the rest of a game depends on: tiles played, left draws, the leave. Its completion bound is its score + what the
tiles not played yet cost together + what the relaxed game brings from there + the worth of the leave; no game through it
scores more. Which of equal tiles a leave holds makes no difference to the game, so it may be taken to hold the cheapest.

States whose completion bound does not exceed the claim are dropped, all others played on in every way. The claim holds if no
game met on the way scores more.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from verify.bound.game import POINT, Game, Progress
from verify.bound.plays import MARK, MOST_TILES, Plays, place_of
from verify.bound.words import Ints, Words
from verify.rules import Rules

_AT_ONCE = 512  # racks
_MOST_STATES = 30_000_000
_TILE_BITS, _LEFT_BITS = 5, 14

Keys = npt.NDArray[np.uint64]


class SweepTooLargeError(Exception):
    """More states than memory is expected to hold; the message says where."""


@dataclass(frozen=True)
class States:
    """tiles: kinds + 1 of each leave or rack, descending, 0 behind, int8, shape (n, rack); left: draws; score: in points."""

    tiles: npt.NDArray[np.int8]
    left: Ints
    score: Ints

    def __len__(self) -> int:
        return len(self.score)

    def at(self, chosen: Ints | slice) -> "States":
        """Some of them."""
        return States(self.tiles[chosen], self.left[chosen], self.score[chosen])


def best_of_each(states: States) -> States:
    """Each leave, or rack, with its left draws once, with its best score."""
    key = states.left.astype(np.uint64)
    for place in range(states.tiles.shape[1]):
        key = (key << np.uint64(_TILE_BITS)) | states.tiles[:, place].astype(np.uint64)
    order = np.lexsort((-states.score, key))
    key = key[order]
    first = np.ones(len(key), dtype=np.bool_)
    first[1:] = key[1:] != key[:-1]
    return states.at(order[first])


class Sweep:
    """All games of a puzzle that may score more than `claim` points."""

    def __init__(self, rules: Rules, game: Game, claim: int, progress: Progress) -> None:
        """Raises `SweepTooLargeError` where rack or row are larger than a key has room for."""
        if rules.rack_size > MOST_TILES or len(rules.row) >= 1 << _LEFT_BITS:
            raise SweepTooLargeError(f"racks of {rules.rack_size} tiles and rows of {len(rules.row)}")
        self._rules, self._game, self._claim, self._progress = rules, game, claim, progress
        self._row = np.array(game.row, dtype=np.int8)
        self._plays = Plays.of(Words.of(rules), game.values // POINT, rules.row.count("?"))
        in_mask = np.arange(1 << rules.rack_size)[:, None] >> np.arange(rules.rack_size) & 1
        self._played_by_mask = in_mask.astype(np.bool_)
        self._masks = [np.flatnonzero(in_mask.sum(axis=1) == length) for length in range(rules.rack_size + 1)]

    def best(self) -> int:
        """The best score of the games met, or the first one that is more than the claim: without such, the claim holds."""
        tiles, rack = len(self._row), self._rules.rack_size
        start = States(np.zeros((1, rack), dtype=np.int8), np.zeros(1, dtype=np.int64), np.zeros(1, dtype=np.int64))
        layers: dict[int, list[States]] = {0: [start]}
        best = 0
        for played in range(tiles + 1):
            met = layers.pop(played, [])
            if met:
                states = best_of_each(_joined(met))
                best = max(best, int(states.score.max()))
                if best > self._claim:
                    break
                if played < tiles:
                    self._play(states, played, layers)
            self._progress(played, tiles)
        return best

    def _play(self, states: States, played: int, layers: dict[int, list[States]]) -> None:
        drawn = min(len(self._row), played + self._rules.rack_size)
        for left, racks in self._draw(states, played, drawn):
            for first in range(0, len(racks), _AT_ONCE):
                for length, children in self._children(racks.at(slice(first, first + _AT_ONCE)), played, drawn, left):
                    layer = layers.setdefault(played + length, [])
                    layer.append(children)
                    if sum(map(len, layer)) > 2 * _MOST_STATES:
                        layer[:] = [best_of_each(_joined(layer))]
                        if len(layer[0]) > _MOST_STATES:
                            raise SweepTooLargeError(f"{len(layer[0]):,} states after {played + length} tiles")

    def _draw(self, states: States, played: int, drawn: int) -> list[tuple[int, States]]:
        """The racks after every draw, by left draws."""
        tiles, rack = len(self._row), self._rules.rack_size
        held = (states.tiles > 0).sum(axis=1)
        by_left: dict[int, list[States]] = {}
        for number, was in set(zip(held.tolist(), states.left.tolist(), strict=True)):
            some = states.at(np.flatnonzero((held == number) & (states.left == was)))
            before = played + number
            right = before - was
            for from_left in range(drawn - before + 1):
                if drawn == tiles:
                    new, now = (self._row[was : tiles - right] if before < tiles else self._row[:0]), 0
                else:
                    from_right = drawn - before - from_left
                    new = np.concatenate(
                        [self._row[was : was + from_left], self._row[tiles - right - from_right : tiles - right]]
                    )
                    now = was + from_left
                full = np.zeros((len(some), rack), dtype=np.int8)
                full[:, :number] = some.tiles[:, :number]
                full[:, number : number + len(new)] = new + 1
                racks = States(-np.sort(-full, axis=1), np.full(len(some), now), some.score)
                by_left.setdefault(now, []).append(racks)
                if drawn == tiles:
                    break
        return [(left, best_of_each(_joined(racks))) for left, racks in sorted(by_left.items())]

    def _children(self, racks: States, played: int, drawn: int, left: int) -> list[tuple[int, States]]:
        """The states after every play of the racks, as far as they are of use, by length of the play."""
        size = drawn - played
        tiles = racks.tiles[:, :size]
        marks = np.zeros((len(racks), 1), dtype=np.uint64)
        for place in range(size):
            marks = np.concatenate([marks, marks + MARK[tiles[:, place, None] - 1]], axis=1)
        same = ((tiles[:, 1:] == tiles[:, :-1]).astype(np.int64) << np.arange(size - 1)).sum(axis=1)
        cheapest = self._cheapest(tiles, drawn, left)
        to_come = self._game.to_come(drawn, left)
        target = (self._claim + 1) * POINT
        found = []
        for held in range(size):
            cost = cheapest + self._game.worth(drawn, left, held)[tiles - 1]
            masks = self._masks[size - held][self._masks[size - held] < 1 << size]
            is_kept = ~self._played_by_mask[masks, :size]
            # whole numbers far below 2 ** 53: floats add them without error, in whatever order
            bound = (cost.astype(np.float64) @ is_kept.T.astype(np.float64)).astype(np.int64)
            bound += (racks.score * POINT + int(to_come[held]))[:, None]
            # what the plays can score at most that share a place in the filter
            highest = self._plays.highest[place_of(marks[:, masks])]
            rack, column = np.nonzero((highest >= 0) & (bound + highest * POINT >= target))
            mask = masks[column]
            # of equal tiles the first ones are played
            once = (mask >> 1) & ~mask & same[rack] == 0
            rack, column, mask = rack[once], column[once], mask[once]
            points, real = self._plays.find(marks[rack, mask])
            useful = np.flatnonzero(real & (bound[rack, column] + points * POINT >= target))
            rack, column = rack[useful], column[useful]
            leave = np.zeros((len(useful), racks.tiles.shape[1]), dtype=np.int8)
            leave[:, :size] = -np.sort(-tiles[rack] * is_kept[column], axis=1)
            children = States(leave, np.full(len(useful), left), racks.score[rack] + points[useful])
            if len(children):
                found.append((size - held, children))
        return found

    def _cheapest(self, tiles: npt.NDArray[np.int8], drawn: int, left: int) -> Ints:
        """What each tile of the racks costs if the last of equal ones is the cheapest drawn: shape (racks, size)."""
        by_kind = self._game.drawn_prices(drawn, left)
        behind = np.zeros(tiles.shape, dtype=np.int64)
        for place in range(tiles.shape[1] - 2, -1, -1):
            behind[:, place] = np.where(tiles[:, place] == tiles[:, place + 1], behind[:, place + 1] + 1, 0)
        cost: Ints = by_kind[tiles - 1, behind]
        return cost


def _joined(parts: list[States]) -> States:
    return States(*(np.concatenate(column) for column in zip(*((s.tiles, s.left, s.score) for s in parts), strict=True)))
