"""Runs of the fuzzers: inputs from a seed, what they found, and figures of them."""

import hashlib
import random
import signal
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from tests.fuzz.mutation import mutated
from tests.fuzz.target import DisagreementError
from tests.fuzz.targets import TARGETS

SEEDS = Path(__file__).parent / "seeds"  # inputs that once reached lines that no other had
LONGEST = 20.0  # seconds of processor for an input
_RARE = 50  # findings that are kept of a target


@dataclass
class Figures:
    """What a target's inputs led to.

    slowest: seconds of processor that the slowest one took.
    memory: how much more than for the seeds the process needed at its peak, in MB.
    """

    target: str
    inputs: int = 0
    crashes: int = 0
    disagreements: int = 0
    slowest: float = 0.0
    memory: float = 0.0
    findings: dict[str, bytes] = field(default_factory=dict)

    def line(self) -> str:
        """The figures as a row of a Markdown table."""
        cells = (self.target, f"{self.inputs:,}", self.crashes, self.disagreements, f"{self.slowest:.2f}", f"{self.memory:.0f}")
        return "| " + " | ".join(map(str, cells)) + " |"


HEAD = "| reader | inputs | crashes | disagreements | slowest, s | memory, MB |\n| --- | ---: | ---: | ---: | ---: | ---: |"


def fuzz(target: str, seed: int, goes_on: Callable[[Figures], bool], keep: Path | None = None) -> Figures:
    """Feed a target with inputs as long as `goes_on` says. keep: a folder for what it did not take well."""
    figures, rng = Figures(target), random.Random(f"{target} {seed}")
    seeds = TARGETS[target].seeds() + [path.read_bytes() for path in sorted((SEEDS / target).glob("*"))]
    assert seeds, f"{target} has no seeds"
    for content in seeds:  # compiles and loads what the inputs must not be charged for
        TARGETS[target].read(content)
    loaded = _peak()
    while goes_on(figures):
        content = mutated(rng, seeds)
        began = time.process_time()
        try:
            with _limited():
                TARGETS[target].read(content)
        except DisagreementError as error:
            figures.disagreements += 1
            _note(figures, content, f"disagreement: {error}", keep)
        except Exception:
            figures.crashes += 1
            _note(figures, content, traceback.format_exc(), keep)
        figures.slowest = max(figures.slowest, time.process_time() - began)
        figures.inputs += 1
    figures.memory = _peak() - loaded
    return figures


def _peak() -> float:
    """The most memory that this process has had, in MB."""
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1_000


@contextmanager
def _limited() -> Iterator[None]:
    """An input that takes much too long is a defect like others."""

    def end(_number: int, _frame: object) -> None:
        raise TimeoutError(f"more than {LONGEST} seconds")

    before = signal.signal(signal.SIGPROF, end)
    signal.setitimer(signal.ITIMER_PROF, LONGEST)  # time of processor: others may keep this process waiting
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def _note(figures: Figures, content: bytes, told: str, keep: Path | None) -> None:
    """Keep the first input of each kind of finding."""
    kind = told.strip().splitlines()[-1] if told.startswith("disagreement") else told.split("File ")[-1]
    if kind in figures.findings or len(figures.findings) == _RARE:
        return
    figures.findings[kind] = content
    if keep is not None:
        keep.mkdir(parents=True, exist_ok=True)
        name = f"{figures.target}-{hashlib.sha256(content).hexdigest()[:12]}"
        (keep / name).write_bytes(content)
        (keep / f"{name}.why").write_text(told, encoding="utf-8")
