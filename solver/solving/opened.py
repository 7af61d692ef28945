"""Games that a command continues: `FILE`, or `FILE:K` for the first K turns; `FILE#N` is one of several answers."""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from solver.errors import SolutionError

if TYPE_CHECKING:
    from collections.abc import Callable

    from solver.index.problem import Problem
    from solver.model.puzzle import Puzzle
    from solver.model.solution import Turn
    from verify.stated import Stated


_TURNS = re.compile(r"(.+):([0-9]{1,5})", re.DOTALL)
_SHOWN_HASH = 12  # digits


@dataclass(frozen=True)
class OpenedGame:
    """A file with a game.

    Attributes:
        number: Which of its answers is meant, from 1; None if it should hold one.
        count: How many turns to take; None for all.
        content: The content of the file.
    """

    file: str
    number: int | None
    count: int | None
    content: bytes

    @classmethod
    def of(cls, named: str) -> "OpenedGame":
        """Read the file of `FILE`, `FILE:K`, `FILE#N` or `FILE#N:K`, `-` for standard input.

        A file with exactly the given name takes precedence. Raises `SolutionError` if it cannot be read.
        """
        from verify.files import LARGEST_TEXT, named_answer, read_named

        if not named:
            raise SolutionError(
                "the name of the game's file is empty: expected FILE, or FILE:K for its first K turns"
            )
        file, count, number = named, None, 0
        try:
            turns = _TURNS.fullmatch(named)
            if turns is not None and not Path(named).exists():
                file, count = turns[1], int(turns[2])
            file, number = named_answer(file)
            content = read_named(file, LARGEST_TEXT)
        except OSError as error:
            raise SolutionError(
                f"{file}: the game cannot be read ({error.strerror}){_hint(file)}"
            ) from error
        return cls(f"{file}#{number}" if number else file, number or None, count, content)

    def puzzle(
        self,
        chosen: "Puzzle",
        options: tuple[str, str] = ("PUZZLE", "--words"),
        tell: "Callable[[str], None]" = lambda _sentence: None,
        *,
        checks_words: bool = True,
    ) -> "Puzzle":
        """Return the puzzle that the file says it answers, or `chosen`, the user's, if it says nothing.

        The user's own word list takes precedence over the one that the file states, but other rules of `chosen` do not; `tell`
        gets a sentence that says so. `options` name a puzzle and a word list in messages. Without `checks_words` the words of
        the file do not matter.

        Raises:
            PuzzleError: The file states what no puzzle can have.
            SolutionError: A rule is unknown: the file names a puzzle that is neither bundled nor `chosen` and does not state
                all its rules, or a word list that is not bundled, and the user has chosen none.
        """
        from solver.model.puzzle import CHALLENGE, load_puzzle
        from verify.stated import Stated

        stated = self._stated()
        if stated == Stated():
            return chosen
        puzzle = self._stated_puzzle(stated, chosen, options[0])
        if checks_words and (stated.words is not None or stated.words_hash is not None):
            self._check_words(stated, puzzle, options[1], tell)
        same_words = puzzle.own_words is not None or puzzle.words == chosen.words
        is_same = puzzle.digest("") == chosen.digest("")
        if not is_same and chosen.digest("") != load_puzzle(CHALLENGE).digest(""):
            tell(
                f"{self.file}: the answer states its own rules: going on with {puzzle.name}, not with {chosen.name}"
            )
        return chosen if same_words and is_same else puzzle

    def _stated(self) -> "Stated":
        """Return the rules that the answer states."""
        from verify.answers import stated_rules_of

        return stated_rules_of(self.content, self.number)

    def _stated_puzzle(self, stated: "Stated", chosen: "Puzzle", option: str) -> "Puzzle":
        """Return the puzzle with the stated rules; the puzzle that it names supplies the others."""
        from dataclasses import replace

        from solver.model.puzzle import CHALLENGE, bundled_puzzles, load_puzzle

        name = stated.puzzle or CHALLENGE
        is_bundled = name in bundled_puzzles()
        if not is_bundled and not stated.is_complete and Path(name).name != chosen.stated_name:
            what = f"it says that it answers the puzzle {name!r:.60}"
            raise SolutionError(f"{self.file}: {what}: expected that file as {option}")
        base = (
            chosen
            if not is_bundled and not stated.is_complete
            else load_puzzle(name if is_bundled else CHALLENGE)
        )
        made = replace(base, own_words=chosen.own_words).with_rules(
            stated.puzzle_fields(), stated.places(self.file)
        )
        return made if is_bundled else replace(made, name=name, source=name, own_row=False)

    def _check_words(
        self, stated: "Stated", puzzle: "Puzzle", option: str, tell: "Callable[[str], None]"
    ) -> None:
        """Compare the stated words with those available. Raises `SolutionError` if they are needed and missing."""
        from solver.model.puzzle import read_lexicon
        from verify.files import bundled_words

        digest = f" (SHA-256 {stated.words_hash[:_SHOWN_HASH]}...)" if stated.words_hash else ""
        named = f"those of the list {puzzle.words!r:.60}{digest}"
        path = puzzle.own_words or bundled_words(puzzle.words)
        if path is None:
            raise SolutionError(
                f"{self.file}: its words are {named}, which is not bundled: expected that file as {option}"
            )
        if stated.words_hash in (None, read_lexicon(path).digest):
            return
        if puzzle.own_words is None:
            others = "the bundled list of that name has others"
            raise SolutionError(
                f"{self.file}: its words are {named}; {others}: expected that file as {option}"
            )
        tell(f"{self.file}: the answer names other words, {named}: going on with {path}")

    def turns(self, problem: "Problem") -> "tuple[Turn, ...]":
        """Return the turns. Raises `SolutionError` with the first fault that the referee finds in them."""
        from solver.solving.result import read_opening

        try:
            return read_opening(problem, self.content, self.count, self.number)
        except ValueError as error:
            raise SolutionError(f"{self.file}: {error}") from error


def _hint(file: str) -> str:
    """Return what was expected after the name of a file that exists."""
    before, colon, after = file.rpartition(":")
    try:
        is_there = before == "-" or Path(before).exists()
    except OSError:  # a name that no file can have
        is_there = False
    if colon and is_there:
        return f": expected a number of turns after {before}:, not {after!r:.40}"
    return ""
