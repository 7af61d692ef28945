"""The daily row on the table in a real browser: which day a game counts for, and the links to days."""

from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.web.daily_view import DAY_12, ROW, begin, clock, figures, greedy_lines, noon, play, view
from tests.web.hosting import hosting
from tests.web.pages import go, keys, text, wait
from tests.web.serving import Server

if TYPE_CHECKING:
    from selenium.webdriver import Chrome


def test_the_game_of_the_day_goes_on_after_a_reload_and_after_midnight(page: "Chrome", server: Server) -> None:
    lines = greedy_lines()
    with clock(page, noon(DAY_12)):
        go(page, server.address)
        begin(page)
        play(page, lines[:2])
        assert "in a row" not in text(page, "end")
    with clock(page, noon(DAY_12 + timedelta(days=1))):
        go(page, server.address)
        assert "Daily 12, 4 December" in text(page, "title")
        play(page, lines, 2)
        wait(lambda: "1 day in a row" in text(page, "end"))
        assert "89 % of the best score possible" in text(page, "end")
        assert "Daily 13, 5 December" in view(page)
        assert figures(page) == [1, 1, 1]


def test_an_earlier_row_opens_by_its_link_and_does_not_count(page: "Chrome", server: Server) -> None:
    with clock(page, noon(DAY_12 + timedelta(days=3))):
        go(page, f"{server.address}#daily=12")
        assert "Daily 12, 4 December" in text(page, "title")
        play(page, greedy_lines())
        wait(lambda: "You began it after its day, so it does not count" in text(page, "end"))
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
        assert "in a row" not in text(page, "end")
        keys(page, "2")
        assert "shown once your game is over" in text(page, "side-plays")
        view(page)
        assert figures(page) == [0, 0, 0]


def test_the_site_without_a_server_has_the_same_row(table: "Chrome", site: Path) -> None:
    with hosting(site) as address, clock(table, noon(DAY_12)):
        go(table, f"{address}#daily")
        assert "Daily 12, 4 December" in text(table, "title")
        assert "Daily 12, 4 December" in view(table)
