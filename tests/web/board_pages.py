"""What tests of the Scrabble table do in its page."""

import json
import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from solver.scrabble.bot import Bot, bundled_leaves
from solver.scrabble.game import Setup, TableGame, game_text, new_file, replayed, table_tiles
from solver.scrabble.graph import listed_words, words_of
from tests.browser import profile_of
from tests.web.pages import click, text, wait
from tests.web.serving import Server
from verify.scrabble.board import Square, board_of
from verify.scrabble.gcg import Event, Player, write_gcg
from verify.scrabble.play import parse_place

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

KEPT = "rowdraw-scrabble"


@cache
def player() -> Bot:
    """One who knows the moves of a whole English game."""
    tiles = table_tiles("english")
    return Bot(
        words_of("enable1", tiles),
        tiles,
        listed_words("enable1").__contains__,
        bundled_leaves("english"),
    )


def new_game(seed: int, tiles: str = "english", names: str = "ann bob") -> TableGame:
    players = tuple(Player(name, name.title()) for name in names.split())
    return TableGame(
        Setup(players, table_tiles(tiles), {"english": "enable1", "icelandic": "bin"}[tiles], seed)
    )


def new_game_with(tile: str, **fields: Any) -> TableGame:
    """A game whose first player holds a tile."""
    return next(
        game for game in (new_game(seed, **fields) for seed in range(100)) if tile in game.rack
    )


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


def open_table(
    page: "Chrome",
    server: Server,
    game: TableGame | None = None,
    bot: str | None = None,
    seen: int = 0,
) -> None:
    """Open the table with a game that the browser has kept, or without one."""
    page.get(server.address + "board")
    wait(lambda: has_begun(page))  # a page that is still loading would keep its game
    page.execute_script("localStorage.clear()")
    if game is not None:
        kept = game_text(game) if bot is None else write_gcg(new_file(game.setup, bot))
        page.execute_script(
            f"localStorage.setItem('{KEPT}', JSON.stringify({{game: arguments[0], seen: arguments[1]}}))",
            kept,
            seen,
        )
    page.refresh()
    wait(lambda: has_begun(page))


def has_begun(page: "Chrome") -> bool:
    return bool(page.find_element("id", "dialog").is_displayed() or text(page, "actions"))


def kept(page: "Chrome") -> dict[str, Any]:
    found: dict[str, Any] = json.loads(
        page.execute_script(f"return localStorage.getItem('{KEPT}')")
    )
    return found


def game_of(page: "Chrome") -> TableGame:
    return replayed("kept", kept(page)["game"].encode())[1]


def main_button(page: "Chrome") -> str:
    return str(
        page.execute_script("return document.querySelector('#actions .main')?.textContent ?? ''")
    )


def press_main(page: "Chrome") -> None:
    page.find_element("css selector", "#actions .main").click()


def action(page: "Chrome", key: str) -> None:
    page.find_element("css selector", f"#actions [data-key={key}]").click()


def square(page: "Chrome", at: Square) -> Any:
    return page.find_element("css selector", f"[data-key={at}]")


def rack_letters(page: "Chrome") -> str:
    """The letters on the rack of the page, `?` for a blank."""
    tiles = page.execute_script(
        "return [...document.querySelectorAll('#rack .tile .letter')].map(e => e.textContent || '?')"
    )
    return "".join(tiles)


def rack_tile(page: "Chrome", tile: str) -> Any:
    return page.find_elements("css selector", "#rack button")[rack_letters(page).index(tile)]


def laid(page: "Chrome") -> list[str]:
    """The squares with tiles that are not played yet."""
    return list(
        page.execute_script(
            "return [...document.querySelectorAll('.square.mine')].map(e => e.dataset.key)"
        )
    )


def new_tiles(game: TableGame, event: Event) -> dict[Square, str]:
    return dict(game.place(event).new)


def lay_by_clicks(page: "Chrome", tiles: dict[Square, str]) -> None:
    for at, tile in tiles.items():
        rack_tile(page, "?" if tile.islower() else tile).click()
        square(page, at).click()
        if tile.islower():
            choose_letter(page, tile.upper())
        wait(lambda at=at: str(at) in laid(page))


def exchange_by_clicks(page: "Chrome", tiles: str) -> None:
    action(page, "exchange")
    for tile in tiles:
        unchosen = page.find_elements("css selector", "#rack button[aria-pressed=false]")
        next(
            one for one in unchosen if one.find_element("css selector", ".letter").text == tile
        ).click()
    assert main_button(page) == f"Exchange {len(tiles)}"
    press_main(page)


def choose_letter(page: "Chrome", letter: str) -> None:
    click(page, f"//dialog//button[.='{letter}']", "xpath")


def go_by_keys(page: "Chrome", at: Square, across: bool) -> None:
    """Move the cursor to a square, and turn it."""
    from selenium.webdriver.common.keys import Keys

    name = page.execute_script("return document.activeElement.dataset.key ?? ''")
    assert re.fullmatch(r"[A-O]\d+", name), f"the focus is on {name!r}"
    here = parse_place(name, board_of("standard"))[0]
    down, right = at.row - here.row, at.column - here.column
    moves = [Keys.ARROW_DOWN if down > 0 else Keys.ARROW_UP] * abs(down)
    moves += [Keys.ARROW_RIGHT if right > 0 else Keys.ARROW_LEFT] * abs(right)
    if moves:
        page.switch_to.active_element.send_keys(*moves)
    for _turn in range(3):
        way = square(page, at).get_attribute("class").split()
        if ("across" if across else "down") in way:
            return
        page.switch_to.active_element.send_keys(Keys.SPACE)
    raise AssertionError("the cursor does not turn")


def keys_now(page: "Chrome", *pressed: str) -> None:
    """Press keys where the focus is."""
    page.switch_to.active_element.send_keys(*pressed)


def saved_file(page: "Chrome", folder: Path) -> Path:
    """Save the game by the button; return the file."""
    allowed = {"behavior": "allow", "downloadPath": str(folder), **profile_of(page)}
    page.execute_cdp_cmd("Browser.setDownloadBehavior", allowed)
    page.find_element("id", "save").click()
    wait(lambda: list(folder.glob("*.gcg")))
    return next(folder.glob("*.gcg"))
