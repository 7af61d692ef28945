"""`rowdraw bound`: the most that any game of a puzzle can score."""

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from solver.checking import MOST_STATES
from solver.commands import options
from solver.commands.options import FILE, FOLDER, OUTPUT, Seconds
from solver.commands.running import Bar, command_ending, read_problem, say
from solver.commands.writing import force_option
from solver.errors import RowdrawError
from solver.files import is_stdout, is_stream
from solver.outputs import Output

if TYPE_CHECKING:
    from solver.bound.ascent import Bound
    from solver.index.problem import Problem
    from verify import Rules


class _CertificateFile:
    """The file of the certificate with the lowest bound. What is no file gets only the last one.

    Attributes:
        best: The first bound with the fewest points; None before any.
    """

    def __init__(self, output: Output, problem: "Problem") -> None:
        self._output = output
        self._problem = problem
        self._is_written = False  # whether the file has the certificate of `best`
        self._has_failed = False  # whether a message has said so
        self.best: Bound | None = None

    def keep(self, bound: "Bound") -> None:
        """Write the certificate of a bound if it is the lowest; if that fails, go on."""
        from solver.bound.certificate import is_certifiable

        if self.best is not None and bound.points >= self.best.points:
            return
        self.best = bound
        self._is_written = False
        path = self._output.path
        is_file = path is not None and not self._output.is_stdout and not is_stream(path)
        if is_file and is_certifiable(self._problem, bound):
            try:
                self._write(bound)
            except FileExistsError:
                pass  # `finish` says what stays there
            except OSError as error:
                if not self._has_failed:
                    say(f"{path}: cannot be written ({error.strerror}); going on")
                self._has_failed = True

    def _write(self, bound: "Bound") -> None:
        self._output.write(self.text(), -bound.points)
        self._is_written = True

    def finish(self) -> None:
        """Write the last certificate, or say that the file proves as low a bound.

        Raises `OSError`.
        """
        assert self.best is not None
        if self._is_written:
            return
        try:
            self._write(self.best)
        except FileExistsError:
            known = self._output.best_there()
            if known is None:
                raise
            say(f"{self._output.path} stays as it is: it proves {-known:.0f}")

    def text(self) -> str:
        """Return the certificate of the lowest bound."""
        from solver.bound.certificate import certificate

        assert self.best is not None
        return certificate(self._problem, self.best)


def _worth_of(problem: "Problem", content: bytes) -> float | None:
    """Return minus the claim of a certificate of this puzzle; None for anything else."""
    from solver.bound.certificate import subject_of

    digest, claim = subject_of(content) or ("", 0)
    if digest != problem.rules.digest:
        return None
    return -claim


@click.command()
@options.puzzle
@click.option(
    "--time",
    "seconds",
    type=Seconds(0),
    metavar="SECONDS",
    help="Default: a minute.",
)
@click.option(
    "--start", type=FILE, metavar="CERT", help="Begin with the prices of an earlier certificate."
)
@click.option(
    "--states",
    type=click.IntRange(0, MOST_STATES),
    default=2_000_000,
    show_default=True,
    metavar="N",
    help="How many states a layer of the sweeps may hold; 0: no sweeps.",
)
@options.threads
@click.option(
    "-o",
    "--output",
    type=OUTPUT,
    metavar="FILE",
    help="Write the certificate there each time the bound gets better; "
    "-, a pipe or a device gets only the last.",
)
@force_option
@click.option(
    "--results",
    type=FOLDER,
    metavar="FOLDER",
    help="Keep the certificate in this record book if its bound is lower than the one there.",
)
@options.json_option
def bound(
    chosen: "Rules",
    seconds: float | None,
    start: Path | None,
    states: int,
    threads: int | None,
    output: Path | None,
    force: bool,
    results: Path | None,
    as_json: bool,
) -> int:
    """Print a score that no game can exceed.

    PUZZLE is a bundled name or a TOML file. `rowdraw verify FILE` checks the certificate. Ctrl-C
    ends with the lowest bound so far and exit code 130.
    """
    from solver.bound.certificate import bound_of
    from solver.lab.records import BOOK, folder_of, keep_bound, known_of
    from solver.solving.bounding import lowest_bound
    from solver.solving.order import Order, Reports
    from verify.bound.certificate import LONGEST_ROW
    from verify.stated import fields_of

    problem = read_problem(chosen)
    problem.require_ordinary("a bound")
    if len(chosen.row) > LONGEST_ROW and (output is not None or results is not None):
        raise RowdrawError(
            f"a row of {len(chosen.row)} tiles: expected at most {LONGEST_ROW} for a certificate; "
            "without -o and --results the bound is printed"
        )
    earlier = None if start is None else bound_of(problem, start)
    target = Output(output, best_in=lambda content: _worth_of(problem, content), force=force)
    target.check()
    if results is not None:
        folder_of(results, chosen)  # which refuses a book that cannot take it
    is_printed = output is not None and is_stdout(output)
    if as_json and is_printed:
        raise click.UsageError("both --json and -o - go to standard output: expected one of them")
    file = _CertificateFile(target, problem)
    with Bar() as bar:
        _lowest, run = lowest_bound(
            problem,
            Order(seconds=seconds, threads=threads),
            command_ending(),
            Reports(bar, bar.say),
            states=states,
            start=earlier,
            keep=file.keep,
        )
    lowest = file.best
    assert lowest is not None
    failure = ""
    if output is not None and not is_printed:
        try:
            file.finish()
        except OSError as error:
            failure = (
                f"{output}: cannot be written ({error.strerror}); the certificate is on stdout"
            )
            is_printed = True
    text = (
        f"no game on {chosen.name} scores more than {lowest.points} "
        f"({lowest.method}, {run.elapsed:.1f} s)"
    )
    if as_json:
        fields = {
            "name": chosen.puzzle,
            **fields_of(problem.rules),
            "method": lowest.method,
            "bound": lowest.points,
            "seconds": round(run.elapsed, 3),
        }
        text = json.dumps(fields)
    # standard output holds one thing
    if is_printed:
        say(text)
        click.echo(file.text(), nl=False)
    else:
        click.echo(text)
    if book := known_of(problem).summary:
        say(f"{BOOK}: {book}")
    if results is not None:
        keep_bound(results, problem, lowest.points, file.text())
    if failure:
        raise RowdrawError(failure)
    return 0
