"""Runs of the fuzzers: inputs from a seed, what they found, and figures of them."""

import hashlib
import random
import resource
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from tests.fuzz.mutation import mutated
from tests.fuzz.targets import TARGETS, DisagreementError

_RARE = 50  # findings that are kept of a target


@dataclass
class Figures:
    """What a target's inputs led to. slowest: seconds of the slowest one. memory: the process's peak by then, in MB."""

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


HEAD = (
    "| reader | inputs | crashes | disagreements | slowest, s | peak memory, MB |\n| --- | ---: | ---: | ---: | ---: | ---: |"
)


def fuzz(target: str, seed: int, goes_on: Callable[[Figures], bool], keep: Path | None = None) -> Figures:
    """Feed a target with inputs as long as `goes_on` says; write what it did not take well into the folder `keep`."""
    figures, rng = Figures(target), random.Random(f"{target} {seed}")
    seeds = TARGETS[target].seeds()
    assert seeds, f"{target} has no seeds"
    while goes_on(figures):
        content = mutated(rng, seeds)
        began = time.perf_counter()
        try:
            TARGETS[target].read(content)
        except DisagreementError as error:
            figures.disagreements += 1
            _note(figures, content, f"disagreement: {error}", keep)
        except Exception:
            figures.crashes += 1
            _note(figures, content, traceback.format_exc(), keep)
        figures.slowest = max(figures.slowest, time.perf_counter() - began)
        figures.inputs += 1
    figures.memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1_000
    return figures


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
