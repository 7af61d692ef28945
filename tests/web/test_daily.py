"""The daily row on the table in a real browser: a whole game, what is shown only after it, streaks, and the text to share."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from solver import load_puzzle, solve
from solver.web.site import site_files, write_site
from tests.browser import axe, browser, console_errors
from tests.web.hosting import hosting
from tests.web.pages import PHONE, click, has_score, keys, shot, text, wait
from tests.web.serving import Server

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

DAILY: dict[str, Any] = json.loads((Path(__file__).parents[2] / "data/daily.json").read_text(encoding="utf-8"))
FIRST = date.fromisoformat(DAILY["first"])
DAY_12 = FIRST + timedelta(days=11)
ROW = DAILY["rows"][11]
_CLOCK = """
const Real = Date;
const skip = %s - Real.now();
window.Date = class extends Real {
  constructor(...parts) { parts.length ? super(...parts) : super(Real.now() + skip); }
  static now() { return Real.now() + skip; }
};
"""
_DRAW = """
const slider = document.getElementById("left");
slider.value = arguments[0];
slider.dispatchEvent(new Event("input"));
"""
_RESULTS = "localStorage.setItem('rowdraw-daily', arguments[0])"
_KEPT = "return localStorage.getItem('rowdraw-daily')"


@contextmanager
def clock(page: "Chrome", start: str) -> Iterator[None]:
    """In the context pages take the time at which they open for `start`, an expression of JavaScript."""
    made = page.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": _CLOCK % start})
    try:
        yield
    finally:
        page.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", made)


def noon(day: date) -> str:
    return f"new Real({day.year}, {day.month - 1}, {day.day}, 12).getTime()"


def go(page: "Chrome", address: str) -> None:
    page.get("about:blank")
    page.get(address)
    wait(lambda: text(page, "figures") != "")


def view(page: "Chrome") -> str:
    click(page, "#tab-daily")
    wait(lambda: "Statistics" in text(page, "view-daily"))
    return text(page, "view-daily")


def begin(page: "Chrome") -> None:
    view(page)
    click(page, "#view-daily .main")
    wait(lambda: "Daily " in text(page, "title") and page.find_element("id", "view-play").is_displayed())


def play(page: "Chrome", lines: list[str], played: int = 0) -> None:
    """Play the lines of a game after the first `played`."""
    for turn, line in enumerate(lines[played:], start=played + 1):
        left, _tiles, word = line.split()
        page.execute_script(_DRAW, left)
        keys(page, *word, "\n")
        wait(lambda turn=turn: len(page.find_elements("css selector", "#side-turns tbody tr")) == turn)


def greedy_lines() -> list[str]:
    return [str(turn) for turn in solve(load_puzzle("challenge").with_row(ROW["row"]), strategy="greedy").solution.turns]


def figures(page: "Chrome") -> list[int]:
    """Finished days, days in a row, and the longest series."""
    return [int(figure.text) for figure in page.find_elements("css selector", "#daily-figures dd")]


def on(day: int) -> str:
    """The date of a day, counted from 0."""
    return (FIRST + timedelta(days=day)).isoformat()


def result(percent: int, late: bool = False) -> dict[str, Any]:
    return {"score": 3 * percent, "best": 300, "lines": ["1 a a", "2 b b"], "marks": "03", "late": late}


def shared(page: "Chrome") -> str:
    wait(lambda: page.find_elements("css selector", "[data-key=daily-share]:not(:disabled)"))
    click(page, "[data-key=daily-share]:not(:disabled)")
    wait(lambda: "rowdraw daily" in str(page.execute_script("return document.querySelector('#dialog textarea')?.value")))
    copied: str = page.execute_script("return document.querySelector('#dialog textarea').value")
    click(page, "#dialog .close")
    return copied


def test_a_whole_daily_row_counts_once_and_is_shared_without_its_words(page: "Chrome", server: Server) -> None:
    lines = greedy_lines()
    page.execute_cdp_cmd("Browser.grantPermissions", {"permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"]})
    with clock(page, noon(DAY_12)):
        go(page, server.address)
        assert "Daily 12, 4 December" in view(page)
        assert f"reaches {100 * ROW['greedy'] // ROW['best']} %" in text(page, "view-daily")
        assert "The best game" not in text(page, "view-daily")
        assert axe(page) == []
        shot(page, "daily-before")
        begin(page)
        play(page, lines[:1])
        for key in "23":
            keys(page, key)
            panel = "side-plays" if key == "2" else "side-review"
            assert "shown once your game is over" in text(page, panel)
        keys(page, "1")
        play(page, lines, 1)
        wait(lambda: "89 % of the best possible score, 332" in text(page, "end"))
        assert "89 % counts, 1 day in a row" in text(page, "daily-card")
        told = shared(page)
        assert told.splitlines()[0] == "rowdraw daily 12: 89 %"
        assert len(told.splitlines()[1]) == len(lines)
        assert set(told.splitlines()[1]) <= set("🟩🟨🟧🟥")
        assert set(told.splitlines()[1]) != {"🟩"}
        assert told.splitlines()[2] == f"{server.address}#daily=12"
        assert page.execute_async_script("navigator.clipboard.readText().then(arguments[0], arguments[0])") == told
        assert axe(page) == []
        shot(page, "daily-end")
        click(page, "[data-key=daily-best]")
        wait(lambda: "The best game of Daily 12, 4 December, 332 points" in text(page, "dialog"))
        click(page, "#dialog .close")
        keys(page, "2")
        wait(lambda: "The game is over" in text(page, "side-plays"))
        keys(page, "1")
        page.refresh()
        wait(lambda: "89 % counts" in text(page, "daily-card"))
        assert shared(page) == told
        click(page, "[data-key=again]")
        play(page, ROW["turns"])
        wait(lambda: "Perfect, and proven" in text(page, "end"))
        assert "89 % counts, 1 day in a row" in text(page, "daily-card")
        click(page, "[data-key=statistics]")
        wait(lambda: "89 %" in text(page, "view-daily"))
        assert figures(page) == [1, 1, 1]
        assert [cell.text for cell in page.find_elements("css selector", "#histogram td")] == list("0010000")
        assert shared(page) == told
        assert axe(page) == []
        shot(page, "daily-after")
        click(page, "#tab-games")
        wait(lambda: text(page, "view-games").count("Daily 12, 4 December") == 2)


def test_the_game_of_the_day_goes_on_after_a_reload_and_after_midnight(page: "Chrome", server: Server) -> None:
    lines = greedy_lines()
    with clock(page, noon(DAY_12)):
        go(page, server.address)
        begin(page)
        play(page, lines[:2])
        assert not page.find_elements("id", "daily-card")
    with clock(page, noon(DAY_12 + timedelta(days=1))):
        go(page, server.address)
        assert "Daily 12, 4 December" in text(page, "title")
        play(page, lines, 2)
        wait(lambda: "89 % counts, 1 day in a row" in text(page, "daily-card"))
        assert "Daily 13, 5 December" in view(page)
        assert figures(page) == [1, 1, 1]


def test_an_earlier_row_opens_by_its_link_and_does_not_count(page: "Chrome", server: Server) -> None:
    with clock(page, noon(DAY_12 + timedelta(days=3))):
        go(page, f"{server.address}#daily=12")
        assert "Daily 12, 4 December" in text(page, "title")
        play(page, greedy_lines())
        wait(lambda: "begun after its day, so it does not count" in text(page, "daily-card"))
        view(page)
        assert figures(page) == [0, 0, 0]


@pytest.mark.parametrize("link", ["#daily", "#daily=13", "#daily=0"])
def test_links_without_a_day_that_has_come_open_the_row_of_today(page: "Chrome", server: Server, link: str) -> None:
    with clock(page, noon(DAY_12)):
        go(page, server.address + link)
        assert "Daily 12, 4 December" in text(page, "title")


def test_a_finished_game_of_someone_else_neither_counts_nor_shows_the_best_game(page: "Chrome", server: Server) -> None:
    fragment = "/".join([f"#row={ROW['row']}", *(".".join(line.split()) for line in greedy_lines())]).replace("?", "_")
    with clock(page, noon(DAY_12)):
        go(page, server.address + fragment)
        wait(lambda: page.find_element("id", "end").is_displayed())
        assert "Not your own game" in text(page, "visit")
        assert not page.find_elements("id", "daily-card")
        keys(page, "2")
        assert "shown once your game is over" in text(page, "side-plays")
        view(page)
        assert figures(page) == [0, 0, 0]


@pytest.mark.parametrize(
    ("days", "expected"),
    [
        ({8: 70, 9: 80, 10: 90}, [3, 3, 3]),  # today's is still to be played
        ({9: 80, 10: 90, 11: 100}, [3, 3, 3]),
        ({2: 70, 3: 70, 4: 70, 11: 50}, [4, 1, 3]),
        ({8: 70, 9: 80}, [2, 0, 2]),  # yesterday's is missing
        ({11: 90, 12: 90, 40: 90}, [1, 1, 1]),  # a clock that was wrong
        ({}, [0, 0, 0]),
    ],
)
def test_days_in_a_row(page: "Chrome", server: Server, days: dict[int, int], expected: list[int]) -> None:
    kept = {on(day): result(percent) for day, percent in days.items()} | {on(7): result(90, late=True)}
    page.execute_script(_RESULTS, json.dumps(kept))
    with clock(page, noon(DAY_12)):
        go(page, server.address)
        view(page)
        assert figures(page) == expected


@pytest.mark.parametrize(
    "damaged",
    [
        "{",
        "null",
        "[5]",
        '"text"',
        json.dumps({"begun": {}, on(11): None, on(10): [], on(9): "text", "x": result(50), "2026-99-99": result(50)}),
        json.dumps(
            {on(11): {**result(50), "score": 301}, on(10): {**result(50), "score": "5"}, on(9): {"score": 1, "best": 0}}
        ),
        json.dumps(
            {on(11): {**result(50), "lines": [1]}, on(10): {**result(50), "marks": "9"}, on(9): {**result(50), "late": 1}}
        ),
    ],
)
def test_damaged_statistics_are_left_out(page: "Chrome", server: Server, damaged: str) -> None:
    page.execute_script(_RESULTS, damaged)
    with clock(page, noon(DAY_12)):
        go(page, server.address)
        view(page)
        assert figures(page) == [0, 0, 0]
        begin(page)
        assert json.loads(page.execute_script(_KEPT))["begun"] == on(11)


def test_a_new_result_stands_next_to_what_was_kept(page: "Chrome", server: Server) -> None:
    page.execute_script(_RESULTS, json.dumps({on(10): {"score": 9, "best": 10, "lines": ["a"]}, "of another version": 5}))
    with clock(page, noon(DAY_12)):
        go(page, f"{server.address}#daily")
        play(page, greedy_lines())
        wait(lambda: "89 % counts, 2 days in a row" in text(page, "daily-card"))
    kept = json.loads(page.execute_script(_KEPT))
    assert kept.keys() == {on(10), on(11), "of another version", "begun"}
    assert kept[on(11)]["score"] == ROW["greedy"]


def test_before_the_first_day_the_view_says_when_it_comes(page: "Chrome", server: Server) -> None:
    with clock(page, noon(FIRST - timedelta(days=1))):
        go(page, f"{server.address}#daily")
        assert "The first daily row comes on 23 November." in view(page)
        assert not page.find_elements("css selector", "#view-daily .main")


def test_after_the_last_row_they_begin_again_and_an_old_game_is_kept(page: "Chrome", server: Server) -> None:
    lines = greedy_lines()
    with clock(page, noon(DAY_12)):
        go(page, f"{server.address}#daily")
        play(page, lines)
        wait(lambda: page.find_elements("id", "daily-card"))
    with clock(page, noon(DAY_12 + timedelta(days=len(DAILY["rows"])))):
        go(page, server.address)
        begin(page)
        assert f"Daily {12 + len(DAILY['rows'])}, " in text(page, "title")
        wait(lambda: has_score(page, 0))
        play(page, lines)
        wait(lambda: page.find_elements("id", "daily-card"))
        view(page)
        assert figures(page) == [2, 1, 1]


@pytest.mark.parametrize(
    ("zone", "title"), [("Pacific/Kiritimati", "Daily 13, 5 December"), ("Pacific/Pago_Pago", "Daily 12, 4 December")]
)
def test_the_day_is_that_of_the_players_own_calendar(page: "Chrome", server: Server, zone: str, title: str) -> None:
    page.execute_cdp_cmd("Emulation.setTimezoneOverride", {"timezoneId": zone})
    try:
        with clock(page, f"Real.UTC({DAY_12.year}, {DAY_12.month - 1}, {DAY_12.day}, 11, 30)"):
            go(page, server.address)
            assert title in view(page)
    finally:
        page.execute_cdp_cmd("Emulation.setTimezoneOverride", {"timezoneId": ""})


def test_the_daily_row_on_a_phone(server: Server) -> None:
    with browser(*PHONE) as phone, clock(phone, noon(DAY_12)):
        go(phone, server.address)
        view(phone)
        assert phone.execute_script("return document.documentElement.scrollWidth") <= PHONE[0]
        shot(phone, "daily-phone-before")
        begin(phone)
        shot(phone, "daily-phone-play")
        play(phone, greedy_lines())
        wait(lambda: "89 % counts" in text(phone, "daily-card"))
        shared(phone)
        assert axe(phone) == []
        assert phone.execute_script("return document.documentElement.scrollWidth") <= PHONE[0]
        shot(phone, "daily-phone-end")
        view(phone)
        assert axe(phone) == []
        shot(phone, "daily-phone-after")
        assert console_errors(phone) == []


def test_the_site_without_a_server_has_the_same_row(table: "Chrome", tmp_path: Path) -> None:
    write_site(tmp_path, site_files())
    with hosting(tmp_path) as address, clock(table, noon(DAY_12)):
        go(table, f"{address}#daily")
        assert "Daily 12, 4 December" in text(table, "title")
        assert "Daily 12, 4 December" in view(table)
