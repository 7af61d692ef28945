"""Each fuzzer for a few hundred inputs, and the fuzzers themselves."""

from pathlib import Path

import pytest

from tests.fuzz import targets
from tests.fuzz.run import fuzz
from tests.fuzz.target import DisagreementError, Target
from tests.fuzz.targets import TARGETS


@pytest.mark.parametrize("name", TARGETS)
def test_good_inputs_are_taken(name: str) -> None:
    for content in TARGETS[name].seeds():
        TARGETS[name].read(content)


@pytest.mark.parametrize("name", TARGETS)
def test_no_mutated_input_breaks_a_reader(name: str) -> None:
    figures = fuzz(name, 1, lambda so_far: so_far.inputs < 300)
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
