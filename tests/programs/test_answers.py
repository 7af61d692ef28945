"""A stream of output is cut into blocks, in which the referee's reader finds the answers."""

import json

import pytest

from solver.index.problem import Problem
from solver.search.run import Run
from solver.solving.programs.answers import AnswerReader
from tests.reference import VALUES
from verify import Rules

WORDS = "a ab at tat tea eat ate eta teat seat east eats beta abate tease state taste zest zeta"
RULES = Rules("teaseat", 4, VALUES, frozenset(WORDS.split()), puzzle="small")


def after_reading(output: bytes) -> tuple[AnswerReader, Run, list[str]]:
    """A reader at the end of output, its run, and the messages for the user."""
    said: list[str] = []
    run = Run(say=said.append)
    reader = AnswerReader(Problem(RULES), run)
    for line in output.split(b"\n"):
        reader.read(line, 0.0)
    reader.end()
    return reader, run, said


def counts(reader: AnswerReader) -> tuple[int, int]:
    return reader.good, reader.faulty


@pytest.mark.parametrize(
    "log",
    ["best 54", "Layer 3 of 100", '{"event": "start"}', "0.5 s", "\x1b[31mred", "1/3", "\ufffd"],
)
def test_noise_before_between_and_after_answers_is_ignored(log: str) -> None:
    reader, run, said = after_reading(
        f"{log}\n\n{log}\n0 at at\n{log}\n1 tea tea\n\n{log}\n4 seat seat\n{log}\n".encode()
    )
    assert counts(reader) == (2, 0)
    assert [point.score for point in run.trace] == [9, 10]
    assert said == []


FAULTY = ["x at at", "0 at ab", "-1 at at", "99 at at", "1.5 at at", "0 at ta"]


@pytest.mark.parametrize("turn", FAULTY)
def test_a_faulty_turn_is_no_noise_and_its_answer_is_not_valid(turn: str) -> None:
    reader, _run, (message,) = after_reading(f"log\n{turn}\n4 tea tea\n".encode())
    assert counts(reader) == (0, 1)
    assert "line 2 of its output" in message


def test_without_a_turn_the_first_line_is_shown() -> None:
    assert after_reading(b"\nbest 54\n\n\n54")[0].fault == "it printed no turn: line 2: 'best 54'"
    assert after_reading(b"\n\n")[0].fault == "it printed no turn"


def test_a_json_object_between_empty_lines_is_an_answer() -> None:
    turns = [{"left": 4, "play": "seat", "word": "seat"}]
    for text in (json.dumps({"turns": turns}), json.dumps({"score": 10, "turns": turns}, indent=1)):
        reader, run, _said = after_reading(f"loading\n\n{text}\n\n{text}\n\n0 at at\n".encode())
        assert counts(reader) == (3, 0)
        assert run.incumbent.score == 10


def test_an_answer_ends_at_an_empty_line_a_score_after_its_turns_and_the_end() -> None:
    stream = b"# score 6\n# remark\n4 tea tea\n\n\n0 at at\n# score 3\n0 at at\n \n4 seat seat"
    assert counts(after_reading(stream)[0]) == (4, 0)


def test_an_answer_without_an_end_takes_bounded_memory() -> None:
    reader = AnswerReader(Problem(RULES), Run())
    for _ in range(11_000):
        reader.read(b"0 tea tea", 0.0)
    assert reader._size <= 100_000
    for line in (b"", b"4 tea tea", b""):
        reader.read(line, 0.0)
    assert reader.good == 1
    assert reader.faulty >= 1


def test_each_better_answer_is_offered_and_faults_are_reported_with_their_line() -> None:
    reader, run, (message,) = after_reading(
        b"0 at at\n\n4 tea tea\n\n1 zzz zzz\n\n0 at at\n4 nonsense nonsense\n\n"
    )
    assert counts(reader) == (2, 2)
    assert [point.score for point in run.trace] == [3, 6]
    assert "line 5 of its output: 'zzz' needs" in message
