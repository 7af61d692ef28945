"""Certificates of bounds: reads the JSON files, computes their bounds anew, and compares these with what they claim."""

import hashlib
import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from string import ascii_lowercase
from typing import Any

import numpy as np

from verify.bound.game import POINT, Prices, RelaxedGame
from verify.bound.sweep import Sweep, SweepTooLargeError
from verify.bound.turn import HIGHEST
from verify.bound.words import BLANK, KINDS
from verify.reading import json_value
from verify.rules import Rules, RulesError
from verify.text import quote
from verify.verdict import Judged, Violation, Violations

KIND = "rowdraw bound"
_FIELDS = {
    "certificate", "puzzle", "row", "puzzle_hash", "words_hash", "relaxation", "parameters", "prices",
    "bound_of_prices", "bound", "digest",
}  # fmt: skip
_DECIMAL = re.compile(r"-?\d{1,9}(\.\d{1,3})?")
_MOST_CELLS = 16
_MOST_NESTING = 1_000_000  # lists and objects
_MOST_NODES = 40_000  # of r1: each takes some milliseconds
_LONGEST = 200  # tiles of a row for r2 and r3: their states grow with its square


@dataclass(frozen=True)
class BoundVerdict(Judged):
    """What a certificate claims and what its prices give, in points; the faults say why it does not hold.

    found: the bound that was computed; None if it was not computed.
    """

    puzzle: str
    relaxation: str
    claimed: str
    found: str | None

    def as_json(self) -> dict[str, Any]:
        """The verdict as plain values."""
        return {
            "file": self.file,
            "puzzle": self.puzzle,
            "valid": self.valid,
            "bound": self.claimed,
            "recomputed": self.found,
            **self.faults.as_json(),
        }

    def as_text(self) -> str:
        """A line for the verdict, and one for each violation."""
        if self.valid:
            return self._text(f"holds, no game on {self.puzzle} scores more than {self.claimed} ({self.relaxation})")
        given = f"its prices give {self.found}" if self.found is not None else "not worked out"
        return self._text(f"DOES NOT HOLD on {self.puzzle}: claims {self.claimed}, {given}")


def read_certificate(content: bytes, file: str) -> dict[str, Any]:
    """The fields of a certificate. Raises `RulesError`, which says what is wrong, if it is not one."""
    try:
        told = json_value(
            content,
            _MOST_NESTING,
            parse_constant=lambda name: _no_number(file, name),
            object_pairs_hook=partial(_once, file),
        )
    except RulesError:
        raise
    except ValueError as error:
        raise RulesError(f"{file}: the certificate is not JSON ({error}): is it truncated?") from error
    if not isinstance(told, dict) or told.get("certificate") != KIND:
        raise RulesError(f'{file}: no certificate: expected "certificate": "{KIND}"')
    strange = sorted(set(told) - _FIELDS)
    if strange:
        raise RulesError(f"{file}: unknown field {quote(strange[0])}: expected {', '.join(sorted(_FIELDS))}")
    for field in ("puzzle", "puzzle_hash", "words_hash", "relaxation", "bound", "digest"):
        if not isinstance(told.get(field), str):
            raise RulesError(f"{file}: {field} = {quote(told.get(field))}: expected a string")
    if told["relaxation"] not in ("r1", "r2", "r3"):
        raise RulesError(f"{file}: relaxation = {quote(told['relaxation'])}: expected r1, r2 or r3")
    if "bound_of_prices" in told and told["relaxation"] != "r3":
        raise RulesError(f"{file}: bound_of_prices: expected only where the relaxation is r3")
    if not isinstance(told.get("row", ""), str):
        raise RulesError(f"{file}: row = {quote(told['row'])}: expected a string of tiles")
    if not isinstance(told.get("prices"), dict) or not isinstance(told.get("parameters"), dict):
        raise RulesError(f"{file}: prices and parameters: expected objects")
    for field, known in (("prices", {"tiles", "leaves"}), ("parameters", {"sides", "holds", "width"})):
        if strange := sorted(set(told[field]) - known):
            raise RulesError(f"{file}: {field}: unknown field {quote(strange[0])}: expected {', '.join(sorted(known))}")
    return told


def judge_certificate(
    told: dict[str, Any], rules: Rules, file: str, progress: Callable[[int, int], None] = lambda _done, _total: None
) -> BoundVerdict:
    """Compute the bound anew, and compare it with the claim.

    This takes minutes, and with a long sweep up to an hour. If the certificate was changed, or is of another puzzle, the
    verdict says so at once. Raises `RulesError` if the prices do not fit this puzzle, or it is a variant.
    """
    if rules.is_variant:
        what = "a blank is worth something or a full rack has a bonus"
        raise RulesError(f"{file}: a bound takes no variant: in {rules.name} {what}")
    claimed = _thousandths(told["bound"], file, "bound")
    priced = "bound_of_prices" if "bound_of_prices" in told else "bound"
    of_prices = _thousandths(told[priced], file, priced)
    prices = _prices(told, rules, file)
    found = None
    if not (faults := _strange_hashes(told, rules)):
        game = RelaxedGame(rules, prices, progress)
        found = game.free_bound() if told["relaxation"] == "r1" else game.held_bound()
        if found != of_prices:
            faults.append(Violation(0, "bound-claim", f"{priced} claims {told[priced]}: the prices give {decimal(found)}"))
        elif claimed < found:
            # the claim is lower than the bound of the prices, so that only a sweep can prove it
            try:
                best = Sweep(rules, game, claimed // POINT, progress).best() * POINT
            except SweepTooLargeError as error:
                raise RulesError(f"{file}: the sweep takes more room than there is: {error}") from error
            if best > claimed:
                faults.append(Violation(0, "bound-claim", f"claims {told['bound']}: a game scores {decimal(best)}"))
            found = max(best, claimed)
    shown = None if found is None else decimal(found)
    return BoundVerdict(file, Violations.of(faults), rules.name, told["relaxation"], told["bound"], shown)


def _strange_hashes(told: dict[str, Any], rules: Rules) -> list[Violation]:
    """A fault for each hash that is not that of the puzzle, the words, or the certificate itself."""
    faults = []
    for field, own in (("puzzle_hash", puzzle_hash(rules)), ("words_hash", words_hash(rules)), ("digest", digest(told))):
        if told[field] != own:
            what = "another puzzle or word list" if field != "digest" else "changed after it was made"
            faults.append(Violation(0, field.replace("_", "-"), f"{quote(told[field][:64])}: expected {own!r}: {what}"))
    return faults


def digest(told: dict[str, Any]) -> str:
    """sha256 of all other fields, as JSON with sorted keys and no spaces."""
    rest = {key: value for key, value in told.items() if key != "digest"}
    return hashlib.sha256(json.dumps(rest, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def decimal(thousandths: int) -> str:
    """Points with three decimals."""
    sign, whole = "-" if thousandths < 0 else "", abs(thousandths)
    return f"{sign}{whole // POINT}.{whole % POINT:03}"


def _prices(told: dict[str, Any], rules: Rules, file: str) -> Prices:
    tiles, rack = len(rules.row), rules.rack_size
    of_tiles, of_leaves, parameters = told["prices"].get("tiles"), told["prices"].get("leaves", []), told["parameters"]
    if not isinstance(of_tiles, list) or len(of_tiles) != tiles:
        raise RulesError(f"{file}: prices.tiles: expected {tiles} prices, one for each tile of the row")
    if told["relaxation"] != "r1" and tiles > _LONGEST:
        raise RulesError(f"{file}: relaxation {told['relaxation']} on a row of {tiles} tiles: expected at most {_LONGEST}")
    tile = [_price(price, file, f"prices.tiles, place {place}") for place, price in enumerate(of_tiles, start=1)]
    sizes = {}
    for name, most in (("sides", _MOST_CELLS), ("holds", _MOST_CELLS), ("width", tiles)):
        sizes[name] = parameters.get(name, 1)
        if type(sizes[name]) is not int or not 1 <= sizes[name] <= most:
            raise RulesError(f"{file}: parameters.{name} = {quote(sizes[name])}: expected a whole number from 1 to {most}")
    if tiles * tiles > 2 * _MOST_NODES * sizes["width"]:
        raise RulesError(f"{file}: parameters.width = {sizes['width']}: expected more on a row of {tiles} tiles")
    leave = np.zeros((tiles + rack + 1, sizes["sides"], sizes["holds"], KINDS), dtype=np.int64)
    if not isinstance(of_leaves, list) or (of_leaves and told["relaxation"] != "r3"):
        raise RulesError(f"{file}: prices.leaves: expected a list, and only where the relaxation is r3")
    for number, entry in enumerate(of_leaves, start=1):
        where = f"prices.leaves, entry {number}"
        if not isinstance(entry, list) or len(entry) != 4 or not all(type(place) is int for place in entry[:3]):
            raise RulesError(f"{file}: {where}: expected moment, side, hold, prices")
        moment, side, hold, of_kind = entry
        if not (0 <= moment <= tiles + rack and 0 <= side < sizes["sides"] and 0 <= hold < sizes["holds"]):
            raise RulesError(f"{file}: {where}: no such moment, side or hold: {quote(entry[:3])}")
        if not isinstance(of_kind, dict):
            raise RulesError(f"{file}: {where}: expected prices by tile")
        for kind, price in of_kind.items():
            if kind != "?" and (len(kind) != 1 or kind not in ascii_lowercase):
                raise RulesError(f"{file}: {where}: {quote(kind)} is not a tile: expected a to z or ?")
            leave[moment, side, hold, BLANK if kind == "?" else ord(kind) - ord("a")] = _price(price, file, f"{where}, {kind}")
    return Prices(tile, leave, sizes["width"])


def _price(text: Any, file: str, where: str) -> int:
    amount = _thousandths(text, file, where)
    if not 0 <= amount <= HIGHEST:
        raise RulesError(f"{file}: {where}: {text}: expected 0 to {HIGHEST // POINT:,}")
    return amount


def _thousandths(text: Any, file: str, where: str) -> int:
    if not isinstance(text, str) or not text.isascii() or _DECIMAL.fullmatch(text) is None:
        raise RulesError(f'{file}: {where}: {quote(text)}: expected a decimal in quotes, such as "12.345"')
    whole, _point, part = text.removeprefix("-").partition(".")
    amount = int(whole) * POINT + int(part.ljust(3, "0"))
    return -amount if text.startswith("-") else amount


def words_hash(rules: Rules) -> str:
    """sha256 of the words, a line each."""
    return hashlib.sha256("".join(f"{word}\n" for word in sorted(rules.words)).encode()).hexdigest()


def puzzle_hash(rules: Rules) -> str:
    """sha256 of everything that a score depends on."""
    values = ",".join(f"{letter}={rules.values.get(letter, 0)}" for letter in ascii_lowercase)
    # only where a variant has them, so that the hashes of all other puzzles stay as they are
    values += "".join(f",{name}={worth}" for name, worth in (("?", rules.values.get("?", 0)), ("bonus", rules.bonus)) if worth)
    return hashlib.sha256(f"{rules.row}\n{rules.rack_size}\n{values}\n{words_hash(rules)}\n".encode()).hexdigest()


def _once(file: str, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A JSON object. Raises `RulesError` if a field stands twice, since readers differ in which one they take."""
    told: dict[str, Any] = {}
    for field, value in pairs:
        if field in told:
            raise RulesError(f"{file}: the field {quote(field)} stands twice")
        told[field] = value
    return told


def _no_number(file: str, name: str) -> Any:
    raise RulesError(f"{file}: {name} is not a number")
