"""A stream of output is cut into answers, whatever the pieces in which it comes, in bounded
memory."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.index.problem import Problem
from solver.model.puzzle import Lexicon
from solver.search.run import Run
from solver.solving.programs.program import AnswerReader, AnswerSplitter
from tests.puzzles import problem_of
from tests.reference import VALUES

LINES = st.lists(
    st.sampled_from(
        [b"0 tea tea", b"0 eat eat", b"", b"  \r", b"# score 4", b"# remark", b"\xff\x00", b"x y"]
    )
)


def seat_problem(lexicon: Lexicon, row: str = "teaseat") -> Problem:
    return problem_of(lexicon.words, row, 4, VALUES)


def after_reading(output: bytes, lexicon: Lexicon) -> tuple[AnswerReader, Run, list[str]]:
    """A reader at the end of a program's output, its run, and the messages for the user."""
    said: list[str] = []
    run = Run(say=said.append)
    reader = AnswerReader(seat_problem(lexicon), run)
    reader.read(output)
    reader.end(cut=False)
    return reader, run, said


def cut(stream: bytes, size: int) -> list[tuple[int, list[bytes]]]:
    splitter = AnswerSplitter()
    found = [
        answer
        for at in range(0, len(stream), size)
        for answer in splitter.feed(stream[at : at + size])
    ]
    return [(answer.numbers[0], answer.lines) for answer in (*found, *splitter.end(cut=False))]


@given(lines=LINES, size=st.integers(1, 30))
def test_answers_do_not_depend_on_the_pieces_in_which_they_come(
    lines: list[bytes], size: int
) -> None:
    stream = b"\n".join(lines)
    assert cut(stream, size) == cut(stream, len(stream) + 1)


@given(lines=LINES)
def test_every_turn_belongs_to_the_answer_that_tells_where_it_stands_and_noise_is_counted(
    lines: list[bytes],
) -> None:
    splitter = AnswerSplitter()
    found = [*splitter.feed(b"".join(line + b"\n" for line in lines)), *splitter.end(cut=False)]
    for answer in found:
        assert [lines[number - 1] for number in answer.numbers] == answer.lines
        assert [line for part in answer.parts for line in part] == answer.lines
    turns = [line for line in lines if b" tea" in line or b" eat" in line]
    assert [line for answer in found for line in answer.lines if not line.startswith(b"#")] == turns
    noise = [
        (number, line)
        for number, line in enumerate(lines, start=1)
        if line in (b"\xff\x00", b"x y")
    ]
    assert (splitter.noise, splitter.first_noise) == (len(noise), noise[0] if noise else None)


LOGS = [
    "Total: 961",
    "best 54",
    "Layer 3 of 100",
    '{"event": "start"}',
    "0.5 s",
    "----",
    "\x1b[31mred",
    "1/3",
    "\ufffd",
]


@pytest.mark.parametrize("log", LOGS)
def test_noise_before_between_and_behind_answers_is_passed_over_and_counted(
    log: str, small_lexicon: Lexicon
) -> None:
    reader, run, said = after_reading(
        f"{log}\n\n{log}\n0 at at\n{log}\n1 tea tea\n\n{log}\n4 seat seat\n{log}\n".encode(),
        small_lexicon,
    )
    reader.tell_noise()
    assert (reader.good, reader.faulty, reader.noise) == (2, 0, 5)
    assert [point.score for point in run.trace] == [9, 10]
    assert len(said) == 1
    assert said[0].startswith(
        "5 lines of the program's output are neither turns nor comments and passed over, first line 1: "
    )


FAULTY = [
    "x at at", "at at", "a? at", "0 at", "0 at at at", "-1 at at", "99 at at", "1.5 at at", "0. a1 at", "(0, 'at', 'at')",
    "Turn 1: 0 at at", "0,at,at", "0 \u00e1t at", "AT AT", "0 at ab",
]  # fmt: skip


@pytest.mark.parametrize("turn", FAULTY)
def test_a_faulty_turn_is_no_noise_and_its_answer_is_not_valid(
    turn: str, small_lexicon: Lexicon
) -> None:
    reader, _run, said = after_reading(f"log\n{turn}\n4 tea tea\n".encode(), small_lexicon)
    assert (reader.good, reader.faulty, reader.noise) == (0, 1, 1)
    assert "line 2 of its output" in said[0] or "line 3 of its output: 4 left draws" in said[0]


def test_answers_that_only_noise_parts_are_judged_one_by_one_and_a_fault_in_one_is_reported(
    small_lexicon: Lexicon,
) -> None:
    reader, run, said = after_reading(
        b"round 1\n0 at at\nround 2\n4 seat seat\nround 3\n0 tea tea\n4 zzz zzz\n", small_lexicon
    )
    assert (reader.good, reader.faulty) == (2, 1)
    assert run.incumbent.score == 10
    assert len(said) == 1
    assert "an answer that is not valid" in said[0]


def test_a_json_object_is_an_answer_and_its_lines_are_no_noise(small_lexicon: Lexicon) -> None:
    turns = [{"left": 4, "play": "seat", "word": "seat"}]
    for text in (json.dumps({"turns": turns}), json.dumps({"score": 10, "turns": turns}, indent=1)):
        run = Run()
        reader = AnswerReader(seat_problem(small_lexicon), run)
        reader.read(f"loading\n{text}\n\n".encode())
        assert (reader.good, reader.faulty, reader.noise, run.incumbent.score) == (1, 0, 1, 10)


def test_a_valid_answer_that_states_other_rules_counts_with_one_message(
    small_lexicon: Lexicon,
) -> None:
    reader, run, said = after_reading(
        b"# remark\n0 tea tea\n\n# rack 9\n0 at at\n\n# rack 8\n4 seat seat\n", small_lexicon
    )
    assert (reader.good, run.incumbent.score) == (3, 10)
    assert len(said) == 1
    assert said[0].startswith(
        "line 4 of the program's output: the answer itself names other rules (rack 9): judged by "
    )


def test_an_answer_ends_at_an_empty_line_a_score_behind_its_turns_and_the_end() -> None:
    stream = b"# score 9\n# remark\n0 a a\n1 b b\n\n\n0 c c\n# score 3\n0 d d\n \n0 e e"
    assert cut(stream, 7) == [
        (1, [b"# score 9", b"# remark", b"0 a a", b"1 b b"]),
        (7, [b"0 c c", b"# score 3"]),
        (9, [b"0 d d"]),
        (11, [b"0 e e"]),
    ]


def test_a_line_that_the_end_cut_short_does_not_count() -> None:
    splitter = AnswerSplitter()
    assert list(splitter.feed(b"0 tea tea\n0 ea")) == []
    assert [answer.lines for answer in splitter.end(cut=True)] == [[b"0 tea tea"]]


def test_lines_and_answers_without_an_end_take_bounded_memory(small_lexicon: Lexicon) -> None:
    splitter = AnswerSplitter()
    for _ in range(200):
        assert list(splitter.feed(b"x" * 100_000)) == []
    assert len(splitter._line) == 20_000
    reader = AnswerReader(seat_problem(small_lexicon), Run())
    for _ in range(40):
        reader.read(b"0 tea tea\n" * 10_000)
    assert reader._splitter._answer.size <= 1_000_000
    reader.read(b"\n0 tea tea\n\n")
    assert (reader.good, reader.faulty) == (1, 1)
    assert "more than 1,000,000 bytes" in str(reader.first_fault)


def test_each_better_answer_is_offered_and_faults_are_reported_with_their_line(
    small_lexicon: Lexicon,
) -> None:
    reader, run, said = after_reading(
        b"0 at at\n\n4 tea tea\n\n1 zzz zzz\n\n0 at at\n4 nonsense\n\n", small_lexicon
    )
    assert (reader.good, reader.faulty) == (2, 2)
    assert [point.score for point in run.trace] == [3, 6]
    assert len(said) == 1
    assert "line 5 of its output: 'zzz' needs" in said[0]
