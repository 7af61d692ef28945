"""`rowdraw lab sweep`: a sweep of any length, kept in a folder."""

from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

import click

from solver.commands.forms import CERTIFICATE, certificate_of, force_option
from solver.commands.running import (
    FILE,
    FOLDER,
    INTERRUPTED,
    chosen_puzzle,
    command_ending,
    puzzle_options,
    read_problem,
    say,
    threads_option,
)
from solver.errors import RecordError, RowdrawError

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from solver.bound.sweeps.campaign import Campaign
    from solver.index.problem import Problem
    from solver.search.run import Run

_GIGABYTE = 1e9


@click.command()
@puzzle_options
@click.option("--claim", type=click.IntRange(0, 2_000_000), metavar="POINTS", help="Look for all games that score more.")
@click.option("--start", type=FILE, metavar="CERT", help="A certificate of `rowdraw bound --relaxation r3`, for its prices.")
@click.option("--folder", required=True, type=FOLDER, help="Keeps the sweep's states.")
@click.option("--executor", type=click.Choice(["threads", "dask"]), default="threads", show_default=True)
@click.option("--scheduler", metavar="ADDRESS", help="Of a dask scheduler whose workers see the folder under the same path.")
@threads_option
@click.option("-o", "--output", type=FILE, metavar="FILE", help="Write the certificate there once the sweep has ended.")
@force_option
def sweep(
    puzzle: str,
    row: str | None,
    words: Path | None,
    claim: int | None,
    start: Path | None,
    folder: Path,
    executor: str,
    scheduler: str | None,
    threads: int | None,
    output: Path | None,
    force: bool,
) -> int:
    """Prove that no game scores more than a claim.

    Or it finds a game on PUZZLE that does, however long it takes. It says what it will need before it starts. Killed or
    interrupted, the same command goes on where it was.
    """
    from solver.bound.certificate import certificate
    from solver.commands.progress import Bar
    from solver.files import check_output, locked, replace_file
    from solver.search.run import Run, processors

    check_output(output, CERTIFICATE, force=force)
    chosen = chosen_puzzle(puzzle, row, words)
    problem = read_problem(chosen)
    problem.require_ordinary("a sweep")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with Bar() as bar, locked(folder, seconds=0):
            run = command_ending().of(Run(threads=threads or processors(), watch=bar))
            campaign = _campaign(problem, run, folder, claim, start)
            check_output(output, certificate_of(problem), force=force)  # again, since all inputs are known now
            with _executor(executor, scheduler, run.threads) as cluster:
                ended = campaign.play(run, cluster)
        bound = campaign.bound()
        if output is not None and ended:
            replace_file(output, certificate(problem, bound))
    except OSError as error:
        raise RowdrawError(f"{error.filename or folder}: cannot be written ({error.strerror})") from error
    if not ended:
        say(f"{campaign.tally.layer} of {len(chosen.row)} tiles played; the same command goes on from there")
        return INTERRUPTED
    if run.incumbent.turns:
        click.echo("\n".join(f"{turn.left} {turn.play} {turn.word}" for turn in run.incumbent.turns))
    click.echo(f"no game on {chosen.name} scores more than {bound.value:.3f} ({campaign.tally.racks:,} racks)")
    return 0


def _campaign(problem: "Problem", run: "Run", folder: Path, claim: int | None, start: Path | None) -> "Campaign":
    """The folder's campaign, or a new one, with its forecast told."""
    from solver.bound.certificate import start_of
    from solver.bound.sweeps.campaign import begin_campaign, campaign_in

    found = campaign_in(problem, folder, claim)
    if found is not None:
        say(f"going on after {found.tally.layer} of {len(problem.puzzle.row)} tiles played, {found.tally.racks:,} racks")
        return found
    if claim is None or start is None:
        raise RecordError(f"{folder}: holds no sweep yet: a new one wants --claim and --start")
    campaign = begin_campaign(problem, run, folder, claim, start_of(problem, start))
    need = campaign.forecast(run)
    if need is None:
        say("no forecast: these prices rule out too little, or nearly all")
    else:
        say(
            f"forecast: about {need.racks:,.0f} racks, {need.states:,.0f} states, {need.size / _GIGABYTE:,.1f} GB of disk, "
            f"{need.seconds / 3600:,.1f} hours on {run.threads} threads; "
            f"{need.growth:.2f} times as many racks for a claim that is a point lower"
        )
    return campaign


def _executor(kind: str, scheduler: str | None, jobs: int) -> "AbstractContextManager[Executor | None]":
    if kind == "threads":
        return nullcontext()
    from solver.lab.compare.execute import dask_executor

    return dask_executor(scheduler, jobs)
