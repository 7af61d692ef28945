"""A real headless Chromium for tests of pages, cut off from everything but files."""

import importlib.util
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

BROWSER = shutil.which("chromium") or shutil.which("google-chrome")
DRIVER = shutil.which("chromedriver")

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


def axe(driver: "Chrome") -> list[Any]:
    """What breaks the guidelines for accessible pages."""
    found = importlib.util.find_spec("axe_core_python")
    assert found is not None
    assert found.origin is not None
    script = (Path(found.origin).parent / "axe.min.js").read_text(encoding="utf-8")
    # the page's policy lets no other script in but what the debugger runs
    driver.execute_cdp_cmd("Runtime.evaluate", {"expression": script})
    told = "told.violations.map((found) => [found.id, found.nodes.map((node) => node.html)])"
    violations: list[Any] = driver.execute_async_script(f"const done = arguments[0]; axe.run().then((told) => done({told}))")
    return violations
