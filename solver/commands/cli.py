"""The command `rowdraw`, and its command `warmup`."""

import atexit
import gc
import io
import os
import sys
from typing import Any

import click
from click.exceptions import Exit
from click.shell_completion import get_completion_class

from solver.commands.bounds import bound
from solver.commands.comparisons import compare
from solver.commands.games import play, serve, site
from solver.commands.options import InOrder
from solver.commands.racks import best, can
from solver.commands.records import puzzle, records
from solver.commands.running import (
    INTERRUPTED,
    add_quiet_option,
    command_ending,
    end_on_signals,
    say,
    saying_logs,
)
from solver.commands.scrabble import scrabble
from solver.commands.show import analyse, show, verify
from solver.commands.solve import solve
from solver.errors import RowdrawError, StrategyError
from verify import RulesError
from verify.streams import prepare_output, report_failure
from verify.text import printable

USAGE_ERROR = 2
INTERNAL_ERROR = 3
_COMPLETE = "_ROWDRAW_COMPLETE"  # the variable in which a shell asks for completion


@click.group(
    cls=InOrder,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 120},
)
@click.option(
    "--max-size",
    type=click.IntRange(1, 999_999),
    metavar="MB",
    help="Read files that are larger than usual.",
)
@click.version_option(package_name="rowdraw")
@click.pass_context
def rowdraw(context: click.Context, max_size: int | None) -> None:
    """Solve, verify and show games of the row-draw word puzzle."""
    from verify.files import larger_files, remembering_inputs

    context.with_resource(remembering_inputs())
    context.with_resource(saying_logs())
    if max_size is not None:
        context.with_resource(larger_files(max_size))


@click.command()
def warmup() -> None:
    """Compile everything, so that later commands need not wait.

    It compiles all kernels and builds the index of the challenge.
    """
    from solver.index.problem import Problem
    from solver.model.puzzle import load_puzzle
    from solver.solving.compile_all import STEPS
    from solver.solving.warmup import warm_up

    warm_up(click.echo)
    steps = {**STEPS, "Scrabble": _play_scrabble}
    for number, (name, load) in enumerate(steps.items(), start=1):
        click.echo(f"kernels, {number} of {len(steps)}: {name}")
        load()
    problem = Problem(load_puzzle("challenge"))
    click.echo(f"closed index: {len(problem.closed.packed):,} plays")


def _play_scrabble() -> None:
    """Run every kernel of the Scrabble table once, and build its list of words."""
    from solver.scrabble.bot import bot_of
    from verify.scrabble.tiles import tile_set

    bot_of(tile_set("english"), "enable1")


_LISTED = (
    solve,
    verify,
    best,
    can,
    show,
    analyse,
    compare,
    bound,
    records,
    play,
    serve,
    site,
    scrabble,
    puzzle,
    warmup,
)
for command in _LISTED:
    rowdraw.add_command(command)
add_quiet_option(rowdraw)


def main(arguments: list[str] | None = None) -> Any:
    """Run the command line and exit."""
    # else the last collection takes apart, one by one, all that numba has loaded: 0.2 s
    atexit.register(gc.freeze)
    run_command(rowdraw, "rowdraw", sys.argv[1:] if arguments is None else arguments)


def run_command(command: click.Command, name: str, arguments: list[str]) -> Any:
    """Run a command and exit.

    Bad input causes one line on stderr and exit code 2, never a traceback.
    """
    if sys.stderr is None:
        # messages are lost, but the answer may still go to standard output
        sys.stderr = os.fdopen(os.open(os.devnull, os.O_WRONLY), "w", encoding="utf-8")
    if sys.stdout is None:
        sys.stderr.write("rowdraw: standard output is closed\n")
        sys.exit(USAGE_ERROR)
    prepare_output()
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")
    try:
        end_on_signals()
        code = _complete() if os.environ.get(_COMPLETE) else _run(command, name, arguments)
        sys.stdout.flush()
        if command_ending().was_signalled:
            code = INTERRUPTED
    except click.ClickException as error:
        shown = io.StringIO()
        error.show(shown)  # as it is, it would quote what controls a terminal
        click.echo("\n".join(map(printable, shown.getvalue().split("\n"))), err=True, nl=False)
        code = USAGE_ERROR
    except (RowdrawError, RulesError) as error:
        say(str(error))
        # no input is at fault where the user ends a search before it has an answer
        is_early = isinstance(error, StrategyError) and command_ending().was_signalled
        code = INTERRUPTED if is_early else USAGE_ERROR
    except (KeyboardInterrupt, EOFError, click.Abort):
        click.echo(err=True)  # ends the line with the ^C of a terminal
        say("interrupted before there was a result")
        code = INTERRUPTED
    except (OSError, ImportError, MemoryError) as error:
        code = report_failure(
            error, say, "a search that keeps fewer states, as by beam:width=500 or --states"
        )
    except Exception as error:
        if "ROWDRAW_DEBUG" in os.environ:
            raise
        say(f"internal error: {type(error).__name__}: {error} (ROWDRAW_DEBUG=1 shows where)")
        code = INTERNAL_ERROR
    sys.exit(code)


def _run(command: click.Command, name: str, arguments: list[str]) -> Any:
    """Run a command; return its exit code.

    `main` of click would exit with 1, INVALID, where the reader of a pipe has gone.
    """
    try:
        with command.make_context(name, arguments) as context:
            return command.invoke(context)
    except Exit as end:
        return end.exit_code


def _complete() -> int:
    """Print what a shell's completion asks for; return the exit code.

    Raises `click.UsageError` if the variables of the completion are malformed, which click itself
    would not report.
    """
    asked = os.environ[_COMPLETE]
    shell, _, wanted = asked.partition("_")
    kind = get_completion_class(shell)
    if kind is None or wanted not in ("source", "complete"):
        raise click.UsageError(
            f"{_COMPLETE}={asked}: expected a shell and a request, "
            "such as bash_source or bash_complete"
        )
    completion = kind(rowdraw, {}, "rowdraw", _COMPLETE)
    try:
        found = getattr(completion, wanted)()
    except (KeyError, ValueError) as error:
        raise click.UsageError(
            f"{_COMPLETE}={asked}: expected a command in COMP_WORDS and the place of a word "
            f"in COMP_CWORD ({error})"
        ) from error
    click.echo(found.encode(errors="surrogateescape"))  # the name of a file need not be text
    return 0
