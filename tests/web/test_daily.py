"""The daily row on the table in a real browser: a whole game, what is shown only after it, and the text to share."""

from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.web.daily_view import DAY_12, ROW, begin, clock, figures, greedy_lines, noon, play, shared, view
from tests.web.hosting import hosting
from tests.web.pages import click, go, keys, text, texts, wait
from tests.web.serving import Server

if TYPE_CHECKING:
    from selenium.webdriver import Chrome


def test_a_whole_daily_row_counts_once_and_shows_its_best_game_only_then(page: "Chrome", server: Server) -> None:
    lines = greedy_lines()
    with clock(page, noon(DAY_12)):
        go(page, server.address)
        assert "Daily 12, 4 December" in view(page)
        assert f"reaches {100 * ROW['greedy'] // ROW['best']} %" in text(page, "view-daily")
        assert "The best game" not in text(page, "view-daily")
        begin(page)
        keys(page, "0")  # a hint
        wait(lambda: "Draw " in text(page, "message"))
        play(page, lines[:1])
        for key, panel in (("2", "side-plays"), ("3", "side-review")):
            keys(page, key)
            assert "shown once your game is over" in text(page, panel)
        keys(page, "1")
        play(page, lines, 1)
        wait(lambda: "89 %, with 1 hint counts, 1 day in a row" in text(page, "daily-card"))
        click(page, "[data-key=daily-best]")
        wait(lambda: "The best game of Daily 12, 4 December, 332 points" in text(page, "dialog"))
        click(page, "#dialog .close")
        click(page, "[data-key=again]")
        play(page, ROW["turns"])
        wait(lambda: "89 %, with 1 hint counts, 1 day in a row" in text(page, "daily-card"))
        told = shared(page).splitlines()
        assert told[0] == "rowdraw daily 12: 89 %, with 1 hint"
        assert len(told[1]) == len(lines)
        assert told[2] == f"{server.address}#daily=12"
        click(page, "[data-key=statistics]")
        wait(lambda: "89 %" in text(page, "view-daily"))
        assert figures(page) == [1, 1, 1]
        assert texts(page, "#histogram td") == list("0010000")


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


def test_the_site_without_a_server_has_the_same_row(table: "Chrome", site: Path) -> None:
    with hosting(site) as address, clock(table, noon(DAY_12)):
        go(table, f"{address}#daily")
        assert "Daily 12, 4 December" in text(table, "title")
        assert "Daily 12, 4 December" in view(table)
