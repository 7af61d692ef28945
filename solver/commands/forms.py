"""The forms in which commands print games."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from solver.errors import TargetError
from solver.files import FileKind
from verify.bound import is_certificate

if TYPE_CHECKING:
    from solver.index.problem import Problem
    from solver.show.steps import Game
    from verify import Rules, Verdict

TEXT, JSON = "text", "json"
FORMS = (TEXT, JSON, "csv", "markdown", "reddit", "svg", "html")
_SUFFIXES = {"": TEXT, ".txt": TEXT, ".text": TEXT, ".json": JSON, ".csv": "csv", ".md": "markdown", ".svg": "svg"}
_SUFFIXES |= {".html": "html", ".htm": "html"}

_HEAD = 1_000  # bytes in which a page names what wrote it
_KINDS = {"svg": "a picture that rowdraw wrote", "html": "a page that rowdraw wrote"}
CERTIFICATE = FileKind("a certificate of a bound", is_certificate)
PAGE = FileKind(
    "a page that `rowdraw report` wrote", lambda content: b'<meta name="generator" content="rowdraw report">' in content[:_HEAD]
)

force_option = click.option(
    "--force", is_flag=True, help="Let -o replace a better answer, or a file that holds something else."
)
form_option = click.option(
    "--format", "form", type=click.Choice(FORMS), help="What to print. Default: what the name of the output says, else text."
)


def chosen_form(form: str | None, output: Path | None) -> str:
    """Return `form`, or the form that the name of `output` implies, or text. Raises `click.UsageError` for other names."""
    if form is not None or output is None:
        return form or TEXT
    if (implied := _SUFFIXES.get(output.suffix.lower())) is None:
        raise click.UsageError(f"-o {output}: expected a name that ends in {', '.join(filter(None, _SUFFIXES))}, or --format")
    return implied


def replaced_by(form: str) -> FileKind:
    """Return the kind that a game or an analysis in a form may replace: what rowdraw writes in this form, and nothing else."""
    from solver.show.reports import is_report

    return FileKind(_KINDS.get(form, "a report that rowdraw wrote"), lambda content: is_report(content, form))


def replaced_by_answer(form: str) -> FileKind:
    """Return the kind that an answer in a form may replace: answers, and reports in the same form."""
    from solver.show.reports import is_report
    from solver.solving.replaceable import is_answer

    if form in _KINDS:
        return replaced_by(form)
    return FileKind("an answer", lambda content: is_answer(content) or (form != TEXT and is_report(content, form)))


def check_report(path: Path | None, form: str, verdicts: Sequence["Verdict"], rules: "Rules", *, force: bool) -> None:
    """Check that games in a form may be written to a file, which `check_output` checks first.

    Args:
        path: The file; None or `-` for standard output.
        form: The form. Text, the table for a terminal, is no answer.
        verdicts: The verdicts on the games.
        rules: The rules of their puzzle.
        force: Whether any file that is no input may be replaced.

    Raises:
        TargetError: The file may not be replaced, or it holds a better answer.
    """
    from solver.files import check_output
    from solver.solving.replaceable import check_better

    check_output(path, replaced_by(form), force=force)
    if path is None or force or form == TEXT:
        return
    try:
        check_better(path, max((verdict.score for verdict in verdicts if verdict.valid), default=-1), rules)
    except FileExistsError as error:
        raise TargetError(f"{path}: {error.strerror}: expected another name, or --force") from error


def certificate_of(problem: "Problem") -> FileKind:
    """Return the kind that a certificate of a puzzle may replace: certificates of the same puzzle."""
    named = f'"puzzle_hash": "{problem.puzzle.digest(problem.lexicon.digest)}"'.encode()
    return FileKind("a certificate of this puzzle", lambda content: is_certificate(content) and named in content)


def check_form(form: str, *, several: bool) -> None:
    """Check, before a search, that its answers can have a form.

    Args:
        form: The form.
        several: Whether there may be more than one game.

    Raises:
        click.UsageError: A picture cannot show several games.
        MissingExtraError: The library for pages is not installed.
    """
    if form == "svg" and several:
        raise click.UsageError("a picture shows one game")
    if form == "html":
        from solver.extras import require

        require("report", "jinja2")


def games_as(form: str, games: Sequence["Game"]) -> str:
    """Return games in a form other than text. Raises the errors of `check_form`."""
    check_form(form, several=len(games) > 1)
    if form == "svg":
        from solver.show.picture import game_svg

        return game_svg(games[0])
    if form == "html":
        from solver.report.pages import game_page

        return game_page(games)
    from solver.show.formats import FORMS as FORMATTED

    return FORMATTED[form](games)
