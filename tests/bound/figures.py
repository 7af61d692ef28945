"""The figures of fixed tiny certificates, by the plain recursion and by the code that runs: printed, to be compared."""

import json
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np

from tests.bound.tiny import WORDS, tiny, tiny_text
from verify.bound import sweep as sweep_module
from verify.bound.certificate import Certificate, read_certificate
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
        return {"bound": PlainGame(certificate, WORDS).free_bound()}
    check = PlainCheck(certificate, WORDS)
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
    words = word_arrays(WORDS, certificate.rack, certificate.values)
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


def nodes(certificate: Certificate, covers: Any) -> list[tuple[int, int, int]]:
    """All states of a relaxed game but the first."""
    tiles, rack = len(certificate.row), certificate.rack
    last = [(tiles, 0, held) for held in range(min(rack, tiles) + 1)]
    others = [(drawn, left) for drawn in range(rack, tiles) for left in range(drawn + 1) if covers(drawn, left)]
    return [*last, *((drawn, left, held) for drawn, left in others for held in range(rack))]


def leaves(certificate: Certificate, covers: Any) -> list[tuple[int, int, str]]:
    """A leave of the last tiles drawn, or of the first, for each state of a relaxed game."""
    found = []
    for drawn, left, held in nodes(certificate, covers):
        row, tiles = certificate.row, len(certificate.row)
        near = row if drawn == tiles else row[:left] + row[tiles - (drawn - left) :]
        if held < certificate.rack:
            found += [(drawn - held, left, "".join(sorted(some))) for some in {near[:held], near[len(near) - held :]}]
    return sorted(found)


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


def figures_of_short_rows(which: str) -> list[Figures]:
    """The figures of a few fixed cases, fast even without compiled code, and whether a changed file is noticed."""
    make = plain_figures if which == "plain" else compiled_figures
    changed = tiny_text(1).replace("rack ", "rack 1")
    is_unchanged = read_certificate(changed.encode(), "changed.txt").is_unchanged
    return [*map(make, cases(range(24), longest=6)), {"unchanged": is_unchanged}]


if __name__ == "__main__":
    sweep_module._WORTH_A_LOOK = 0
    print(json.dumps(figures_of_short_rows(sys.argv[1])))
