"""The solver's readers: puzzles, journals, records, strategies, output of programs, moves."""

import tempfile
from functools import cache
from pathlib import Path

from solver.errors import RowdrawError, TableError
from solver.index.problem import Problem
from solver.lab.compare.runs import NAME, Journal
from solver.lab.records import best_in, book, entries, known_in
from solver.model.puzzle import puzzle_toml
from solver.model.solution import Solution
from solver.scrabble.game import parse_move
from solver.search.run import Run
from solver.solving.programs.answers import AnswerReader
from solver.solving.result import replayed
from solver.solving.strategies import make_strategy
from tests.fuzz import plain
from tests.fuzz.target import DATA, EXAMPLES, RESULTS, DisagreementError, Target, as_file, contents
from tests.puzzles import problem_of
from tests.reference import VALUES
from verify import RulesError, load_rules

_WORDS = ("ate", "eat", "oat", "seat", "set", "tea", "teas", "toast")
_ROW = "teasetsoatea?"
_RACK = 5
_ANSWER = b"2 sat sat\n3 tea tea\n# score 12\n\n0 e?t eat\n\n# a remark\n5 teas teas\n"


@cache
def _problem() -> Problem:
    return problem_of(_WORDS, _ROW, _RACK, VALUES)


def _puzzles(content: bytes) -> None:
    """A puzzle that is read is written as one that reads the same."""
    with as_file(content, "fuzzed.toml") as path:
        try:
            rules = load_rules(path)
        except RulesError:
            return
        path.write_text(puzzle_toml(rules), encoding="utf-8")
        if load_rules(path) != rules:
            raise DisagreementError(f"{rules!r:.200} is written as {puzzle_toml(rules)!r:.200}")


def _journals(content: bytes) -> None:
    with as_file(content, NAME) as file:
        try:
            Journal(file.parent).outcomes()
        except RowdrawError:
            return


def _records(content: bytes) -> None:
    """The first line is the name of a file, the rest stands in it, beside a record."""
    name, _, rest = content.partition(b"\n")
    with tempfile.TemporaryDirectory() as results:
        folder = Path(results) / "small"
        folder.mkdir()
        (folder / "5.txt").write_bytes(b"2 sat sat\n")
        try:
            (folder / Path(name.decode("ascii", "ignore")).name).write_bytes(rest)
        except (OSError, ValueError):
            return  # no name that a file can have
        if not book(entries(Path(results))).startswith("# Record book"):
            raise DisagreementError("no book")
        for entry in entries(Path(results)):
            if "\n" in entry.strategy + entry.date or "|" in entry.strategy + entry.date:
                raise DisagreementError(f"{entry} breaks the table")
        known_in(Path(results), _problem().rules)
        verdict = best_in(folder, _problem().rules)
        if verdict is not None:
            _check_scored(replayed(verdict))


def _check_scored(solution: Solution) -> None:
    """The plain reading finds what it scores."""
    lines = [line for line in solution.text().splitlines() if line and not line.startswith("#")]
    second = plain.judged("\n".join(lines).encode(), _ROW, _RACK, frozenset(_WORDS))
    if second != (True, solution.score):
        raise DisagreementError(
            f"{solution.score} points for an answer of which the plain reading says {second}"
        )


def _strategies(content: bytes) -> None:
    text = content.decode("utf-8", "replace")
    if "command" in text or ".py" in text:
        return  # these may do whatever they like
    try:
        make_strategy(text)
    except RowdrawError:
        return


def _programs(content: bytes) -> None:
    """What a program prints: each of its answers is one by the plain reading."""
    run = Run()
    reader = AnswerReader(_problem(), run)
    for line in content.split(b"\n"):
        reader.read(line, 0.0)
    reader.end()
    if run.incumbent.turns:
        _check_scored(run.incumbent)


def _moves(content: bytes) -> None:
    try:
        parse_move(content.decode("utf-8", "replace"))
    except TableError:
        return


def _journal_seeds() -> list[bytes]:
    return [
        b"\n".join(path.read_bytes().split(b"\n")[:3]) for path in RESULTS.glob("*/journal.jsonl")
    ]


def _record_seeds() -> list[bytes]:
    told = (RESULTS / "challenge/1042.json").read_bytes()
    return [
        b"5.json\n" + told,
        b"6.json\n" + told,
        b"12.txt\n2 sat sat\n3 tea tea\n",
        b"5.txt\n0 a a\n",
        b"certificate.txt\n" + told,
    ]


TARGETS = {
    "puzzles": Target(
        _puzzles, lambda: contents(*EXAMPLES.glob("[mv]*.toml"), DATA / "puzzles/shuffled-01.toml")
    ),
    "journals": Target(_journals, _journal_seeds),
    "records": Target(_records, _record_seeds),
    "strategies": Target(
        _strategies,
        lambda: [
            b"beam:width=1000,price=0.75",
            b"greedy",
            b"widening:first=10,factor=2.0",
            b"exact:states=100",
        ],
    ),
    "programs": Target(
        _programs, lambda: [_ANSWER, b"0 tea tea\n", b"2 sat sat\n# SCORE 5\n3 tea tea\n\n"]
    ),
    "moves": Target(
        _moves, lambda: [b"8H FACED", b"-ABC", b"exchange ABC", b"h8 f.c?d", b"pass", b"challenge"]
    ),
}
