"""The forms of games and answers. A new form takes one entry in `_TABLE` and nothing else."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from solver.errors import TargetError
from solver.show.games import (
    Game,
    game_svg,
    games_answers,
    games_csv,
    games_json,
    games_markdown,
)

Writer = Callable[[Sequence[Game]], str]

TEXT, JSON = "text", "json"


@dataclass(frozen=True)
class Form:
    """A form in which games are written.

    Attributes:
        name: The name that `--format` takes.
        write: Returns games in this form.
        suffixes: How names of its files end, in small letters; an empty one is for names without.
        comment: A comment, with `{}` for its text; empty if the form has no place for one.
        is_page: Whether it is for a browser, and can hold more than games, such as an analysis.
        holds_several: Whether it can hold several games.
    """

    name: str
    write: Writer
    suffixes: tuple[str, ...] = ()
    comment: str = ""
    is_page: bool = False
    holds_several: bool = True

    def signed(self, text: str, kind: str) -> str:
        """Return a text with its generator line, which says what kind of thing rowdraw made.

        It is the first line, and in JSON the first field.
        """
        line = self._generator(kind)
        if not line:
            return text
        if self.name != JSON:
            return f"{line}\n{text}"
        before, brace, fields = text.partition("{")
        return f"{before}{brace}\n  {line},{fields}"

    def is_signed(self, content: bytes, kind: str) -> bool:
        """Return whether a content begins with the generator line of a kind."""
        line = self._generator(kind).encode()
        if self.name == JSON:
            content = content.lstrip(b"[{ \n")
        return bool(line) and content.startswith(line)

    def _generator(self, kind: str) -> str:
        return self.comment.format(f"made by rowdraw: {kind}")


def _picture(games: Sequence[Game]) -> str:
    return game_svg(games[0])


def _page(games: Sequence[Game]) -> str:
    # imported when it is first used, as all that reads templates
    from solver.show.pages import game_page

    return game_page(games)


_TABLE = (
    # the challenge's own script reads turns only, so an answer has no generator line
    Form(TEXT, games_answers, ("", ".txt", ".text")),
    Form(JSON, games_json, (".json",), '"generator": "{}"'),
    Form("csv", games_csv, (".csv",), "# {}"),
    Form("markdown", games_markdown, (".md",), "[//]: # ({})\n"),
    Form("reddit", partial(games_markdown, for_reddit=True), (), "[//]: # ({})\n"),
    Form("svg", _picture, (".svg",), "<!-- {} -->", holds_several=False),
    Form("html", _page, (".html", ".htm"), "<!-- {} -->", is_page=True),
)
FORMS = {form.name: form for form in _TABLE}
"""The forms by name."""


def form_of(path: Path) -> str:
    """Return the name of the form that the name of a file implies. Raises `TargetError`."""
    suffix = path.suffix.lower()
    for form in FORMS.values():
        if suffix in form.suffixes:
            return form.name
    suffixes = [suffix for form in FORMS.values() for suffix in form.suffixes if suffix]
    raise TargetError(f"{path}: expected a name that ends in {', '.join(suffixes)}")
