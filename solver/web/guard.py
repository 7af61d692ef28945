"""The checks of every request, and the security headers of every answer.

A request is checked for its host, origin, rate, size and token.
"""

import asyncio
import secrets
import sys
import time
from collections import OrderedDict
from contextlib import suppress
from html import escape

from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

_HEADERS = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
    "img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}
LARGEST_BODY = 1_000_000  # bytes
_LARGEST_UNREAD = 20_000_000  # bytes of a refused body that are read and dropped
_RATE = 30.0  # requests a second of one address
_BURST = 200.0  # requests of one address at once
_SECONDS_UNREAD = 5.0
_SECONDS_A_BODY = 30.0
_MOST_ADDRESSES = 10_000
_COOKIE = "rowdraw"  # with the port: all servers of a host share its cookies


class Guard:
    """Refuses requests that no page of this server sends.

    Args:
        app: The application.
        hosts: The names and addresses of the server, each with its port.
        token: The secret that a page must know if other machines reach the server; None if only
            this machine does.
    """

    def __init__(self, app: ASGIApp, hosts: frozenset[str], token: str | None) -> None:
        self._app = app
        self._hosts = hosts
        self._token = token
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        started = False

        async def send_with_headers(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                headers = MutableHeaders(scope=message)
                headers.update(_HEADERS)
                headers.setdefault("cache-control", "no-cache")
            await send(message)

        request = Request(scope)
        refusal = self._refusal(request)
        if refusal is not None:
            await _read_away(receive)
            await refusal(scope, receive, send_with_headers)
            return
        try:
            await self._app(scope, _limited(receive), send_with_headers)
        except Exception as error:
            # an internal error: the page gets an answer that it can show, and the terminal a line
            message = f"rowdraw: {scope['path']!r:.60}: internal error: {error!r:.200}"
            print(message, file=sys.stderr, flush=True)
            if not started:
                message = "internal error of the server: its terminal shows more"
                await refused(request, 500, message)(scope, receive, send_with_headers)

    def _refusal(self, request: Request) -> Response | None:
        """Return the answer to a request that is refused; None for one that is answered."""
        headers = request.headers
        host = headers.get("host", "")
        own = f"http://{host}"
        if host.lower() not in self._hosts:
            return refused(request, 421, f"this server is not called {host!r:.60}")
        is_ours = headers.get("sec-fetch-site", "none") in ("same-origin", "none")
        if headers.get("origin", own) != own or not (is_ours or _follows_link(request)):
            message = "the request is from another site: expected a page of this server"
            return refused(request, 403, message)
        if not self._take_turn(request):
            return refused(request, 429, "too many requests: wait a second")
        is_json = headers.get("content-type", "").startswith("application/json")
        if request.method == "POST" and not is_json:
            return refused(request, 415, "expected application/json")
        return self._token_refusal(request)

    def _token_refusal(self, request: Request) -> Response | None:
        """Return the answer to a request without the cookie of the token; None for one with it."""
        if self._token is None:
            return None
        cookie = f"{_COOKIE}-{request.headers['host'].rpartition(':')[2]}"
        if _is_same(request.query_params.get("token", ""), self._token):
            # the cookie replaces the token in the address; a link on another site brings it along
            answer = RedirectResponse(f"/{request.url.path.lstrip('/')}", 303)
            answer.set_cookie(cookie, self._token, httponly=True, samesite="lax")
            return answer
        if _is_same(request.cookies.get(cookie, ""), self._token):
            return None
        return refused(
            request, 401, "expected the address with its token, as the server printed it"
        )

    def _take_turn(self, request: Request) -> bool:
        """Count a request of its address; return whether it is within the rate."""
        address, _port = request.client or ("", 0)
        now = time.monotonic()
        left, since = self._buckets.pop(address, (_BURST, now))
        left = min(_BURST, left + _RATE * (now - since))
        self._buckets[address] = (max(0.0, left - 1), now)
        if len(self._buckets) > _MOST_ADDRESSES:
            self._buckets.popitem(last=False)
        return left >= 1


def _follows_link(request: Request) -> bool:
    """Return whether the user follows a link on another site. A frame is refused."""
    mode = request.headers.get("sec-fetch-mode")
    is_page = mode == "navigate" and request.headers.get("sec-fetch-dest") == "document"
    return is_page and request.method == "GET"


def _is_same(given: str, secret: str) -> bool:
    """Return whether two texts are the same, in a time that does not tell how far they are."""
    return secrets.compare_digest(given.encode(), secret.encode())


class TooSlowError(Exception):
    """The body of a request is not complete in time."""


class TooLargeError(Exception):
    """The body of a request exceeds the limit."""


def _limited(receive: Receive) -> Receive:
    """Return `receive` with limits for the time and the size of the body, which no header gives."""
    total = 0
    more = True
    end = time.monotonic() + _SECONDS_A_BODY

    async def limited() -> Message:
        nonlocal total, more
        try:
            # after the body no time limit applies, since a page may wait for events
            async with asyncio.timeout(max(0.0, end - time.monotonic()) if more else None):
                message = await receive()
        except TimeoutError as error:
            raise TooSlowError from error
        more = message.get("more_body", False)
        total += len(message.get("body", b""))
        if total > LARGEST_BODY:
            await _read_away(receive)
            raise TooLargeError
        return message

    return limited


async def _read_away(receive: Receive) -> None:
    """Read the rest of a body.

    Without that, a client that is still sending sees a broken connection, not the refusal.
    """
    left = _LARGEST_UNREAD
    with suppress(TimeoutError):
        async with asyncio.timeout(_SECONDS_UNREAD):
            while left > 0:
                message = await receive()
                left -= len(message.get("body", b""))
                if not message.get("more_body", False):
                    return


_PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>rowdraw</title>
<h1>rowdraw</h1>
<p>{}.</p>
<p><a href="/">To the first page</a></p>
"""


def refused(request: Request, status: int, message: str) -> Response:
    """Return the answer to a request that is refused: a page for people, JSON for scripts."""
    if "text/html" in request.headers.get("accept", ""):
        return HTMLResponse(_PAGE.format(escape(message[:1].upper() + message[1:])), status)
    return JSONResponse({"error": message}, status)
