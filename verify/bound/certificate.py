"""Certificates of bounds: reads the JSON files, computes their bounds anew, and compares these with what they claim."""

import hashlib
import json
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from string import ascii_lowercase
from typing import Any

from verify.bound.foci import WHOLE, Focus, Judges, Settled, compiled_words, game_of, values_shape
from verify.bound.keeping import KEEP_NOTHING, Keeper
from verify.bound.prices import focus_of, thousandths, whole_prices
from verify.bound.relaxed_game import POINT, RelaxedGame
from verify.bound.sweep import ClaimSweep, SweepTooLargeError
from verify.reading import json_value
from verify.replay.rules import Rules, RulesError
from verify.replay.verdict import Judged, Violation, Violations
from verify.text import printable, quote

KIND = "rowdraw bound"
_FIELDS = {
    "certificate", "puzzle", "row", "puzzle_hash", "words_hash", "relaxation", "parameters", "prices",
    "bound_of_prices", "foci", "bound", "digest",
}  # fmt: skip
_MOST_NESTING = 10_000_000  # lists and objects
_MOST_FOCI = 1_000


@dataclass(frozen=True)
class BoundVerdict(Judged):
    """What a certificate claims and what its prices give, in points; the faults say why it does not hold.

    found: the bound that was computed; None if it was not computed.
    kept: the folder that kept work was taken from; empty if all was worked out.
    notes: what is said of the rules besides their name, a sentence each.
    """

    puzzle: str
    relaxation: str
    claimed: str
    found: str | None
    kept: str = ""
    notes: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """The verdict as plain values."""
        return {
            "file": self.file,
            "puzzle": self.puzzle,
            "valid": self.valid,
            "bound": self.claimed,
            "recomputed": self.found,
            "kept": self.kept or None,
            **({"notes": list(self.notes)} if self.notes else {}),
            **self.faults.as_json(),
        }

    def as_text(self) -> str:
        """A line for the verdict, one for each violation, and notes on kept work and the word list."""
        if self.valid:
            holds = f"holds if what {self.kept} held is right" if self.kept else "holds"
            head = f"{holds}, no game on {self.puzzle} scores more than {self.claimed} ({self.relaxation})"
        else:
            given = f"its prices give {self.found}" if self.found is not None else "not worked out"
            head = f"DOES NOT HOLD on {self.puzzle}: claims {self.claimed}, {given}"
        rests = f"with what {self.kept} held: only a check without --keep proves anything" if self.kept else ""
        notes = [f"{printable(f'{self.file}: {note}')}\n" for note in (rests, *self.notes) if note]
        return self._text(head) + "".join(notes)


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
        if field not in told:
            raise RulesError(f"{file}: {field} is missing: expected a string")
        if not isinstance(told[field], str):
            raise RulesError(f"{file}: {field} = {quote(told[field])}: expected a string")
    if told["relaxation"] not in ("r1", "r2", "r3"):
        raise RulesError(f"{file}: relaxation = {quote(told['relaxation'])}: expected r1, r2 or r3")
    if not isinstance(told.get("row", ""), str):
        raise RulesError(f"{file}: row = {quote(told['row'])}: expected a string of tiles")
    if not isinstance(told.get("prices"), dict) or not isinstance(told.get("parameters"), dict):
        raise RulesError(f"{file}: prices and parameters: expected objects")
    for field, known in (("prices", {"tiles", "leaves"}), ("parameters", {"sides", "holds", "width"})):
        if strange := sorted(set(told[field]) - known):
            raise RulesError(f"{file}: {field}: unknown field {quote(strange[0])}: expected {', '.join(sorted(known))}")
    _check_sweep(told, file)
    return told


def _check_sweep(told: dict[str, Any], file: str) -> None:
    """Look at the fields that only a sweep needs."""
    for field in ("bound_of_prices", "foci"):
        if field in told and told["relaxation"] != "r3":
            raise RulesError(f"{file}: {field}: expected only where the relaxation is r3")
    foci = told.get("foci", [])
    if not isinstance(foci, list) or len(foci) > _MOST_FOCI or not all(isinstance(focus, dict) for focus in foci):
        raise RulesError(f"{file}: foci: expected a list of at most {_MOST_FOCI} objects")


def judge_certificate(
    told: dict[str, Any],
    rules: Rules,
    file: str,
    progress: Callable[[int, int], None] = lambda _done, _total: None,
    keeping: Callable[[str], Keeper] = lambda _digest: KEEP_NOTHING,
) -> BoundVerdict:
    """Compute the bound anew, and compare it with the claim.

    keeping: what keeps the work so far, for a certificate with that digest.

    This takes seconds to minutes, the longer the sweep the more. If the certificate was changed, or is of another puzzle, the
    verdict says so at once. Raises `RulesError` if the prices do not fit this puzzle, or it is a variant.
    """
    if rules.is_variant:
        what = "a blank is worth something or a full rack has a bonus"
        raise RulesError(f"{file}: a bound takes no variant: in {rules.name} {what}")
    claimed = thousandths(told["bound"], f"{file}: bound")
    priced = "bound_of_prices" if "bound_of_prices" in told else "bound"
    of_prices = thousandths(told[priced], f"{file}: {priced}")
    prices = whole_prices(told, rules, file)
    foci = [focus_of(focus, told, rules, f"{file}: foci, entry {i}") for i, focus in enumerate(told.get("foci", []), start=1)]
    found, keeper = None, KEEP_NOTHING
    if not (faults := _strange_hashes(told, rules)):
        settled: list[Settled] = []
        keeper = keeping(told["digest"])
        if told["relaxation"] == "r1":
            found = RelaxedGame(rules, prices, progress).free_bound()
        else:
            settled = _settled([Focus(0, WHOLE, prices)], rules, progress, keeper)
            found = settled[0].bound
        if found != of_prices:
            faults.append(Violation(0, "bound-claim", f"{priced} claims {told[priced]}: the prices give {decimal(found)}"))
        elif claimed < found:
            # the claim is lower than the bound of the prices, so that only a sweep can prove it
            settled += _settled(foci, rules, progress, keeper, 1)
            try:
                best = ClaimSweep(rules, Judges(settled), claimed // POINT, progress, keeper).best() * POINT
            except SweepTooLargeError as error:
                raise RulesError(f"{file}: the sweep takes more room than there is: {error}") from error
            if best > claimed:
                faults.append(Violation(0, "bound-claim", f"claims {told['bound']}: a game scores {decimal(best)}"))
            found = max(best, claimed)
    shown = None if found is None else decimal(found)
    kept = "" if keeper.rests_on is None else str(keeper.rests_on)
    listed = Violations.of(faults)
    return BoundVerdict(file, listed, rules.name, told["relaxation"], told["bound"], shown, kept, rules.notes)


def _settled(
    foci: list[Focus], rules: Rules, progress: Callable[[int, int], None], keeper: Keeper, first: int = 0
) -> list[Settled]:
    """Each focus with its relaxed game worked out; they are numbered from `first` on."""
    words, settled = compiled_words(rules), []
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        for number, focus in enumerate(foci):
            if (most := keeper.values(first + number, values_shape(rules))) is not None:
                settled.append(Settled(focus, game_of(focus, rules), most))
                continue
            settled.append(Settled.of(focus, rules, words, pool, partial(progress, number, len(foci))))
            keeper.keep_values(first + number, settled[-1].most)
    progress(len(foci), len(foci))
    return settled


def _strange_hashes(told: dict[str, Any], rules: Rules) -> list[Violation]:
    """A fault for each hash that is not that of the puzzle, the words, or the certificate itself."""
    faults = []
    for field, own in (("puzzle_hash", puzzle_hash(rules)), ("words_hash", rules.words_hash), ("digest", digest(told))):
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


def puzzle_hash(rules: Rules) -> str:
    """sha256 of everything that a score depends on."""
    values = ",".join(f"{letter}={rules.values.get(letter, 0)}" for letter in ascii_lowercase)
    # only where a variant has them, so that the hashes of all other puzzles stay as they are
    values += "".join(f",{name}={worth}" for name, worth in (("?", rules.values.get("?", 0)), ("bonus", rules.bonus)) if worth)
    return hashlib.sha256(f"{rules.row}\n{rules.rack_size}\n{values}\n{rules.words_hash}\n".encode()).hexdigest()


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
