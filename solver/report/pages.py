"""Pages for a browser, each one file that needs nothing else."""

import json
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from solver.show.game import Game

if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup


def game_page(games: Sequence[Game], curve: Any = None) -> str:
    """The page of one game, or of several side by side.

    curve: of the analysis of the one game, see `solver.report.analysis`.
    """
    title = " against ".join(_title(game) for game in games)
    data = [game.as_dict() for game in games]
    return render("game.html", games=games, title=title, data=script_json(data), curve=curve)


def _title(game: Game) -> str:
    """What a game is, beginning with the worst that can be said of it."""
    told = f"{game.file}: {game.score} points on {game.puzzle}"
    return told if game.valid else f"invalid, {told} as read"


def render(template: str, **fields: Any) -> str:
    """The HTML of a template in the folder `templates`, with all `fields` escaped."""
    return _environment().get_template(template).render(**fields)


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
