"""A process that has loaded all that commands need, and forks one for each line of JSON that it reads; see `tests.process`.

It has read the bundled word list, too, which takes longer than most commands. That list never changes. A command itself reads
any other list with its index, puzzles, and answers.
"""

import atexit
import gc
import json
import os
import shutil
import signal
import sys
import threading
import traceback
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from tempfile import mkdtemp
from typing import Any, NoReturn

from markupsafe import Markup

from solver.commands.cli import main
from solver.index.problem import Problem
from solver.lab.records import name_in_book
from solver.model.puzzle import load_puzzle
from solver.report import comparison
from tests.faults.failing import fail_at, fill_at, limit_memory, signal_at_answer
from tests.sharing import share_words
from verify import load_rules

_FAULTS: dict[str, Callable[..., None]] = {
    "change": fail_at,
    "size": fill_at,
    "memory": limit_memory,
    "signal": signal_at_answer,
}


def _load() -> None:
    # kernels of beams, of exact search, and of bounds
    for command in (["warmup"], ["solve", "--row", "tea", "--strategy", "exact"]):
        with suppress(SystemExit):
            main(command)
    # loaded at their first use
    for module in ("jinja2", "verify.cli", "verify.scrabble.judge", "multiprocessing.spawn", "concurrent.futures.process"):
        import_module(module)
    _read_words()
    # what is loaded is left out of the collection at the exit of each process, which would copy all of its memory
    gc.collect()
    gc.freeze()


def _read_words() -> None:
    """Read the bundled list once for all commands, as words of the solver and of the referee, with its indexes."""
    share_words()
    shared = Problem.of(load_puzzle("challenge"))
    assert len(shared.signatures.mask)
    assert len(shared.closed.packed)
    assert name_in_book(shared) == "challenge"
    assert load_rules().words_hash == shared.lexicon.digest


def _keep_library(folder: Path) -> None:
    """Let the first command that draws charts keep the library of its page, which takes as long to make as many commands."""
    make, kept = comparison._library, folder / "library.js"

    def library() -> str:
        if not kept.exists():
            kept.write_bytes(make().encode())
        return Markup(kept.read_bytes().decode())

    comparison._library = library


def serve() -> None:
    # commands have streams of their own
    requests, answers, nothing = os.dup(0), os.dup(1), os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1):
        os.dup2(nothing, stream)
    _load()
    # a temporary folder that clears up after itself would be gone at the exit of the first fork
    folder = Path(mkdtemp())
    _keep_library(folder)
    with os.fdopen(requests, encoding="utf-8") as lines:
        for line in lines:
            request = json.loads(line)
            child = os.fork()
            if child == 0:
                os.close(answers)
                _run(**request)
            os.write(answers, b"%d\n" % os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
    shutil.rmtree(folder)


def _run(arguments: list[str], cwd: str, streams: list[str], seconds: int, fault: dict[str, Any]) -> NoReturn:
    signal.alarm(seconds)  # a command that hangs is killed
    os.chdir(cwd)
    for number, path in enumerate(streams):
        os.dup2(os.open(path, os.O_RDWR | os.O_CREAT), number)
    for name, values in fault.items():
        _FAULTS[name](**values)
    code: object = 1
    try:
        main(arguments)
    except SystemExit as end:
        code = end.code
    except BaseException:
        traceback.print_exc()
    _exit(code)


def _exit(code: object) -> NoReturn:
    """Exit as Python does, but leave its objects where they are: to take them apart would copy all memory of the server."""
    if not isinstance(code, int | None):
        sys.stderr.write(f"{code}\n")
        code = 1
    threading._shutdown()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except OSError:
        code = 120
    os._exit((code or 0) & 0xFF)


if __name__ == "__main__":
    serve()
