"""What the commands that search share: puzzle, seconds, processors, files, and how they are interrupted."""

import math
import signal
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from solver.model.puzzle import Puzzle
    from solver.solving.ending import Ending

INTERRUPTED = 130


class Seconds(click.FloatRange):
    """A time limit: a number of seconds, finite. `min` and `min_open` as for `FloatRange`."""

    name = "seconds"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """`value` as a number of seconds; fails for infinity and NaN."""
        seconds = float(super().convert(value, param, ctx))
        if not math.isfinite(seconds):
            self.fail(f"{value}: expected a number of seconds", param, ctx)
        return seconds


threads_option = click.option("--threads", type=click.IntRange(1, 256), metavar="N", help="Default: one per processor.")


def say(message: str) -> None:
    """A message on stderr; whatever it quotes, a terminal does not obey it."""
    from verify.text import printable

    click.echo("\n".join(map(printable, f"rowdraw: {message}".split("\n"))), err=True)


def _list_strategies(context: click.Context, _parameter: click.Parameter, wanted: bool) -> None:
    """Print all strategies with their parameters, and end."""
    if not wanted or context.resilient_parsing:
        return
    from solver.solving.strategies import catalogue
    from verify.text import printable

    for name, settings, told in catalogue():
        click.echo(printable(f"{name}:{settings}" if settings else name))
        click.echo(f"    {printable(told)}")
    context.exit()


list_option = click.option(
    "--list-strategies",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_list_strategies,
    help="Print all strategies and their settings, those of plug-ins too, and end.",
)


words_option = click.option(
    "--words",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Use this word list instead of the puzzle's: one word per line.",
)


def complete_puzzle(_context: click.Context, _parameter: click.Parameter, begun: str) -> list[Any]:
    """For the shell's completion: the bundled puzzles that begin so, and files."""
    from click.shell_completion import CompletionItem

    from solver.model.puzzle import bundled_puzzles

    return [*map(CompletionItem, filter(lambda name: name.startswith(begun), bundled_puzzles())), CompletionItem(begun, "file")]


def puzzle_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """PUZZLE, `--row` and `--words`: what `chosen_puzzle` takes."""
    row = click.option("--row", metavar="TEXT", help="Use this row instead of the puzzle's.")
    argument = click.argument("puzzle", default="challenge", shell_complete=complete_puzzle)
    options: Callable[..., Any] = argument(row(words_option(command)))
    return options


def journal_option(what: str) -> Callable[[Any], Any]:
    """`-o`: the folder of a command that can be interrupted and then goes on where it ended.

    what: the help text of the option.
    """
    folder = click.Path(path_type=Path, file_okay=False)
    return click.option("-o", "--output", type=folder, required=True, metavar="FOLDER", help=what)


def chosen_puzzle(name: str, row: str | None, words: Path | None) -> "Puzzle":
    """The puzzle called `name`, with another `row` and another list of `words` where they are given."""
    from solver.model.puzzle import load_puzzle

    chosen = load_puzzle(name, words)
    return chosen if row is None else chosen.with_row(row)


def command_ending() -> "Ending":
    """Let Ctrl-C and signals such as SIGTERM end the runs of a command; returns what handles them."""
    from solver.solving.ending import Ending, on_signals

    ending = Ending()
    on_signals(ending.handle)
    return ending


def interrupt_on_signals() -> None:
    """Let Ctrl-C and signals such as SIGTERM raise KeyboardInterrupt, so that all that was started is ended properly."""
    from solver.solving.ending import on_signals

    on_signals(signal.default_int_handler)
