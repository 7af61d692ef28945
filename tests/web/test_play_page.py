"""The row-draw game in a browser: draws, words and dialogs by taps and keys, in all windows."""

import time
from typing import TYPE_CHECKING

import pytest

from tests.browser import resize
from tests.web.pages import (
    LAPTOP,
    PHONE,
    await_count,
    await_score,
    await_some,
    await_text,
    click,
    count,
    draw_left,
    fill,
    is_shown,
    keep_still,
    keys,
    look,
    opened,
    shot,
    show,
    text,
    texts,
    value,
    wait,
    width,
    word,
)

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
    assert page.find_element("css selector", "#dialog .example").is_displayed()
    look(page)
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


_SEEN_DIALOG = """
const box = document.getElementById("dialog").getBoundingClientRect();
const hit = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
const isLarge = box.width > 200 && box.height > 200 && box.right <= innerWidth;
return isLarge && Boolean(hit?.closest("#dialog"));
"""


@pytest.mark.usefixtures("no_searches")
def test_every_dialog_is_seen_in_every_window_and_closes(page: "Chrome") -> None:
    opened(page, "#challenge/6.s_l_mnize.solemnize")
    await_text(page, "side-turns", "solemnize")
    show(page, "judge")
    fill(page, "answers", "6 s?l?mnize solemnize")
    click(page, "#view-judge .main")
    await_some(page, "#verdicts button")
    show(page, "records")
    await_some(page, "#view-records tbody button")
    openers = (
        ("play", "#side-turns [data-key=step]"),
        ("play", "#new"),
        ("play", "#share"),
        ("play", "#help"),
        ("records", "#view-records [aria-label^=Show]"),
        ("judge", "#verdicts button"),
    )
    for view, opener in openers:
        show(page, view)
        opens_in_every_window(page, opener)
    opened(page, "#row=teas/4.teas.teas")
    await_some(page, "[data-key=best]")
    opens_in_every_window(page, "[data-key=best]")


def opens_in_every_window(page: "Chrome", opener: str) -> None:
    for size in (TINY, PHONE, (768, 1024), SIDEWAYS, DESK):
        resize(page, *size)
        page.execute_script("document.querySelector(arguments[0]).click()", opener)
        wait(lambda: page.execute_script(_SEEN_DIALOG))
        click(page, "#dialog .close")
        wait(lambda: not is_shown(page, "dialog"))


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


def outlined(page: "Chrome", side: str) -> str:
    """The tiles of the row that this draw takes from a side."""
    return "".join(texts(page, f"#strip .tile.{side} .letter")).lower()


def test_every_draw_can_be_tapped_and_stands_outlined_in_the_row(page: "Chrome") -> None:
    opened(page, "#row=tea%3Fsetsoatzest")
    assert (outlined(page, "left"), outlined(page, "right")) == ("tea?s", "tzest")
    assert [tap(page, at) for at in (5, 6)] == [6, 7]
    assert [tap(page, at) for at in (12, 11)] == [8, 6]
    assert (outlined(page, "left"), outlined(page, "right")) == ("tea?se", "zest")
    # a drawn tile goes back
    assert [tap(page, at) for at in (5, 2, 0)] == [5, 2, 0]
    assert [tap(page, at) for at in (5, 10, 14)] == [1, 6, 10]
    opened(page, "#challenge")
    assert [tap(page, at) for at in (5, 7, 9)] == [6, 8, 10]
    assert [tap(page, at) for at in (99, 95, 90)] == [9, 5, 0]
    tap(page, 40)
    assert text(page, "left-text") == "0 left"
    assert "too far in" in text(page, "message")


@pytest.mark.parametrize("size", [PHONE, (768, 1024), (1440, 900)])
def test_the_row_stands_whole_from_a_phone_on(page: "Chrome", size: tuple[int, int]) -> None:
    resize(page, *size)
    opened(page, "#challenge")
    for played in (0, 1):
        assert count(page, "#strip .tile") == 100
        assert count(page, "#strip [data-at]") == 100 - 10 * played
        code = """
        const strip = document.getElementById("strip").getBoundingClientRect();
        const inside = (box) => box.top >= strip.top - 1 && box.bottom <= strip.bottom + 1;
        const tiles = [...document.querySelectorAll("#strip .tile")];
        return tiles.filter((tile) => !inside(tile.getBoundingClientRect())).length;
        """
        assert page.execute_script(code) == 0
        draw_left(page, 6)
        keys(page, *"solemnized", "\n")
        await_count(page, "#side-turns tbody tr", 1)


def test_what_a_small_window_hides_of_a_row_is_one_press_away(page: "Chrome") -> None:
    resize(page, *TINY)
    opened(page, "#challenge")
    assert count(page, "#strip .tile") < 100
    click(page, "#strip .more")
    assert count(page, "#strip .tile") == 100
    assert width(page) <= TINY[0]


def test_new_game_is_entered_by_keys_and_says_what_is_wrong(page: "Chrome") -> None:
    opened(page)
    for entry, message in (
        ("9999999999", "seed 9999999999: expected 0 to 1,000,000,000"),
        ("1.5", "“1” at place 1 of “1.5” is not a tile: expected letters a to z and ?"),
        (" ", "the row has 0 tiles: expected 1 to 400"),
        ("a" * 401, "the row has 401 tiles: expected 1 to 400"),
    ):
        click(page, "#new")
        fill(page, "what", entry + "\n")
        assert message in text(page, "dialog")
        click(page, "#dialog .close")
    for entry, title in (
        ("shuffled-02", "shuffled-02: 100 tiles"),
        ("7", "number 7: 100"),
        ("tat oe", ": 5 tiles"),
    ):
        click(page, "#new")
        await_some(page, "#bundled option")
        fill(page, "what", entry + "\n")
        await_text(page, "title", title)
    click(page, "#new")
    click(page, "#challenge")
    await_text(page, "title", "challenge: 100 tiles")
    page.back()
    await_text(page, "title", ": 5 tiles")
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
    assert texts(page, "#verdicts strong")[0] == "ann"
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


def test_after_a_best_play_a_phone_shows_the_rack_and_the_word(page: "Chrome") -> None:
    resize(page, *PHONE)
    opened(page, "#challenge")
    click(page, "#tab-plays")
    await_some(page, "#lines td button")
    page.execute_script("document.querySelector('#lines td button').click()")
    assert page.execute_script(_SEEN, ["rack", "word", "lay"]) == ["rack", "word", "lay"]


def test_it_fits_every_screen_by_day_and_by_night(page: "Chrome") -> None:
    parts = ["lay", "undo", "clear", "hint", "rack", "word", "strip", "left"]
    tall = "return document.documentElement.scrollHeight"
    opened(page, "#challenge/6.s_l_mnized.solemnized")
    keys(page, *"out")
    sizes = (LAPTOP, SMALL_LAPTOP, DESK, PHONE, SMALL_PHONE, SIDEWAYS, TINY)
    for number, size in enumerate(sizes):
        resize(page, *size, dark=number % 2 == 1)
        look(page)
        assert width(page) <= size[0], size
        assert page.execute_script(tall) <= size[1], size
        assert page.execute_script(_SEEN, parts) == parts
        assert min(page.execute_script(_HEIGHTS)) >= 24
        shot(page, f"play-{size[0]}x{size[1]}")
    resize(page, *LAPTOP, dark=True)
    look(page)


_LARGE = """
new MutationObserver(() => document.documentElement?.style.setProperty("font-size", "32px"))
  .observe(document, { childList: true });
"""
# texts and buttons that lie on each other, but for what a part that scrolls hides
_OVERLAPS = """
const isSeen = (one) => !one.closest(".unseen") && one.checkVisibility() && one.clientWidth > 0;
const parts = [...document.querySelectorAll("main :is(button, p, label, output, h2, span, li)")]
  .filter((one) => isSeen(one) && !one.querySelector("button, p, label, h2, span"));
const seen = parts.map((one) => {
  let { left, top, right, bottom } = one.getBoundingClientRect();
  for (let above = one.parentElement; above; above = above.parentElement) {
    if (getComputedStyle(above).overflowX === "visible") continue;
    const box = above.getBoundingClientRect();
    [left, top] = [Math.max(left, box.left), Math.max(top, box.top)];
    [right, bottom] = [Math.min(right, box.right), Math.min(bottom, box.bottom)];
  }
  return { name: one.textContent.trim(), left, top, right, bottom };
});
return seen.flatMap((one, at) => seen.slice(at + 1).filter((other) =>
  Math.min(one.right, other.right) - Math.max(one.left, other.left) > 3 &&
  Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 3
).map((other) => `${one.name} | ${other.name}`));
"""


@pytest.mark.parametrize("size", [(320, 640), PHONE, (768, 1024), (1440, 900)])
def test_letters_of_twice_the_size_overlap_nothing(page: "Chrome", size: tuple[int, int]) -> None:
    resize(page, *size)
    keep_still(page)
    page.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": _LARGE})
    for game in ("", "#challenge/6.s_l_mnized.solemnized", "#row=teas/4.teas.teas"):
        opened(page, game)
        if not game:
            await_text(page, "coach", "1 of 4")
        # the note of the first turn stays in sight above what is scrolled
        for _scroll in range(3 if game else 1):
            assert page.execute_script(_OVERLAPS) == [], game
            code = "for (const one of arguments) document.querySelector(one).scrollBy(0, 300);"
            page.execute_script(code, "body", "#view-play")
        assert width(page) <= size[0]


_HIT = """
return [...document.querySelectorAll('#letters div button')].filter((button) => {
  const box = button.getBoundingClientRect();
  return document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2) === button;
}).length;
"""


def test_every_letter_of_a_blank_can_be_hit_in_every_window(page: "Chrome") -> None:
    opened(page, "#row=bat%3Fs")
    for size in (TINY, SMALL_PHONE, SAFARI, PHONE, SIDEWAYS, LAPTOP):
        resize(page, *size)
        page.execute_script("document.querySelector('#rack .blank').click()")
        wait(lambda: page.execute_script(_HIT) == 26)  # the sheet rises
        if size in (TINY, LAPTOP):
            look(page)
        click(page, "#letters p button")
        assert not is_shown(page, "letters")


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


def test_rack_and_word_keep_their_places_from_the_opening_of_the_page_on(page: "Chrome") -> None:
    entries = ((TINY, "mojos"), (PHONE, "bedrug"), (SIDEWAYS, "eve"), (LAPTOP, "mojos"))
    for size, entry in entries:
        resize(page, *size)
        opened(page, "#challenge")
        assert page.execute_async_script(SHIFTS) < 0.03, size
        before = page.execute_script(_PLACES)
        for typed in (entry, "\n", "qx", "\n"):
            keys(page, *typed)
            assert page.execute_script(_PLACES) == before
        page.execute_script("localStorage.clear()")
