"""The daily row from its start to its shared result, with all states of the page, and on a phone, in a real browser."""

from typing import TYPE_CHECKING

from tests.browser import axe, console_errors, profile_of
from tests.needs import OpenWindow
from tests.web.daily_view import DAY_12, ROW, begin, clock, figures, greedy_lines, noon, play, shared, view
from tests.web.pages import PHONE, click, go, keys, shot, text, texts, wait
from tests.web.serving import Server

if TYPE_CHECKING:
    from selenium.webdriver import Chrome


def test_a_whole_daily_row_counts_once_and_is_shared_without_its_words(page: "Chrome", server: Server) -> None:
    lines = greedy_lines()
    granted = ["clipboardReadWrite", "clipboardSanitizedWrite"]
    page.execute_cdp_cmd("Browser.grantPermissions", {"permissions": granted, **profile_of(page)})
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
        wait(lambda: "89 % of the best score possible" in text(page, "end"))
        assert "1 day in a row. The next row comes in 1" in text(page, "end")
        wait(lambda: page.find_elements("css selector", "#end .square-none") == [], 120)
        told = shared(page)
        assert told.splitlines()[0] == "rowdraw daily 12: 89 %"
        assert len(told.splitlines()[1]) == len(lines)
        assert set(told.splitlines()[1]) <= set("🟩🟨🟧🟥")
        assert set(told.splitlines()[1]) != {"🟩"}
        assert told.splitlines()[2] == f"{server.address}#daily=12"
        assert page.execute_async_script("navigator.clipboard.readText().then(arguments[0], arguments[0])") == told
        assert axe(page) == []
        shot(page, "daily-end")
        click(page, "[data-key=best]")
        wait(lambda: "The best game known" in text(page, "dialog"))
        click(page, "#dialog .close")
        keys(page, "2")
        wait(lambda: "The game is over" in text(page, "side-plays"))
        keys(page, "1")
        page.refresh()
        wait(lambda: "89 % of the best" in text(page, "end"))
        assert shared(page) == told
        click(page, "[data-key=again]")
        play(page, ROW["turns"])
        wait(lambda: page.find_elements("css selector", "#end .party .tile") != [])
        assert "89 %" in view(page)
        assert figures(page) == [1, 1, 1]
        assert texts(page, "#histogram td") == list("0010000")
        assert shared(page) == told
        assert axe(page) == []
        shot(page, "daily-after")
        click(page, "#tab-games")
        wait(lambda: text(page, "view-games").count("Daily 12, 4 December") == 2)


def test_the_result_says_how_many_hints_there_were_and_no_strategy_plays_the_row_before(page: "Chrome", server: Server) -> None:
    with clock(page, noon(DAY_12)):
        go(page, server.address)
        begin(page)
        click(page, "#hint")
        wait(lambda: "Draw " in text(page, "message"))
        page.refresh()
        wait(lambda: "Daily 12" in text(page, "title"))
        click(page, "#hint")
        wait(lambda: "Draw " in text(page, "message"))
        click(page, "#tab-solve")
        page.find_elements("css selector", "#view-solve .main")[0].click()
        wait(lambda: "once your game is over" in text(page, "view-solve"))
        click(page, "#tab-play")
        play(page, greedy_lines())
        wait(lambda: "with 2 hints: 89 % of" in text(page, "end"))
        assert shared(page).splitlines()[0] == "rowdraw daily 12: 89 %, with 2 hints"
        assert "with 2 hints" in view(page)


def menu(phone: "Chrome", tab: str) -> None:
    click(phone, "#menu")
    click(phone, f"#{tab}")


def test_the_daily_row_on_a_phone(browser: OpenWindow, server: Server) -> None:
    with browser(*PHONE) as phone, clock(phone, noon(DAY_12)):
        go(phone, server.address)
        menu(phone, "tab-daily")
        assert phone.execute_script("return document.documentElement.scrollWidth") <= PHONE[0]
        shot(phone, "daily-phone-before")
        click(phone, "#view-daily .main")
        shot(phone, "daily-phone-play")
        play(phone, greedy_lines())
        wait(lambda: "89 % of the best" in text(phone, "end"))
        shared(phone)
        assert axe(phone) == []
        assert phone.execute_script("return document.documentElement.scrollWidth") <= PHONE[0]
        shot(phone, "daily-phone-end")
        menu(phone, "tab-daily")
        assert axe(phone) == []
        shot(phone, "daily-phone-after")
        assert console_errors(phone) == []
