"""What tests share: the challenge, and a small lexicon with which everything can be enumerated."""

import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

import pytest
from _pytest.capture import CaptureResult
from hypothesis import HealthCheck, Phase, settings

from solver.commands.cli import main
from solver.compiled import kernel_folder
from solver.index.problem import Problem
from solver.model.puzzle import Lexicon, load_puzzle
from tests.process import MAIN, rowdraw
from tests.puzzles import lexicon_of

pytest_plugins = ["tests.needs"]

# kernels are compiled in the first example that needs them, which would look like a slow test
settings.register_profile(
    "rowdraw",
    max_examples=50,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    phases=set(Phase) - {Phase.explain},
)
settings.load_profile("rowdraw")

# under nohup and in the background of a shell these are ignored, which the commands that tests
# interrupt would inherit
for _number, _usual in (
    (signal.SIGINT, signal.default_int_handler),
    (getattr(signal, "SIGHUP", None), signal.SIG_DFL),
):
    if _number is not None and signal.getsignal(_number) is signal.SIG_IGN:
        signal.signal(_number, _usual)

# Files and folders of long tests, which `pytest` leaves out and `pytest -m ""` runs. They kill
# commands at each change of a file, break every input, compile kernels again, drive a browser
# through every page, and build a wheel.
LONG = (
    "bound/test_campaign.py",
    "bound/test_prove.py",
    "compare/test_compare_command.py",
    "faults",
    "fuzz",
    "hostile",
    "programs/test_hostile_programs.py",
    "report/test_pages.py",
    "report/test_scrabble_page.py",
    "test_examples.py",
    "test_wheel.py",
    "tools/test_learn.py",
    "web/test_board_page.py",
    "web/test_play_page.py",
    "web/test_page.py",
)


def pytest_sessionstart(session: pytest.Session) -> None:
    """Before all tests compile every kernel once, so that no two test processes compile the same
    one."""
    config = session.config
    if config.args_source is pytest.Config.ArgsSource.TESTPATHS and not hasattr(
        config, "workerinput"
    ):
        # the kernels of bounds take as long as all others
        bounds = [
            sys.executable,
            "-c",
            "from solver.solving.compile_all import prove_bounds; prove_bounds()",
        ]
        with subprocess.Popen(bounds, stderr=subprocess.DEVNULL):
            subprocess.run([*MAIN, "warmup"], check=False, capture_output=True)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests of `LONG`."""
    tests = Path(__file__).parent
    for item in items:
        if any(item.path.is_relative_to(tests / name) for name in LONG):
            item.add_marker(pytest.mark.long)


@pytest.fixture(scope="session")
def challenge() -> Problem:
    return Problem(load_puzzle("challenge"))


@pytest.fixture(scope="session")
def compiled() -> Path:
    """The folder of compiled kernels, with all of them; whoever changes it makes a copy."""
    rowdraw("warmup", code=0)
    return kernel_folder()


@pytest.fixture
def limit_threads(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """Let the system run no more than a number of threads besides those that run already."""

    def limit(most: int) -> None:
        start, running = threading.Thread.start, threading.active_count()

        def refuses(thread: threading.Thread) -> None:
            if threading.active_count() - running >= most:
                raise RuntimeError("can't start new thread")
            start(thread)

        monkeypatch.setattr(threading.Thread, "start", refuses)

    return limit


class RunCommand(Protocol):
    """Runs `rowdraw` with these arguments in this process; returns what it prints."""

    def __call__(self, *arguments: str | Path, code: int = 0) -> CaptureResult[str]:
        """Run it; `code` is the exit code that it must have."""


@pytest.fixture
def run(capfd: pytest.CaptureFixture[str]) -> RunCommand:
    def run_command(*arguments: str | Path, code: int = 0) -> CaptureResult[str]:
        capfd.readouterr()
        with pytest.raises(SystemExit) as ended:
            main([*map(str, arguments)])
        printed = capfd.readouterr()
        assert (ended.value.code or 0) == code, printed.err
        return printed

    return run_command


@pytest.fixture(scope="session")
def root() -> Path:
    return Path(__file__).resolve().parents[1]


@pytest.fixture(scope="session")
def small_lexicon() -> Lexicon:
    words = (
        "a ab at tat tea eat ate eta teat seat east eats beta abate tease state taste zest zeta "
        "oat toe jet tab"
    )
    return lexicon_of(words.split())
