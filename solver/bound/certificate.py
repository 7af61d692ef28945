"""Certificates: files with the prices of a bound, so that anyone can check it."""

import hashlib
import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from solver.bound.ascent import Bound
from solver.bound.kernels.leave_prices import Window
from solver.bound.relaxations.kinds import RELAXATIONS
from solver.bound.relaxations.prices import HIGHEST, Prices, linear
from solver.bound.sweeps.outlooks import FocusPrices
from solver.errors import RackError, RecordError
from solver.files import MOST_NESTING
from solver.index.problem import Problem
from solver.model.statement import address_of
from solver.model.tiles import N_CODES, decode, encode
from solver.model.units import POINT
from verify.reading import LARGEST_CERTIFICATE, json_value, read_file

_MOST_CELLS = 16  # the most sides or holds


def certificate(problem: Problem, bound: Bound) -> str:
    """Return the certificate of `bound`, a JSON object; `rowdraw verify` computes the bound again from it."""
    puzzle = problem.puzzle
    named, row = address_of(puzzle)
    _moments, sides, holds, _codes = bound.prices.leave.shape
    prices_leaves = RELAXATIONS[bound.relaxation].prices_leaves
    fields: dict[str, Any] = {
        "certificate": "rowdraw bound",
        "puzzle": named,
        **({"row": row} if row else {}),
        "puzzle_hash": puzzle.digest(problem.lexicon.digest),
        "words_hash": problem.lexicon.digest,
        "relaxation": bound.relaxation,
        "parameters": bound.parameters | ({"sides": sides, "holds": holds} if prices_leaves else {}),
        "prices": {
            "tiles": [_decimal(price) for price in bound.prices.tile.tolist()],
            **({"leaves": _leaves(bound.prices.leave)} if prices_leaves else {}),
        },
        **({"bound_of_prices": _decimal(bound.of_prices)} if bound.of_prices is not None else {}),
        **({"foci": [_focus(focus) for focus in bound.foci]} if bound.foci else {}),
        "bound": _decimal(bound.thousandths),
    }
    fields["digest"] = _digest(fields)
    return "{\n" + ",\n".join(f"{json.dumps(key)}: {json.dumps(value)}" for key, value in fields.items()) + "\n}\n"


def _digest(fields: dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps(fields, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def bound_of(problem: Problem, path: Path) -> Bound:
    """Read the bound of the certificate at `path`, without checking that it holds.

    Raises `RecordError` if the file cannot be read, is no certificate, was changed, or belongs to another puzzle.
    """
    tiles, rack = len(problem.puzzle.row), problem.puzzle.rack_size
    try:
        fields = json_value(read_file(path, LARGEST_CERTIFICATE), MOST_NESTING)
        of_puzzle, name, digest = fields["puzzle_hash"], fields["puzzle"], fields.pop("digest", None)
    except OSError as error:
        raise RecordError(f"{path}: the certificate cannot be read ({error.strerror})") from error
    except ValueError as error:
        raise RecordError(f"{path}: no certificate ({error})") from error
    except (KeyError, TypeError, AttributeError) as error:
        raise RecordError(f"{path}: no certificate: expected an object with puzzle and puzzle_hash") from error
    if of_puzzle != problem.puzzle.digest(problem.lexicon.digest):
        raise RecordError(f"{path}: the certificate belongs to another puzzle, {name!r:.60}")
    if digest != _digest(fields):
        raise RecordError(f"{path}: the certificate was changed after it was made: its digest does not match")
    try:
        tile = np.array([_thousandths(price) for price in _list(fields["prices"]["tiles"])], dtype=np.int64)
        sides, holds = (int(fields["parameters"].get(name, 1)) for name in ("sides", "holds"))
        if not (1 <= sides <= _MOST_CELLS and 1 <= holds <= _MOST_CELLS):
            raise ValueError(f"sides {sides}, holds {holds}: expected 1 to {_MOST_CELLS}")
        shape = (tiles + rack + 1, sides, holds, N_CODES)
        leave = _leave_of(fields["prices"].get("leaves", []), shape)
        foci = [_focus_of(focus, shape, tiles) for focus in _list(fields.get("foci", []))]
        parameters = {name: value for name, value in fields["parameters"].items() if name not in ("sides", "holds")}
        of_prices = fields.get("bound_of_prices")
        bound = Bound(
            str(fields["relaxation"]),
            parameters,
            _thousandths(fields["bound"]),
            Prices(tile, leave),
            None if of_prices is None else _thousandths(of_prices),
            tuple(foci),
        )
    except (ValueError, KeyError, TypeError, IndexError, AttributeError, ArithmeticError, RackError) as error:
        raise RecordError(f"{path}: no certificate that prices can be taken from ({type(error).__name__}: {error})") from error
    if tile.shape != (tiles,):
        raise RecordError(f"{path}: {len(tile)} prices of tiles: expected {tiles}")
    return bound


def _leave_of(entries: Any, shape: tuple[int, int, int, int]) -> npt.NDArray[np.int64]:
    leave = np.zeros(shape, dtype=np.int64)
    for moment, side, hold, by_tile in _list(entries):
        for letter, price in by_tile.items():
            leave[moment, side, hold, encode(letter)[0]] = _thousandths(price)
    return leave


def _focus_of(fields: Any, shape: tuple[int, int, int, int], tiles: int) -> FocusPrices:
    tile = np.array([_thousandths(price) for price in _list(fields["tiles"])], dtype=np.int64)
    knots = tuple(int(knot) for knot in _list(fields["knots"]))
    first, low, high = (int(figure) for figure in _list(fields["window"]))
    if tile.shape != (tiles,) or not (0 < first <= tiles and 0 <= low <= high <= tiles):
        raise ValueError(f"focus with {len(tile)} prices of tiles and window {first}, {low}, {high}")
    leave = linear(_leave_of(fields["leaves"], shape)[list(knots)], knots, shape[0])
    return FocusPrices(int(fields["played"]), Window(first, low, high), Prices(tile, leave, knots))


def _focus(focus: FocusPrices) -> dict[str, Any]:
    """Return a focus as JSON fields, with the prices at those knots that states in its window need."""
    prices = focus.prices
    before = [knot for knot in prices.knots if knot <= focus.window.first]
    knots = [*before[-1:], *(knot for knot in prices.knots if knot > focus.window.first)]
    at_knots = np.zeros_like(prices.leave)
    at_knots[knots] = prices.leave[knots]
    return {
        "played": focus.played,
        "window": list(focus.window),
        "knots": knots,
        "tiles": [_decimal(price) for price in prices.tile.tolist()],
        "leaves": _leaves(at_knots),
    }


def _leaves(leave: npt.NDArray[np.int64]) -> list[Any]:
    """Return entries (moment, side, hold, prices by tile) for all prices of leaves that are not 0."""
    return [
        [
            *place,
            {decode([code]): _decimal(int(leave[(*place, code)])) for code in np.flatnonzero(leave[tuple(place)]).tolist()},
        ]
        for place in np.argwhere(leave.any(axis=-1)).tolist()
    ]


def _list(value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise TypeError(f"{value!r:.40}: expected a list")
    return value


def _thousandths(text: str) -> int:
    amount = Decimal(text) * POINT
    # this also refuses NaN, for which both comparisons are false
    if not 0 <= amount <= HIGHEST:
        raise ValueError(f"price {text!r:.40}: expected 0 to {HIGHEST // POINT:,}")
    return int(amount)


def _decimal(thousandths: int) -> str:
    return f"{thousandths // POINT}.{thousandths % POINT:03}"
