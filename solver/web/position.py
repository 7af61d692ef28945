"""Answers to a page about a game: its puzzle, the possible plays, and the verdict of the referee."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from solver.errors import RowdrawError
from solver.index.problem import Problem
from solver.lab.known import NOTHING, name_in_book, record_book, recorded_games
from solver.model.puzzle import CHALLENGE, MAX_SEED, Puzzle, bundled_puzzles, load_puzzle
from solver.model.solution import Turn
from solver.model.statement import address_of
from solver.search.hand import after_all, can_play
from solver.show.formats import FORMS
from solver.show.picture import game_svg
from solver.show.steps import make_game
from verify import Rules, Verdict, judge
from verify.posts.answers import header_rules, judged
from verify.replay.parse import SolutionText
from verify.replay.verdict import Replay
from verify.text import counted

_LONGEST_ROW = 400  # tiles of a row that a page may play
# the fields by which a request names a puzzle, with their types and what these are called
_KINDS = {"name": (str, "text"), "row": (str, "text"), "seed": (int, "a whole number"), "own": (bool, "true")}
_MOST_TEXT = 200_000  # characters of answers to judge


class RequestError(RowdrawError):
    """A request that no page of ours sends, or that names an impossible puzzle or game."""


class Desk:
    """Answers requests about puzzles.

    Args:
        own: The puzzle that the server was started with.
    """

    def __init__(self, own: Puzzle) -> None:
        self.own = own
        self._problem = lru_cache(maxsize=8)(self._made)

    def problem(self, asked: Any) -> Problem:
        """Return the problem that a request names: by its bundled `name`, by a `row` or a `seed`, or the server's `own`.

        Raises `RowdrawError`.
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
            return Problem.of(self.own)
        if kind == "name":
            if value not in bundled_puzzles():
                raise RequestError(f"{value!r:.60}: no bundled puzzle")
            return Problem.of(load_puzzle(value))
        rules = load_puzzle(CHALLENGE)
        if kind == "seed":
            if not 0 <= value <= MAX_SEED:
                raise RequestError(f"seed {value}: expected 0 to {MAX_SEED:,}")
            return Problem.of(rules.with_row(rules.shuffled(value).row, f"seed {value}"))
        if not 1 <= len(value) <= _LONGEST_ROW:
            raise RequestError(f"the row has {counted(len(value), 'tile')}: expected 1 to {_LONGEST_ROW}")
        return Problem.of(rules.with_row(value.lower()))

    def puzzle(self, asked: Any) -> dict[str, Any]:
        """Return the facts of a puzzle that a page needs to play it. `asked` in the answer names it in addresses."""
        problem = self.problem(asked)
        puzzle, in_book = problem.puzzle, name_in_book(problem)
        known = record_book().get(in_book, NOTHING)
        return {
            "asked": self._address(asked),
            "digest": puzzle.digest(problem.lexicon.digest),
            "name": puzzle.name,
            "row": puzzle.row,
            "rack": puzzle.rack_size,
            "values": dict(puzzle.values),
            "bonus": puzzle.bonus,
            "game": recorded_games().get(in_book, []),
            "bound": known.bound,
            "solvable": problem.has_closed_index,
        }

    def _address(self, asked: Any) -> Any:
        """Return the name of a puzzle in addresses. The server's own has a name or row if other servers know it."""
        if "own" not in asked:
            return asked
        name, row = address_of(self.own)
        if self.own.own_words is None and name in bundled_puzzles():
            if row is None:
                return {"name": name}
            if name == CHALLENGE:
                return {"row": row}
        return asked

    def game(self, asked: Any, lines: Any) -> tuple[Problem, tuple[Turn, ...]]:
        """Return a problem and the turns of a game. Raises `RequestError` with the referee's first fault."""
        problem, verdict = self._judged_turns(asked, lines, 0, strict=True)
        if lines and not verdict.valid:
            raise RequestError(verdict.violations[0].message)
        return problem, _turns(verdict.turns)

    def _judged_turns(self, asked: Any, lines: Any, fewest: int = 1, strict: bool = False) -> tuple[Problem, Verdict]:
        problem = self.problem(asked)
        if (
            not isinstance(lines, list)
            or not fewest <= len(lines) <= _LONGEST_ROW
            or not all(isinstance(line, str) and "\n" not in line for line in lines)
        ):
            raise RequestError(f"turns: expected a list of {'at least one line' if fewest else 'lines'}")
        return problem, judge("\n".join(lines), problem.rules, "game", strict)

    def position(self, asked: Any, lines: Any) -> dict[str, Any]:
        """Return the position after the legal turns of a game, as the referee reads them, and the faults of the others.

        `score` is that of the last turn, `over` says whether no word can be played any more.
        """
        problem, verdict = self._judged_turns(asked, lines, 0)
        faults = verdict.violations if lines else ()
        stop = min((fault.line for fault in faults), default=len(lines) + 1)
        legal = [turn for turn in verdict.turns if turn.line < stop]
        turns = _turns(legal)
        return {
            "turns": [str(turn) for turn in turns],
            "faults": [{"line": fault.line, "message": fault.message} for fault in faults],
            "score": legal[-1].score if legal else 0,
            "total": legal[-1].total if legal else 0,
            "over": not can_play(problem, after_all(problem, turns)),
        }

    def verdicts(self, asked: Any, text: Any) -> list[dict[str, Any]]:
        """Return the referee's verdicts on the answers in a text, each to the puzzle that it names or to the page's."""
        problem = self.problem(asked)
        verdicts = []
        for verdict, rules in self._judged(problem, text):
            bundled = {"name": verdict.puzzle} if verdict.puzzle in bundled_puzzles() else None
            verdicts.append(_verdict(verdict, asked if rules is problem.rules else bundled))
        return verdicts

    def shown(self, asked: Any, text: Any, number: Any) -> dict[str, object]:
        """Return answer `number`, from 0, of a text, turn by turn with its faults, see `solver.show.steps.Game`."""
        games = self._judged(self.problem(asked), text)
        if type(number) is not int or not 0 <= number < len(games):
            raise RequestError(f"number: expected 0 to {len(games) - 1}")
        return make_game(*games[number]).as_dict()

    def _judged(self, problem: Problem, text: Any) -> list[tuple[Verdict, Rules]]:
        if not isinstance(text, str) or len(text) > _MOST_TEXT:
            raise RequestError(f"text: expected at most {_MOST_TEXT:,} characters")

        def rules_of(answer: SolutionText) -> Rules:
            stated = answer.stated
            same = stated.puzzle in (None, problem.statement.puzzle) and stated.agrees_with(problem.rules)
            return problem.rules if same else header_rules(answer)

        return judged(text.encode("utf-8", "surrogatepass"), rules_of, "answer")

    def exported(self, asked: Any, lines: Any, form: Any) -> dict[str, str]:
        """Return a game as `text`, as a picture (`svg`), or in a form of `solver.show.formats`."""
        problem, verdict = self._judged_turns(asked, lines, strict=True)
        if not verdict.valid:
            raise RequestError(f"turns: {next(iter(verdict.violations)).message}")
        if form == "text":
            return {"text": problem.statement.comments() + "".join(f"{line}\n" for line in lines)}
        if form not in ("svg", *FORMS):
            raise RequestError(f"form: expected text, svg, {', '.join(FORMS)}")
        game = make_game(verdict, problem.rules, problem.statement)
        return {"text": game_svg(game) if form == "svg" else FORMS[form]([game])}

    def records(self) -> list[dict[str, Any]]:
        """Return the record book."""
        games = recorded_games()
        return [
            {"puzzle": name, "best": known.best, "bound": known.bound, "turns": games[name]}
            for name, known in sorted(record_book().items())
        ]


def _turns(replayed: Sequence[Replay]) -> tuple[Turn, ...]:
    return tuple(Turn(len(turn.left), turn.play, turn.word, turn.score) for turn in replayed)


def _verdict(verdict: Verdict, asked: Any) -> dict[str, Any]:
    """Return a verdict for the page. `asked` names the puzzle; None if the page cannot open it."""
    return {
        "asked": asked,
        "name": verdict.name,
        "puzzle": verdict.puzzle,
        "valid": verdict.valid,
        "score": verdict.score,
        "turns": [f"{len(turn.left)} {turn.play} {turn.word}" for turn in verdict.turns],
        "faults": [
            {"line": fault.line, "message": fault.message, "follows": fault.follows_from is not None}
            for fault in verdict.violations
        ],
    }
