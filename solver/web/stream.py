"""Server-sent events, which end when the page closes the connection."""

import json
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Any

import anyio
from starlette.responses import Response
from starlette.types import Receive, Scope, Send


class EventStream(Response):
    """Answers a request with events. It closes their generator when the page closes the connection.

    Args:
        first: The first event, which the caller has already taken from `events`.
        events: The other events.
    """

    media_type = "text/event-stream"

    def __init__(self, first: dict[str, Any], events: AsyncGenerator[dict[str, Any], None]) -> None:
        super().__init__(headers={"cache-control": "no-store"})
        self._first = first
        self._events = events
        del self.headers["content-length"]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: ARG002
        """Send the events."""

        async def write(text: str, more: bool = True) -> None:
            await send({"type": "http.response.body", "body": text.encode(), "more_body": more})

        async def stream() -> None:
            async with aclosing(self._events) as events:
                await write(_text(self._first))
                async for event in events:
                    await write(_text(event))
            await write("", more=False)
            group.cancel_scope.cancel()

        await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
        async with anyio.create_task_group() as group:
            group.start_soon(stream)
            while (await receive())["type"] != "http.disconnect":
                pass
            group.cancel_scope.cancel()


def _text(event: dict[str, Any]) -> str:
    return f"data: {json.dumps(event)}\n\n"
