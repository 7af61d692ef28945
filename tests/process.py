"""Commands as a user runs them: real processes, exit codes, what goes to which stream.

Python, numba and the kernels take longer to load than most commands take to run. So one process loads them, and forks for each
command: `tests.forking`. Where processes cannot fork, each command is a process that begins from nothing.
"""

import json
import os
import subprocess
import sys
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Lock
from typing import Any

import psutil

MAIN = [sys.executable, "-c", "from solver.commands.cli import main; main()"]
_LOCK = Lock()


def rowdraw(
    *arguments: str,
    stdin: str = "",
    cwd: Path | None = None,
    seconds: int = 600,
    fault: dict[str, Any] | None = None,
    **environment: str,
) -> subprocess.CompletedProcess[str]:
    """Run `rowdraw` with these arguments to its end, at most so many seconds.

    Where the environment differs, in a process that begins from nothing.

    fault: what goes wrong meanwhile, a function of `tests.faults.failing` with its values; see `tests.forking`.
    """
    if environment or not hasattr(os, "fork"):
        assert fault is None, "only a forked command can meet a fault"
        done = subprocess.run(
            [*MAIN, *arguments],
            input=stdin,
            capture_output=True,
            encoding="utf-8",
            cwd=cwd,
            env={**os.environ, **environment},
            check=False,
            timeout=seconds,
        )
    else:
        done = _forked(arguments, stdin, cwd or Path.cwd(), seconds, fault or {})
    assert "Traceback" not in done.stderr
    return done


def runs(process: psutil.Process) -> bool:
    """Say whether a process still runs: one that has ended may stay listed until its parent asks for its exit code."""
    try:
        return bool(process.is_running() and process.status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False


@cache
def _server() -> subprocess.Popen[str]:
    root = Path(__file__).resolve().parents[1]
    return subprocess.Popen(
        [sys.executable, "-m", "tests.forking"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8", cwd=root
    )


def _forked(
    arguments: tuple[str, ...], stdin: str, cwd: Path, seconds: int, fault: dict[str, Any]
) -> subprocess.CompletedProcess[str]:
    with TemporaryDirectory() as folder, _LOCK:
        streams = [Path(folder) / name for name in ("stdin", "stdout", "stderr")]
        streams[0].write_bytes(stdin.encode())
        server = _server()
        assert server.stdin is not None
        assert server.stdout is not None
        files = [str(path) for path in streams]
        request = {"arguments": arguments, "cwd": str(cwd), "streams": files, "seconds": seconds, "fault": fault}
        server.stdin.write(json.dumps(request) + "\n")
        server.stdin.flush()
        code = int(server.stdout.readline())
        out, err = (path.read_bytes().decode().replace("\r\n", "\n") for path in streams[1:])
        return subprocess.CompletedProcess(arguments, code, out, err)
