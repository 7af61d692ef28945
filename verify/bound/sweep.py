"""The sweep: a search through all real games that the relaxed games do not rule out.

See docs/certificate.md. From each state of a layer the sweep makes every draw and every play, and
keeps the states that may lead to more than the claim by the prices for their parents' layer. It
prunes them by all other prices that cover them when their own layer is played.
"""

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import groupby
from math import comb

import numpy as np

from verify.bound.certificate import Certificate
from verify.bound.foci import completions, covers, game_for
from verify.bound.plays import leaves_after, play_tree
from verify.bound.states import MOST_SCORE, Packed, above, joined, one_tile, sizes, worths
from verify.bound.values import RelaxedGame
from verify.bound.words import BLANK_KIND, KINDS, POINT, Ints, WordArrays, kinds_of
from verify.threads import ThreadPool

Place = tuple[int, int]
"""Where states are: left draws, and tiles held."""
Layers = dict[int, dict[Place, list[Packed]]]
"""By tiles played and place: the states met so far, in arrays each without equal states."""

_MOST_STATES = 300_000_000
# to lay down a word with any letters as blanks: racks of 12 and 13 blanks have 300 million
_MOST_WAYS = 500_000_000
# states with the same tiles drawn that are bounded by all foci before they are played
_WORTH_A_LOOK = 300


class SweepTooLargeError(Exception):
    """The sweep needs more memory than there is; the message says for what."""


class Sweep:
    """A search for games of a puzzle that score more than `claim` points."""

    def __init__(
        self, certificate: Certificate, words: WordArrays, games: Sequence[RelaxedGame]
    ) -> None:
        """Raises `SweepTooLargeError` if there are too many plays."""
        self._games = games
        self._rack = certificate.rack
        self._floor = (certificate.claim + 1) * POINT
        kinds = kinds_of(certificate.row)
        row_counts = np.bincount(kinds, minlength=KINDS)
        ways = 0
        for length, count in enumerate(np.diff(words.starts).tolist()):
            most_blanks = min(int(row_counts[BLANK_KIND]), length)
            ways += count * sum(comb(length, blanks) for blanks in range(most_blanks + 1))
        if ways > _MOST_WAYS:
            raise SweepTooLargeError(f"{ways:,} ways to lay down a word")
        self._row = np.array([one_tile(kind) for kind in kinds])
        self._tree = play_tree(words, row_counts)

    def best(self, progress: Callable[[int, int], None]) -> int:
        """Return the best score met; the sweep stops at the first layer with one above the claim.

        Raises `SweepTooLargeError` if there are too many states.
        """
        tiles = len(self._row)
        layers: Layers = {0: {(0, 0): [np.zeros((1, 2), dtype=np.uint64)]}}
        best = 0
        with ThreadPool(os.cpu_count() or 1) as pool:
            for played in range(tiles + 1):
                met = layers.pop(played, {})
                states = dict(zip(met, pool.map(_merged, met.values()), strict=True))
                count = sum(map(len, states.values()))
                if count > _MOST_STATES:
                    raise SweepTooLargeError(f"{count:,} states after {played} tiles")
                for layer in states.values():
                    best = max(best, int((layer[:, 0] & np.uint64(MOST_SCORE)).max()))
                if best * POINT >= self._floor:
                    break
                if states and played < tiles:
                    self._play(states, played, layers, pool)
                progress(played, tiles)
        return best

    def _play(
        self, states: Mapping[Place, Packed], played: int, layers: Layers, pool: ThreadPool
    ) -> None:
        """Make every draw and play of a layer; add the states that they lead to to later layers."""
        drawn = min(len(self._row), played + self._rack)

        def useful_at(place: Place) -> Packed:
            return self._useful(states[place], played, place)

        def play(left: int) -> dict[int, Packed]:
            return self._played(self._racks(useful, played, drawn, left), played, drawn, left)

        useful = dict(zip(states, pool.map(useful_at, states), strict=True))
        lefts = {left + more for left, held in useful for more in range(drawn - played - held + 1)}
        if drawn == len(self._row):
            lefts = {0}
        for left, by_held in zip(lefts, pool.map(play, lefts), strict=True):
            for held, leaves in by_held.items():
                layers.setdefault(drawn - held, {}).setdefault((left, held), []).append(leaves)

    def _racks(self, states: Mapping[Place, Packed], played: int, drawn: int, left: int) -> Packed:
        """Return the racks after all draws to some left draws, each once with its best score."""
        tiles = len(self._row)
        racks = [np.zeros((0, 2), dtype=np.uint64)]
        for (was, held), leaves in states.items():
            before = played + held
            undrawn = self._row[was : tiles - (before - was)]
            to_draw = drawn - before
            from_left = to_draw if drawn == tiles else left - was
            from_right = to_draw - from_left
            if from_left >= 0 and from_right >= 0:
                new = [*undrawn[:from_left], *undrawn[len(undrawn) - from_right :]]
                racks.append(leaves + sum(new, start=np.zeros(2, dtype=np.uint64)))
        return joined(np.concatenate(racks))

    def _useful(self, states: Packed, played: int, place: Place) -> Packed:
        """Return the states of a layer in one place that no focus rules out."""
        left, held = place
        drawn = played + held
        games = [game for game in self._games if covers(game, drawn, left)]
        if len(states) < _WORTH_A_LOOK or not games:
            return states
        fixed, worth = _stacked(completions(game, drawn, left, held) for game in reversed(games))
        return above(states, worth, self._floor - fixed)

    def _played(self, racks: Packed, played: int, drawn: int, left: int) -> dict[int, Packed]:
        """Play racks with the same tiles drawn; return the states not pruned, by tiles held."""
        found: dict[int, Packed] = {}
        if len(racks) == 0:
            return found
        size = drawn - played
        game = game_for(self._games, played, drawn, left)
        fixed, worth = _stacked(
            completions(game, drawn, left, size - length) for length in range(size + 1)
        )
        # lengths of plays after which tiles have the same worth are played together
        for _worth, group in groupby(range(1, size + 1), lambda length: worth[length].tobytes()):
            lengths = [*group]
            after = worth[lengths[0]]
            needed = self._floor - worths(racks, after)
            limits = (lengths[0], lengths[-1])
            leaves = leaves_after(self._tree, limits, after, fixed, racks, needed)
            held = sizes(leaves)
            for number in np.unique(held).tolist():
                found[number] = leaves[held == number]
        return found


def _stacked(parts: Iterable[tuple[int, Ints]]) -> tuple[Ints, Ints]:
    """Return the parts of several completion bounds, each as one array."""
    fixed, worth = zip(*parts, strict=True)
    return np.array(fixed), np.array(worth)


def _merged(parts: list[Packed]) -> Packed:
    """Return states that have been found in parts, each part without equal states."""
    return parts[0] if len(parts) == 1 else joined(np.concatenate(parts))
