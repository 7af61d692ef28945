"""The first visit in a real browser: today's row, and a worked first turn in three taps that can be skipped."""

from typing import TYPE_CHECKING

import pytest

from tests.browser import axe, console_errors
from tests.needs import OpenWindow
from tests.web.daily_view import DAY_12, ROW, clock, noon
from tests.web.pages import click, go, has_score, keys, shot, text, texts, wait
from tests.web.serving import Server

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

_HIT = """
const [selector] = arguments;
const box = document.querySelector(selector).getBoundingClientRect();
return document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2)?.closest(selector) !== null;
"""


def coach(page: "Chrome") -> str:
    """Return the visible note of the first visit."""
    return texts(page, "#coach")[0] if page.find_element("id", "coach").is_displayed() else ""


@pytest.mark.parametrize("size", [(320, 568), (844, 390), (1366, 768)])
def test_three_taps_lead_to_a_first_legal_play(browser: OpenWindow, server: Server, size: tuple[int, int]) -> None:
    with browser(*size) as page, clock(page, noon(DAY_12)):
        go(page, server.address)
        assert "Daily 12, 4 December" in text(page, "title")
        for step in ("1 of 3", "2 of 3", "3 of 3"):
            wait(lambda step=step: step in coach(page))
            assert page.execute_script(_HIT, "#coach .main")
            assert page.execute_script(_HIT, "#coach button:not(.main)")
            shot(page, f"first-visit-{size[0]}-{step[0]}")
            if size[0] == 320:
                assert axe(page) == []
            click(page, "#coach .main")
        wait(lambda: " points, " in text(page, "message"))
        assert coach(page) == ""
        assert "Play" in text(page, "lay")
        assert len(page.find_elements("css selector", "#side-turns tbody tr")) == 1
        # it is not the best turn, which would give the row away
        assert ROW["turns"][0].split()[2] not in text(page, "side-turns")
        page.refresh()
        wait(lambda: text(page, "figures") != "")
        assert coach(page) == ""
        assert console_errors(page) == []


def test_skip_ends_it_for_good(page: "Chrome", server: Server) -> None:
    go(page, server.address)
    wait(lambda: "1 of 3" in coach(page))
    click(page, "#coach button:not(.main)")
    assert coach(page) == ""
    assert has_score(page, 0)
    go(page, server.address)
    assert "Daily" in text(page, "title")
    assert coach(page) == ""


def test_a_link_to_a_game_shows_it_without_a_word(page: "Chrome", server: Server) -> None:
    go(page, f"{server.address}#challenge/6.s_l_mnized.solemnized")
    wait(lambda: has_score(page, 141))
    assert coach(page) == ""


def test_the_rules_have_a_picture_and_the_challenge_is_one_press_away(page: "Chrome", server: Server) -> None:
    go(page, server.address)
    keys(page, "?")
    assert page.find_element("css selector", "#dialog .example").is_displayed()
    assert "Backspace" in text(page, "dialog")
    assert axe(page) == []
    click(page, "#dialog .close")
    click(page, "#new")
    click(page, "#challenge")
    wait(lambda: "challenge: 100 tiles" in text(page, "title"))


def test_a_sealed_row_tells_nothing_of_its_turns_until_it_is_over(page: "Chrome", server: Server) -> None:
    with clock(page, noon(DAY_12)):
        go(page, f"{server.address}#daily")
        assert text(page, "figures") == "best possible 332"
        click(page, "#hint")
        click(page, "#hint")
        # the hint is the first turn of the game on file
        first = ROW["turns"][0].split()
        assert first[2].upper() in text(page, "message")
        assert text(page, "left-text") in (f"{first[0]} left", "")
        click(page, "#lay")
        wait(lambda: len(page.find_elements("css selector", "#side-turns tbody tr")) == 1)
        assert text(page, "figures") == "best possible 332"
        assert texts(page, "#side-turns td.grade") == [""]


def drawn(page: "Chrome") -> str:
    return text(page, "left-text").removesuffix(" left")


def draw_by_taps(page: "Chrome", left: int) -> None:
    """Tap the outermost tile of an end until `left` tiles are drawn from the left; the last draw leaves no choice."""
    while (now := drawn(page)).isdecimal() and int(now) != left:
        outer = "#end-left [data-at]:first-child" if int(now) < left else "#end-right [data-at]:last-child"
        click(page, outer)


def draw_by_keys(page: "Chrome", left: int) -> None:
    while (now := drawn(page)).isdecimal() and int(now) != left:
        keys(page, "\ue014" if int(now) < left else "\ue012")


def lay_by_taps(page: "Chrome", tiles: str, word: str) -> None:
    for tile, letter in zip(tiles, word, strict=True):
        click(page, f"#rack [data-letter='{tile}']:not(:disabled)")
        if tile == "?":
            click(page, f"//div[@id='letters']/div/button[.='{letter.upper()}']", "xpath")
    click(page, "#lay")


def lay_by_keys(page: "Chrome", tiles: str, word: str) -> None:
    for tile, letter in zip(tiles, word, strict=True):
        keys(page, *([".", letter] if tile == "?" else [letter]))
    keys(page, "\n")


@pytest.mark.parametrize("by", ["taps", "keys"])
def test_a_whole_daily_game_in_the_smallest_window(browser: OpenWindow, server: Server, by: str) -> None:
    draw, lay = (draw_by_taps, lay_by_taps) if by == "taps" else (draw_by_keys, lay_by_keys)
    with browser(320, 568) as page, clock(page, noon(DAY_12)):
        still = [{"name": "prefers-reduced-motion", "value": "reduce"}]
        page.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "", "features": still})
        go(page, f"{server.address}#daily")
        for number, line in enumerate(ROW["turns"], start=1):
            left, tiles, word = line.split()
            draw(page, int(left))
            lay(page, tiles, word)
            wait(lambda number=number: len(page.find_elements("css selector", "#side-turns tbody tr")) == number)
        wait(lambda: "the best score possible" in text(page, "end"))
        shot(page, f"perfect-by-{by}")
        assert axe(page) == []
        assert console_errors(page) == []
