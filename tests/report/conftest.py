"""A browser for the tests of reports."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from tests.browser import console_errors, requests
from tests.needs import OpenWindow

if TYPE_CHECKING:
    from selenium.webdriver import Chrome


@pytest.fixture(scope="module")
def shared_window(browser: OpenWindow) -> Iterator["Chrome"]:
    with browser() as driver:
        yield driver


@pytest.fixture
def chrome(shared_window: "Chrome") -> Iterator["Chrome"]:
    """A window that the tests of a module share; pages ask for no file but themselves."""
    requests(shared_window)
    yield shared_window
    assert console_errors(shared_window) == []
    urls = requests(shared_window)
    assert all(url.startswith("file:") and url.endswith(".html") for url in urls)
