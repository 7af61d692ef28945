"""A game for the terminal, as the referee read it."""

from collections.abc import Sequence

import click

from solver.show.game import sum_text
from verify import Replay, Rules, Verdict, Violation
from verify.text import printable

_ROW_SHOWN = 100


def game_text(verdict: Verdict, rules: Rules) -> str:
    """The game turn by turn; violations stand under the turn they belong to.

    The text has styles for a terminal; `click.echo` removes them if the output is none.
    """
    lines = [click.style(printable(f"{verdict.file} on {verdict.puzzle}"), bold=True), ""]
    unplaced = list(verdict.violations)
    for number, turn in enumerate(verdict.turns, start=1):
        before = [fault for fault in unplaced if fault.line < turn.line]
        here = [fault for fault in unplaced if fault.line == turn.line]
        unplaced = [fault for fault in unplaced if fault.line > turn.line]
        lines += _fault_lines(before) + _turn_lines(number, turn, rules) + _fault_lines(here) + [""]
    lines += _fault_lines(unplaced)
    lines += _more(verdict)
    lines.append(click.style(f"{verdict.score} points in {len(verdict.turns)} turns, {verdict.state}", bold=True))
    return "".join(f"{line}\n" for line in lines)


def games_text(verdicts: Sequence[Verdict]) -> str:
    """Games side by side: for each turn one line with play, score and total of each game, and the lead of the first one."""
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
        state = printable(f"{verdict.file}: {verdict.score} points on {verdict.puzzle}, {verdict.state}")
        lines.append(click.style(state, bold=True))
        lines += _fault_lines(list(verdict.violations)) + _more(verdict)
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


def _fault_lines(faults: list[Violation]) -> list[str]:
    return [click.style(f"      line {fault.line}: {fault.code}: {fault.message}", fg="red") for fault in faults]


def _more(verdict: Verdict) -> list[str]:
    """A line that counts the faults that are not listed."""
    more = verdict.faults.more
    return [click.style(f"      and {more:,} more", fg="red")] if more else []
