"""Games that a command continues: `FILE`, or `FILE:K` for the first K turns.

`FILE#N` is one of several answers.
"""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from solver.errors import RowdrawError

if TYPE_CHECKING:
    from collections.abc import Callable

    from solver.index.problem import Problem
    from solver.model.solution import Turn
    from verify import Rules, Verdict


_TURNS = re.compile(r"(.+):([0-9]{1,5})", re.DOTALL)


@dataclass(frozen=True)
class OpenedGame:
    """A file with a game.

    Attributes:
        content: The content of the file.
        number: Which of its answers is meant, from 1; None if it should hold one.
        count: How many turns to take; None for all.
    """

    file: str
    content: bytes
    number: int | None = None
    count: int | None = None

    @classmethod
    def of(cls, named: str) -> "OpenedGame":
        """Read the file of `FILE`, `FILE:K`, `FILE#N` or `FILE#N:K`, `-` for standard input.

        A file with exactly the given name takes precedence. Raises `RowdrawError` if it cannot be
        read.
        """
        from verify.files import LARGEST_TEXT, named_answer, read_named

        if not named:
            raise RowdrawError(
                "the name of the game's file is empty: "
                "expected FILE, or FILE:K for its first K turns"
            )
        file, count, number = named, None, 0
        try:
            turns = _TURNS.fullmatch(named)
            if turns is not None and not Path(named).exists():
                file, count = turns[1], int(turns[2])
            file, number = named_answer(file)
            content = read_named(file, LARGEST_TEXT)
        except OSError as error:
            raise RowdrawError(f"{file}: the game cannot be read ({error.strerror})") from error
        return cls(f"{file}#{number}" if number else file, content, number or None, count)

    def rules(
        self,
        chosen: "Rules",
        tell: "Callable[[str], None]" = lambda _sentence: None,
        *,
        own_words: bool = False,
    ) -> "Rules":
        """Return the rules that the file states, or `chosen`, the user's, if it states none.

        The user's own word list takes precedence over the one that the file states, but other rules
        of `chosen` do not; `tell` gets a sentence that says so. With `own_words` the user's words
        are those of `chosen`, whatever the file says.

        Raises:
            RulesError: The file states what no puzzle can have, names a puzzle that is not bundled
                without all of its rules, or a word list that is neither bundled nor chosen.
        """
        from dataclasses import replace

        from verify import load_rules
        from verify.answers import stated_rules_of
        from verify.rules import is_bundled, puzzle_digest
        from verify.stated import Stated, stated_rules

        stated = stated_rules_of(self.content, self.number)
        if own_words:
            stated = replace(stated, words=None, words_hash=None)
        names_a_file = stated.puzzle is not None and not is_bundled(stated.puzzle)
        is_open = names_a_file and not stated.is_complete
        if is_open and Path(str(stated.puzzle)).stem == chosen.puzzle:
            return chosen.with_fields(stated.puzzle_fields())
        if stated == Stated() or (stated.agrees_with(chosen) and not is_open):
            return chosen
        words = None
        if chosen.has_own_words and chosen.word_list.file is not None:
            words = str(chosen.word_list.file)
        made = stated_rules(stated, words, self.file)
        if own_words:
            made = made.with_words(chosen.word_list.words)
        if stated.words_hash not in (None, made.words_hash):
            tell(f"{self.file}: {made.notes[0]}")
        if made == chosen:
            return chosen
        if puzzle_digest(chosen, "") != puzzle_digest(load_rules(), ""):
            other = f"going on with {made.puzzle}, not with {chosen.puzzle}"
            tell(f"{self.file}: the answer states its own rules: {other}")
        return made

    def turns(self, problem: "Problem") -> "tuple[Turn, ...]":
        """Return the turns.

        Raises `RowdrawError` if the answer does not exist or has fewer turns, or with the first
        fault that the referee finds in these turns.
        """
        from solver.solving.result import replayed

        verdict = self._verdict(problem)
        turns = verdict.turns[: self.count]
        if self.count is not None and len(turns) < self.count:
            raise RowdrawError(
                f"{self.file}: it has {len(turns)} turns, so there is no turn {self.count}"
            )
        for fault in verdict.violations:
            if self.count is None or not turns or fault.line <= turns[-1].line:
                hint = ", or FILE#1 and so on" if fault.code == "several-answers" else ""
                place = f"line {fault.line}: " if fault.line else ""
                raise RowdrawError(f"{self.file}: {place}{fault.message}{hint}")
        return replayed(verdict).turns[: self.count]

    def _verdict(self, problem: "Problem") -> "Verdict":
        """Return the referee's verdict on the answer that is meant."""
        from verify import judge, judge_all
        from verify.text import counted

        if self.number is None:
            return judge(self.content, problem.rules)
        verdicts = judge_all(self.content, problem.rules)
        if self.number > len(verdicts):
            held = counted(len(verdicts), "answer")
            raise RowdrawError(f"{self.file}: it holds {held}, so there is no answer {self.number}")
        return verdicts[self.number - 1]
