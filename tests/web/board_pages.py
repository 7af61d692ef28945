"""What tests of the Scrabble table do in its page."""

import json
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urljoin

from solver.scrabble.game import TableGame, new_file, replayed, table_tiles
from tests.random_games import player
from tests.web.pages import allow_downloads, click, is_shown, text, texts, wait
from verify.scrabble.board import Square
from verify.scrabble.gcg import Event, Player, write_gcg

if TYPE_CHECKING:
    from selenium.webdriver import Chrome


def new_game(seed: int, names: str = "ann bob") -> TableGame:
    """A game of players; one who is called `bot` is the bot."""
    players = [Player(name, name.title()) for name in names.split()]
    bot = "bot" if "bot" in names else ""
    return TableGame(new_file(players, table_tiles("english"), "enable1", seed, bot=bot))


def new_game_with(tile: str, names: str = "ann bob") -> TableGame:
    """A game whose first player holds a tile."""
    games = (new_game(seed, names) for seed in range(100))
    return next(game for game in games if tile in game.rack)


@cache
def late_game(names: str = "ann bob") -> TableGame:
    """A game before its last three turns."""
    game = new_game(0, names=names)
    while not game.ending():
        game.take(player().move(game))
    late = new_game(0, names=names)
    for event in game.events[:-3]:
        late.take(event)
    return late


def open_table(page: "Chrome", game: TableGame | None = None) -> None:
    """Open the table with a game that the browser has kept, or without one."""
    page.get(urljoin(page.current_url, "/board"))
    wait(lambda: has_begun(page))  # a page that is still loading would keep its game
    page.execute_script("localStorage.clear()")
    if game is not None:
        kept = json.dumps({"game": write_gcg(game.file), "seen": 0})
        page.execute_script("localStorage['rowdraw-scrabble'] = arguments[0]", kept)
    page.refresh()
    wait(lambda: has_begun(page))


def has_begun(page: "Chrome") -> bool:
    return bool(is_shown(page, "dialog") or text(page, "actions"))


def kept_text(page: "Chrome") -> str:
    """The file of the game that the browser keeps."""
    kept = json.loads(page.execute_script("return localStorage['rowdraw-scrabble']"))
    return str(kept["game"])


def game_of(page: "Chrome") -> TableGame:
    return replayed("kept", kept_text(page).encode())


def main_button(page: "Chrome") -> str:
    return "".join(texts(page, "#actions .main"))


def await_main(page: "Chrome", part: str) -> None:
    """Wait for a text on the main button."""
    wait(lambda: part in main_button(page))


def press_main(page: "Chrome") -> None:
    click(page, "#actions .main")


def pass_on(page: "Chrome", player: str) -> None:
    """Wait for the turn of the next player, and show the rack."""
    await_main(page, f"{player}: show my rack")
    press_main(page)


def action(page: "Chrome", key: str) -> None:
    click(page, f"#actions [data-key={key}]")


def square(page: "Chrome", at: Square) -> Any:
    return page.find_element("css selector", f"[data-key={at}]")


def rack_letters(page: "Chrome") -> str:
    """The letters on the rack of the page, `?` for a blank."""
    return "".join(letter or "?" for letter in texts(page, "#rack .tile .letter"))


def rack_tile(page: "Chrome", tile: str) -> Any:
    return page.find_elements("css selector", "#rack button")[rack_letters(page).index(tile)]


def laid(page: "Chrome") -> list[str]:
    """The squares with tiles that are not played yet."""
    code = "return [...document.querySelectorAll('.square.mine')].map((at) => at.dataset.key)"
    return list(page.execute_script(code))


def await_laid(page: "Chrome", *squares: str) -> None:
    wait(lambda: laid(page) == [*squares])


def new_tiles(game: TableGame, event: Event) -> dict[Square, str]:
    return dict(game.place(event).new)


def lay_by_clicks(page: "Chrome", tiles: dict[Square, str]) -> None:
    for at, tile in tiles.items():
        rack_tile(page, "?" if tile.islower() else tile).click()
        square(page, at).click()
        if tile.islower():
            choose_letter(page, tile.upper())
        wait(lambda at=at: str(at) in laid(page))


def choose_letter(page: "Chrome", letter: str) -> None:
    click(page, f"//dialog//button[.='{letter}']")


def go_by_keys(page: "Chrome", at: Square) -> None:
    """Move the cursor to a square by way of the first one, and turn it across."""
    from selenium.webdriver.common.keys import Keys

    keys_now(page, Keys.ARROW_UP * 14, Keys.ARROW_LEFT * 14)
    keys_now(page, Keys.ARROW_DOWN * at.row, Keys.ARROW_RIGHT * at.column)
    for _turn in range(3):
        if "across" in square(page, at).get_attribute("class").split():
            return
        keys_now(page, Keys.SPACE)
    raise AssertionError("the cursor does not turn")


def keys_now(page: "Chrome", *pressed: str) -> None:
    """Press keys where the focus is."""
    page.switch_to.active_element.send_keys(*pressed)


def saved_file(page: "Chrome", folder: Path) -> Path:
    """Save the game by the button; return the file."""
    allow_downloads(page, folder)
    click(page, "#save")
    wait(lambda: list(folder.glob("*.gcg")))
    return next(folder.glob("*.gcg"))
