"""Drawing from the two ends of the row in a real browser, by taps and by dragging; the dialogs; and screens of all sizes."""

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.browser import axe, browser, console_errors, profile_of
from tests.web.pages import LAPTOP, PHONE, click, keys, opened, shot, text, texts, wait
from tests.web.serving import Server

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

SMALL_PHONE, SIDEWAYS, SMALL_LAPTOP, DESK = (360, 640), (844, 390), (1280, 720), (1400, 900)


def tap(page: "Chrome", number: int) -> int:
    """Tap a tile of the ends; return the tiles that are then drawn from the left."""
    page.find_elements("css selector", "#ends button")[number].click()
    return int(text(page, "left-text").split()[0])


def test_every_draw_of_a_short_row_can_be_tapped(page: "Chrome", server: Server) -> None:
    opened(page, server, "#row=tea%3Fsetsoatzest")
    assert [tap(page, number) for number in (3, 2, 1, 0, 0)] == [4, 3, 2, 1, 0]
    assert [tap(page, number) for number in (4, 6, 13, 14, 14)] == [5, 7, 8, 9, 10]


def test_every_draw_of_a_long_row_can_be_tapped(page: "Chrome", server: Server) -> None:
    opened(page, server, "#challenge")
    assert len(page.find_elements("css selector", "#ends button")) == 20
    assert [tap(page, number) for number in range(5, 10)] == [6, 7, 8, 9, 10]
    assert tap(page, 9) == 9
    assert [tap(page, number) for number in range(18, 9, -1)] == list(range(8, -1, -1))


def test_dragging_over_an_end_and_to_the_rack_draws(page: "Chrome", server: Server) -> None:
    from selenium.webdriver import ActionChains

    opened(page, server, "#challenge")
    tiles = page.find_elements("css selector", "#end-left button")
    ActionChains(page).click_and_hold(tiles[1]).move_to_element(tiles[4]).move_to_element(tiles[7]).release().perform()
    assert "8 from the left" in text(page, "left-text")
    rack = page.find_element("id", "rack")
    ActionChains(page).click_and_hold(tiles[2]).move_to_element(rack).release().perform()
    assert "3 from the left" in text(page, "left-text")


def test_new_game_is_entered_by_keys_and_says_what_is_wrong(page: "Chrome", server: Server) -> None:
    opened(page, server)
    for field, value, message in (
        ("seed", "", "expected a whole number from 0 to 1,000,000,000"),
        ("seed", "1.5", "expected a whole number"),
        ("own-row", "", "The row has 0 tiles: expected 1 to 400"),
        ("own-row", "a" * 401, "The row has 401 tiles: expected 1 to 400"),
        ("own-row", "tea1", "“1” in the row: expected letters a to z, and ? for blanks"),
    ):
        click(page, "#new")
        entry = page.find_element("id", field)
        entry.clear()
        entry.send_keys(value + "\n")
        assert message in text(page, "dialog")
        click(page, "#dialog .close")
    click(page, "#new")
    page.find_element("id", "own-row").send_keys("tatoe\n")
    wait(lambda: "5 tiles" in text(page, "title"))


def test_the_text_to_judge_outlives_a_reload_and_a_copied_page_is_taken_apart(page: "Chrome", server: Server) -> None:
    opened(page, server, "#challenge")
    click(page, "#tab-judge")
    pasted = (
        "ann • 2y ago\n6 s?l?mnized solemnized\n9 outmove outmove\n\nUpvote\n12\n\nDownvote\n\nReply\nShare\n\n"
        "ben • 2y ago\n6 s?l?mnize solemnize\n\nUpvote\n---\n6 s?l?mnized solemnized\n"
    )
    area = page.find_element("id", "answers")
    page.execute_script("arguments[0].value = arguments[1]; arguments[0].dispatchEvent(new Event('input'))", area, pasted)
    page.refresh()
    wait(lambda: text(page, "figures") != "")
    assert page.find_element("id", "view-judge").is_displayed()
    assert page.execute_script("return document.getElementById('answers').value") == pasted
    click(page, "#view-judge .main")
    wait(lambda: len(page.find_elements("css selector", "#verdicts tbody tr")) == 3)
    assert texts(page, "#verdicts td:nth-child(2)") == ["195", "141", "121"]
    assert page.find_element("css selector", "#verdicts td:nth-child(4)").text == "ann"


def test_a_game_is_saved_as_a_picture(page: "Chrome", server: Server, tmp_path: Path) -> None:
    allowed = {"behavior": "allow", "downloadPath": str(tmp_path), **profile_of(page)}
    page.execute_cdp_cmd("Browser.setDownloadBehavior", allowed)
    opened(page, server, "#challenge/6.s_l_mnize.solemnize")
    click(page, "#share")
    click(page, "//button[.='Picture (PNG)']", "xpath")
    wait(lambda: "The picture was saved" in text(page, "dialog"))
    wait(lambda: (tmp_path / "rowdraw-121.png").exists())
    assert (tmp_path / "rowdraw-121.png").read_bytes().startswith(b"\x89PNG")


def test_paper_shows_the_game_without_its_buttons(page: "Chrome", server: Server) -> None:
    opened(page, server, "#challenge/6.s_l_mnize.solemnize")
    wait(lambda: "solemnize" in text(page, "side-turns"))
    page.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    assert not page.find_element("id", "new").is_displayed()
    assert not page.find_element("id", "undo").is_displayed()
    assert page.find_element("css selector", "#side-turns table").is_displayed()
    page.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})


@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_drawn_tiles_fly_to_the_rack_only_where_motion_is_wanted(page: "Chrome", server: Server, motion: str) -> None:
    features = [{"name": "prefers-reduced-motion", "value": motion}]
    page.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
    opened(page, server, "#challenge")
    moved = "document.querySelectorAll('#ends button')[6].click(); return document.getAnimations({ subtree: true }).length"
    assert (page.execute_script(moved) > 0) == (motion == "no-preference")
    page.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})


_SEEN = """
return arguments[0].filter((name) => {
  const box = document.getElementById(name).getBoundingClientRect();
  return box.left >= 0 && box.right <= innerWidth && box.top >= 0 && box.bottom <= innerHeight;
});
"""


def test_after_a_best_play_a_phone_shows_the_rack_and_the_word(server: Server) -> None:
    with browser(*PHONE) as driver:
        opened(driver, server, "#challenge")
        click(driver, "#tab-plays")
        wait(lambda: len(driver.find_elements("css selector", "#lines td button")) > 0)
        driver.execute_script("document.querySelector('#lines td button').click()")
        assert driver.execute_script(_SEEN, ["rack", "word", "lay"]) == ["rack", "word", "lay"]


@pytest.mark.parametrize("size", [LAPTOP, SMALL_LAPTOP, DESK, PHONE, SMALL_PHONE, SIDEWAYS])
@pytest.mark.parametrize("dark", [False, True])
def test_it_fits_every_screen_by_day_and_by_night(server: Server, size: tuple[int, int], dark: bool) -> None:
    with browser(*size) as driver:
        features = [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]
        driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
        opened(driver, server, "#challenge/6.s_l_mnized.solemnized")
        keys(driver, *"out")
        assert axe(driver) == []
        wide, tall = driver.execute_script(
            "return [document.documentElement.scrollWidth, document.documentElement.scrollHeight]"
        )
        assert wide <= size[0]
        assert tall <= size[1]
        parts = ["lay", "undo", "over", "hint", "rack", "end-right"]
        assert driver.execute_script(_SEEN, parts) == parts
        heights = "return [...document.querySelectorAll('#ends button')].map((tile) => tile.getBoundingClientRect().height)"
        assert min(driver.execute_script(heights)) >= 36
        shot(driver, f"play-{size[0]}x{size[1]}{'-dark' if dark else ''}")
        assert console_errors(driver) == []
