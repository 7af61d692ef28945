"""Posts of many shapes, each with the verdict that it deserves."""

import tomllib
from pathlib import Path

import pytest

from verify import Verdict, judge, judge_all

CORPUS = Path(__file__).with_name("corpus")
EXPECTED = tomllib.loads(Path(__file__).with_name("expected.toml").read_text(encoding="utf-8"))


def summary(verdict: Verdict) -> list[object]:
    judged = [verdict.score, len(verdict.turns)]
    if verdict.valid:
        return ["valid", *judged]
    first = verdict.violations[0]
    return ["invalid", *judged, first.line, first.code]


def test_every_post_has_its_expected_verdict() -> None:
    assert set(EXPECTED) == {path.name for path in CORPUS.iterdir()}


@pytest.mark.parametrize("name", EXPECTED)
def test_a_post_gets_the_verdict_that_it_deserves_and_none_of_its_lines_is_lost(name: str) -> None:
    content = (CORPUS / name).read_bytes()
    verdicts = judge_all(content, file=name)
    assert [summary(verdict) for verdict in verdicts] == EXPECTED[name]
    if len(verdicts) > 1:
        for number, verdict in enumerate(verdicts, start=1):
            assert verdict.file == f"{name}#{number}"
        assert "several-answers" in {fault.code for fault in judge(content).violations}
    if name.endswith((".html", "utf-16.txt")) or name.startswith("plain"):
        return
    # each line that holds text is taken, passed over or faulty
    listed: set[int] = set()
    for verdict in verdicts:
        listed |= {line for line, _what in (*verdict.reading.taken, *verdict.reading.passed)}
        listed |= {fault.line for fault in verdict.violations}
    for number, line in enumerate(content.decode().split("\n"), start=1):
        is_silent = not line.strip() or line.startswith(("```", "~~~"))
        assert number in listed or is_silent, number
