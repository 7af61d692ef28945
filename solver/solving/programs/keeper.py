"""Run a program, and when it exits or we are to stop, kill all that it has started.

    python -I -S keeper.py CONTROL REPORT PROGRAM ARGUMENT...

It needs Python's own library alone, and shares no code with rowdraw. CONTROL and REPORT are the
numbers of two open files.

- The program gets our standard input, output and error. It is the first process of a session.
- Each byte from CONTROL asks the session to exit, by SIGTERM.
- At the end of CONTROL, which comes too when the process that started us dies, and when the program
  exits, every process that descends from it is killed. On Linux none escapes: whoever loses its
  parent becomes a child of this process. Elsewhere the processes of the session are killed.
- One line on REPORT says how it ended: the exit code, negative for a signal, and the seconds of
  processor time of all processes; or `errno` and a number if the program cannot be started.
"""

import contextlib
import ctypes
import os
import select
import signal
import sys
import time

_SUBREAPER = 36  # PR_SET_CHILD_SUBREAPER of prctl
_PAUSE = 0.001  # seconds between two rounds of killing
# a child has exited; or the program tries to end the process that watches it
_HEARD = (signal.SIGCHLD, signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_IGNORED_BY_PYTHON = (signal.SIGPIPE, signal.SIGXFSZ)


def main() -> None:
    """Run the program to its end, and report."""
    control, report = int(sys.argv[1]), int(sys.argv[2])
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(_SUBREAPER, 1, 0, 0, 0)
    for file in (control, report):
        os.set_inheritable(file, False)
    wake, woken = os.pipe()
    os.set_blocking(woken, False)
    signal.set_wakeup_fd(woken)
    for number in _HEARD:
        signal.signal(number, lambda _number, _frame: None)
    try:
        program = os.posix_spawnp(
            sys.argv[3], sys.argv[3:], os.environ, setsid=True, setsigdef=_IGNORED_BY_PYTHON
        )
    except OSError as error:
        os.write(report, b"errno %d\n" % (error.errno or 0))
        return
    # whoever reads the program's output waits until all that can write have closed it
    nowhere = os.open(os.devnull, os.O_RDWR)
    for file in (0, 1, 2):
        os.dup2(nowhere, file)
    events = select.poll()
    for file in (control, wake):
        events.register(file, select.POLLIN)
    code = None
    while code is None:
        ready = [file for file, _event in events.poll()]
        if wake in ready:
            os.read(wake, 512)
            code, _is_left = _reap(program, code)
        elif os.read(control, 1):
            _kill_session(program, signal.SIGTERM)
        else:
            break
    code = _kill_all(program, code)
    import resource  # only POSIX systems have it

    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    os.write(report, b"%d %.6f\n" % (code or 0, usage.ru_utime + usage.ru_stime))


def _reap(program: int, code: int | None) -> tuple[int | None, bool]:
    """Take leave of all children that have exited.

    Return the exit code of `program`, which is `code` if known, and whether a child is left.
    """
    try:
        while True:
            child, status = os.waitpid(-1, os.WNOHANG)
            if child == 0:
                return code, True
            if child == program:
                code = os.waitstatus_to_exitcode(status)
    except ChildProcessError:
        return code, False


def _kill_all(program: int, code: int | None) -> int | None:
    """Kill until no child is left. Return the exit code of `program`, see `_reap`."""
    _kill_session(program, signal.SIGKILL)
    is_left = True
    while is_left:
        for process in _descendants():
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(process, signal.SIGKILL)
        code, is_left = _reap(program, code)
        if is_left:
            time.sleep(_PAUSE)
    return code


def _kill_session(program: int, number: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(program, number)


def _descendants() -> list[int]:
    """Return the processes that descend from this one, parents first; none without /proc."""
    parents: dict[int, int] = {}
    if not os.path.exists("/proc/self/stat"):
        return []
    for name in os.listdir("/proc"):
        if name.isdigit():
            with contextlib.suppress(OSError), open(f"/proc/{name}/stat", "rb") as file:
                # the name of a program, in brackets, may hold anything
                parents[int(name)] = int(file.read().rpartition(b")")[2].split()[1])
    found = [os.getpid()]
    for process in found:
        found += [child for child, parent in parents.items() if parent == process]
    return found[1:]


if __name__ == "__main__":
    main()
