"""Judges files: each by the referee for its content. Each puzzle and each word list is read once."""

import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from verify.answers import judge_file
from verify.explain import Verdict
from verify.files import (
    LARGEST_CERTIFICATE,
    LARGEST_TEXT,
    check_size,
    is_certificate,
    is_gcg,
    is_old_certificate,
    is_ranking,
    named_answer,
    read_named,
)
from verify.rules import Rules, RulesError, load_rules
from verify.stated import Stated, overridden, stated_rules
from verify.text import counted, printable

if TYPE_CHECKING:
    from verify.bound.verdict import BoundVerdict
    from verify.scrabble.judge import GameVerdict

    AnyVerdict = Verdict | GameVerdict | BoundVerdict


@dataclass
class Judge:
    """Judges files with the rules of the options.

    puzzle, words: as on the command line.
    game_options: for `verify.scrabble.judge.judge_game`.
    strict: answers are read in the plain format only.
    quiet: whether the check of a certificate prints no progress.
    """

    puzzle: str | None
    words: str | None
    game_options: Mapping[str, Any] = field(default_factory=dict)
    strict: bool = False
    quiet: bool = False
    _rules: dict[Stated | None, Rules] = field(default_factory=dict, init=False)

    def __call__(self, file: str, certificates: bool = True) -> "list[AnyVerdict]":
        """Return the verdicts on what a file holds: answers, a game, or a certificate. `FILE#2` is its second answer.

        certificates: whether to check a certificate of a bound, which may take long; otherwise it has no verdict.

        Raises `RulesError` or `OSError`.
        """
        if file and named_answer(file)[1]:
            return [self.answer(file)]
        content = _read(file)
        if is_certificate(content):
            return [self._judge_certificate(content, file)] if certificates else []
        if is_old_certificate(content):
            command = f"python tools/certificates.py {printable(file)} -o NEW.txt"
            raise RulesError(
                f"{file}: a certificate of version 1, a JSON file: in a clone of rowdraw '{command}' converts it"
            )
        if is_ranking(content):
            return []
        is_game = self.puzzle is None and (file.lower().endswith(".gcg") or is_gcg(content))
        # a comment with quotations may look like a game
        if is_game and (file.lower().endswith(".gcg") or not self._answers(content, file)):
            from verify.scrabble.judge import judge_game

            return [judge_game(content, file, **self.game_options)]
        return [*self._answers(content, file)]

    def answer(self, file: str) -> Verdict:
        """Return the verdict on one row-draw answer; `FILE#2` is the second answer of a file.

        Raises `RulesError` or `OSError`.
        """
        name, number = named_answer(file)
        answers = self._answers(_read(name), name)
        if not answers:
            raise RulesError(
                f"{file}: holds no answer: expected lines such as '6 s?l?mnize solemnize'"
            )
        if number > len(answers):
            raise RulesError(
                f"{file}: the file holds {counted(len(answers), 'answer', grouped=True)}"
            )
        if not number and len(answers) > 1:
            named = "-- '-#1'" if file == "-" else f"{file}#1"
            raise RulesError(
                f"{file}: holds {len(answers):,} answers: name one of them, such as {named}"
            )
        return answers[max(0, number - 1)]

    def _answers(self, content: bytes, file: str) -> list[Verdict]:
        return judge_file(content, lambda stated: self._rules_of(stated, file), file, self.strict)

    def _judge_certificate(self, content: bytes, file: str) -> "BoundVerdict":
        # only certificates need these libraries; a wrong NUMBA_... variable or a damaged file raises other errors on import
        try:
            from verify.bound.certificate import read_certificate
            from verify.bound.verdict import judge_certificate, rules_of
        except (ImportError, OSError, ValueError) as error:
            raise RulesError(
                f"{file}: a certificate of a bound is checked with numpy and numba, which do not load ({error}): expected "
                "them installed (pip install numpy numba), and no wrong variable NUMBA_... in the environment"
            ) from error
        certificate = read_certificate(content, file)
        given = self.puzzle
        rules = (
            rules_of(certificate, self.words) if given is None else load_rules(given, self.words)
        )
        show = (lambda _done, _total: None) if self.quiet else _show_progress
        return judge_certificate(certificate, rules, file, show)

    def _rules_of(self, stated: Stated, file: str) -> Rules:
        """Return the rules of the options, or else those that a file states."""
        asked = None if self.puzzle is not None else stated
        if asked not in self._rules:
            given = self.puzzle
            self._rules[asked] = (
                stated_rules(stated, self.words, file)
                if given is None
                else load_rules(given, self.words)
            )
        return overridden(stated, self._rules[asked]) if asked is None else self._rules[asked]


def _read(file: str) -> bytes:
    if not file:
        raise RulesError("the name of a file is empty: expected an answer, a game or a certificate")
    content = read_named(file, LARGEST_CERTIFICATE)
    if not is_certificate(content) and not is_old_certificate(content):
        check_size(len(content), LARGEST_TEXT, file)
    return content


def _show_progress(done: int, total: int) -> None:
    if sys.stderr is not None and sys.stderr.isatty():
        print(
            f"\rchecking, {done} of {total}" + ("\r\033[K" if done == total else ""),
            end="",
            file=sys.stderr,
            flush=True,
        )
