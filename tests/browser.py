"""A real headless Chromium for tests of pages, cut off from everything but files."""

import atexit
import json
import os
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.needs import DRIVER

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

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


class _Chromium:
    """A running browser. Each test process keeps one: it starts ten times slower than a profile."""

    def __init__(self) -> None:
        import websocket
        from selenium.webdriver import Chrome, ChromeOptions
        from selenium.webdriver.chrome.service import Service

        options = ChromeOptions()
        for flag in _QUIET:
            options.add_argument(f"--{flag}")
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        options.add_experimental_option(
            "perfLoggingPrefs", {"enableNetwork": True, "enablePage": False}
        )
        self.driver = Chrome(options=options, service=Service(DRIVER))
        # profiles are made by the browser itself; the driver speaks to its pages alone
        debugger = self.driver.capabilities["goog:chromeOptions"]["debuggerAddress"]
        with urllib.request.urlopen(f"http://{debugger}/json/version") as answer:
            address = json.loads(answer.read())["webSocketDebuggerUrl"]
        self._socket = websocket.create_connection(address, suppress_origin=True, timeout=60)
        self._sent = 0
        self.windows = [self.driver.current_window_handle]
        process = os.getpid()
        atexit.register(lambda: self.driver.quit() if os.getpid() == process else None)

    def command(self, method: str, **values: Any) -> dict[str, Any]:
        """Return the answer of the browser to a command of the DevTools protocol."""
        self._sent += 1
        self._socket.send(json.dumps({"id": self._sent, "method": method, "params": values}))
        while True:
            answer: dict[str, Any] = json.loads(self._socket.recv())
            if answer.get("id") == self._sent:
                return dict(answer["result"])

    def lives(self) -> bool:
        from selenium.common.exceptions import WebDriverException

        try:
            return bool(self.driver.window_handles)
        except (WebDriverException, OSError):
            return False


_running: list[_Chromium] = []


def _chromium() -> _Chromium:
    if not _running or not _running[-1].lives():
        _running.append(_Chromium())
    return _running[-1]


@contextmanager
def window(width: int = 1100, height: int = 900, dark: bool = False) -> Iterator["Chrome"]:
    """A window of that size in a new profile, which logs its console and its requests.

    Until the context ends, the windows of contexts around it are out of reach.
    """
    chromium = _chromium()
    driver = chromium.driver
    profile = chromium.command("Target.createBrowserContext")["browserContextId"]
    opened = chromium.command("Target.createTarget", url="about:blank", browserContextId=profile)[
        "targetId"
    ]
    chromium.windows.append(opened)
    try:
        driver.switch_to.window(opened)
        resize(driver, width, height, dark)
        driver.set_script_timeout(30)
        for log in ("browser", "performance"):
            driver.get_log(log)
        yield driver
    finally:
        chromium.windows.remove(opened)
        if chromium.lives():
            chromium.command("Target.disposeBrowserContext", browserContextId=profile)
            driver.switch_to.window(chromium.windows[-1])


def resize(driver: "Chrome", width: int, height: int, dark: bool = False) -> None:
    """Give the window another size and colour scheme."""
    size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    features = [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})


def profile_of(driver: "Chrome") -> dict[str, str]:
    """The profile of the window, as an argument of commands that else concern another one."""
    target = driver.execute_cdp_cmd("Target.getTargetInfo", {})["targetInfo"]
    return {"browserContextId": target["browserContextId"]}


def open_page(driver: "Chrome", page: Path) -> None:
    driver.get(page.resolve().as_uri())


def console_errors(driver: "Chrome") -> list[str]:
    """Errors and warnings since the last look."""
    return [
        entry["message"]
        for entry in driver.get_log("browser")
        if entry["level"] in ("SEVERE", "WARNING")
    ]


def requests(driver: "Chrome") -> list[str]:
    """Addresses of all requests that were sent since the last look."""
    found: list[str] = []
    for entry in driver.get_log("performance"):
        message: dict[str, Any] = json.loads(entry["message"])["message"]
        if message["method"] == "Network.requestWillBeSent":
            found.append(message["params"]["request"]["url"])
    return found


def axe(driver: "Chrome") -> list[Any]:
    """What breaks the guidelines for accessible pages."""
    script = files("axe_core_python").joinpath("axe.min.js").read_text(encoding="utf-8")
    # the page's policy lets no other script in but what the debugger runs
    driver.execute_cdp_cmd("Runtime.evaluate", {"expression": script})
    told = "told.violations.map((found) => [found.id, found.nodes.map((node) => node.html)])"
    code = f"const done = arguments[0]; axe.run().then((told) => done({told}))"
    return list(driver.execute_async_script(code))
