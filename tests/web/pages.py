"""What tests of the page do in it."""

import os
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.web.serving import Server

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

SHOTS = Path(os.environ.get("ROWDRAW_SCREENSHOTS", "screenshots"))
LAPTOP, PHONE = (1366, 768), (390, 844)
ROW = "#row=tea%3Fsetsoatzest"


def opened(driver: "Chrome", server: Server, fragment: str = ROW) -> None:
    go(driver, server.address + fragment)


def go(driver: "Chrome", address: str) -> None:
    """Load the page of an address, and wait for its game."""
    if driver.current_url.partition("#")[0] == address.partition("#")[0]:
        driver.get("about:blank")  # with another fragment alone the page would not be loaded again
    driver.get(address)
    wait(lambda: text(driver, "figures") != "")


def has_score(driver: "Chrome", score: int) -> bool:
    """Whether the score, which counts up, is there."""
    return text(driver, "score") == str(score)


def tab(driver: "Chrome", fragment: str) -> str:
    """The address of a game on the same server."""
    return driver.current_url.partition("#")[0] + fragment


def wait(is_so: Any, seconds: float = 60.0) -> None:
    end = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < end, "timed out"
        time.sleep(0.05)


def text(driver: "Chrome", name: str) -> str:
    return str(
        driver.execute_script(
            "return document.getElementById(arguments[0])?.textContent ?? ''", name
        )
    )


def texts(driver: "Chrome", selector: str) -> list[str]:
    """The visible text of each element, all of one moment: a list may be filled again between
    two looks."""
    code = "return [...document.querySelectorAll(arguments[0])].map((element) => element.innerText.trim())"
    found: list[str] = driver.execute_script(code, selector)
    return found


def word(driver: "Chrome") -> str:
    """The play under way."""
    return "".join(texts(driver, "#word .letter")).lower()


def click(driver: "Chrome", selector: str, kind: str = "css selector") -> None:
    from selenium.common.exceptions import StaleElementReferenceException

    # a list may be filled again between the look and the click
    for _try in range(5):
        with suppress(StaleElementReferenceException):
            driver.find_element(kind, selector).click()
            return
    driver.find_element(kind, selector).click()


def keys(driver: "Chrome", *pressed: str) -> None:
    driver.find_element("css selector", "body").send_keys(*pressed)


def shot(driver: "Chrome", name: str) -> None:
    SHOTS.mkdir(parents=True, exist_ok=True)
    driver.save_screenshot(str(SHOTS / f"{name}.png"))
