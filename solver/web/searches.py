"""Searches for pages: each in a process of its own, so many at once, the others wait; gone with the page that wanted it."""

import asyncio
import contextlib
import json
import sys
from collections.abc import AsyncGenerator
from typing import Any

_MOST_WAITING = 32
_GRACE = 30.0  # seconds that a search may take beyond its limit before it is ended
_LONGEST_LINE = 1 << 20  # bytes of an event


class BusyError(Exception):
    """Too many searches wait already."""


class Searches:
    """Runs at most `most` searches at once. One process stands ready for the next one, which saves it the time to load."""

    def __init__(self, most: int) -> None:
        self._turn = asyncio.Semaphore(most)
        self._waiting = 0
        self._spare: asyncio.subprocess.Process | None = None
        self._all: set[asyncio.subprocess.Process] = set()
        self._ending: set[asyncio.Future[int]] = set()

    @property
    def running(self) -> int:
        """How many processes there are, the one that stands ready included."""
        return len(self._all)

    async def events(self, job: dict[str, Any], seconds: float) -> AsyncGenerator[dict[str, Any], None]:
        """The events of a search; whoever stops asking for them ends it.

        seconds: after which it is ended at the latest, but for some grace.

        Raises `BusyError`.
        """
        if self._turn.locked():
            if self._waiting >= _MOST_WAITING:
                raise BusyError
            yield {"event": "waiting", "before": self._waiting + 1}
        self._waiting += 1
        try:
            await self._turn.acquire()
        finally:
            self._waiting -= 1
        process = None
        try:
            process = await self._taken()
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.write(json.dumps(job).encode() + b"\n")
            await process.stdin.drain()
            async with asyncio.timeout(seconds + _GRACE):
                async for line in process.stdout:
                    event = json.loads(line)
                    yield event
                    if event["event"] in ("done", "error"):
                        return
            yield {"event": "error", "message": "the search ended without an answer"}
        except TimeoutError:
            yield {"event": "error", "message": "the search took too long and was ended"}
        except (BrokenPipeError, ConnectionResetError):
            yield {"event": "error", "message": "the search could not be started"}
        finally:
            # nothing here may wait: whoever asked may be gone, and then whatever waits is cancelled
            if process is not None:
                self._end(process)
            self._turn.release()

    async def close(self) -> None:
        """End all."""
        for process in list(self._all):
            self._end(process)
        await asyncio.gather(*self._ending)

    async def _taken(self) -> asyncio.subprocess.Process:
        """A process that waits for a job; another one is started for whoever comes next."""
        ready, self._spare = self._spare, None
        if ready is None or ready.returncode is not None:
            ready = await self._new()
        self._spare = await self._new()
        return ready

    async def _new(self) -> asyncio.subprocess.Process:
        pipe = asyncio.subprocess.PIPE
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "solver.web.worker",
            stdin=pipe,
            stdout=pipe,
            stderr=asyncio.subprocess.DEVNULL,
            limit=_LONGEST_LINE,
            start_new_session=True,
        )
        self._all.add(process)
        return process

    def _end(self, process: asyncio.subprocess.Process) -> None:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        self._all.discard(process)
        ending = asyncio.ensure_future(process.wait())
        self._ending.add(ending)
        ending.add_done_callback(self._ending.discard)
