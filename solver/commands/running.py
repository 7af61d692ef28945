"""Messages, progress, signals and reading of puzzles, for all commands."""

import logging
import sys
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, NoReturn

import click

if TYPE_CHECKING:
    from solver.index.problem import Problem
    from solver.search.run import Ending, Progress, Run
    from verify import Rules

INTERRUPTED = 130
_SHORTEST_INTERVAL = 0.1  # seconds between two states of the bar
_QUIET = threading.Event()  # set while a command runs with --quiet


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
    """Print log records of the packages, from level INFO, as messages of the command."""
    loggers = [logging.getLogger(name) for name in ("solver", "verify")]
    handler = logging.Handler()
    handler.emit = lambda record: say(record.getMessage())  # type: ignore[method-assign]
    levels = [logger.level for logger in loggers]
    for logger in loggers:
        logger.addHandler(handler)
        logger.setLevel(logging.INFO)
    try:
        yield
    finally:
        for logger, level in zip(loggers, levels, strict=True):
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
        ["-q", "--quiet"],
        is_flag=True,
        expose_value=False,
        callback=_be_quiet,
        help="Print no progress and no messages.",
    )
    command.params.append(option)
    for inner in command.commands.values() if isinstance(command, click.Group) else ():
        add_quiet_option(inner)


def read_problem(rules: "Rules") -> "Problem":
    """Return the problem of a puzzle; say how many lines of its word list are not words."""
    from solver.index.problem import Problem

    say_left_out(rules.notes)
    return Problem(rules)


def say_left_out(sentences: "Iterable[str]") -> None:
    """Say how many lines of word lists are not words, once for each list."""
    for sentence in dict.fromkeys(filter(None, sentences)):
        say(sentence)


_endings: list["Ending"] = []  # that of the running command is the last one


def end_on_signals() -> None:
    """Let Ctrl-C and signals such as SIGTERM end the runs of a command.

    Before the first run they raise `KeyboardInterrupt`.
    """
    from solver.search.run import Ending, on_signals

    _endings.append(Ending())
    on_signals(_endings[-1].handle)


def command_ending() -> "Ending":
    """Return what ends the runs of the command."""
    if not _endings:
        end_on_signals()
    return _endings[-1]


class Bar:
    """Shows the progress of runs if stderr is a terminal."""

    def __init__(self) -> None:
        from tqdm import tqdm

        self._tqdm = tqdm
        self._bar: tqdm[NoReturn] = tqdm(disable=True)
        self._label = ""
        self._shown = -1.0

    def __call__(self, run: "Run", progress: "Progress") -> None:
        """Show the progress of `run`."""
        now = run.elapsed
        if progress.label != self._label:
            self._bar.close()
            self._label = progress.label
            self._bar = self._tqdm(
                total=progress.total or None,
                leave=False,
                dynamic_ncols=True,
                unit="tile" if progress.total else "round",
                file=sys.stderr,
                disable=is_quiet() or None,
            )
        elif progress.done < progress.total and now - self._shown < _SHORTEST_INTERVAL:
            return
        self._shown = now
        self._bar.n = progress.done
        best = progress.note or f"best {run.incumbent.score or '-'}"
        labels = [run.title, f"{progress.label}, {best}"]
        self._bar.set_description(": ".join(filter(None, labels)), refresh=False)
        rate = ""
        if run.racks and now > 0:
            rate = f"{run.racks / now:,.0f} racks/s"
        self._bar.set_postfix_str(rate)

    def say(self, message: str) -> None:
        """Print a message on stderr, with the bar hidden meanwhile."""
        with self._tqdm.external_write_mode(file=sys.stderr):
            say(message)

    def __enter__(self) -> "Bar":
        return self

    def __exit__(self, *_error: object) -> None:
        self._bar.close()
