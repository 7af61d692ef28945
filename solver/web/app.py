"""The server and its application.

It sends the page's files, answers as JSON, and searches as server-sent events.
"""

import asyncio
import gzip
import json
import logging
import mimetypes
import re
import signal
import socket
from collections.abc import AsyncGenerator, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import astuple
from functools import cache
from hashlib import sha256
from inspect import signature
from typing import Any

import uvicorn
from anyio import CapacityLimiter, to_thread
from starlette.applications import Starlette
from starlette.background import BackgroundTask
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.errors import ServerErrorMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from solver.errors import RowdrawError
from solver.solving.strategies import make_strategy
from solver.web.board import REQUESTS as BOARD_REQUESTS
from solver.web.board import BoardDesk
from solver.web.desk import Desk, RequestError
from solver.web.guard import Guard, refused
from solver.web.searches import BusyError, Searches
from solver.web.site import served_files
from solver.web.worker import JOBS
from verify.files import json_value

_LONGEST_SEARCH = 600.0  # seconds
_MOST_NESTING = 300_000  # brackets of a body, those of pasted text among them
_LARGEST_BODY = 1_000_000  # bytes
_LARGEST_UNREAD = 20_000_000  # bytes of a body that are read before it is refused
_SECONDS_A_BODY = 30.0
_AT_ONCE = 4  # answers computed at a time: rows of hundreds of tiles take memory
# a page starts no programs and loads no files, so these are the only strategies here
_OFFERED = re.compile(
    r"(greedy|beam|widening|exact)(:[a-z_]+=[-+.\w]+(,[a-z_]+=[-+.\w]+)*)?", re.ASCII
)


# the files of addresses that name none
_PAGES = {"": "index.html", "board": "board.html", "favicon.ico": "static/icon.svg"}


def _event_text(event: dict[str, Any]) -> str:
    return f"data: {json.dumps(event)}\n\n"


def make_app(desk: Desk, token: str | None, searches: int, threads: int) -> Starlette:
    """Return the application.

    Args:
        desk: Answers the requests of pages.
        token: See `Guard`.
        searches: The number of searches at a time.
        threads: The number of threads of each search.
    """
    running = Searches(searches)
    board = BoardDesk()
    limiter = CapacityLimiter(_AT_ONCE)
    board_limiter = CapacityLimiter(_AT_ONCE)  # its own: the moves of bots may take long
    files = ThreadPoolExecutor(1).submit(served_files, desk.own)  # ready when the first page opens

    def answering(path: str, method: Callable[..., Any], limit: CapacityLimiter) -> Route:
        names = signature(method).parameters  # those of the fields of a request

        async def endpoint(request: Request) -> Response:
            fields = await _body(request)
            values = map(fields.get, names)
            return JSONResponse(await to_thread.run_sync(method, *values, limiter=limit))

        return Route(path, endpoint, methods=["POST"])

    async def search(request: Request) -> Response:
        fields = await _body(request)
        job, seconds = await to_thread.run_sync(_job, desk, fields, threads, limiter=limiter)
        events = running.events(job, seconds)
        first = await anext(events)  # before the answer begins: a full queue is refused

        async def texts() -> AsyncGenerator[str, None]:
            yield _event_text(first)
            async for event in events:
                yield _event_text(event)

        return StreamingResponse(
            texts(),
            headers={"cache-control": "no-store"},
            media_type="text/event-stream",
            # the search ends, too, when the page closes the connection
            background=BackgroundTask(events.aclose),
        )

    async def file(request: Request) -> Response:
        name = request.path_params["name"]
        found = await asyncio.wrap_future(files)
        name = _PAGES.get(name, name)
        if name not in found:
            raise HTTPException(404, "not found")
        content = found[name]
        packed, tag = _packed(content)
        headers = {"etag": tag}
        # a browser asks each time whether it still has the file
        if request.headers.get("if-none-match") == tag:
            return Response(None, 304, headers)
        if "gzip" in request.headers.get("accept-encoding", ""):
            content = packed
            headers["content-encoding"] = "gzip"
        return Response(content, 200, headers, mimetypes.guess_type(name)[0])

    routes = [
        answering("/api/judge", desk.verdicts, limiter),
        answering("/api/judged", desk.judged, limiter),
        Route("/api/search", search, methods=["POST"]),
        *(
            answering(f"/api/board/{name}", getattr(board, name), board_limiter)
            for name in BOARD_REQUESTS
        ),
        Route("/{name:path}", file),
    ]
    app = Starlette(
        routes=routes,
        # inside the guard, whose headers these answers need, too
        middleware=[
            Middleware(Guard, token=token),
            Middleware(ServerErrorMiddleware, handler=_INTERNAL),
        ],
        exception_handlers=_ERRORS,
    )
    app.router.redirect_slashes = False  # no page requests such an address
    app.state.searches = running
    return app


@cache
def _packed(content: bytes) -> tuple[bytes, str]:
    """Return a file compressed, and its tag."""
    return gzip.compress(content, mtime=0), f'"{sha256(content).hexdigest()[:16]}"'


async def _body(request: Request) -> dict[str, Any]:
    """Return the fields of a request. Raises `HTTPException` if its body is no JSON object."""
    content = bytearray()
    async with asyncio.timeout(_SECONDS_A_BODY):
        async for chunk in request.stream():
            content += chunk
            # a client that is still sending would see a broken connection, not the refusal
            if len(content) > _LARGEST_UNREAD:
                break
    if len(content) > _LARGEST_BODY:
        raise HTTPException(413, f"expected at most {_LARGEST_BODY:,} bytes")
    try:
        fields = json_value(bytes(content), _MOST_NESTING)
        # fails for half of a surrogate pair, which could not be sent back
        json.dumps(fields, ensure_ascii=False).encode()
    except (UnicodeError, RecursionError) as error:
        raise HTTPException(400, "the request is not JSON in UTF-8") from error
    except ValueError as error:
        raise HTTPException(400, f"the request is not JSON: {error}") from error
    if not isinstance(fields, dict):
        raise HTTPException(400, "the request is not a JSON object")
    return fields


def _job(desk: Desk, fields: dict[str, Any], threads: int) -> tuple[dict[str, Any], float]:
    """Return the job for a worker, and its time limit in seconds. Raises `RowdrawError`."""
    kind = fields.get("kind")
    if not isinstance(kind, str) or kind not in JOBS:
        raise RequestError(f"kind: expected one of {', '.join(JOBS)}")
    seconds = fields.get("seconds", _LONGEST_SEARCH)
    if type(seconds) not in (int, float) or not 0 < seconds <= _LONGEST_SEARCH:
        raise RequestError(f"seconds: expected more than 0 and at most {_LONGEST_SEARCH:g}")
    rules, turns = desk.position(fields.get("puzzle"), fields.get("turns", ""))
    job = {
        "kind": kind,
        "puzzle": rules.packed(),
        "turns": list(map(astuple, turns)),
        "threads": threads,
        "seconds": seconds,
    }
    if kind == "solve":
        job["strategy"] = _strategy(fields.get("strategy"))
    return job, seconds


def _strategy(named: Any) -> str:
    """Return the specification of a strategy that pages may use. Raises `RowdrawError`."""
    if not isinstance(named, str) or len(named) > 200 or not _OFFERED.fullmatch(named):
        expected = "greedy, beam, widening or exact, with settings as in beam:width=1000"
        raise RequestError(f"strategy {named!r:.60}: expected {expected}")
    make_strategy(named)
    return named


def _refusal(status: int, message: str = "") -> Callable[[Request, Exception], Response]:
    """Return a handler of errors that answers with `message`, or else with the error's own."""
    return lambda request, error: refused(request, status, message or str(error))


_ERRORS: Mapping[Any, Callable[[Request, Any], Response]] = {
    # errors that the user can fix: a browser would report any other status in its console
    RowdrawError: _refusal(200),
    BusyError: _refusal(429, "too many searches wait already: try again in a minute"),
    TimeoutError: _refusal(408, "the request did not arrive completely in time"),
    ClientDisconnect: _refusal(400, "the page closed the connection"),
    HTTPException: lambda request, error: refused(request, error.status_code, error.detail),
}
_INTERNAL = _refusal(500, "internal error of the server: its terminal shows more")


class _Server(uvicorn.Server):
    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        # the searches first, so that pages waiting for them get an answer
        assert isinstance(self.config.app, Starlette)
        await self.config.app.state.searches.close()
        await super().shutdown(sockets)


def run_server(app: Starlette, listening: socket.socket) -> None:
    """Answer requests until SIGINT, SIGTERM or SIGHUP arrives."""
    config = uvicorn.Config(
        app,
        log_level="error",
        access_log=False,
        server_header=False,
        limit_concurrency=500,
        timeout_graceful_shutdown=1,
    )
    logging.getLogger("uvicorn.error").addFilter(_is_fault)
    if hasattr(signal, "SIGHUP"):
        signal.signal(signal.SIGHUP, lambda _number, _frame: signal.raise_signal(signal.SIGTERM))
    with suppress(KeyboardInterrupt):
        _Server(config).run([listening])


def _is_fault(record: logging.LogRecord) -> bool:
    """Return whether a log record is about more than an answer that was cancelled."""
    return not (record.exc_info and isinstance(record.exc_info[1], asyncio.CancelledError))
