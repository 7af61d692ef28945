"""One game in two tabs of a real browser: a tab follows the other one, and no game replaces another one."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from tests.web.pages import click, has_score, keys, opened, shot, text, texts, wait
from tests.web.serving import Server

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

pytestmark = pytest.mark.usefixtures("no_searches")

# a tab that hears nothing of the other one, as while the browser has put it to sleep
_ASLEEP = "Object.defineProperty(StorageEvent.prototype, 'key', { get: () => 'another one' })"


def play(page: "Chrome", word: str) -> None:
    keys(page, *word, "\n")
    wait(lambda: word in text(page, "side-turns"))


@pytest.fixture
def tabs(page: "Chrome", server: Server) -> Iterator[tuple[str, str]]:
    """Two tabs with the same game of one turn; the second is in front."""
    opened(page, server)
    play(page, "zest")
    before = set(page.window_handles)
    page.execute_script("window.open(arguments[0])", page.current_url)
    first, (second,) = page.current_window_handle, set(page.window_handles) - before
    page.switch_to.window(second)
    wait(lambda: "zest" in text(page, "side-turns"))
    assert not page.find_element("id", "visit").is_displayed()
    yield first, second
    page.switch_to.window(second)
    page.close()
    page.switch_to.window(first)


def test_a_tab_follows_the_other_one(page: "Chrome", tabs: tuple[str, str]) -> None:
    play(page, "toast")
    page.switch_to.window(tabs[0])
    wait(lambda: "toast" in text(page, "side-turns"))
    wait(lambda: "Another tab went on with this game" in text(page, "message"))
    shot(page, "other-tab")
    click(page, "#undo")
    page.switch_to.window(tabs[1])
    wait(lambda: "toast" not in text(page, "side-turns"))
    click(page, "#redo")
    wait(lambda: "toast" in text(page, "side-turns"))
    # the window of a second tab is narrow: the views are in the menu
    page.execute_script("document.getElementById('tab-games').click()")
    assert len(texts(page, "#view-games .entry")) == 1


def test_games_that_part_in_two_tabs_are_both_kept(page: "Chrome", tabs: tuple[str, str]) -> None:
    page.execute_script(_ASLEEP)
    page.switch_to.window(tabs[0])
    play(page, "toast")
    page.switch_to.window(tabs[1])
    play(page, "taste")
    assert "both games are in My games" in text(page, "message")
    # the window of a second tab is narrow: the views are in the menu
    page.execute_script("document.getElementById('tab-games').click()")
    wait(lambda: len(texts(page, "#view-games .entry")) == 2)
    shot(page, "games-of-two-tabs")
    page.refresh()
    wait(lambda: has_score(page, 34))
    page.switch_to.window(tabs[0])
    assert "toast" in text(page, "side-turns")
