"""The page of a Scrabble game in a browser: its events, and what the referee says of them."""

import json
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from games import file_of_bots, played_game
from tests.browser import axe, open_page, resize
from tests.needs import OpenWindow
from tests.process import rowdraw
from tests.random_games import player
from tests.report.test_pages import texts
from tests.web.pages import click, count, keys, width
from verify.scrabble.gcg import Kind, write_gcg
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

BEGUN = """\
#player1 ann Ann
#player2 bob Bob
#lexicon enable1
>ann: ABDEEGR 8H GRAB +14 14
"""


def page_of(file: Path, *options: str) -> Path:
    page = file.with_suffix(".html")
    rowdraw("show", file, "--format", "html", "-o", page, *options)
    return page


@pytest.fixture(scope="module")
def whole_game(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of a game; its page is next to it."""
    file = tmp_path_factory.mktemp("game") / "game.gcg"
    begun = file_of_bots(tile_set("english"), "enable1", 3)
    file.write_text(write_gcg(played_game(begun, (player(), player())).file))
    page_of(file)
    return file


def test_keys_and_marks_of_the_chart_step_through_all_events(
    chrome: "Chrome", whole_game: Path
) -> None:
    from selenium.webdriver.common.keys import Keys

    verdict = judge_game(whole_game.read_bytes(), str(whole_game))
    open_page(chrome, whole_game.with_suffix(".html"))
    laid = 0
    for number, right in enumerate(verdict.steps, start=1):
        assert texts(chrome, "#which") == [f"move {number} of {len(verdict.steps)}"]
        assert texts(chrome, "tr.current td:last-child") == [str(right.total)]
        fresh = count(chrome, ".square.fresh")
        laid += fresh
        assert count(chrome, ".square.laid") == laid
        assert count(chrome, ".tile.played") == fresh
        assert str(right.total) in texts(chrome, ".players li.current strong")
        keys(chrome, Keys.ARROW_RIGHT)
    assert laid == len(verdict.grid)
    mark = "document.querySelectorAll('circle.mark')[6].dispatchEvent(new Event('click'))"
    chrome.execute_script(mark)
    assert texts(chrome, "#which") == [f"move 7 of {len(verdict.steps)}"]
    # the unseen tiles are those of the bag and of the other rack
    unseen = 100 - count(chrome, ".square.laid:not(.fresh)") - 7
    told = f"{unseen} tiles, {unseen - 7} of them in the bag"
    assert texts(chrome, "[data-part=bag]")[0] == told


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
    assert count(chrome, "main b, main i") == 0
    # the tiles of the phony lie on the board for one event, then their squares are marked
    click(chrome, "tr[data-turn='3'] button")
    assert count(chrome, ".square.lifted") == 3


def test_each_turn_of_a_page_says_its_rank_and_what_the_best_move_has_more_if_asked(
    chrome: "Chrome", tmp_path: Path
) -> None:
    file = tmp_path / "game.gcg"
    file.write_text(BEGUN)
    open_page(chrome, page_of(file, "--best"))
    (compared,) = rowdraw("scrabble", "best", file, "--all").stdout.splitlines()
    rank, points, equity, place, tiles, score = compared.split("\t")[7:13]
    more = f"{int(points):+d} points, {float(equity):+.2f} of equity"
    assert texts(chrome, "[data-part=remarks] .quiet") == [
        f"rank {rank}; the best move, {place} {tiles}, +{score}: {more}"
    ]
    assert rank != "1"


def test_it_passes_axe_and_needs_no_sideways_scrolling(
    browser: OpenWindow, whole_game: Path
) -> None:
    page = whole_game.with_suffix(".html").as_uri()
    with browser() as driver:
        for size, dark in (((380, 800), False), ((640, 360), True), ((1400, 900), False)):
            resize(driver, *size, dark)
            driver.get(f"{page}#turn-9")
            assert axe(driver) == []
            assert width(driver) <= size[0]
        bottom = "return document.querySelector('.board').getBoundingClientRect().bottom"
        assert driver.execute_script(bottom) <= 900


def test_a_rack_is_shown_to_others_as_the_next_event_of_its_player_gives_it(
    chrome: "Chrome", whole_game: Path
) -> None:
    open_page(chrome, whole_game.with_suffix(".html"))
    (data,) = texts(chrome, "script[type='application/json']")
    for one, other in pairwise(json.loads(data)["scrabble"]["events"]):
        if other["kind"] != Kind.RACK.value:
            assert one["racks"][other["player"]] == other["rack"]
