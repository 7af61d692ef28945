"""Games of the player on the table in a real browser: nothing that is only looked at replaces them, and all are found again."""

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.browser import axe, console_errors
from tests.web.pages import ROW, click, go, has_score, keys, opened, shot, tab, text, wait
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
    for link in (OTHER, "#challenge/5.delt.delt", "#nosuch", "#%E0", f"{ROW}/5.tee.tee"):
        go(page, server.address + link)
        go(page, server.address)
        wait(lambda: "zest" in text(page, "side-turns"))
        go(page, f"{server.address}#challenge")
        wait(lambda: "moves" in text(page, "side-turns"))


def test_a_game_of_a_link_is_the_players_own_once_a_turn_is_played(page: "Chrome", server: Server) -> None:
    opened(page, server, OTHER)
    assert "Not your own game" in text(page, "visit")
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


def test_start_over_and_reload_lose_neither_the_game_nor_redo(page: "Chrome", server: Server) -> None:
    opened(page, server)
    play_zest(page)
    click(page, "[data-key=over]")
    wait(lambda: has_score(page, 0))
    page.refresh()
    wait(lambda: text(page, "figures") != "")
    click(page, "#tab-games")
    assert len(page.find_elements("css selector", "#view-games .entry")) == 1
    click(page, "#tab-play")
    click(page, "#redo")
    wait(lambda: "zest" in text(page, "side-turns"))
    click(page, "#tab-games")
    assert len(page.find_elements("css selector", "#view-games .entry")) == 1


def test_another_game_on_the_same_row_is_kept_as_well(page: "Chrome", server: Server) -> None:
    opened(page, server)
    play_zest(page)
    click(page, "[data-key=over]")
    keys(page, *"tees", "\n")
    wait(lambda: "tees" in text(page, "side-turns"))
    click(page, "#tab-games")
    rows = page.find_elements("css selector", "#view-games .entry")
    assert len(rows) == 2
    assert all("a row of your own" in row.text and "1" in row.text for row in rows)
    assert axe(page) == []
    shot(page, "my-games")
    page.find_elements("css selector", "#view-games .entry:nth-child(2) button")[0].click()
    wait(lambda: "zest" in text(page, "side-turns"))


def test_a_game_that_is_removed_can_be_brought_back(page: "Chrome", server: Server) -> None:
    opened(page, server)
    play_zest(page)
    click(page, "#tab-games")
    click(page, "//section[@id='view-games']//button[.='Remove']", "xpath")
    assert "are kept in this browser" in text(page, "view-games")
    click(page, "//button[.='Bring it back']", "xpath")
    assert len(page.find_elements("css selector", "#view-games .entry")) == 1


def test_a_finished_game_stays_when_some_of_its_turns_are_played_differently(page: "Chrome", server: Server) -> None:
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
    for kept in ("{", "[]", '{"games": [{"id": 1}]}', '{"games": 3}', "null"):
        page.execute_script("localStorage.clear()")
        for name in ("rowdraw-played", "rowdraw-found"):
            page.execute_script("localStorage.setItem(arguments[0], arguments[1])", name, kept)
        opened(page, server)
        assert "zest" not in text(page, "side-turns"), kept
        play_zest(page)
        page.refresh()
        wait(lambda: "zest" in text(page, "side-turns"))


def test_a_game_that_was_begun_goes_on_and_a_game_shown_gives_the_one_before_back(page: "Chrome", server: Server) -> None:
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


def test_back_goes_to_the_view_and_the_game_before_and_stays_on_the_page(page: "Chrome", server: Server) -> None:
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
def test_a_server_with_a_puzzle_opens_it_and_the_way_back_to_it_is_in_new_game(laptop: "Chrome", tmp_path: Path) -> None:
    file = tmp_path / "my_row.toml"
    file.write_text('name = "mine"\nrow = "tea?setsoatzest"\nrack = 5\n')
    with serving(str(file)) as own:
        opened(laptop, own, "")
        assert "mine: 15 tiles, a rack of 5" in text(laptop, "title")
        keys(laptop, *"tees", "\n")
        wait(lambda: "tees" in text(laptop, "side-turns"))
        laptop.refresh()
        wait(lambda: "tees" in text(laptop, "side-turns"))
        assert not laptop.find_element("id", "visit").is_displayed()
        opened(laptop, own, "#challenge")
        click(laptop, "#new")
        click(laptop, "#own")
        wait(lambda: "tees" in text(laptop, "side-turns"))
        assert console_errors(laptop) == []
    with serving("--row", "tea?setsoatzest") as own:
        opened(laptop, own, "#challenge")
        click(laptop, "#new")
        click(laptop, "#own")
        wait(lambda: "15 tiles, a rack of 10" in text(laptop, "title"))
