"""The code that checks certificates makes the same of them as the plain recursion."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from string import ascii_lowercase
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.bound.games import TINY, WORDS, leaves, nodes, tiny
from tests.bound.plain import PlainCheck
from tests.reference import VALUES, best_by_tiles, rest_of
from verify.bound.certificate import Certificate, Focus
from verify.bound.foci import bound_of_prices, completions, covers, settled_games
from verify.bound.plays import leaves_after, play_tree
from verify.bound.states import Packed, one_tile, score_of, spelled, worths
from verify.bound.sweep import Sweep, _merged
from verify.bound.values import NONE, RelaxedGame
from verify.bound.words import KINDS, POINT, kind_of, word_arrays

Figures = dict[str, Any]


def plain_figures(certificate: Certificate) -> Figures:
    """What the plain recursion makes of a certificate."""
    check = PlainCheck(certificate, TINY)
    return {
        "bound": check.bound_of_prices,
        "values": [
            [focus.value(node) for node in nodes(certificate, focus.covers)] for focus in check.foci
        ],
        "worth": [
            [
                focus.completion(played, (left, leave), 0)
                for played, left, leave in leaves(certificate, focus.covers)
            ]
            for focus in check.foci
        ],
        "best": max(check.best(), certificate.claim),
    }


def silent(_done: int, _total: int) -> None:
    """Show no progress."""


def compiled_figures(certificate: Certificate) -> Figures:
    """What the code that runs makes of it; its sweep keeps more states, so no score is lower."""
    words = word_arrays(TINY, certificate.rack, certificate.values)
    games = settled_games(certificate, words, 1, silent)
    sweep = Sweep(certificate, words, games)
    return {
        "bound": bound_of_prices(games[0]),
        "values": [
            [int(game.value[node]) for node in nodes(certificate, partial(covers, game))]
            for game in games
        ],
        "worth": [
            [_completion(game, *state) for state in leaves(certificate, partial(covers, game))]
            for game in games
        ],
        "best": max(sweep.best(silent), certificate.claim),
    }


def _completion(game: RelaxedGame, played: int, left: int, leave: str) -> int:
    fixed, worth = completions(game, played + len(leave), left, len(leave))
    return int(fixed + sum(worth[kind_of(tile), leave.count(tile)] for tile in set(leave)))


def cases(seeds: range) -> Iterator[Certificate]:
    """Certificates that claim the best score, and others that claim a point less."""
    for seed in seeds:
        case = tiny(seed, longest=7)
        yield case
        yield tiny(seed, max(0, case.claim - 1), longest=7)


@pytest.mark.parametrize("first", [100, 200, 300])
def test_the_code_that_runs_and_the_plain_recursion_agree(
    first: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("verify.bound.sweep._WORTH_A_LOOK", 0)
    for case in cases(range(first, first + 16)):
        assert compiled_figures(case) == plain_figures(case)


TILES = ascii_lowercase + "?"


def test_a_sweep_that_prunes_nothing_finds_the_optimum() -> None:
    """With free tiles all states have useful bounds, and equal ones are met from many layers."""
    for seed in range(400, 420):
        case = tiny(seed)
        free = Focus(0, (0, 0, 0), (0,) * len(case.row), (0,), {})
        words = word_arrays(TINY, case.rack, case.values)
        for claim in {max(0, case.claim - 1), case.claim}:
            changed = replace(case, foci=(free,), claim=claim)
            games = settled_games(changed, words, 1, silent)
            best = Sweep(changed, words, games).best(silent)
            assert best == case.claim if claim < case.claim else best <= claim


def in_order(tiles: str) -> str:
    return "".join(sorted(tiles, key=kind_of))


def state(tiles: str, score: int) -> Packed:
    return np.add.reduce(
        [np.array([score, 0], dtype=np.uint64), *(one_tile(kind_of(tile)) for tile in tiles)]
    )


def unpacked(states: Packed) -> dict[str, int]:
    """The score of each state by its sorted tiles; no two have the same."""
    found = {}
    kinds = np.empty(KINDS, np.int64)
    copies = np.empty(KINDS, np.int64)
    for packed in states:
        count = spelled(packed, kinds, copies)
        found["".join(TILES[kinds[i]] * copies[i] for i in range(count))] = score_of(packed)
    assert len(found) == len(states)
    return found


def racks_of(size: int) -> st.SearchStrategy[dict[str, int]]:
    """Racks of a size with their scores."""
    racks = st.text("aeostz?", min_size=size, max_size=size).map(in_order)
    return st.dictionaries(racks, st.integers(0, 40), min_size=1, max_size=30)


scored_racks = st.integers(2, 7).flatmap(racks_of)


@given(st.lists(scored_racks, min_size=1, max_size=4))
def test_of_equal_states_found_in_parts_the_best_stays(parts: list[dict[str, int]]) -> None:
    best: Counter[str] = Counter()
    for part in parts:
        best |= Counter(part)
    packed = [np.array([state(*scored) for scored in part.items()]) for part in parts]
    found = unpacked(_merged(packed))
    assert found.keys() == set().union(*parts)
    assert Counter(found) == best


@given(scored_racks, st.integers(0, 10_000), st.integers(0, 90_000))
@settings(max_examples=60)
def test_every_leave_with_a_bound_of_interest_is_kept_with_its_best_score(
    racks: dict[str, int], seed: int, least: int
) -> None:
    """And no leave that plays do not reach, nor a score that none has."""
    rng = np.random.default_rng(seed)
    size = len(next(iter(racks)))
    words = word_arrays(WORDS, size, [VALUES.get(letter, 0) for letter in ascii_lowercase])
    row = np.zeros(KINDS, np.int64)
    worth = np.full((KINDS, size + 1), NONE, np.int64)
    worth[:, 0] = 0
    for tile in "aeostz?":
        count = max(rack.count(tile) for rack in racks)
        row[kind_of(tile)] = count
        worth[kind_of(tile), 1 : count + 1] = np.sort(rng.integers(0, 9000, count)).cumsum()
    fixed = rng.integers(0, 30_000, size + 1)
    shortest = int(rng.integers(1, size + 1))
    packed = np.array([state(rack, score) for rack, score in racks.items()])
    needed = least - worths(packed, worth)
    tree = play_tree(words, row)
    found = unpacked(leaves_after(tree, (shortest, size), worth, fixed, packed, needed))
    reached: dict[str, int] = {}
    for rack, score in racks.items():
        for tiles, points in best_by_tiles(rack, WORDS).items():
            if len(tiles) >= shortest:
                leave = in_order(rest_of(rack, tiles))
                reached[leave] = max(reached.get(leave, 0), score + points)
    assert all(score <= reached[leave] for leave, score in found.items())
    for leave, score in reached.items():
        held = sum(worth[kind_of(tile), count] for tile, count in Counter(leave).items())
        bound = POINT * score + fixed[size - len(leave)] + held
        assert bound < least or found[leave] == score
