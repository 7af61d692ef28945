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
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route
from uvicorn.protocols.http.h11_impl import H11Protocol

from solver.errors import RowdrawError
from solver.solving.strategies import make_strategy
from solver.web.board import REQUESTS as BOARD_REQUESTS
from solver.web.board import BoardDesk
from solver.web.desk import Desk, RequestError
from solver.web.guard import LARGEST_BODY, Guard, TooLargeError, TooSlowError, refused
from solver.web.searches import BusyError, Searches
from solver.web.site import served_files
from solver.web.worker import JOBS
from verify.files import json_value

_LONGEST_SEARCH = 600.0  # seconds
_MOST_NESTING = 300_000  # brackets of a body, those of pasted text among them
_SECONDS_A_HEAD = 10  # in which the next request of a connection must begin
_AT_ONCE = 4  # answers computed at a time: rows of hundreds of tiles take memory
# a page starts no programs and loads no files, so these are the only strategies here
_OFFERED = re.compile(
    r"(greedy|beam|widening|exact)(:[a-z_]+=[-+.\w]+(,[a-z_]+=[-+.\w]+)*)?", re.ASCII
)


# the files of addresses that name none
_PAGES = {"": "index.html", "board": "board.html", "favicon.ico": "static/icon.svg"}


class MalformedError(Exception):
    """The body of a request is not a JSON object."""


def _event_text(event: dict[str, Any]) -> str:
    return f"data: {json.dumps(event)}\n\n"


def make_app(
    desk: Desk, hosts: frozenset[str], token: str | None, searches: int, threads: int
) -> Starlette:
    """Return the application.

    Args:
        desk: Answers the requests of pages.
        hosts: See `Guard`.
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
            raise HTTPException(404)
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
        middleware=[Middleware(Guard, hosts=hosts, token=token)],
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
    try:
        fields = json_value(await request.body(), _MOST_NESTING)
        # fails for half of a surrogate pair, which could not be sent back
        json.dumps(fields, ensure_ascii=False).encode()
    except (UnicodeError, RecursionError) as error:
        raise MalformedError("the request is not JSON in UTF-8") from error
    except ValueError as error:
        raise MalformedError(f"the request is not JSON: {error}") from error
    if not isinstance(fields, dict):
        raise MalformedError("the request is not a JSON object")
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


_ERRORS: Mapping[Any, Callable[[Request, Exception], Response]] = {
    # errors that the user can fix: a browser would report any other status in its console
    RowdrawError: _refusal(200),
    MalformedError: _refusal(400),
    TooLargeError: _refusal(413, f"expected at most {LARGEST_BODY:,} bytes"),
    BusyError: _refusal(429, "too many searches wait already: try again in a minute"),
    TooSlowError: _refusal(408, "the request did not arrive completely in time"),
    ClientDisconnect: _refusal(400, "the page closed the connection"),
    HTTPException: _refusal(404, "not found"),
}


class _Protocol(H11Protocol):
    """A connection, which is closed unless the head of its next request is complete in time.

    uvicorn itself sets no time limit for the first request, and none once the first byte of a later
    one has arrived.
    """

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._await_head()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._await_head()

    def _await_head(self) -> None:
        self.loop.call_later(_SECONDS_A_HEAD, self._close_unless_asked, self.cycle)

    def _close_unless_asked(self, last: Any) -> None:
        # each request has its own cycle; one that is pipelined may already be under way
        if self.cycle is last and (last is None or last.response_complete):
            self.transport.close()


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
        http=_Protocol,
        log_level="error",
        access_log=False,
        server_header=False,
        limit_concurrency=500,
        timeout_keep_alive=_SECONDS_A_HEAD,
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
