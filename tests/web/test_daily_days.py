"""Days in a row, statistics, and which row a day has, in a real browser."""

import json
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.web.daily_view import (
    DAILY,
    DAY_12,
    FIRST,
    KEEP_RESULTS,
    KEPT_RESULTS,
    ROW,
    begin,
    clock,
    figures,
    greedy_lines,
    noon,
    on,
    play,
    result,
    view,
)
from tests.web.pages import click, go, has_score, text, wait
from tests.web.serving import Server

if TYPE_CHECKING:
    from selenium.webdriver import Chrome


def test_days_in_a_row(page: "Chrome", server: Server) -> None:
    cases = [
        ({8: 70, 9: 80, 10: 90}, [3, 3, 3]),  # today's is still to be played
        ({2: 70, 3: 70, 4: 70, 11: 50}, [4, 1, 3]),
        ({9: 80, 10: 90, 11: 100}, [3, 3, 3]),
        ({8: 70, 9: 80}, [2, 0, 2]),  # yesterday's is missing
        ({11: 90, 12: 90, 40: 90}, [1, 1, 1]),  # a clock that was wrong
        ({}, [0, 0, 0]),
    ]
    with clock(page, noon(DAY_12)):
        go(page, server.address)
        for days, expected in cases:  # each changes the figures that the page shows
            kept = {on(day): result(percent) for day, percent in days.items()} | {on(7): result(90, late=True)}
            page.execute_script(KEEP_RESULTS, json.dumps(kept))
            click(page, "#tab-play")
            view(page)
            wait(lambda expected=expected: figures(page) == expected, 10)


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
    page.execute_script(KEEP_RESULTS, damaged)
    with clock(page, noon(DAY_12)):
        go(page, server.address)
        view(page)
        assert figures(page) == [0, 0, 0]
        begin(page)
        assert json.loads(page.execute_script(KEPT_RESULTS))["begun"] == on(11)


def test_a_new_result_stands_next_to_what_was_kept(page: "Chrome", server: Server) -> None:
    page.execute_script(KEEP_RESULTS, json.dumps({on(10): {"score": 9, "best": 10, "lines": ["a"]}, "of another version": 5}))
    with clock(page, noon(DAY_12)):
        go(page, f"{server.address}#daily")
        play(page, greedy_lines())
        wait(lambda: "2 days in a row" in text(page, "end"))
    kept = json.loads(page.execute_script(KEPT_RESULTS))
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
        wait(lambda: "in a row" in text(page, "end"))
    with clock(page, noon(DAY_12 + timedelta(days=len(DAILY["rows"])))):
        go(page, server.address)
        begin(page)
        assert f"Daily {12 + len(DAILY['rows'])}, " in text(page, "title")
        wait(lambda: has_score(page, 0))
        play(page, lines)
        wait(lambda: "in a row" in text(page, "end"))
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


def test_results_go_to_another_browser_by_a_file(page: "Chrome", server: Server, tmp_path: Path) -> None:
    file = tmp_path / "rowdraw-results.json"
    with clock(page, noon(DAY_12)):
        go(page, server.address)
        page.execute_script(KEEP_RESULTS, json.dumps({on(11): result(50)}))
        file.write_text(json.dumps({"daily": {on(10): result(90), on(11): result(99), "x": {}}, "games": [{"id": 1}]}))
        view(page)
        page.find_element("id", "import").send_keys(str(file))
        wait(lambda: figures(page) == [2, 2, 2])
        kept = json.loads(page.execute_script(KEPT_RESULTS))
        # what this browser has stays as it is
        assert (kept[on(11)], kept[on(10)]) == (result(50), result(90))
        file.write_text("[]")
        page.find_element("id", "import").send_keys(str(file))
        wait(lambda: "no results of rowdraw" in text(page, "view-daily"))
