"""The referee's readers: answers, posts, games, notation, tile sets."""

import csv
import io
import json
from functools import cache
from html.parser import HTMLParser

from tests.fuzz import plain
from tests.fuzz.target import DATA, EXAMPLES, RESULTS, ROOT, DisagreementError, Target, as_file, contents
from verify import RulesError, judge, judge_all, load_rules
from verify.judging import Judge
from verify.page import page
from verify.ranking import Ranking, as_csv, as_json, as_text
from verify.replay.rules import Rules
from verify.scrabble.gcg import read_gcg, write_gcg
from verify.scrabble.judge import judge_game
from verify.scrabble.notation import NotationError, letter_scores, multipliers, read, word_score
from verify.scrabble.standings import Standings, standings_csv, standings_json, standings_text
from verify.scrabble.tiles import read_tile_set


@cache
def _rules() -> Rules:
    return load_rules()


def _answers(content: bytes) -> None:
    verdict = judge(content, _rules(), strict=True)
    verdict.as_text()
    json.dumps(verdict.as_json())
    second = plain.judged(content, _rules().row, _rules().rack_size, _rules().words)
    if second is not None and (verdict.valid, verdict.score) != second:
        raise DisagreementError(f"the referee says {(verdict.valid, verdict.score)}, the plain reading {second}")


def _posts(content: bytes) -> None:
    board = Ranking()
    for verdict in (*judge_all(content, _rules()), *judge_all(content)):
        verdict.as_text(True, True)
        json.dumps(verdict.as_json(True))
    with as_file(content, "post.md") as file:
        try:
            answers = Judge(None, None).answers(str(file))
        except RulesError:
            return  # it names a puzzle that is not at hand
    for verdict, rules in answers:
        if rules is not None:
            board.add(verdict, rules)
    as_text(board.tables)
    json.dumps(as_json(board.tables))
    _check_table(as_csv(board.tables), page(board.tables))


def _games(content: bytes) -> None:
    game, standings = read_gcg(content), Standings()
    if not game.problems and read_gcg(write_gcg(game).encode("utf-8", "surrogatepass")) != game:
        raise DisagreementError("the game does not read back as it was written")
    for words in ("none", None):
        verdict = judge_game(content, words=words)
        verdict.as_text()
        json.dumps(verdict.as_json())
        standings.add(verdict)
    standings_text(standings)
    json.dumps(standings_json(standings))
    _check_table(standings_csv(standings), page([], [], standings))


def _check_table(comma_separated: str, html: str) -> None:
    """Rows are equally long and begin nothing that a spreadsheet computes, and nothing in a page is a script."""
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


def _notation(content: bytes) -> None:
    text = content.decode("utf-8", "replace")
    found: list[tuple[str, int]] | None
    try:
        found = read(text)
    except NotationError:
        found = None
    second = plain.notation(text)
    if found != second:
        raise DisagreementError(f"{text!r}: {found} and {second}")
    ones = "1" * 26
    for told in (lambda: letter_scores(text, ones), lambda: multipliers(text), lambda: word_score(text, ones)):
        try:
            told()
        except NotationError:
            continue
    # the same bytes as a distribution of scores
    try:
        word_score("quiz", text)
    except NotationError:
        return
    if len(text) != 26 or set(text.upper()) - set("123456789X"):
        raise DisagreementError(f"{text!r} is no distribution")


def _tile_sets(content: bytes) -> None:
    with as_file(content, "fuzzed.toml") as file:
        try:
            tiles = read_tile_set(file)
        except RulesError:
            return
    for rack in ("ABC?", "[CH]A", "l·l[x"):
        tiles.split(rack)


def _post_seeds() -> list[bytes]:
    told = [
        {
            "puzzle": name,
            "score": 195,
            "turns": [{"left": 6, "play": "s?l?mnized", "word": "solemnized"}, [9, "outmove", "outmove"]],
        }
        for name in ("challenge", "shuffled-01", "no such puzzle")
    ]
    found = [json.dumps(answer).encode() for answer in (told[0], told[:2], told[1:], {"row": "teaset", **told[0]})]
    return [
        *found,
        *contents(
            EXAMPLES / "post.md", *EXAMPLES.glob("*.txt"), EXAMPLES / "tiny.gcg", *(ROOT / "tests/posts/corpus").glob("*.md")
        ),
    ]


TARGETS: dict[str, Target] = {
    "answers": Target(_answers, lambda: contents(RESULTS / "challenge/1042.txt", *EXAMPLES.glob("*.txt"))),
    "posts": Target(_posts, _post_seeds),
    "games": Target(_games, lambda: contents(*EXAMPLES.rglob("*.gcg"))),
    "notation": Target(_notation, lambda: [b"e[xt]ra(vag)an[z]a", b"cabbage", b"[a](b)[c]", b"13321424185131[3]X11114484"]),
    "tile-sets": Target(_tile_sets, lambda: contents(EXAMPLES / "tiny.toml", *(DATA / "tiles").glob("*.toml"))),
}
