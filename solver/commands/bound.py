"""`rowdraw bound`: how much any game of a puzzle can score at most."""

import json
from pathlib import Path

import click

from solver.commands.forms import certificate_of, force_option
from solver.commands.running import (
    FILE,
    FOLDER,
    INTERRUPTED,
    Seconds,
    chosen_puzzle,
    command_ending,
    puzzle_options,
    read_problem,
    say,
    threads_option,
)
from solver.errors import RowdrawError
from solver.limits import MOST_STATES

_SHORT = 40  # tiles of a row whose bound takes no time worth telling
# measured on two cores, without a time limit
_TAKES = {"r1": "half a minute", "r2": "two to three minutes", "r3": "most of an hour, with its sweeps,"}


@click.command()
@puzzle_options
@click.option("--relaxation", type=click.Choice(["r1", "r2", "r3"]), help="r1 is quick, r3 low. Default: r2, for long rows r1.")
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
@threads_option
@click.option("-o", "--output", type=FILE, metavar="FILE", help="Write the certificate there, each time the bound gets better.")
@force_option
@click.option(
    "--results",
    type=FOLDER,
    metavar="FOLDER",
    help="Keep the certificate in this record book if its bound is the lowest there.",
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
    from solver.bound.ascent import Bound
    from solver.bound.certificate import certificate, start_of
    from solver.bound.schedule import suited_relaxation, tighten_upper_bound
    from solver.commands.progress import Bar
    from solver.files import check_output, locked, replace_file
    from solver.lab.known import BOOK, known_of
    from solver.lab.records import bound_on_file, keep_bound
    from solver.search.run import Run, processors

    chosen = chosen_puzzle(puzzle, row, words)
    problem = read_problem(chosen)
    problem.require_ordinary("a bound")
    relaxation = relaxation or suited_relaxation(problem)
    prices, foci = start_of(problem, start) if start is not None else (None, [])
    check_output(output, certificate_of(problem), force=force)
    if seconds is None and len(chosen.row) > _SHORT:
        say(f"{relaxation} takes {_TAKES[relaxation]} on a row of 100 tiles; Ctrl-C ends with the lowest bound so far")
    known = bound_on_file(problem, output) if output is not None and not force else None
    unwritten: OSError | None = None

    def keep(better: Bound) -> None:
        nonlocal force, known, unwritten
        if output is None:
            return
        try:
            with locked(output):
                # another process may have written a better one
                known = None if force else bound_on_file(problem, output)
                if known is None or better.value < known:
                    replace_file(output, certificate(problem, better))
                    force = False  # what is there now is this command's own
            unwritten = None
        except OSError as error:
            # go on: a better bound may be written later, and the last one is printed in any case
            if unwritten is None:
                say(f"{output}: cannot be written ({error.strerror}); going on")
            unwritten = error

    with Bar() as bar:
        run = command_ending().of(Run(threads=threads or processors(), seconds=seconds, watch=bar))
        found = tighten_upper_bound(problem, relaxation, run, prices, keep, states=states, foci=foci)
    if as_json:
        told = {"puzzle": chosen.reference, "relaxation": found.relaxation, "bound": found.value}
        click.echo(json.dumps(told | {"seconds": round(run.elapsed, 3)}))
    else:
        click.echo(f"no game on {chosen.name} scores more than {found.value:.3f} ({found.relaxation}, {run.elapsed:.1f} s)")
    if known is not None and known < found.value:
        say(f"{output} stays as it is: it proves {known:.3f}")
    if book := known_of(problem).summary:
        say(f"{BOOK}: {book}")
    if results is not None:
        keep_bound(results, problem, found.value, certificate(problem, found))
    if unwritten is not None:
        raise RowdrawError(f"{output}: cannot be written ({unwritten.strerror})") from unwritten
    return INTERRUPTED if run.interrupted else 0
