"""The forms in which commands print games."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from solver.show.game import Game

TEXT, JSON = "text", "json"
FORMS = (TEXT, JSON, "csv", "markdown", "reddit", "svg", "html")
_SUFFIXES = {".json": JSON, ".csv": "csv", ".md": "markdown", ".svg": "svg", ".html": "html", ".htm": "html"}


def form_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """`--format`."""
    help_ = "What to print. Default: what the name of the output says, else text."
    with_option: Callable[..., Any] = click.option("--format", "form", type=click.Choice(FORMS), help=help_)(command)
    return with_option


def chosen_form(form: str | None, output: Path | None) -> str:
    """The form that was asked for, or the one that the name of `output` stands for, or text."""
    return form or _SUFFIXES.get(output.suffix.lower() if output is not None else "", TEXT)


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
