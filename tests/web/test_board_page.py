"""The Scrabble table in a real browser: whole games by clicks and by keys, and second thoughts."""

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.browser import axe, console_errors
from tests.needs import OpenWindow
from tests.web.board_pages import (
    action,
    choose_letter,
    game_of,
    go_by_keys,
    kept,
    keys_now,
    laid,
    lay_by_clicks,
    main_button,
    new_game,
    new_game_with,
    new_tiles,
    open_table,
    player,
    press_main,
    rack_letters,
    rack_tile,
    saved_file,
    square,
)
from tests.web.pages import LAPTOP, click, keys, shot, text, wait
from tests.web.serving import Server
from verify.scrabble.board import Square
from verify.scrabble.gcg import Kind

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

CENTRE, NEXT = Square(7, 7), Square(7, 8)


def test_a_blanks_letter_is_asked_for_and_can_be_changed_until_the_play_is_made(table: "Chrome", server: Server) -> None:
    game = new_game_with("?")
    other = game.rack.replace("?", "")[0]
    open_table(table, server, game)
    rack_tile(table, "?").click()
    square(table, CENTRE).click()
    wait(lambda: "Which letter is the blank?" in text(table, "dialog"))
    assert axe(table) == []
    choose_letter(table, "Q")
    rack_tile(table, other).click()
    square(table, NEXT).click()
    wait(lambda: "Play for" in main_button(table))
    assert "Q, a blank" in square(table, CENTRE).get_attribute("textContent")
    square(table, CENTRE).click()
    wait(lambda: "Another letter" in text(table, "dialog"))
    keys_now(table, "z")  # by its key as well
    wait(lambda: "Z, a blank" in square(table, CENTRE).get_attribute("textContent"))
    square(table, CENTRE).click()
    choose_letter(table, "Back to the rack")
    wait(lambda: laid(table) == ["I8"])
    assert "?" in rack_letters(table)
    go_by_keys(table, CENTRE, True)
    keys_now(table, ".")
    wait(lambda: "Which letter is the blank?" in text(table, "dialog"))
    keys_now(table, "\ue00c")  # Escape leaves the blank on the rack
    wait(lambda: not table.find_element("id", "dialog").is_displayed())
    assert laid(table) == ["I8"]


def test_an_exchange_takes_the_chosen_tiles_and_shows_others_only_their_number(table: "Chrome", server: Server) -> None:
    game = new_game(1)
    open_table(table, server, game)
    keys(table, "-", game.rack[0], game.rack[1])
    assert main_button(table) == "Exchange 2"
    keys(table, game.rack[1] if game.rack[0] != game.rack[1] else game.rack[0])
    keys(table, "\ue00c")
    assert main_button(table) == "Play"
    action(table, "exchange")
    table.find_elements("css selector", "#rack button")[3].click()
    press_main(table)
    wait(lambda: "exchanges 1 tile" in text(table, "moves"))
    event = game_of(table).events[-1]
    assert (event.kind, event.tiles) == (Kind.EXCHANGE, game.rack[3])


def test_a_challenge_takes_a_play_with_an_invalid_word_back_and_pays_for_a_valid_one(table: "Chrome", server: Server) -> None:
    game = new_game_with("I", names="ann bob cy")
    open_table(table, server, game)
    wrong = next(tile for tile in game.rack if tile not in "?IOTSDNFMPHABLKXQ")
    lay_by_clicks(table, {CENTRE: wrong, NEXT: "I"})
    press_main(table)
    wait(lambda: main_button(table) == "Bob: show my rack")
    assert "challenge" not in text(table, "actions").lower()  # only who has looked may challenge
    press_main(table)
    keys(table, "!")
    wait(lambda: "takes the play back" in text(table, "message"))
    assert [event.kind for event in game_of(table).events] == [Kind.PLAY, Kind.WITHDRAWN]
    assert game_of(table).on_turn == "bob"
    assert rack_letters(table) != ""
    event = player().move(game_of(table))
    lay_by_clicks(table, new_tiles(game_of(table), event))
    press_main(table)
    wait(lambda: main_button(table) == "Cy: show my rack")
    press_main(table)
    action(table, "challenge")
    wait(lambda: "the play is good: +5 for Bob" in text(table, "message"))


def test_a_play_can_be_undone_until_the_next_player_looks_and_racks_stay_hidden_until_then(
    table: "Chrome", server: Server
) -> None:
    game = new_game(2)
    open_table(table, server, game)
    first = rack_letters(table)
    tiles = new_tiles(game, player().move(game))
    lay_by_clicks(table, tiles)
    press_main(table)
    wait(lambda: main_button(table) == "Bob: show my rack")
    assert rack_letters(table) == ""
    assert text(table, "unseen") == ""
    assert game_of(table).rack not in table.page_source
    table.refresh()
    wait(lambda: main_button(table) == "Bob: show my rack")
    assert rack_letters(table) == ""
    action(table, "undo")
    wait(lambda: sorted(rack_letters(table)) == sorted(first))
    lay_by_clicks(table, tiles)
    press_main(table)
    wait(lambda: main_button(table) == "Bob: show my rack")
    press_main(table)
    wait(lambda: rack_letters(table) == game_of(table).rack)
    assert table.find_elements("css selector", "[data-key=undo]") == []
    keys(table, "\ue009z")
    assert len(game_of(table).events) == 1


def test_a_reload_loses_neither_game_nor_tiles_laid_nor_the_game_before(table: "Chrome", server: Server) -> None:
    game = new_game(3)
    open_table(table, server, game)
    action(table, "shuffle")
    lay_by_clicks(table, {CENTRE: next(tile for tile in game.rack if tile != "?")})
    rest = rack_letters(table)
    table.refresh()
    wait(lambda: laid(table) == ["H8"])
    assert rack_letters(table) == rest
    click(table, "#new")
    click(table, "#who option[value='2']")
    click(table, "#dialog [type=submit]")
    wait(lambda: "show my rack" in main_button(table))
    click(table, "#new")
    click(table, "#swap")
    wait(lambda: laid(table) == ["H8"])
    assert f"bag-seed {game.setup.seed}\n" in kept(table)["game"]


def test_a_saved_game_is_opened_from_its_file_and_another_file_is_refused(
    table: "Chrome", server: Server, tmp_path: Path
) -> None:
    open_table(table, server, new_game(4))
    action(table, "pass")
    wait(lambda: "show my rack" in main_button(table))
    file = saved_file(table, tmp_path)
    open_table(table, server, new_game(5))
    other = tmp_path / "other.gcg"
    other.write_text("#player1 a A\n#player2 b B\n>a: ABC - +0 0\n")
    table.find_element("id", "file").send_keys(str(other))
    wait(lambda: "bag-seed" in text(table, "message"))
    table.find_element("id", "file").send_keys(str(file))
    wait(lambda: "bag-seed 4\n" in kept(table)["game"])
    assert main_button(table) == "Bob: show my rack"


@pytest.mark.parametrize("touch", [False, True])
def test_tiles_are_dragged_to_squares_and_back_by_mouse_and_by_touch(table: "Chrome", server: Server, touch: bool) -> None:
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.actions.pointer_input import PointerInput

    finger = PointerInput("touch", "finger") if touch else PointerInput("mouse", "hand")

    def drag(source: object, target: object) -> None:
        chain = ActionChains(table, devices=[finger], duration=60)
        chain.w3c_actions.pointer_action.move_to(source)
        chain.w3c_actions.pointer_action.pointer_down()
        chain.w3c_actions.pointer_action.move_to(target)
        chain.w3c_actions.pointer_action.pointer_up()
        chain.perform()

    game = new_game(6)
    open_table(table, server, game)
    first, second = [tile for tile in game.rack if tile != "?"][:2]
    drag(rack_tile(table, first), square(table, NEXT))
    wait(lambda: laid(table) == ["I8"])
    drag(square(table, NEXT), square(table, CENTRE))
    wait(lambda: laid(table) == ["H8"])
    drag(rack_tile(table, second), square(table, NEXT))
    wait(lambda: "Play for" in main_button(table))
    drag(square(table, NEXT), table.find_element("id", "rack"))
    wait(lambda: laid(table) == ["H8"])
    assert sorted(rack_letters(table)) == sorted(game.rack.replace(first, "", 1))


def test_slips_are_said_and_change_nothing(table: "Chrome", server: Server) -> None:
    game = new_game(7)
    open_table(table, server, game)
    lacks = next(letter for letter in "QZXJKVWABCDEFG" if letter not in game.rack)
    assert "?" not in game.rack
    keys(table, lacks)
    assert f"The rack has no {lacks} and no blank" in text(table, "message")
    tile = game.rack[0]
    lay_by_clicks(table, {Square(0, 0): tile})
    press_main(table)
    wait(lambda: table.find_elements("css selector", "#message .bad") != [])
    assert game_of(table).events == []
    keys(table, "\ue00c")
    assert (laid(table), sorted(rack_letters(table))) == ([], sorted(game.rack))


@pytest.mark.parametrize("size", [(360, 640), (640, 360), (768, 1024), (1024, 600), LAPTOP, (1400, 900)])
@pytest.mark.parametrize("dark", [False, True])
def test_it_fits_any_window_by_day_and_by_night(browser: OpenWindow, server: Server, size: tuple[int, int], dark: bool) -> None:
    with browser(*size) as driver:
        features = [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]
        driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
        game = new_game(8, names="ann bob cy dora")
        open_table(driver, server, game)
        assert axe(driver) == []
        lay_by_clicks(driver, new_tiles(game, player().move(game)))
        wait(lambda: "Play for" in main_button(driver))
        assert axe(driver) == []
        for part in ("board", "rack", "actions", "players"):
            box = driver.execute_script(f"return document.getElementById('{part}').getBoundingClientRect().toJSON()")
            assert (box["left"] >= 0, box["right"] <= size[0], box["bottom"] <= size[1]) == (True, True, True), (part, box)
        assert driver.execute_script("return document.documentElement.scrollWidth") <= size[0]
        shot(driver, f"board-{size[0]}x{size[1]}{'-dark' if dark else ''}")
        assert console_errors(driver) == []


def test_the_row_draw_page_leads_to_the_table_and_back(table: "Chrome", server: Server) -> None:
    table.get(server.address)
    table.find_element("link text", "Scrabble").click()
    wait(lambda: table.current_url.endswith("/board"))
    wait(lambda: table.title == "Scrabble: rowdraw")
    if table.find_element("id", "dialog").is_displayed():
        click(table, "#dialog .close")
    table.find_element("link text", "Row-draw").click()
    wait(lambda: table.title == "rowdraw")
