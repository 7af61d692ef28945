"""Searches for pages, each in its own process: at most N at a time; the rest are queued.

A search ends with its page.
"""

import asyncio
import contextlib
import json
import os
import signal
from collections.abc import AsyncGenerator, Coroutine
from typing import Any

from solver.lab.python import python_command

_MOST_WAITING = 32
_GRACE = 30.0  # seconds by which a search may exceed its limit before it is killed
_LONGEST_LINE = 1 << 20  # bytes of an event
# Windows has no SIGKILL, and its SIGTERM kills
_KILL = getattr(signal, "SIGKILL", signal.SIGTERM)


def _error(message: str) -> dict[str, Any]:
    """Return the last event of a search without an answer."""
    return {"event": "error", "message": message}


class BusyError(Exception):
    """The queue of searches is full."""


class Searches:
    """Runs at most `most` searches at a time.

    A spare process is ready for the next one, which saves the time to load.
    """

    def __init__(self, most: int) -> None:
        self._turn = asyncio.Semaphore(most)
        self._waiting = 0
        self._spare: asyncio.subprocess.Process | None = None
        self._all: set[asyncio.subprocess.Process] = set()
        self._tasks: set[asyncio.Future[Any]] = set()  # that start or end a process
        self._closed = False

    async def events(
        self, job: dict[str, Any], seconds: float
    ) -> AsyncGenerator[dict[str, Any], None]:
        """Yield the events of a search, at once `waiting` or `started`.

        Closing the generator ends the search.

        Args:
            job: The job, as `solver.web.worker` takes it.
            seconds: The time limit. A search that exceeds it by more than some grace is killed.

        Raises:
            BusyError: The queue is full.
        """
        if self._turn.locked() and self._waiting >= _MOST_WAITING:
            raise BusyError
        self._waiting += 1
        try:
            if self._turn.locked():
                yield {"event": "waiting", "before": self._waiting}
            await self._turn.acquire()
        finally:
            self._waiting -= 1
        process = None
        try:
            # from here on the streaming task drives this generator, and the time limit must begin
            # in that task
            if self._closed:
                yield _error("the server was ended")
                return
            yield {"event": "started"}
            process = self._spare_taken() or await self._new()
            self._carry_out(self._stand_by())
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
            reason = "the search ended without an answer"
            if self._closed:
                reason = "the server was ended"
            yield _error(reason)
        except TimeoutError:
            yield _error("the search took too long and was ended")
        except OSError:
            yield _error("the search could not be started")
        finally:
            # no await here: if the request was cancelled, an await would be cancelled as well
            if process is not None:
                self._end(process)
            self._turn.release()

    async def close(self) -> None:
        """End all searches; their pages get an error."""
        self._closed = True
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for process in list(self._all):
            self._end(process)
        await asyncio.gather(*self._tasks)

    def _spare_taken(self) -> asyncio.subprocess.Process | None:
        """Return the spare process, which has no job yet; None if there is none."""
        spare = self._spare
        self._spare = None
        if spare is None or spare.returncode is not None:
            return None
        return spare

    async def _stand_by(self) -> None:
        """Start the spare process."""
        try:
            process = await self._new()
        except OSError:
            return  # the next search starts its own process, or reports that it cannot
        if self._spare is None and not self._closed:
            self._spare = process
        else:
            self._end(process)

    def _carry_out(self, work: Coroutine[Any, Any, Any]) -> None:
        """Do something in a task of its own, since the request may be cancelled meanwhile."""
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _new(self) -> asyncio.subprocess.Process:
        process = await asyncio.create_subprocess_exec(
            *python_command("from solver.web.worker import main; main()"),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            limit=_LONGEST_LINE,
            start_new_session=True,
        )
        self._all.add(process)
        return process

    def _end(self, process: asyncio.subprocess.Process) -> None:
        if process not in self._all:
            return
        self._all.discard(process)
        if process.returncode is None:
            # `process.kill` would reap a process that has already exited, and asyncio would then
            # print a warning
            with contextlib.suppress(ProcessLookupError):
                os.kill(process.pid, _KILL)
        self._carry_out(process.wait())
