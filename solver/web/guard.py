"""The checks of every request, and the security headers of every answer."""

import re
import secrets
from html import escape

from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

# no other site can embed or read what has these headers
_HEADERS = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
    "img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}
_LOCAL = re.compile(r"(127\.0\.0\.1|localhost|\[::1\])(:\d+)?", re.IGNORECASE)
_ANY_HOST = re.compile(r"([\w.-]+|\[[0-9a-f:.]+\])(:\d+)?", re.IGNORECASE | re.ASCII)
_COOKIE = "rowdraw"  # with the port: all servers of a host share its cookies


class Guard:
    """Refuses requests that no page of this server sends.

    Args:
        app: The application.
        token: The secret that a page must know if other machines reach the server; None if only
            this machine does.
    """

    def __init__(self, app: ASGIApp, token: str | None) -> None:
        self._app = app
        self._token = token

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.update(_HEADERS)
                headers.setdefault("cache-control", "no-cache")
            await send(message)

        answer = self._refusal(Request(scope)) or self._app
        await answer(scope, receive, send_with_headers)

    def _refusal(self, request: Request) -> Response | None:
        """Return the answer to a request that is refused; None for one that is answered."""
        headers = request.headers
        host = headers.get("host", "")
        # the name of another site may lead here; only a token tells its pages from ours
        names = _LOCAL if self._token is None else _ANY_HOST
        if not names.fullmatch(host):
            return refused(request, 421, f"this server is not called {host!r:.60}")
        own = f"http://{host}"
        if headers.get("origin", own) != own:
            message = "the request is from another site: expected a page of this server"
            return refused(request, 403, message)
        is_json = headers.get("content-type", "").startswith("application/json")
        if request.method == "POST" and not is_json:
            return refused(request, 415, "expected application/json")
        if self._token is None:
            return None
        return _token_refusal(request, self._token)


def _token_refusal(request: Request, token: str) -> Response | None:
    """Return the answer to a request without the cookie of the token; None for one with it."""
    cookie = f"{_COOKIE}-{request.headers.get('host', '').rpartition(':')[2]}"
    if _is_same(request.query_params.get("token", ""), token):
        # the cookie replaces the token in the address; a link on another site brings it along
        answer = RedirectResponse(f"/{request.url.path.lstrip('/')}", 303)
        answer.set_cookie(cookie, token, httponly=True, samesite="lax")
        return answer
    if _is_same(request.cookies.get(cookie, ""), token):
        return None
    return refused(request, 401, "expected the address with its token, as the server printed it")


def _is_same(given: str, secret: str) -> bool:
    """Return whether two texts are the same, in a time that does not tell how far they are."""
    return secrets.compare_digest(given.encode(), secret.encode())


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
