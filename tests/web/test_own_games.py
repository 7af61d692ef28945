"""The player's own games: nothing that is only looked at, and no other tab, replaces them."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.browser import console_errors
from tests.web.pages import (
    ROW,
    await_count,
    await_score,
    await_text,
    click,
    count,
    fill,
    go,
    is_shown,
    keys,
    look,
    opened,
    second_tab,
    shot,
    show,
    text,
    texts,
    wait,
)
from tests.web.serving import serving

if TYPE_CHECKING:
    from selenium.webdriver import Chrome


# which games are kept does not depend on what searches find meanwhile
pytestmark = pytest.mark.usefixtures("no_searches")


FIRST, OTHER = "#challenge/6.s_l_mnized.solemnized", "#challenge/6.s_l_mnize.solemnize"


def play_word(page: "Chrome", word: str) -> None:
    keys(page, *word, "\n")
    await_text(page, "side-turns", word)


@pytest.mark.long
def test_a_link_replaces_no_game_of_the_player(page: "Chrome") -> None:
    for start, word in (("#challenge", "moves"), (ROW, "zest")):
        opened(page, start)
        play_word(page, word)
    for link in (OTHER, "#%E0"):
        opened(page, link)
        opened(page, "")
        await_text(page, "side-turns", "zest")
        opened(page, "#challenge")
        await_text(page, "side-turns", "moves")


def test_a_game_of_a_link_is_the_players_own_once_a_turn_is_played(page: "Chrome") -> None:
    opened(page, OTHER)
    assert "Not your own game" in text(page, "visit")
    assert not is_shown(page, "coach")
    play_word(page, "move")
    assert not is_shown(page, "visit")
    opened(page, "")
    await_text(page, "side-turns", "move")


def test_records_go_on_with_the_own_game(page: "Chrome") -> None:
    opened(page, "#challenge")
    play_word(page, "moves")
    click(page, "#tab-records")
    await_text(page, "view-records", "shuffled-20")
    assert "12 (1 %)" in text(page, "view-records")  # the player's best
    assert page.find_element("css selector", "#view-records [href='solved.html']").is_displayed()
    look(page, "records")
    click(page, "#view-records tbody tr:first-child button")
    wait(lambda: is_shown(page, "side-turns"))
    await_text(page, "side-turns", "moves")


def test_own_games_outlive_start_over_reload_another_game_and_their_removal(page: "Chrome") -> None:
    opened(page)
    play_word(page, "zest")
    click(page, "[data-key=over]")
    await_score(page, 0)
    page.refresh()
    wait(lambda: text(page, "figures") != "")
    click(page, "#redo")
    await_text(page, "side-turns", "zest")
    click(page, "#tab-games")
    assert count(page, "#view-games .entry") == 1
    click(page, "#tab-play")
    click(page, "[data-key=over]")
    play_word(page, "tees")  # another game on the row
    click(page, "#tab-games")
    rows = texts(page, "#view-games .entry")
    assert len(rows) == 2
    assert all("a row of your own" in row and "1" in row for row in rows)
    look(page, "my-games")
    click(page, "//section[@id='view-games']//button[.='Remove']")
    assert count(page, "#view-games .entry") == 1
    click(page, "//button[.='Bring it back']")
    click(page, "#view-games .entry:nth-child(2) button", 0)
    await_text(page, "side-turns", "zest")


def test_a_finished_game_stays_when_some_of_its_turns_are_played_differently(
    page: "Chrome",
) -> None:
    opened(page, "#row=teas")
    keys(page, *"teas", "\n")
    wait(lambda: is_shown(page, "end"))
    click(page, "#undo")
    play_word(page, "eat")
    click(page, "#tab-games")
    assert count(page, "#view-games .entry") == 1
    assert "eat" in page.current_url


def test_a_game_that_was_begun_goes_on_and_a_game_shown_gives_the_one_before_back(
    page: "Chrome",
) -> None:
    opened(page)
    play_word(page, "zest")
    click(page, "#new")
    click(page, "#any")
    await_text(page, "title", "Shuffled tiles, number")
    click(page, "#new")
    fill(page, "what", "tea?setsoatzest\n")
    await_text(page, "side-turns", "zest")
    click(page, "#tab-records")
    await_text(page, "view-records", "shuffled-20")
    click(page, "#view-records tbody tr:first-child button", 1)
    await_text(page, "dialog", "turn 1 of 13")
    for _turn in range(3):
        click(page, "#shown-next")
    look(page, "record")
    click(page, "//button[.='Play on from here']")
    await_score(page, 325)
    click(page, "//button[.='Back to your game of 1 turn']")
    await_text(page, "side-turns", "zest")


def test_back_goes_to_the_view_and_the_game_before_and_stays_on_the_page(page: "Chrome") -> None:
    opened(page)
    play_word(page, "zest")
    click(page, "#tab-judge")
    page.back()
    wait(lambda: is_shown(page, "view-play"))
    click(page, "#new")
    fill(page, "what", "teas\n")
    await_text(page, "title", "4 tiles")
    page.back()
    await_text(page, "side-turns", "zest")
    page.forward()
    await_text(page, "title", "4 tiles")
    page.execute_script("location.hash = arguments[0]", FIRST)
    await_score(page, 141)
    assert page.current_url.endswith(f"/{FIRST}")


@pytest.mark.long
def test_a_servers_own_puzzle_has_its_own_words_and_a_way_back_to_it(
    laptop: "Chrome", tmp_path: Path
) -> None:
    (tmp_path / "words.txt").write_text("zzyx\nab\nabab\n" + "x" * 40 + "\n")
    (tmp_path / "mine.toml").write_text(
        'name = "mine"\nrow = "xyzzabab"\nrack = 8\nbonus = 5\nvalues = { z = 3 }\n'
    )
    with serving(str(tmp_path / "mine.toml"), "--words", str(tmp_path / "words.txt")) as own:
        go(laptop, own.address + "#own=true")
        assert "mine: 8 tiles, a rack of 8" in text(laptop, "title")
        play_word(laptop, "zzyx")
        laptop.refresh()
        await_text(laptop, "side-turns", "zzyx")
        assert not is_shown(laptop, "visit")
        go(laptop, own.address + "#challenge")
        click(laptop, "#new")
        click(laptop, "#own")
        await_text(laptop, "side-turns", "zzyx")
        assert console_errors(laptop) == []


# a tab that hears nothing of the other one, as while the browser has put it to sleep
_ASLEEP = "Object.defineProperty(StorageEvent.prototype, 'key', { get: () => 'another one' })"


@pytest.fixture
def tabs(page: "Chrome") -> Iterator[tuple[str, str]]:
    """Two tabs with the same game of one turn; the second is in front."""
    opened(page)
    play_word(page, "zest")
    with second_tab(page) as both:
        await_text(page, "side-turns", "zest")
        assert not is_shown(page, "visit")
        yield both


def test_a_tab_follows_the_other_one(page: "Chrome", tabs: tuple[str, str]) -> None:
    play_word(page, "toast")
    page.switch_to.window(tabs[0])
    await_text(page, "side-turns", "toast")
    await_text(page, "message", "Another tab went on with this game")
    shot(page, "other-tab")
    click(page, "#undo")
    page.switch_to.window(tabs[1])
    wait(lambda: "toast" not in text(page, "side-turns"))
    click(page, "#redo")
    await_text(page, "side-turns", "toast")
    # the window of a second tab is narrow: the views are in the menu
    show(page, "games")
    assert count(page, "#view-games .entry") == 1


def test_games_that_part_in_two_tabs_are_both_kept(page: "Chrome", tabs: tuple[str, str]) -> None:
    page.execute_script(_ASLEEP)
    page.switch_to.window(tabs[0])
    play_word(page, "toast")
    page.switch_to.window(tabs[1])
    play_word(page, "taste")
    assert "both games are in My games" in text(page, "message")
    # the window of a second tab is narrow: the views are in the menu
    show(page, "games")
    await_count(page, "#view-games .entry", 2)
    shot(page, "games-of-two-tabs")
    page.refresh()
    await_score(page, 34)
    page.switch_to.window(tabs[0])
    assert "toast" in text(page, "side-turns")
