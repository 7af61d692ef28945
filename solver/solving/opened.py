"""Games that a command goes on with: `FILE`, or `FILE:K` for the first K turns; `FILE#N` is one of several answers."""

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
    from verify.replay.rules import Rules
    from verify.replay.stated import Stated


_TURNS = re.compile(r"(.+):([0-9]{1,5})", re.DOTALL)
_COMMENT = re.compile(rb"^[ \t]*(#[^\r\n]*)", re.MULTILINE)


@dataclass(frozen=True)
class OpenedGame:
    """A file with a game.

    number: which of its answers is meant, from 1; None where it should hold one.
    count: how many of its turns are taken; None for all.
    content: what the file holds.
    """

    file: str
    number: int | None
    count: int | None
    content: bytes

    @classmethod
    def of(cls, named: str) -> "OpenedGame":
        """Read the file of `FILE`, `FILE:K`, `FILE#N` or `FILE#N:K`, `-` for standard input.

        A file that is called so comes first. Raises `SolutionError` if it cannot be read.
        """
        from verify.judging import named_answer
        from verify.reading import LARGEST_TEXT, read_file, read_input

        if not named:
            raise SolutionError("the name of the game's file is empty: expected FILE, or FILE:K for its first K turns")
        file, count, number = named, None, 0
        try:
            turns = _TURNS.fullmatch(named)
            if turns is not None and not Path(named).exists():
                file, count = turns[1], int(turns[2])
            file, number = named_answer(file)
            content = read_input(LARGEST_TEXT) if file == "-" else read_file(Path(file), LARGEST_TEXT)
        except OSError as error:
            raise SolutionError(f"{file}: the game cannot be read ({error.strerror}){_hint(file)}") from error
        return cls(f"{file}#{number}" if number else file, number or None, count, content)

    def puzzle(
        self, chosen: "Puzzle", option: str = "PUZZLE", tell: "Callable[[str], None]" = lambda _sentence: None
    ) -> "Puzzle":
        """Return the puzzle that the file says it answers, or `chosen` if it says nothing.

        Args:
            chosen: the puzzle that the user names.
            option: how the user names one, for the message.
            tell: takes a sentence on rules that the file states and the user overrides.

        Raises:
            SolutionError: the rules are not all at hand: the file names a puzzle that is neither bundled nor `chosen` and does
                not state all its rules, or a word list that is not bundled, and the user has chosen none.
        """
        from verify.replay.parse import comment_of, parse, parse_list
        from verify.replay.rules import RulesError, is_bundled
        from verify.replay.stated import Stated, stated_rules

        texts = None if self.number is None else parse_list(self.content)
        if self.number is not None and texts is None:
            comments = {" ".join(line.decode("utf-8", "replace").split()) for line in _COMMENT.findall(self.content)}
            kinds = [kind for kind in map(comment_of, comments) if kind not in ("score", "answer", None)]
            if len(set(kinds)) < len(kinds):
                raise SolutionError(f"{self.file}: its answers are to several puzzles: expected one puzzle")
        text = texts[self.number - 1] if texts and self.number and self.number <= len(texts) else parse(self.content)
        stated = text.stated
        if stated == Stated() or stated.puzzle == chosen.reference:
            return chosen
        if stated.puzzle is not None and not is_bundled(stated.puzzle) and not stated.is_complete:
            what = f"it says that it answers the puzzle {stated.puzzle!r:.60}"
            raise SolutionError(f"{self.file}: {what}: expected that file as {option}")
        try:
            rules = stated_rules(stated, None if chosen.own_words is None else str(chosen.own_words), self.file)
        except RulesError as error:
            raise SolutionError(str(error)) from error
        for note in rules.notes:
            tell(f"{self.file}: {note}")
        return _puzzle_of(stated, rules, chosen)

    def turns(self, problem: "Problem") -> "tuple[Turn, ...]":
        """The turns. Raises `SolutionError` with the first fault that the referee finds in them."""
        from solver.solving.confirm import read_opening

        try:
            return read_opening(problem, self.content, self.count, self.number)
        except ValueError as error:
            raise SolutionError(f"{self.file}: {error}") from error


def _puzzle_of(stated: "Stated", rules: "Rules", chosen: "Puzzle") -> "Puzzle":
    """The puzzle with these rules, under the name that an answer states, with the words that the user has chosen."""
    from dataclasses import replace

    from solver.model.puzzle import CHALLENGE, bundled_puzzles, load_puzzle

    name = stated.puzzle or CHALLENGE
    is_bundled = name in bundled_puzzles()
    puzzle = load_puzzle(name if is_bundled else CHALLENGE, chosen.own_words)
    if puzzle.row != rules.row:
        puzzle = puzzle.with_row(rules.row)
    if not is_bundled:
        puzzle = replace(puzzle, name=name, source=name, own_row=False)
    words = stated.words or puzzle.words
    return replace(puzzle, rack_size=rules.rack_size, values=dict(rules.values), bonus=rules.bonus, words=words)


def _hint(file: str) -> str:
    """What was expected behind the name of a file that is there."""
    before, colon, behind = file.rpartition(":")
    try:
        is_there = before == "-" or Path(before).exists()
    except OSError:  # a name that no file can have
        is_there = False
    if colon and is_there:
        return f": expected a number of turns behind {before}:, not {behind!r:.40}"
    return ""
