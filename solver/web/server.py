"""The server: it listens until a signal stops it."""

import asyncio
import logging
import signal
import socket
from contextlib import suppress
from typing import Any

import uvicorn
from starlette.applications import Starlette


class _Server(uvicorn.Server):
    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        # the searches first, so that pages waiting for them get an answer
        assert isinstance(self.config.app, Starlette)
        await self.config.app.state.searches.close()
        await super().shutdown(sockets)


def run_server(app: Starlette, listening: socket.socket) -> None:
    """Answer requests until SIGINT, SIGTERM or SIGHUP arrives."""
    settings: dict[str, Any] = {"timeout_keep_alive": 20, "limit_concurrency": 500, "timeout_graceful_shutdown": 1}
    config = uvicorn.Config(app, log_level="error", access_log=False, server_header=False, **settings)
    logging.getLogger("uvicorn.error").addFilter(_is_fault)
    if hasattr(signal, "SIGHUP"):
        signal.signal(signal.SIGHUP, lambda _number, _frame: signal.raise_signal(signal.SIGTERM))
    with suppress(KeyboardInterrupt):
        _Server(config).run([listening])


def _is_fault(record: logging.LogRecord) -> bool:
    """Return whether a log record is about more than an answer that was cancelled."""
    return not (record.exc_info and isinstance(record.exc_info[1], asyncio.CancelledError))
