"""The analysis of a game, as text, as JSON, and on the page of the game."""

import json
from dataclasses import asdict
from typing import Any

import click

from solver.report.pages import game_page
from solver.show.steps import Game
from solver.solving.analysis import AnalysedTurn, Analysis
from verify.text import printable

_MUCH = 10  # points that a turn may lose before its line is red


def analysis_text(analysis: Analysis, name: str) -> str:
    """Return a line for each turn: its score, what could still be reached after it, what it lost, and the better turn.

    It is styled for a terminal; `click.echo` strips the styles elsewhere.
    """
    width = max((len(str(turn.turn)) for turn in analysis.turns), default=4)
    lines = [f"{'turn':>4}  {'played':{width}}  score  total  reachable  lost  better"]
    if analysis.first:
        lines.append(f"      turns 1 to {analysis.first} were not analysed")
    for number, turn in enumerate(analysis.turns, start=analysis.first + 1):
        lines.append(_line(number, turn, width))
    return "\n".join([*lines, "", _summary(analysis, printable(name)), ""])


def _line(number: int, turn: AnalysedTurn, width: int) -> str:
    lost = f"{turn.lost:4}" if turn.lost else "   -"
    figures = f"{turn.turn.score:5}  {turn.total:5}  {turn.reachable:9}  {lost}"
    line = f"{number:4}  {turn.turn!s:{width}}  {figures}  {turn.better or ''}"
    return click.style(line.rstrip(), fg="red" if turn.lost >= _MUCH else None)


def _summary(analysis: Analysis, name: str) -> str:
    total = analysis.total
    if not analysis.turns and analysis.first:
        return f"{name}: {total} points; it was stopped before a turn was analysed."
    left = (analysis.turns[-1].reachable if analysis.turns else analysis.reachable) - total
    if analysis.reachable == total:
        return f"{name}: {total} points, and nothing better was found."
    after = f" after turn {analysis.first}" if analysis.first else ""
    text = f"{name}: {total} points, {analysis.reachable} could be reached{after}."
    worst = max(analysis.turns, key=lambda turn: turn.lost, default=None)
    if worst is not None and worst.lost:
        number = analysis.first + analysis.turns.index(worst) + 1
        text += f" Turn {number} lost most, {worst.lost}: '{worst.better}' would not have."
    return text + (f" The game can go on for {left} more." if left else "")


def analysis_json(analysis: Analysis, puzzle: str) -> str:
    """Return the analysis as a JSON object."""
    fields: dict[str, Any] = {
        "puzzle": puzzle,
        "first_turn": analysis.first + 1,
        "reachable": analysis.reachable,
        "best": [str(turn) for turn in analysis.best.turns],
        "turns": [asdict(turn) | {"better": turn.better and str(turn.better)} for turn in analysis.turns],
    }
    return json.dumps(fields, indent=2) + "\n"


def analysis_page(analysis: Analysis, game: Game) -> str:
    """Return the page of the game, with a curve of what could still be reached, and the better turns."""
    turns = [
        {"reachable": turn.reachable, "lost": turn.lost, "better": turn.better and str(turn.better)} for turn in analysis.turns
    ]
    summary = _summary(analysis, game.file)
    fields = {"first": analysis.first, "reachable": analysis.reachable, "summary": summary, "turns": turns}
    return game_page([game], fields)
