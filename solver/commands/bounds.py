"""`rowdraw bound`: the most that any game of a puzzle can score."""

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from solver.bound.relaxations.kinds import RELAXATIONS
from solver.commands import options
from solver.commands.forms import certificate_of, force_option
from solver.commands.options import FILE, FOLDER, Seconds
from solver.commands.running import INTERRUPTED, chosen_puzzle, read_problem, run_maker, say
from solver.errors import RowdrawError
from solver.limits import MOST_STATES

if TYPE_CHECKING:
    from solver.bound.ascent import Bound
    from solver.index.problem import Problem

_SHORT = 40  # tiles of a row whose bound takes too little time to mention


class _CertificateFile:
    """The file of the certificate with the lowest bound.

    Attributes:
        unwritten: The error of the last attempt to write; None if it succeeded.
    """

    def __init__(self, path: Path | None, problem: "Problem", force: bool) -> None:
        from solver.files import is_stream

        self._path = path
        self._problem = problem
        self._force = force
        self._is_stream = path is not None and is_stream(path)
        self._is_own = False  # whether it holds a certificate of this command
        self.unwritten: OSError | None = None

    def write(self, bound: "Bound") -> None:
        """Write the certificate of `bound` unless the file proves as low a bound. Raises `OSError`."""
        from solver.bound.certificate import certificate
        from solver.files import locked, replace_file
        from solver.lab.records import bound_on_file

        if self._path is None:
            return
        with locked(self._path):
            # another process may have written a lower bound
            known = None if self._force else bound_on_file(self._problem, self._path)
            if known is None or bound.value < known:
                replace_file(self._path, certificate(self._problem, bound))
                self._force, self._is_own = False, True

    def try_to_write(self, bound: "Bound") -> None:
        """Write as `write` does. If that fails, say so: a lower bound may be written later, and the last one is printed.

        A pipe or a device gets only the last certificate, by `finish`.
        """
        if self._is_stream:
            return
        try:
            self.write(bound)
            self.unwritten = None
        except OSError as error:
            if self.unwritten is None:
                say(f"{self._path}: cannot be written ({error.strerror}); going on")
            self.unwritten = error

    def finish(self, bound: "Bound") -> None:
        """Write the last certificate, that of `bound`, to a pipe or a device."""
        if self._is_stream:
            try:
                self.write(bound)
            except OSError as error:
                self.unwritten = error

    def say_kept(self, bound: float) -> None:
        """Say if the file keeps a certificate of another command, which proves `bound` or a lower one."""
        from solver.lab.records import bound_on_file

        known = None if self._path is None else bound_on_file(self._problem, self._path)
        if known is not None and (known < bound or (known == bound and not self._is_own)):
            say(f"{self._path} stays as it is: it proves {known:.3f}")


@click.command()
@options.puzzle
@click.option("--relaxation", type=click.Choice(list(RELAXATIONS)), help="r1 is quick, r3 low. Default: r2, for long rows r1.")
@click.option("--time", "seconds", type=Seconds(0), metavar="SECONDS", help="Time limit. Default: until no more is gained.")
@click.option("--start", type=FILE, metavar="CERT", help="Begin with the prices of an earlier certificate.")
@click.option(
    "--states",
    type=click.IntRange(0, MOST_STATES),
    default=2_000_000,
    show_default=True,
    metavar="N",
    help="How many states a layer of r3's sweeps may hold; 0: no sweeps.",
)
@options.threads
@click.option("-o", "--output", type=FILE, metavar="FILE", help="Write the certificate there, each time the bound gets better.")
@force_option
@click.option(
    "--results",
    type=FOLDER,
    metavar="FOLDER",
    help="Keep the certificate in this record book if its bound is lower than that of the one there.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def bound(
    puzzle: str,
    row: str | None,
    words: Path | None,
    relaxation: str | None,
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

    PUZZLE is a bundled name or a TOML file. `rowdraw verify FILE` checks the certificate. Ctrl-C ends with the lowest bound
    so far and exit code 130.
    """
    from solver.bound.certificate import bound_of, certificate
    from solver.bound.schedule import suited_relaxation, tighten_upper_bound
    from solver.files import check_output
    from solver.lab.known import BOOK, known_of
    from solver.lab.records import keep_bound
    from solver.solving.compile_all import warm_up_bounds

    chosen = chosen_puzzle(puzzle, row, words)
    problem = read_problem(chosen)
    problem.require_ordinary("a bound")
    relaxation = relaxation or suited_relaxation(problem)
    earlier = None if start is None else bound_of(problem, start)
    check_output(output, certificate_of(problem), force=force)
    if seconds is None and len(chosen.row) > _SHORT:
        takes = RELAXATIONS[relaxation].takes
        say(f"{relaxation} takes {takes} on a row of 100 tiles; Ctrl-C ends with the lowest bound so far")
    file = _CertificateFile(output, problem, force)
    warm_up_bounds(say)
    with run_maker(threads) as (_bar, new_run):
        run = new_run(seconds=seconds)
        lowest = tighten_upper_bound(problem, relaxation, run, earlier, file.try_to_write, states=states)
    file.finish(lowest)
    if as_json:
        fields = {"puzzle": chosen.reference, "relaxation": lowest.relaxation, "bound": lowest.value}
        click.echo(json.dumps(fields | {"seconds": round(run.elapsed, 3)}))
    else:
        click.echo(f"no game on {chosen.name} scores more than {lowest.value:.3f} ({lowest.relaxation}, {run.elapsed:.1f} s)")
    file.say_kept(lowest.value)
    if book := known_of(problem).summary:
        say(f"{BOOK}: {book}")
    if results is not None:
        keep_bound(results, problem, lowest.value, certificate(problem, lowest))
    if file.unwritten is not None:
        raise RowdrawError(f"{output}: cannot be written ({file.unwritten.strerror})") from file.unwritten
    return INTERRUPTED if run.interrupted else 0
