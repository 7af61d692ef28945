"""`rowdraw play`, `serve` and `site`: games at the keyboard and in the browser."""

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
from solver.commands.running import INTERRUPTED, read_problem, say
from solver.errors import RowdrawError
from solver.solving.opened import OpenedGame

if TYPE_CHECKING:
    from solver.play.game import Session as KeyboardGame
    from solver.scrabble.table import TableSession
    from verify import Rules

_LOOPBACK = ("127.0.0.1", "::1", "localhost")
_EVERYWHERE = ("0.0.0.0", "::", "")


def run_session(session: "KeyboardGame | TableSession") -> int:
    """Play; after Ctrl-C or a signal say where the game is. Returns the exit code."""
    try:
        session.run()
    except (KeyboardInterrupt, click.Abort):
        click.echo(f"\n{session.saved}")
        return INTERRUPTED
    return 0


def require_input() -> None:
    """Raise `RowdrawError` if standard input is closed."""
    if sys.stdin is None:
        raise RowdrawError("standard input is closed: expected moves, a line each")


@click.command()
@options.puzzle
@click.option(
    "--save",
    type=FILE,
    metavar="FILE",
    help="Where the game is kept; default: a new file named after the puzzle.",
)
@click.option(
    "--resume",
    type=FILE,
    metavar="FILE",
    help="Go on with the game of this file; FILE:K, with its first K turns.",
)
def play(chosen: "Rules", save: Path | None, resume: Path | None) -> int:
    """Play a game yourself, in the terminal.

    Draw tiles of PUZZLE, play words, ask for hints. After every turn the game is in its file.
    """
    from solver.play.game import Session
    from solver.solving.warmup import warm_up

    require_input()
    if resume is None:
        problem = read_problem(chosen)
        session = Session(problem, (), save or _new_file(problem.rules.puzzle), None)
    elif save is not None:
        raise click.UsageError("--resume keeps the game in its own file: expected no --save")
    else:
        opened = OpenedGame.of(str(resume))
        problem = read_problem(opened.rules(chosen, say))
        turns = opened.turns(problem) if _has_turns(opened.content) else ()
        session = Session(problem, turns, Path(opened.file), opened.content)
        if opened.content.split() != session.text().encode().split():
            path = _new_file(problem.rules.puzzle)
            say(f"{resume} holds more than a game that this command keeps: going on in {path}")
            session = Session(problem, turns, path, None)
    warm_up(say)
    session.save()
    return run_session(session) or (2 if session.unsaved else 0)


def _has_turns(content: bytes) -> bool:
    """Return whether a file has more than comments."""
    return any(line.strip() and not line.startswith(b"#") for line in content.splitlines())


def _new_file(name: str) -> Path:
    """Return the path of a file that does not exist yet."""
    plain = re.sub(r"\W", "-", name)[:40].strip("-") or "row"
    path = Path(f"rowdraw-{plain}.txt")
    number = 1
    while path.exists():
        number += 1
        path = Path(f"rowdraw-{plain}-{number}.txt")
    return path


@click.command()
@options.puzzle
@click.option(
    "--port",
    type=click.IntRange(0, 65_535),
    default=8294,
    show_default=True,
    help="0 for any that is free.",
)
@click.option(
    "--host",
    default="127.0.0.1",
    show_default=True,
    help="The address to listen on; others than this machine need a token.",
)
@click.option("--open", "opens", is_flag=True, help="Open the page in the browser.")
@click.option(
    "--searches",
    type=click.IntRange(1, 64),
    default=2,
    show_default=True,
    help="Searches at the same time.",
)
@options.threads
def serve(
    chosen: "Rules", port: int, host: str, opens: bool, searches: int, threads: int | None
) -> int:
    """Play, analyse and judge games in the browser.

    The table opens with PUZZLE. The page is served to this machine alone unless you say otherwise.
    Ctrl-C ends the server; games stay in the browser.
    """
    from solver.errors import require

    require("web", "starlette", "uvicorn")
    import socket

    from solver.search.run import processors
    from solver.solving.warmup import warm_up
    from solver.web.app import make_app, run_server
    from solver.web.desk import Desk

    read_problem(chosen)  # refuses an unusable list before anyone plays
    warm_up(say)
    try:
        # before the address is printed
        listening = socket.create_server(
            (host, port),
            family=socket.AF_INET6 if ":" in host else socket.AF_INET,
            backlog=128,
            dualstack_ipv6=host == "::" and socket.has_dualstack_ipv6(),
        )
    except OSError as error:
        raise RowdrawError(
            f"{host}:{port}: cannot listen there ({error.strerror}): "
            "choose another --port or --host"
        ) from error
    port = listening.getsockname()[1]
    address = f"http://{_shown_name(host)}:{port}/"
    token = None
    if host not in _LOOPBACK:
        token = secrets.token_urlsafe(24)
        address += f"?token={token}"
    app = make_app(Desk(chosen), token, searches, threads or processors())
    click.echo(f"{address} (Ctrl-C ends it)")
    if opens:
        webbrowser.open(address)
    run_server(app, listening)
    return 0


@click.command()
@click.argument("folder", type=FOLDER)
def site(folder: Path) -> None:
    """Write the table as static files that need no server.

    Any web host serves FOLDER, from any address. The browser plays, searches and judges by itself,
    also without a connection once the page was open. FOLDER is new, or holds an earlier site.
    """
    from solver.web.site import first_visit, site_files, write_site

    files = site_files()
    write_site(folder, files)
    total = sum(map(len, files.values()))
    sent = first_visit(files)
    click.echo(
        f"{folder}: {len(files)} files, {total:,} bytes; "
        f"the first visit loads {sent:,} bytes if the host compresses"
    )
    click.echo(
        f"try it: python3 -m http.server -d {shlex.quote(str(folder))} 8295, "
        "then open http://localhost:8295/"
    )


def _shown_name(host: str) -> str:
    """Return the name or address by which browsers reach a server that listens on `host`."""
    import socket

    if host in _EVERYWHERE:
        try:
            with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
                probe.connect(("192.0.2.1", 9))  # sends nothing, but chooses the own address
                return str(probe.getsockname()[0])
        except OSError:
            return socket.gethostname()
    return f"[{host}]" if ":" in host else host
