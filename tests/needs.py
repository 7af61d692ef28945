"""What tests need beyond the packages that `pip install -e '.[test]'` installs.

Each need is a fixture of this module. A test that asks for one, directly or through other fixtures,
gets a marker of the same name, so `pytest -m browser` runs the tests that need a browser. Where the
need is missing, the test is skipped.
"""

import os
import shutil
import subprocess
from collections import Counter
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

BROWSER = shutil.which("chromium") or shutil.which("google-chrome")
DRIVER = shutil.which("chromedriver")
COMPILER = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
SANITIZERS = ("-fsanitize=address,undefined", "-fno-sanitize-recover=all")
CASES = Path(__file__).resolve().parents[2] / "shared" / "cases"

# opens windows of a browser; the arguments are those of tests.browser.window
OpenWindow = Callable[..., AbstractContextManager["Chrome"]]


@dataclass(frozen=True)
class Need:
    """Something that a machine may lack.

    Attributes:
        is_met: Says whether it is there.
        missing: The reason to skip a test where it is not.
    """

    is_met: Callable[[], object]
    missing: str


_NEEDS: dict[str, Need] = {}


def _need(is_met: Callable[[], object], missing: str) -> Callable[[Callable[[], object]], object]:
    def register(fixture: Callable[[], object]) -> object:
        _NEEDS[fixture.__name__] = Need(cache(is_met), missing)
        return pytest.fixture(scope="session")(fixture)

    return register


def _compiles(*options: str) -> bool:
    """Compile a program with options whose runtime some compilers lack."""
    if COMPILER is None:
        return False
    with TemporaryDirectory() as folder:
        command = [COMPILER, *options, "-x", "c", "-", "-o", f"{folder}/program"]
        return (
            subprocess.run(
                command, input=b"int main(void) { return 0; }", capture_output=True, check=False
            ).returncode
            == 0
        )


@cache
def parallel() -> tuple[str, ...]:
    """The option for OpenMP. Without it a program runs on one processor, and its compiler does
    not know the pragmas."""
    return ("-fopenmp",) if _compiles("-fopenmp") else ("-Wno-unknown-pragmas",)


@_need(
    lambda: BROWSER and DRIVER,
    "Chromium or ChromeDriver is not installed (Debian: chromium, chromium-driver)",
)
def browser() -> OpenWindow:
    """Opens windows of a headless Chromium."""
    from tests.browser import window

    return window


@_need(
    lambda: _compiles(*SANITIZERS),
    "no C compiler with sanitizers is installed (Debian: gcc, libc6-dev)",
)
def compiler() -> str | None:
    return COMPILER


@_need(lambda: os.name == "posix", "this is no POSIX system, with its signals and shell")
def posix() -> None:
    """Process groups, signals, `/bin/sh`, and the modules of Python that only POSIX systems
    have."""


@_need(lambda: hasattr(os, "openpty"), "this system has no pseudo-terminals")
def terminal() -> None:
    """Pseudo-terminals."""


@_need(Path("/dev/full").exists, "this system has no /dev/full")
def full_device() -> Path:
    """A device that is always full."""
    return Path("/dev/full")


@_need(CASES.is_dir, "no folder of outside cases next to this clone")
def cases() -> Path:
    """Real outside cases, which a plain clone does not have."""
    return CASES


def pytest_configure(config: pytest.Config) -> None:
    for name in _NEEDS:
        config.addinivalue_line(
            "markers", f"{name}: needs the fixture of this name in tests/needs.py"
        )


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Function]) -> None:
    """Mark each test with its needs, and skip it where one is missing."""
    for item in items:
        for name in _NEEDS.keys() & set(item.fixturenames):
            item.add_marker(name)
            if not _NEEDS[name].is_met():
                item.add_marker(pytest.mark.skip(reason=_NEEDS[name].missing))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print how many tests were skipped for each reason."""
    reasons = Counter(report.longrepr[2] for report in terminalreporter.stats.get("skipped", []))
    for reason, count in reasons.items():
        terminalreporter.write_line(f"{count} skipped: {reason.removeprefix('Skipped: ')}")
