"""The forms in which commands print games."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from solver.errors import TargetError
from solver.files import Kind
from verify.bound import is_certificate

if TYPE_CHECKING:
    from solver.index.problem import Problem
    from solver.show.steps import Game
    from verify import Rules, Verdict

TEXT, JSON = "text", "json"
FORMS = (TEXT, JSON, "csv", "markdown", "reddit", "svg", "html")
_SUFFIXES = {
    "": TEXT,
    ".txt": TEXT,
    ".text": TEXT,
    ".json": JSON,
    ".csv": "csv",
    ".md": "markdown",
    ".svg": "svg",
    ".html": "html",
    ".htm": "html",
}


_HEAD = 1_000  # bytes that show what a file holds
_KINDS = {"svg": "a picture that rowdraw wrote", "html": "a page that rowdraw wrote"}
CERTIFICATE = Kind("a certificate of a bound", is_certificate)
PAGE = Kind(
    "a page that `rowdraw report` wrote", lambda content: b'<meta name="generator" content="rowdraw report">' in content[:_HEAD]
)

force_option = click.option(
    "--force", is_flag=True, help="Let -o replace a better answer, or a file that holds something else."
)


def form_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """`--format`."""
    help_ = "What to print. Default: what the name of the output says, else text."
    with_option: Callable[..., Any] = click.option("--format", "form", type=click.Choice(FORMS), help=help_)(command)
    return with_option


def chosen_form(form: str | None, output: Path | None) -> str:
    """Return the form that was asked for, or the one that the name of `output` stands for, or text.

    Raises:
        click.UsageError: For a name that stands for no form.
    """
    if form is not None or output is None:
        return form or TEXT
    if (found := _SUFFIXES.get(output.suffix.lower())) is None:
        raise click.UsageError(f"-o {output}: expected a name that ends in {', '.join(filter(None, _SUFFIXES))}, or --format")
    return found


def replaced_by(form: str) -> Kind:
    """Return what a game or an analysis in a form may replace: what rowdraw writes in this form, and nothing else."""
    from solver.show.reports import is_report

    return Kind(_KINDS.get(form, "a report that rowdraw wrote"), lambda content: is_report(content, form))


def replaced_by_answer(form: str) -> Kind:
    """Return what an answer in a form may replace: answers, and reports in the same form."""
    from solver.show.reports import is_report
    from solver.solving.keeping import is_answer

    if form in _KINDS:
        return replaced_by(form)
    return Kind("an answer", lambda content: is_answer(content) or (form != TEXT and is_report(content, form)))


def check_report(path: Path | None, form: str, verdicts: Sequence["Verdict"], rules: "Rules", *, force: bool) -> None:
    """Find out whether games in a form may be written to a file.

    Args:
        path: The file; None or `-` for standard output.
        form: The form.
        verdicts: The verdicts on the games.
        rules: The rules of their puzzle.
        force: Whether any file that is no input may be replaced.

    Raises:
        TargetError: If the file is an input, or if without `force` it holds something else than a report in this form, or a
            better answer. The table for a terminal is no answer.
    """
    from solver.files import check_output
    from solver.solving.keeping import check_better

    check_output(path, replaced_by(form), force=force)
    if path is None or force or form == TEXT:
        return
    try:
        check_better(path, max((verdict.score for verdict in verdicts if verdict.valid), default=-1), rules)
    except FileExistsError as error:
        raise TargetError(f"{path}: {error.strerror}: expected another name, or --force") from error


def certificate_of(problem: "Problem") -> Kind:
    """Return what a certificate of a puzzle may replace: certificates of the same puzzle."""
    named = f'"puzzle_hash": "{problem.puzzle.digest(problem.lexicon.digest)}"'.encode()
    return Kind("a certificate of this puzzle", lambda content: is_certificate(content) and named in content)


def check_form(form: str, *, several: bool) -> None:
    """Called before a search, so that no answer is lost to a form that it cannot have.

    several: whether there may be more than one game.

    Raises `click.UsageError` for several games in a picture, and `MissingExtraError` where pages cannot be made.
    """
    if form == "svg" and several:
        raise click.UsageError("a picture shows one game")
    if form == "html":
        from solver.extras import require

        require("report", "jinja2")


def games_as(form: str, games: Sequence["Game"]) -> str:
    """The games in a form other than text. Raises what `check_form` raises."""
    check_form(form, several=len(games) > 1)
    if form == "svg":
        from solver.show.picture import game_svg

        return game_svg(games[0])
    if form == "html":
        from solver.report.pages import game_page

        return game_page(games)
    from solver.show.formats import FORMS as FORMATTED

    return FORMATTED[form](games)
