"""The verdict on a certificate: checks what it states, and computes its bound again."""

import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from string import ascii_lowercase
from typing import Any

from verify.bound.certificate import Certificate
from verify.bound.foci import bound_of_prices, settled_games
from verify.bound.sweep import Sweep, SweepTooLargeError
from verify.bound.values import free_bound
from verify.bound.words import POINT, word_arrays
from verify.core import Fault
from verify.explain import BaseVerdict, Faults
from verify.files import Places
from verify.rules import Rules, RulesError, bundled_fields, bundled_names, load_rules, made_rules
from verify.text import printable

Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class BoundVerdict(BaseVerdict):
    """Whether a certificate proves its claim; the faults say why not.

    Attributes:
        puzzle: The puzzle in words.
        certificate: The certificate.
        found: What the check found in place of the claim; empty if it holds or was not checked.
        notes: Remarks on the word list, a sentence each.
    """

    puzzle: str
    certificate: Certificate
    found: str = ""
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
            "relaxation": certificate.relaxation,
            "found": self.found or None,
        }
        if self.notes:
            fields["notes"] = list(self.notes)
        return fields | self.faults.as_json()

    def as_text(self) -> str:
        """Return a line for the verdict, one for each violation, and notes on the word list."""
        claim = self.certificate.claim
        head = f"DOES NOT HOLD on {self.puzzle}: claims {claim}, {self.found or 'not checked'}"
        if self.valid:
            relaxation = self.certificate.relaxation
            head = f"holds, no game on {self.puzzle} scores more than {claim} ({relaxation})"
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
        if bundled_fields(name)["row"] == certificate.row:
            bundled = load_rules(name)
            if not _differences(certificate, bundled):
                return replace(rules, name=f"{name}{listed}")
    return rules


def judge_certificate(
    certificate: Certificate,
    rules: Rules,
    file: str,
    progress: Progress = lambda _done, _total: None,
) -> BoundVerdict:
    """Decide whether no game of the certificate's puzzle scores more than its claim.

    This takes seconds to minutes, depending on the length of the sweep. If the certificate was
    changed or belongs to another puzzle, the verdict says so at once.

    Args:
        certificate: From `read_certificate`.
        rules: The puzzle that it must be of.
        file: The name of the certificate in messages.
        progress: Takes the steps done and the total, now and then.

    Raises:
        RulesError: The puzzle is a variant, or the sweep takes more room than there is.
    """
    if rules.is_variant:
        what = "a blank is worth something or a full rack has a bonus"
        raise RulesError(f"{file}: a bound does not support variants: in {rules.name} {what}")
    faults = _faults(certificate, rules)
    found = ""
    if not faults:
        try:
            found = _refutation(certificate, rules, progress)
        except SweepTooLargeError as error:
            raise RulesError(f"{file}: the sweep takes more room than there is: {error}") from error
        if found:
            faults.append(Fault(0, "bound-claim", f"claims {certificate.claim}: {found}"))
    return BoundVerdict(
        file=file,
        faults=Faults.of(faults),
        puzzle=rules.name,
        certificate=certificate,
        found=found,
        notes=rules.notes,
    )


def _differences(certificate: Certificate, rules: Rules) -> list[Fault]:
    """Return a fault for each field of the puzzle that is another one in the certificate."""
    values = tuple(rules.values.get(letter, 0) for letter in ascii_lowercase)
    fields = (
        ("row", certificate.row, rules.row),
        ("rack", certificate.rack, rules.rack_size),
        ("values", certificate.values, values),
    )
    faults = []
    for name, stated, expected in fields:
        if stated != expected:
            message = f"its {name} is not that of {rules.name}: it proves nothing about this puzzle"
            faults.append(Fault(0, "puzzle", message))
    return faults


def _faults(certificate: Certificate, rules: Rules) -> list[Fault]:
    """Return a fault for each false statement on the puzzle, the words and the lines before."""
    faults = _differences(certificate, rules)
    if certificate.words_hash != rules.words_hash:
        message = (
            f"{certificate.words_hash}: the words of {rules.word_list.name} have the hash "
            f"{rules.words_hash}: pass the list that the certificate is about with --words FILE"
        )
        faults.append(Fault(0, "words", message))
    if not certificate.is_unchanged:
        message = (
            f"{certificate.digest}: not the hash of the lines before: changed after it was made"
        )
        faults.append(Fault(0, "digest", message))
    return faults


def _refutation(certificate: Certificate, rules: Rules, progress: Progress) -> str:
    """Return what shows that the claim is not proven; empty if it holds."""
    words = word_arrays(rules.words, certificate.rack, certificate.values)
    if certificate.width:
        bound = free_bound(certificate, words, progress)
        if bound // POINT <= certificate.claim:
            return ""
        return f"its prices give {bound // POINT}.{bound % POINT:03}"
    games = settled_games(certificate, words, os.cpu_count() or 1, progress)
    if bound_of_prices(games[0]) // POINT <= certificate.claim:
        return ""
    best = Sweep(certificate, words, games).best(progress)
    return f"a game scores {best}" if best > certificate.claim else ""
