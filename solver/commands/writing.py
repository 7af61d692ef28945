"""The forms in which commands print games, and the output of answers, so that none is lost."""

import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import click

from solver.commands.running import complain, say
from solver.errors import RowdrawError, TargetError, require
from solver.files import is_stdout
from solver.outputs import Output
from solver.show.forms import FORMS, JSON, TEXT, form_of

if TYPE_CHECKING:
    from solver.model.solution import Solution
    from solver.search.run import Run
    from solver.solving.result import Result
    from verify import Rules

force_option = click.option(
    "--force", is_flag=True, help="Replace any file, even a better answer or a foreign one."
)
form_option = click.option(
    "--format",
    "form",
    type=click.Choice(list(FORMS)),
    metavar="FORM",
    help=f"{', '.join(FORMS)}; default: by the name of the output.",
)


def chosen_form(
    form: str | None, output: Path | None, *, as_json: bool, several: bool = False
) -> str:
    """Return `form`, or JSON, or the form that the name of `output` implies, or text.

    Args:
        form: What the user has chosen.
        output: The file.
        as_json: Whether the user has chosen JSON.
        several: Whether there may be more than one game.

    Raises:
        click.UsageError: The choices exclude each other, or the name implies no form, or the form,
            such as a picture, cannot hold several games.
        RowdrawError: The library for pages is not installed.
    """
    if as_json and form not in (None, JSON):
        raise click.UsageError(f"--json and --format {form}: expected one of them")
    if as_json:
        form = JSON
    elif form is None:
        form = TEXT
        if output is not None and not is_stdout(output):
            try:
                form = form_of(output)
            except TargetError as error:
                raise click.UsageError(f"-o {error}, or --format") from error
    if several and not FORMS[form].holds_several:
        raise click.UsageError(
            f"{form} shows one game: expected no --against and no --top, or another --format"
        )
    if FORMS[form].is_page:
        require("report", "jinja2")
    return form


class Finds:
    """Receives the incumbents of a search, see `solver.search.run.Run.found`, and passes them on.

    Args:
        rules: The puzzle that is searched.
        kept: A file for text that holds the best answer at any time; None for no file.
        prints: Whether to print each better answer at once.

    Attributes:
        printed: The number of answers printed.
    """

    def __init__(self, rules: "Rules", kept: "Output | None", *, prints: bool) -> None:
        self.printed = 0
        self._rules = rules
        self._kept = kept
        self._prints = prints
        self._score = -1
        self._unprinted: OSError | None = None

    def __call__(self, run: "Run", solution: "Solution") -> None:
        """Print and keep an incumbent. If it cannot be printed, the run ends."""
        if not solution.turns or solution.score <= self._score:
            return
        from verify.stated import comments_of

        self._score = solution.score
        text = comments_of(self._rules) + solution.text()
        if self._prints:
            self.printed += 1
            try:
                sys.stdout.write(f"# answer {self.printed}: {solution.score} points\n{text}\n")
                sys.stdout.flush()
            except OSError as error:
                self._unprinted = error
                run.interrupt()
        if self._kept is None:
            return
        try:
            with suppress(FileExistsError):  # a better answer stays
                self._kept.write(text, self._score)
        except OSError as error:
            say(f"{self._kept.path}: cannot be written ({error.strerror}); going on")
            self._kept = None

    def finish(self) -> None:
        """Raise the error of an answer that could not be printed."""
        if self._unprinted is not None:
            raise self._unprinted


def hand_out(results: "Sequence[Result]", files: "Sequence[Output]", form: str) -> None:
    """Write answers to their files, or print them if these cannot be written.

    Args:
        results: The answers, best first.
        files: As `solver.solving.result.answer_files` returns them; none for standard output.
        form: One of `solver.show.forms.FORMS`.
    """
    from solver.solving.result import answers_as, write_answers

    if not files:
        sys.stdout.write(answers_as(form, results))
        sys.stdout.flush()
        return
    answers = files[0].path
    try:
        write_answers(results, files)
    except FileExistsError as error:
        if error.filename == str(answers):
            sys.stdout.write(answers_as(form, results))
            complain(
                f"{answers}: {error.strerror}; "
                "the new answer is on stdout, and --force replaces the old one"
            )
        else:
            complain(
                f"{error.filename}: {error.strerror}: how the answer was found is not written there"
            )
    except OSError as error:
        sys.stdout.write(answers_as(form, results))
        raise RowdrawError(
            f"{error.filename}: cannot be written ({error.strerror}); the answer is on stdout"
        ) from error


def write_report(output: Output, text: str, score: int = 0) -> None:
    """Write a report without styles, or print it. Raises `RowdrawError` if it cannot be written.

    Args:
        output: Where it goes.
        text: The report.
        score: The points of the best valid game in it.
    """
    if output.is_stdout:
        click.echo(text, nl=False)
        return
    try:
        output.write(click.unstyle(text), score)
    except OSError as error:
        raise RowdrawError(f"{output.path}: cannot be written ({error.strerror})") from error
