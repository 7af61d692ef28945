"""What pages of others, and those that go away, may try: nothing runs, nothing hangs, and the terminal stays quiet."""

import json
import re
import signal
import socket
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.process import runs
from tests.web.serving import CHALLENGE, Server, serving, until

SEARCH = {**CHALLENGE, "turns": [], "kind": "solve", "strategy": "widening", "seconds": 300}


def said(server: Server) -> str:
    """What the terminal shows in the end."""
    server.process.send_signal(signal.SIGTERM)
    _out, err = server.process.communicate(timeout=30)
    return err


def sent(server: Server, text: str, wait: float = 0.0) -> bytes:
    """What comes back for bytes on the wire, after which the connection is left."""
    place = urlsplit(server.address)
    with socket.create_connection((place.hostname, place.port), timeout=60) as connection:
        connection.sendall(text.encode())
        if not wait:
            return b""
        connection.settimeout(wait)
        return connection.recv(1 << 16)


def test_no_file_is_opened_for_a_page_whatever_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "beam:d").mkdir()
    for name in ("evil.py", "beam:evil.py", "beam.py"):
        (tmp_path / name).write_text("from pathlib import Path\nPath('ran').touch()\nclass Mine: ...\n")
    with serving() as server:
        for strategy in ("beam:evil.py:Mine", "beam:d/../evil.py:Mine", "beam:/evil.py:X", "beam.py:X", "exact:\n"):
            status, answer = server.ask("search", {**SEARCH, "strategy": strategy})
            assert (status, list(answer)) == (200, ["error"]), strategy
            assert "expected greedy, beam, widening or exact" in answer["error"]
            assert not (tmp_path / "ran").exists(), strategy


@pytest.mark.parametrize(
    ("path", "fields", "status"),
    [
        ("search", {"kind": []}, 200),
        ("search", {"kind": {}}, 200),
        ("judge", {"text": "\ud800"}, 400),
    ],
)
def test_values_that_no_page_sends_are_errors_in_json(server: Server, path: str, fields: Any, status: int) -> None:
    answer = server.ask(path, {"puzzle": {"own": True}, **fields})
    assert (answer[0], list(answer[1])) == (status, ["error"])


def test_a_pasted_text_may_hold_brackets(server: Server) -> None:
    status, answer = server.ask("judge", {"puzzle": {"own": True}, "text": "[x] " * 2_001 + "\n6 zz zz"})
    assert status == 200
    assert [verdict["valid"] for verdict in answer] == [False]


def test_a_fault_of_a_row_does_not_tell_where_the_server_keeps_its_files(server: Server) -> None:
    _status, answer = server.ask("judge", {"puzzle": {"own": True}, "text": "# row: ABC1\n6 a b"})
    assert ".toml" not in json.dumps(answer)


def test_a_page_that_leaves_while_it_asks_is_not_told_of() -> None:
    with serving() as server:
        place = urlsplit(server.address).netloc
        head = f"POST /api/judge HTTP/1.1\r\nHost: {place}\r\nContent-Type: application/json\r\nContent-Length: 900000\r\n\r\n"
        sent(server, head + "{")
        assert server.ask("judge")[0] == 200
        assert said(server) == ""


def test_connections_without_a_whole_request_are_closed_and_a_running_search_is_not(server: Server) -> None:
    place = urlsplit(server.address)
    request = f"GET /static/icon.svg HTTP/1.1\r\nHost: {place.netloc}\r\n\r\n"
    events = server.events(SEARCH)
    next(events)
    with ExitStack() as opened:
        for begun in ("", "POST /api/po", request, f"{request}GET /st"):
            connection = opened.enter_context(socket.create_connection((place.hostname, place.port), timeout=60))
            connection.sendall(begun.encode())
            opened.callback(_read_to_the_end, connection)
    assert next(events)["event"] != "error"
    events.close()


def _read_to_the_end(connection: socket.socket) -> None:
    while connection.recv(1 << 16):
        pass


def test_a_refused_body_that_does_not_come_is_not_waited_for(server: Server) -> None:
    began = time.monotonic()
    answer = sent(server, "POST / HTTP/1.1\r\nHost: evil\r\nContent-Length: 900000\r\n\r\n{", wait=25)
    assert b" 421 " in answer.partition(b"\r\n")[0]
    assert time.monotonic() - began > 1  # it was waited for, and no longer than that


def test_a_link_from_elsewhere_opens_the_page_and_nothing_else(server: Server) -> None:
    place = urlsplit(server.address).netloc

    def status(path: str, mode: str, dest: str) -> str:
        lines = [
            f"GET {path} HTTP/1.1",
            f"Host: {place}",
            "Sec-Fetch-Site: cross-site",
            f"Sec-Fetch-Mode: {mode}",
            f"Sec-Fetch-Dest: {dest}",
        ]
        return sent(server, "\r\n".join(lines) + "\r\n\r\n", wait=20).split()[1].decode()

    assert status("/", "navigate", "document") == "200"
    assert status("/", "navigate", "iframe") == "403"
    assert status("/", "no-cors", "image") == "403"
    assert status("/static/page.js", "navigate", "document") == "403"


def test_cookies_of_other_servers_do_not_lock_anybody_out() -> None:
    with serving("--host", "0.0.0.0") as server:
        port = urlsplit(server.address).port
        token = re.search(r"\?token=(.+)", server.address)
        assert token is not None
        here = Server(f"http://127.0.0.1:{port}/", server.process)
        own = f"rowdraw-{port}={token[1]}"
        for cookies in (own, f"other[x]=1; {{a}}=b; {own}", f'a={{"x":1}}; {own}; rowdraw-1=z'):
            assert here.ask("judge", headers={"Cookie": cookies})[0] == 200
        assert here.ask("judge", headers={"Cookie": f"rowdraw-{port}="})[0] == 401


@pytest.mark.usefixtures("posix")
@pytest.mark.parametrize("name", ["SIGTERM", "SIGINT", "SIGHUP"])
def test_pages_are_told_that_the_server_ends_and_the_terminal_shows_no_traceback(name: str) -> None:
    with serving() as server:
        events = server.events(SEARCH)
        while next(events)["event"] != "progress":
            pass
        server.process.send_signal(signal.Signals[name])
        assert list(events)[-1] == {"event": "error", "message": "the server was ended"}
        _out, err = server.process.communicate(timeout=30)
        assert err == ""


def test_a_search_ends_with_a_server_that_was_killed() -> None:
    with serving() as server:
        events = server.events(SEARCH)
        while next(events)["event"] != "progress":
            pass
        searches = server.searches()
        assert searches
        server.process.kill()
        assert until(lambda: not any(runs(search) for search in searches))
