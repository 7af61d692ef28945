"""The player's own games in a real browser: nothing that is only looked at, and no other tab,
replaces them."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.browser import axe, console_errors
from tests.web.pages import ROW, click, go, has_score, keys, opened, shot, tab, text, texts, wait
from tests.web.serving import Server, serving

if TYPE_CHECKING:
    from selenium.webdriver import Chrome


# which games are kept does not depend on what searches find meanwhile
pytestmark = pytest.mark.usefixtures("no_searches")


FIRST, OTHER = "#challenge/6.s_l_mnized.solemnized", "#challenge/6.s_l_mnize.solemnize"


def play_zest(page: "Chrome") -> None:
    keys(page, *"zest", "\n")
    wait(lambda: "zest" in text(page, "side-turns"))


@pytest.mark.long
def test_a_link_replaces_no_game_of_the_player(page: "Chrome", server: Server) -> None:
    for start, word in (("#challenge", "moves"), (ROW, "zest")):
        opened(page, server, start)
        keys(page, *word, "\n")
        wait(lambda word=word: word in text(page, "side-turns"))
    for link in (OTHER, "#%E0"):
        go(page, server.address + link)
        go(page, server.address)
        wait(lambda: "zest" in text(page, "side-turns"))
        go(page, f"{server.address}#challenge")
        wait(lambda: "moves" in text(page, "side-turns"))


def test_a_game_of_a_link_is_the_players_own_once_a_turn_is_played(
    page: "Chrome", server: Server
) -> None:
    opened(page, server, OTHER)
    assert "Not your own game" in text(page, "visit")
    assert not page.find_element("id", "coach").is_displayed()
    keys(page, *"move", "\n")
    wait(lambda: "move" in text(page, "side-turns"))
    assert not page.find_element("id", "visit").is_displayed()
    go(page, server.address)
    wait(lambda: "move" in text(page, "side-turns"))


def test_records_go_on_with_the_own_game(page: "Chrome", server: Server) -> None:
    opened(page, server, "#challenge")
    keys(page, *"moves", "\n")
    wait(lambda: "moves" in text(page, "side-turns"))
    click(page, "#tab-records")
    wait(lambda: "shuffled-20" in text(page, "view-records"))
    assert "12 (1 %)" in text(page, "view-records")  # the player's best
    assert page.find_element("css selector", "#view-records [href='solved.html']").is_displayed()
    assert axe(page) == []
    shot(page, "records")
    click(page, "#view-records tbody tr:first-child button")
    wait(lambda: page.find_element("id", "side-turns").is_displayed())
    wait(lambda: "moves" in text(page, "side-turns"))


def test_own_games_outlive_start_over_reload_another_game_and_their_removal(
    page: "Chrome", server: Server
) -> None:
    opened(page, server)
    play_zest(page)
    click(page, "[data-key=over]")
    wait(lambda: has_score(page, 0))
    page.refresh()
    wait(lambda: text(page, "figures") != "")
    click(page, "#redo")
    wait(lambda: "zest" in text(page, "side-turns"))
    click(page, "#tab-games")
    assert len(page.find_elements("css selector", "#view-games .entry")) == 1
    click(page, "#tab-play")
    click(page, "[data-key=over]")
    keys(page, *"tees", "\n")  # another game on the row
    wait(lambda: "tees" in text(page, "side-turns"))
    click(page, "#tab-games")
    rows = page.find_elements("css selector", "#view-games .entry")
    assert len(rows) == 2
    assert all("a row of your own" in row.text and "1" in row.text for row in rows)
    assert axe(page) == []
    shot(page, "my-games")
    click(page, "//section[@id='view-games']//button[.='Remove']", "xpath")
    assert len(page.find_elements("css selector", "#view-games .entry")) == 1
    click(page, "//button[.='Bring it back']", "xpath")
    page.find_elements("css selector", "#view-games .entry:nth-child(2) button")[0].click()
    wait(lambda: "zest" in text(page, "side-turns"))


def test_a_finished_game_stays_when_some_of_its_turns_are_played_differently(
    page: "Chrome", server: Server
) -> None:
    opened(page, server, "#row=teas")
    keys(page, *"teas", "\n")
    wait(lambda: page.find_element("id", "end").is_displayed())
    click(page, "#undo")
    keys(page, *"eat", "\n")
    wait(lambda: "eat" in text(page, "side-turns"))
    click(page, "#tab-games")
    assert len(page.find_elements("css selector", "#view-games .entry")) == 1
    assert "eat" in page.current_url


def test_a_store_that_holds_something_else_is_no_obstacle(page: "Chrome", server: Server) -> None:
    for kept in ("{", '{"games": [{"id": 1}]}', "null"):
        page.execute_script("localStorage.clear()")
        for name in ("rowdraw-played", "rowdraw-found"):
            page.execute_script("localStorage.setItem(arguments[0], arguments[1])", name, kept)
        opened(page, server)
        assert "zest" not in text(page, "side-turns"), kept
        play_zest(page)
        page.refresh()
        wait(lambda: "zest" in text(page, "side-turns"))


def test_a_game_that_was_begun_goes_on_and_a_game_shown_gives_the_one_before_back(
    page: "Chrome", server: Server
) -> None:
    opened(page, server)
    play_zest(page)
    click(page, "#new")
    page.find_element("id", "seed").send_keys("\n")
    wait(lambda: "Shuffled tiles, number" in text(page, "title"))
    click(page, "#new")
    page.find_element("id", "own-row").send_keys("tea?setsoatzest\n")
    wait(lambda: "zest" in text(page, "side-turns"))
    click(page, "#tab-records")
    wait(lambda: "shuffled-20" in text(page, "view-records"))
    page.find_elements("css selector", "#view-records tbody tr:first-child button")[1].click()
    wait(lambda: "turn 1 of 13" in text(page, "dialog"))
    for _turn in range(3):
        page.find_element("id", "shown-next").click()
    assert axe(page) == []
    shot(page, "record")
    click(page, "//button[.='Play on from here']", "xpath")
    wait(lambda: has_score(page, 325))
    click(page, "//button[.='Back to your game of 1 turn']", "xpath")
    wait(lambda: "zest" in text(page, "side-turns"))


def test_back_goes_to_the_view_and_the_game_before_and_stays_on_the_page(
    page: "Chrome", server: Server
) -> None:
    opened(page, server)
    play_zest(page)
    click(page, "#tab-judge")
    page.back()
    wait(lambda: page.find_element("id", "view-play").is_displayed())
    click(page, "#new")
    page.find_element("id", "own-row").send_keys("teas\n")
    wait(lambda: "4 tiles" in text(page, "title"))
    page.back()
    wait(lambda: "zest" in text(page, "side-turns"))
    page.forward()
    wait(lambda: "4 tiles" in text(page, "title"))
    page.execute_script("location.hash = arguments[0]", FIRST)
    wait(lambda: has_score(page, 141))
    assert page.current_url == tab(page, FIRST)


@pytest.mark.long
def test_a_servers_own_puzzle_has_its_own_words_and_a_way_back_to_it(
    laptop: "Chrome", tmp_path: Path
) -> None:
    (tmp_path / "words.txt").write_text("zzyx\nab\nabab\n" + "x" * 40 + "\n")
    (tmp_path / "mine.toml").write_text(
        'name = "mine"\nrow = "xyzzabab"\nrack = 8\nbonus = 5\nvalues = { z = 3 }\n'
    )
    with serving(str(tmp_path / "mine.toml"), "--words", str(tmp_path / "words.txt")) as own:
        opened(laptop, own, "#own=true")
        assert "mine: 8 tiles, a rack of 8" in text(laptop, "title")
        keys(laptop, *"zzyx", "\n")
        wait(lambda: "zzyx" in text(laptop, "side-turns"))
        laptop.refresh()
        wait(lambda: "zzyx" in text(laptop, "side-turns"))
        assert not laptop.find_element("id", "visit").is_displayed()
        opened(laptop, own, "#challenge")
        click(laptop, "#new")
        click(laptop, "#own")
        wait(lambda: "zzyx" in text(laptop, "side-turns"))
        assert console_errors(laptop) == []


# a tab that hears nothing of the other one, as while the browser has put it to sleep
_ASLEEP = "Object.defineProperty(StorageEvent.prototype, 'key', { get: () => 'another one' })"


def play_word(page: "Chrome", word: str) -> None:
    keys(page, *word, "\n")
    wait(lambda: word in text(page, "side-turns"))


@pytest.fixture
def tabs(page: "Chrome", server: Server) -> Iterator[tuple[str, str]]:
    """Two tabs with the same game of one turn; the second is in front."""
    opened(page, server)
    play_word(page, "zest")
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
    play_word(page, "toast")
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
    play_word(page, "toast")
    page.switch_to.window(tabs[1])
    play_word(page, "taste")
    assert "both games are in My games" in text(page, "message")
    # the window of a second tab is narrow: the views are in the menu
    page.execute_script("document.getElementById('tab-games').click()")
    wait(lambda: len(texts(page, "#view-games .entry")) == 2)
    shot(page, "games-of-two-tabs")
    page.refresh()
    wait(lambda: has_score(page, 34))
    page.switch_to.window(tabs[0])
    assert "toast" in text(page, "side-turns")
