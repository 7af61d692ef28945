"""Judges files: each by the referee for its content. Each puzzle and word list is read once."""

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from verify.answers import judge_file
from verify.explain import Verdict
from verify.files import (
    LARGEST_CERTIFICATE,
    LARGEST_TEXT,
    check_size,
    is_certificate,
    is_gcg,
    is_ranking,
    named_answer,
    names_players,
    read_named,
    text_bytes,
)
from verify.rules import Rules, RulesError, load_rules
from verify.stated import Stated, overridden, stated_rules
from verify.text import counted

if TYPE_CHECKING:
    from verify.bound.verdict import BoundVerdict
    from verify.scrabble.judge import GameVerdict

    AnyVerdict = Verdict | GameVerdict | BoundVerdict


@dataclass
class Judge:
    """Judges files with the rules of the options.

    Attributes:
        puzzle: As on the command line.
        words: As on the command line.
        game_options: For `verify.scrabble.judge.judge_game`.
        strict: Whether to accept only the challenge's format.
        quiet: Whether the check of a certificate prints no progress.
        certificates: Whether to check certificates of bounds, which may take long; otherwise they
            have no verdict.
    """

    puzzle: str | None
    words: str | None
    game_options: Mapping[str, Any] = field(default_factory=dict)
    strict: bool = False
    quiet: bool = False
    certificates: bool = True
    _stated: dict[Stated, Rules] = field(default_factory=dict, init=False)

    def __call__(self, file: str) -> "Sequence[AnyVerdict]":
        """Return the verdicts on what a file holds: answers, a game, or a certificate.

        `FILE#2` is its second answer.

        Raises:
            RulesError: The rules or the certificate cannot be used.
            OSError: The file cannot be read.
        """
        if file and named_answer(file)[1]:
            return [self.answer(file)]
        content = _read(file)
        if is_certificate(content):
            return [self._judge_certificate(content, file)] if self.certificates else []
        if is_ranking(content):
            return []
        is_named_game = file.lower().endswith(".gcg")
        is_game = names_players(content) or (is_named_game and is_gcg(content))
        if self.puzzle is not None or not is_game:
            answers = self._answers(content, file)
            for answer in answers if is_named_game else ():
                answer.reading.notes.append(
                    "the name says GCG, but the file holds an answer to a row"
                )
            # a comment with quotations may look like a game
            if answers or self.puzzle is not None or not (is_named_game or is_gcg(content)):
                return answers
        from verify.scrabble.judge import judge_game

        return [judge_game(content, file, **self.game_options)]

    def answer(self, file: str) -> Verdict:
        """Return the verdict on one row-draw answer; `FILE#2` is the second answer of a file.

        Raises:
            RulesError: The rules cannot be used, or the file does not hold this answer.
            OSError: The file cannot be read.
        """
        name, number = named_answer(file)
        answers = self._answers(_read(name), name)
        if not answers:
            expected = "lines such as '6 s?l?mnize solemnize'"
            raise RulesError(f"{file}: holds no answer to the row game: expected {expected}")
        if number > len(answers):
            count = counted(len(answers), "answer", grouped=True)
            raise RulesError(f"{file}: the file holds {count}")
        if not number and len(answers) > 1:
            named = "-- '-#1'" if file == "-" else f"{file}#1"
            raise RulesError(
                f"{file}: holds {len(answers):,} answers: name one of them, such as {named}"
            )
        return answers[max(0, number - 1)]

    def _answers(self, content: bytes, file: str) -> list[Verdict]:
        return judge_file(content, lambda stated: self._rules_of(stated, file), file, self.strict)

    def _judge_certificate(self, content: bytes, file: str) -> "BoundVerdict":
        # only certificates need these libraries; a wrong NUMBA_... variable or a damaged file
        # raises other errors on import
        try:
            from verify.bound.certificate import read_certificate
            from verify.bound.verdict import judge_certificate, rules_of
        except (ImportError, OSError, ValueError) as error:
            raise RulesError(
                f"{file}: a certificate of a bound is checked with numpy and numba, which do not "
                f"load ({error}): expected them installed (pip install numpy numba), and no wrong "
                "variable NUMBA_... in the environment"
            ) from error
        certificate = read_certificate(content, file)
        rules = self._given or rules_of(certificate, self.words)
        return judge_certificate(certificate, rules, file, self._show_progress)

    @cached_property
    def _given(self) -> Rules | None:
        """The rules of the options; None where they name no puzzle."""
        return None if self.puzzle is None else load_rules(self.puzzle, self.words)

    def _rules_of(self, stated: Stated, file: str) -> Rules:
        """Return the rules of the options, or else those that a file states."""
        if self._given is not None:
            return overridden(stated, self._given)
        if stated not in self._stated:
            self._stated[stated] = stated_rules(stated, self.words, file)
        return self._stated[stated]

    def _show_progress(self, done: int, total: int) -> None:
        if self.quiet or sys.stderr is None or not sys.stderr.isatty():
            return
        end = "\r\033[K" if done == total else ""
        print(f"\rchecking, {done} of {total}", end=end, file=sys.stderr, flush=True)


def _read(file: str) -> bytes:
    if not file:
        raise RulesError("the name of a file is empty: expected an answer, a game or a certificate")
    content = read_named(file, LARGEST_CERTIFICATE)
    if not is_certificate(content):
        check_size(len(content), LARGEST_TEXT, file)
        content = text_bytes(content, file)
    return content
