"""Whole games at the Scrabble table in a real browser, by clicks and by keys; the referee judges what is saved."""

import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from tests.browser import axe
from tests.web.board_pages import (
    action,
    exchange_by_clicks,
    game_of,
    go_by_keys,
    kept,
    keys_now,
    laid,
    lay_by_clicks,
    main_button,
    new_tiles,
    open_table,
    player,
    press_main,
    rack_letters,
    saved_file,
)
from tests.web.pages import click, shot, text, wait
from tests.web.serving import Server
from verify.scrabble.gcg import Kind

if TYPE_CHECKING:
    from selenium.webdriver import Chrome


def judged(file: Path) -> str:
    """What the referee prints of a saved game, which it has to find valid."""
    done = subprocess.run([sys.executable, "-m", "verify", str(file)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_a_whole_game_of_two_by_clicks_ends_is_saved_and_judged_valid(table: "Chrome", server: Server, tmp_path: Path) -> None:
    open_table(table, server)
    click(table, "#who option[value='2']")
    table.find_element("id", "name-0").clear()
    table.find_element("id", "name-0").send_keys("Ann Lee")
    click(table, "#dialog [type=submit]")
    wait(lambda: main_button(table) == "Ann Lee: show my rack")
    exchanged = False
    for _turn in range(80):
        game = game_of(table)
        press_main(table)  # the next player looks, or the game ends
        if game.gone_out is not None:
            break
        wait(lambda: rack_letters(table) != "")
        event = player().move(game)
        if not exchanged or event.kind is Kind.EXCHANGE:
            exchange_by_clicks(table, game.rack[:2] if not exchanged else event.tiles)
            exchanged = True
        elif event.kind is Kind.PLAY:
            lay_by_clicks(table, new_tiles(game, event))
            wait(lambda event=event: main_button(table) == f"Play for {event.score}")
            press_main(table)
        else:
            action(table, "pass")
        wait(lambda game=game: len(game_of(table).events) == len(game.events) + 1)
    wait(lambda: main_button(table) == "End the game")
    press_main(table)
    wait(lambda: main_button(table) == "New game")
    assert "wins" in text(table, "message") or "a tie" in text(table, "message")
    file = saved_file(table, tmp_path)
    said = judged(file)
    assert "wins by" in said or "a tie" in said
    assert "not finished" not in said
    assert file.read_text() == kept(table)["game"]
    action(table, "step")
    wait(lambda: "move 1 of" in text(table, "dialog"))
    assert axe(table) == []
    shot(table, "board-step")


def test_a_game_against_the_bot_is_begun_played_and_undone_by_keys(table: "Chrome", server: Server, tmp_path: Path) -> None:
    from selenium.webdriver.common.keys import Keys

    open_table(table, server)
    table.switch_to.active_element.send_keys("one")  # of the list of players
    for _field in range(2):
        table.switch_to.active_element.send_keys(Keys.TAB)
    table.switch_to.active_element.send_keys("Ann", Keys.ENTER)
    wait(lambda: rack_letters(table) != "")
    for is_undone in (True, False):
        game = game_of(table)
        assert sorted(rack_letters(table)) == sorted(game.rack)
        tiles = [tile for tile in game.rack if tile != "?"][:2]
        go_by_keys(table, game.board.centre, True)
        keys_now(table, *tiles)
        assert len(laid(table)) == 2
        keys_now(table, Keys.ENTER)
        # the bot replies without a press, and the rack stays in sight
        wait(lambda: len(game_of(table).events) >= 2 and main_button(table) == "Play")
        assert sorted(rack_letters(table)) == sorted(game_of(table).racks["Ann"])
        if is_undone:
            keys_now(table, Keys.CONTROL + "z")
            wait(lambda: not game_of(table).events and main_button(table) == "Play")
    assert "not finished" in judged(saved_file(table, tmp_path))
