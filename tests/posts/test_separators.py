"""Where nothing names an answer: blank lines, rules, prose and totals between two of them, or within one."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.posts.test_decorations import moves
from tests.posts.test_threads import OTHER, RECORD, RULES
from tests.verify.test_referee import MUTATIONS, game
from verify import judge, judge_all

SEPARATORS = {
    "a blank line": ["", ""],
    "a rule": ["---"],
    "a rule in blank lines": ["", "***", ""],
    "a line of equal signs": ["====="],
    "prose": ["", "And another one, found with less time.", ""],
    "prose that touches": ["And another one, found with less time."],
    "buttons": ["Upvote", "", "12", "", "Reply"],
    "output of a program": ["new best: 946", "3.1 seconds, 1000 states"],
}


@pytest.mark.parametrize("name", SEPARATORS)
@pytest.mark.parametrize("dressed", ["bare", "in a fence", "quoted", "bullets"])
def test_two_answers_are_two_answers(name: str, dressed: str) -> None:
    between = SEPARATORS[name]
    dress = {
        "bare": lambda turns: turns,
        "in a fence": lambda turns: turns,
        "quoted": lambda turns: [f"> {turn}" for turn in turns],
        "bullets": lambda turns: [f"- {turn}" for turn in turns],
    }[dressed]
    if name == "buttons" and dressed == "in a fence":
        return  # no page has them there
    text = [*dress(RECORD), *between, *dress(OTHER), *between, *dress(RECORD[:2])]
    text = ["```", *text, "```"] if dressed == "in a fence" else text
    verdicts = judge_all("\n".join(text))
    assert [(verdict.valid, verdict.score) for verdict in verdicts] == [(True, 1042), (True, 946), (True, 195)]


@pytest.mark.parametrize("name", SEPARATORS)
@settings(max_examples=25)
@given(at=st.integers(1, 12), bad=st.none() | st.integers(0, 12), last=st.booleans())
def test_one_answer_stays_one_whatever_stands_in_it(name: str, at: int, bad: int | None, last: bool) -> None:
    turns = [turn if place != bad else (turn[:-1] if last else f"9{turn}") for place, turn in enumerate(RECORD)]
    (verdict,) = judge_all("\n".join([*turns[:at], *SEPARATORS[name], *turns[at:]]))
    alone = judge("\n".join(turns))
    assert (verdict.valid, verdict.score) == (alone.valid, alone.score)
    assert len(verdict.faults.independent) == len(alone.faults.independent)


@pytest.mark.parametrize("name", [name for name in SEPARATORS if name != "buttons"])
@settings(max_examples=60)
@given(seed=st.integers(0, 10**9), at=st.integers(0, 12), mutation=st.sampled_from(sorted(MUTATIONS)))
def test_no_separator_makes_an_illegal_answer_legal(name: str, seed: int, at: int, mutation: str) -> None:
    rules, lines, _total = game(seed)
    places = [place for place, line in enumerate(lines) if set(line.split()[1]) != {"?"}]
    if not places:
        return
    place = places[seed % len(places)]
    lines[place] = " ".join(MUTATIONS[mutation][0](lines[place].split()))
    at = min(at, len(lines) - 1)
    if mutation in ("no word", "huge") and at in (place, place + 1):
        return  # of such a line alone at an end nothing says that it is a turn
    text = "\n".join([*lines[:at], *SEPARATORS[name], *lines[at:]])
    assert not all(verdict.valid for verdict in judge_all(text, rules))


def test_a_wrong_last_turn_is_not_cut_off_even_where_it_could_be_a_first_one() -> None:
    turns = [*RECORD, "3 asp asp"]
    for between in ([""], ["---"], ["", "So:", ""]):
        verdicts = judge_all("\n".join([*turns[:-1], *between, turns[-1]]), RULES)
        assert not any(verdict.valid for verdict in verdicts)


def test_answers_of_a_row_of_ones_own_share_its_header_below_a_blank_line() -> None:
    text = "# row tea?setsoat\n9 ?oattests coattests\n\n9 ?oattests coattests\n---\n9 ?oattests coattest\n"
    assert [(verdict.valid, "tea?setsoat" in verdict.puzzle) for verdict in judge_all(text)] == [
        (True, True),
        (True, True),
        (False, True),
    ]


@settings(max_examples=100)
@given(seed=st.integers(0, 10**9), blanks=st.lists(st.integers(0, 12), max_size=4))
def test_blank_lines_change_nothing_in_the_plain_format(seed: int, blanks: list[int]) -> None:
    rules, lines, _total = game(seed)
    if not lines:
        return
    spaced = [part for place, line in enumerate(lines) for part in ([""] * blanks.count(place) + [line])]
    assert moves(judge("\n".join(spaced), rules)) == moves(judge("\n".join(lines), rules))
