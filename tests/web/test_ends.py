"""Drawing from the two ends of the row in a real browser, by taps; the dialogs; and screens of all sizes."""

import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.browser import axe, console_errors, profile_of
from tests.needs import OpenWindow
from tests.web.pages import LAPTOP, PHONE, click, keys, opened, shot, text, texts, wait
from tests.web.serving import Server

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

SMALL_PHONE, SIDEWAYS, SMALL_LAPTOP, DESK = (360, 640), (844, 390), (1280, 720), (1400, 900)
TINY, SAFARI = (320, 568), (390, 664)


def tap(page: "Chrome", at: int) -> int:
    """Tap a tile of the row by its place; return the number of tiles that are then drawn from the left."""
    page.find_element("css selector", f"#strip [data-at='{at}']").click()
    return int(text(page, "left-text").split()[0])


def test_every_draw_of_a_short_row_can_be_tapped(page: "Chrome", server: Server) -> None:
    opened(page, server, "#row=tea%3Fsetsoatzest")
    # five tiles stay in the row, the drawn ones are on the rack
    assert [tap(page, at) for at in (5, 6, 9)] == [6, 7, 10]
    assert [tap(page, at) for at in (14, 12, 10)] == [9, 7, 5]
    assert [tap(page, at) for at in (9, 7, 5)] == [4, 2, 0]
    assert texts(page, "#strip .letter") == list("TEA?S")


def test_every_draw_of_a_long_row_can_be_tapped_and_no_tile_further_in(page: "Chrome", server: Server) -> None:
    opened(page, server, "#challenge")
    assert [tap(page, at) for at in (5, 7, 9)] == [6, 8, 10]
    assert [tap(page, at) for at in (99, 95, 90)] == [9, 5, 0]
    page.execute_script("document.querySelector('#strip [data-at=\"10\"]').click()")
    assert text(page, "left-text") == "0 left"
    assert "too far in" in text(page, "message")


def test_the_whole_row_is_shown_at_a_press(page: "Chrome", server: Server) -> None:
    opened(page, server, "#challenge")
    assert len(page.find_elements("css selector", "#strip [data-at]")) == 60
    click(page, "#more")
    assert len(page.find_elements("css selector", "#strip [data-at]")) == 90
    click(page, "#more")
    assert len(page.find_elements("css selector", "#strip [data-at]")) == 60


def test_new_game_is_entered_by_keys_and_says_what_is_wrong(page: "Chrome", server: Server) -> None:
    opened(page, server)
    for field, value, message in (
        ("seed", "", "expected a whole number from 0 to 1,000,000,000"),
        ("seed", "1.5", "expected a whole number"),
        ("own-row", " ", "The row has 0 tiles: expected 1 to 400"),
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
    page.find_element("id", "own-row").send_keys("tat oe\n")
    wait(lambda: "5 tiles" in text(page, "title"))
    # Back closes a dialog, and the game underneath stays
    click(page, "#new")
    page.back()
    wait(lambda: not page.find_element("id", "dialog").is_displayed())
    assert "5 tiles" in text(page, "title")
    time.sleep(0.3)  # what Back has undone comes back
    assert page.current_url.endswith("#row=tatoe")


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
    wait(lambda: len(page.find_elements("css selector", "#verdicts .entry")) == 3)
    assert texts(page, "#verdicts .entry b") == ["195", "141", "121"]
    assert page.find_element("css selector", "#verdicts strong").text == "ann • 2y ago"


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
    moved = "document.querySelector('#strip [data-at]').click(); return document.getAnimations({ subtree: true }).length"
    assert (page.execute_script(moved) > 0) == (motion == "no-preference")
    page.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})


_SEEN = """
return arguments[0].filter((name) => {
  const box = document.getElementById(name).getBoundingClientRect();
  return box.left >= 0 && box.right <= innerWidth && box.top >= 0 && box.bottom <= innerHeight;
});
"""


def test_after_a_best_play_a_phone_shows_the_rack_and_the_word(browser: OpenWindow, server: Server) -> None:
    with browser(*PHONE) as driver:
        opened(driver, server, "#challenge")
        click(driver, "#tab-plays")
        wait(lambda: len(driver.find_elements("css selector", "#lines td button")) > 0)
        driver.execute_script("document.querySelector('#lines td button').click()")
        assert driver.execute_script(_SEEN, ["rack", "word", "lay"]) == ["rack", "word", "lay"]


@pytest.mark.parametrize("size", [LAPTOP, SMALL_LAPTOP, DESK, PHONE, SMALL_PHONE, SIDEWAYS, TINY])
@pytest.mark.parametrize("dark", [False, True])
def test_it_fits_every_screen_by_day_and_by_night(
    browser: OpenWindow, server: Server, size: tuple[int, int], dark: bool
) -> None:
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
        parts = ["lay", "undo", "clear", "hint", "rack", "word", "end-left", "end-right", "left"]
        assert driver.execute_script(_SEEN, parts) == parts
        heights = "return [...document.querySelectorAll('#strip .tile')].map((tile) => tile.getBoundingClientRect().height)"
        assert min(driver.execute_script(heights)) >= 36
        shot(driver, f"play-{size[0]}x{size[1]}{'-dark' if dark else ''}")
        assert console_errors(driver) == []


_HIT = """
return [...document.querySelectorAll('#letters div button')].filter((button) => {
  const box = button.getBoundingClientRect();
  return document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2) === button;
}).length;
"""


@pytest.mark.parametrize("size", [TINY, SMALL_PHONE, SAFARI, PHONE, SIDEWAYS, LAPTOP])
def test_every_letter_of_a_blank_can_be_hit_in_every_window(browser: OpenWindow, server: Server, size: tuple[int, int]) -> None:
    with browser(*size) as driver:
        opened(driver, server, "#row=bat%3Fs")
        driver.execute_script("document.querySelector('#rack .blank').click()")
        time.sleep(0.4)  # the sheet has risen
        assert driver.execute_script(_HIT) == 26
        assert axe(driver) == []
        click(driver, "#letters p button")
        assert not driver.find_element("id", "letters").is_displayed()


@pytest.mark.parametrize("size", [TINY, PHONE, SIDEWAYS, LAPTOP])
def test_rack_and_word_keep_their_places_from_the_first_turn_to_the_last(
    browser: OpenWindow, server: Server, size: tuple[int, int]
) -> None:
    places = "return ['rack', 'word', 'lay'].map((name) => document.getElementById(name).getBoundingClientRect().top)"
    with browser(*size) as driver:
        opened(driver, server, "#challenge")
        before = driver.execute_script(places)
        for word in ("mojos", "bedrug", "eve"):
            keys(driver, *word)
            assert driver.execute_script(places) == before
            keys(driver, "\n")
            wait(lambda word=word: word in text(driver, "side-turns") or text(driver, "message") != "")
            assert driver.execute_script(places) == before


def test_a_large_font_enlarges_the_tiles_and_covers_nothing(browser: OpenWindow, server: Server) -> None:
    with browser(*LAPTOP) as driver:
        opened(driver, server, "#challenge")
        size = "return document.querySelector('#rack .tile').offsetWidth"
        small = driver.execute_script(size)
        driver.execute_script("document.documentElement.style.fontSize = '20px'")
        assert driver.execute_script(size) > small


def test_a_message_of_two_lines_stands_above_the_bar_of_a_tiny_window(browser: OpenWindow, server: Server) -> None:
    with browser(*TINY) as page:
        opened(page, server, "#challenge/6.s_l_mnized.solemnized")
        assert "Not your own game" in text(page, "visit")
        keys(page, *"aaaa")
        page.find_element("id", "message").click()
        long = "aaaa is not in the word list, so its tiles stay on your rack."
        page.execute_script(f"document.getElementById('message').textContent = '{long}'")
        box = "return document.getElementById(arguments[0]).getBoundingClientRect().toJSON()"
        message, bar = (page.execute_script(box, name) for name in ("message", "actions"))
        assert message["top"] + page.execute_script("return document.getElementById('message').scrollHeight") <= bar["top"]
        assert (
            page.execute_script("const view = document.getElementById('view-play'); return view.scrollWidth - view.clientWidth")
            == 0
        )
