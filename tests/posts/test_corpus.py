"""Posts of many shapes, each with the verdict that it deserves."""

import tomllib
from pathlib import Path

import pytest

from verify import Verdict, judge, judge_all

CORPUS = Path(__file__).with_name("corpus")
EXPECTED = tomllib.loads(Path(__file__).with_name("expected.toml").read_text(encoding="utf-8"))


def summary(verdict: Verdict) -> list[object]:
    if verdict.valid:
        return ["valid", verdict.score, len(verdict.turns)]
    first = verdict.violations[0]
    return ["invalid", verdict.score, len(verdict.turns), first.line, first.code]


def test_every_post_has_its_expected_verdict_and_there_are_many() -> None:
    assert set(EXPECTED) == {path.name for path in CORPUS.iterdir()}
    assert len(EXPECTED) >= 60


@pytest.mark.parametrize("name", EXPECTED)
def test_a_post_gets_the_verdict_that_it_deserves_and_none_of_its_lines_is_lost(name: str) -> None:
    content = (CORPUS / name).read_bytes()
    verdicts = judge_all(content, file=name)
    assert [summary(verdict) for verdict in verdicts] == EXPECTED[name]
    if len(verdicts) > 1:
        assert [verdict.file for verdict in verdicts] == [
            f"{name}#{number + 1}" for number in range(len(verdicts))
        ]
        assert "several-answers" in {fault.code for fault in judge(content).violations}
    if name.endswith((".html", "utf-16.txt")) or name.startswith("plain"):
        return
    # each line that holds text is taken, passed over or faulty
    listed: set[int] = set()
    for verdict in verdicts:
        listed |= {line for line, _what in (*verdict.reading.taken, *verdict.reading.passed)}
        listed |= {fault.line for fault in verdict.violations}
    lines = content.decode().split("\n")
    silent = [
        number
        for number, line in enumerate(lines, start=1)
        if line.strip() and number not in listed
    ]
    assert [number for number in silent if not lines[number - 1].startswith(("```", "~~~"))] == []
