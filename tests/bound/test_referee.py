"""The code that checks certificates makes the same of them as the plain recursion."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from tests.bound.games import TINY, leaves, nodes, tiny
from verify.bound.certificate import Certificate
from verify.bound.foci import Settled, bound_of_prices, completions, settled_foci
from verify.bound.keeper import Keeper
from verify.bound.plain import PlainCheck, PlainGame
from verify.bound.sweep import Sweep
from verify.bound.values import free_bound
from verify.bound.words import kind_of, word_arrays

KEEP_NOTHING = Keeper(None, "", print)
Figures = dict[str, Any]


def plain_figures(certificate: Certificate) -> Figures:
    """What the plain recursion makes of a certificate."""
    if certificate.width:
        return {"bound": PlainGame(certificate, TINY).free_bound()}
    check = PlainCheck(certificate, TINY)
    return {
        "bound": check.bound_of_prices,
        "values": [[some.value(node) for node in nodes(certificate, some.covers)] for some in check.foci],
        "worth": [
            [some.completion(played, (left, leave), 0) for played, left, leave in leaves(certificate, some.covers)]
            for some in check.foci
        ],
        "best": max(check.best(), certificate.claim),
    }


def compiled_figures(certificate: Certificate) -> Figures:
    """What the code that runs makes of it; its sweep keeps some more states, and so meets no lower score."""
    words = word_arrays(TINY, certificate.rack, certificate.values)
    if certificate.width:
        kinds = np.array([kind_of(tile) for tile in certificate.row], dtype=np.int64)
        prices = np.array(certificate.foci[0].tiles, dtype=np.int64)
        width, rack = certificate.width, certificate.rack
        return {"bound": free_bound(kinds, prices, rack, width, words, lambda _done, _total: None)}
    foci = settled_foci(certificate, words, 1, lambda _done, _total: None, KEEP_NOTHING)
    sweep = Sweep(certificate, words, foci)
    return {
        "bound": bound_of_prices(foci[0]),
        "values": [[int(some.most[node]) for node in nodes(certificate, some.covers)] for some in foci],
        "worth": [[_completion(some, *state) for state in leaves(certificate, some.covers)] for some in foci],
        "best": max(sweep.best(KEEP_NOTHING, lambda _done, _total: None), certificate.claim),
    }


def _completion(settled: Settled, played: int, left: int, leave: str) -> int:
    drawn, held = np.array([played + len(leave)]), np.array([len(leave)])
    come, worth = completions(settled.game, settled.most, drawn, left, held)
    return int(come[0] + sum(worth[0, kind_of(tile), leave.count(tile)] for tile in set(leave)))


def cases(seeds: range, longest: int = 9) -> Iterator[Certificate]:
    """Certificates that claim the best score, and others of the same puzzles that claim a point less."""
    for seed in seeds:
        case = tiny(seed, "r1" if seed % 3 == 0 else "r3", longest=longest)
        yield case
        yield tiny(seed, "r3", max(0, case.claim - 1), longest)


@pytest.mark.parametrize("seeds", [range(first, first + 40) for first in (100, 200, 300)], ids=lambda seeds: seeds.start)
def test_the_code_that_runs_and_the_plain_recursion_agree(seeds: range, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("verify.bound.sweep._WORTH_A_LOOK", 0)
    for case in cases(seeds, longest=7):
        assert compiled_figures(case) == plain_figures(case)
