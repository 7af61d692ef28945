"""Runs of the fuzzers: inputs from a seed, and what they found."""

import hashlib
import random
import signal
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from tests.fuzz import referee, requests, solving, word_lists
from tests.fuzz.mutation import mutated
from tests.fuzz.target import DisagreementError, Target, contents

TARGETS: dict[str, Target] = (
    referee.TARGETS | word_lists.TARGETS | solving.TARGETS | requests.TARGETS
)
SEEDS = Path(__file__).parent / "seeds"  # inputs that once reached lines that no other had
LONGEST = 20.0  # seconds of processor time for an input
_MOST = 50  # findings that are kept
HEAD = "| reader | inputs | findings | slowest, s |\n| --- | ---: | ---: | ---: |"


@dataclass
class Figures:
    """What a target's inputs led to.

    slowest: seconds of processor time that the slowest one took.
    findings: the first input of each kind, by the error.
    """

    target: str
    inputs: int = 0
    slowest: float = 0.0
    findings: dict[str, bytes] = field(default_factory=dict)

    def line(self) -> str:
        """The figures as a row of a Markdown table."""
        return f"| {self.target} | {self.inputs:,} | {len(self.findings)} | {self.slowest:.2f} |"


def fuzz(
    target: str, seed: int, goes_on: Callable[[Figures], bool], keep: Path | None = None
) -> Figures:
    """Feed a target with its seeds, then with mutated ones as long as `goes_on` says.

    keep: a folder for the findings.
    """
    figures = Figures(target)
    rng = random.Random(f"{target} {seed}")
    seeds = TARGETS[target].seeds() + contents(*sorted((SEEDS / target).glob("*")))
    # good inputs; the first also loads what the others must not be charged for
    for content in seeds:
        TARGETS[target].read(content)
    while goes_on(figures):
        content = mutated(rng, seeds)
        began = time.process_time()
        try:
            with _limited():
                TARGETS[target].read(content)
        except Exception as error:
            text = traceback.format_exc()
            kind = str(error) if isinstance(error, DisagreementError) else text.split("File ")[-1]
            if kind not in figures.findings and len(figures.findings) < _MOST:
                figures.findings[kind] = content
                _keep(f"{target}-{hashlib.sha256(content).hexdigest()[:12]}", content, text, keep)
        figures.slowest = max(figures.slowest, time.process_time() - began)
        figures.inputs += 1
    return figures


@contextmanager
def _limited() -> Iterator[None]:
    """An input that takes much too long is a defect like others."""

    def end(_number: int, _frame: object) -> None:
        raise TimeoutError(f"more than {LONGEST} seconds")

    before = signal.signal(signal.SIGPROF, end)
    # processor time: others may keep this process waiting
    signal.setitimer(signal.ITIMER_PROF, LONGEST)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def _keep(name: str, content: bytes, text: str, folder: Path | None) -> None:
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
        (folder / f"{name}.why").write_text(text, encoding="utf-8")
