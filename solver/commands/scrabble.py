"""`rowdraw scrabble`: Scrabble for two to four people at one keyboard."""

import random
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from solver.commands.running import FILE, INTERRUPTED, interrupt_on_signals, lexicon_option, tiles_option
from solver.errors import RowdrawError

if TYPE_CHECKING:
    from verify.scrabble.gcg import Player


@click.command()
@click.option("--players", type=click.IntRange(2, 4), metavar="N", help="2, 3 or 4 (default: 2).")
@click.option("--names", metavar="A,B,...", help="The names of the players.")
@click.option("--against", type=click.Choice(["bot"]), help="Play alone against the computer.")
@tiles_option("A bundled tile set, such as icelandic or german (default: english).")
@lexicon_option("enable1, bin, none or a file; default: by the tiles, else none.")
@click.option("--seed", type=click.IntRange(0, 2**63 - 1), metavar="N", help="Decides the order of the bag.")
@click.option("--save", type=FILE, metavar="GAME.gcg", help="The file of the new game.")
@click.option("--resume", type=FILE, metavar="GAME.gcg", help="Go on with this game.")
def scrabble(
    players: int | None,
    names: str | None,
    against: str | None,
    tiles: str | None,
    words: str | None,
    seed: int | None,
    save: Path | None,
    resume: Path | None,
) -> int:
    """Play Scrabble with others or against a bot.

    Board, bag and racks are on the screen. Every event is in the GCG file before the next move.
    """
    from solver.scrabble.game import Setup, TableGame, table_tiles
    from solver.scrabble.store import Store
    from solver.scrabble.table import Session
    from verify.replay.rules import RulesError
    from verify.scrabble.lexicons import game_words, words_of_pragma
    from verify.text import is_printable

    if sys.stdin is None:
        raise RowdrawError("standard input is closed: expected moves, a line each")
    if resume is not None:
        if any(option is not None for option in (players, names, against, tiles, seed, save)):
            raise click.UsageError("--resume goes on with a game as it began: expected no other option but --words")
        store, game = Store.open(resume)
    else:
        chosen = table_tiles(tiles or "english")
        default = {"english": "enable1", "icelandic": "bin"}.get(chosen.name, "none")
        number = random.SystemRandom().randrange(2**31) if seed is None else seed
        game = TableGame(Setup(_players(players, names, against), chosen, default if words is None else words, number))
        store = None
    lexicon = game.setup.lexicon if words is None else words
    if not is_printable(lexicon):
        raise click.UsageError(f"--words {lexicon!r}: expected the name of a list that can be shown, and kept in the game")
    try:
        # a saved game must not decide which files are opened: if it names no bundled list, the players judge words
        judge = game_words(lexicon) if words is not None or resume is None else words_of_pragma(lexicon or None)
    except RulesError as error:
        raise RowdrawError(str(error)) from error
    if store is None:
        if against is not None and judge.is_word is None:
            raise click.UsageError(f"--against {against} needs a list of words: {judge.remark}")
        path = save or Path(f"rowdraw-game-{game.setup.seed}.gcg")
        store = Store.create(path, game.setup, game.setup.nicks[-1] if against is not None else None)
    interrupt_on_signals()
    session = Session(store, game, lexicon, judge)
    try:
        session.run()
    except (KeyboardInterrupt, click.Abort):
        click.echo(f"\n{session.saved}")
        return INTERRUPTED
    return 0


def _players(number: int | None, names: str | None, against: str | None) -> "tuple[Player, ...]":
    from verify.scrabble.gcg import Player
    from verify.text import is_printable

    if against is not None:
        if number is not None or (names or "").count(","):
            raise click.UsageError(f"--against {against}: expected no --players, and one name in --names")
        names = f"{names or 'player'},{against}"
    if names is None:
        return tuple(Player(f"player{i}", f"Player {i}") for i in range(1, (number or 2) + 1))
    nicks = [name.strip() for name in names.split(",")]
    for nick in nicks:
        if not re.fullmatch(r"[^\s:#>]{1,20}", nick) or not is_printable(nick):
            raise click.UsageError(f"--names: {nick!r}: expected 1 to 20 characters to be shown, without spaces and colons")
    if not 2 <= len(nicks) <= 4 or len(set(nicks)) < len(nicks) or number not in (None, len(nicks)):
        raise click.UsageError(f"--names {names!r}: expected {number or '2 to 4'} different names")
    return tuple(Player(nick, nick) for nick in nicks)
