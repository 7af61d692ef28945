"""Tables that name their columns: the columns may stand in any order."""

from itertools import permutations

import pytest

from tests.posts.test_threads import RECORD
from verify import judge, judge_all

NAMES = ("left", "play", "word")
FORMS = {"csv": ("", ",", ""), "semicolons": ("", ";", ""), "tabs": ("", "\t", ""), "markdown": ("| ", " | ", " |")}


def table(order: tuple[str, ...], form: str, lines: list[str], more: str = "") -> str:
    begin, between, end = FORMS[form]
    rows = [dict(zip(NAMES, line.split(), strict=True)) for line in lines]
    cells = [list(order), *([["---"] * 3] if form == "markdown" else []), *([row[name] for name in order] for row in rows)]
    return "".join(f"{begin}{between.join(row)}{end}\n" for row in cells) + more


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("order", list(permutations(NAMES)))
def test_three_columns_may_stand_in_any_order(order: tuple[str, ...], form: str) -> None:
    (verdict,) = judge_all(table(order, form, RECORD))
    assert (verdict.valid, verdict.score) == (True, 1042)
    assert verdict.turns[0].line == (3 if form == "markdown" else 2)


@pytest.mark.parametrize("order", list(permutations(NAMES)))
def test_a_bad_cell_and_a_wrong_total_are_found_in_any_order(order: tuple[str, ...]) -> None:
    bad = judge(table(order, "markdown", ["6 s?l?mnized solemnized", "9 outmoves outmovez"]))
    assert {fault.line for fault in bad.violations} == {4}
    assert judge(table(order, "markdown", RECORD, "| Total | | 1042 |\n")).valid
    (fault,) = judge(table(order, "markdown", RECORD, "| Total | | 961 |\n")).violations
    assert (fault.code, fault.line) == ("score-claim", 16)


def test_comments_above_a_table_state_the_rules_of_all_its_games() -> None:
    rows = ["1,5,?astate,hastate", "1,0,toes,toes", "2,5,?astate,hastate", "2,0,toes,toes"]
    text = "# row tea?setsoat\n# rack 7\n" + "\n".join(["game,left,play,word", *rows])
    verdicts = judge_all(text)
    assert [(verdict.valid, verdict.score) for verdict in verdicts] == [(True, 37), (True, 37)]
    assert all(verdict.puzzle.endswith("that the answer itself names: rack 7") for verdict in verdicts)
