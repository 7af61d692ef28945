"""Judges files: each by the referee for its content. Each puzzle and each word list is read once."""

import os
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from verify.bound import is_certificate, is_list_of_certificates
from verify.posts.answers import has_turns, judged
from verify.reading import LARGEST_CERTIFICATE, LARGEST_TEXT, check_size, read_file, read_input
from verify.replay.rules import Rules, RulesError, load_rules
from verify.replay.stated import Stated, overridden, stated_rules
from verify.replay.verdict import Verdict
from verify.scrabble.gcg import is_gcg
from verify.scrabble.judge import judge_game
from verify.scrabble.rulings import STANDARD, Rulings
from verify.text import counted

if TYPE_CHECKING:
    from verify.bound.certificate import BoundVerdict
    from verify.scrabble.judge import GameVerdict

    AnyVerdict = Verdict | GameVerdict | BoundVerdict

_ANSWERS = frozenset({"", ".txt", ".text", ".md", ".markdown", ".json", ".html", ".htm", ".csv", ".tsv", ".gcg"})
_ONE_OF_SEVERAL = re.compile(r"(.+)#([1-9][0-9]{0,6})", re.DOTALL)


def named_answer(name: str) -> tuple[str, int]:
    """Return file and number of `FILE#N`; 0 without a number, or where a file has this name. Raises `OSError`."""
    parts = _ONE_OF_SEVERAL.fullmatch(name)
    return (name, 0) if parts is None or Path(name).exists() else (parts[1], int(parts[2]))


def files_in(folder: Path) -> list[Path]:
    """Return the files below a folder that may hold answers, sorted by name, without hidden ones and pipes.

    Raises `OSError` where the folder cannot be read.
    """

    def fail(error: OSError) -> None:
        raise error

    files = []
    for here, folders, names in os.walk(folder, onerror=fail):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        paths = (Path(here, name) for name in sorted(names) if not name.startswith("."))
        # no process may ever write to a pipe in a folder
        files += [path for path in paths if path.suffix.lower() in _ANSWERS and not path.is_fifo()]
    return files


class Judge:
    """Judges files with the rules of the options.

    puzzle, words, tiles, extra_words: as on the command line.
    strict: answers are read in the plain format only.
    rulings: of the federation whose games are judged.
    keep: a folder in which the check of a certificate saves its progress, see `verify.bound.checkpoints`.
    quiet: whether the check of a certificate prints no progress.
    """

    def __init__(
        self,
        puzzle: str | None,
        words: str | None,
        tiles: str | None = None,
        extra_words: str | None = None,
        strict: bool = False,
        rulings: Rulings = STANDARD,
        keep: Path | None = None,
        quiet: bool = False,
    ) -> None:
        self._puzzle, self._words = puzzle, words
        self._tiles, self._extra_words = tiles, extra_words
        self._strict = strict
        self._rulings = rulings
        self._keep, self._quiet = keep, quiet
        self._rules: dict[Stated | None, Rules] = {}

    def __call__(self, file: str) -> "list[AnyVerdict]":
        """Return the verdicts on `file`. Raises `RulesError` or `OSError`."""
        return [verdict for verdict, _rules in self.answers(file, certificates=True)]

    def answers(self, file: str, certificates: bool = False) -> "list[tuple[AnyVerdict, Rules | None]]":
        """Return the verdicts on `file` with the rules of row-draw answers, of which it may hold several.

        certificates: whether to check a certificate of a bound, which may take long; otherwise it has no verdict.

        Raises `RulesError` or `OSError`.
        """
        content = _read(file)
        if is_certificate(content):
            return [(self._judge_certificate(content, file), None)] if certificates else []
        if is_list_of_certificates(content):
            raise RulesError(f"{file}: a list of certificates: expected one certificate, a JSON object, in each file")
        # a comment with quotations may look like a game
        is_game = file.lower().endswith(".gcg") or (is_gcg(content) and not has_turns(content))
        if self._puzzle is None and is_game:
            game = judge_game(content, file, self._tiles, self._words, self._extra_words, self._rulings)
            return [(game, None)]
        return [*self._judge_answers(content, file)]

    def with_rules(self, file: str) -> tuple[Verdict, Rules]:
        """Return the verdict on one row-draw answer and its rules; `FILE#2` is the second answer of a file.

        Raises `RulesError` or `OSError`.
        """
        name, number = named_answer(file)
        answers = self._judge_answers(_read(name), name)
        if number > len(answers):
            raise RulesError(f"{file}: the file holds {counted(len(answers), 'answer', grouped=True)}")
        if not number and len(answers) > 1:
            raise RulesError(f"{file}: holds {len(answers):,} answers: name one of them, such as {file}#1")
        return answers[max(0, number - 1)]

    def _judge_answers(self, content: bytes, file: str) -> list[tuple[Verdict, Rules]]:
        return judged(content, lambda text: self._rules_of(text.stated, file), file, self._strict)

    def _judge_certificate(self, content: bytes, file: str) -> "BoundVerdict":
        # only certificates need these libraries; a wrong NUMBA_... variable or a damaged file raises other errors on import
        try:
            from verify.bound.certificate import judge_certificate, read_certificate
            from verify.bound.checkpoints import Keeper
        except (ImportError, OSError, ValueError) as error:
            raise RulesError(
                f"{file}: a certificate of a bound is checked with numpy and numba, which do not load ({error}): expected "
                "them installed (pip install numpy numba), and no wrong variable NUMBA_... in the environment"
            ) from error
        certificate = read_certificate(content, file)
        rules = self._rules_of(Stated(certificate["puzzle"], certificate.get("row")), file)
        show = (lambda _done, _total: None) if self._quiet else _show_progress
        return judge_certificate(certificate, rules, file, show, lambda digest: Keeper(self._keep, digest, _say))

    def _rules_of(self, stated: Stated, file: str) -> Rules:
        """Return the rules of the options, or else those that a file states."""
        asked = None if self._puzzle is not None else stated
        if asked not in self._rules:
            given = self._puzzle
            self._rules[asked] = stated_rules(stated, self._words, file) if given is None else load_rules(given, self._words)
        return overridden(stated, self._rules[asked]) if asked is None else self._rules[asked]


def _read(file: str) -> bytes:
    if not file:
        raise RulesError("the name of a file is empty: expected an answer, a game or a certificate")
    content = read_input(LARGEST_CERTIFICATE) if file == "-" else read_file(Path(file), LARGEST_CERTIFICATE)
    if not is_certificate(content) and not is_list_of_certificates(content):
        check_size(len(content), LARGEST_TEXT, file)
    return content


def _show_progress(done: int, total: int) -> None:
    if sys.stderr is not None and sys.stderr.isatty():
        print(f"\rchecking, {done} of {total}" + ("\r\033[K" if done == total else ""), end="", file=sys.stderr, flush=True)


def _say(line: str) -> None:
    if sys.stderr is not None:
        print(line, file=sys.stderr)
