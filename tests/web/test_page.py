"""The rest of the table in a real browser: analysis, live searches, judging, records, and what it looks like."""

import json
import urllib.request
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import pytest

from solver.model.puzzle import load_puzzle
from tests.browser import axe, console_errors
from tests.needs import OpenWindow
from tests.web.pages import LAPTOP, click, keys, opened, shot, text, texts, wait
from tests.web.serving import Server, serving

if TYPE_CHECKING:
    from selenium.webdriver import Chrome


def test_best_plays_and_points_lost(page: "Chrome", server: Server) -> None:
    opened(page, server, "#challenge/6.s_l_mnize.solemnize")
    click(page, "#tab-plays")
    wait(lambda: len(page.find_elements("css selector", "#side-plays td.best")) >= 1)
    assert "within reach" in text(page, "figures")
    assert axe(page) == []
    shot(page, "best-plays")
    click(page, "#side-plays td button")
    assert "Play for" in text(page, "lay")
    click(page, "#tab-review")
    wait(lambda: "solemnized" in text(page, "side-review"))
    assert axe(page) == []
    shot(page, "points-lost")
    click(page, "#side-review td button")
    assert "would have lost less" in text(page, "message")
    assert "solemnized" in page.execute_script(
        "return [...document.querySelectorAll('#word .letter')].map(e => e.textContent).join('').toLowerCase()"
    )


def test_a_search_is_watched_stopped_and_shown(page: "Chrome", server: Server) -> None:
    opened(page, server, "#challenge")
    click(page, "#tab-solve")
    field = page.find_element("id", "seconds-first")
    field.clear()
    field.send_keys("300")
    starts = page.find_elements("css selector", ".lane .main")
    starts[0].click()
    wait(lambda: len(page.find_elements("css selector", "#curves circle")) >= 1)
    shot(page, "solve")
    page.find_elements("css selector", ".lane button")[1].click()
    assert "Stopped" in text(page, "view-solve")
    wait(lambda: len(server.searches()) <= 1)
    starts[1].click()
    wait(lambda: "Done" in text(page, "view-solve"))
    assert len(page.find_elements("css selector", "#curves polyline")) == 2
    assert axe(page) == []
    page.find_elements("css selector", ".lane button")[2].click()
    wait(lambda: "turn 1 of" in text(page, "dialog"))
    page.find_element("css selector", "#shown-turn").send_keys("\ue010")
    click(page, "//button[.='Play on from here']", "xpath")
    wait(lambda: len(page.find_elements("css selector", "#side-turns tbody tr")) > 5)


def test_answers_are_judged_and_the_first_fault_is_shown(page: "Chrome", server: Server) -> None:
    opened(page, server, "#challenge")
    click(page, "#tab-judge")
    page.find_element("id", "answers").send_keys("6 s?l?mnize solemnize\n3 <b>x</b> <b>x</b>\n")
    click(page, "#view-judge .main")
    wait(lambda: "invalid: line 2" in text(page, "verdicts"))
    assert page.find_elements("css selector", "#verdicts .bad b") == []
    assert axe(page) == []
    shot(page, "judge")
    click(page, "#verdicts button")
    wait(lambda: "turn 2 of 2" in text(page, "dialog"))
    assert "First fault, in line 2" in text(page, "dialog")
    assert axe(page) == []
    shot(page, "fault")


def test_dropped_files_are_judged_and_one_is_shown_beside_the_own_game(page: "Chrome", server: Server) -> None:
    opened(page, server, "#challenge/6.s_l_mnize.solemnize")
    click(page, "#tab-judge")
    page.execute_script(
        """const files = new DataTransfer();
        files.items.add(new File(["6 s?l?mnized solemnized\\n9 outmove outmove\\n"], "one.txt"));
        files.items.add(new File(["6 s?l?mnized solemnized\\n"], "other.txt"));
        const dropped = new DragEvent("drop", { dataTransfer: files, bubbles: true, cancelable: true });
        document.querySelector(".drop").dispatchEvent(dropped);"""
    )
    wait(lambda: len(page.find_elements("css selector", "#verdicts .entry")) == 2)
    scores = texts(page, "#verdicts .entry b")
    assert scores == ["195", "141"]
    click(page, "//button[.='Against yours']", "xpath")
    wait(lambda: "turn 1 of 2" in text(page, "dialog"))
    standing = page.find_element("css selector", ".standing").text
    parting = "The games part in turn 1: “6 s?l?mnized solemnized” and “6 s?l?mnize solemnize”."
    assert standing == f"After turn 1: 141 against 121 (+20). {parting}"
    assert axe(page) == []
    shot(page, "two-games")
    click(page, "//button[.='Close']", "xpath")


def test_pasted_answers_bear_their_authors_names_and_are_held_against_a_game_only_where_there_is_one(
    page: "Chrome", server: Server
) -> None:
    opened(page, server, "#challenge")
    click(page, "#tab-judge")
    pasted = "**u/ann**\\n6 s?l?mnized solemnized\\n\\n**u/ben**\\n# puzzle nope\\n3 asp asp\\n"
    page.execute_script(f"document.getElementById('answers').value = '{pasted}'")
    click(page, "#view-judge .main")
    wait(lambda: len(page.find_elements("css selector", "#verdicts .entry")) == 2)
    assert texts(page, "#verdicts strong") == ["u/ann", "u/ben"]
    assert "line 0" not in text(page, "verdicts")
    assert "Against yours" not in text(page, "verdicts")
    opened(page, server, "#challenge/6.s_l_mnize.solemnize")
    click(page, "#tab-judge")
    page.execute_script(f"document.getElementById('answers').value = '{pasted}'")
    click(page, "#view-judge .main")
    wait(lambda: "Against yours" in text(page, "verdicts"))


def test_a_game_of_scrabble_is_named_as_such_and_judge_waits_for_the_row(page: "Chrome", server: Server) -> None:
    opened(page, server)
    click(page, "#tab-judge")
    game = "#player1 a A\\n#player2 b B\\n>a: EEGIMSU 8H GEMS +14 14\\n"
    page.execute_script(f"document.getElementById('answers').value = '{game}'")
    click(page, "#view-judge .main")
    wait(lambda: "This is a game of Scrabble" in text(page, "verdicts"))
    # the puzzles are still on their way
    hold = "window.fetch = () => new Promise(() => {});"
    held = page.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": hold})
    page.get(f"{server.address}?held")
    wait(lambda: page.find_elements("css selector", "#view-judge .main"))
    click(page, "#tab-judge")
    click(page, "#view-judge .main")
    assert "The row is still loading" in text(page, "verdicts")
    page.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", held)


def test_a_search_that_the_clock_ends_says_so(page: "Chrome", server: Server) -> None:
    opened(page, server, "#challenge")
    click(page, "#tab-solve")
    field = page.find_element("id", "seconds-first")
    field.clear()
    field.send_keys("1")
    click(page, ".lane .main")
    wait(lambda: "The time is up: the best game so far has" in text(page, "view-solve"))


@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_tiles_fly_only_where_motion_is_wanted(browser: OpenWindow, server: Server, motion: str) -> None:
    with browser(*LAPTOP) as driver:
        features = [{"name": "prefers-reduced-motion", "value": motion}]
        driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
        opened(driver, server, "#challenge/6.s_l_mnized.solemnized/9.outmove.outmove")
        click(driver, "//button[.='Step through the game']", "xpath")
        wait(lambda: "turn 1 of 2" in text(driver, "dialog"))
        count = "document.getElementById('shown-next').click(); return document.getAnimations().length"
        assert driver.execute_script(count) == (0 if motion == "reduce" else 10)


def test_a_row_without_a_record_gets_a_bound(page: "Chrome", server: Server) -> None:
    opened(page, server, f"#row={load_puzzle('challenge').row[:45]}")
    wait(lambda: "no game exceeds" in text(page, "figures"), 120)
    assert "best known" in text(page, "figures")


def test_a_game_is_shared_in_every_form(page: "Chrome", server: Server) -> None:
    opened(page, server, "#challenge/6.s_l_mnize.solemnize")
    click(page, "#share")
    for number, part in enumerate(
        ("#challenge/6.s_l_mnize", "6 s?l?mnize solemnize", "    6 s?l", "```text", '"turns"', "<svg")
    ):
        page.find_elements("css selector", "#dialog .fields button")[number].click()
        wait(lambda part=part: part in page.execute_script("return document.querySelector('#dialog textarea').value"))
    assert axe(page) == []


def test_new_games_come_from_a_name_a_number_and_a_row(page: "Chrome", server: Server) -> None:
    opened(page, server)
    seen = set()
    for choice in range(3):
        click(page, "#new")
        wait(lambda: page.find_elements("css selector", "#bundled option"))
        if choice == 2:
            page.find_element("id", "own-row").send_keys("tea1")
            page.find_elements("css selector", "#dialog form.fields button")[2].click()
            wait(lambda: "the row" in text(page, "dialog"))
            page.find_element("id", "own-row").send_keys("\b\btatoe")
        page.find_elements("css selector", "#dialog form.fields button")[choice].click()
        wait(lambda: not page.find_element("id", "dialog").is_displayed())
        seen.add(text(page, "title"))
    assert len(seen) == 3


def test_a_lost_connection_is_told_and_mended(laptop: "Chrome") -> None:
    with serving() as server:
        opened(laptop, server)
        port = urlsplit(server.address).port
        keys(laptop, *"zest", "\n")
        wait(lambda: "zest" in text(laptop, "side-turns"))
        server.process.terminate()
        server.process.wait(timeout=30)
        # the page plays by its own engine; only its server proves
        keys(laptop, *"toast", "\n")
        wait(lambda: "toast" in text(laptop, "side-turns"))
        click(laptop, "#tab-solve")
        click(laptop, ".lane .main")
        wait(lambda: laptop.find_element("id", "offline").is_displayed())
        assert "does not answer" in text(laptop, "view-solve")
    with serving("--port", str(port)):
        wait(lambda: not laptop.find_element("id", "offline").is_displayed())
        assert "does not answer" not in text(laptop, "view-solve")
    laptop.get_log("browser")


def test_the_page_has_the_words_of_the_servers_own_puzzle(browser: OpenWindow, tmp_path: Path) -> None:
    (tmp_path / "words.txt").write_text("zzyx\nab\nabab\n" + "x" * 40 + "\n")
    (tmp_path / "mine.toml").write_text('name = "mine"\nrow = "xyzzabab"\nrack = 7\nbonus = 5\nvalues = { z = 3 }\n')
    with serving(str(tmp_path / "mine.toml"), "--words", str(tmp_path / "words.txt")) as server, browser(*LAPTOP) as driver:
        data = json.loads(urllib.request.urlopen(f"{server.address}static/data/puzzles.json").read())
        assert (data["own"]["row"], data["own"]["rack"], data["own"]["bonus"]) == ("xyzzabab", 7, 5)
        opened(driver, server, "#own=true")
        click(driver, "#tab-plays")
        wait(lambda: "zzyx" in text(driver, "side-plays"))
        assert "abab" in text(driver, "side-plays")
        assert console_errors(driver) == []
