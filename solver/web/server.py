"""The server itself: it listens until a signal ends it, and ends without a word that is not for people."""

import asyncio
import logging
import signal
import socket
from contextlib import suppress

import uvicorn
from starlette.applications import Starlette


class _Server(uvicorn.Server):
    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        # first the searches, so that the pages which wait for them get an answer
        assert isinstance(self.config.app, Starlette)
        await self.config.app.state.searches.close()
        await super().shutdown(sockets)


def run_server(app: Starlette, listening: socket.socket) -> None:
    """Answer until SIGINT, SIGTERM or SIGHUP ends it."""
    config = uvicorn.Config(
        app,
        log_level="error",
        access_log=False,
        server_header=False,
        timeout_keep_alive=20,
        limit_concurrency=500,
        timeout_graceful_shutdown=1,
    )
    logging.getLogger("uvicorn.error").addFilter(_is_fault)
    if hasattr(signal, "SIGHUP"):
        signal.signal(signal.SIGHUP, lambda _number, _frame: signal.raise_signal(signal.SIGTERM))
    with suppress(KeyboardInterrupt):
        _Server(config).run([listening])


def _is_fault(record: logging.LogRecord) -> bool:
    """Whether a message is about more than an answer that nobody waits for any more."""
    return not (record.exc_info and isinstance(record.exc_info[1], asyncio.CancelledError))
