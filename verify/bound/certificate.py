"""Certificates of bounds: reads the JSON files, recomputes their bounds, and compares them with the claims."""

import hashlib
import json
import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from string import ascii_lowercase
from typing import Any

from verify.bound.checkpoints import KEEP_NOTHING, Keeper
from verify.bound.foci import WHOLE, Focus, Judges, Settled, compiled_words, game_of, values_shape
from verify.bound.prices import focus_of, thousandths, whole_prices
from verify.bound.relaxations import ANY, RELAXATIONS, WITH_LEAVES
from verify.bound.relaxed_game import POINT, RelaxedGame
from verify.bound.sweep import ClaimSweep, SweepTooLargeError
from verify.reading import json_value
from verify.replay.rules import Rules, RulesError
from verify.replay.verdict import Judged, Violation, Violations
from verify.text import printable, quote
from verify.threads import ThreadPool

KIND = "rowdraw bound"
_FIELDS = {
    "certificate", "puzzle", "row", "puzzle_hash", "words_hash", "relaxation", "parameters", "prices",
    "bound_of_prices", "foci", "bound", "digest",
}  # fmt: skip
_MOST_NESTING = 10_000_000  # lists and objects
_MOST_FOCI = 1_000


@dataclass(frozen=True)
class BoundVerdict(Judged):
    """The claim of a certificate and the bound of its prices, in points; the faults say why the claim does not hold.

    Attributes:
        puzzle: The name of the puzzle.
        relaxation: A key of `RELAXATIONS`.
        claimed: The bound that the certificate claims.
        recomputed: The bound that was computed; None if it was not computed.
        kept: The folder that supplied kept work; empty if everything was computed.
        notes: Remarks on the rules besides their name, a sentence each.
    """

    puzzle: str
    relaxation: str
    claimed: str
    recomputed: str | None
    kept: str = ""
    notes: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """Return the verdict as plain values."""
        return {
            "file": self.file,
            "puzzle": self.puzzle,
            "valid": self.valid,
            "bound": self.claimed,
            "recomputed": self.recomputed,
            "kept": self.kept or None,
            **({"notes": list(self.notes)} if self.notes else {}),
            **self.faults.as_json(),
        }

    def as_text(self) -> str:
        """Return a line for the verdict, one for each violation, and notes on kept work and the word list."""
        if self.valid:
            holds = f"holds if the work saved in {self.kept} is correct" if self.kept else "holds"
            head = f"{holds}, no game on {self.puzzle} scores more than {self.claimed} ({self.relaxation})"
        else:
            given = f"its prices give {self.recomputed}" if self.recomputed is not None else "not worked out"
            head = f"DOES NOT HOLD on {self.puzzle}: claims {self.claimed}, {given}"
        rests = f"it relies on the work saved in {self.kept}: only a check without --keep proves anything" if self.kept else ""
        notes = [f"{printable(f'{self.file}: {note}')}\n" for note in (rests, *self.notes) if note]
        return self._text(head) + "".join(notes)


def read_certificate(content: bytes, file: str) -> dict[str, Any]:
    """Return the fields of a certificate. Raises `RulesError`, which says what is wrong, if `content` is not one."""
    try:
        fields = json_value(
            content,
            _MOST_NESTING,
            parse_constant=lambda name: _no_number(file, name),
            object_pairs_hook=partial(_once, file),
        )
    except RulesError:
        raise
    except ValueError as error:
        raise RulesError(f"{file}: the certificate is not JSON ({error}): is it truncated?") from error
    if not isinstance(fields, dict) or fields.get("certificate") != KIND:
        raise RulesError(f'{file}: no certificate: expected "certificate": "{KIND}"')
    strange = sorted(set(fields) - _FIELDS)
    if strange:
        raise RulesError(f"{file}: unknown field {quote(strange[0])}: expected {', '.join(sorted(_FIELDS))}")
    for field in ("puzzle", "puzzle_hash", "words_hash", "relaxation", "bound", "digest"):
        if field not in fields:
            raise RulesError(f"{file}: {field} is missing: expected a string")
        if not isinstance(fields[field], str):
            raise RulesError(f"{file}: {field} = {quote(fields[field])}: expected a string")
    if fields["relaxation"] not in RELAXATIONS:
        raise RulesError(f"{file}: relaxation = {quote(fields['relaxation'])}: expected {ANY}")
    if not isinstance(fields.get("row", ""), str):
        raise RulesError(f"{file}: row = {quote(fields['row'])}: expected a string of tiles")
    if not isinstance(fields.get("prices"), dict) or not isinstance(fields.get("parameters"), dict):
        raise RulesError(f"{file}: prices and parameters: expected objects")
    for field, known in (("prices", {"tiles", "leaves"}), ("parameters", {"sides", "holds", "width"})):
        if strange := sorted(set(fields[field]) - known):
            raise RulesError(f"{file}: {field}: unknown field {quote(strange[0])}: expected {', '.join(sorted(known))}")
    _check_sweep(fields, file)
    return fields


def _check_sweep(fields: dict[str, Any], file: str) -> None:
    """Check the fields that only a sweep needs."""
    for field in ("bound_of_prices", "foci"):
        if field in fields and not RELAXATIONS[fields["relaxation"]].prices_leaves:
            raise RulesError(f"{file}: {field}: expected only where the relaxation is {WITH_LEAVES}")
    foci = fields.get("foci", [])
    if not isinstance(foci, list) or len(foci) > _MOST_FOCI or not all(isinstance(focus, dict) for focus in foci):
        raise RulesError(f"{file}: foci: expected a list of at most {_MOST_FOCI} objects")


def judge_certificate(
    fields: dict[str, Any],
    rules: Rules,
    file: str,
    progress: Callable[[int, int], None] = lambda _done, _total: None,
    keeping: Callable[[str], Keeper] = lambda _digest: KEEP_NOTHING,
) -> BoundVerdict:
    """Recompute the bound and compare it with the claim.

    This takes seconds to minutes, depending on the length of the sweep. If the certificate was changed or belongs to another
    puzzle, the verdict says so at once.

    Args:
        fields: From `read_certificate`.
        rules: The puzzle.
        file: The name of the certificate in messages.
        progress: Takes the steps done and the total, now and then.
        keeping: Takes the digest of the certificate; returns the keeper of the work so far.

    Raises:
        RulesError: The prices do not fit this puzzle, or the puzzle is a variant.
    """
    if rules.is_variant:
        what = "a blank is worth something or a full rack has a bonus"
        raise RulesError(f"{file}: a bound takes no variant: in {rules.name} {what}")
    claimed = thousandths(fields["bound"], f"{file}: bound")
    priced = "bound_of_prices" if "bound_of_prices" in fields else "bound"
    of_prices = thousandths(fields[priced], f"{file}: {priced}")
    prices = whole_prices(fields, rules, file)
    entries = enumerate(fields.get("foci", []), start=1)
    foci = [focus_of(focus, fields, rules, f"{file}: foci, entry {i}") for i, focus in entries]
    bound, keeper = None, KEEP_NOTHING
    if not (faults := _strange_hashes(fields, rules)):
        settled: list[Settled] = []
        keeper = keeping(fields["digest"])
        if RELAXATIONS[fields["relaxation"]].counts_held:
            settled = _settled([Focus(0, WHOLE, prices)], rules, progress, keeper)
            bound = settled[0].bound
        else:
            bound = RelaxedGame(rules, prices, progress).free_bound()
        if bound != of_prices:
            faults.append(Violation(0, "bound-claim", f"{priced} claims {fields[priced]}: the prices give {decimal(bound)}"))
        elif claimed < bound:
            # the claim is below the bound of the prices: only a sweep can prove it
            settled += _settled(foci, rules, progress, keeper, 1)
            try:
                best = ClaimSweep(rules, Judges(settled), claimed // POINT, progress, keeper).best() * POINT
            except SweepTooLargeError as error:
                raise RulesError(f"{file}: the sweep takes more room than there is: {error}") from error
            if best > claimed:
                faults.append(Violation(0, "bound-claim", f"claims {fields['bound']}: a game scores {decimal(best)}"))
            bound = max(best, claimed)
    shown = None if bound is None else decimal(bound)
    kept = "" if keeper.rests_on is None else str(keeper.rests_on)
    listed = Violations.of(faults)
    return BoundVerdict(file, listed, rules.name, fields["relaxation"], fields["bound"], shown, kept, rules.notes)


def _settled(
    foci: list[Focus], rules: Rules, progress: Callable[[int, int], None], keeper: Keeper, first: int = 0
) -> list[Settled]:
    """Evaluate the relaxed game of each focus; the foci are numbered from `first` on."""
    words, settled = compiled_words(rules), []
    with ThreadPool(os.cpu_count() or 1) as pool:
        for number, focus in enumerate(foci):
            if (most := keeper.values(first + number, values_shape(rules))) is not None:
                settled.append(Settled(focus, game_of(focus, rules), most))
                continue
            settled.append(Settled.of(focus, rules, words, pool, partial(progress, number, len(foci))))
            keeper.keep_values(first + number, settled[-1].most)
    progress(len(foci), len(foci))
    return settled


def _strange_hashes(fields: dict[str, Any], rules: Rules) -> list[Violation]:
    """Return a fault for each hash that differs from that of the puzzle, the words, or the certificate itself."""
    faults = []
    for field, expected in (("puzzle_hash", puzzle_hash(rules)), ("words_hash", rules.words_hash), ("digest", digest(fields))):
        if fields[field] != expected:
            what = "another puzzle or word list" if field != "digest" else "changed after it was made"
            faults.append(Violation(0, field.replace("_", "-"), f"{quote(fields[field][:64])}: expected {expected!r}: {what}"))
    return faults


def digest(fields: dict[str, Any]) -> str:
    """Return the sha256 of all fields but the digest, as JSON with sorted keys and no spaces."""
    rest = {key: value for key, value in fields.items() if key != "digest"}
    return hashlib.sha256(json.dumps(rest, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def decimal(thousandths: int) -> str:
    """Return thousandths of a point as points with three decimals."""
    sign, whole = "-" if thousandths < 0 else "", abs(thousandths)
    return f"{sign}{whole // POINT}.{whole % POINT:03}"


def puzzle_hash(rules: Rules) -> str:
    """Return the sha256 of everything that a score depends on."""
    values = ",".join(f"{letter}={rules.values.get(letter, 0)}" for letter in ascii_lowercase)
    # only where a variant has them, so that the hashes of all other puzzles are unchanged
    values += "".join(f",{name}={worth}" for name, worth in (("?", rules.values.get("?", 0)), ("bonus", rules.bonus)) if worth)
    return hashlib.sha256(f"{rules.row}\n{rules.rack_size}\n{values}\n{rules.words_hash}\n".encode()).hexdigest()


def _once(file: str, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return a JSON object. Raises `RulesError` if a field stands twice, since readers differ in which one they take."""
    fields: dict[str, Any] = {}
    for field, value in pairs:
        if field in fields:
            raise RulesError(f"{file}: the field {quote(field)} stands twice")
        fields[field] = value
    return fields


def _no_number(file: str, name: str) -> Any:
    raise RulesError(f"{file}: {name} is not a number")
