"""What commands share: puzzle, seconds, processors, files, messages, and how they are interrupted."""

import logging
import math
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from solver.commands.completion import complete_list, complete_puzzle, complete_strategy, complete_tiles
from solver.limits import MOST_THREADS

if TYPE_CHECKING:
    from solver.index.problem import Problem
    from solver.model.lexicon import Lexicon
    from solver.model.puzzle import Puzzle
    from solver.solving.ending import Ending

INTERRUPTED = 130
_QUIET = threading.Event()  # set while a command runs with --quiet


class Named(click.Path):
    """A path; rejects an empty name, which click reads as the working directory."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(path_type=Path, **settings)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """`value` as a path; fails for an empty text."""
        if value == "":
            self.fail(f"the name of the {self.name} is empty", param, ctx)
        return super().convert(value, param, ctx)


FILE = Named(dir_okay=False)
FOLDER = Named(file_okay=False)
FOLDER_THERE = Named(file_okay=False, exists=True)


class Seconds(click.FloatRange):
    """A time limit: a number of seconds, finite. `min` and `min_open` as for `FloatRange`."""

    name = "seconds"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """`value` as a number of seconds; fails for infinity and NaN."""
        seconds = float(super().convert(value, param, ctx))
        if not math.isfinite(seconds):
            self.fail(f"{value}: expected a number of seconds", param, ctx)
        return seconds


threads_option = click.option(
    "--threads", type=click.IntRange(1, MOST_THREADS), metavar="N", help="Default: one per processor."
)


def say(message: str) -> None:
    """Print a message on stderr, unless `--quiet` is given."""
    if not is_quiet():
        complain(message)


def complain(message: str) -> None:
    """Print on stderr what went wrong. Whatever the message quotes, a terminal does not obey it."""
    from verify.text import printable

    click.echo("\n".join(map(printable, f"rowdraw: {message}".split("\n"))), err=True)


class _Sayer(logging.Handler):
    def emit(self, record: logging.LogRecord) -> None:
        say(record.getMessage())


@contextmanager
def saying_logs() -> Iterator[None]:
    """Print what the packages log, from progress upward, as messages of the command."""
    logger, sayer = logging.getLogger("solver"), _Sayer()
    level = logger.level
    logger.addHandler(sayer)
    logger.setLevel(logging.INFO)
    try:
        yield
    finally:
        logger.removeHandler(sayer)
        logger.setLevel(level)


def is_quiet() -> bool:
    """Whether the command that runs prints neither progress nor messages, but errors only."""
    return _QUIET.is_set()


def _be_quiet(context: click.Context, _parameter: click.Parameter, wanted: bool) -> None:
    if wanted:
        _QUIET.set()
        # errors are reported once all contexts are closed; those are never silent
        context.find_root().call_on_close(_QUIET.clear)


def add_quiet_option(command: click.Command) -> None:
    """Let `command`, and all commands of a group, take `--quiet`."""
    option = click.Option(
        ["-q", "--quiet"], is_flag=True, expose_value=False, callback=_be_quiet, help="Print no progress and no messages."
    )
    command.params.append(option)
    for inner in command.commands.values() if isinstance(command, click.Group) else ():
        add_quiet_option(inner)


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


def strategy_option(help_: str) -> Callable[[Any], Any]:
    """`--strategy`, with this help text."""
    return click.option("--strategy", metavar="NAME", shell_complete=complete_strategy, help=help_)


def tiles_option(help_: str, default: str | None = None) -> Callable[[Any], Any]:
    """`--tiles`: the tile set of games of Scrabble."""
    return click.option(
        "--tiles", default=default, show_default=bool(default), metavar="SET", shell_complete=complete_tiles, help=help_
    )


def lexicon_option(help_: str, default: str | None = None, complete: Any = complete_list) -> Callable[[Any], Any]:
    """`--words`: the name of a list or a file, where games of Scrabble may be meant."""
    return click.option(
        "--words", default=default, show_default=bool(default), metavar="LIST", shell_complete=complete, help=help_
    )


words_option = click.option(
    "--words",
    type=FILE,
    metavar="FILE",
    help="Use this word list instead of the puzzle's: one word per line.",
)


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
    return click.option("-o", "--output", type=FOLDER, required=True, metavar="FOLDER", help=what)


def chosen_puzzle(name: str, row: str | None, words: Path | None) -> "Puzzle":
    """The puzzle called `name`, with another `row` and another list of `words` where they are given."""
    from solver.model.puzzle import load_puzzle

    chosen = load_puzzle(name, words)
    return chosen if row is None else chosen.with_row(row)


def read_problem(puzzle: "Puzzle") -> "Problem":
    """Read the word list of `puzzle`; say how many of its lines do not count, if any."""
    from solver.index.problem import Problem

    problem = Problem.of(puzzle)
    say_left_out(problem.lexicon)
    return problem


def say_left_out(*lexicons: "Lexicon") -> None:
    """Say once of each word list how many of its lines do not count, if any."""
    for sentence in dict.fromkeys(lexicon.left_out for lexicon in lexicons):
        if sentence:
            say(sentence)


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
