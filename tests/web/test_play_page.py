"""The row-draw game in a real browser: draws, words, blanks and dialogs by taps and keys, on
screens of all sizes."""

import time
from typing import TYPE_CHECKING

import pytest

from tests.browser import axe, console_errors, resize
from tests.needs import OpenWindow
from tests.web.pages import (
    LAPTOP,
    PHONE,
    click,
    has_score,
    keys,
    opened,
    shot,
    text,
    texts,
    wait,
    word,
)
from tests.web.serving import Server

if TYPE_CHECKING:
    from selenium.webdriver import Chrome


def test_a_whole_game_by_keys(page: "Chrome", server: Server) -> None:
    from selenium.webdriver.common.keys import Keys

    opened(page, server)
    # draw 5 of tea?s|etsoatzest: the slider begins in the middle
    assert text(page, "left-text") == "5 left"
    keys(page, Keys.ARROW_RIGHT)
    assert text(page, "left-text") == "6 left"
    keys(page, Keys.ARROW_LEFT, *"zests")
    assert "Play for" in text(page, "lay")
    keys(page, Keys.BACKSPACE)
    points = int(text(page, "lay").split()[-1])
    keys(page, Keys.ENTER)
    wait(lambda: f"zest: {points} points" in text(page, "message"))
    wait(lambda: has_score(page, points))
    keys(page, *"qqq", Keys.ENTER)
    assert word(page) == "qqq"  # what the rack lacks stays in sight, and the play waits
    assert page.find_elements("css selector", "#word .missing")
    assert "The rack has no Q left" in text(page, "message")
    keys(page, Keys.ESCAPE)
    click(page, "#undo")
    wait(lambda: has_score(page, 0))
    keys(page, *"zest", Keys.ENTER)  # after another button was clicked
    wait(lambda: has_score(page, points))
    keys(page, Keys.CONTROL + "z")
    wait(lambda: has_score(page, 0))
    keys(page, Keys.CONTROL + "y")
    wait(lambda: has_score(page, points))
    keys(page, "2")
    assert page.find_element("id", "side-plays").is_displayed()
    keys(page, "?")
    assert "Rules" in text(page, "dialog")
    keys(page, Keys.ESCAPE)


def test_a_blank_may_come_second_and_a_tile_after_it_lays_itself(
    page: "Chrome", server: Server
) -> None:
    opened(page, server, "#row=bat%3Fs")
    keys(page, "b", ".", "\ue000")
    click(page, "//div[@id='rack']//button[.//span[text()='T']]", "xpath")
    assert (
        page.find_elements("css selector", "#word .tile")[1].get_attribute("class") == "tile blank"
    )
    page.find_elements("css selector", "#letters div button")[4].click()
    assert word(page) == "bet"
    assert "Play for 6" in text(page, "lay")


def test_a_blank_stands_where_it_costs_less_and_changes_places_by_a_press(
    page: "Chrome", server: Server
) -> None:
    points = "return [...document.querySelectorAll('#word .points')].map(e => e.textContent)"
    opened(page, server, "#row=te%3F")
    keys(page, *"tee")
    assert page.execute_script(points) == ["1×1", "0", "3×1"]
    page.find_elements("css selector", "#word .swap")[1].click()
    assert page.execute_script(points) == ["1×1", "2×1", "0"]
    opened(page, server, "#row=et%3F")
    # the E first, then a blank as its second letter
    click(page, "//div[@id='rack']//button[.//span[text()='E']]", "xpath")
    keys(page, "t", ".", "e")
    assert word(page) == "ete"
    assert page.execute_script(points) == ["0", "2×1", "3×1"]
    keys(page, "\ue00c", ".", "\n")
    assert "Choose the letter" in text(page, "message")


def test_a_turn_taken_back_while_the_referee_thinks_stays_taken_back(
    page: "Chrome", server: Server
) -> None:
    opened(page, server, "#challenge/6.s_l_mnized.solemnized")
    page.execute_script(
        """const real = Worker.prototype.postMessage;
        Worker.prototype.postMessage = function (message) {
          setTimeout(() => real.call(this, message), message.question === "positionOf" ? 800 : 0);
        };"""
    )
    page.execute_script("document.querySelector('#strip [data-at=\"14\"]').click()")
    keys(page, *"outmove", "\n")
    click(page, "#undo")
    time.sleep(1.5)
    wait(lambda: has_score(page, 0))
    assert page.current_url.endswith("#challenge")


def test_a_link_in_other_spellings_opens_the_game_as_the_referee_reads_it(
    page: "Chrome", server: Server
) -> None:
    opened(page, server, "#challenge/6.S_L_MNIZED.SOLEMNIZED/9..outmove.outmove")
    wait(lambda: has_score(page, 195))
    assert page.current_url.endswith("#challenge/6.s_l_mnized.solemnized/9.outmove.outmove")
    opened(page, server, "#challenge/6.s_l_mnized.solemnized/9.qqq.qqq")
    wait(lambda: "Turn 2, “9 qqq qqq”" in text(page, "message"))
    wait(lambda: has_score(page, 141))


SMALL_PHONE, SIDEWAYS, SMALL_LAPTOP, DESK = (360, 640), (844, 390), (1280, 720), (1400, 900)


TINY, SAFARI = (320, 568), (390, 664)


def tap(page: "Chrome", at: int) -> int:
    """Tap a tile of the row by its place; return the number of tiles that are then drawn from
    the left."""
    page.find_element("css selector", f"#strip [data-at='{at}']").click()
    return int(text(page, "left-text").split()[0])


def test_every_draw_can_be_tapped_and_the_whole_row_shown(page: "Chrome", server: Server) -> None:
    opened(page, server, "#row=tea%3Fsetsoatzest")
    # five tiles stay in the row, the drawn ones are on the rack
    assert [tap(page, at) for at in (5, 6, 9)] == [6, 7, 10]
    assert [tap(page, at) for at in (14, 12, 10)] == [9, 7, 5]
    assert [tap(page, at) for at in (9, 7, 5)] == [4, 2, 0]
    opened(page, server, "#challenge")
    assert [tap(page, at) for at in (5, 7, 9)] == [6, 8, 10]
    assert [tap(page, at) for at in (99, 95, 90)] == [9, 5, 0]
    page.execute_script("document.querySelector('#strip [data-at=\"10\"]').click()")
    assert text(page, "left-text") == "0 left"
    assert "too far in" in text(page, "message")
    for count in (60, 90, 60):
        assert len(page.find_elements("css selector", "#strip [data-at]")) == count
        click(page, "#more")


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
    wait(lambda: page.find_elements("css selector", "#bundled option"))
    click(page, "#dialog form.fields button")
    wait(lambda: "100 tiles" in text(page, "title"))
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


def test_the_text_to_judge_outlives_a_reload_and_a_copied_page_is_taken_apart(
    page: "Chrome", server: Server
) -> None:
    opened(page, server, "#challenge")
    click(page, "#tab-judge")
    pasted = (
        "ann • 2y ago\n6 s?l?mnized solemnized\n9 outmove outmove\n\nUpvote\n12\n\nDownvote\n\nReply\nShare\n\n"
        "ben • 2y ago\n6 s?l?mnize solemnize\n\nUpvote\n---\n6 s?l?mnized solemnized\n"
    )
    area = page.find_element("id", "answers")
    page.execute_script(
        "arguments[0].value = arguments[1]; arguments[0].dispatchEvent(new Event('input'))",
        area,
        pasted,
    )
    page.refresh()
    wait(lambda: text(page, "figures") != "")
    assert page.find_element("id", "view-judge").is_displayed()
    assert page.execute_script("return document.getElementById('answers').value") == pasted
    click(page, "#view-judge .main")
    wait(lambda: len(page.find_elements("css selector", "#verdicts .entry")) == 3)
    assert texts(page, "#verdicts .entry b") == ["195", "141", "121"]
    assert page.find_element("css selector", "#verdicts strong").text == "ann • 2y ago"
    assert "Against yours" not in text(page, "verdicts")  # there is no game of the player


def test_paper_shows_the_game_without_its_buttons(page: "Chrome", server: Server) -> None:
    opened(page, server, "#challenge/6.s_l_mnize.solemnize")
    wait(lambda: "solemnize" in text(page, "side-turns"))
    page.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    assert not page.find_element("id", "new").is_displayed()
    assert not page.find_element("id", "undo").is_displayed()
    assert page.find_element("css selector", "#side-turns table").is_displayed()
    page.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})


@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_tiles_fly_only_where_motion_is_wanted(page: "Chrome", server: Server, motion: str) -> None:
    features = [{"name": "prefers-reduced-motion", "value": motion}]
    page.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
    opened(page, server, "#challenge/6.s_l_mnized.solemnized/9.outmove.outmove")
    count = "document.querySelector(arguments[0]).click(); return document.getAnimations({ subtree: true }).length"
    assert (page.execute_script(count, "#strip [data-at]") > 0) == (motion == "no-preference")
    click(page, "//button[.='Step through the game']", "xpath")
    wait(lambda: "turn 1 of 2" in text(page, "dialog"))
    assert (page.execute_script(count, "#shown-next") > 0) == (motion == "no-preference")
    page.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})


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
        opened(driver, server, "#challenge")
        click(driver, "#tab-plays")
        wait(lambda: len(driver.find_elements("css selector", "#lines td button")) > 0)
        driver.execute_script("document.querySelector('#lines td button').click()")
        assert driver.execute_script(_SEEN, ["rack", "word", "lay"]) == ["rack", "word", "lay"]


def test_it_fits_every_screen_by_day_and_by_night(browser: OpenWindow, server: Server) -> None:
    parts = ["lay", "undo", "clear", "hint", "rack", "word", "end-left", "end-right", "left"]
    heights = "return [...document.querySelectorAll('#strip .tile')].map((tile) => tile.getBoundingClientRect().height)"
    with browser(*LAPTOP) as driver:
        opened(driver, server, "#challenge/6.s_l_mnized.solemnized")
        keys(driver, *"out")
        for number, size in enumerate(
            (LAPTOP, SMALL_LAPTOP, DESK, PHONE, SMALL_PHONE, SIDEWAYS, TINY)
        ):
            resize(driver, *size, dark=number % 2 == 1)
            assert axe(driver) == []
            wide, tall = driver.execute_script(
                "return [document.documentElement.scrollWidth, document.documentElement.scrollHeight]"
            )
            assert (wide <= size[0], tall <= size[1]) == (True, True), size
            assert driver.execute_script(_SEEN, parts) == parts
            assert min(driver.execute_script(heights)) >= 36
            shot(driver, f"play-{size[0]}x{size[1]}{'-dark' if number % 2 else ''}")
        resize(driver, *LAPTOP, dark=True)
        assert axe(driver) == []
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
        opened(driver, server, "#row=bat%3Fs")
        for size in (TINY, SMALL_PHONE, SAFARI, PHONE, SIDEWAYS, LAPTOP):
            resize(driver, *size)
            driver.execute_script("document.querySelector('#rack .blank').click()")
            wait(lambda: driver.execute_script(_HIT) == 26)  # the sheet rises
            if size in (TINY, LAPTOP):
                assert axe(driver) == []
            click(driver, "#letters p button")
            assert not driver.find_element("id", "letters").is_displayed()


# the sum of the layout shifts since the page was opened
SHIFTS = """new PerformanceObserver((list) => arguments[0](list.getEntries().reduce((sum, shift) => sum + shift.value, 0)))
.observe({ type: "layout-shift", buffered: true }); setTimeout(() => arguments[0](0), 300)"""


def test_rack_and_word_keep_their_places_from_the_opening_of_the_page_on(
    browser: OpenWindow, server: Server
) -> None:
    places = "return ['rack', 'word', 'lay'].map((name) => document.getElementById(name).getBoundingClientRect().top)"
    with browser(*LAPTOP) as driver:
        for size, word in (
            (TINY, "mojos"),
            (PHONE, "bedrug"),
            (SIDEWAYS, "eve"),
            (LAPTOP, "mojos"),
        ):
            resize(driver, *size)
            opened(driver, server, "#challenge")
            assert driver.execute_async_script(SHIFTS) < 0.03, size
            before = driver.execute_script(places)
            for typed in (word, "\n", "qx", "\n"):
                keys(driver, *typed)
                assert driver.execute_script(places) == before
            driver.execute_script("localStorage.clear()")
