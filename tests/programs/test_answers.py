"""A stream of output is cut into answers, whatever the pieces in which it comes, in bounded memory."""

from hypothesis import given
from hypothesis import strategies as st

from solver.index.problem import Problem
from solver.model.lexicon import Lexicon
from solver.model.puzzle import Puzzle
from solver.search.run import Run
from solver.solving.programs.answers import AnswerReader, AnswerSplitter
from tests.reference import VALUES

LINES = st.lists(st.sampled_from([b"0 tea tea", b"0 eat eat", b"", b"  \r", b"# score 4", b"# remark", b"\xff\x00", b"x y"]))


def problem_of(lexicon: Lexicon, row: str = "teaseat") -> Problem:
    return Problem(Puzzle("test", row, 4, "test", VALUES), lexicon)


def cut(stream: bytes, size: int) -> list[tuple[int, list[bytes]]]:
    splitter = AnswerSplitter()
    found = [answer for at in range(0, len(stream), size) for answer in splitter.feed(stream[at : at + size])]
    return [(answer.first, answer.lines) for answer in (*found, *splitter.end(cut=False))]


@given(lines=LINES, size=st.integers(1, 30))
def test_answers_do_not_depend_on_the_pieces_in_which_they_come(lines: list[bytes], size: int) -> None:
    stream = b"\n".join(lines)
    assert cut(stream, size) == cut(stream, len(stream) + 1)


@given(lines=LINES)
def test_every_line_with_something_in_it_belongs_to_the_answer_that_tells_where_it_stands(lines: list[bytes]) -> None:
    found = cut(b"".join(line + b"\n" for line in lines), 100)
    for first, answer in found:
        assert answer[0] == lines[first - 1]
    kept = [line for _first, answer in found for line in answer]
    turns = [line for line in lines if line.strip() and not line.startswith(b"#")]
    assert [line for line in kept if not line.startswith(b"#")] == turns


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
    reader = AnswerReader(problem_of(small_lexicon), Run())
    for _ in range(40):
        reader.read(b"0 tea tea\n" * 10_000)
    assert reader._splitter._answer.size <= 1_000_000
    reader.read(b"\n0 tea tea\n\n")
    assert (reader.good, reader.faulty) == (1, 1)
    assert "more than 1,000,000 bytes" in str(reader.first_fault)


def test_each_better_answer_is_offered_and_faults_are_told_with_their_line(small_lexicon: Lexicon) -> None:
    said: list[str] = []
    run = Run(say=said.append)
    reader = AnswerReader(problem_of(small_lexicon), run)
    reader.read(b"0 at at\n\n4 tea tea\n\n1 zzz zzz\n\n0 at at\n4 nonsense\n\n")
    reader.end(cut=False)
    assert (reader.good, reader.faulty) == (2, 2)
    assert [point.score for point in run.trace] == [3, 6]
    assert len(said) == 1
    assert "line 5 of its output: 'zzz' needs" in said[0]
