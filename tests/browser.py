"""A real headless Chromium for tests of pages, cut off from everything but files."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

BROWSER, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")

_QUIET = (
    "headless=new",
    "no-sandbox",
    "disable-gpu",
    "disable-quic",
    "no-first-run",
    "disable-background-networking",
    "disable-component-update",
    "disable-sync",
)


@contextmanager
def browser(width: int = 1100, height: int = 900, dark: bool = False) -> Iterator["Chrome"]:
    """A browser with a window of that size, which logs its console and its requests."""
    from selenium.webdriver import Chrome, ChromeOptions
    from selenium.webdriver.chrome.service import Service

    options = ChromeOptions()
    for flag in (*_QUIET, *(["force-dark-mode"] if dark else [])):
        options.add_argument(f"--{flag}")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = Chrome(options=options, service=Service(DRIVER))
    try:
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600}
        driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        yield driver
    finally:
        driver.quit()


def open_page(driver: "Chrome", page: Path) -> None:
    driver.get(page.resolve().as_uri())


def console_errors(driver: "Chrome") -> list[str]:
    return [entry["message"] for entry in driver.get_log("browser") if entry["level"] in ("SEVERE", "WARNING")]


def requests(driver: "Chrome") -> list[str]:
    """Addresses of all requests that were sent since the last look."""
    import json

    found: list[str] = []
    for entry in driver.get_log("performance"):
        message: dict[str, Any] = json.loads(entry["message"])["message"]
        if message["method"] == "Network.requestWillBeSent":
            found.append(message["params"]["request"]["url"])
    return found
