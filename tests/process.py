"""Commands as a user runs them: real processes, exit codes, what goes to which stream.

Python, numba and the kernels take longer to load than most commands take to run. So a server of
`multiprocessing` loads them once, by `tests.preloaded`, and forks for each command. Where that is
not possible, each command begins from nothing.
"""

import multiprocessing
import os
import shlex
import subprocess
import sys
from contextlib import chdir
from functools import cache
from multiprocessing import forkserver
from multiprocessing.context import BaseContext
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import psutil

MAIN = [sys.executable, "-c", "from solver.commands.cli import main; main()"]


def rowdraw(
    *arguments: str | Path,
    stdin: str = "",
    cwd: Path | None = None,
    seconds: int = 600,
    fault: dict[str, Any] | None = None,
    code: int | None = None,
    **environment: str,
) -> subprocess.CompletedProcess[str]:
    """Run `rowdraw` with these arguments to its end, for at most a number of seconds.

    code: the exit code that it must have; None for any.
    fault: what goes wrong meanwhile, one of `tests.faults.failing.FAULTS` with its values.
    environment: variables that differ; then the process begins from nothing.
    """
    if environment or "forkserver" not in multiprocessing.get_all_start_methods():
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
    return _with_code(done, code)


def _with_code(
    done: subprocess.CompletedProcess[str], code: int | None
) -> subprocess.CompletedProcess[str]:
    assert code in (None, done.returncode), (
        f"exit code {done.returncode}\n{done.stdout}{done.stderr}"
    )
    return done


def python(
    *arguments: str | Path,
    cwd: Path | None = None,
    stdin: str = "",
    code: int | None = None,
    **environment: str,
) -> subprocess.CompletedProcess[str]:
    """Run Python with these arguments to its end; `environment` has variables that differ."""
    done = subprocess.run(
        [sys.executable, *arguments],
        input=stdin,
        capture_output=True,
        encoding="utf-8",
        errors="surrogateescape",
        cwd=cwd,
        env={**os.environ, **environment},
        check=False,
        timeout=600,
    )
    return _with_code(done, code)


def shell(line: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Run a line of a shell, in which `rowdraw` stands for this program, to its end."""
    return subprocess.run(
        ["/bin/sh", "-c", line.replace("rowdraw", shlex.join(MAIN))],
        capture_output=True,
        text=True,
        cwd=cwd,
        check=False,
    )


def runs(process: psutil.Process) -> bool:
    """Say whether a process still runs; an ended one may be listed until its parent waits."""
    try:
        return bool(process.is_running() and process.status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False


@cache
def _server() -> BaseContext:
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["tests.preloaded"])
    # it finds this package from the current folder
    with chdir(Path(__file__).resolve().parents[1]):
        forkserver.ensure_running()
    return context


def _forked(
    arguments: tuple[str | Path, ...], stdin: str, cwd: Path, seconds: int, fault: dict[str, Any]
) -> subprocess.CompletedProcess[str]:
    with TemporaryDirectory() as folder:
        streams = [Path(folder) / name for name in ("stdin", "stdout", "stderr")]
        streams[0].write_bytes(stdin.encode())
        new_process = _server().Process  # type: ignore[attr-defined]
        process = new_process(target=_run, args=(arguments, cwd, streams, fault))
        process.start()
        process.join(seconds)
        if process.exitcode is None:
            process.kill()
            process.join()
        out, err = (path.read_bytes().decode().replace("\r\n", "\n") for path in streams[1:])
        return subprocess.CompletedProcess(arguments, process.exitcode, out, err)


def _run(
    arguments: tuple[str | Path, ...], cwd: Path, streams: list[Path], fault: dict[str, Any]
) -> None:
    from solver.commands.cli import main
    from tests.faults.failing import FAULTS

    os.chdir(cwd)
    for number, path in enumerate(streams):
        os.dup2(os.open(path, os.O_RDWR | os.O_CREAT), number)
    sys.stdin = os.fdopen(0, encoding="utf-8", closefd=False)  # the server has closed its own
    for name, values in fault.items():
        FAULTS[name](**values)
    main([*map(str, arguments)])
