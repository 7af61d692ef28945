"""The page of a Scrabble game in a real browser: it steps through the events, asks the network for
nothing, and says what the
referee says."""

from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from games import played_game
from solver.scrabble.game import game_text, setup_of
from tests.browser import axe, console_errors, open_page, requests, resize
from tests.needs import OpenWindow
from tests.process import rowdraw
from tests.report.test_pages import texts
from tests.web.board_pages import player
from tests.web.pages import keys
from verify.scrabble.gcg import Kind
from verify.scrabble.judge import judge_game
from verify.scrabble.tiles import tile_set

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

# a wrong score, a phony that is challenged off, an exchange and a play that leaves the board
FAULTY = """\
#player1 ann Ann
#player2 bob <b>Bob</b>
#lexicon enable1
#note begun <i>late</i>
>ann: ABDEEGR 8H GRABED +26 26
>bob: AESTTVX I7 V.EX +19 19
#note hm </script><script>document.title='owned'</script>
>bob: AESTTVX -- -19 0
>ann: EIOSTUV -EI +0 26
>bob: AESTTVX 8O TAXES +80 80
"""


def page_of(file: Path, *arguments: str) -> Path:
    page = file.with_suffix(".html")
    rowdraw("show", str(file), "--format", "html", "-o", str(page), *arguments)
    return page


@cache
def whole_game_text() -> str:
    bot = player()
    return game_text(played_game(setup_of(tile_set("english"), "enable1", 3), (bot, bot)))


def whole_game(folder: Path) -> Path:
    file = folder / "game.gcg"
    file.write_text(whole_game_text())
    return file


def test_keys_slider_and_table_step_through_all_events(chrome: "Chrome", tmp_path: Path) -> None:
    from selenium.webdriver.common.keys import Keys

    file = whole_game(tmp_path)
    verdict = judge_game(file.read_bytes(), str(file))
    page = page_of(file)
    requests(chrome)
    open_page(chrome, page)
    laid = 0
    for number, right in enumerate(verdict.steps, start=1):
        assert texts(chrome, "#which") == [f"move {number} of {len(verdict.steps)}"]
        assert texts(chrome, "tr.current td:last-child") == [str(right.total)]
        fresh = len(texts(chrome, ".square.fresh"))
        laid += fresh
        assert len(texts(chrome, ".square.laid")) == laid
        assert len(texts(chrome, ".tile.played")) == fresh
        assert str(right.total) in texts(chrome, ".players li.current strong")
        keys(chrome, Keys.ARROW_RIGHT)
    assert laid == len(verdict.grid)
    keys(chrome, Keys.ARROW_LEFT)
    assert texts(chrome, "#which") == [f"move {len(verdict.steps) - 1} of {len(verdict.steps)}"]
    chrome.find_element("css selector", "tr[data-turn='4'] button").click()
    assert chrome.current_url.endswith("#turn-4")
    chrome.find_element("id", "back").click()
    chrome.execute_script(
        "document.querySelectorAll('circle.mark')[6].dispatchEvent(new Event('click'))"
    )
    assert texts(chrome, "#which") == [f"move 7 of {len(verdict.steps)}"]
    # the unseen tiles are those of the bag and of the other rack
    unseen = texts(chrome, "[data-part=bag]")[0]
    assert (
        unseen
        == f"{100 - laid_before(chrome) - 7} tiles, {100 - laid_before(chrome) - 14} of them in the bag"
    )
    assert console_errors(chrome) == []
    assert requests(chrome) == [page.resolve().as_uri()]


def laid_before(driver: "Chrome") -> int:
    return len(texts(driver, ".square.laid:not(.fresh)"))


def test_faults_phonies_and_claims_stand_at_their_events_and_texts_from_files_are_text(
    chrome: "Chrome", tmp_path: Path
) -> None:
    from selenium.webdriver.common.keys import Keys

    file = tmp_path / "faulty.gcg"
    file.write_text(FAULTY)
    verdict = judge_game(file.read_bytes(), str(file))
    assert not verdict.valid
    open_page(chrome, page_of(file))
    assert "INVALID" in texts(chrome, ".verdict strong.bad")[0]
    assert texts(chrome, ".note") == ["begun <i>late</i>"]
    shown = []
    for _event in verdict.steps:
        shown += texts(chrome, "[data-part=remarks] .bad")
        keys(chrome, Keys.ARROW_RIGHT)
    faults = [f"{fault.code}: {fault.message}" for fault in verdict.violations if fault.line]
    assert [text for text in shown if not text.startswith("The file claims")] == faults
    assert any(text.startswith("The file claims") for text in shown)
    phonies = texts(chrome, "table .phony")
    assert len(phonies) == len(verdict.phonies) > 0
    assert any("challenged off by ann" in text for text in phonies)
    assert "hm </script><script>document.title='owned'</script>" in texts(chrome, "table .quiet")
    assert chrome.title.startswith("faulty.gcg")
    assert chrome.execute_script("return document.querySelectorAll('main b, main i').length") == 0
    # the tiles of the phony lie on the board for one event, then their squares are marked
    chrome.find_element("css selector", "tr[data-turn='3'] button").click()
    assert len(texts(chrome, ".square.lifted")) == 3
    assert console_errors(chrome) == []


def test_it_passes_axe_and_needs_no_sideways_scrolling(browser: OpenWindow, tmp_path: Path) -> None:
    page = page_of(whole_game(tmp_path))
    wide = "return document.documentElement.scrollWidth - document.documentElement.clientWidth"
    with browser() as driver:
        for width, height, dark in ((380, 800, False), (640, 360, True), (1400, 900, False)):
            resize(driver, width, height, dark)
            driver.get(f"{page.resolve().as_uri()}#turn-9")
            assert axe(driver) == []
            assert driver.execute_script(wide) <= 0
        bottom = "return document.querySelector('.board').getBoundingClientRect().bottom"
        assert driver.execute_script(bottom) <= 900


def test_a_rack_is_shown_to_others_as_the_next_event_of_its_player_gives_it(tmp_path: Path) -> None:
    import json
    import re

    file = whole_game(tmp_path)
    verdict = judge_game(file.read_bytes(), str(file))
    data = re.search(
        r'<script type="application/json">(.*?)</script>', page_of(file).read_text(), re.DOTALL
    )
    assert data is not None
    events = json.loads(data[1])["scrabble"]["events"]
    assert [event["total"] for event in events] == [right.total for right in verdict.steps]
    for one, other in pairwise(events):
        if other["kind"] != Kind.RACK.value:
            assert one["racks"][other["player"]] == other["rack"]
