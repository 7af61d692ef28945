"""Requests to the table's server, as they are on the wire: line, headers, empty line, body."""

import asyncio
import json
from collections.abc import AsyncGenerator
from functools import cache
from typing import Any

from solver.model.puzzle import load_puzzle
from solver.web.app import make_app
from solver.web.desk import Desk
from solver.web.searches import BusyError
from tests.fuzz.target import DisagreementError, Target

_HOST = "127.0.0.1:8000"
_GUARDED = "127.0.0.1:8001"  # this one needs a token
_TURNS = ["6 s?l?mnized solemnized", "9 outmove outmove"]
_STATUSES = {200, 303, 400, 401, 403, 404, 405, 413, 415, 421, 429}


async def _busy(_job: dict[str, Any], _seconds: float) -> AsyncGenerator[dict[str, Any], None]:
    """A search that cannot begin; its job has been read by then."""
    raise BusyError
    yield {}  # never comes: it makes this a generator


@cache
def _app(host: str) -> Any:
    app = make_app(_desk(), None if host == _HOST else "secret", 1, 1)
    app.state.searches.events = _busy
    return app


@cache
def _desk() -> Desk:
    return Desk(load_puzzle("challenge"))


@cache
def _loop() -> asyncio.AbstractEventLoop:
    return asyncio.new_event_loop()


def _parted(content: bytes) -> tuple[str, str, bytes, list[tuple[bytes, bytes]], bytes]:
    """Method, path, query, headers and body."""
    head, _, body = content.partition(b"\n\n")
    first, *lines = head.split(b"\n")
    method, _, address = first.partition(b" ")
    path, _, query = address.partition(b"?")
    headers = [
        (name.strip().lower(), value.strip())
        for name, _, value in (line.partition(b":") for line in lines)
    ]
    return method.decode("latin-1"), path.decode("latin-1"), query, headers, body


def _requests(content: bytes) -> None:
    method, path, query, headers, body = _parted(content)
    app = _app(_GUARDED if _GUARDED.encode() in content else _HOST)
    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "scheme": "http",
        "method": method,
        "path": path,
        "raw_path": path.encode("latin-1"),
        "query_string": query,
        "root_path": "",
        "headers": headers,
        "client": ("127.0.0.1", 1),
        "server": ("127.0.0.1", 8000),
    }
    sent: list[dict[str, Any]] = []

    told = iter([body])

    async def receive() -> dict[str, Any]:
        if (piece := next(told, None)) is None:
            await asyncio.Event().wait()  # nothing more comes, and nobody leaves
        return {"type": "http.request", "body": piece, "more_body": False}

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    _loop().run_until_complete(app(scope, receive, send))
    status = sent[0]["status"]
    if status not in _STATUSES:
        raise DisagreementError(f"status {status}")
    if b"default-src 'none'" not in dict(sent[0]["headers"]).get(b"content-security-policy", b""):
        raise DisagreementError("an answer without its policy")
    if app is not _app(_HOST) and status == 200 and b"secret" not in content:
        raise DisagreementError("an answer without the token")
    if path.startswith("/api/") and method == "POST":
        answer = json.loads(b"".join(message.get("body", b"") for message in sent[1:]))
        if status != 200 and not isinstance(answer.get("error"), str):
            raise DisagreementError(f"status {status} without a word")


def _request(path: str, fields: dict[str, Any]) -> bytes:
    body = json.dumps(fields)
    return f"POST /api/{path}\nhost: {_HOST}\ncontent-type: application/json\n\n{body}".encode()


def _seeds() -> list[bytes]:
    puzzles = ({"own": True}, {"name": "challenge"}, {"row": "tea?setsoatzest"}, {"seed": 7})
    found = [
        f"GET {path}\nhost: {_HOST}\n\n".encode()
        for path in ("/", "/static/table.js", "/view/../app.py", "/api/judge?token=a")
    ]
    found += [
        f"GET /?token=secret\nhost: {_GUARDED}\n\n".encode(),
        f"GET /\nhost: {_GUARDED}\ncookie: rowdraw-8001=secret\n\n".encode(),
        (
            f"GET /\nhost: {_HOST}\nsec-fetch-site: cross-site\nsec-fetch-mode: navigate\n"
            "sec-fetch-dest: document\n\n"
        ).encode(),
    ]
    for puzzle in puzzles:
        told = {"puzzle": puzzle, "turns": "\n".join(_TURNS), "text": "\n".join(_TURNS)}
        search = told | {"kind": "solve", "strategy": "beam:width=10", "seconds": 3}
        found += [_request("judge", told), _request("search", search)]
    return found


TARGETS = {"requests": Target(_requests, _seeds)}
