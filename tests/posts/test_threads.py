"""Copies of pages of comments: each answer is judged by itself, under the name of its author."""

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from verify import Verdict, judge, judge_all, load_rules

ROOT = Path(__file__).resolve().parents[2]
RULES = load_rules()
RECORD = [line for line in (ROOT / "results/challenge/1042.txt").read_text().splitlines() if not line.startswith("#")]
OTHER = [line for line in (ROOT / "examples/other.txt").read_text().splitlines() if not line.startswith("#")]

Comment = Callable[[str, str], str]


def lines(*parts: str) -> str:
    return "\n".join(parts) + "\n"


PAGES: dict[str, Comment] = {
    "a dot and a time": lambda who, body: lines(f"{who} • 2y ago", body, "", "Upvote", "37", "", "Downvote", "Reply", "reply"),
    "edited": lambda who, body: lines(f"{who} • 9 yr. ago • Edited 9 yr. ago", "", body, "", "Upvote", "961", "Award", "Share"),
    "lines of their own": lambda who, body: lines(
        f"u/{who} avatar", who, "•", "9y ago", body, "", "", "37", "", "Reply", "", "Share", ""
    ),
    "lines of their own, in words": lambda who, body: lines(who, "37 points", "9 years ago", "", body, "", "Reply", "Share"),
    "levels": lambda who, body: lines(
        "level 1", who, "·", "9 yr. ago", "· edited 9 yr. ago", "1 0", body, "", "961", "", "Reply", "Give Award", "Share"
    ),
    "points": lambda who, body: lines(
        f"[–]{who} 37 points 9 years ago* (last edited 9 years ago)", body, "", "    permalink", "    embed", "    reply"
    ),
    "points, glued": lambda who, body: lines(f"[-]{who}[S] 1 point 9 years ago", body, "", "permalinkembedsavereportreply"),
    "an app": lambda who, body: lines(f"{who} · 9y", body, "··· Reply 37"),
    "an app with names of hosts": lambda who, body: lines(f"{who} · 2h", body, "12 3 4", ""),
    "a page of films": lambda who, body: lines(who, "2 years ago", body, "12", "Reply"),
    "points, touching": lambda who, body: lines(f"{who} 37 points 9 years ago", body, "permalink", "source", "embed", "reply"),
    "a forum of links": lambda who, body: lines(f"{who} 3 hours ago | next [–]", "", body, "", "reply"),
    "a forum of links, by date": lambda who, body: lines(
        f"{who} on Sept 3, 2016 | root | parent | next [–]", "", body, "", "reply"
    ),
    "a chat": lambda who, body: lines(f"{who} — 03/11/2016 14:05", body),
    "a chat of today": lambda who, body: lines(f"{who} — Today at 2:05 PM", body, "(edited)"),
    "a chat in lines": lambda who, body: lines(who, " — ", "Yesterday at 2:05 PM", body),
    "a blog": lambda who, body: lines(f"{who} says:", "March 3, 2016 at 2:05 pm", "", body, "", "Reply", ""),
    "another blog": lambda who, body: lines(f"{who} on March 3, 2016 at 2:05 pm said:", "", body, "", "Reply ↓", ""),
    "a tracker": lambda who, body: lines(f"{who} commented on Mar 3, 2016", "", body, ""),
    "a tracker, edited": lambda who, body: lines(f"{who} commented 3 days ago •", "edited", "", body, ""),
}
DRESSES: dict[str, Callable[[list[str]], str]] = {
    "bare": "\n".join,
    "indented": lambda turns: "\n".join(f"    {turn}" for turn in turns),
    "fenced": lambda turns: "\n".join(["My code found it.", "", "```", *turns, "```"]),
    "spoilers": lambda turns: "\n".join(f">!{turn}!<" for turn in turns),
    "prose": lambda turns: "\n".join(["Python, a beam search.", "", *turns, "", "Any faster ones?"]),
    "a total": lambda turns: "\n".join([*turns, "", f"Total: {judge(chr(10).join(turns), RULES).score}"]),
}


def summary(verdicts: list[Verdict]) -> list[tuple[str, bool, int]]:
    return [(verdict.name, verdict.valid, verdict.score) for verdict in verdicts]


@pytest.mark.parametrize("page", PAGES)
def test_two_comments_of_a_page_are_two_answers_under_their_authors_names(page: str) -> None:
    text = PAGES[page]("ann_w", "\n".join(RECORD)) + PAGES[page]("ben99", "\n".join(OTHER))
    assert summary(judge_all(text)) == [("ann_w", True, 1042), ("ben99", True, 946)]


@pytest.mark.parametrize("page", PAGES)
@settings(max_examples=15)
@given(
    ends=st.lists(st.integers(1, 12), min_size=1, max_size=3),
    dress=st.sampled_from(sorted(DRESSES)),
    bad=st.none() | st.integers(0, 11),
)
def test_each_comment_gets_the_verdict_of_its_turns_alone(page: str, ends: list[int], dress: str, bad: int | None) -> None:
    games = [(RECORD, OTHER)[number % 2][:end] for number, end in enumerate(ends)]
    if bad is not None:
        games[0] = [turn if place != bad else turn[:-1] for place, turn in enumerate(games[0])]  # its last letter is missing
    text = "".join(PAGES[page](f"name{number}", DRESSES[dress](turns)) for number, turns in enumerate(games))
    alone = [judge("\n".join(turns), RULES) for turns in games]
    assert [(v.valid, v.score) for v in judge_all(text, RULES)] == [(verdict.valid, verdict.score) for verdict in alone]


def test_one_comment_alone_has_its_authors_name_and_no_vote_is_a_claim() -> None:
    text = PAGES["a dot and a time"]("ann_w", "\n".join(RECORD))
    assert summary(judge_all(text)) == [("ann_w", True, 1042)]


def test_a_number_among_turns_is_a_claim_even_where_buttons_follow() -> None:
    text = PAGES["a dot and a time"]("ann_w", "\n".join([*RECORD, "961"]))
    assert [fault.code for fault in judge(text).violations] == ["score-claim"]


def test_another_answer_in_the_same_comment_bears_the_name_of_its_author() -> None:
    body = "\n".join([*RECORD, "", "**Second try**", "", *OTHER])
    assert summary(judge_all(PAGES["points"]("ann_w", body))) == [("ann_w", True, 1042), ("ann_w: Second try", True, 946)]


def test_turns_of_another_author_never_go_on_with_an_answer() -> None:
    page = PAGES["a dot and a time"]
    first, second = "\n".join(RECORD[:6]), "\n".join(RECORD[6:])
    assert [verdict.valid for verdict in judge_all(page("ann_w", first) + page("ben99", second))] == [True, False]
    assert summary(judge_all(page("ann_w", first) + page("ann_w", second))) == [("ann_w", True, 1042)]


@pytest.mark.parametrize("word", ["share", "reply", "save", "like", "root"])
def test_a_word_alone_among_turns_is_no_button_where_nothing_else_is_one(word: str) -> None:
    assert judge("\n".join(["Mine, found today.", "", *RECORD[:2], word, *RECORD[2:]])).faults.independent[0].line == 5


@pytest.mark.parametrize("prose", ["ran 3 minutes ago", "Found it 2 hours ago, with luck.", "time — 12:30"])
def test_a_time_in_prose_names_no_one_and_cuts_no_answer(prose: str) -> None:
    assert summary(judge_all("\n".join([*RECORD[:6], "", prose, "", *RECORD[6:]]))) == [("", True, 1042)]
