"""Certificates: files of plain lines with the prices of a bound, so that anyone can check it.

`docs/certificate.md` describes them.
"""

import hashlib
from bisect import bisect_right
from collections.abc import Sequence
from pathlib import Path
from string import ascii_lowercase

import numpy as np

from solver.bound.ascent import Bound
from solver.bound.kernels.completion_bounds import WHOLE, Window
from solver.bound.prices import Prices, linear
from solver.bound.sweeps.outlooks import FocusPrices
from solver.errors import RowdrawError
from solver.index.problem import Problem
from solver.model.tiles import BLANK, N_CODES, POINT, encode
from verify import RulesError
from verify.bound.certificate import (
    FIRST_LINE,
    HIGHEST_CLAIM,
    LONGEST_ROW,
    Certificate,
    Focus,
    read_certificate,
)
from verify.core import Puzzle
from verify.files import LARGEST_CERTIFICATE, read_file
from verify.rules import puzzle_digest

_TILES = ascii_lowercase + BLANK  # in the order of a line
_CODES = encode(_TILES)


def is_certifiable(problem: Problem, bound: Bound) -> bool:
    """Return whether a certificate can state the row and the bound."""
    return len(problem.puzzle.row) <= LONGEST_ROW and bound.points <= HIGHEST_CLAIM


def certificate(problem: Problem, bound: Bound) -> str:
    """Return the certificate of `bound`; `rowdraw verify` computes the bound again from it.

    Raises `RowdrawError` if the row is too long or the bound too high for a certificate.
    """
    puzzle = problem.puzzle
    if not is_certifiable(problem, bound):
        raise RowdrawError(
            f"no certificate for a bound of {bound.points:,} points on a row of "
            f"{len(puzzle.row)} tiles: expected at most {HIGHEST_CLAIM:,} points and "
            f"{LONGEST_ROW} tiles"
        )
    lines = [
        FIRST_LINE,
        f"row {puzzle.row}",
        f"rack {puzzle.rack_size}",
        _line("values", [puzzle.values.get(letter, 0) for letter in ascii_lowercase]),
        f"words {problem.lexicon.digest}",
        f"claim {bound.points}",
    ]
    _moments, sides, holds, _codes = bound.prices.leave.shape
    lines += [f"relaxation r3 {sides} {holds}"]
    for focus in (FocusPrices(0, WHOLE, bound.prices), *bound.foci):
        lines += _focus_lines(focus)
    body = "\n".join(lines) + "\n"
    return f"{body}end {hashlib.sha256(body.encode()).hexdigest()}\n"


def _focus_lines(focus: FocusPrices) -> list[str]:
    """Return the lines of a focus.

    They have its prices of leaves at those knots that states in its window need.
    """
    prices = focus.prices
    knots = prices.knots or range(len(prices.leave))
    # from the last one that is not after the first moment of the window
    needed = knots[max(0, bisect_right(knots, focus.window.first) - 1) :]
    lines = [
        _line("focus", [focus.played, *focus.window]),
        _line("tiles", prices.tile.tolist()),
        _line("knots", needed),
    ]
    for moment in needed:
        for side, hold in np.argwhere(prices.leave[moment].any(axis=-1)).tolist():
            fields: list[int | str] = [moment, side, hold]
            of_tile = prices.leave[moment, side, hold, _CODES].tolist()
            for tile, price in zip(_TILES, of_tile, strict=True):
                if price:
                    fields += [tile, price]
            lines.append(_line("leave", fields))
    return lines


def _line(name: str, fields: Sequence[int | str]) -> str:
    return " ".join([name, *map(str, fields)])


def subject_of(content: bytes) -> tuple[str, int] | None:
    """Return the digest of the puzzle that a certificate is about, and its claim.

    The digest is that of `verify.Rules`. Return None for anything else, or if it was changed.
    """
    try:
        read = read_certificate(content, "certificate")
    except RulesError:
        return None
    return _puzzle_digest(read), read.claim


def subject_on_file(path: Path) -> tuple[str, int] | None:
    """Return what `subject_of` does for the certificate at `path`; None if it cannot be read."""
    try:
        return subject_of(read_file(path, LARGEST_CERTIFICATE, as_input=False))
    except OSError:
        return None


def bound_of(problem: Problem, path: Path) -> Bound:
    """Read the bound of the certificate at `path`, without checking that it holds.

    Raises `RowdrawError` if the file cannot be read, is no certificate, was changed, or belongs to
    another puzzle.
    """
    try:
        read = read_certificate(read_file(path, LARGEST_CERTIFICATE), str(path))
    except OSError as error:
        raise RowdrawError(f"{path}: the certificate cannot be read ({error.strerror})") from error
    except RulesError as error:
        raise RowdrawError(str(error)) from error
    if _puzzle_digest(read) != problem.rules.digest:
        raise RowdrawError(
            f"{path}: the certificate belongs to another puzzle, with the row {read.row:.40}"
        )
    thousandths = read.claim * POINT + POINT - 1  # at most: a certificate states whole points
    whole, *others = (_prices_of(read, focus) for focus in read.foci)
    return Bound(whole.prices, thousandths, foci=tuple(others))


def _puzzle_digest(read: Certificate) -> str:
    values = dict(zip(ascii_lowercase, read.values, strict=True))
    return puzzle_digest(Puzzle(read.row, read.rack, values, frozenset()), read.words_hash)


def _prices_of(read: Certificate, focus: Focus) -> FocusPrices:
    """Return the prices of a focus."""
    at_knots = np.zeros((len(focus.knots), read.sides, read.holds, N_CODES), np.int64)
    for (moment, side, hold), priced in focus.leaves.items():
        for tile, price in priced.items():
            at_knots[focus.knots.index(moment), side, hold, encode(tile)] = price
    leave = linear(at_knots, focus.knots, len(read.row) + read.rack + 1)
    prices = Prices(np.array(focus.tiles), leave, focus.knots)
    return FocusPrices(focus.played, Window(*focus.window), prices)
