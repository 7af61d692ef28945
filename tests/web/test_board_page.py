"""The Scrabble table in a real browser: games by clicks and by keys, in windows of all sizes."""

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.browser import resize
from tests.random_games import player
from tests.web.board_pages import (
    action,
    await_laid,
    await_main,
    choose_letter,
    game_of,
    go_by_keys,
    kept_text,
    keys_now,
    laid,
    late_game,
    lay_by_clicks,
    main_button,
    new_game,
    new_game_with,
    new_tiles,
    open_table,
    pass_on,
    press_main,
    rack_letters,
    rack_tile,
    saved_file,
    square,
)
from tests.web.pages import (
    await_text,
    click,
    count,
    is_shown,
    keys,
    look,
    shot,
    text,
    wait,
    width,
)
from verify.scrabble.board import Square
from verify.scrabble.gcg import Kind
from verify.scrabble.judge import judge_game

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

CENTRE, NEXT = Square(7, 7), Square(7, 8)


def test_a_blanks_letter_is_asked_for_and_can_be_changed_until_the_play_is_made(
    table: "Chrome",
) -> None:
    game = new_game_with("?")
    other = game.rack.replace("?", "")[0]
    open_table(table, game)
    rack_tile(table, "?").click()
    square(table, CENTRE).click()
    await_text(table, "dialog", "Which letter is the blank?")
    look(table)
    choose_letter(table, "Q")
    rack_tile(table, other).click()
    square(table, NEXT).click()
    await_main(table, "Play for")
    assert "Q, a blank" in square(table, CENTRE).get_attribute("textContent")
    square(table, CENTRE).click()
    await_text(table, "dialog", "Another letter")
    keys_now(table, "z")  # by its key as well
    wait(lambda: "Z, a blank" in square(table, CENTRE).get_attribute("textContent"))
    square(table, CENTRE).click()
    choose_letter(table, "Back to the rack")
    await_laid(table, "I8")
    assert "?" in rack_letters(table)
    go_by_keys(table, CENTRE)
    keys_now(table, ".")
    await_text(table, "dialog", "Which letter is the blank?")
    keys_now(table, "\ue00c")  # Escape leaves the blank on the rack
    wait(lambda: not is_shown(table, "dialog"))
    assert laid(table) == ["I8"]


def test_the_last_turns_of_a_game_by_clicks_end_it_and_it_is_saved_and_valid(
    table: "Chrome", tmp_path: Path
) -> None:
    open_table(table, late_game())
    while (before := main_button(table)) != "New game":
        game = game_of(table)
        press_main(table)  # the next player looks, or the game ends
        if game.out:
            wait(lambda before=before: main_button(table) != before)
            continue
        wait(lambda: rack_letters(table) != "")
        event = player().move(game)
        assert event.kind is Kind.PLAY
        lay_by_clicks(table, new_tiles(game, event))
        wait(lambda event=event: main_button(table) == f"Play for {event.score}")
        press_main(table)
        wait(lambda game=game: len(game_of(table).events) == len(game.events) + 1)
    assert "wins" in text(table, "message") or "a tie" in text(table, "message")
    file = saved_file(table, tmp_path)
    verdict = judge_game(file.read_bytes())
    assert (verdict.valid, verdict.finished) == (True, True), verdict.as_text()
    assert file.read_text() == kept_text(table)
    action(table, "step")
    await_text(table, "dialog", "move 1 of")
    await_text(table, "dialog", "the best move")
    look(table, "board-step")


def test_a_game_against_the_bot_is_begun_played_and_undone_by_keys(
    table: "Chrome", tmp_path: Path
) -> None:
    from selenium.webdriver.common.keys import Keys

    open_table(table)
    keys_now(table, "one")  # of the list of players
    keys_now(table, Keys.TAB)
    keys_now(table, Keys.TAB)
    keys_now(table, "Ann", Keys.ENTER)
    wait(lambda: rack_letters(table) != "")
    for is_undone in (True, False):
        game = game_of(table)
        assert sorted(rack_letters(table)) == sorted(game.rack)
        tiles = [tile for tile in game.rack if tile != "?"][:2]
        go_by_keys(table, game.board.centre)
        keys_now(table, *tiles)
        assert len(laid(table)) == 2
        keys_now(table, Keys.ENTER)
        # the bot replies without a press, and the rack stays in sight
        wait(lambda: len(game_of(table).events) >= 2 and main_button(table) == "Play")
        assert sorted(rack_letters(table)) == sorted(game_of(table).racks["Ann"])
        if is_undone:
            keys_now(table, Keys.CONTROL + "z")
            wait(lambda: not game_of(table).events and main_button(table) == "Play")
    verdict = judge_game(saved_file(table, tmp_path).read_bytes())
    assert (verdict.valid, verdict.finished) == (True, False), verdict.as_text()


def test_an_exchange_takes_the_chosen_tiles_and_shows_others_only_their_number(
    table: "Chrome",
) -> None:
    game = new_game(1)
    open_table(table, game)
    keys(table, "-", game.rack[0], "\ue00c")
    assert main_button(table) == "Play"
    action(table, "exchange")
    rack_tile(table, game.rack[3]).click()
    assert main_button(table) == "Exchange 1"
    keys_now(table, game.rack[0], "\ue007")
    await_text(table, "moves", "exchanges 2 tiles")
    event = game_of(table).events[-1]
    assert (event.kind, {*event.tiles}) == (Kind.EXCHANGE, {game.rack[0], game.rack[3]})


def test_a_challenge_takes_a_play_with_an_invalid_word_back_and_pays_for_a_valid_one(
    table: "Chrome",
) -> None:
    game = new_game_with("I", names="ann bob cy")
    open_table(table, game)
    wrong = next(tile for tile in game.rack if tile not in "?IOTSDNFMPHABLKXQ")
    lay_by_clicks(table, {CENTRE: wrong, NEXT: "I"})
    press_main(table)
    await_main(table, "Bob: show my rack")
    assert "challenge" not in text(table, "actions").lower()  # only who has looked may challenge
    press_main(table)
    keys(table, "!")
    await_text(table, "message", "takes the play back")
    assert table.switch_to.active_element == square(table, CENTRE)  # where the play began
    assert [event.kind for event in game_of(table).events] == [Kind.PLAY, Kind.WITHDRAWN]
    assert game_of(table).on_turn == "bob"
    assert rack_letters(table) != ""
    event = player().move(game_of(table))
    lay_by_clicks(table, new_tiles(game_of(table), event))
    press_main(table)
    pass_on(table, "Cy")
    action(table, "challenge")
    await_text(table, "message", "the play is good: +5 for Bob")


def test_a_play_can_be_undone_until_the_next_player_looks_and_racks_stay_hidden_until_then(
    table: "Chrome",
) -> None:
    game = new_game(2)
    open_table(table, game)
    first = rack_letters(table)
    tiles = new_tiles(game, player().move(game))
    lay_by_clicks(table, tiles)
    press_main(table)
    await_main(table, "Bob: show my rack")
    assert rack_letters(table) == ""
    assert text(table, "unseen") == ""
    assert game_of(table).rack not in table.page_source
    table.refresh()
    await_main(table, "Bob: show my rack")
    assert rack_letters(table) == ""
    action(table, "undo")
    wait(lambda: sorted(rack_letters(table)) == sorted(first))
    lay_by_clicks(table, tiles)
    press_main(table)
    pass_on(table, "Bob")
    wait(lambda: rack_letters(table) == game_of(table).rack)
    assert count(table, "[data-key=undo]") == 0
    keys(table, "\ue009z")
    assert len(game_of(table).events) == 1


def test_a_reload_loses_neither_game_nor_tiles_laid_nor_the_game_before(table: "Chrome") -> None:
    game = new_game(3)
    open_table(table, game)
    action(table, "shuffle")
    lay_by_clicks(table, {CENTRE: next(tile for tile in game.rack if tile != "?")})
    rest = rack_letters(table)
    table.refresh()
    await_laid(table, "H8")
    assert rack_letters(table) == rest
    click(table, "#new")
    click(table, "#who option[value='2']")
    click(table, "#dialog [type=submit]")
    await_main(table, "show my rack")
    click(table, "#new")
    click(table, "#swap")
    await_laid(table, "H8")
    assert f"bag-seed={game.seed};" in kept_text(table)


def test_a_saved_game_is_opened_from_its_file_and_another_file_is_refused(
    table: "Chrome", tmp_path: Path
) -> None:
    open_table(table, new_game(4))
    action(table, "pass")
    await_main(table, "show my rack")
    file = saved_file(table, tmp_path)
    open_table(table, new_game(5))
    other = tmp_path / "other.gcg"
    other.write_text("#player1 a A\n#player2 b B\n>a: ABC - +0 0\n")
    table.find_element("id", "file").send_keys(str(other))
    await_text(table, "message", "bag-seed")
    table.find_element("id", "file").send_keys(str(file))
    wait(lambda: "bag-seed=4;" in kept_text(table))
    assert main_button(table) == "Bob: show my rack"


@pytest.mark.parametrize("touch", [False, True])
def test_tiles_are_dragged_to_squares_and_back_by_mouse_and_by_touch(
    table: "Chrome", touch: bool
) -> None:
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.actions.pointer_input import PointerInput

    finger = PointerInput("touch", "finger") if touch else PointerInput("mouse", "hand")

    def drag(source: object, target: object) -> None:
        chain = ActionChains(table, devices=[finger], duration=60)
        pointer = chain.w3c_actions.pointer_action
        pointer.move_to(source).pointer_down().move_to(target).pointer_up()
        chain.perform()

    game = new_game(6)
    open_table(table, game)
    first, second = [tile for tile in game.rack if tile != "?"][:2]
    drag(rack_tile(table, first), square(table, NEXT))
    await_laid(table, "I8")
    drag(square(table, NEXT), square(table, CENTRE))
    await_laid(table, "H8")
    drag(rack_tile(table, second), square(table, NEXT))
    await_main(table, "Play for")
    drag(square(table, NEXT), table.find_element("id", "rack"))
    await_laid(table, "H8")
    assert sorted(rack_letters(table)) == sorted(game.rack.replace(first, "", 1))


_BOX = """
const { left, right, bottom } = document.getElementById(arguments[0]).getBoundingClientRect();
return [left, right, bottom];
"""
SIZES = [(360, 640), (640, 360), (768, 1024), (1024, 600), (1400, 900)]


def test_it_fits_any_window_by_day_and_by_night(table: "Chrome") -> None:
    game = new_game(8, names="ann bob cy dora")
    open_table(table, game)
    lay_by_clicks(table, new_tiles(game, player().move(game)))
    await_main(table, "Play for")
    for number, size in enumerate(SIZES):
        resize(table, *size, dark=number % 2 == 1)
        look(table)
        for part in ("board", "rack", "actions", "players"):
            left, right, bottom = table.execute_script(_BOX, part)
            assert left >= 0, (part, size)
            assert right <= size[0], (part, size)
            assert bottom <= size[1], (part, size)
        assert width(table) <= size[0]
        shot(table, f"board-{size[0]}x{size[1]}")
