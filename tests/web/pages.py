"""What tests of the page do in it."""

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urljoin

from tests.browser import axe, profile_of

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

SHOTS = Path(os.environ.get("ROWDRAW_SCREENSHOTS", "screenshots"))
LAPTOP = (1366, 768)
PHONE = (390, 844)
ROW = "#row=tea%3Fsetsoatzest"
# a game of the player, as the browser keeps it
OWN_GAME = {
    "id": "1",
    "key": "row=teas",
    "asked": {"row": "teas"},
    "name": "a row",
    "lines": ["4 teas teas"],
    "undone": [],
    "score": 10,
    "over": True,
    "when": "2026-01-01T00:00:00Z",
}


def opened(driver: "Chrome", fragment: str = ROW) -> None:
    """Load the page of the server where the window is, and wait for its game."""
    go(driver, urljoin(driver.current_url, "/") + fragment)


def go(driver: "Chrome", address: str) -> None:
    """Load the page of an address, and wait for its game."""
    if driver.current_url.partition("#")[0] == address.partition("#")[0]:
        driver.get("about:blank")  # with another fragment alone the page would not be loaded again
    driver.get(address)
    wait(lambda: text(driver, "figures") != "")


def wait(is_so: Any, seconds: float = 60.0) -> None:
    end = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < end, "timed out"
        time.sleep(0.05)


def await_text(driver: "Chrome", name: str, part: str, seconds: float = 60.0) -> None:
    """Wait until the text of an element contains a part."""
    wait(lambda: part in text(driver, name), seconds)


def await_score(driver: "Chrome", score: int) -> None:
    """Wait for a score, which counts up."""
    wait(lambda: text(driver, "score") == str(score))


def await_count(driver: "Chrome", selector: str, number: int, seconds: float = 60.0) -> None:
    """Wait until a number of elements match."""
    wait(lambda: count(driver, selector) == number, seconds)


def await_some(driver: "Chrome", selector: str, seconds: float = 60.0) -> None:
    """Wait until an element matches."""
    wait(lambda: count(driver, selector) > 0, seconds)


@contextmanager
def second_tab(driver: "Chrome", features: str = "") -> Iterator[tuple[str, str]]:
    """Open another tab at the same address, in front; yield both, the first one first."""
    first = driver.current_window_handle
    before = set(driver.window_handles)
    driver.execute_script("window.open(location.href, '', arguments[0])", features)
    wait(lambda: set(driver.window_handles) != before)
    (second,) = set(driver.window_handles) - before
    driver.switch_to.window(second)
    try:
        yield first, second
    finally:
        driver.switch_to.window(second)
        driver.close()
        driver.switch_to.window(first)


def count(driver: "Chrome", selector: str) -> int:
    return len(driver.find_elements("css selector", selector))


def is_shown(driver: "Chrome", name: str) -> bool:
    return driver.find_element("id", name).is_displayed()


def text(driver: "Chrome", name: str) -> str:
    code = "return document.getElementById(arguments[0])?.textContent ?? ''"
    return str(driver.execute_script(code, name))


def texts(driver: "Chrome", selector: str) -> list[str]:
    """Return the visible text of each element, all of one moment: a list may be filled again."""
    code = (
        "return [...document.querySelectorAll(arguments[0])].map((found) => found.innerText.trim())"
    )
    return list(driver.execute_script(code, selector))


def value(driver: "Chrome", selector: str) -> str:
    """Return the text in a field, the empty text if there is none."""
    code = "return document.querySelector(arguments[0])?.value ?? ''"
    return str(driver.execute_script(code, selector))


def width(driver: "Chrome") -> int:
    """Return the width of the window, and what a page that scrolls sideways needs beyond it."""
    code = "const { scrollWidth, clientWidth } = document.documentElement;"
    return int(driver.execute_script(f"{code} return innerWidth + scrollWidth - clientWidth"))


def word(driver: "Chrome") -> str:
    """The play under way."""
    return "".join(texts(driver, "#word .letter")).lower()


def click(driver: "Chrome", selector: str, number: int = 0) -> None:
    """Click an element that matches a selector of CSS or a path of XPath, the first or another."""
    from selenium.common.exceptions import StaleElementReferenceException

    kind = "xpath" if selector.startswith("//") else "css selector"
    for _try in range(5):
        # a list may be filled again between the look and the click
        with suppress(StaleElementReferenceException):
            driver.find_elements(kind, selector)[number].click()
            return
    raise AssertionError(f"{selector} is filled again and again")


def fill(driver: "Chrome", name: str, entry: str) -> None:
    """Type a text into a field in place of what it holds."""
    field = driver.find_element("id", name)
    field.clear()
    field.send_keys(entry)


def keys(driver: "Chrome", *pressed: str) -> None:
    driver.find_element("css selector", "body").send_keys(*pressed)


def draw_left(driver: "Chrome", number: int | str) -> None:
    """Draw a number of tiles from the left by the slider."""
    slider = driver.find_element("id", "left")
    code = "arguments[0].value = arguments[1]; arguments[0].dispatchEvent(new Event('input'))"
    driver.execute_script(code, slider, number)


def allow_downloads(driver: "Chrome", folder: Path) -> None:
    """Let the window save files in a folder."""
    allowed = {"behavior": "allow", "downloadPath": str(folder), **profile_of(driver)}
    driver.execute_cdp_cmd("Browser.setDownloadBehavior", allowed)


def look(driver: "Chrome", name: str = "") -> None:
    """Check that the page is accessible, and take a picture of it if it is given a name."""
    assert axe(driver) == []
    if name:
        shot(driver, name)


def keep_still(driver: "Chrome") -> None:
    """Let nothing move on pages: a tile on its way is hard to hit."""
    still = [{"name": "prefers-reduced-motion", "value": "reduce"}]
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "", "features": still})


def show(driver: "Chrome", view: str) -> None:
    """Show a view, whose tab may be in the menu."""
    driver.execute_script(f"document.getElementById('tab-{view}').click()")


def shot(driver: "Chrome", name: str) -> None:
    SHOTS.mkdir(parents=True, exist_ok=True)
    driver.save_screenshot(str(SHOTS / f"{name}.png"))
