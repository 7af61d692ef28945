"""The browser of the tests of pages."""

import pytest

from tests.needs import OpenWindow


def test_a_tab_that_crashes_leaves_the_next_window_whole(browser: OpenWindow) -> None:
    from selenium.common.exceptions import WebDriverException

    with browser() as crashed, pytest.raises(WebDriverException, match="crashed"):
        crashed.get("chrome://crash")
    with browser() as driver:
        driver.get("data:text/html,<title>whole</title>")
        assert driver.title == "whole"
