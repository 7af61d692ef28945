"""Pages in a real browser step through games, need no network, and say what the referee says."""

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.browser import axe, open_page, resize
from tests.needs import OpenWindow
from tests.process import rowdraw
from tests.web.pages import click, count, keys, wait, width
from verify import judge, load_rules

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

INVALID = "-6 s?l?mnized solemnized\n10 ape ape\n2 outmoves outmovez\n# score 961\n3 zzz zzz\n"


@pytest.fixture
def record(root: Path) -> Path:
    return root / "results" / "challenge" / "1042.txt"


def page_of(tmp_path: Path, *arguments: str) -> Path:
    tmp_path.mkdir(exist_ok=True)
    page = tmp_path / "game.html"
    done = rowdraw("show", *arguments, "--format", "html", "-o", page)
    assert done.stderr == ""
    return page


def texts(driver: "Chrome", selector: str) -> list[str]:
    code = "return [...document.querySelectorAll(arguments[0])].map(e => e.textContent.trim())"
    return list(driver.execute_script(code, selector))


def test_arrow_keys_and_slider_step_through_all_turns(
    chrome: "Chrome", tmp_path: Path, record: Path
) -> None:
    from selenium.webdriver.common.keys import Keys

    verdict = judge(record.read_bytes(), load_rules("challenge"))
    page = page_of(tmp_path, str(record))
    open_page(chrome, page)
    assert count(chrome, "[data-part=row] li") == 100
    places = """return ['#next', '[data-part=leave]', '.chart'].map(name => {
        const { x, y } = document.querySelector(name).getBoundingClientRect(); return [x, y]; })"""
    first = chrome.execute_script(places)
    for number, turn in enumerate(verdict.turns, start=1):
        assert chrome.execute_script(places) == first
        assert texts(chrome, "#which") == [f"turn {number} of {len(verdict.turns)}"]
        assert texts(chrome, "[data-part=sum]") == [
            f"{turn.word}: {turn.score} points, {turn.total} in all"
        ]
        points = [int(text) for text in texts(chrome, "[data-part=play] strong")]
        assert sum(points) == turn.score
        assert count(chrome, "[data-part=rack] li") == len(turn.rack)
        assert count(chrome, "[data-part=leave] .tile") == len(turn.rack) - len(turn.play)
        assert count(chrome, "[data-part=row] .now") == len(turn.left) + len(turn.right)
        keys(chrome, Keys.ARROW_RIGHT)
    assert texts(chrome, "#which") == ["turn 13 of 13"]
    slider = chrome.find_element("id", "turn")
    slider.send_keys(Keys.HOME)
    keys(chrome, Keys.ARROW_LEFT)
    assert texts(chrome, "#which") == ["turn 1 of 13"]
    click(chrome, "#next")
    assert slider.get_attribute("aria-valuetext") == "turn 2 of 13"
    keys(chrome, Keys.ARROW_RIGHT, Keys.ARROW_LEFT)
    click(chrome, "#back")
    assert texts(chrome, "#which") == ["turn 1 of 13"]
    click(chrome, "tr[data-turn='9']")
    assert texts(chrome, "#which") == ["turn 9 of 13"]
    assert texts(chrome, ".total") == [f"{verdict.score} points"]
    assert texts(chrome, "tbody tr:last-child td:last-child") == [str(verdict.score)]
    assert chrome.current_url.endswith("#turn-9")


def test_a_link_names_a_turn_and_arrows_down_scroll(
    browser: OpenWindow, tmp_path: Path, record: Path
) -> None:
    from selenium.webdriver.common.keys import Keys

    page = page_of(tmp_path, str(record))
    with browser(width=1000, height=500) as low:
        low.get(f"{page.resolve().as_uri()}#turn-7")
        assert texts(low, "#which") == ["turn 7 of 13"]
        keys(low, Keys.ARROW_DOWN, Keys.ARROW_DOWN)
        wait(lambda: low.execute_script("return scrollY") > 0)
        assert texts(low, "#which") == ["turn 7 of 13"]
        low.execute_script("location.hash = 'turn-99'")
        wait(lambda: texts(low, "#which") == ["turn 13 of 13"])


def test_pages_pass_axe_and_fit_a_laptop_and_a_phone(
    browser: OpenWindow, tmp_path: Path, record: Path
) -> None:
    page = page_of(tmp_path, str(record))
    other = record.parents[2] / "examples/other.txt"
    both = page_of(tmp_path / "both", str(record), "--against", str(other))
    tall = "return document.documentElement.scrollHeight"
    with browser() as window:
        for size, dark in (((380, 800), True), ((1400, 900), False)):
            resize(window, *size, dark)
            open_page(window, both)
            assert axe(window) == []
            open_page(window, page)
            assert axe(window) == []
            assert width(window) <= size[0]
        assert window.execute_script(tall) <= 900


def test_an_invalid_game_is_shown_past_its_violations_each_in_place(
    chrome: "Chrome", tmp_path: Path
) -> None:
    from selenium.webdriver.common.keys import Keys

    file = tmp_path / "bad.txt"
    file.write_text(INVALID)
    verdict = judge(file.read_bytes(), load_rules("challenge"))
    open_page(chrome, page_of(tmp_path, str(file)))
    assert texts(chrome, "strong.bad") == ["invalid"]
    assert chrome.title.startswith("invalid, bad.txt: ")
    assert texts(chrome, "section.bad li") == [
        "line 4: score-claim: claims a score of 961: expected 273"
    ]
    for turn in verdict.turns:
        faults = [fault for fault in verdict.violations if fault.line == turn.line]
        here = [f"line {fault.line}: {fault.code}: {fault.message}" for fault in faults]
        assert texts(chrome, "[data-part=faults] p") == here
        assert count(chrome, "[data-part=following]:not([hidden])") == 0
        keys(chrome, Keys.ARROW_RIGHT)
    assert count(chrome, ".phantom") == 3
    assert texts(chrome, "#which") == ["turn 4 of 4"]


def test_two_games_step_together(chrome: "Chrome", tmp_path: Path, record: Path) -> None:
    from selenium.webdriver.common.keys import Keys

    other = tmp_path / "other.txt"
    other.write_text("6 s?l?mnized solemnized\n")
    open_page(chrome, page_of(tmp_path, str(record), "--against", str(other)))
    assert texts(chrome, ".standing")[0].startswith(
        "After turn 1: 141 against 141 (0). The games agree until other.txt ends"
    )
    keys(chrome, Keys.ARROW_RIGHT)
    assert texts(chrome, "tr.current td:last-child") == ["+54"]
    assert texts(chrome, "[data-part=sum]") == [
        "outmove: 54 points, 195 in all",
        "solemnized: 141 points, 141 in all",
    ]
    assert texts(chrome, "h2")[0] == "1042.txt"


def test_names_and_words_from_files_are_text(chrome: "Chrome", tmp_path: Path) -> None:
    evil = "</script><script>document.title='owned'</script><img src=x onerror=alert(1)>"
    puzzle = tmp_path / "p.toml"
    puzzle.write_text(f'name = "<script>{evil}"\nrow = "tea"\nrack = 3\n')
    file = tmp_path / "<b>&'game.txt"
    file.write_text(f"4 tea tea\n{evil}\n")
    page = page_of(tmp_path, str(file), "--puzzle", str(puzzle))
    open_page(chrome, page)
    assert chrome.title.startswith("invalid, <b>&'game.txt: ")
    assert "<script></script><script>document.title='owned'</script>" in chrome.title
    assert texts(chrome, "[data-part=sum]")[0].startswith("tea: ")
    assert count(chrome, "img, article svg:not(.chart), b") == 0


def test_screen_readers_get_what_is_seen(chrome: "Chrome", tmp_path: Path, record: Path) -> None:
    open_page(chrome, page_of(tmp_path, str(record)))
    unnamed = """return [...document.querySelectorAll('button, input, [role=img], ol')]
        .filter(e => !(e.getAttribute('aria-label') || e.textContent.trim())).length"""
    assert chrome.execute_script(unnamed) == 0
    labels = texts(chrome, "[data-part=rack] .unseen")
    assert labels[0] == "s, value 1, just drawn from the left"
    assert "blank, value 0, just drawn from the left" in labels
    play = texts(chrome, "[data-part=play] .unseen")
    assert play[1] == "o as a blank: position 2 times value 0 is 0"
    assert play[7] == "z: position 8 times value 10 is 80"
