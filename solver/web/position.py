"""What the page asks about a game: its puzzle, the plays that can be made, and whether the referee takes a turn."""

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any

from solver.errors import RowdrawError
from solver.index.problem import Problem
from solver.index.rack_plays import Play
from solver.lab.known import known_of, record_book, recorded_games
from solver.model.puzzle import CHALLENGE, MAX_SEED, Puzzle, bundled_puzzles, load_puzzle
from solver.model.racks import leave_of
from solver.model.solution import Turn
from solver.search.hand import after_all, can_play
from solver.show.formats import FORMS
from solver.show.picture import game_svg
from solver.show.steps import make_game
from verify import Rules, Verdict, judge
from verify.posts.answers import header_rules, judged
from verify.replay.parse import SolutionText

_PLAYS = 30  # best plays of a rack that are told
_LONGEST_ROW = 400  # tiles of a row that a page may play
_KINDS = {"name": str, "row": str, "seed": int, "own": bool}  # how a request names a puzzle
_SPOKEN = {str: "text", int: "a whole number", bool: "true"}
_MOST_TEXT = 200_000  # characters of answers to judge


class RequestError(RowdrawError):
    """A request that no page of ours sends, or that names a puzzle or a game which cannot be."""


class Desk:
    """Answers requests about puzzles; own: the puzzle that the server was started with."""

    def __init__(self, own: Puzzle) -> None:
        self.own = own
        self._problem = lru_cache(maxsize=8)(self._made)

    def problem(self, asked: Any) -> Problem:
        """The problem that a request names: a bundled one by its `name`, a `row`, a `seed`, or the server's `own`.

        Raises `RowdrawError`.
        """
        fields = _fields(asked, set(_KINDS), "puzzle")
        if len(fields) != 1:
            raise RequestError(f"puzzle: expected one of {', '.join(_KINDS)}")
        ((kind, value),) = fields.items()
        if type(value) is not _KINDS[kind]:
            raise RequestError(f"puzzle: {kind}: expected {_SPOKEN[_KINDS[kind]]}")
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
        if len(value) > _LONGEST_ROW:
            raise RequestError(f"the row has {len(value):,} tiles: expected at most {_LONGEST_ROW}")
        return Problem.of(rules.with_row(value.lower()))

    def puzzle(self, asked: Any) -> dict[str, Any]:
        """What a page must know of a puzzle to play it. `asked` in the answer names it in addresses."""
        problem = self.problem(asked)
        puzzle, known = problem.puzzle, known_of(problem)
        return {
            "asked": self._address(asked),
            "name": puzzle.name,
            "row": puzzle.row,
            "rack": puzzle.rack_size,
            "values": dict(puzzle.values),
            "bonus": puzzle.bonus,
            "best": known.best or None,
            "bound": known.bound,
            "solvable": problem.has_closed_index,
        }

    def _address(self, asked: Any) -> Any:
        """How an address names a puzzle: the server's own one by its name or row where others can find it so."""
        if "own" not in asked:
            return asked
        name, row = self.own.address
        if self.own.own_words is None and name in bundled_puzzles():
            if row is None:
                return {"name": name}
            if name == CHALLENGE:
                return {"row": row}
        return asked

    def game(self, asked: Any, lines: Any) -> tuple[Problem, tuple[Turn, ...]]:
        """A problem and the turns of a game. Raises `RequestError` with the referee's words where they are no game."""
        problem = self.problem(asked)
        if not _are_lines(lines):
            raise RequestError("turns: expected a list of lines")
        if not lines:
            return problem, ()
        verdict = judge("\n".join(lines), problem.rules, strict=True)
        if not verdict.valid:
            raise RequestError(verdict.violations[0].message)
        return problem, _turns(verdict)

    def turn(self, asked: Any, lines: Any) -> dict[str, Any]:
        """Whether the referee takes the last one of these turns, what it says, and whether the game is over after it."""
        problem = self.problem(asked)
        if not _are_lines(lines) or not lines:
            raise RequestError("turns: expected a list of at least one line")
        verdict = judge("\n".join(lines), problem.rules, strict=True)
        faults = [fault.message for fault in verdict.violations]
        last = verdict.turns[-1] if verdict.turns else None
        over = verdict.valid and not can_play(problem, after_all(problem, _turns(verdict)))
        return {
            "legal": verdict.valid,
            "faults": faults,
            "score": last.score if last else 0,
            "total": verdict.score,
            "over": over,
        }

    def plays(self, asked: Any, lines: Any) -> list[dict[str, Any]]:
        """For every draw that the next turn can make its rack, and the best plays of it with their leaves."""
        problem, turns = self.game(asked, lines)
        hand = after_all(problem, turns)
        hands = [hand.drawn(problem, left) for left in range(hand.wants(problem) + 1)]
        racks = [drawn.tiles for drawn in hands]
        found = problem.finder.best([drawn.leave for drawn in hands], top=_PLAYS)
        return [
            {"left": left, "rack": rack, "plays": [_play(rack, play) for play in plays]}
            for left, (rack, plays) in enumerate(zip(racks, found, strict=True))
        ]

    def verdicts(self, asked: Any, text: Any) -> list[dict[str, Any]]:
        """The referee's verdicts on the answers in a text: to the puzzle that it names, or to the page's."""
        problem = self.problem(asked)

        def puzzle_of(verdict: Verdict, rules: Rules) -> Any:
            bundled = {"name": verdict.puzzle} if verdict.puzzle in bundled_puzzles() else None
            return asked if rules is problem.rules else bundled

        return [_verdict(verdict, puzzle_of(verdict, rules)) for verdict, rules in self._judged(problem, text)]

    def shown(self, asked: Any, text: Any, number: Any) -> dict[str, object]:
        """A game of the answers in a text, turn by turn with its faults, see `solver.show.steps.Game`.

        number: which one, from 0, in the order of `verdicts`.
        """
        found = self._judged(self.problem(asked), text)
        if type(number) is not int or not 0 <= number < len(found):
            raise RequestError(f"number: expected 0 to {len(found) - 1}")
        return make_game(*found[number]).as_dict()

    def _judged(self, problem: Problem, text: Any) -> list[tuple[Verdict, Rules]]:
        if not isinstance(text, str) or len(text) > _MOST_TEXT:
            raise RequestError(f"text: expected at most {_MOST_TEXT:,} characters")

        def rules_of(answer: SolutionText) -> Rules:
            stated = answer.stated
            same = stated.puzzle in (None, problem.statement.puzzle) and stated.agrees_with(problem.rules)
            return problem.rules if same else header_rules(answer)

        return judged(text.encode("utf-8", "surrogatepass"), rules_of, "answer")

    def exported(self, asked: Any, lines: Any, form: Any) -> dict[str, str]:
        """A game as text for elsewhere: `text`, a picture, or a form of `solver.show.formats`."""
        problem = self.problem(asked)
        if not _are_lines(lines) or not lines:
            raise RequestError("turns: expected a list of at least one line")
        verdict = judge("\n".join(lines), problem.rules, "game", strict=True)
        if not verdict.valid:
            fault = next(iter(verdict.violations))
            raise RequestError(f"turns: {fault.message}")
        if form == "text":
            return {"text": problem.statement.comments() + "".join(f"{line}\n" for line in lines)}
        if form not in ("svg", *FORMS):
            raise RequestError(f"form: expected text, svg, {', '.join(FORMS)}")
        game = replace(make_game(verdict, problem.rules), comments=problem.statement.comments())
        return {"text": game_svg(game) if form == "svg" else FORMS[form]([game])}

    def records(self) -> list[dict[str, Any]]:
        """The record book."""
        games = recorded_games()
        return [
            {"puzzle": name, "best": known.best, "bound": known.bound, "turns": games[name]}
            for name, known in sorted(record_book().items())
        ]


def _turns(verdict: Verdict) -> tuple[Turn, ...]:
    return tuple(Turn(len(turn.left), turn.play, turn.word, turn.score) for turn in verdict.turns)


def _verdict(verdict: Verdict, asked: Any) -> dict[str, Any]:
    """A verdict for the page. asked: the puzzle that was answered, None for one that the page cannot open."""
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


def _play(rack: str, play: Play) -> dict[str, Any]:
    return {"tiles": play.tiles, "word": play.word, "score": play.score, "leave": leave_of(rack, play.tiles)}


def _fields(value: Any, known: set[str], where: str) -> Mapping[str, Any]:
    if not isinstance(value, dict) or not set(value) <= known:
        raise RequestError(f"{where}: expected an object of {', '.join(sorted(known))}")
    return value


def _are_lines(lines: Any) -> bool:
    return (
        isinstance(lines, list)
        and len(lines) <= _LONGEST_ROW
        and all(isinstance(line, str) and "\n" not in line for line in lines)
    )
