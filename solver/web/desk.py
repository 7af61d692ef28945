"""What only the server answers: verdicts on posts, and the games from which searches go on."""

from dataclasses import replace
from functools import lru_cache
from typing import Any

from solver.errors import RowdrawError
from solver.index.problem import Problem
from solver.model.puzzle import CHALLENGE, load_puzzle
from solver.model.solution import Turn
from solver.show.games import make_game
from solver.solving.result import replayed
from verify import Played, Rules, Verdict, judge
from verify.answers import judge_file, rules_by_statement
from verify.rules import LARGEST_SEED, bundled_names, is_bundled
from verify.stated import Stated, fields_of
from verify.text import counted

_LONGEST_ROW = 400  # tiles of a row that a page may play
# the fields by which a request names a puzzle, with their types and what these are called
_KINDS = {
    "name": (str, "text"),
    "row": (str, "text"),
    "seed": (int, "a whole number"),
    "own": (bool, "true"),
}
_MOST_TEXT = 200_000  # characters of answers to judge


class RequestError(RowdrawError):
    """A request that no page of ours sends, or that names an impossible puzzle or game."""


class Desk:
    """Answers requests about puzzles.

    Args:
        own: The puzzle that the server was started with.
    """

    def __init__(self, own: Rules) -> None:
        self.own = own
        self._problem = lru_cache(maxsize=8)(self._made)

    def problem(self, asked: Any) -> Problem:
        """Return the problem that a request names.

        It has a bundled `name`, a `row` or a `seed`, or is the server's `own`. Raises
        `RowdrawError`.
        """
        if not isinstance(asked, dict) or len(asked) != 1 or not asked.keys() <= _KINDS.keys():
            raise RequestError(f"puzzle: expected an object with one of {', '.join(_KINDS)}")
        ((kind, value),) = asked.items()
        needed, called = _KINDS[kind]
        if type(value) is not needed:
            raise RequestError(f"puzzle: {kind}: expected {called}")
        return self._problem(kind, value)

    def _made(self, kind: str, value: Any) -> Problem:
        if kind == "own":
            puzzle = self.own
        elif kind == "name":
            if value not in bundled_names():
                raise RequestError(f"{value!r:.60}: no bundled puzzle")
            puzzle = load_puzzle(value)
        elif kind == "seed":
            if not 0 <= value <= LARGEST_SEED:
                raise RequestError(f"seed {value}: expected 0 to {LARGEST_SEED:,}")
            rules = load_puzzle(CHALLENGE)
            puzzle = rules.with_row(rules.shuffled(value).row, f"seed {value}")
        else:
            if not 1 <= len(value) <= _LONGEST_ROW:
                tiles = counted(len(value), "tile")
                raise RequestError(f"the row has {tiles}: expected 1 to {_LONGEST_ROW}")
            puzzle = load_puzzle(CHALLENGE).with_row(value.lower())
        return Problem(puzzle)

    def game(self, asked: Any, lines: Any) -> tuple[Problem, tuple[Turn, ...]]:
        """Return a problem and the turns of a game.

        Raises `RequestError` with the referee's first fault.
        """
        problem = self.problem(asked)
        if not isinstance(lines, list) or not all(map(_is_line, lines)):
            raise RequestError("turns: expected a list of lines")
        most = len(problem.puzzle.row)
        if len(lines) > most:
            raise RequestError(
                f"{len(lines)} turns: the row has {counted(most, 'tile')}, and each turn plays at "
                "least one"
            )
        verdict = judge("\n".join(lines), problem.rules, "game", strict=True)
        if lines and not verdict.valid:
            raise RequestError(verdict.violations[0].message)
        return problem, replayed(verdict).turns

    def verdicts(self, asked: Any, text: Any) -> list[dict[str, Any]]:
        """Return the referee's verdicts on the answers in a text, without their games.

        Each is on the puzzle that the answer names, or on the page's.
        """
        problem = self.problem(asked)

        def address_of(rules: Rules) -> Any:
            """Return what names the puzzle of a verdict; None if the page cannot open it."""
            return asked if rules is problem.rules else address(rules)

        return [
            {
                "asked": address_of(verdict.rules),
                "name": verdict.name,
                "puzzle": verdict.puzzle,
                "valid": verdict.valid,
                "score": verdict.score,
                "turns": len(_legal(verdict)),
                "faults": [vars(fault) for fault in verdict.violations[:1]],
            }
            for verdict in self._judged(problem.rules, text)
        ]

    def judged(self, asked: Any, text: Any, number: Any) -> dict[str, Any]:
        """Return the game of the verdict of a number, from 0, up to its first faulty turn."""
        verdicts = self._judged(self.problem(asked).rules, text)
        if type(number) is not int or not 0 <= number < len(verdicts):
            raise RequestError(f"number: expected 0 to {len(verdicts) - 1}")
        verdict = verdicts[number]
        shown = verdict.turns[: len(_legal(verdict)) + 1]
        return make_game(replace(verdict, turns=shown)).as_dict()

    def _judged(self, rules: Rules, text: Any) -> list[Verdict]:
        if not isinstance(text, str) or len(text) > _MOST_TEXT:
            raise RequestError(f"text: expected at most {_MOST_TEXT:,} characters")

        def rules_of(stated: Stated) -> Rules:
            if stated.puzzle in (None, fields_of(rules)["puzzle"]) and stated.agrees_with(rules):
                return rules
            return rules_by_statement(stated)

        verdicts = judge_file(text.encode("utf-8", "surrogatepass"), rules_of, "answer")
        if not verdicts:
            raise RequestError("no turn was found: expected lines such as 6 s?l?mnize solemnize")
        return verdicts


def address(puzzle: Rules) -> dict[str, str] | None:
    """Return what names a puzzle to every page, its name or its row; None if neither does."""
    challenge = load_puzzle(CHALLENGE)
    if is_bundled(puzzle.puzzle) and puzzle == load_puzzle(puzzle.puzzle):
        return {"name": puzzle.puzzle}
    return {"row": puzzle.row} if challenge.with_row(puzzle.row) == puzzle else None


def _legal(verdict: Verdict) -> tuple[Played, ...]:
    """Return the turns before the first fault."""
    lines = [fault.line for fault in verdict.violations if fault.line]
    return tuple(turn for turn in verdict.turns if not lines or turn.line < lines[0])


def _is_line(text: Any) -> bool:
    return isinstance(text, str) and "\n" not in text
