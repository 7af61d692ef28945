"""The site in a real browser: below a sub-path of a static host, and after the host is gone."""

import json
import re
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from solver.lab.records import recorded_games
from solver.web import site as site_module
from solver.web.site import site_files, write_site
from tests.browser import console_errors, requests
from tests.needs import OpenWindow
from tests.web.pages import LAPTOP, PHONE, await_text, click, fill, go, keys, look, shot, text, wait
from tests.web.serving import hosting

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

# every file of the site is kept, so that no other request follows
_KEPT = """
const done = arguments[0];
navigator.serviceWorker.ready.then(async () => {
  const [name] = await caches.keys();
  done(name ? (await (await caches.open(name)).keys()).length : 0);
});
"""
_EVICT = """
const [done] = arguments;
caches.keys().then((names) => Promise.all(names.map((name) => caches.delete(name)))).then(done);
"""
_MANIFEST = "fetch('manifest.webmanifest').then((answer) => answer.text()).then(arguments[0])"


@pytest.fixture
def page(browser: OpenWindow, site: Path) -> Iterator["Chrome"]:
    with hosting(site) as address, browser(*LAPTOP) as driver:
        go(driver, f"{address}#row=tea%3Fsetsoatzest")
        yield driver
        assert console_errors(driver) == []
        addresses = [url for url in requests(driver) if url.startswith("http")]
        assert addresses
        assert all(url.startswith(address) for url in addresses)


def kept_files() -> int:
    """Return the number of addresses that the service worker keeps."""
    return len(json.loads(re.findall(r"const FILES = (.*);", site_files()["sw.js"].decode())[0]))


def play_zest(driver: "Chrome") -> None:
    keys(driver, *"zest", "\n")
    await_text(driver, "message", "zest: ")


def judged(page: "Chrome", text: str) -> None:
    fill(page, "answers", text)
    click(page, "#view-judge button.main")


def test_a_plain_answer_is_judged_and_its_fault_shown_and_a_post_is_left_to_verify(
    page: "Chrome",
) -> None:
    click(page, "#tab-judge")
    judged(page, "\n".join(["# puzzle challenge", *recorded_games()["challenge"]]))
    await_text(page, "verdicts", "valid on challenge")
    judged(page, "u/ann\n\n5 zest zest\n")
    await_text(page, "verdicts", "Line 1, “u/ann”: this is more than a plain answer")
    assert "valid" not in text(page, "verdicts")
    shot(page, "site-post")
    # one turn is right on the challenge, too
    click(page, "#judged-on option[value=open]")
    judged(page, "5 zest zest\n2 oast oasts\n")
    await_text(
        page, "verdicts", "invalid on a row of your own: line 2: “oast” does not spell “oasts”"
    )
    click(page, "#verdicts button")
    await_text(page, "dialog", "turn 2 of 2")
    assert "First fault, in line 2" in text(page, "dialog")
    shot(page, "site-fault")


def test_records_and_strategies_work_and_a_search_can_be_stopped(page: "Chrome") -> None:
    go(page, page.current_url.partition("#")[0] + "#challenge")
    click(page, "#tab-records")
    await_text(page, "view-records", "shuffled-20")
    click(page, "#tab-solve")
    click(page, "#strategy-first option[value=greedy]")
    click(page, "#view-solve .lane button.main")
    await_text(page, "view-solve", "Done: ")
    assert "Exact search" not in text(page, "view-solve")  # the solver alone has it
    second = page.find_elements("css selector", "#view-solve .lane")[1]
    start, stop, _show = second.find_elements("css selector", "button")
    start.click()
    wait(lambda: "beam 2" in second.text)
    stop.click()
    assert "Stopped" in second.text


def test_the_page_opens_from_the_browser_after_its_host_is_gone(
    browser: OpenWindow, site: Path
) -> None:
    with ExitStack() as host, browser(*PHONE) as driver:
        address = host.enter_context(hosting(site))
        go(driver, address)
        assert driver.execute_async_script(_KEPT) == kept_files()
        # as a browser that runs out of room; the next visit fills it again
        driver.execute_async_script(_EVICT)
        go(driver, f"{address}#row=tea%3Fsetsoatzest")
        wait(lambda: driver.execute_async_script(_KEPT) == kept_files())
        play_zest(driver)
        host.close()
        go(driver, f"{address}index.html")
        await_text(driver, "side-turns", "zest")
        click(driver, "#tab-review")
        await_text(driver, "side-review", "zest")
        click(driver, "#undo")
        play_zest(driver)
        shot(driver, "site-offline-phone")
        assert console_errors(driver) == []


def test_a_new_version_is_announced_and_taken_at_the_press_of_a_button(
    browser: OpenWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_site(tmp_path, site_files())
    with hosting(tmp_path) as address, browser(*LAPTOP) as driver:
        go(driver, f"{address}#row=tea%3Fsetsoatzest")
        assert driver.execute_async_script(_KEPT) == kept_files()
        play_zest(driver)
        assert text(driver, "new-version") == ""
        name = site_module._MANIFEST
        sources = {**site_module._sources(), name: b'{"name": "the new version"}'}
        monkeypatch.setattr(site_module, "_sources", lambda: sources)
        write_site(tmp_path, site_files())
        driver.refresh()
        await_text(driver, "new-version", "A new version of this page is ready")
        assert "the new version" not in driver.execute_async_script(_MANIFEST)
        look(driver, "site-new-version")
        driver.execute_script("window.isOld = true")
        click(driver, "#new-version button")
        wait(lambda: not driver.execute_script("return window.isOld"))
        await_text(driver, "side-turns", "zest")
        assert "the new version" in driver.execute_async_script(_MANIFEST)
        assert text(driver, "new-version") == ""
        assert driver.execute_async_script(_KEPT) == kept_files()
        assert console_errors(driver) == []
