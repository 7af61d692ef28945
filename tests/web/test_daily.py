"""The daily row in a real browser: the first finished game of a day counts once, and what is shared gives nothing away."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.browser import axe
from tests.web.pages import PHONE, click, keys, opened, shot, text, wait
from tests.web.serving import Server

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

ROWS = json.loads((Path(__file__).parents[2] / "data/daily.json").read_text(encoding="utf-8"))["rows"]
# day 4 of the list: on it the page lays blanks as the best game does
TODAY, ROW = "2026-11-26", ROWS[3]
CLOCK = """
const Real = Date;
const shift = Real.parse("%sT12:00:00") - Real.now();
Date = class extends Real {
  constructor(...given) { given.length ? super(...given) : super(Real.now() + shift); }
  static now() { return Real.now() + shift; }
};
"""


def at_date(page: "Chrome", date: str) -> str:
    """Let every page that is loaded from now on find this date; return what takes it back."""
    added = page.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": CLOCK % date})
    return str(added["identifier"])


@pytest.fixture
def today(page: "Chrome", server: Server) -> Any:
    name = at_date(page, TODAY)
    opened(page, server, "")
    yield page
    page.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", {"identifier": name})


def play_lines(page: "Chrome", lines: list[str]) -> None:
    """Play turns by slider and keys."""
    for line in lines:
        left, _play, word = line.split()
        page.execute_script(
            "const draw = document.getElementById('left');"
            "draw.value = arguments[0];"
            "draw.dispatchEvent(new Event('input', {bubbles: true}));",
            left,
        )
        keys(page, *word, "\n")
        wait(lambda word=word: word in text(page, "side-turns") + text(page, "end"))


def daily(page: "Chrome") -> str:
    click(page, "#tab-daily")
    wait(lambda: "Daily" in text(page, "view-daily"))
    return text(page, "view-daily")


def results(page: "Chrome") -> dict[str, Any]:
    kept: dict[str, Any] = json.loads(page.execute_script("return localStorage.getItem('rowdraw-daily') ?? '{}'"))
    return kept


def finish(page: "Chrome") -> None:
    daily(page)
    click(page, "#daily-play")
    wait(lambda: f"{len(ROW['row'])} tiles" in text(page, "title"))
    play_lines(page, ROW["turns"])
    wait(lambda: TODAY in results(page))


def test_the_best_game_of_a_day_is_perfect_and_is_shared_without_a_word_of_it(today: "Chrome") -> None:
    page = today
    assert "Daily 4" in daily(page)
    assert "Thursday, November 26, 2026" in text(page, "view-daily")
    assert not page.find_elements("id", "daily-best")
    finish(page)
    wait(lambda: "Perfect, and proven" in text(page, "end"))
    shown = daily(page)
    assert f"100 % of the best score: {ROW['best']} of {ROW['best']}" in shown
    assert "1 day played, 1 day in a row, 100 % on average" in shown
    assert "🟩" * len(ROW["turns"]) in shown
    page.execute_script("navigator.clipboard.writeText = async (text) => { window.copied = text; }")
    click(page, "#daily-share")
    wait(lambda: "Copied." in text(page, "view-daily"))
    copied = page.execute_script("return window.copied")
    assert copied.startswith(f"rowdraw daily 4: 100 %\n{'🟩' * len(ROW['turns'])}\nhttp://")
    assert not any(turn.split()[2] in copied for turn in ROW["turns"])
    assert axe(page) == []
    shot(page, "daily")


def test_the_first_finished_game_of_a_day_counts_and_a_reload_keeps_it(today: "Chrome", server: Server) -> None:
    page = today
    finish(page)
    first = results(page)
    click(page, "#over")
    play_lines(page, ["0 " + ROW["turns"][0].split(" ", 1)[1]] if ROW["turns"][0].startswith("0") else [ROW["turns"][0]])
    assert results(page) == first
    opened(page, server, "")
    assert "100 % of the best score" in daily(page)
    click(page, "#daily-open")
    wait(lambda: "Perfect, and proven" in text(page, "end"))


def test_a_game_that_was_only_looked_at_does_not_count(today: "Chrome", server: Server) -> None:
    page = today
    fragment = "/".join(turn.replace("?", "_").replace(" ", ".") for turn in ROW["turns"])
    opened(page, server, f"#row={ROW['row'].replace('?', '%3F')}/{fragment}")
    wait(lambda: "Perfect" in text(page, "end") or "%" in text(page, "end") or text(page, "end") != "")
    assert "Not your own game" in text(page, "visit")
    assert results(page) == {}
    daily(page)
    assert page.find_elements("id", "daily-play")


@pytest.mark.parametrize(
    ("days", "told"),
    [
        (["2026-11-24", "2026-11-25"], "2 days played, 2 days in a row, 50 % on average"),
        (["2026-11-23", "2026-11-25"], "2 days played, 1 day in a row"),
        (["2026-11-23"], "1 day played, 0 days in a row"),
    ],
)
def test_a_streak_is_of_days_in_a_row_up_to_yesterday_or_today(today: "Chrome", days: list[str], told: str) -> None:
    kept = {day: {"score": 100, "best": 200, "lines": []} for day in days}
    today.execute_script("localStorage.setItem('rowdraw-daily', arguments[0])", json.dumps(kept))
    assert told in daily(today)


@pytest.mark.parametrize("damaged", ["{", "[3]", '{"2026-11-25": {"score": 9, "best": 3, "lines": []}}', '{"x": 3}', "null"])
def test_damaged_statistics_count_as_not_played(today: "Chrome", damaged: str) -> None:
    today.execute_script("localStorage.setItem('rowdraw-daily', arguments[0])", damaged)
    daily(today)
    assert today.find_elements("id", "daily-play")
    assert "played" not in text(today, "view-daily").replace("Play today's row", "")


def test_the_view_fits_a_phone(today: "Chrome") -> None:
    today.set_window_size(*PHONE)
    kept = {"2026-11-24": {"score": 150, "best": 200, "lines": []}}
    today.execute_script("localStorage.setItem('rowdraw-daily', arguments[0])", json.dumps(kept))
    daily(today)
    assert today.execute_script("return document.documentElement.scrollWidth <= innerWidth")
    assert axe(today) == []
    shot(today, "daily-phone")
    today.set_window_size(1366, 768)
