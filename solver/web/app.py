"""The server's answers: the page's files, and what the page asks for as JSON, searches as server-sent events."""

import json
import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from anyio import CapacityLimiter, to_thread
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

import solver.show
from solver.errors import RowdrawError
from solver.solving.strategies import make_strategy
from solver.web.guard import Guard, TooLargeError, TooSlowError
from solver.web.position import Desk, RequestError
from solver.web.searches import BusyError, Searches
from solver.web.stream import EventStream
from solver.web.worker import JOBS, puzzle_fields
from verify.reading import json_value

STATIC = Path(__file__).parent / "static"
VIEW = Path(solver.show.__file__).parent / "view"
_LONGEST_SEARCH = 600.0  # seconds
_MOST_NESTING = 300_000  # brackets of a body, those of pasted text among them
_AT_ONCE = 4  # answers worked out at once: rows of hundreds of tiles take memory
# pages start no programs and load no files, so nothing else is a strategy here
_OURS = re.compile(r"(greedy|beam|widening|exact)(:[a-z_]+=[-+.\w]+(,[a-z_]+=[-+.\w]+)*)?", re.ASCII)


class MalformedError(Exception):
    """A request that is no JSON object."""


def make_app(desk: Desk, hosts: frozenset[str], token: str | None, searches: int, threads: int) -> Starlette:
    """The application.

    hosts, token: see `Guard`.
    searches: how many run at once, on `threads` threads each.
    """
    running, limiter = Searches(searches), CapacityLimiter(_AT_ONCE)

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        yield
        await running.close()

    def answering(answer: Callable[[dict[str, Any]], Any]) -> Callable[[Request], Any]:
        async def endpoint(request: Request) -> Response:
            return JSONResponse(await to_thread.run_sync(answer, await _body(request), limiter=limiter))

        return endpoint

    async def search(request: Request) -> Response:
        job, seconds = await to_thread.run_sync(_job, desk, await _body(request), threads, limiter=limiter)
        events = running.events(job, seconds)
        try:
            first = await anext(events)
        except BusyError:
            return JSONResponse({"error": "too many searches wait already: try again in a minute"}, 429)
        return EventStream(first, events)

    routes = [
        Route("/", _index),
        Route("/api/puzzle", answering(lambda fields: desk.puzzle(fields.get("puzzle"))), methods=["POST"]),
        Route("/api/turn", answering(lambda fields: desk.turn(fields.get("puzzle"), fields.get("turns"))), methods=["POST"]),
        Route("/api/plays", answering(lambda fields: desk.plays(fields.get("puzzle"), fields.get("turns"))), methods=["POST"]),
        Route(
            "/api/judge", answering(lambda fields: desk.verdicts(fields.get("puzzle"), fields.get("text"))), methods=["POST"]
        ),
        Route(
            "/api/show",
            answering(lambda fields: desk.shown(fields.get("puzzle"), fields.get("text"), fields.get("number"))),
            methods=["POST"],
        ),
        Route(
            "/api/export",
            answering(lambda fields: desk.exported(fields.get("puzzle"), fields.get("turns"), fields.get("form"))),
            methods=["POST"],
        ),
        Route("/api/records", answering(lambda _fields: desk.records()), methods=["POST"]),
        Route("/api/search", search, methods=["POST"]),
        Mount("/static", StaticFiles(directory=STATIC)),
        Mount("/view", StaticFiles(directory=VIEW)),
    ]
    app = Starlette(
        routes=routes,
        lifespan=lifespan,
        middleware=[Middleware(Guard, hosts=hosts, token=token)],
        exception_handlers={
            RowdrawError: _mendable,
            MalformedError: _malformed,
            TooLargeError: _too_large,
            TooSlowError: _too_slow,
            ClientDisconnect: _gone,
            404: _unknown,
            405: _unknown,
        },
    )
    app.router.redirect_slashes = False  # no page asks for such an address, and an answer is JSON
    app.state.searches = running
    return app


async def _index(_request: Request) -> Response:
    return FileResponse(STATIC / "index.html")


async def _body(request: Request) -> dict[str, Any]:
    try:
        fields = json_value(await request.body(), _MOST_NESTING)
        json.dumps(fields, ensure_ascii=False).encode()  # halves of characters could not be sent back
    except (UnicodeError, RecursionError) as error:
        raise MalformedError("the request is not JSON in UTF-8") from error
    except ValueError as error:
        raise MalformedError(f"the request is not JSON: {error}") from error
    if not isinstance(fields, dict):
        raise MalformedError("the request is no JSON object")
    return fields


def _job(desk: Desk, fields: dict[str, Any], threads: int) -> tuple[dict[str, Any], float]:
    """The job of a search as a worker takes it, and the seconds it may take. Raises `RowdrawError`."""
    kind, seconds, left = fields.get("kind"), fields.get("seconds"), fields.get("left")
    if not isinstance(kind, str) or kind not in JOBS:
        raise RequestError(f"kind: expected one of {', '.join(JOBS)}")
    if seconds is not None and not (type(seconds) in (int, float) and 0 < seconds <= _LONGEST_SEARCH):
        raise RequestError(f"seconds: expected more than 0 and at most {_LONGEST_SEARCH:g}")
    problem, turns = desk.game(fields.get("puzzle"), fields.get("turns", []))
    if left is not None and not (type(left) is int and 0 <= left <= problem.puzzle.rack_size):
        raise RequestError("left: expected a number of left draws")
    job = {
        "kind": kind,
        "puzzle": puzzle_fields(problem.puzzle),
        "turns": [[turn.left, turn.play, turn.word, turn.score] for turn in turns],
        "threads": threads,
        "seconds": seconds,
        "left": left,
    }
    if kind == "solve":
        job["strategy"] = _strategy(fields.get("strategy"))
    return job, seconds or _LONGEST_SEARCH


def _strategy(named: Any) -> str:
    """The specification of a strategy of ours. Raises `RowdrawError`."""
    if not isinstance(named, str) or len(named) > 200:
        raise RequestError("strategy: expected a name, with settings as in beam:width=1000")
    if not _OURS.fullmatch(named):
        what = "expected greedy, beam, widening or exact, with settings as in beam:width=1000"
        raise RequestError(f"strategy {named!r:.60}: {what}")
    make_strategy(named)
    return named


def _mendable(_request: Request, error: Exception) -> Response:
    """What a user can mend is an answer like others: browsers complain of every other status in their console."""
    return JSONResponse({"error": str(error)})


def _malformed(_request: Request, error: Exception) -> Response:
    return JSONResponse({"error": str(error)}, 400)


def _too_large(_request: Request, _error: Exception) -> Response:
    return JSONResponse({"error": "the request is too large"}, 413)


def _too_slow(_request: Request, _error: Exception) -> Response:
    return JSONResponse({"error": "the request did not come to its end"}, 408)


def _gone(_request: Request, _error: Exception) -> Response:
    """Nobody reads this: the page went away while it asked."""
    return Response(status_code=400)


def _unknown(_request: Request, _error: Exception) -> Response:
    return JSONResponse({"error": "there is nothing here"}, 404)
