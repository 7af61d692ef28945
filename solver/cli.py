"""The command `rowdraw`."""

import io
import os
import sys
from typing import Any

import click

from solver.commands.best import best
from solver.commands.bound import bound
from solver.commands.can import can
from solver.commands.compare import compare
from solver.commands.learn import learn
from solver.commands.optima import optima
from solver.commands.play import play
from solver.commands.puzzle import puzzle
from solver.commands.records import hunt, records
from solver.commands.report import report
from solver.commands.running import INTERRUPTED
from solver.commands.score import score
from solver.commands.show import show
from solver.commands.solve import solve
from solver.commands.upkeep import bench, warmup
from solver.commands.verify import verify
from solver.errors import RowdrawError

USAGE_ERROR, INTERNAL_ERROR = 2, 3


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 120})
@click.version_option(package_name="rowdraw")
def rowdraw() -> None:
    """Solve, verify and show games of the row-draw word puzzle."""


for command in (
    solve,
    bound,
    best,
    can,
    verify,
    show,
    compare,
    report,
    hunt,
    records,
    optima,
    learn,
    play,
    score,
    puzzle,
    warmup,
    bench,
):
    rowdraw.add_command(command)


def main(arguments: list[str] | None = None) -> Any:
    """Run the command line and exit. Bad input ends with one line on stderr and exit code 2, never with a traceback."""
    if sys.stderr is None:
        # nobody wants to know; the answer is wanted all the same
        sys.stderr = os.fdopen(os.open(os.devnull, os.O_WRONLY), "w", encoding="utf-8")
    if sys.stdout is None:
        sys.stderr.write("rowdraw: standard output is closed\n")
        sys.exit(USAGE_ERROR)
    if isinstance(sys.stdout, io.TextIOWrapper):
        # names of files are shown as they are, even those that are no text
        sys.stdout.reconfigure(errors="surrogateescape")
    try:
        code = rowdraw.main(args=arguments, prog_name="rowdraw", standalone_mode=False)
        sys.stdout.flush()
    except click.ClickException as error:
        error.show()
        code = USAGE_ERROR
    except RowdrawError as error:
        click.echo(f"rowdraw: {error}", err=True)
        code = USAGE_ERROR
    except (KeyboardInterrupt, click.Abort) as error:
        # click takes the end of a damaged file for the end of the user's input
        damaged = isinstance(error.__cause__, EOFError)
        click.echo(_DAMAGED if damaged else "rowdraw: interrupted before there was a result", err=True)
        code = _drop_kernels() if damaged else INTERRUPTED
    except BrokenPipeError:
        # whoever read our output has gone; there is nobody left to tell
        _drop_output()
        code = 1
    except OSError as error:
        _drop_output()
        click.echo(f"rowdraw: cannot write {_not_written(error)}", err=True)
        code = USAGE_ERROR
    except Exception as error:
        if _from_kernel_cache(error):
            click.echo(_DAMAGED, err=True)
            sys.exit(_drop_kernels())
        if "ROWDRAW_DEBUG" in os.environ:
            raise
        click.echo(f"rowdraw: internal error: {type(error).__name__}: {error} (ROWDRAW_DEBUG=1 shows where)", err=True)
        code = INTERNAL_ERROR
    sys.exit(code)


_DAMAGED = "rowdraw: the kept kernels were damaged and have been removed: run the command again"


def _drop_output() -> None:
    """Send what is still buffered to nowhere, so that the end of the process does not stumble over it again."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _not_written(error: OSError) -> str:
    """What could not be written, and why."""
    why = error.strerror or error
    if not _from_kernel_cache(error):
        return f"{error.filename or 'the answer'} ({why})"
    from solver.jit import kernel_folder

    return f"{kernel_folder()} ({why}), the folder for compiled kernels; set ROWDRAW_CACHE to one with room"


def _from_kernel_cache(error: BaseException) -> bool:
    """Whether an error was raised while numba read what it keeps."""
    frames = []
    trace = error.__traceback__
    while trace is not None:
        frames.append(trace.tb_frame.f_code.co_filename)
        trace = trace.tb_next
    return any(frame.replace(os.sep, "/").endswith("numba/core/caching.py") for frame in frames)


def _drop_kernels() -> int:
    import shutil

    from solver.jit import kernel_folder

    shutil.rmtree(kernel_folder(), ignore_errors=True)
    return INTERNAL_ERROR
