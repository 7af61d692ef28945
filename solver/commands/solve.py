"""`rowdraw solve`: search, confirm by the referee, print."""

from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from solver.commands import options
from solver.commands.forms import JSON, TEXT, check_form, chosen_form, force_option, form_option, replaced_by_answer
from solver.commands.options import FILE, FOLDER, Seconds
from solver.commands.running import INTERRUPTED, Bar, chosen_puzzle, command_ending, read_problem, say
from solver.commands.writing import Finds, hand_out, save_rejected
from solver.errors import RefereeDisagreementError, RowdrawError, StrategyError
from solver.limits import MOST_ANSWERS, MOST_DISTANCE, MOST_THREADS
from solver.solving.opened import OpenedGame
from verify.text import counted

if TYPE_CHECKING:
    from solver.index.problem import Problem
    from solver.lab.known import Known
    from solver.solving.interruption import Ending
    from solver.solving.result import Result
    from solver.solving.solve import Settings


def _top(_context: click.Context, parameter: click.Parameter, value: str | None) -> int | None:
    """Return a number of answers; 0 stands for 'ties'."""
    if value in (None, "ties"):
        return None if value is None else 0
    if not (value.isascii() and value.isdecimal() and len(value) < 5 and 1 <= int(value) <= MOST_ANSWERS):
        raise click.BadParameter(
            f"{value!r}: expected a number of answers from 1 to {MOST_ANSWERS:,}, or ties", param=parameter
        )
    return int(value)


def _minute(name: str, parameter: str, kind: Any, unit: str, help_: str) -> options.Decorator:
    """Return an option that stands for 60 seconds if it has no value."""
    return click.option(name, parameter, is_flag=False, flag_value=60.0, type=kind, metavar=f"[{unit}]", help=help_)


@dataclass(frozen=True)
class _Request:
    """The arguments and options of `solve`."""

    puzzle: str
    row: str | None
    words: Path | None
    strategy: str | None
    width: int | None
    seconds: float | None
    effort: float | None
    bounding: float | None
    refine_workers: int
    seed: int
    threads: int | None
    output: Path | None
    form: str | None
    as_json: bool
    top: int | None
    distance: int
    every: bool
    force: bool
    after: str | None
    prove: bool
    keep: Path | None
    executor: str | None
    scheduler: str | None

    @property
    def file(self) -> Path | None:
        """The file of the answer; None for standard output."""
        return None if self.output is None or str(self.output) == "-" else self.output

    def checked_form(self) -> str:
        """Return the form of the answer. Raises `click.UsageError` for options that exclude each other."""
        if self.as_json and self.form not in (None, JSON):
            raise click.UsageError(f"--json and --format {self.form}: expected one of them")
        form = JSON if self.as_json else chosen_form(self.form, self.file)
        check_form(form, several=self.top not in (None, 1))
        if self.distance and self.top is None:
            raise click.UsageError("--distance needs --top")
        if self.every and (form != TEXT or self.top is not None):
            raise click.UsageError("--all prints answers as text, one after the other: expected no --top and no other form")
        self._check_proof()
        return form

    def _check_proof(self) -> None:
        """Raise `click.UsageError` for options that exclude `--prove` or need it."""
        if not self.prove:
            for name in ("keep", "executor", "scheduler"):
                if getattr(self, name) is not None:
                    raise click.UsageError(f"--{name} needs --prove")
            return
        for name in ("strategy", "width", "top", "after"):
            if getattr(self, name) is not None:
                raise click.UsageError(f"--prove searches in its own way: expected no --{name}")
        if self.effort is not None or self.bounding is not None or self.seed:
            raise click.UsageError("--prove searches in its own way: expected no --refine, --bound or --seed")
        if self.scheduler is not None and self.executor != "dask":
            raise click.UsageError("--scheduler needs --executor dask")
        if self.executor == "dask" and self.keep is None:
            raise click.UsageError("--executor dask needs --keep: the workers share the states in that folder")

    def proofs(self, problem: "Problem", ending: "Ending", finds: Finds) -> "list[Result]":
        """Return the answer with its bound; finds: receives each incumbent. Raises `RowdrawError`."""
        from solver.lab.compare.execute import dask_executor
        from solver.search.run import processors
        from solver.solving.prove import Proving, prove

        threads = self.threads or processors()
        try:
            with dask_executor(self.scheduler, threads) if self.executor == "dask" else nullcontext() as cluster, Bar() as bar:
                return [prove(problem, Proving(self.seconds, threads, self.keep, cluster), ending, bar, bar.say, finds)]
        except OSError as error:
            raise RowdrawError(f"{error.filename or self.keep}: {error.strerror}") from error

    def problem_and_settings(self) -> "tuple[Problem, Settings]":
        """Return the problem and the settings of its search. Raises `RowdrawError`."""
        from solver.refine.parameters import RefineParameters
        from solver.search.run import processors
        from solver.solving.solve import Settings, suited_strategy
        from solver.solving.strategies import make_strategy

        game = None if self.after is None else OpenedGame.of(self.after)
        chosen = chosen_puzzle(self.puzzle, self.row, self.words)
        problem = read_problem(chosen if game is None else game.puzzle(chosen, tell=say))
        needs_beam = self.width is not None or self.top is not None or game is not None
        suited = "beam" if needs_beam else suited_strategy(problem, self.seconds)
        settings = Settings(
            make_strategy(suited if self.strategy is None else self.strategy, width=self.width),
            self.seconds,
            self.seed,
            self.threads or processors(),
            None if self.effort is None else RefineParameters(effort=self.effort, workers=self.refine_workers),
            self.bounding,
            () if game is None else game.turns(problem),
        )
        return problem, settings

    def search(self, problem: "Problem", settings: "Settings", ending: "Ending", finds: Finds) -> "list[Result]":
        """Return the answers, best first; finds: receives each incumbent."""
        if self.prove:
            return self.proofs(problem, ending, finds)
        from solver.solving.solve import Several, solve_problem, solve_several

        with Bar() as bar:
            if self.top is None:
                return [solve_problem(problem, settings, ending, bar, bar.say, finds)]
            return solve_several(problem, settings, Several(self.top or None, self.distance), ending, bar, bar.say, finds)


@click.command()
@options.puzzle
@options.strategy(
    "greedy, beam, widening, exact or refined, with settings as in beam:width=1000,price=0.7; FILE.py:NAME, a class of "
    "your own; 'command:PROGRAM', a program in any language. Default: exact for short rows, widening where there is a time "
    "limit, else beam.",
)
@options.list_strategies
@click.option("--width", type=int, metavar="N", help="How many states a beam keeps in each layer.")
@click.option("--time", "seconds", type=Seconds(0), metavar="SECONDS", help="Time limit for the search.")
@_minute("--refine", "effort", float, "EFFORT", "Then improve the answer with OR-Tools, for about EFFORT seconds (60).")
@_minute("--bound", "bounding", Seconds(0), "SECONDS", "Then compute a score that no answer exceeds, for SECONDS more (60).")
@click.option(
    "--refine-workers", type=click.IntRange(1, MOST_THREADS), default=1, help="Threads of OR-Tools; above 1 not reproducible."
)
@click.option("--prove", is_flag=True, help="Search until the answer is proven optimal, however long it takes.")
@click.option("--keep", type=FOLDER, metavar="FOLDER", help="Keeps answer, certificate and states of a proof.")
@click.option("--executor", type=click.Choice(["threads", "dask"]), help="Who sweeps for --prove. Default: threads.")
@click.option("--scheduler", metavar="ADDRESS", help="Of a dask scheduler whose workers see the folder under the same path.")
@click.option("--seed", type=click.IntRange(0, 2**63 - 1), default=0, metavar="N", help="Breaks ties between states.")
@options.threads
@click.option("-o", "--output", type=FILE, metavar="FILE", help="Write the answer there (- for standard output).")
@form_option
@click.option("--json", "as_json", is_flag=True, help="The same as --format json, which also says how the answer was found.")
@click.option("--top", callback=_top, metavar="K", help="Print the K best answers of a beam; 'ties': all that score most.")
@click.option(
    "--distance",
    type=click.IntRange(0, MOST_DISTANCE),
    default=0,
    metavar="N",
    help="With --top: each answer plays words that each better answer lacks, in at least N turns.",
)
@click.option("-a", "--all", "every", is_flag=True, help="Print every better answer as soon as it is found.")
@force_option
@click.option(
    "--after",
    metavar="FILE[#N][:K]",
    shell_complete=options.complete_file,
    help="Go on with the game in FILE after its first K turns.",
)
def solve(**options: Any) -> int:
    """Search for the best answer to a puzzle, and print it.

    PUZZLE is a bundled name or a TOML file. The answer is in the challenge's format.

    Ctrl-C ends the search with the best answer so far and exit code 130.
    """
    from solver.files import check_output
    from solver.lab.known import known_of

    request = _Request(**options)
    form = request.checked_form()
    problem, settings = request.problem_and_settings()
    check_output(request.file, replaced_by_answer(form), force=request.force)
    finds = Finds(problem, request.file, prints=request.every)
    ending = command_ending()
    try:
        results = request.search(problem, settings, ending, finds)
    except RefereeDisagreementError as error:
        return save_rejected(error, request.file)
    except StrategyError as error:
        if not ending.was_signalled:
            raise
        # the user ended the search before it had an answer, so the input is not at fault
        say(str(error))
        return INTERRUPTED
    known = known_of(problem)
    results = [result.with_bound(known.bound) for result in results]
    if request.file is not None or not finds.printed:
        hand_out(results, request.file, form, force=request.force)
    finds.finish(results[0])
    say(_summary(results, known))
    if request.prove:
        _say_proof(results[0], request.keep)
    return INTERRUPTED if ending.was_signalled else 0


def _say_proof(result: "Result", folder: Path | None) -> None:
    """Say where the certificate is, and whether the proof can go on."""
    if folder is None:
        say("the certificate is not kept: --keep FOLDER keeps it")
    elif result.bound == result.score:
        say(f"{folder / 'certificate.json'}: the certificate; `rowdraw verify` checks it")
    else:
        say(f"{folder}: the same command goes on from there")


def _summary(results: "list[Result]", known: "Known") -> str:
    result = results[0]
    verdict = "confirmed by the referee" if result.turns else "no word can be played for points"
    several = f"{len(results)} answers, the best of " if len(results) > 1 else ""
    return (
        f"{several}{counted(result.score, 'point')}{_standing(result, known)}, turns {len(result.turns)}, "
        f"{result.seconds:.2f} s, {result.racks:,} racks, {verdict}"
    )


def _standing(result: "Result", known: "Known") -> str:
    """Compare the score with the best known one and with the bound, in words that begin with a comma."""
    from solver.lab.known import Known

    best = ""
    if known.best:
        best = f", best known {known.best}" if result.score <= known.best else f", a new best, {known.best} before"
    if result.bound is None:
        return best
    at_most = Known(known.best, result.bound).at_most
    return f"{best}, optimal" if at_most == result.score else f"{best}, at most {at_most}"
