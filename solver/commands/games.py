"""`rowdraw play`, `scrabble`, `serve` and `site`: games at the keyboard and in the browser."""

import random
import re
import secrets
import shlex
import sys
import webbrowser
from pathlib import Path
from typing import TYPE_CHECKING

import click

from solver.commands import options
from solver.commands.options import FILE, FOLDER
from solver.commands.running import INTERRUPTED, chosen_puzzle, interrupt_on_signals, read_problem, say
from solver.errors import RowdrawError
from solver.solving.opened import OpenedGame

if TYPE_CHECKING:
    from solver.model.puzzle import Puzzle
    from solver.play.keyboard_game import Session as KeyboardGame
    from solver.play.row_table import Table
    from solver.scrabble.table import Session as TableSession
    from verify.scrabble.gcg import Player

_LOOPBACK = ("127.0.0.1", "::1", "localhost")
_EVERYWHERE = ("0.0.0.0", "::", "")


def _run_session(session: "KeyboardGame | TableSession") -> int:
    """Play; after Ctrl-C or a signal say where the game is. Returns the exit code."""
    interrupt_on_signals()
    try:
        session.run()
    except (KeyboardInterrupt, click.Abort):
        click.echo(f"\n{session.saved}")
        return INTERRUPTED
    return 0


def _require_input() -> None:
    if sys.stdin is None:
        raise RowdrawError("standard input is closed: expected moves, a line each")


@click.command()
@options.puzzle
@click.option("--save", type=FILE, metavar="FILE", help="Where the game is kept; default: a new file named after the puzzle.")
@click.option("--resume", type=FILE, metavar="FILE", help="Go on with the game of this file; FILE:K, with its first K turns.")
def play(puzzle: str, row: str | None, words: Path | None, save: Path | None, resume: Path | None) -> int:
    """Play a game yourself, in the terminal.

    Draw tiles of PUZZLE, play words, ask for hints. After every turn the game is in its file.
    """
    from solver.play.keyboard_game import Session
    from solver.play.row_table import Table
    from solver.solving.warmup import warm_up

    _require_input()
    chosen = chosen_puzzle(puzzle, row, words)
    if resume is not None and save is not None:
        raise click.UsageError("--resume keeps the game in its own file: expected no --save")
    opened = None if resume is None else OpenedGame.of(str(resume))
    problem = read_problem(chosen if opened is None else opened.puzzle(chosen, tell=say))
    lines = [] if opened is None else opened.content.splitlines()
    has_turns = any(line.strip() and not line.startswith(b"#") for line in lines)
    turns = opened.turns(problem) if opened is not None and has_turns else ()
    warm_up(say)
    if save is not None and save.exists():
        raise RowdrawError(f"{save}: exists already: --resume goes on with it")
    table = Table(problem, turns)
    path = save or _new_file(problem.puzzle.name)
    if opened is not None and resume is not None and _is_kept_game(opened.content, table):
        path = resume
    elif resume is not None:
        say(f"{resume} holds more than a game that this command keeps: going on in {path}")
    session = Session(table, path, _resume_command(problem.puzzle, path))
    if path != resume:
        session.save()
    return _run_session(session)


def _resume_command(puzzle: "Puzzle", path: Path) -> str:
    """Return the command that resumes a game of `puzzle` in `path`. The file of the game names no other file."""
    from solver.model.puzzle import bundled_puzzles
    from solver.model.statement import address_of

    named = address_of(puzzle)[0]
    words = ["--words", str(puzzle.own_words)] if puzzle.own_words is not None else []
    return shlex.join(["rowdraw", "play", *([] if named in bundled_puzzles() else [named]), *words, "--resume", str(path)])


def _is_kept_game(content: bytes, table: "Table") -> bool:
    """Return whether a file holds this game and nothing else, so that the game may be written there."""
    return content.split() == table.text().encode().split()


def _new_file(name: str) -> Path:
    """Return the path of a file that does not exist yet."""
    plain = "".join(c if c.isalnum() else "-" for c in name)[:40].strip("-") or "row"
    paths = (Path(f"rowdraw-{plain}{f'-{number}' if number > 1 else ''}.txt") for number in range(1, 10_000))
    return next(path for path in paths if not path.exists())


@click.command()
@click.option("--players", type=click.IntRange(2, 4), metavar="N", help="2, 3 or 4 (default: 2).")
@click.option("--names", metavar="A,B,...", help="The names of the players.")
@click.option("--against", type=click.Choice(["bot"]), help="Play alone against the computer.")
@options.tiles("A bundled tile set, such as icelandic or german (default: english).")
@options.lexicon("enable1, bin, none or a file; default: by the tiles, else none.")
@click.option(
    "--end",
    type=click.Choice(["gain", "deduct"]),
    help="The end: who goes out gets the value of the others' tiles, or all only lose their own (default: by the tiles).",
)
@click.option("--seed", type=click.IntRange(0, 2**63 - 1), metavar="N", help="Decides the order of the bag.")
@click.option("--save", type=FILE, metavar="GAME.gcg", help="The file of the new game.")
@click.option("--resume", type=FILE, metavar="GAME.gcg", help="Go on with this game.")
def scrabble(
    players: int | None,
    names: str | None,
    against: str | None,
    tiles: str | None,
    words: str | None,
    end: str | None,
    seed: int | None,
    save: Path | None,
    resume: Path | None,
) -> int:
    """Play Scrabble with others or against a bot.

    Board, bag and racks are on the screen. Every event is in the GCG file before the next move.
    """
    from solver.scrabble.game import Setup, TableGame, table_tiles
    from solver.scrabble.saved_games import Store
    from solver.scrabble.table import Session
    from verify.scrabble.lexicons import game_words, words_of_pragma
    from verify.text import is_printable

    _require_input()
    if resume is not None:
        if any(option is not None for option in (players, names, against, tiles, end, seed, save)):
            raise click.UsageError("--resume goes on with a game as it began: expected no other option but --words")
        store, game = Store.open(resume)
    else:
        chosen = table_tiles(tiles or "english")
        default = {"english": "enable1", "icelandic": "bin"}.get(chosen.name, "none")
        number = random.SystemRandom().randrange(2**31) if seed is None else seed
        listed = default if words is None else words
        game = TableGame(Setup(_players(players, names, against), chosen, listed, number, end or ""))
        store = None
    lexicon = game.setup.lexicon if words is None else words
    if not is_printable(lexicon):
        raise click.UsageError(f"--words {lexicon!r}: expected the name of a list that can be shown, and kept in the game")
    # a saved game must not decide which files are opened: if it names no bundled list, the players judge words
    judge = game_words(lexicon) if words is not None or resume is None else words_of_pragma(lexicon or None)
    if store is None:
        if against is not None and judge.is_word is None:
            raise click.UsageError(f"--against {against} needs a list of words: {judge.remark}")
        path = save or Path(f"rowdraw-game-{game.setup.seed}.gcg")
        store = Store.create(path, game.setup, game.setup.nicks[-1] if against is not None else None)
    return _run_session(Session(store, game, lexicon, judge))


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


@click.command()
@options.puzzle
@click.option("--port", type=click.IntRange(0, 65_535), default=8294, show_default=True, help="0 for any that is free.")
@click.option(
    "--host", default="127.0.0.1", show_default=True, help="The address to listen on; others than this machine need a token."
)
@click.option("--open", "opens", is_flag=True, help="Open the page in the browser.")
@click.option("--searches", type=click.IntRange(1, 64), default=2, show_default=True, help="Searches at the same time.")
@options.threads
def serve(
    puzzle: str, row: str | None, words: Path | None, port: int, host: str, opens: bool, searches: int, threads: int | None
) -> int:
    """Play, analyse and judge games in the browser.

    The table opens with PUZZLE. The page is served to this machine alone unless you say otherwise. Ctrl-C ends the server;
    games stay in the browser.
    """
    from solver.extras import require

    require("web", "starlette", "uvicorn")
    import socket

    from solver.search.run import processors
    from solver.solving.warmup import warm_up
    from solver.web.app import make_app, run_server
    from solver.web.position import Desk

    chosen = chosen_puzzle(puzzle, row, words)
    if words is not None:
        read_problem(chosen)  # refuses an unusable list before anyone plays
    warm_up(say)
    try:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        listening = socket.socket(family, socket.SOCK_STREAM)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((host, port))
        listening.listen(128)  # before the address is printed
    except OSError as error:
        raise RowdrawError(f"{host}:{port}: cannot listen there ({error.strerror}): choose another --port or --host") from error
    port = listening.getsockname()[1]
    token = None if host in _LOOPBACK else secrets.token_urlsafe(24)
    names = _names(host)
    address = f"http://{names[0]}:{port}/" + (f"?token={token}" if token else "")
    # a browser leaves the usual port out
    hosts = frozenset(f"{name.lower()}{end}" for name in names for end in (f":{port}", *([""] if port == 80 else [])))
    app = make_app(Desk(chosen), hosts, token, searches, threads or processors())
    click.echo(f"{address} (Ctrl-C ends it)")
    if opens:
        webbrowser.open(address)
    run_server(app, listening)
    return 0


@click.command()
@click.argument("folder", type=FOLDER)
def site(folder: Path) -> None:
    """Write the table as static files that need no server.

    Any web host serves FOLDER, from any address. The browser plays, searches and judges by itself, also without a connection
    once the page was open. FOLDER is new, or holds only an earlier site.
    """
    import gzip

    from solver.web.site import site_files, write_site

    files = site_files()
    write_site(folder, files)
    sent = sum(min(len(content), len(gzip.compress(content))) for content in files.values())
    total = sum(map(len, files.values()))
    click.echo(f"{folder}: {len(files)} files, {total:,} bytes; the first visit loads {sent:,} bytes if the host compresses")
    click.echo(f"try it: python3 -m http.server -d {shlex.quote(str(folder))} 8295, then open http://localhost:8295/")


def _names(host: str) -> list[str]:
    """Return the names and addresses under which a server that listens on `host` is reached; the first one is printed."""
    import socket

    import psutil

    local = ["127.0.0.1", "localhost", "[::1]"]
    if host not in _EVERYWHERE:
        return list(dict.fromkeys([f"[{host}]" if ":" in host else host, *local]))
    addresses = [address for card in psutil.net_if_addrs().values() for address in card]
    names = [address.address for address in addresses if address.family == socket.AF_INET]
    names += [f"[{address.address.partition('%')[0]}]" for address in addresses if address.family == socket.AF_INET6]
    return [*(name for name in names if name not in local), socket.gethostname(), *local]
