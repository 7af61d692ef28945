"""A server and a browser for the tests of the page."""

from collections.abc import Iterator
from pathlib import Path
from shutil import copytree
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import pytest

from solver.model.puzzle import load_puzzle
from solver.web.site import STATIC, data_files, site_files, write_site
from tests.browser import console_errors, requests
from tests.needs import OpenWindow
from tests.web.pages import LAPTOP, keep_still
from tests.web.serving import Server, hosting, serving

if TYPE_CHECKING:
    from selenium.webdriver import Chrome


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    """One server for all tests that neither stop it nor start it in a way of their own."""
    with serving("--searches", "1") as running:
        yield running


@pytest.fixture
def laptop(browser: OpenWindow) -> Iterator["Chrome"]:
    """A window of its own for each test: a tab that crashes fails no other test."""
    with browser(*LAPTOP) as driver:
        yield driver


@pytest.fixture
def page(server: Server, laptop: "Chrome") -> Iterator["Chrome"]:
    """A window at an address of the server: nothing is kept there, and nothing moves."""
    keep_still(laptop)
    laptop.get(f"{server.address}static/icon.svg")
    yield laptop
    # for the picture above, which names no icon, the browser asks for one, perhaps late
    late = f"{server.address}favicon.ico - Failed to load"
    assert [message for message in console_errors(laptop) if not message.startswith(late)] == []
    port = urlsplit(server.address).port
    assert {urlsplit(url).port for url in requests(laptop) if url.startswith("http")} <= {port}


@pytest.fixture
def table(server: Server, laptop: "Chrome") -> Iterator["Chrome"]:
    """A window at an address of the server for the table of Scrabble."""
    laptop.get(f"{server.address}board")
    yield laptop
    assert console_errors(laptop) == []


@pytest.fixture
def no_searches(laptop: "Chrome") -> None:
    """Let pages take themselves for hidden: such a page starts no searches, which take long."""
    hidden = "Object.defineProperty(Document.prototype, 'hidden', { get: () => true });"
    laptop.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": hidden})


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a site, which no test changes."""
    folder = tmp_path_factory.mktemp("site")
    write_site(folder, site_files())
    return folder


@pytest.fixture(scope="session")
def modules(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a site whose modules are files of their own, as a server has them."""
    folder = tmp_path_factory.mktemp("modules")
    copytree(STATIC, folder / "static")
    (folder / "manifest.webmanifest").write_bytes(b"{}")
    (folder / "static/data").mkdir(exist_ok=True)
    for name, content in data_files(load_puzzle("challenge")).items():
        (folder / "static/data" / name).write_bytes(content)
    return folder


@pytest.fixture(scope="module")
def engine_page(browser: OpenWindow, modules: Path) -> Iterator["Chrome"]:
    with hosting(modules) as address, browser() as driver:
        driver.set_script_timeout(280)
        # an address of the host without the policy of the page
        driver.get(f"{address}manifest.webmanifest")
        yield driver
