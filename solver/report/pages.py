"""Pages for a browser, each one file that needs nothing else."""

import json
import re
from collections.abc import Sequence
from importlib import resources
from typing import TYPE_CHECKING, Any

from solver.show.reports import with_game
from solver.show.steps import Game

if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup


# the modules of the view, each after those that it imports
_MODULES = ("dom.js", "chart.js", "games.js")


def game_page(games: Sequence[Game], analysis: dict[str, Any] | None = None) -> str:
    """The page of one game, or of several side by side.

    analysis: of the one game, see `solver.report.analysis`.
    """
    title = " against ".join(_title(game) for game in games)
    from markupsafe import Markup

    lines = Markup(with_game(games))
    return render("game.html", games=games, title=title, lines=lines, data=viewer_data(games, analysis))


def viewer_data(games: Sequence[Game], analysis: dict[str, Any] | None = None) -> "Markup":
    """What a page's script must know to show games side by side."""
    return script_json({"games": [game.as_dict() for game in games], "analysis": analysis})


def _title(game: Game) -> str:
    """What a game is, beginning with the worst that can be said of it."""
    told = f"{game.file}: {game.score} points on {game.puzzle}"
    return told if game.valid else f"invalid, {told} as read"


def render(template: str, **fields: Any) -> str:
    """The HTML of a template in the folder `templates`, with all `fields` escaped.

    Templates also know `style` and `view`, the style and the script of the games' view.
    """
    from markupsafe import Markup

    style = Markup(_view_text("theme.css") + _view_text("view.css"))
    return _environment().get_template(template).render(style=style, view=_view(), **fields)


def _view() -> "Markup":
    """The modules of `solver.show.view` as one script, and what starts it: a file that is opened from a disk cannot import."""
    texts = [*map(_view_text, _MODULES), resources.files("solver.report").joinpath("templates/games.js").read_text("utf-8")]
    code = re.sub(r"^import .*;$|^export (?=const|function|class)", "", "\n".join(texts), flags=re.MULTILINE)
    return script_text(f'"use strict";\n(() => {{\n{code}}})();')


def _view_text(name: str) -> str:
    return resources.files("solver.show").joinpath("view", name).read_text("utf-8")


def script_json(value: Any) -> "Markup":
    """JSON that may stand in a script element whatever its texts hold."""
    from markupsafe import Markup

    text = json.dumps(value)
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return Markup(text)


def script_text(code: str) -> "Markup":
    """Code that may stand in a script element. Raises `ValueError` where it would end the element."""
    from markupsafe import Markup

    if re.search(r"</script|<!--", code, re.IGNORECASE):
        raise ValueError("a script that would end its element")
    return Markup(code)


def _environment() -> "Environment":
    from jinja2 import Environment, PackageLoader, StrictUndefined

    return Environment(
        loader=PackageLoader("solver.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
