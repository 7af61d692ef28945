"""The site in a real browser: below a sub-path of a static host, and after the host is gone."""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import pytest

from solver.lab.known import recorded_games
from solver.web.site import site_files
from tests.browser import browser, console_errors, requests
from tests.web.hosting import hosting
from tests.web.pages import LAPTOP, PHONE, click, go, keys, shot, text, wait

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

# every file of the site is kept, so that no other request follows
_KEPT = """
const done = arguments[0];
navigator.serviceWorker.ready.then(async () => {
  const [name] = await caches.keys();
  done((await (await caches.open(name)).keys()).length);
});
"""


@pytest.fixture
def page(site: Path) -> Iterator["Chrome"]:
    with hosting(site) as address, browser(*LAPTOP) as driver:
        go(driver, f"{address}#row=tea%3Fsetsoatzest")
        yield driver
        assert console_errors(driver) == []
        addresses = [url for url in requests(driver) if url.startswith("http")]
        assert {urlsplit(url).netloc for url in addresses} == {urlsplit(address).netloc}
        assert all(url.startswith(address) for url in addresses)


def play_zest(driver: "Chrome") -> None:
    from selenium.webdriver.common.keys import Keys

    keys(driver, *"zest", Keys.ENTER)
    wait(lambda: "zest: " in text(driver, "message"))


def test_a_game_is_played_analysed_and_undone_without_a_server(page: "Chrome") -> None:
    from selenium.webdriver.common.keys import Keys

    play_zest(page)
    keys(page, *"qqq", Keys.ENTER)
    assert "left on the rack" in text(page, "message") or "not in the word list" in text(page, "message")
    keys(page, Keys.ESCAPE)
    click(page, "#tab-plays")
    wait(lambda: len(page.find_elements("css selector", "#side-plays td.best")) >= 1)
    click(page, "#tab-review")
    wait(lambda: "zest" in text(page, "side-review"))
    keys(page, Keys.CONTROL + "z")
    assert page.current_url.endswith("#row=tea%3Fsetsoatzest")


def test_a_link_opens_the_game_for_everyone(page: "Chrome") -> None:
    address = page.current_url.partition("#")[0]
    lines = recorded_games()["challenge"]
    go(page, address + "#challenge/" + "/".join(line.replace("?", "_").replace(" ", ".") for line in lines))
    wait(lambda: text(page, "score") == "1042")  # it counts up
    go(page, address + "#challenge/6.s_l_mnized.solemnizex")
    wait(lambda: "solemnizex" in text(page, "message"))
    go(page, address + "#nosuch")
    wait(lambda: "no bundled puzzle" in text(page, "message"))


def test_answers_are_judged_and_shown_turn_by_turn(page: "Chrome") -> None:
    click(page, "#tab-judge")
    good = "\n".join(["# puzzle challenge", *recorded_games()["challenge"]])
    page.find_element("id", "answers").send_keys(f"u/ann\n\n{good}\n\nu/bob\n\n5 zest zest\n2 oast oasts\n")
    click(page, "#view-judge button.main")
    wait(lambda: "valid on challenge" in text(page, "verdicts"))
    assert "u/ann" in text(page, "verdicts")
    assert "line 21: play 'oast' has 4 tiles: expected 5" in text(page, "verdicts")
    click(page, "#verdicts td button")
    wait(lambda: "turn 1 of 13" in text(page, "dialog"))


def test_records_and_strategies_work_and_a_search_can_be_stopped(page: "Chrome") -> None:
    click(page, "#tab-records")
    wait(lambda: "shuffled-20" in text(page, "view-records"))
    click(page, "#tab-solve")
    click(page, "#strategy-first option[value=greedy]")
    click(page, "#view-solve .lane button.main")
    wait(lambda: "Done: " in text(page, "view-solve"))
    assert "Exact search" not in text(page, "view-solve")  # the solver alone has it
    second = page.find_elements("css selector", "#view-solve .lane")[1]
    start, stop, _show = second.find_elements("css selector", "button")
    start.click()
    wait(lambda: "beam 2" in second.text)
    stop.click()
    assert "Stopped" in second.text


def test_the_page_opens_from_the_browser_after_its_host_is_gone(site: Path) -> None:
    with ExitStack() as host, browser(*PHONE) as driver:
        address = host.enter_context(hosting(site))
        go(driver, f"{address}#row=tea%3Fsetsoatzest")
        # the page by both of its addresses, and all files but the service worker itself
        assert driver.execute_async_script(_KEPT) == len(site_files())
        play_zest(driver)
        host.close()
        go(driver, f"{address}index.html")
        wait(lambda: "zest" in text(driver, "side-turns"))
        click(driver, "#undo")
        play_zest(driver)
        shot(driver, "site-offline-phone")
        assert console_errors(driver) == []
