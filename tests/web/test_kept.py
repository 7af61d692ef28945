"""What the browser keeps: damaged values are left out."""

import json
from typing import TYPE_CHECKING, Any

import pytest

from tests.web.pages import OWN_GAME, ROW, await_text, click, is_shown, keys, opened, texts

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

pytestmark = pytest.mark.usefixtures("no_searches")

_SCHEMA = """
const [kind, values, done] = arguments;
import("/static/schema.js").then((schema) => done(values.map((value) => schema[kind](value))));
"""
_DAMAGED: list[Any] = [
    None,
    [],
    {},
    *(
        {**OWN_GAME, **field}
        for field in (
            {"asked": None},
            {"asked": {}},
            {"asked": {"row": 5}},
            {"asked": {"row": "teas", "seed": 1}},
            {"asked": {"toString": "x"}},
            {"lines": [1]},
            {"lines": ["4 teas"]},
            {"lines": None},
            {"undone": "4 teas teas"},
            {"when": "yesterday"},
            {"score": "10"},
            {"seen": -1},
        )
    ),
]


def test_only_whole_findings_and_tables_are_taken(page: "Chrome") -> None:
    for kind, whole, damaged in (
        ("isFound", [{"lines": [], "bound": None}], [None, {"lines": [], "bound": "9"}, {}]),
        (
            "isTable",
            [{"game": "", "seen": -1}, {"game": "", "seen": 0, "laid": [[7, 7, "A"]]}],
            [5, {"game": ""}, {"game": "", "seen": 0, "laid": None}],
        ),
    ):
        found = page.execute_async_script(_SCHEMA, kind, [*whole, *damaged])
        assert found == [True] * len(whole) + [False] * len(damaged), kind


def test_damaged_games_are_left_out_and_the_others_listed_and_kept_on(page: "Chrome") -> None:
    games = json.dumps({"version": 2, "games": [*_DAMAGED, OWN_GAME]})
    for kept, listed in (("{", []), ("null", []), (games, ["a row"])):
        page.execute_script("localStorage['rowdraw-played'] = arguments[0]", kept)
        page.execute_script("localStorage['rowdraw-found'] = arguments[0]", kept)
        opened(page)
        click(page, "#tab-games")
        await_text(page, "view-games", "My games")
        assert texts(page, "#view-games .entry strong") == listed
        click(page, "#tab-play")
        keys(page, *"zest", "\n")
        await_text(page, "side-turns", "zest")
        page.refresh()
        await_text(page, "side-turns", "zest")


_BLOCKED = "Storage.prototype.setItem = () => { throw new Error('blocked'); };"


def test_a_browser_that_keeps_nothing_knows_the_players_game_after_a_reload(page: "Chrome") -> None:
    page.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": _BLOCKED})
    opened(page, ROW)
    keys(page, *"zest", "\n")
    await_text(page, "message", "This browser keeps no games")
    page.refresh()
    await_text(page, "side-turns", "zest")
    assert not is_shown(page, "visit")
