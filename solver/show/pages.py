"""Pages for a browser, each one file that needs no other."""

import json
import re
from collections.abc import Mapping, Sequence
from importlib import resources
from typing import TYPE_CHECKING, Any

from solver.errors import require
from solver.show.games import Game, with_game

if TYPE_CHECKING:
    from markupsafe import Markup

# the modules of the view, each after those that it imports
_MODULES = ("dom.js", "steps.js", "chart.js", "games.js")
_SCRABBLE_MODULES = ("dom.js", "steps.js", "chart.js", "board.js", "scrabble.js")


def game_page(games: Sequence[Game], analysis: dict[str, Any] | None = None) -> str:
    """Return the page of games next to each other; for `analysis` see `solver.solving.analysis`."""
    return render(
        "game.html",
        games=games,
        title=" against ".join(map(_title, games)),
        lines=_markup(with_game(games)),
        data=viewer_data(games, analysis),
    )


def scrabble_page(game: Mapping[str, Any], text: str) -> str:
    """Return the page of a Scrabble game, see `solver.scrabble.steps`; it keeps the file `text`."""
    data = script_json({"scrabble": game})
    return render(
        "scrabble.html", _SCRABBLE_MODULES, title=game["title"], lines=text, data=data, game=game
    )


def viewer_data(games: Sequence[Game], analysis: dict[str, Any] | None = None) -> "Markup":
    """Return what a page's script needs to show games next to each other."""
    return script_json({"games": [game.as_dict() for game in games], "analysis": analysis})


def _title(game: Game) -> str:
    """Return what a game is, with the worst fact first."""
    text = f"{game.file}: {game.score} points on {game.puzzle}"
    if game.valid:
        return text
    return f"invalid, {text} as read"


def render(
    template: str, modules: Sequence[str] = _MODULES, package: str = "solver.show", **fields: Any
) -> str:
    """Return the HTML of a template in the folder `templates` of a package, with fields escaped.

    A template may extend those of this package. Templates also have `style` and `view`, the style
    and the script of the games' view, which consists of `modules`.
    """
    require("report", "jinja2")
    from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined

    jinja = Environment(
        loader=ChoiceLoader([PackageLoader(package), PackageLoader("solver.show")]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    style = _view_text("theme.css") + _view_text("view.css")
    if "board.js" in modules:
        style += _view_text("board.css")
    page = jinja.get_template(template)
    return page.render(style=_markup(style), view=_view(modules), **fields)


def _view(modules: Sequence[str]) -> "Markup":
    """Return the modules of `solver.show.view` and their start as one script.

    A file opened from a disk cannot import.
    """
    start = resources.files("solver.show").joinpath("templates/games.js").read_text("utf-8")
    text = "\n".join([*map(_view_text, modules), start])
    code = re.sub(r"^import .*;$|^export (?=const|function|class)", "", text, flags=re.MULTILINE)
    return script_text(f'"use strict";\n(() => {{\n{code}}})();')


def _view_text(name: str) -> str:
    return resources.files("solver.show").joinpath("view", name).read_text("utf-8")


def script_json(value: Any) -> "Markup":
    """Return JSON that is safe in a script element, whatever its texts hold."""
    text = json.dumps(value)
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return _markup(text)


def script_text(code: str) -> "Markup":
    """Return code that is safe in a script element. Raises `ValueError` if it would end it."""
    if re.search(r"</script|<!--", code, re.IGNORECASE):
        raise ValueError("a script that would end its element")
    return _markup(code)


def _markup(text: str) -> "Markup":
    """Return a text that is not escaped again."""
    from markupsafe import Markup

    return Markup(text)
