"""The referee's readers: answers, posts, games, tile sets."""

import csv
import io
import json
from functools import cache
from html.parser import HTMLParser

from tests.fuzz import plain
from tests.fuzz.target import (
    DATA,
    EXAMPLES,
    RESULTS,
    ROOT,
    DisagreementError,
    Target,
    as_file,
    contents,
)
from verify import RulesError, Verdict, core, judge, judge_all, load_rules
from verify.core import Turn
from verify.judging import Judge
from verify.report import Ranking, as_csv, as_json, as_text, page
from verify.rules import Rules
from verify.scrabble.gcg import read_gcg, write_gcg
from verify.scrabble.judge import judge_game
from verify.scrabble.standings import Standings
from verify.scrabble.tiles import read_tile_set
from verify.text import csv_text


@cache
def _rules() -> Rules:
    return load_rules()


def _answers(content: bytes) -> None:
    verdict = judge(content, _rules(), strict=True)
    verdict.as_text()
    json.dumps(verdict.as_json())
    second = plain.judged(content, _rules().row, _rules().rack_size, _rules().words)
    first = verdict.valid, verdict.score if verdict.valid else 0
    if second is not None and first != second:
        raise DisagreementError(f"the referee says {first}, the plain reading {second}")


def agrees_with_core(verdict: Verdict) -> None:
    """A verdict on a post has the core's score, and is valid only where the core's is."""
    turns = [Turn(turn.line, turn.count, turn.play, turn.word) for turn in verdict.turns]
    played = core.replay(verdict.rules, turns)
    if verdict.score != sum(turn.score for turn in played) or (
        verdict.valid and not core.is_valid(played)
    ):
        raise DisagreementError(
            f"the verdict says {(verdict.valid, verdict.score)}, the core otherwise"
        )
    if verdict.valid == bool(verdict.violations):
        raise DisagreementError("a fault that does not count, or a verdict without one")
    if not all(c.isprintable() or c in "\n\u200c\u200d" for c in verdict.as_text(explain=True)):
        raise DisagreementError("text that controls a terminal")
    json.dumps(verdict.as_json(explain=True))


def _posts(content: bytes) -> None:
    board = Ranking()
    for verdict in (*judge_all(content, _rules()), *judge_all(content)):
        agrees_with_core(verdict)
    with as_file(content, "post.md") as file:
        try:
            verdicts = Judge(None, None)(str(file))
        except (RulesError, OSError):
            return  # it names a puzzle that is not there, or is no text
    for verdict in verdicts:
        if isinstance(verdict, Verdict):
            board.add(verdict)
    sheets = [table.sheet() for table in board.tables]
    as_text(sheets)
    json.dumps(as_json(board.tables))
    _check_table(as_csv(board.tables), page("answers", sheets))


def _games(content: bytes) -> None:
    game = read_gcg(content)
    standings = Standings()
    if not game.problems and read_gcg(write_gcg(game).encode("utf-8", "surrogatepass")) != game:
        raise DisagreementError("the game does not read back as it was written")
    for words in ("none", None):
        verdict = judge_game(content, words=words)
        verdict.as_text()
        json.dumps(verdict.as_json())
        standings.add(verdict)
    sheet = standings.sheet()
    as_text([sheet])
    json.dumps(standings.as_json())
    _check_table(csv_text([sheet.columns, *sheet.rows]), page("games", [sheet]))


def _check_table(comma_separated: str, html: str) -> None:
    """Rows are equally long, and hold nothing that a spreadsheet computes or a page executes."""
    rows = list(csv.reader(io.StringIO(comma_separated)))
    if len({len(row) for row in rows}) > 1:
        raise DisagreementError("rows of different lengths")
    if any(cell.startswith(("=", "@", "+1+", "-1-")) for row in rows for cell in row):
        raise DisagreementError("a cell that a spreadsheet computes")
    reader = _Elements()
    reader.feed(html)
    if strange := reader.names & {"script", "iframe", "img", "object", "svg", "b"}:
        raise DisagreementError(f"the page holds {sorted(strange)}")


class _Elements(HTMLParser):
    """Collects the names of elements."""

    def __init__(self) -> None:
        super().__init__()
        self.names: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names.add(tag)
        if any(name.startswith("on") for name, _value in attrs):
            raise DisagreementError("the page holds a handler of events")


def _tile_sets(content: bytes) -> None:
    with as_file(content, "fuzzed.toml") as file:
        try:
            tiles = read_tile_set(file)
        except RulesError:
            return
    for rack in ("ABC?", "[CH]A", "l·l[x"):
        tiles.split(rack)


def _post_seeds() -> list[bytes]:
    first = {"left": 6, "play": "s?l?mnized", "word": "solemnized"}
    answer = {"score": 195, "turns": [first, [9, "outmove", "outmove"]]}
    names = ("challenge", "shuffled-01", "no such puzzle")
    told = [{"puzzle": name} | answer for name in names]
    found = (told[0], told[:2], told[1:], {"row": "teaset"} | told[0])
    return [json.dumps(answers).encode() for answers in found] + contents(
        EXAMPLES / "post.md",
        *EXAMPLES.glob("*.txt"),
        EXAMPLES / "tiny.gcg",
        *ROOT.glob("tests/posts/corpus/*.md"),
    )


TARGETS: dict[str, Target] = {
    "answers": Target(
        _answers, lambda: contents(RESULTS / "challenge/1042.txt", *EXAMPLES.glob("*.txt"))
    ),
    "posts": Target(_posts, _post_seeds),
    "games": Target(_games, lambda: contents(*EXAMPLES.rglob("*.gcg"))),
    "tile-sets": Target(
        _tile_sets, lambda: contents(EXAMPLES / "tiny.toml", *(DATA / "tiles").glob("*.toml"))
    ),
}
