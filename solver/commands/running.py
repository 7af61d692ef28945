"""Options, messages and signal handling that commands share."""

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
    """A path. Rejects an empty name, which click takes for the working directory."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(path_type=Path, **settings)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return `value` as a path; fail for an empty text."""
        if value == "":
            self.fail(f"the name of the {self.name} is empty", param, ctx)
        return super().convert(value, param, ctx)


FILE = Named(dir_okay=False)
FOLDER = Named(file_okay=False)
FOLDER_THERE = Named(file_okay=False, exists=True)


class Seconds(click.FloatRange):
    """A time limit: a finite number of seconds. `min` and `min_open` as for `FloatRange`."""

    name = "seconds"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Return `value` as a number of seconds; fail for infinity and NaN."""
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
    """Print an error on stderr, with control characters of the text that it quotes replaced."""
    from verify.text import printable

    click.echo("\n".join(map(printable, f"rowdraw: {message}".split("\n"))), err=True)


@contextmanager
def saying_logs() -> Iterator[None]:
    """Print log records of the package, from level INFO, as messages of the command."""
    logger, handler = logging.getLogger("solver"), logging.Handler()
    handler.emit = lambda record: say(record.getMessage())  # type: ignore[method-assign]
    level = logger.level
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    try:
        yield
    finally:
        logger.removeHandler(handler)
        logger.setLevel(level)


def is_quiet() -> bool:
    """Return whether the running command prints errors only."""
    return _QUIET.is_set()


def _be_quiet(context: click.Context, _parameter: click.Parameter, wanted: bool) -> None:
    if wanted:
        _QUIET.set()
        # main prints errors after it has closed all contexts, so --quiet hides none
        context.find_root().call_on_close(_QUIET.clear)


def add_quiet_option(command: click.Command) -> None:
    """Add `--quiet` to a command, or to a group and all its commands."""
    option = click.Option(
        ["-q", "--quiet"], is_flag=True, expose_value=False, callback=_be_quiet, help="Print no progress and no messages."
    )
    command.params.append(option)
    for inner in command.commands.values() if isinstance(command, click.Group) else ():
        add_quiet_option(inner)


def _list_strategies(context: click.Context, _parameter: click.Parameter, wanted: bool) -> None:
    """Print all strategies with their parameters, and exit."""
    if not wanted or context.resilient_parsing:
        return
    from solver.solving.strategies import catalogue
    from verify.text import printable

    for name, settings, description in catalogue():
        click.echo(printable(f"{name}:{settings}" if settings else name))
        click.echo(f"    {printable(description)}")
    context.exit()


list_option = click.option(
    "--list-strategies",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_list_strategies,
    help="Print all strategies and their settings, those of plug-ins too, and exit.",
)


def strategy_option(help_: str) -> Callable[[Any], Any]:
    """Return the option `--strategy` with a help text."""
    return click.option("--strategy", metavar="NAME", shell_complete=complete_strategy, help=help_)


def tiles_option(help_: str, default: str | None = None) -> Callable[[Any], Any]:
    """Return the option `--tiles`, the tile set of a game of Scrabble."""
    return click.option(
        "--tiles", default=default, show_default=bool(default), metavar="SET", shell_complete=complete_tiles, help=help_
    )


def lexicon_option(help_: str, default: str | None = None, complete: Any = complete_list) -> Callable[[Any], Any]:
    """Return the option `--words` of commands for games of Scrabble: the name of a list, or a file."""
    return click.option(
        "--words", default=default, show_default=bool(default), metavar="LIST", shell_complete=complete, help=help_
    )


words_option = click.option(
    "--words", type=FILE, metavar="FILE", help="Use this word list instead of the puzzle's: one word per line."
)


def puzzle_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add PUZZLE, `--row` and `--words` to a command, the arguments of `chosen_puzzle`."""
    row = click.option("--row", metavar="TEXT", help="Use this row instead of the puzzle's.")
    argument = click.argument("puzzle", default="challenge", shell_complete=complete_puzzle)
    options: Callable[..., Any] = argument(row(words_option(command)))
    return options


def journal_option(what: str) -> Callable[[Any], Any]:
    """Return the option `-o`, the folder from which an interrupted command resumes, with a help text."""
    return click.option("-o", "--output", type=FOLDER, required=True, metavar="FOLDER", help=what)


def chosen_puzzle(name: str, row: str | None, words: Path | None) -> "Puzzle":
    """Return the puzzle called `name`, with the `row` and the list of `words` that the user gives instead."""
    from solver.model.puzzle import load_puzzle

    chosen = load_puzzle(name, words)
    return chosen if row is None else chosen.with_row(row)


def read_problem(puzzle: "Puzzle") -> "Problem":
    """Return the problem of `puzzle`; say how many lines of its word list are not words."""
    from solver.index.problem import Problem

    problem = Problem.of(puzzle)
    say_left_out(problem.lexicon)
    return problem


def say_left_out(*lexicons: "Lexicon") -> None:
    """Say how many lines of each word list are not words, once for each list."""
    for sentence in dict.fromkeys(lexicon.left_out for lexicon in lexicons):
        if sentence:
            say(sentence)


def command_ending() -> "Ending":
    """Let Ctrl-C and signals such as SIGTERM end the runs of a command; return the handler."""
    from solver.solving.ending import Ending, on_signals

    ending = Ending()
    on_signals(ending.handle)
    return ending


def interrupt_on_signals() -> None:
    """Let Ctrl-C and signals such as SIGTERM raise KeyboardInterrupt, so that the command cleans up."""
    from solver.solving.ending import on_signals

    on_signals(signal.default_int_handler)
