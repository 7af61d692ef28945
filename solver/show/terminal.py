"""A game for the terminal, as the referee read it."""

from collections.abc import Sequence

import click

from solver.show.steps import sum_text
from verify import Replay, Rules, Verdict, Violation
from verify.text import counted, printable

_ROW_SHOWN = 100


def game_text(verdict: Verdict, rules: Rules, every: bool = False) -> str:
    """The game turn by turn; faults stand under the turn that they belong to.

    every: also those that follow from others, of which otherwise only the number is told.

    The text has styles for a terminal; `click.echo` removes them if the output is none.
    """
    lines = [click.style(printable(f"{verdict.file} on {verdict.puzzle}"), bold=True)]
    lines += [*map(printable, verdict.notes), ""]
    unplaced = list(verdict.violations if every else verdict.faults.independent)
    fault_lines = _FaultLines(verdict, every)
    for number, turn in enumerate(verdict.turns, start=1):
        before = [fault for fault in unplaced if fault.line < turn.line]
        here = [fault for fault in unplaced if fault.line == turn.line]
        unplaced = [fault for fault in unplaced if fault.line > turn.line]
        lines += fault_lines(before) + _turn_lines(number, turn, rules) + fault_lines(here) + [""]
    lines += fault_lines(unplaced)
    lines += _more(verdict)
    lines.append(
        click.style(f"{counted(verdict.score, 'point')} in {counted(len(verdict.turns), 'turn')}, {verdict.state}", bold=True)
    )
    return "".join(f"{line}\n" for line in lines)


def games_text(verdicts: Sequence[Verdict], every: bool = False) -> str:
    """Games side by side: a line a turn with play, score and total of each, and by how much the first leads.

    every: also the faults that follow from others.
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
        lines += _FaultLines(verdict, every)(faults) + _more(verdict)
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


class _FaultLines:
    """Lines for faults of a verdict, and for how many follow from each."""

    def __init__(self, verdict: Verdict, every: bool) -> None:
        self._verdict = verdict
        self._every = every

    def __call__(self, faults: Sequence[Violation]) -> list[str]:
        """The lines for these faults, in red."""
        lines = []
        for number, fault in enumerate(faults, start=1):
            follows = "" if fault.follows_from is None else f" (follows from line {fault.follows_from})"
            lines.append(f"line {fault.line}: {fault.code}: {fault.message}{follows}")
            last = number == len(faults) or faults[number].line != fault.line
            told = self._verdict.faults.followers(fault.line) if last and not self._every else None
            lines += [f"and {told} (--all lists them)"] if told else []
        return [click.style(f"      {line}", fg="red") for line in lines]


def _more(verdict: Verdict) -> list[str]:
    """A line that counts the faults that are not listed."""
    more = verdict.faults.more
    return [click.style(f"      and {more:,} more", fg="red")] if more else []
