"""What small windows and large letters leave of the page: nothing covered, cut off or untrue."""

from typing import TYPE_CHECKING

import pytest

from tests.browser import resize
from tests.web.pages import (
    await_some,
    await_text,
    click,
    count,
    is_shown,
    opened,
    shot,
    show,
    wait,
)

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

FIRST = "#challenge/6.s_l_mnized.solemnized"


_COVERED = """
return [...document.querySelectorAll("#rack .tile")].filter((tile) => {
  const { x, y, width, height } = tile.getBoundingClientRect();
  return [0.2, 0.5, 0.8].some((part) =>
    document.elementFromPoint(x + width / 2, y + height * part)?.id === "message");
}).length;
"""


@pytest.mark.parametrize("size", [(320, 568), (667, 375), (844, 390)])
def test_an_empty_message_takes_no_taps(page: "Chrome", size: tuple[int, int]) -> None:
    resize(page, *size)
    opened(page, "#challenge")
    for _more in range(count(page, "#strip .more")):
        click(page, "#strip .more")
    for top in range(0, 800, 40):
        scroll = "document.getElementById('view-play').scrollTop = arguments[0]"
        page.execute_script(scroll, top)
        assert page.execute_script(_COVERED) == 0, top


_WIDTHS = """
const bars = [...document.querySelectorAll(".scores span")];
return bars.map((bar) => bar.getBoundingClientRect().width);
"""


@pytest.mark.parametrize("letters", [16, 32])
def test_the_bars_at_the_end_are_as_long_as_the_scores(page: "Chrome", letters: int) -> None:
    resize(page, 320, 640)
    opened(page, "#row=teasz/4.teas.teas")
    page.execute_script(f"document.documentElement.style.fontSize = '{letters}px'")
    await_some(page, ".scores span")
    code = (
        "document.querySelector('.scores span').style.setProperty('--h', .9);"
        "document.querySelectorAll('.scores span')[1].style.setProperty('--h', 1);"
    )
    page.execute_script(code)

    def part() -> float:
        mine, best = page.execute_script(_WIDTHS)
        return float(mine / max(best, 80))

    wait(lambda: part() == pytest.approx(0.9, abs=0.02), 5)
    shot(page, f"end-{letters}")


_CLASHES = """
const box = (element) => {
  const { left, right, top, bottom } = element.getBoundingClientRect();
  const spare = (bottom - top) * 0.15; // above and below a capital letter
  return { left, right, top: top + spare, bottom: bottom - spare };
};
return [...document.querySelectorAll(arguments[0])].filter((tile) => {
  const letter = box(tile.querySelector(".letter"));
  const value = box(tile.querySelector("sub"));
  return letter.right > value.left && letter.bottom > value.top + 0.5;
}).map((tile) => tile.textContent);
"""


@pytest.mark.parametrize("width", [320, 360, 768])
def test_no_value_is_printed_over_a_letter(page: "Chrome", width: int) -> None:
    resize(page, width, 640)
    opened(page, FIRST)
    click(page, "//button[.='Step through the game']")
    await_text(page, "dialog", "turn 1 of 1")
    shot(page, f"viewer-{width}")
    assert page.execute_script(_CLASHES, "#dialog .tile") == []
    click(page, "#dialog .close")
    page.find_element("css selector", "body").send_keys("?")
    await_some(page, "#dialog .example")
    shot(page, f"rules-{width}")
    assert page.execute_script(_CLASHES, "#dialog .tile") == []


def test_the_steps_end_at_the_last_turn_and_stay_at_the_top(page: "Chrome") -> None:
    resize(page, 360, 640)
    opened(page, f"{FIRST}/9.outmove.outmove")
    click(page, "//button[.='Step through the game']")
    await_text(page, "dialog", "turn 1 of 2")
    assert not page.find_element("id", "shown-back").is_enabled()
    click(page, "#shown-next")
    assert not page.find_element("id", "shown-next").is_enabled()
    page.switch_to.active_element.send_keys("\ue012")  # the arrow to the left
    await_text(page, "dialog", "turn 1 of 2")
    code = """
    const box = document.getElementById("dialog");
    box.scrollTop = 300;
    const top = (one) => one.getBoundingClientRect().top;
    return top(box.querySelector(".controls")) - top(box);
    """
    assert page.execute_script(code) <= 1


_BEYOND = """
const box = document.querySelector(arguments[0]);
return box.scrollWidth - box.clientWidth;
"""


def test_large_letters_leave_all_of_a_phones_page_within_reach(page: "Chrome") -> None:
    resize(page, 360, 740)
    opened(page, FIRST)
    page.execute_script("document.documentElement.style.fontSize = '32px'")
    for name in ("records", "daily"):
        show(page, name)
        await_some(page, f"#view-{name} .card")
        await_some(page, f"#view-{name} table")
        shot(page, f"large-{name}")
        assert page.execute_script(_BEYOND, f"#view-{name}") <= 0, name
        assert page.execute_script(_BEYOND, "body") <= 0, name
    show(page, "records")
    await_some(page, "#view-records tbody button")
    page.execute_script("document.querySelectorAll('#view-records tbody button')[1].click()")
    await_text(page, "dialog", "turn 1 of")
    shot(page, "large-viewer")
    assert page.execute_script(_BEYOND, "#dialog") <= 0


def test_points_lost_fit_into_the_smallest_window(page: "Chrome") -> None:
    resize(page, 320, 640)
    opened(page, f"{FIRST}/9.outmove.outmove")
    click(page, "#tab-review")
    wait(lambda: is_shown(page, "side-review"))
    fake = """
    for (const row of document.querySelectorAll("#side-review tbody tr")) {
      row.cells[3].textContent = "\N{MINUS SIGN}123 ??";
      row.cells[4].innerHTML = "<button>10 from the left: <span>solemnized</span></button>";
    }
    """
    page.execute_script(fake)
    page.execute_script("document.getElementById('side-review').scrollIntoView()")
    shot(page, "lost-320")
    assert page.execute_script(_BEYOND, "body") <= 0
    assert page.execute_script(_BEYOND, "#view-play") <= 0
