"""What tests share: the challenge, and a small lexicon with which everything can be enumerated."""

import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, settings

from solver.compiled import kernel_folder
from solver.index.problem import Problem
from solver.model.lexicon import Lexicon
from solver.model.puzzle import load_puzzle
from tests.process import rowdraw

# kernels are compiled in the first example that needs them, which would look like a slow test
settings.register_profile(
    "rowdraw", max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow], phases=set(Phase) - {Phase.explain}
)
settings.load_profile("rowdraw")


@pytest.fixture(scope="session")
def challenge() -> Problem:
    return Problem.of(load_puzzle("challenge"))


@pytest.fixture(scope="session")
def compiled() -> Path:
    """The folder of compiled kernels, with all of them; whoever changes it makes a copy."""
    assert rowdraw("warmup").returncode == 0
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


@pytest.fixture(scope="session")
def root() -> Path:
    return Path(__file__).resolve().parents[1]


@pytest.fixture(scope="session")
def cases(root: Path) -> Path:
    """Real outside cases, which a plain clone does not have."""
    folder = root.parent / "shared" / "cases"
    if not folder.is_dir():
        pytest.skip("no folder of outside cases beside this clone")
    return folder


@pytest.fixture(scope="session")
def small_lexicon() -> Lexicon:
    words = "a ab at tat tea eat ate eta teat seat east eats beta abate tease state taste zest zeta oat toe jet tab"
    return Lexicon("small", tuple(sorted(words.split())))
