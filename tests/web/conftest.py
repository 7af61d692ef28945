"""A server and a browser for the tests of the page."""

from collections.abc import Iterator
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import pytest

from tests.browser import browser, console_errors, requests
from tests.web.pages import LAPTOP, opened
from tests.web.serving import Server, serving

if TYPE_CHECKING:
    from selenium.webdriver import Chrome


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with serving("--searches", "1") as running:
        yield running


@pytest.fixture(scope="module")
def laptop() -> Iterator["Chrome"]:
    with browser(*LAPTOP) as driver:
        yield driver


@pytest.fixture
def page(server: Server, laptop: "Chrome") -> Iterator["Chrome"]:
    # a tile on its way is hard to hit
    still = [{"name": "prefers-reduced-motion", "value": "reduce"}]
    laptop.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "", "features": still})
    # a game that the last test has left would go on
    laptop.get(f"{server.address}static/icon.svg")
    laptop.execute_script("localStorage.clear()")
    laptop.get("about:blank")
    requests(laptop)
    console_errors(laptop)
    opened(laptop, server)
    yield laptop
    assert console_errors(laptop) == []
    port = urlsplit(server.address).port
    assert {urlsplit(url).port for url in requests(laptop) if url.startswith("http")} <= {port}


@pytest.fixture
def table(laptop: "Chrome") -> Iterator["Chrome"]:
    yield laptop
    assert console_errors(laptop) == []
