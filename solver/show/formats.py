"""Games as text: CSV, Markdown, a comment for Reddit, JSON, and turn by turn for the terminal."""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import click

from solver.show.steps import Game, GameTurn, sum_text
from verify import Replay, Rules, Verdict, Violation
from verify.text import counted, csv_text, printable

_COLUMNS = ("game", "turn", "left", "right", "rack", "play", "word", "sum", "score", "total")
_ROW_SHOWN = 100  # tiles of the row in a line for the terminal


def games_csv(games: Sequence[Game]) -> str:
    """Return comments that state the rules, a header, then a line for each turn; `game` counts the games from 1."""
    rows: list[Sequence[Any]] = [_COLUMNS]
    for number, game in enumerate(games, start=1):
        for count, turn in enumerate(game.turns, start=1):
            fields = [number, count, len(turn.left), len(turn.right), game.rack(turn), turn.tiles, turn.word]
            rows.append([*fields, turn.sum_text, turn.score, turn.total])
    return (games[0].comments if games else "") + csv_text(rows)


def games_markdown(games: Sequence[Game]) -> str:
    """Return, for each game, a heading, the answer in a fenced block, and a table with the sum of every play."""
    return "\n".join(_markdown(game, lambda lines: ["```text", *lines, "```"], "## ") for game in games)


def games_reddit(games: Sequence[Game]) -> str:
    """Return the same for Reddit, with the answer indented by four spaces, which every version of the site shows alike."""
    return "\n".join(_markdown(game, lambda lines: [f"    {line}" for line in lines], "**", "**") for game in games)


def games_json(games: Sequence[Game]) -> str:
    """Return a list of games, each with its turns, the points of every letter, and the violations."""
    return json.dumps([_fields(game) for game in games], indent=2) + "\n"


FORMS: Mapping[str, Callable[[Sequence[Game]], str]] = {
    "csv": games_csv,
    "markdown": games_markdown,
    "reddit": games_reddit,
    "json": games_json,
}


def _markdown(game: Game, block: Callable[[list[str]], list[str]], before: str, after: str = "") -> str:
    state = "" if game.valid else ", invalid"
    result = f"{counted(game.score, 'point')} in {counted(len(game.turns), 'turn')}"
    lines = [f"{before}{result} on {_plain(game.puzzle)}{state}{after}", ""]
    lines += block([*map(_plain, game.comments.splitlines()), *(_plain(turn.line_text) for turn in game.turns)])
    lines += ["", "| turn | play | word | sum | score | total |", "| ---: | --- | --- | --- | ---: | ---: |"]
    for number, turn in enumerate(game.turns, start=1):
        play, word = _plain(turn.tiles), _plain(turn.word)
        lines.append(f"| {number} | `{play}` | {word} | {turn.sum_text} | {turn.score} | {turn.total} |")
    if faults := [*game.violations, *(fault for turn in game.turns for fault in turn.violations)]:
        lines += ["", *(f"- line {fault.line}: {_plain(fault.message)}" for fault in faults)]
    return "\n".join([*lines, ""])


def _plain(text: str) -> str:
    """Return text without the characters that Markdown would interpret in a table or in code."""
    return "".join(c for c in text if c.isprintable() and c not in "|`<>\\")


def _fields(game: Game) -> dict[str, Any]:
    return {
        **{name: getattr(game, name) for name in ("file", "puzzle", "row", "score", "valid")},
        "rules": game.statement.fields()["rules"],
        "turns": [_turn_fields(game, turn) for turn in game.turns],
        "violations": [[fault.line, fault.code, fault.message] for fault in game.violations],
    }


def bonus_field(bonus: int) -> dict[str, int]:
    """Return the bonus of a turn as a field of JSON; no field for no bonus."""
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


def game_text(verdict: Verdict, rules: Rules, every: bool = False) -> str:
    """Return the game turn by turn, with the faults of each turn below it.

    Args:
        verdict: The verdict on the game.
        rules: The rules of its puzzle.
        every: Whether to list also the faults that follow from others; else these are only counted.

    Returns:
        The text, with styles that `click.echo` removes if the output is not a terminal.
    """
    lines = [click.style(printable(f"{verdict.file} on {verdict.puzzle}"), bold=True)]
    lines += [*map(printable, verdict.notes), ""]
    unplaced = list(verdict.violations if every else verdict.faults.independent)
    for number, turn in enumerate(verdict.turns, start=1):
        before = [fault for fault in unplaced if fault.line < turn.line]
        here = [fault for fault in unplaced if fault.line == turn.line]
        unplaced = [fault for fault in unplaced if fault.line > turn.line]
        lines += _fault_lines(verdict, before, every) + _turn_lines(number, turn, rules)
        lines += [*_fault_lines(verdict, here, every), ""]
    lines += _fault_lines(verdict, unplaced, every) + _more(verdict)
    summary = f"{counted(verdict.score, 'point')} in {counted(len(verdict.turns), 'turn')}, {verdict.state}"
    lines.append(click.style(summary, bold=True))
    return "".join(f"{line}\n" for line in lines)


def games_text(verdicts: Sequence[Verdict], every: bool = False) -> str:
    """Return games side by side, a line a turn: play, score and total of each, and the lead of the first.

    If `every` is set, faults that follow from others are listed as well.
    """
    width = max((len(printable(turn.play)) for verdict in verdicts for turn in verdict.turns), default=4)
    column = width + 12
    lines = ["      " + "  ".join(f"{printable(verdict.file)[-column:]:{column}}" for verdict in verdicts) + "   lead"]
    for number in range(max((len(verdict.turns) for verdict in verdicts), default=0)):
        cells, totals = [], []
        for verdict in verdicts:
            turn = verdict.turns[number] if number < len(verdict.turns) else None
            totals.append(turn.total if turn else verdict.score)
            cells.append(f"{printable(turn.play):{width}} {turn.score:+5} {turn.total:5}" if turn else " " * column)
        lines.append(f"{number + 1:4}  " + "  ".join(f"{cell:{column}}" for cell in cells) + f" {totals[0] - totals[-1]:+6}")
    for verdict in verdicts:
        state = printable(f"{verdict.file}: {counted(verdict.score, 'point')} on {verdict.puzzle}, {verdict.state}")
        lines.append(click.style(state, bold=True))
        faults = verdict.violations if every else verdict.faults.independent
        lines += _fault_lines(verdict, faults, every) + _more(verdict)
    return "".join(f"{line}\n" for line in lines)


def _turn_lines(number: int, turn: Replay, rules: Rules) -> list[str]:
    middle = turn.row[len(turn.left) : len(turn.row) - len(turn.right)]
    if len(middle) > _ROW_SHOWN:
        middle = f"{middle[: _ROW_SHOWN // 2]} … {middle[-_ROW_SHOWN // 2 :]}"
    drawn = f"{click.style(turn.left, fg='blue', bold=True)}[{middle}]{click.style(turn.right, fg='magenta', bold=True)}"
    play, word = click.style(printable(turn.play), bold=True), printable(turn.word)
    return [
        f"{number:4}  row   {drawn}",
        f"      draw  {len(turn.left)} left, {len(turn.right)} right",
        f"      rack  {''.join(sorted(turn.rack))}",
        f"      play  {play}  {word}  {turn.score:+}  total {turn.total}",
        f"      sum   {sum_text((rules.values.get(tile, 0) for tile in turn.play), rules.bonus_of(turn.play))}",
    ]


def _fault_lines(verdict: Verdict, faults: Sequence[Violation], every: bool) -> list[str]:
    """Return lines for these faults, and unless `every` is set, for the number of faults that follow from each."""
    lines = []
    for number, fault in enumerate(faults, start=1):
        follows = "" if fault.follows_from is None else f" (follows from line {fault.follows_from})"
        lines.append(f"line {fault.line}: {fault.code}: {fault.message}{follows}")
        is_last = number == len(faults) or faults[number].line != fault.line
        if not every and is_last and (followers := verdict.faults.followers(fault.line)):
            lines.append(f"and {followers} (--all lists them)")
    return [click.style(f"      {line}", fg="red") for line in lines]


def _more(verdict: Verdict) -> list[str]:
    """Return a line that counts the faults that are not listed."""
    more = verdict.faults.more
    return [click.style(f"      and {more:,} more", fg="red")] if more else []
