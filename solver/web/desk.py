"""What only the server answers: verdicts on posts, and the games from which searches go on."""

from dataclasses import replace
from typing import Any

from solver.errors import RowdrawError
from solver.model.puzzle import CHALLENGE, load_puzzle
from solver.model.solution import Turn
from solver.show.games import make_game
from solver.solving.result import replayed
from verify import Played, Rules, RulesError, Verdict, judge
from verify.answers import judge_file, rules_by_statement
from verify.rules import LARGEST_SEED, bundled_names, is_bundled
from verify.stated import Stated, fields_of
from verify.text import quote

_LONGEST_ROW = 400  # tiles of a row that a page may play
_MOST_NOTES = 10  # sentences about a verdict
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

    def rules(self, puzzle: Any) -> Rules:
        """Return the rules of the puzzle that a request names. Raises `RowdrawError`.

        Args:
            puzzle: An object with a bundled `name`, a `row`, a `seed`, or `own`: the server's.
        """
        challenge = load_puzzle(CHALLENGE)
        match puzzle:
            case {"own": True}:
                return self.own
            case {"name": str(name)} if name in bundled_names():
                return load_puzzle(name)
            case {"name": str(name)}:
                raise RequestError(f"{name!r:.60}: no bundled puzzle")
            case {"seed": int(seed)} if 0 <= seed <= LARGEST_SEED:
                return challenge.with_row(challenge.shuffled(seed).row, f"seed {seed}")
            case {"row": str(row)} if 1 <= len(row) <= _LONGEST_ROW:
                return challenge.with_row(row.lower())
        raise RequestError(
            f"puzzle: expected a name, a row of 1 to {_LONGEST_ROW} tiles, a seed from 0 to "
            f"{LARGEST_SEED:,}, or own"
        )

    def position(self, puzzle: Any, turns: Any) -> tuple[Rules, tuple[Turn, ...]]:
        """Return the rules of a puzzle, and the turns of a text.

        Raises `RowdrawError`, with the referee's first fault.
        """
        rules = self.rules(puzzle)
        _check_text(turns)
        verdict = judge(turns, rules, "game", strict=True)
        if turns and not verdict.valid:
            raise RequestError(verdict.violations[0].message)
        return rules, replayed(verdict).turns

    def verdicts(self, puzzle: Any, text: Any) -> list[dict[str, Any]]:
        """Return the referee's verdicts on the answers in a text, without their games.

        Each is on the puzzle that the answer names, or on the page's.
        """
        rules = self.rules(puzzle)
        return [
            {
                # what names its puzzle; None if the page cannot open it
                "asked": puzzle if verdict.rules is rules else address(verdict.rules),
                "name": verdict.name,
                "puzzle": verdict.puzzle,
                "valid": verdict.valid,
                "score": verdict.score,
                "turns": len(_legal(verdict)),
                "faults": [vars(fault) for fault in verdict.violations[:1]],
                "notes": verdict.notes[:_MOST_NOTES],
            }
            for verdict in _judged(rules, text)
        ]

    def judged(self, puzzle: Any, text: Any, number: Any) -> dict[str, Any]:
        """Return the game of the verdict of a number, from 0, up to its first faulty turn."""
        verdicts = _judged(self.rules(puzzle), text)
        if type(number) is not int or number not in range(len(verdicts)):
            raise RequestError(f"number: expected 0 to {len(verdicts) - 1}")
        verdict = verdicts[number]
        shown = verdict.turns[: len(_legal(verdict)) + 1]
        return make_game(replace(verdict, turns=shown)).as_dict()


def _judged(rules: Rules, text: Any) -> list[Verdict]:
    _check_text(text)

    def rules_of(stated: Stated) -> Rules:
        if stated.puzzle in (None, fields_of(rules)["puzzle"]) and stated.agrees_with(rules):
            return rules
        puzzle = stated.puzzle or CHALLENGE
        if not is_bundled(puzzle) and not stated.is_complete:
            # a page takes no puzzle file, as a command does
            expected = "expected its row, rack, values and words in comments"
            raise RulesError(f"the puzzle {quote(puzzle)} is not bundled: {expected}")
        return rules_by_statement(stated)

    verdicts = judge_file(text.encode("utf-8", "surrogatepass"), rules_of, "answer")
    if not verdicts:
        raise RequestError("no turn was found: expected lines such as 6 s?l?mnize solemnize")
    return verdicts


def _check_text(text: Any) -> None:
    if not isinstance(text, str) or len(text) > _MOST_TEXT:
        raise RequestError(f"expected text of at most {_MOST_TEXT:,} characters")


def address(puzzle: Rules) -> dict[str, str] | None:
    """Return what names a puzzle to every page, its name or its row; None if neither does."""
    if is_bundled(puzzle.puzzle) and puzzle == load_puzzle(puzzle.puzzle):
        return {"name": puzzle.puzzle}
    if load_puzzle(CHALLENGE).with_row(puzzle.row) == puzzle:
        return {"row": puzzle.row}
    return None


def _legal(verdict: Verdict) -> tuple[Played, ...]:
    """Return the turns before the first fault."""
    lines = [fault.line for fault in verdict.violations if fault.line]
    return tuple(turn for turn in verdict.turns if not lines or turn.line < lines[0])
