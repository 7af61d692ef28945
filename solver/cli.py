"""The command `rowdraw`."""

import os
import sys
from typing import Any

import click

from solver.commands.best import best
from solver.commands.can import can
from solver.commands.compare import compare
from solver.commands.puzzle import puzzle
from solver.commands.report import report
from solver.commands.score import score
from solver.commands.show import show
from solver.commands.solve import solve
from solver.commands.upkeep import bench, warmup
from solver.commands.verify import verify
from solver.errors import RowdrawError

USAGE_ERROR, INTERNAL_ERROR, INTERRUPTED = 2, 3, 130


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 120})
@click.version_option(package_name="rowdraw")
def rowdraw() -> None:
    """Solve, verify and show games of the row-draw word puzzle."""


for command in (solve, best, can, verify, show, compare, report, score, puzzle, warmup, bench):
    rowdraw.add_command(command)


def main(arguments: list[str] | None = None) -> Any:
    """Run the command line and exit. Bad input ends with one line on stderr and exit code 2, never with a traceback."""
    try:
        code = rowdraw.main(args=arguments, prog_name="rowdraw", standalone_mode=False)
    except click.ClickException as error:
        error.show()
        code = USAGE_ERROR
    except RowdrawError as error:
        click.echo(f"rowdraw: {error}", err=True)
        code = USAGE_ERROR
    except (KeyboardInterrupt, click.Abort):
        click.echo("rowdraw: interrupted before there was a result", err=True)
        code = INTERRUPTED
    except BrokenPipeError:
        # whoever read our output has gone; there is nobody left to tell
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 1
    except Exception as error:
        if "ROWDRAW_DEBUG" in os.environ:
            raise
        click.echo(f"rowdraw: internal error: {type(error).__name__}: {error} (ROWDRAW_DEBUG=1 shows where)", err=True)
        code = INTERNAL_ERROR
    sys.exit(code)
