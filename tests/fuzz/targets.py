"""What is fuzzed: each reader, the errors that it may raise, and a second reading where there is one."""

import json
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from tests.fuzz import plain

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES, RESULTS, DATA = ROOT / "examples", ROOT / "results", ROOT / "data"


class DisagreementError(AssertionError):
    """Two readings of one input differ."""


@dataclass(frozen=True)
class Target:
    """A reader. read: raises whatever is a defect; seeds: good inputs."""

    read: Callable[[bytes], None]
    seeds: Callable[[], list[bytes]]


def _answers(content: bytes) -> None:
    from verify import judge, load_rules

    rules = _rules(load_rules)
    verdict = judge(content, rules, strict=True)
    verdict.as_text()
    json.dumps(verdict.as_json())
    second = plain.judged(content, rules.row, rules.rack_size, rules.words)
    if second is not None and (verdict.valid, verdict.score) != second:
        raise DisagreementError(f"the referee says {(verdict.valid, verdict.score)}, the plain reading {second}")


@cache
def _rules(load: Callable[[], Any]) -> Any:
    return load()


def _posts(content: bytes) -> None:
    from verify import judge_all, load_rules

    for verdict in judge_all(content, _rules(load_rules)):
        verdict.as_text(True, True)
        json.dumps(verdict.as_json(True))


def _games(content: bytes) -> None:
    from verify.scrabble.gcg import read_gcg, write_gcg
    from verify.scrabble.judge import judge_game

    game = read_gcg(content)
    if not game.problems and read_gcg(write_gcg(game).encode("utf-8", "surrogatepass")) != game:
        raise DisagreementError("the game does not read back as it was written")
    for words in ("none", None):
        verdict = judge_game(content, words=words)
        verdict.as_text()
        json.dumps(verdict.as_json())


def _notation(content: bytes) -> None:
    from verify.scrabble.notation import NotationError, read

    text = content.decode("utf-8", "replace")
    found: list[tuple[str, int]] | None
    try:
        found = read(text)
    except NotationError:
        found = None
    second = plain.notation(text)
    if found != second:
        raise DisagreementError(f"{text!r}: {found} and {second}")


def _puzzles(content: bytes) -> None:
    from solver.errors import RowdrawError
    from solver.model.puzzle import Puzzle, load_puzzle
    from verify import RulesError, load_rules

    def told(read: Callable[[str], Any], file: str, expected: type[Exception]) -> Any:
        try:
            return read(file)
        except expected:
            return None

    def with_words(file: str) -> Puzzle:
        puzzle = load_puzzle(file)
        assert puzzle.word_list  # looked for when it is wanted
        return puzzle

    with _file(content, "fuzzed.toml") as file:
        puzzle, rules = told(with_words, file, RowdrawError), told(load_rules, file, RulesError)
    if (puzzle is None) != (rules is None):
        raise DisagreementError(f"the solver reads {puzzle!r:.200}, the referee {rules!r:.200}")
    if puzzle is not None and (puzzle.row, puzzle.rack_size) != (rules.row, rules.rack_size):
        raise DisagreementError("solver and referee read different rows")


def _tile_sets(content: bytes) -> None:
    from verify.rules import RulesError
    from verify.scrabble.tiles import read_tile_set

    with _file(content, "fuzzed.toml") as file:
        try:
            tiles = read_tile_set(Path(file))
        except RulesError:
            return
    for rack in ("ABC?", "[CH]A", "l·l[x"):
        tiles.split(rack)


def _certificates(content: bytes) -> None:
    from verify import RulesError, load_rules
    from verify.bound import is_certificate
    from verify.bound.certificate import digest, judge_certificate, read_certificate

    if not is_certificate(content):
        return
    try:
        told = read_certificate(content, "fuzzed")
        if told["digest"] == digest(told):
            return  # working the bound out takes seconds
        verdict = judge_certificate(told, load_rules(row="teasetsoatzest"), "fuzzed")
    except RulesError:
        return
    if verdict.valid:
        raise DisagreementError("a certificate that was changed holds")


def _journals(content: bytes) -> None:
    from solver.errors import RowdrawError
    from solver.lab.compare.journal import NAME, Journal

    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / NAME).write_bytes(content)
        try:
            Journal(Path(folder)).outcomes()
        except RowdrawError:
            return


def _strategies(content: bytes) -> None:
    from solver.errors import RowdrawError
    from solver.solving.strategies import make_strategy

    text = content.decode("utf-8", "replace")
    if "command" in text or ".py" in text:
        return  # these may do whatever they like
    try:
        make_strategy(text)
    except RowdrawError:
        return


def _moves(content: bytes) -> None:
    from solver.errors import TableError
    from solver.scrabble.moves import parse_move

    try:
        parse_move(content.decode("utf-8", "replace"))
    except TableError:
        return


def _requests(content: bytes) -> None:
    from solver.errors import RowdrawError
    from verify.reading import json_value

    try:
        fields = json_value(content, 10_000)
    except ValueError:
        return
    if not isinstance(fields, dict):
        return
    desk, asked, turns = _desk(), fields.get("puzzle"), fields.get("turns")
    for answer in (
        lambda: desk.puzzle(asked),
        lambda: desk.turn(asked, turns),
        lambda: desk.verdicts(asked, fields.get("text")),
        lambda: desk.shown(asked, fields.get("text"), fields.get("number")),
        lambda: desk.exported(asked, turns, fields.get("form")),
    ):
        try:
            json.dumps(answer())
        except RowdrawError:
            continue


@cache
def _desk() -> Any:
    from solver.model.puzzle import load_puzzle
    from solver.web.position import Desk

    return Desk(load_puzzle("challenge"))


@contextmanager
def _file(content: bytes, name: str) -> Iterator[str]:
    """A file with such a content, for a while."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        path.write_bytes(content)
        yield str(path)


def _read(*paths: Path) -> list[bytes]:
    return [path.read_bytes() for path in paths]


_TURNS = ["6 s?l?mnized solemnized", "9 outmove outmove"]


def _request_seeds() -> list[bytes]:
    return [
        json.dumps({"puzzle": puzzle, "turns": _TURNS, "text": "\n".join(_TURNS), "number": 0, "form": form}).encode()
        for puzzle in ({"own": True}, {"name": "challenge"}, {"row": "tea?setsoatzest"}, {"seed": 7})
        for form in ("text", "svg", "json", "reddit")
    ]


def _post_seeds() -> list[bytes]:
    return _read(EXAMPLES / "post.md", RESULTS / "challenge/1042.json", *(ROOT / "tests/posts/corpus").glob("*.md"))


def _journal_seeds() -> list[bytes]:
    return [b"\n".join(path.read_bytes().split(b"\n")[:3]) for path in RESULTS.glob("*/journal.jsonl")]


_STRATEGIES = [b"beam:width=1000,price=0.75", b"greedy", b"widening:first=10,factor=2.0", b"exact:states=100"]
_MOVES = [b"8H FACED", b"-ABC", b"exchange ABC", b"h8 f.c?d", b"pass", b"challenge"]

TARGETS = {
    "answers": Target(_answers, lambda: _read(RESULTS / "challenge/1042.txt", *EXAMPLES.glob("*.txt"))),
    "posts": Target(_posts, _post_seeds),
    "games": Target(_games, lambda: _read(*EXAMPLES.rglob("*.gcg"))),
    "notation": Target(_notation, lambda: [b"e[xt]ra(vag)an[z]a", b"cabbage", b"[a](b)[c]"]),
    "puzzles": Target(_puzzles, lambda: _read(*EXAMPLES.glob("[mv]*.toml"), DATA / "puzzles/shuffled-01.toml")),
    "tile-sets": Target(_tile_sets, lambda: _read(EXAMPLES / "tiny.toml", *(DATA / "tiles").glob("*.toml"))),
    "certificates": Target(_certificates, lambda: plain.certificates(RESULTS)),
    "journals": Target(_journals, _journal_seeds),
    "strategies": Target(_strategies, lambda: _STRATEGIES),
    "moves": Target(_moves, lambda: _MOVES),
    "requests": Target(_requests, _request_seeds),
}
