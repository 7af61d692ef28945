"""The row-draw game in a browser: draws, words and dialogs by taps and keys, in all windows."""

import time
from typing import TYPE_CHECKING

import pytest

from tests.browser import console_errors, resize
from tests.needs import OpenWindow
from tests.web.pages import (
    LAPTOP,
    PHONE,
    await_count,
    await_score,
    await_some,
    await_text,
    click,
    count,
    fill,
    go,
    is_shown,
    keys,
    look,
    opened,
    shot,
    text,
    texts,
    value,
    wait,
    width,
    word,
)
from tests.web.serving import Server

if TYPE_CHECKING:
    from selenium.webdriver import Chrome


def test_a_whole_game_by_keys(page: "Chrome") -> None:
    opened(page)
    # draw 5 of tea?s|etsoatzest: the slider begins in the middle
    assert text(page, "left-text") == "5 left"
    keys(page, "\ue014")
    assert text(page, "left-text") == "6 left"
    keys(page, "\ue012", *"zests")
    assert "Play for" in text(page, "lay")
    keys(page, "\ue003")
    points = int(text(page, "lay").split()[-1])
    keys(page, "\n")
    await_text(page, "message", f"zest: {points} points")
    await_score(page, points)
    keys(page, *"qqq", "\n")
    assert word(page) == "qqq"  # what the rack lacks stays in sight, and the play waits
    assert page.find_elements("css selector", "#word .missing")
    assert "The rack has no Q left" in text(page, "message")
    keys(page, "\ue00c")
    click(page, "#undo")
    await_score(page, 0)
    keys(page, *"zest", "\n")  # after another button was clicked
    await_score(page, points)
    keys(page, "\ue009z")
    await_score(page, 0)
    keys(page, "\ue009y")
    await_score(page, points)
    keys(page, "2")
    assert is_shown(page, "side-plays")
    keys(page, "?")
    assert "Rules" in text(page, "dialog")
    keys(page, "\ue00c")


def test_a_blank_may_come_second_and_a_tile_after_it_lays_itself(page: "Chrome") -> None:
    opened(page, "#row=bat%3Fs")
    keys(page, "b", ".", "\ue000")
    click(page, "//div[@id='rack']//button[.//span[text()='T']]")
    assert count(page, "#word .tile.blank") == 1
    click(page, "#letters div button", 4)
    assert word(page) == "bet"
    assert "Play for 6" in text(page, "lay")


def test_a_blank_stands_where_it_costs_less_and_changes_places_by_a_press(page: "Chrome") -> None:
    opened(page, "#row=te%3F")
    keys(page, *"tee")
    assert texts(page, "#word .points") == ["1×1", "0", "3×1"]
    click(page, "#word .swap", 1)
    assert texts(page, "#word .points") == ["1×1", "2×1", "0"]
    opened(page, "#row=et%3F")
    # the E first, then a blank as its second letter
    click(page, "//div[@id='rack']//button[.//span[text()='E']]")
    keys(page, "t", ".", "e")
    assert word(page) == "ete"
    assert texts(page, "#word .points") == ["0", "2×1", "3×1"]
    keys(page, "\ue00c", ".", "\n")
    assert "Choose the letter" in text(page, "message")


_SLOW = """
const real = Worker.prototype.postMessage;
Worker.prototype.postMessage = function (message) {
  setTimeout(() => real.call(this, message), message.question === "positionOf" ? 800 : 0);
};
"""


def test_a_turn_taken_back_while_the_referee_thinks_stays_taken_back(page: "Chrome") -> None:
    opened(page, "#challenge/6.s_l_mnized.solemnized")
    page.execute_script(_SLOW)
    click(page, "#strip [data-at='14']")
    keys(page, *"outmove", "\n")
    click(page, "#undo")
    time.sleep(1.5)
    await_score(page, 0)
    assert page.current_url.endswith("#challenge")


def test_a_link_in_other_spellings_opens_the_game_as_the_referee_reads_it(page: "Chrome") -> None:
    opened(page, "#challenge/6.S_L_MNIZED.SOLEMNIZED/9..outmove.outmove")
    await_score(page, 195)
    assert page.current_url.endswith("#challenge/6.s_l_mnized.solemnized/9.outmove.outmove")
    opened(page, "#challenge/6.s_l_mnized.solemnized/9.qqq.qqq")
    await_text(page, "message", "Turn 2, “9 qqq qqq”")
    await_score(page, 141)


TINY = (320, 568)
SMALL_PHONE = (360, 640)
SAFARI = (390, 664)
SIDEWAYS = (844, 390)
SMALL_LAPTOP = (1280, 720)
DESK = (1400, 900)


def tap(page: "Chrome", at: int) -> int:
    """Tap a tile of the row by its place; return the number of tiles drawn from the left."""
    click(page, f"#strip [data-at='{at}']")
    return int(text(page, "left-text").split()[0])


def test_every_draw_can_be_tapped_and_the_whole_row_shown(page: "Chrome") -> None:
    opened(page, "#row=tea%3Fsetsoatzest")
    # five tiles stay in the row, the drawn ones are on the rack
    assert [tap(page, at) for at in (5, 6, 9)] == [6, 7, 10]
    assert [tap(page, at) for at in (14, 12, 10)] == [9, 7, 5]
    assert [tap(page, at) for at in (9, 7, 5)] == [4, 2, 0]
    opened(page, "#challenge")
    assert [tap(page, at) for at in (5, 7, 9)] == [6, 8, 10]
    assert [tap(page, at) for at in (99, 95, 90)] == [9, 5, 0]
    page.execute_script("document.querySelector('#strip [data-at=\"10\"]').click()")
    assert text(page, "left-text") == "0 left"
    assert "too far in" in text(page, "message")
    for number in (60, 90, 60):
        assert count(page, "#strip [data-at]") == number
        click(page, "#more")


def test_new_game_is_entered_by_keys_and_says_what_is_wrong(page: "Chrome") -> None:
    opened(page)
    for field, entry, message in (
        ("seed", "", "expected a whole number from 0 to 1,000,000,000"),
        ("seed", "1.5", "expected a whole number"),
        ("own-row", " ", "The row has 0 tiles: expected 1 to 400"),
        ("own-row", "a" * 401, "The row has 401 tiles: expected 1 to 400"),
        ("own-row", "tea1", "“1” in the row: expected letters a to z, and ? for blanks"),
    ):
        click(page, "#new")
        fill(page, field, entry + "\n")
        assert message in text(page, "dialog")
        click(page, "#dialog .close")
    click(page, "#new")
    await_some(page, "#bundled option")
    click(page, "#dialog form.fields button")
    await_text(page, "title", "100 tiles")
    click(page, "#new")
    fill(page, "own-row", "tat oe\n")
    await_text(page, "title", "5 tiles")
    # Back closes a dialog, and the game underneath stays
    click(page, "#new")
    page.back()
    wait(lambda: not is_shown(page, "dialog"))
    assert "5 tiles" in text(page, "title")
    time.sleep(0.3)  # what Back has undone comes back
    assert page.current_url.endswith("#row=tatoe")


_PASTE = """
const field = document.getElementById("answers");
field.value = arguments[0];
field.dispatchEvent(new Event("input"));
"""


def test_the_text_to_judge_outlives_a_reload_and_a_copied_page_is_taken_apart(
    page: "Chrome",
) -> None:
    opened(page, "#challenge")
    click(page, "#tab-judge")
    pasted = (
        "ann • 2y ago\n6 s?l?mnized solemnized\n9 outmove outmove\n\n"
        "Upvote\n12\n\nDownvote\n\nReply\nShare\n\n"
        "ben • 2y ago\n6 s?l?mnize solemnize\n\nUpvote\n---\n6 s?l?mnized solemnized\n"
    )
    page.execute_script(_PASTE, pasted)
    page.refresh()
    wait(lambda: text(page, "figures") != "")
    assert is_shown(page, "view-judge")
    assert value(page, "#answers") == pasted
    click(page, "#view-judge .main")
    await_count(page, "#verdicts .entry", 3)
    assert texts(page, "#verdicts .entry b") == ["195", "141", "121"]
    assert texts(page, "#verdicts strong")[0] == "ann • 2y ago"
    assert "Against yours" not in text(page, "verdicts")  # there is no game of the player


def test_paper_shows_the_game_without_its_buttons(page: "Chrome") -> None:
    opened(page, "#challenge/6.s_l_mnize.solemnize")
    await_text(page, "side-turns", "solemnize")
    page.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    assert not is_shown(page, "new")
    assert not is_shown(page, "undo")
    assert page.find_element("css selector", "#side-turns table").is_displayed()


_FLYING = """
document.querySelector(arguments[0]).click();
return document.getAnimations({ subtree: true }).length;
"""


@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_tiles_fly_only_where_motion_is_wanted(page: "Chrome", motion: str) -> None:
    features = [{"name": "prefers-reduced-motion", "value": motion}]
    page.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
    opened(page, "#challenge/6.s_l_mnized.solemnized/9.outmove.outmove")
    is_wanted = motion == "no-preference"
    assert (page.execute_script(_FLYING, "#strip [data-at]") > 0) == is_wanted
    click(page, "//button[.='Step through the game']")
    await_text(page, "dialog", "turn 1 of 2")
    assert (page.execute_script(_FLYING, "#shown-next") > 0) == is_wanted


_HEIGHTS = """
const tiles = [...document.querySelectorAll("#strip .tile")];
return tiles.map((tile) => tile.getBoundingClientRect().height);
"""
_SEEN = """
return arguments[0].filter((name) => {
  const box = document.getElementById(name).getBoundingClientRect();
  return box.left >= 0 && box.right <= innerWidth && box.top >= 0 && box.bottom <= innerHeight;
});
"""


def test_after_a_best_play_a_phone_shows_the_rack_and_the_word(
    browser: OpenWindow, server: Server
) -> None:
    with browser(*PHONE) as driver:
        go(driver, server.address + "#challenge")
        click(driver, "#tab-plays")
        await_some(driver, "#lines td button")
        driver.execute_script("document.querySelector('#lines td button').click()")
        assert driver.execute_script(_SEEN, ["rack", "word", "lay"]) == ["rack", "word", "lay"]


def test_it_fits_every_screen_by_day_and_by_night(browser: OpenWindow, server: Server) -> None:
    parts = ["lay", "undo", "clear", "hint", "rack", "word", "end-left", "end-right", "left"]
    tall = "return document.documentElement.scrollHeight"
    with browser(*LAPTOP) as driver:
        go(driver, server.address + "#challenge/6.s_l_mnized.solemnized")
        keys(driver, *"out")
        sizes = (LAPTOP, SMALL_LAPTOP, DESK, PHONE, SMALL_PHONE, SIDEWAYS, TINY)
        for number, size in enumerate(sizes):
            resize(driver, *size, dark=number % 2 == 1)
            look(driver)
            assert width(driver) <= size[0], size
            assert driver.execute_script(tall) <= size[1], size
            assert driver.execute_script(_SEEN, parts) == parts
            assert min(driver.execute_script(_HEIGHTS)) >= 36
            shot(driver, f"play-{size[0]}x{size[1]}")
        resize(driver, *LAPTOP, dark=True)
        look(driver)
        assert console_errors(driver) == []


_HIT = """
return [...document.querySelectorAll('#letters div button')].filter((button) => {
  const box = button.getBoundingClientRect();
  return document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2) === button;
}).length;
"""


def test_every_letter_of_a_blank_can_be_hit_in_every_window(
    browser: OpenWindow, server: Server
) -> None:
    with browser(*LAPTOP) as driver:
        go(driver, server.address + "#row=bat%3Fs")
        for size in (TINY, SMALL_PHONE, SAFARI, PHONE, SIDEWAYS, LAPTOP):
            resize(driver, *size)
            driver.execute_script("document.querySelector('#rack .blank').click()")
            wait(lambda: driver.execute_script(_HIT) == 26)  # the sheet rises
            if size in (TINY, LAPTOP):
                look(driver)
            click(driver, "#letters p button")
            assert not is_shown(driver, "letters")


# the sum of the layout shifts since the page was opened
SHIFTS = """
const [done] = arguments;
const sum = (list) => list.getEntries().reduce((sum, shift) => sum + shift.value, 0);
const observer = new PerformanceObserver((list) => done(sum(list)));
observer.observe({ type: "layout-shift", buffered: true });
setTimeout(() => done(0), 300);
"""


_PLACES = """
const parts = ["rack", "word", "lay"].map((name) => document.getElementById(name));
return parts.map((part) => part.getBoundingClientRect().top);
"""


def test_rack_and_word_keep_their_places_from_the_opening_of_the_page_on(
    browser: OpenWindow, server: Server
) -> None:
    with browser(*LAPTOP) as driver:
        words = ((TINY, "mojos"), (PHONE, "bedrug"), (SIDEWAYS, "eve"), (LAPTOP, "mojos"))
        for size, word in words:
            resize(driver, *size)
            go(driver, server.address + "#challenge")
            assert driver.execute_async_script(SHIFTS) < 0.03, size
            before = driver.execute_script(_PLACES)
            for typed in (word, "\n", "qx", "\n"):
                keys(driver, *typed)
                assert driver.execute_script(_PLACES) == before
            driver.execute_script("localStorage.clear()")
