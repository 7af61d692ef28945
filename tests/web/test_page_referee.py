"""The page's own referee judges plain answers as `verify` does, and refuses everything else."""

import random
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from solver.lab.records import recorded_games
from tests.web.engine_view import engine
from verify import judge, judge_all

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

_VERDICTS = """
return values.map((text) => {
  try {
    const [{ valid, score, faults }, ...others] = desk.verdictsOn({ name: "challenge" }, text);
    const line = faults[0]?.line ?? null;
    return { valid, score: valid ? score : null, line, others: others.length };
  } catch (error) {
    return { refused: error.message };
  }
});
"""
FIRST, SECOND = "6 s?l?mnized solemnized", "9 outmove outmove"
TESTS = Path(__file__).parents[1]
POST = TESTS.parent / "examples" / "post.md"
CORPUS = TESTS / "posts" / "corpus"


def with_slips(game: list[str], rng: random.Random) -> list[str]:
    """A game with up to three slips, each of them a line of the plain format."""
    lines = list(game)
    for _ in range(rng.choice([0, 1, 1, 1, 2, 3])):
        at = rng.randrange(len(lines))
        left, play, word = lines[at].split()
        place = rng.randrange(len(play))
        lines[at] = rng.choice(
            [
                f"{rng.choice([rng.randrange(12), 99, 10**30, '07'])} {play} {word}",
                f"{left} {play[:place]}{rng.choice('abcxyz?')}{play[place + 1 :]} {word}",
                f"{left} {play} {word}{rng.choice('sz')}",
                f"{left} {word} {word}",
                f"{left} {play[1:] or 'q'} {word[1:] or 'q'}",
                f"{left} knickknack knickknack",
                lines[at - 1],
            ]
        )
    return lines


def decorated(name: str, lines: list[str], rng: random.Random) -> str:
    """An answer with what the plain format allows around its turns."""
    for number, line in enumerate(lines):
        words = rng.choice([str, str.upper])(line).split()
        spaced = rng.choice([" ", "\t ", "   "]).join(words)
        lines[number] = rng.choice(["", "  "]) + spaced + rng.choice(["", "\t"])
    lines.insert(rng.randrange(len(lines)), "# a remark")
    before = [f"# puzzle {name}"]
    if name == "challenge":
        before = rng.choice([[], ["# PUZZLE: challenge"], ["", "# mine"]])
    if rng.random() < 0.2:
        rng.choice([before, lines]).append(f"# score {rng.choice([1042, 1030, 1036, 7])}")
    text = rng.choice(["\n", "\r\n"]).join([*before, *lines, *rng.choice([[], ["", ""]])])
    return rng.choice(["", "\ufeff"]) + text


def verdict_of_verify(text: str) -> dict[str, Any]:
    verdict = judge(text, strict=True)
    faults = [fault for fault in verdict.violations if fault.code != "score-claim"]
    line = min((fault.line for fault in faults or verdict.violations), default=None)
    score = verdict.score if verdict.valid else None
    return {"valid": verdict.valid, "score": score, "line": line, "others": 0}


def test_the_verdicts_on_1000_plain_answers_are_those_of_verify(engine_page: "Chrome") -> None:
    rng = random.Random(3)
    games = recorded_games()
    names = rng.choices(sorted(games), k=1000)
    texts = [decorated(name, with_slips(games[name], rng), rng) for name in names]
    found = engine(engine_page, _VERDICTS, texts)
    refused = 0
    for text, verdict in zip(texts, found, strict=True):
        expected = verdict_of_verify(text)
        if "refused" in verdict:
            # the turn of the fault is one with which another answer may begin
            assert verdict["refused"].startswith(f"Line {expected['line']}: "), text
            assert "If these are several answers" in verdict["refused"]
            refused += 1
        else:
            assert verdict == expected, text
    assert refused < 100
    assert 100 < sum(verdict.get("valid", False) for verdict in found) < 500


def test_a_huge_draw_is_quoted_as_it_was_written(engine_page: "Chrome") -> None:
    text = f"{FIRST}\n{'9' * 400} outmove outmove"
    code = _VERDICTS.replace("others: others.length", "message: faults[0].message")
    (verdict,) = engine(engine_page, code, [text])
    assert verdict["message"].startswith("“9999")


MORE_THAN_PLAIN = [
    (POST.read_text(encoding="utf-8"), 1),
    (f"# rack 4\n{FIRST}", 1),
    (f"# values a=1\n{FIRST}", 1),
    (f"# answer 1: beam\n{FIRST}", 1),
    (f"# total 141\n{FIRST}", 1),
    (f"# puzzle challenge\n# row teas\n{FIRST}", 2),
    (f"{FIRST}\n# puzzle shuffled-01\n{SECOND}", 2),
    (f"{FIRST}\n# score 141\n{SECOND}", 3),
    ("6 sOlEmnized solemnized", 1),
    (f"{FIRST}\n9 outmove", 2),
    (f"{FIRST}\n9 outmove outmove 54", 2),
    (f"{FIRST}\n9\u00a0outmove outmove", 2),
    (f"- {FIRST}", 1),
    (f"{FIRST}\n---\n{FIRST}", 2),
    (f"{FIRST}\n{SECOND}\n{FIRST}", 3),
    (f"{FIRST}\n9 outmove outmoves\n\n{FIRST}", 2),
    ('{"turns": []}', 1),
]


def test_what_is_more_than_a_plain_answer_is_refused_and_its_line_named(
    engine_page: "Chrome",
) -> None:
    found = engine(engine_page, _VERDICTS, [text for text, _line in MORE_THAN_PLAIN])
    for (text, line), verdict in zip(MORE_THAN_PLAIN, found, strict=True):
        assert re.match(rf"Line {line}\b.*[Uu]se rowdraw verify\.$", verdict["refused"]), text


def test_a_post_is_judged_as_verify_judges_it_or_refused(engine_page: "Chrome") -> None:
    paths = sorted(CORPUS.iterdir())
    contents = [path.read_bytes() for path in paths]
    texts = [content.decode("utf-8", "replace") for content in contents]
    found = engine(engine_page, _VERDICTS, texts)
    for path, content, verdict in zip(paths, contents, found, strict=True):
        if "refused" not in verdict:
            (expected,) = judge_all(content)
            score = expected.score if expected.valid else None
            assert (verdict["valid"], verdict["score"]) == (expected.valid, score), path.name
    assert 5 < sum("refused" not in verdict for verdict in found) < len(paths) / 2


def test_an_answer_is_judged_on_the_puzzle_or_row_that_it_names(engine_page: "Chrome") -> None:
    text = "# row TEA?sets\n4 test test\n# score 10"
    others = [
        f"#puzzle=challenge\n{FIRST}",
        "# row te1\n0 te te",
        f"# puzzle mine.toml\n{FIRST}",
        "",
    ]
    row, puzzle, wrong_row, unknown, empty = engine(engine_page, _VERDICTS, [text, *others])
    assert row == verdict_of_verify(text)
    assert row["valid"]
    assert puzzle == {"valid": True, "score": 141, "line": None, "others": 0}
    assert "expected letters a to z" in wrong_row["refused"]
    assert "no bundled puzzle" in unknown["refused"]
    assert empty == {"valid": False, "score": None, "line": 0, "others": 0}
