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
def test_a_post_gets_the_verdict_that_it_deserves(name: str) -> None:
    verdicts = judge_all((CORPUS / name).read_bytes(), file=name)
    assert [summary(verdict) for verdict in verdicts] == EXPECTED[name]


@pytest.mark.parametrize("name", [name for name, answers in EXPECTED.items() if len(answers) > 1])
def test_the_answers_of_a_file_have_names_of_their_own_and_are_no_single_answer(name: str) -> None:
    content = (CORPUS / name).read_bytes()
    assert [verdict.file for verdict in judge_all(content, file=name)] == [
        f"{name}#{i + 1}" for i in range(len(EXPECTED[name]))
    ]
    assert "several-answers" in {fault.code for fault in judge(content).violations}


@pytest.mark.parametrize("name", EXPECTED)
def test_every_line_is_taken_or_passed_over_or_faulty(name: str) -> None:
    """Nothing is silently lost: the lines of a post that hold text are all listed."""
    if name.endswith((".html", "utf-16.txt")) or name.startswith("plain"):
        return
    content = (CORPUS / name).read_text(encoding="utf-8")
    listed: set[int] = set()
    for verdict in judge_all(content):
        listed |= {line for line, _what in (*verdict.reading.taken, *verdict.reading.passed)}
        listed |= {fault.line for fault in verdict.violations}
    marks = ("```", "~~~")
    silent = [n for n, line in enumerate(content.split("\n"), start=1) if line.strip() and n not in listed]
    assert [n for n in silent if not content.split("\n")[n - 1].startswith(marks)] == []
