"""`rowdraw serve`: the table in the browser."""

import secrets
import webbrowser
from pathlib import Path

import click

from solver.commands.running import chosen_puzzle, puzzle_options, read_problem, say, threads_option
from solver.errors import RowdrawError

_LOOPBACK = ("127.0.0.1", "::1", "localhost")
_EVERYWHERE = ("0.0.0.0", "::", "")


@click.command()
@puzzle_options
@click.option("--port", type=click.IntRange(0, 65_535), default=8294, show_default=True, help="0 for any that is free.")
@click.option(
    "--host", default="127.0.0.1", show_default=True, help="The address to listen on; others than this machine want a token."
)
@click.option("--open", "opens", is_flag=True, help="Open the page in the browser.")
@click.option("--searches", type=click.IntRange(1, 64), default=2, show_default=True, help="Searches at the same time.")
@threads_option
def serve(
    puzzle: str,
    row: str | None,
    words: Path | None,
    port: int,
    host: str,
    opens: bool,
    searches: int,
    threads: int | None,
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
    from solver.web.app import make_app
    from solver.web.position import Desk
    from solver.web.server import run_server

    chosen = chosen_puzzle(puzzle, row, words)
    if words is not None:
        read_problem(chosen)  # a list that cannot be used is refused before anyone plays
    warm_up(say)
    try:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        listening = socket.socket(family, socket.SOCK_STREAM)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((host, port))
        listening.listen(128)  # whoever reads the address below may call at once
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


def _names(host: str) -> list[str]:
    """By what names and addresses a server that listens on `host` may be called; the first one is told to people."""
    import socket

    import psutil

    own = ["127.0.0.1", "localhost", "[::1]"]
    if host in _LOOPBACK:
        return list(dict.fromkeys([f"[{host}]" if ":" in host else host, *own]))
    if host not in _EVERYWHERE:
        return [f"[{host}]" if ":" in host else host, *own]
    found = [address.address for some in psutil.net_if_addrs().values() for address in some if address.family == socket.AF_INET]
    found += [f"[{address.address.partition('%')[0]}]" for some in psutil.net_if_addrs().values() for address in some
              if address.family == socket.AF_INET6]  # fmt: skip
    outside = [name for name in found if name not in own]
    return [*outside, socket.gethostname(), *own]
