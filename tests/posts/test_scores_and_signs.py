"""Scores that follow single turns, sentences that claim a total, and the signs that people write for blanks."""

import pytest

from tests.posts.test_threads import RECORD
from verify import judge

ANSWER = "".join(f"{line}\n" for line in RECORD)
SOLEMNIZED, OUTMOVE = "6 s?l?mnized solemnized", "9 outmove outmove"


@pytest.mark.parametrize("form", ["({} points)", "({} pts)", "[{} points]", "(+{} points)", "{} points", "= {} pts"])
def test_points_behind_a_single_turn_are_its_score(form: str) -> None:
    for points, valid in ((12, True), (13, False)):
        lines = [f"{line} {form.format(points)}" if line.endswith("asp asp") else line for line in RECORD]
        assert judge("\n".join(lines)).valid is valid


@pytest.mark.parametrize("sign", ["[?]", "(?)", "{?}", "#", "[_]", "\\[?\\]"])
def test_signs_for_blanks_are_read_at_every_place_of_a_play(sign: str) -> None:
    verdict = judge(ANSWER.replace("?", sign))
    assert (verdict.valid, verdict.score) == (True, 1042)


def test_a_remark_behind_a_number_sign_stays_a_remark() -> None:
    assert judge(ANSWER.replace("asp asp", "asp asp # asp again")).valid
    assert judge(ANSWER.replace("3 asp asp", "3 #sp asp")).violations


@pytest.mark.parametrize(
    "form", ["That is {} points", "That's {} points!", "This makes {} pts in total.", "It's a total of {} points."]
)
def test_a_sentence_that_says_the_points_is_a_claim(form: str) -> None:
    assert judge(f"{ANSWER}\n{form.format('1,042')}\n").valid
    (fault,) = judge(f"{ANSWER}\n{form.format(1040)}\n").violations
    assert (fault.code, fault.line) == ("score-claim", 15)


OTHER_POINTS = (
    "That is 81 points more than the best public answer.",
    "This is 5 points better than mine.",
    "It makes 3 points a tile.",
    "That is 100 tiles.",
    "It is 40 points short of what I hoped for.",
    "That is about 80 points a turn.",
)


@pytest.mark.parametrize("sentence", OTHER_POINTS)
def test_a_sentence_about_other_points_is_no_claim(sentence: str) -> None:
    assert judge(f"{ANSWER}\n{sentence}\n").valid


def test_points_said_after_each_turn_may_be_those_of_the_turn_or_of_all_so_far() -> None:
    for second, valid in ((54, True), (195, True), (55, False)):
        text = f"{SOLEMNIZED}\nThat is 141 points.\n{OUTMOVE}\nThat is {second} points.\n"
        assert judge(text).valid is valid
