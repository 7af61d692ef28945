"""Reads the prices of a certificate and checks its fields."""

import itertools
import re
from string import ascii_lowercase
from typing import Any

import numpy as np

from verify.bound.foci import Focus
from verify.bound.relaxations import RELAXATIONS, WITH_LEAVES
from verify.bound.relaxed_game import POINT, Prices
from verify.bound.turn import HIGHEST
from verify.bound.word_arrays import BLANK_KIND, KINDS, Ints
from verify.replay.rules import Rules, RulesError
from verify.text import quote

_DECIMAL = re.compile(r"-?\d{1,9}(\.\d{1,3})?")
_MOST_CELLS = 16
_MOST_NODES = 40_000  # of r1; each takes a few milliseconds


def whole_prices(certificate: dict[str, Any], rules: Rules, file: str) -> Prices:
    """Return the prices for all states. Raises `RulesError` if they do not fit the row."""
    tiles, name = len(rules.row), certificate["relaxation"]
    relaxation = RELAXATIONS[name]
    if relaxation.most_tiles is not None and tiles > relaxation.most_tiles:
        raise RulesError(f"{file}: relaxation {name} on a row of {tiles} tiles: expected at most {relaxation.most_tiles}")
    tile = _tile_prices(certificate["prices"].get("tiles"), tiles, f"{file}: prices.tiles")
    sides, holds, width = _sizes(certificate, tiles, file)
    if tiles * tiles > 2 * _MOST_NODES * width:
        raise RulesError(f"{file}: parameters.width = {width}: expected more on a row of {tiles} tiles")
    of_leaves = certificate["prices"].get("leaves", [])
    if of_leaves and not relaxation.prices_leaves:
        raise RulesError(f"{file}: prices.leaves: expected a list, and only where the relaxation is {WITH_LEAVES}")
    shape = (tiles + rules.rack_size + 1, sides, holds, KINDS)
    return Prices(tile, _leave_prices(of_leaves, shape, f"{file}: prices.leaves"), width)


def focus_of(focus: dict[str, Any], certificate: dict[str, Any], rules: Rules, where: str) -> Focus:
    """Return one focus of a certificate. Raises `RulesError` if it does not fit the row."""
    tiles, rack = len(rules.row), rules.rack_size
    if strange := sorted(set(focus) ^ {"played", "window", "knots", "tiles", "leaves"}):
        raise RulesError(f"{where}: {quote(strange[0])} is unknown or missing: expected knots, leaves, played, tiles, window")
    played, window, knots = focus["played"], focus["window"], focus["knots"]
    if type(played) is not int or not 0 <= played <= tiles:
        raise RulesError(f"{where}: played = {quote(played)}: expected a whole number from 0 to {tiles}")
    if not isinstance(window, list) or len(window) != 3 or not all(type(figure) is int for figure in window):
        raise RulesError(f"{where}: window = {quote(window)}: expected tiles drawn, fewest and most left draws")
    first, low, high = window
    if not (min(rack, tiles) <= first <= tiles and 0 <= low <= high <= tiles):
        raise RulesError(f"{where}: window = {quote(window)}: expected at least {rack} tiles drawn, and ascending left draws")
    if not isinstance(knots, list) or not knots or not all(type(knot) is int for knot in knots):
        raise RulesError(f"{where}: knots = {quote(knots)}: expected a list of moments")
    if knots != sorted(set(knots)) or not 0 <= knots[0] <= knots[-1] <= tiles + rack:
        raise RulesError(f"{where}: knots: expected ascending moments from 0 to {tiles + rack}")
    sides, holds, _width = _sizes(certificate, tiles, where)
    shape = (tiles + rack + 1, sides, holds, KINDS)
    at_knots = _leave_prices(focus["leaves"], shape, f"{where}: leaves", knots)
    tile = _tile_prices(focus["tiles"], tiles, f"{where}: tiles")
    return Focus(played, (first, low, high), Prices(tile, _between_knots(at_knots, knots)))


def _between_knots(prices: Ints, knots: list[int]) -> Ints:
    """Interpolate prices linearly between knots, rounded down to thousandths; beyond the outer knots they are constant."""
    for moment in range(len(prices)):
        if moment < knots[0]:
            prices[moment] = prices[knots[0]]
        elif moment > knots[-1]:
            prices[moment] = prices[knots[-1]]
    for begin, end in itertools.pairwise(knots):
        for moment in range(begin + 1, end):
            prices[moment] = (prices[begin] * (end - moment) + prices[end] * (moment - begin)) // (end - begin)
    return prices


def _sizes(certificate: dict[str, Any], tiles: int, file: str) -> tuple[int, int, int]:
    """Return sides, holds and width."""
    sizes = []
    for name, most in (("sides", _MOST_CELLS), ("holds", _MOST_CELLS), ("width", tiles)):
        size = certificate["parameters"].get(name, 1)
        if type(size) is not int or not 1 <= size <= most:
            raise RulesError(f"{file}: parameters.{name} = {quote(size)}: expected a whole number from 1 to {most}")
        sizes.append(size)
    return sizes[0], sizes[1], sizes[2]


def _tile_prices(entries: Any, tiles: int, where: str) -> list[int]:
    if not isinstance(entries, list) or len(entries) != tiles:
        raise RulesError(f"{where}: expected {tiles} prices, one for each tile of the row")
    return [_price(price, f"{where}, place {place}") for place, price in enumerate(entries, start=1)]


def _leave_prices(entries: Any, shape: tuple[int, int, int, int], where: str, moments: list[int] | None = None) -> Ints:
    """Return the prices of leaves from entries of moment, side, hold and prices by tile.

    Args:
        entries: As read from the file.
        shape: The shape of the result.
        where: What a message names.
        moments: The moments that may have prices; None for all.

    Raises:
        RulesError: An entry is wrong.
    """
    if not isinstance(entries, list):
        raise RulesError(f"{where}: expected a list")
    allowed = set(range(shape[0]) if moments is None else moments)
    leave = np.zeros(shape, dtype=np.int64)
    for number, entry in enumerate(entries, start=1):
        here = f"{where}, entry {number}"
        if not isinstance(entry, list) or len(entry) != 4 or not all(type(place) is int for place in entry[:3]):
            raise RulesError(f"{here}: expected moment, side, hold, prices")
        moment, side, hold, of_kind = entry
        if not (moment in allowed and 0 <= side < shape[1] and 0 <= hold < shape[2]):
            raise RulesError(f"{here}: no such moment, side or hold: {quote(entry[:3])}")
        if not isinstance(of_kind, dict):
            raise RulesError(f"{here}: expected prices by tile")
        for kind, price in of_kind.items():
            if kind != "?" and (len(kind) != 1 or kind not in ascii_lowercase):
                raise RulesError(f"{here}: {quote(kind)} is not a tile: expected a to z or ?")
            leave[moment, side, hold, BLANK_KIND if kind == "?" else ord(kind) - ord("a")] = _price(price, f"{here}, {kind}")
    return leave


def _price(text: Any, where: str) -> int:
    amount = thousandths(text, where)
    if not 0 <= amount <= HIGHEST:
        raise RulesError(f"{where}: {text}: expected 0 to {HIGHEST // POINT:,}")
    return amount


def thousandths(text: Any, where: str) -> int:
    """Return points written with up to three decimals, in thousandths. Raises `RulesError`, which names the place."""
    if not isinstance(text, str) or not text.isascii() or _DECIMAL.fullmatch(text) is None:
        raise RulesError(f'{where}: {quote(text)}: expected a decimal in quotes, such as "12.345"')
    whole, _point, part = text.removeprefix("-").partition(".")
    amount = int(whole) * POINT + int(part.ljust(3, "0"))
    return -amount if text.startswith("-") else amount
