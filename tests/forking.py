"""A process that has loaded all that commands need, and forks one for each line of JSON that it reads; see `tests.process`."""

import gc
import json
import os
import signal
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from solver.commands.cli import main
from tests.faults.failing import fail_at, fill_at, limit_memory

_FAULTS: dict[str, Callable[..., None]] = {"change": fail_at, "size": fill_at, "memory": limit_memory}


def _load() -> None:
    # kernels of beams, of exact search, and of bounds
    for command in (["warmup"], ["solve", "--row", "tea", "--strategy", "exact"]):
        with suppress(SystemExit):
            main(command)
    # what is loaded is left out of the collection at the exit of each process, which would copy all of its memory
    gc.collect()
    gc.freeze()


def serve() -> None:
    # commands have streams of their own
    requests, answers, nothing = os.dup(0), os.dup(1), os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1):
        os.dup2(nothing, stream)
    _load()
    with os.fdopen(requests, encoding="utf-8") as lines:
        for line in lines:
            request = json.loads(line)
            child = os.fork()
            if child == 0:
                os.close(answers)
                _run(**request)
            os.write(answers, b"%d\n" % os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))


def _run(arguments: list[str], cwd: str, streams: list[str], seconds: int, fault: dict[str, Any]) -> None:
    signal.alarm(seconds)  # a command that hangs is killed
    os.chdir(cwd)
    for number, path in enumerate(streams):
        os.dup2(os.open(path, os.O_RDWR | os.O_CREAT), number)
    for name, values in fault.items():
        _FAULTS[name](**values)
    main(arguments)


if __name__ == "__main__":
    serve()
