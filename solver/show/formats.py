"""Games in the forms in which people pass them on: CSV, Markdown, a comment for Reddit, JSON."""

import csv
import io
import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from solver.show.steps import Game, GameTurn
from verify.text import counted

_COLUMNS = ("game", "turn", "left", "right", "rack", "play", "word", "sum", "score", "total")


def games_csv(games: Sequence[Game]) -> str:
    """A line for each turn, after a line that names the columns; `game` counts the games from 1."""
    out = io.StringIO()
    table = csv.writer(out, lineterminator="\n")
    table.writerow(_COLUMNS)
    for number, game in enumerate(games, start=1):
        for count, turn in enumerate(game.turns, start=1):
            fields = [number, count, len(turn.left), len(turn.right), game.rack(turn), turn.tiles, turn.word]
            table.writerow([*fields, turn.sum_text, turn.score, turn.total])
    return out.getvalue()


def games_markdown(games: Sequence[Game]) -> str:
    """For each game a heading, the lines of the answer in a fenced block, and a table with the sum of every play."""
    return "\n".join(_markdown(game, lambda lines: ["```text", *lines, "```"], "## ") for game in games)


def games_reddit(games: Sequence[Game]) -> str:
    """The same as a comment for Reddit: the lines are indented by four spaces, which every version of the site shows alike."""
    return "\n".join(_markdown(game, lambda lines: [f"    {line}" for line in lines], "**", "**") for game in games)


def games_json(games: Sequence[Game]) -> str:
    """A list of games, each with its turns, the points of every letter, and the violations."""
    return json.dumps([_fields(game) for game in games], indent=2) + "\n"


FORMS: Mapping[str, Callable[[Sequence[Game]], str]] = {
    "csv": games_csv,
    "markdown": games_markdown,
    "reddit": games_reddit,
    "json": games_json,
}


def _markdown(game: Game, block: Callable[[list[str]], list[str]], before: str, after: str = "") -> str:
    state = "" if game.valid else ", invalid"
    lines = [
        f"{before}{counted(game.score, 'point')} in {counted(len(game.turns), 'turn')} on {_plain(game.puzzle)}{state}{after}",
        "",
    ]
    lines += block([*map(_plain, game.comments.splitlines()), *(_plain(turn.line_text) for turn in game.turns)])
    lines += ["", "| turn | play | word | sum | score | total |", "| ---: | --- | --- | --- | ---: | ---: |"]
    for number, turn in enumerate(game.turns, start=1):
        play, word = _plain(turn.tiles), _plain(turn.word)
        lines.append(f"| {number} | `{play}` | {word} | {turn.sum_text} | {turn.score} | {turn.total} |")
    if game.violations or any(turn.violations for turn in game.turns):
        faults = [*game.violations, *(fault for turn in game.turns for fault in turn.violations)]
        lines += ["", *(f"- line {fault.line}: {_plain(fault.message)}" for fault in faults)]
    return "\n".join([*lines, ""])


def _plain(text: str) -> str:
    """Text of a file that breaks out of no table and no code: what Markdown would obey there is left out."""
    return "".join(c for c in text if c.isprintable() and c not in "|`<>\\")


def _fields(game: Game) -> dict[str, Any]:
    return {
        "file": game.file,
        "puzzle": game.puzzle,
        "row": game.row,
        "score": game.score,
        "valid": game.valid,
        "turns": [_turn_fields(game, turn) for turn in game.turns],
        "violations": [[fault.line, fault.code, fault.message] for fault in game.violations],
    }


def bonus_field(bonus: int) -> dict[str, int]:
    """The bonus of a turn as a field of JSON; none where there is no bonus."""
    return {"bonus": bonus} if bonus else {}


def _turn_fields(game: Game, turn: GameTurn) -> dict[str, Any]:
    return {
        "left": len(turn.left),
        "right": len(turn.right),
        "rack": game.rack(turn),
        "play": turn.tiles,
        "word": turn.word,
        "points": [tile.points for tile in turn.play],
        **bonus_field(turn.bonus),
        "score": turn.score,
        "total": turn.total,
        "violations": [[fault.line, fault.code, fault.message] for fault in turn.violations],
    }
