"""The command `rowdraw`."""

import io
import os
import sys
from typing import Any

import click
from click.shell_completion import get_completion_class

from solver.commands.analyse import analyse
from solver.commands.best import best
from solver.commands.bound import bound
from solver.commands.can import can
from solver.commands.compare import compare
from solver.commands.completion import complete_command
from solver.commands.lab import lab
from solver.commands.play import play
from solver.commands.puzzle import puzzle
from solver.commands.records import hunt, records
from solver.commands.report import report
from solver.commands.running import INTERRUPTED, add_quiet_option, say, saying_logs
from solver.commands.score import score
from solver.commands.scrabble import scrabble
from solver.commands.serve import serve
from solver.commands.show import show
from solver.commands.solve import solve
from solver.commands.verify import verify
from solver.commands.warmup import warmup
from solver.errors import RowdrawError
from verify.streams import prepare_output, replacement_note, report_failure

USAGE_ERROR, INTERNAL_ERROR = 2, 3
_COMPLETE = "_ROWDRAW_COMPLETE"  # the variable in which a shell asks for completion


class _InOrder(click.Group):
    """Lists its commands in the order in which they were added: those that most people want come first."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return list(self.commands)


@click.command(name="help")
@click.argument("names", nargs=-1, metavar="[COMMAND]...", shell_complete=complete_command)
@click.pass_context
def help_(context: click.Context, names: tuple[str, ...]) -> None:
    """Explain a command, such as solve or lab sweep."""
    root = context.find_root()
    root.command.main([*names, "--help"], prog_name=root.info_name, standalone_mode=False)


@click.group(cls=_InOrder, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 120})
@click.option("--max-size", type=click.IntRange(1, 999_999), metavar="MB", help="Read files that are larger than usual.")
@click.version_option(package_name="rowdraw")
@click.pass_context
def rowdraw(context: click.Context, max_size: int | None) -> None:
    """Solve, verify and show games of the row-draw word puzzle."""
    from verify.reading import larger_files, remembering_inputs

    context.with_resource(remembering_inputs())
    context.with_resource(saying_logs())
    if max_size is not None:
        context.with_resource(larger_files(max_size))


for command in (
    solve,
    bound,
    best,
    can,
    verify,
    show,
    analyse,
    compare,
    report,
    hunt,
    records,
    serve,
    play,
    scrabble,
    score,
    puzzle,
    warmup,
    lab,
    help_,
):
    rowdraw.add_command(command)
add_quiet_option(rowdraw)


def main(arguments: list[str] | None = None) -> Any:
    """Run the command line and exit. Bad input ends with one line on stderr and exit code 2, never with a traceback."""
    if sys.stderr is None:
        # there is nowhere to write messages, but the answer may still be wanted
        sys.stderr = os.fdopen(os.open(os.devnull, os.O_WRONLY), "w", encoding="utf-8")
    if sys.stdout is None:
        sys.stderr.write("rowdraw: standard output is closed\n")
        sys.exit(USAGE_ERROR)
    replaced = prepare_output()
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")
    try:
        _check_completion()
        code = rowdraw.main(args=arguments, prog_name="rowdraw", standalone_mode=False)
        sys.stdout.flush()
    except click.ClickException as error:
        error.show()
        code = USAGE_ERROR
    except RowdrawError as error:
        say(str(error))
        code = USAGE_ERROR
    except (KeyboardInterrupt, click.Abort):
        say("interrupted before there was a result")
        code = INTERRUPTED
    except (OSError, ImportError, MemoryError) as error:
        code = report_failure(error, say, "a search that keeps fewer states, as by --width or --states")
    except Exception as error:
        if "ROWDRAW_DEBUG" in os.environ:
            raise
        say(f"internal error: {type(error).__name__}: {error} (ROWDRAW_DEBUG=1 shows where)")
        code = INTERNAL_ERROR
    if replaced:
        say(replacement_note(replaced))
    sys.exit(code)


def _check_completion() -> None:
    """Raise `click.UsageError` if the variables that ask for a shell's completion cannot be read: click would not say so."""
    asked = os.environ.get(_COMPLETE)
    if not asked:
        return
    shell, _, wanted = asked.partition("_")
    kind = get_completion_class(shell)
    if kind is None or wanted not in ("source", "complete"):
        raise click.UsageError(f"{_COMPLETE}={asked}: expected a shell and what it needs, such as bash_source or bash_complete")
    if wanted == "complete":
        try:
            kind(rowdraw, {}, "rowdraw", _COMPLETE).get_completion_args()
        except (KeyError, ValueError) as error:
            raise click.UsageError(
                f"{_COMPLETE}={asked}: expected a command in COMP_WORDS and the place of a word in COMP_CWORD ({error})"
            ) from error
