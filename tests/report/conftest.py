"""A browser for the tests of reports."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from tests.needs import OpenWindow

if TYPE_CHECKING:
    from selenium.webdriver import Chrome


@pytest.fixture(scope="module")
def chrome(browser: OpenWindow) -> Iterator["Chrome"]:
    """A window that the tests of a module share."""
    with browser() as driver:
        yield driver
