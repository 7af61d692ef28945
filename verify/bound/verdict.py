"""The verdict on a certificate: its bound is computed again."""

import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from string import ascii_lowercase
from typing import Any

from verify.bound.certificate import Certificate
from verify.bound.foci import bound_of_prices, settled_games
from verify.bound.sweep import Sweep, SweepTooLargeError
from verify.bound.words import POINT, word_arrays
from verify.core import Fault
from verify.explain import BaseVerdict, Faults
from verify.files import Places
from verify.rules import Rules, RulesError, bundled_fields, bundled_names, load_rules, made_rules
from verify.text import printable

Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class BoundVerdict(BaseVerdict):
    """Whether the claim of a certificate holds.

    Attributes:
        puzzle: The puzzle in words.
        certificate: The certificate.
        found: The score of a game that refutes the claim; None if the claim holds.
        notes: Remarks on the word list, a sentence each.
    """

    puzzle: str
    certificate: Certificate
    found: int | None = None
    notes: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """Return the verdict as plain values."""
        certificate = self.certificate
        fields = {
            "file": self.file,
            "puzzle": self.puzzle,
            "row": certificate.row,
            "rack": certificate.rack,
            "values": dict(zip(ascii_lowercase, certificate.values, strict=True)),
            "words": certificate.words_hash,
            "valid": self.valid,
            "bound": certificate.claim,
            "found": self.found,
        }
        if self.notes:
            fields["notes"] = list(self.notes)
        return fields | self.faults.as_json()

    def as_text(self) -> str:
        """Return a line for the verdict, one for each violation, and notes on the word list."""
        claim = self.certificate.claim
        head = f"DOES NOT HOLD on {self.puzzle}: claims {claim}, a game scores {self.found}"
        if self.valid:
            head = f"holds, no game on {self.puzzle} scores more than {claim}"
        notes = [f"{printable(f'{self.file}: {note}')}\n" for note in self.notes]
        return self._text(head) + "".join(notes)


def rules_of(certificate: Certificate, words: str | None) -> Rules:
    """Return the puzzle that a certificate states.

    Its words are those of the bundled list, or of the file `words`. Its name is that of the bundled
    puzzle with the same row, rack and values; other puzzles are named by these.

    Raises:
        RulesError: The word list cannot be used.
    """
    letters = zip(ascii_lowercase, certificate.values, strict=True)
    values = {letter: value for letter, value in letters if value}
    fields = {"row": certificate.row, "rack": certificate.rack, "values": values}
    listed = "" if words is None else f", with the words of {words}"
    shown = " ".join(f"{letter}={value}" for letter, value in values.items())
    own = (
        f"the row {certificate.row} with racks of {certificate.rack} "
        f"and the values {shown or '0'}{listed}"
    )
    rules = made_rules(fields, Places("the certificate"), words, own)
    for name in sorted(bundled_names()):
        # only those of the same row, because the rules of all take long to read
        if bundled_fields(name)["row"] != certificate.row:
            continue
        if not _other_fields(certificate, load_rules(name)):
            return replace(rules, name=f"{name}{listed}")
    return rules


def judge_certificate(
    certificate: Certificate,
    rules: Rules,
    file: str,
    progress: Progress = lambda _done, _total: None,
) -> BoundVerdict:
    """Decide whether no game of the certificate's puzzle scores more than its claim.

    This takes seconds to minutes, depending on the length of the sweep.

    Args:
        certificate: From `read_certificate`.
        rules: The puzzle that it must be of.
        file: The name of the certificate in messages.
        progress: Takes the steps done and the total, now and then.

    Raises:
        RulesError: There is no verdict: the certificate is of another puzzle or of other words, the
            puzzle is a variant, or the sweep takes more room than there is.
    """
    if rules.is_variant:
        what = "a blank is worth something or a full rack has a bonus"
        raise RulesError(f"{file}: a bound does not support variants: in {rules.name} {what}")
    reason = ""
    if others := _other_fields(certificate, rules):
        differing = " and ".join(others)
        reason = f"the certificate is of another puzzle, which differs in its {differing}"
    elif certificate.words_hash != rules.words_hash:
        reason = (
            f"the words of {rules.word_list.name} have the hash {rules.words_hash}, expected "
            f"{certificate.words_hash}: pass the list of the certificate with --words FILE"
        )
    if reason:
        raise RulesError(f"{file}: NOT PROVEN on {rules.name}: {reason}")
    try:
        best = _best(certificate, rules, progress)
    except SweepTooLargeError as error:
        raise RulesError(f"{file}: the sweep takes more room than there is: {error}") from error
    found = best if best > certificate.claim else None
    faults = []
    if found is not None:
        message = f"claims {certificate.claim}: a game scores {found}"
        faults.append(Fault(0, "bound-claim", message))
    return BoundVerdict(
        file=file,
        faults=Faults.of(faults),
        puzzle=rules.name,
        certificate=certificate,
        found=found,
        notes=rules.notes,
    )


def _other_fields(certificate: Certificate, rules: Rules) -> list[str]:
    """Return which fields of a certificate's puzzle differ from the rules."""
    values = tuple(rules.values.get(letter, 0) for letter in ascii_lowercase)
    fields = (
        ("row", certificate.row, rules.row),
        ("rack", certificate.rack, rules.rack_size),
        ("values", certificate.values, values),
    )
    return [name for name, stated, expected in fields if stated != expected]


def _best(certificate: Certificate, rules: Rules, progress: Progress) -> int:
    """Return a score above the claim that a game reaches; without one, a score up to the claim."""
    words = word_arrays(rules.words, certificate.rack, certificate.values)
    games = settled_games(certificate, words, os.cpu_count() or 1, progress)
    if bound_of_prices(games[0]) // POINT <= certificate.claim:
        return certificate.claim
    return Sweep(certificate, words, games).best(progress)
