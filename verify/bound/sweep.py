"""Sweeps: all real games, as far as the relaxed game r3 does not rule them out.

A state is what the rest of a game depends on: tiles played, left draws, the leave. Its completion bound is its score + the
prices of all tiles not played yet + what the relaxed game brings from there + the worth of the leave. No game through the state
scores more. It makes no difference to a game which of equal tiles a leave holds, so we may say that it holds the cheapest.

States whose completion bound does not exceed the claim are dropped. From all others every draw and every play is made. The
claim holds if none of these games scores more.
"""

import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np
import numpy.typing as npt

from verify.bound.game import POINT, Progress, RelaxedGame
from verify.bound.plays import MARK, MOST_TILES, Plays
from verify.bound.words import Ints, Words
from verify.rules import Rules

_AT_ONCE = 1_600  # racks
_FEW = 32  # if fewer racks are alike, they share a batch with others
_MOST_STATES = 30_000_000
_UNSETTLED = 4_000_000  # a layer takes at least so many states before it looks for equal ones
_TILE_BITS, _LEFT_BITS = np.uint64(5), 14
_LEFT = np.uint64(MOST_TILES * 5)  # the place of the left draws in a key, in bits
_TILE = np.uint64((1 << 5) - 1)
_HALF = MOST_TILES // 2  # tiles in the first half of a rack
_NEAR = (1 << _HALF) - 1

Keys = npt.NDArray[np.uint64]
Tiles = npt.NDArray[np.int64]


class SweepTooLargeError(Exception):
    """More states than memory is expected to hold; the message says where."""


@dataclass(frozen=True)
class States:
    """States, or racks, shape (n,).

    key: left draws << 50 | the tiles of each leave or rack, kinds + 1, five bits each, ascending, the last one lowest.
    score: in points.
    """

    key: Keys
    score: Ints

    def __len__(self) -> int:
        return len(self.score)

    def at(self, chosen: Ints | slice) -> "States":
        """Some of them."""
        return States(self.key[chosen], self.score[chosen])

    @property
    def left(self) -> Ints:
        """Left draws."""
        return (self.key >> _LEFT).astype(np.int64)

    def tiles(self, most: int) -> Tiles:
        """Kinds + 1 of up to `most` tiles, ascending, 0 where there are none: shape (n, most)."""
        places = np.arange(most - 1, -1, -1, dtype=np.uint64) * _TILE_BITS
        return (self.key[:, None] >> places & _TILE).astype(np.int64)

    @classmethod
    def joined(cls, parts: "list[States]") -> "States":
        """Each leave, or rack, with its left draws once, with its best score."""
        key, score = np.concatenate([part.key for part in parts]), np.concatenate([part.score for part in parts])
        order = np.argsort(key)
        key, score = key[order], score[order]
        first = np.flatnonzero(np.append(True, key[1:] != key[:-1])[: len(key)])
        return cls(key[first], np.maximum.reduceat(score, first) if len(first) else score)


class Layer:
    """The states with one number of tiles played that have been met so far."""

    def __init__(self, played: int) -> None:
        self._played = played
        self._parts: list[States] = []
        self._unsettled = 0
        self._room = _UNSETTLED

    def add(self, states: States) -> None:
        """Add states. Raises `SweepTooLargeError` if there are too many."""
        self._parts.append(states)
        self._unsettled += len(states)
        if self._unsettled > self._room:
            self._room = max(_UNSETTLED, len(self.settled()))

    def settled(self) -> States:
        """Each state once, with its best score. Raises `SweepTooLargeError` if there are too many."""
        states = States.joined(self._parts)
        if len(states) > _MOST_STATES:
            raise SweepTooLargeError(f"{len(states):,} states after {self._played} tiles")
        self._parts, self._unsettled = [states], 0
        return states


@dataclass(frozen=True)
class Outlook:
    """What the bounds need of the rest of the game after a draw, by left draws.

    to_come: by the tiles held after the play, see `RelaxedGame.to_come`, shape (lefts, rack + 1).
    worth: the price of each kind of tile in such a leave, shape (lefts, rack, KINDS).
    prices: the prices of the tiles drawn, by kind, ascending, shape (lefts, KINDS, rack).
    """

    to_come: Ints
    worth: Ints
    prices: Ints

    @classmethod
    def of(cls, game: RelaxedGame, drawn: int, rack: int) -> "Outlook":
        """The outlook once `drawn` tiles are drawn."""
        lefts = range(drawn + 1 if drawn < len(game.row) else 1)
        return cls(
            np.stack([game.to_come(drawn, left) for left in lefts]),
            np.stack([[game.worth(drawn, left, held) for held in range(rack)] for left in lefts]),
            np.stack([game.drawn_prices(drawn, left) for left in lefts]),
        )

    def cheapest(self, tiles: Tiles, left: Ints) -> Ints:
        """The price of each tile of the racks if the last one of equal tiles is the cheapest drawn: shape of `tiles`."""
        behind = np.zeros_like(tiles)
        for place in range(tiles.shape[1] - 2, -1, -1):
            behind[:, place] = np.where(tiles[:, place] == tiles[:, place + 1], behind[:, place + 1] + 1, 0)
        cost: Ints = self.prices[left[:, None], tiles - 1, behind]
        return cost


class Sweep:
    """All games of a puzzle that may score more than `claim` points."""

    def __init__(self, rules: Rules, game: RelaxedGame, claim: int, progress: Progress) -> None:
        """Raises `SweepTooLargeError` if the rack or the row is too large for a key."""
        if rules.rack_size > MOST_TILES or len(rules.row) >= 1 << _LEFT_BITS:
            raise SweepTooLargeError(f"racks of {rules.rack_size} tiles and rows of {len(rules.row)}")
        self._rules, self._game, self._claim, self._progress = rules, game, claim, progress
        self._row = np.array(game.row, dtype=np.int64)
        words, blanks = Words.of(rules), rules.row.count("?")
        self._plays = [Plays.of(words, length, game.values // POINT, blanks) for length in range(rules.rack_size + 1)]
        self._parts: dict[tuple[int, int], list[tuple[Ints, Ints]]] = {}
        self._threads = os.cpu_count() or 1

    def best(self) -> int:
        """The best score of all games played here; it stops at the first layer with more than the claim."""
        tiles = len(self._row)
        layers = {0: Layer(0)}
        layers[0].add(States(np.zeros(1, dtype=np.uint64), np.zeros(1, dtype=np.int64)))
        best = 0
        for played in range(tiles + 1):
            if played in layers:
                states = layers.pop(played).settled()
                best = max(best, int(states.score.max()))
                if best > self._claim:
                    break
                if played < tiles:
                    self._play(states, played, layers)
            self._progress(played, tiles)
        return best

    def _play(self, states: States, played: int, layers: dict[int, Layer]) -> None:
        drawn = min(len(self._row), played + self._rules.rack_size)
        racks, size = self._draw(states, played, drawn), drawn - played
        outlook = Outlook.of(self._game, drawn, self._rules.rack_size)
        batches = self._batches(racks, size)
        with ThreadPoolExecutor(self._threads) as pool:
            # only so many at once, so that what they find fits in memory
            while some := list(islice(batches, 8 * self._threads)):
                for found in pool.map(lambda batch: self._children(batch[1], size, batch[0], outlook), some):
                    for length, children in found:
                        layers.setdefault(played + length, Layer(played + length)).add(children)

    def _draw(self, states: States, played: int, drawn: int) -> States:
        """The racks after every draw."""
        tiles, rack = len(self._row), self._rules.rack_size
        held_tiles, lefts = states.tiles(rack), states.left
        held = (held_tiles > 0).sum(axis=1)
        racks = []
        for number in np.unique(held).tolist():
            chosen = np.flatnonzero(held == number)  # ascending by left draws, as keys are
            before = played + number
            for was in np.unique(lefts[chosen]).tolist():
                some = chosen[np.searchsorted(lefts[chosen], was) : np.searchsorted(lefts[chosen], was + 1)]
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
                    full[:, :number] = held_tiles[some, rack - number :]
                    full[:, number : number + len(new)] = new + 1
                    racks.append(States(_keys(np.sort(full, axis=1), now), states.score[some]))
                    if drawn == tiles:
                        break
        return States.joined(racks)

    def _batches(self, racks: States, size: int) -> Iterator[tuple[int, States]]:
        """Batches of racks, with bit i set if the tiles at places i and i + 1 are equal in all racks of a batch."""
        tiles = racks.tiles(size)
        same = ((tiles[:, 1:] == tiles[:, :-1]) << np.arange(size - 1)).sum(axis=1)
        count = np.bincount(same, minlength=1)
        # if only few racks are alike, they go with others, as if none of their tiles were equal
        same[count[same] < _FEW] = 0
        order = np.argsort(same, kind="stable")
        ends = np.append(np.flatnonzero(np.diff(same[order])) + 1, len(order))
        first = 0
        for end in ends.tolist():
            for at in range(first, end, _AT_ONCE):
                yield int(same[order[at]]), racks.at(order[at : min(end, at + _AT_ONCE)])
            first = end

    def _children(self, racks: States, size: int, alike: int, outlook: Outlook) -> list[tuple[int, States]]:
        """The states after every play of the racks, as far as they are of use, by length of the play."""
        tiles, left = racks.tiles(size), racks.left
        # sums over all subsets of each half of the tiles: a sum over any subset of the rack is one of each
        near, far = slice(0, _HALF), slice(_HALF, size)
        marks = MARK[tiles - 1]
        near_marks, far_marks = _sums(marks[:, near]), _sums(marks[:, far])
        near_leaves, far_leaves = _leaves(tiles[:, near]), _leaves(tiles[:, far])
        cheapest = outlook.cheapest(tiles, left)
        missing = (self._claim + 1 - racks.score) * POINT
        found = []
        for length, (played, kept) in enumerate(self._parted(size, alike), start=1):
            held = size - length
            cost = cheapest + outlook.worth[left[:, None], held, tiles - 1]
            lacking = missing - outlook.to_come[left, held]
            lacking = lacking - _sums(cost[:, near])[kept & _NEAR] - _sums(cost[:, far])[kept >> _HALF]
            mark = near_marks[played & _NEAR] + far_marks[played >> _HALF]
            which, rack = np.nonzero(self._plays[length].at_most(mark) * POINT >= lacking)
            points = self._plays[length].find(mark[which, rack])
            useful = np.flatnonzero((points >= 0) & (points * POINT >= lacking[which, rack]))
            if len(useful):
                leave, rack = kept[which[useful]], rack[useful]
                bits = _TILE_BITS * np.bitwise_count(leave >> _HALF)
                key = near_leaves[leave & _NEAR, rack] << bits | far_leaves[leave >> _HALF, rack]
                key |= racks.key[rack] >> _LEFT << _LEFT
                # racks in a batch are much alike: five of six of their children are doubles
                found.append((length, States.joined([States(key, racks.score[rack] + points[useful])])))
        return found

    def _parted(self, size: int, alike: int) -> list[tuple[Ints, Ints]]:
        """Which places of a rack of `size` tiles are played and which are kept, by length of the play, from 1.

        Sets of places are written as bits. Of equal tiles only the choice with the last ones kept is made.
        """
        if (size, alike) not in self._parts:
            kept = np.arange(1 << size)
            kept = kept[kept & ~(kept >> 1) & alike == 0]
            by_length = [kept[np.bitwise_count(kept) == size - length] for length in range(1, size + 1)]
            self._parts[size, alike] = [((1 << size) - 1 ^ some, some) for some in by_length]
        return self._parts[size, alike]


def _sums(terms: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The sums over all subsets of the terms of each rack, shape (racks, k): shape (2 ** k, racks)."""
    sums = np.zeros((1, len(terms)), dtype=terms.dtype)
    for term in terms.T:
        sums = np.concatenate([sums, sums + term])
    return sums


def _leaves(tiles: Tiles) -> Keys:
    """The keys of all subsets of the tiles of each rack, shape (racks, k): shape (2 ** k, racks)."""
    keys = np.zeros((1, len(tiles)), dtype=np.uint64)
    for tile in tiles.T.astype(np.uint64):
        keys = np.concatenate([keys, keys << _TILE_BITS | tile])
    return keys


def _keys(tiles: npt.NDArray[np.int8], left: int) -> Keys:
    """The keys of leaves or racks of ascending tiles, 0 where there are none: shape (n,)."""
    key = np.zeros(len(tiles), dtype=np.uint64)
    for place in range(tiles.shape[1]):
        key = (key << _TILE_BITS) | tiles[:, place].astype(np.uint64)
    return key | (np.uint64(left) << _LEFT)
