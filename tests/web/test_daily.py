"""The daily row on the table in a real browser: a whole game, what is shown only after it, and the text to share."""

from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from solver.web.site import site_files, write_site
from tests.browser import axe, browser, console_errors
from tests.web.daily_view import DAY_12, ROW, begin, clock, figures, go, greedy_lines, noon, play, shared, view
from tests.web.hosting import hosting
from tests.web.pages import PHONE, click, keys, shot, text, wait
from tests.web.serving import Server

if TYPE_CHECKING:
    from selenium.webdriver import Chrome


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


def test_the_result_says_how_many_hints_there_were_and_no_strategy_plays_the_row_before(page: "Chrome", server: Server) -> None:
    with clock(page, noon(DAY_12)):
        go(page, server.address)
        begin(page)
        keys(page, "0")
        wait(lambda: "Draw " in text(page, "message"))
        page.refresh()
        wait(lambda: "Daily 12" in text(page, "title"))
        keys(page, "0")
        wait(lambda: "Draw " in text(page, "message"))
        click(page, "#tab-solve")
        page.find_elements("css selector", "#view-solve .main")[0].click()
        wait(lambda: "once your game is over" in text(page, "view-solve"))
        click(page, "#tab-play")
        play(page, greedy_lines())
        wait(lambda: "89 %, with 2 hints counts" in text(page, "daily-card"))
        assert shared(page).splitlines()[0] == "rowdraw daily 12: 89 %, with 2 hints"
        assert "with 2 hints" in view(page)


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
