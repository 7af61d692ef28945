"""Each fuzzer for a few hundred inputs, and the fuzzers themselves."""

from pathlib import Path

import pytest

from tests.fuzz import run, targets
from tests.fuzz.mutation import LARGEST
from tests.fuzz.run import fuzz
from tests.fuzz.target import ROOT, DisagreementError, Target
from tests.fuzz.targets import TARGETS


@pytest.mark.parametrize("name", TARGETS)
def test_good_inputs_are_taken(name: str) -> None:
    for content in TARGETS[name].seeds():
        assert len(content) < LARGEST  # a longer one is cut, and then it is hardly ever a whole file
        TARGETS[name].read(content)


@pytest.mark.parametrize("name", TARGETS)
def test_no_mutated_input_breaks_a_reader(name: str) -> None:
    most = 60 if name == "bounds" else 300  # a puzzle of that fuzzer takes as long as a hundred other inputs
    figures = fuzz(name, 1, lambda so_far: so_far.inputs < most)
    assert figures.findings == {}


def test_what_a_fuzzer_finds_is_counted_and_kept_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fragile(content: bytes) -> None:
        if b"?" in content:
            raise ZeroDivisionError
        if b"0" in content:
            raise DisagreementError("0 and 1")

    monkeypatch.setitem(targets.TARGETS, "fragile", Target(fragile, lambda: [b"abc", b"def"]))
    figures = fuzz("fragile", 3, lambda so_far: so_far.inputs < 2_000, tmp_path)
    assert figures.crashes > 0 < figures.disagreements
    assert len(figures.findings) == 2
    assert len(list(tmp_path.glob("*.why"))) == 2
    assert figures.inputs == 2_000


@pytest.mark.parametrize("name", TARGETS)
def test_the_committed_figures_of_each_reader_tell_of_nothing_that_was_not_taken_well(name: str) -> None:
    text = (ROOT / "results/fuzz.md").read_text(encoding="utf-8")
    (cells,) = (line.strip("| ").split(" | ") for line in text.splitlines() if line.startswith(f"| {name} "))
    _name, inputs, crashes, disagreements, slowest, memory = cells
    assert int(inputs.replace(",", "")) > 0
    assert (crashes, disagreements) == ("0", "0")
    assert float(slowest) < 2
    assert float(memory) < 300


def test_an_input_that_takes_too_long_is_a_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    def slow(content: bytes) -> None:
        while content != b"never":
            sum(range(1000))

    monkeypatch.setattr(run, "LONGEST", 0.2)
    monkeypatch.setitem(targets.TARGETS, "slow", Target(slow, lambda: [b"never"]))
    figures = fuzz("slow", 1, lambda so_far: so_far.crashes < 1)
    assert "more than 0.2 seconds" in next(iter(figures.findings))
