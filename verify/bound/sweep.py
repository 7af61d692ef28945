"""The sweep: a search through all real games that the relaxed games of r3 do not rule out, see docs/certificate.md.

From each state of a layer the sweep makes every draw and every play, and keeps the states that may lead to more than the claim
by the prices for their parents' layer. It prunes them by all other prices that cover them when their own layer is played.
"""

import os
from collections.abc import Callable, Mapping, Sequence
from itertools import groupby
from math import comb

import numpy as np

from verify.bound.certificate import Certificate
from verify.bound.foci import completions, covers, game_for
from verify.bound.plays import leaves_after, play_tree
from verify.bound.states import MOST_SCORE, Numbers, above, joined, one_tile, sizes, worths
from verify.bound.values import RelaxedGame
from verify.bound.words import KINDS, POINT, WordArrays, kind_of
from verify.threads import ThreadPool

Place = tuple[int, int]
"""Where states are: left draws, and tiles held."""
Layers = dict[int, dict[Place, list[Numbers]]]
"""By tiles played and place: the states met so far, in arrays each without equal states."""

_MOST_STATES = 300_000_000
_MOST_WAYS = 500_000_000  # to lay down a word with any letters as blanks: racks of 12 and 13 blanks have 300 million
_WORTH_A_LOOK = (
    300  # states with the same tiles drawn that are bounded by all foci before they are played
)


class SweepTooLargeError(Exception):
    """The sweep has more states or plays than memory can hold, or scores too large to count; the message says which."""


class Sweep:
    """A search for games of a puzzle that score more than `claim` points."""

    def __init__(
        self, certificate: Certificate, words: WordArrays, games: Sequence[RelaxedGame]
    ) -> None:
        """Raises `SweepTooLargeError` if scores are too large to count, or there are too many plays."""
        self._games, self._rack = games, certificate.rack
        self._least = (certificate.claim + 1) * POINT
        best_play = max(certificate.values) * certificate.rack * (certificate.rack + 1) // 2
        if certificate.claim + best_play > MOST_SCORE:
            raise SweepTooLargeError(f"scores above {MOST_SCORE:,} points")
        blanks, lengths = certificate.row.count("?"), np.diff(words.starts).tolist()
        ways = sum(
            count * comb(length, some)
            for length, count in enumerate(lengths)
            for some in range(min(blanks, length) + 1)
        )
        if ways > _MOST_WAYS:
            raise SweepTooLargeError(f"{ways:,} ways to lay down a word")
        kinds = [kind_of(tile) for tile in certificate.row]
        self._row = np.array([one_tile(kind) for kind in kinds], dtype=np.uint64)
        self._tree = play_tree(words, np.bincount(kinds, minlength=KINDS))

    def best(self, progress: Callable[[int, int], None]) -> int:
        """Return the best score met; the sweep stops at the first layer with a score above the claim.

        Raises `SweepTooLargeError` if there are too many states.
        """
        tiles = len(self._row)
        best, layers = 0, Layers({0: {(0, 0): [np.zeros((1, 2), dtype=np.uint64)]}})
        with ThreadPool(os.cpu_count() or 1) as pool:
            for played in range(tiles + 1):
                met = layers.pop(played, {})
                states = dict(zip(met, pool.map(_merged, met.values()), strict=True))
                if (count := sum(map(len, states.values()))) > _MOST_STATES:
                    raise SweepTooLargeError(f"{count:,} states after {played} tiles")
                best = max(
                    [
                        best,
                        *(
                            int((some[:, 0] & np.uint64(MOST_SCORE)).max())
                            for some in states.values()
                        ),
                    ]
                )
                if best * POINT >= self._least:
                    break
                if states and played < tiles:
                    self._play(states, played, layers, pool)
                progress(played, tiles)
        return best

    def _play(
        self, states: Mapping[Place, Numbers], played: int, layers: Layers, pool: ThreadPool
    ) -> None:
        """Make every draw and every play of a layer; add the states that they lead to to later layers."""
        tiles, rack = len(self._row), self._rack
        useful = dict(
            zip(
                states,
                pool.map(lambda place: self._useful(states[place], played, place), states),
                strict=True,
            )
        )
        drawn = min(tiles, played + rack)

        def play(left: int) -> dict[int, Numbers]:
            return self._played(self._racks(useful, played, drawn, left), played, drawn, left)

        reached = {
            left + more for left, held in useful for more in range(drawn - played - held + 1)
        }
        targets = [0] if drawn == tiles else sorted(reached)
        for left, by_held in zip(targets, pool.map(play, targets), strict=True):
            for held, leaves in by_held.items():
                layers.setdefault(drawn - held, {}).setdefault((left, held), []).append(leaves)

    def _racks(
        self, states: Mapping[Place, Numbers], played: int, drawn: int, left: int
    ) -> Numbers:
        """Return the racks after all draws that lead to some left draws, each once with its best score."""
        tiles, racks = len(self._row), [np.zeros((0, 2), dtype=np.uint64)]
        for (was, held), some in states.items():
            end = (
                tiles - (played + held - was) if played + held < tiles else 0
            )  # of the tiles not drawn yet
            to_draw = drawn - played - held
            from_left = to_draw if drawn == tiles else left - was
            if 0 <= from_left <= to_draw:
                new = [
                    *self._row[was : was + from_left],
                    *self._row[end - (to_draw - from_left) : end],
                ]
                racks.append(some + sum(new, start=np.zeros(2, dtype=np.uint64)))
        return joined(np.concatenate(racks))

    def _useful(self, states: Numbers, played: int, place: Place) -> Numbers:
        """Return the states of a layer in one place that no focus rules out."""
        left, held = place
        games = [game for game in self._games if covers(game, played + held, left)]
        if len(states) < _WORTH_A_LOOK or not games:
            return states
        parts = [completions(game, played + held, left, held) for game in reversed(games)]
        come, worth = (np.array(part) for part in zip(*parts, strict=True))
        return above(states, worth, self._least - come)

    def _played(self, racks: Numbers, played: int, drawn: int, left: int) -> dict[int, Numbers]:
        """Play racks with the same tiles drawn; return the states not pruned, by tiles held."""
        size, found = drawn - played, dict[int, Numbers]()
        if len(racks) == 0:
            return found
        game = game_for(self._games, played, drawn, left)
        parts = [completions(game, drawn, left, size - length) for length in range(size + 1)]
        come, worth = (np.array(part) for part in zip(*parts, strict=True))
        for _worth, lengths in groupby(range(1, size + 1), lambda length: worth[length].tobytes()):
            shortest, *longer = lengths
            needed = self._least - worths(racks, worth[shortest])
            both = shortest, shortest + len(longer)
            leaves = leaves_after(self._tree, both, worth[shortest], come, racks, needed)
            held = sizes(leaves)
            found |= {some: leaves[held == some] for some in np.unique(held).tolist()}
        return found


def _merged(parts: list[Numbers]) -> Numbers:
    """Return states that have been found in parts, each part without equal states."""
    return parts[0] if len(parts) == 1 else joined(np.concatenate(parts))
