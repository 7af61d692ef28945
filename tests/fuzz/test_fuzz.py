"""Readers take good inputs, and take or refuse mutated ones: no crash and no disagreement."""

from pathlib import Path

import pytest

from tests.fuzz import run
from tests.fuzz.run import TARGETS, fuzz
from tests.fuzz.target import DisagreementError, Target


@pytest.mark.parametrize("name", TARGETS)
def test_no_mutated_input_breaks_a_reader(name: str) -> None:
    assert fuzz(name, 1, lambda so_far: so_far.inputs < 200).findings == {}


def test_crashes_disagreements_and_slow_inputs_are_kept_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fragile(content: bytes) -> None:
        if b"?" in content:
            raise ZeroDivisionError
        if b"0" in content:
            raise DisagreementError("0 and 1")
        while b"-" in content:
            sum(range(1000))

    monkeypatch.setattr(run, "LONGEST", 0.1)
    monkeypatch.setitem(TARGETS, "fragile", Target(fragile, lambda: [b"abc", b"def"]))
    figures = fuzz(
        "fragile", 3, lambda so_far: so_far.inputs < 100 or len(so_far.findings) < 3, tmp_path
    )
    told = " ".join(path.read_text() for path in tmp_path.glob("*.why"))
    for word in ("ZeroDivisionError", "0 and 1", "more than 0.1 seconds"):
        assert word in told
    assert len(list(tmp_path.iterdir())) == 2 * len(figures.findings)
