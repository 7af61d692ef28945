"""What the page asks about a game: its puzzle, the plays that can be made, and whether the referee takes a turn."""

import random
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from solver.errors import RowdrawError
from solver.index.problem import Problem
from solver.lab.known import known_of, record_book, recorded_games
from solver.model.puzzle import CHALLENGE, MAX_SEED, Puzzle, bundled_puzzles, load_puzzle
from solver.model.solution import Turn
from solver.search.hand import Hand, after_all
from solver.show.formats import FORMS
from solver.show.game import make_game
from solver.show.picture import game_svg
from solver.solving.result import heading
from verify import Rules, Verdict, judge
from verify.answers import judge_with_rules

_PLAYS = 30  # best plays of a rack that are told
_LONGEST_ROW = 400  # tiles of a row that a page may play
_MOST_TEXT = 200_000  # characters of answers to judge


class RequestError(RowdrawError):
    """A request that no page of ours sends, or that names a puzzle or a game which cannot be."""


class Desk:
    """Answers requests about puzzles; own: the puzzle that the server was started with."""

    def __init__(self, own: Puzzle) -> None:
        self.own = own
        self._problem = lru_cache(maxsize=16)(self._made)

    def problem(self, told: Any) -> Problem:
        """The problem that a request names: `{"name": ...}`, `{"row": ...}` or `{"seed": ...}`. Raises `RowdrawError`."""
        fields = _fields(told, {"name", "row", "seed"}, "puzzle")
        if len(fields) != 1:
            raise RequestError("puzzle: expected one of name, row and seed")
        ((kind, value),) = fields.items()
        if type(value) is not (int if kind == "seed" else str):
            raise RequestError(f"puzzle: {kind}: expected {'a whole number' if kind == 'seed' else 'text'}")
        return self._problem(kind, value)

    def _made(self, kind: str, value: Any) -> Problem:
        if kind == "name":
            if value == self.own.reference:
                return Problem.of(self.own)
            if value not in bundled_puzzles():
                raise RequestError(f"{value!r:.60}: no bundled puzzle")
            return Problem.of(load_puzzle(value))
        rules = load_puzzle(CHALLENGE)
        if kind == "seed":
            if not 0 <= value <= MAX_SEED:
                raise RequestError(f"seed {value}: expected 0 to {MAX_SEED:,}")
            tiles = list(rules.row)
            random.Random(value).shuffle(tiles)
            return Problem.of(rules.with_row("".join(tiles), f"seed {value}"))
        if len(value) > _LONGEST_ROW:
            raise RequestError(f"the row has {len(value):,} tiles: expected at most {_LONGEST_ROW}")
        return Problem.of(rules.with_row(value.lower()))

    def puzzle(self, told: Any) -> dict[str, Any]:
        """What a page must know of a puzzle to play it."""
        problem = self.problem(told)
        puzzle, known = problem.puzzle, known_of(problem)
        return {
            "name": puzzle.name,
            "bundled": puzzle.reference if puzzle.reference in bundled_puzzles() and not puzzle.own_row else None,
            "row": puzzle.row,
            "rack": puzzle.rack_size,
            "values": dict(puzzle.values),
            "bonus": puzzle.bonus,
            "best": known.best or None,
            "bound": known.bound,
            "solvable": problem.has_closed_index,
        }

    def game(self, told: Any, lines: Any) -> tuple[Problem, tuple[Turn, ...]]:
        """A problem and the turns of a game. Raises `RequestError` with the referee's words where they are no game."""
        problem = self.problem(told)
        if not _are_lines(lines):
            raise RequestError("turns: expected a list of lines")
        if not lines:
            return problem, ()
        verdict = judge("\n".join(lines), problem.rules, strict=True)
        if not verdict.valid:
            raise RequestError(verdict.violations[0].message)
        return problem, tuple(Turn(len(turn.left), turn.play, turn.word, turn.score) for turn in verdict.turns)

    def turn(self, told: Any, lines: Any) -> dict[str, Any]:
        """Whether the referee takes the last one of these turns, and what it says."""
        problem = self.problem(told)
        if not _are_lines(lines) or not lines:
            raise RequestError("turns: expected a list of at least one line")
        verdict = judge("\n".join(lines), problem.rules, strict=True)
        faults = [fault.message for fault in verdict.violations]
        last = verdict.turns[-1] if verdict.turns else None
        return {"legal": verdict.valid, "faults": faults, "score": last.score if last else 0, "total": verdict.score}

    def plays(self, told: Any, lines: Any) -> list[dict[str, Any]]:
        """For every draw that the next turn can make its rack, and the best plays of it with their leaves."""
        problem, turns = self.game(told, lines)
        hand = after_all(problem, turns)
        racks = [hand.drawn(problem, left) for left in range(hand.wants(problem) + 1)]
        found = problem.finder.best([rack.leave for rack in racks], top=_PLAYS)
        return [
            {"left": left, "rack": rack.tiles, "plays": [_play(rack, play) for play in plays]}
            for left, (rack, plays) in enumerate(zip(racks, found, strict=True))
        ]

    def judged(self, told: Any, text: Any) -> list[dict[str, Any]]:
        """The referee's verdicts on the answers in a text: to the puzzle that it names, or to the page's."""
        return [_verdict(verdict) for verdict, _rules in self._judged(told, text)]

    def shown(self, told: Any, text: Any, number: Any) -> dict[str, object]:
        """A game of the answers in a text, turn by turn with its faults, see `solver.show.game.Game`.

        number: which one, from 0, in the order of `judged`.
        """
        verdicts = self._judged(told, text)
        if type(number) is not int or not 0 <= number < len(verdicts):
            raise RequestError(f"number: expected 0 to {len(verdicts) - 1}")
        return make_game(*verdicts[number]).as_dict()

    def _judged(self, told: Any, text: Any) -> list[tuple[Verdict, Rules]]:
        problem = self.problem(told)
        if not isinstance(text, str) or len(text) > _MOST_TEXT:
            raise RequestError(f"text: expected at most {_MOST_TEXT:,} characters")
        names = any(mark in text.lower() for mark in ("# puzzle", "# row"))
        return judge_with_rules(text, None if names else problem.rules, "answer")

    def exported(self, told: Any, lines: Any, form: Any) -> dict[str, str]:
        """A game as text for elsewhere: `text`, a picture, or a form of `solver.show.formats`."""
        problem = self.problem(told)
        if not _are_lines(lines) or not lines:
            raise RequestError("turns: expected a list of at least one line")
        verdict = judge("\n".join(lines), problem.rules, "game", strict=True)
        if form == "text":
            return {"text": heading(*problem.puzzle.address) + "".join(f"{line}\n" for line in lines)}
        if form not in ("svg", *FORMS):
            raise RequestError(f"form: expected text, svg, {', '.join(FORMS)}")
        game = make_game(verdict, problem.rules)
        return {"text": game_svg(game) if form == "svg" else FORMS[form]([game])}

    def records(self) -> list[dict[str, Any]]:
        """The record book."""
        games = recorded_games()
        return [
            {"puzzle": name, "best": known.best, "bound": known.bound, "turns": games[name]}
            for name, known in sorted(record_book().items())
        ]


def _verdict(verdict: Verdict) -> dict[str, Any]:
    return {
        "name": verdict.file,
        "puzzle": verdict.puzzle,
        "valid": verdict.valid,
        "score": verdict.score,
        "turns": [f"{len(turn.left)} {turn.play} {turn.word}" for turn in verdict.turns],
        "faults": [
            {"line": fault.line, "message": fault.message, "follows": fault.follows_from is not None}
            for fault in verdict.violations
        ],
    }


def _play(rack: Hand, play: Any) -> dict[str, Any]:
    left = list(rack.tiles)
    for tile in play.tiles:
        left.remove(tile)
    return {"tiles": play.tiles, "word": play.word, "score": play.score, "leave": "".join(left)}


def _fields(told: Any, known: set[str], where: str) -> Mapping[str, Any]:
    if not isinstance(told, dict) or not set(told) <= known:
        raise RequestError(f"{where}: expected an object of {', '.join(sorted(known))}")
    return told


def _are_lines(lines: Any) -> bool:
    return (
        isinstance(lines, list)
        and len(lines) <= _LONGEST_ROW
        and all(isinstance(line, str) and "\n" not in line for line in lines)
    )
