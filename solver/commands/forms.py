"""The forms in which commands print games."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from solver.files import MOST_NESTING, Kind
from verify.bound import is_certificate
from verify.reading import json_value

if TYPE_CHECKING:
    from solver.show.steps import Game

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
CERTIFICATE = Kind("a certificate of a bound", is_certificate)
PAGE = Kind("a page", lambda content: content[:_HEAD].lstrip()[:9].lower() == b"<!doctype")


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
    """Return what a game, an analysis or a table in a form may replace.

    Pictures and pages replace only their own kind; other forms replace anything but an answer. As JSON a game that is shown
    may be read as an answer, so that form names its own kind as well.
    """
    from solver.solving.keeping import is_answer

    if form == "svg":
        return Kind("a picture", lambda content: b"<svg" in content[:_HEAD])
    if form == "html":
        return PAGE
    return Kind("a report", lambda content: not is_answer(content) or (form == JSON and _is_report(content)))


def _is_report(content: bytes) -> bool:
    """Whether JSON is a list of games that `show` wrote."""
    try:
        told = json_value(content, MOST_NESTING)
    except ValueError:
        return False
    games = told if isinstance(told, list) else []
    return bool(games) and all(isinstance(game, dict) and {"valid", "violations"} <= game.keys() for game in games)


def replaced_by_answer(form: str) -> Kind:
    """Return what an answer in a form may replace: answers, in pictures and pages their like."""
    from solver.solving.keeping import holds_answer, is_answer

    if form in ("svg", "html"):
        return replaced_by(form)
    return Kind("an answer", is_answer if form in (TEXT, JSON) else holds_answer)


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
