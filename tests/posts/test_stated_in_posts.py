"""Comments that state rules, wherever they stand in an answer or in a post around it."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.posts.test_code import PYTHON
from tests.posts.test_threads import RECORD
from verify import judge, judge_all

ANSWER = "".join(f"{line}\n" for line in RECORD)
OF_ROW = "9 ?oattests coattests\n0 ae ae\n"
RULES = ["# row tea?setsoat", "# puzzle shuffled-03", "# puzzle nowhere.toml", "# rack 7", "# values none", "# bonus 50"]
BEHIND = ["", "\n", "\nThanks to everyone who read this far down.\n\n", "Total: 1042\n"]


@pytest.mark.parametrize("between", BEHIND)
@pytest.mark.parametrize("rule", [*RULES, f"# words mine {'0' * 64}"])
def test_a_rule_behind_a_complete_answer_changes_nothing_and_is_remarked_on(rule: str, between: str) -> None:
    (verdict,) = judge_all(f"{ANSWER}{between}{rule}\n")
    assert (verdict.valid, verdict.score, verdict.puzzle) == (True, 1042, "challenge")
    assert any(f"'{rule[:20]}" in note and "is ignored: a rule stands before the first turn" in note for note in verdict.notes)


@given(places=st.lists(st.integers(1, len(RECORD)), min_size=1, max_size=3), rule=st.sampled_from(RULES))
def test_no_rule_behind_the_first_turn_changes_the_answer_around_it(places: list[int], rule: str) -> None:
    lines = list(RECORD)
    for place in sorted(places, reverse=True):
        lines.insert(place, rule)
    verdict = judge("\n".join(lines), strict=True)
    assert (verdict.valid, verdict.score, verdict.puzzle) == (True, 1042, "challenge")


def test_of_many_ignored_rules_the_first_are_named() -> None:
    notes = judge(ANSWER + "# rack 7\n# rack 8\n" * 500, strict=True).notes
    assert len(notes) == 20
    assert "line 14: '# rack 7' is ignored" in notes[0]
    assert notes[-1] == "further rules behind the first turn are ignored as well"


def test_a_rule_between_two_answers_belongs_to_the_second() -> None:
    first, second = judge_all(f"{ANSWER}# row tea?setsoat\n{OF_ROW}")
    assert (first.valid, first.score, first.puzzle, first.notes) == (True, 1042, "challenge", ())
    assert (second.valid, second.score) == (True, 47)
    assert second.puzzle.startswith("the row tea?setsoat")


def test_rules_of_a_comment_without_turns_are_not_those_of_the_next_author() -> None:
    thread = f"ann • 2y ago\n\n# rack 7\n\nI got 900 points.\n\nben • 1y ago\n\n{ANSWER}"
    (verdict,) = judge_all(thread)
    assert (verdict.valid, verdict.score, verdict.puzzle) == (True, 1042, "challenge")


@pytest.mark.parametrize("rule", ["# bonus 50", "# rack 7", "# row tea?setsoat", "# puzzle shuffled-03"])
@pytest.mark.parametrize("between", ["", "\n", "# replays an answer\n"])
def test_a_rule_above_code_is_a_comment_of_the_code(rule: str, between: str) -> None:
    code = PYTHON.partition("\n")[2]
    (verdict,) = judge_all(f"{rule}\n{between}{code}\n\n{ANSWER}")
    assert (verdict.valid, verdict.score, verdict.puzzle) == (True, 1042, "challenge")
    assert (
        f"line 1: '{rule}' is ignored, in program code or a quotation: expected a rule directly before the turns"
        in verdict.notes
    )


@pytest.mark.parametrize("begin", ["# bonus 50\n", "#bonus 50\n\n"])
def test_a_rule_above_a_program_that_begins_with_a_text_is_a_comment_of_the_program(begin: str) -> None:
    (verdict,) = judge_all(f'{begin}"""Solves it."""\nimport sys\nprint(solve(sys.argv))\n\n{ANSWER}')
    assert (verdict.valid, verdict.score) == (True, 1042)


def test_a_rule_that_someone_quotes_is_none_of_the_answer_below() -> None:
    (verdict,) = judge_all(f"> # bonus 50\n\nThat is no rule of this puzzle, is it?\n\n{ANSWER}")
    assert (verdict.valid, verdict.score) == (True, 1042)
    assert "line 1: '# bonus 50' is ignored" in verdict.notes[0]
    (quoted,) = judge_all("> # row tea?setsoat\n" + "".join(f"> {line}\n" for line in OF_ROW.splitlines()))
    assert (quoted.valid, quoted.score) == (True, 47)


@pytest.mark.parametrize("indent", [None, 1])
def test_the_fields_of_an_object_in_a_post_may_stand_in_any_order(indent: int | None) -> None:
    turns = [dict(zip(("left", "play", "word"), (9, "?oattests", "coattests"), strict=True))]
    fields = {
        "turns": [*turns, {"left": 0, "play": "ae", "word": "ae"}],
        "rules": {"row": "tea?setsoat", "bonus": 5},
        "score": 47,
    }
    other = {**fields, "rules": {"row": "tea?setsoat"}, "row": "tea?setsoat"}
    post = f"Mine:\n\n```json\n{json.dumps([fields, other], indent=indent)}\n```\n"
    first, second = judge_all(post)
    assert (first.valid, first.score, first.notes, second.valid, second.score, second.notes) == (True, 47, (), True, 47, ())
    assert ("bonus 5" in first.puzzle, "bonus" in second.puzzle) == (True, False)


def test_a_field_of_json_with_two_values_is_a_fault() -> None:
    turns = '"turns": [{"left": 6, "play": "s?l?mnized", "word": "solemnized"}]'
    (fault,) = judge(f'{{"rules": {{"bonus": 10, "bonus": 20}}, {turns}}}').violations
    assert (fault.code, fault.message) == ("contradictory-rules", "'bonus' is both 10 and 20: expected it once")
    assert judge(f'{{"rules": {{"bonus": 10, "bonus": 10}}, {turns}}}').valid
    assert judge(f'{{"rack": 7, {turns}}}').notes == ("rack = 7 is ignored: expected it among the rules",)


def test_a_rule_between_code_and_turns_belongs_to_the_turns() -> None:
    (verdict,) = judge_all(f"import sys\nprint(solve(sys.argv))\n\n# bonus 50\n{ANSWER}")
    assert (verdict.valid, verdict.score) == (True, 1192)


@pytest.mark.parametrize(
    ("first", "second", "says"),
    [
        ("# bonus 10", "# bonus 20", "bonus 10"),
        ("# rack 10", "# rack 7", "rack 10"),
        ("# row tea?setsoat", "# row tea?setsoap", "row 'tea?setsoat'"),
        ("# values english", "# values none", "values 'english'"),
        ("# puzzle challenge", "# puzzle shuffled-03", "puzzle 'challenge'"),
    ],
)
@pytest.mark.parametrize("wrap", ["{}", "My answer:\n\n{}"])
def test_rules_that_contradict_are_a_fault_that_names_both_lines(first: str, second: str, says: str, wrap: str) -> None:
    text = wrap.format(f"{first}\n# a remark\n{second}\n{ANSWER}")
    line = 5 if "My" in wrap else 3
    faults = [fault for verdict in judge_all(text) for fault in verdict.violations if fault.code == "contradictory-rules"]
    assert [(fault.line, fault.message) for fault in faults] == [
        (line, f"'{second}' contradicts line {line - 2}, which says {says}: expected one of them")
    ]


@pytest.mark.parametrize("again", ["# rack 10\n# rack 10\n", "# row teas\n# row TEAS\n# rack 10\n"])
def test_a_rule_may_be_stated_twice_alike(again: str) -> None:
    assert not any(fault.code == "contradictory-rules" for fault in judge(again + "0 teas teas\n").violations)


def test_a_row_of_json_that_contradicts_its_rules_is_a_fault() -> None:
    turns = [{"left": 0, "play": "tea", "word": "tea"}]
    (fault,) = judge(json.dumps({"row": "tea", "rules": {"row": "teas"}, "turns": turns})).violations
    assert fault.message == "row = 'tea', but rules.row = 'teas': expected the same row in both"
    assert judge(json.dumps({"row": "tea", "rules": {"row": "TEA"}, "turns": turns})).valid


@pytest.mark.parametrize(
    ("comment", "clause"),
    [
        ("# words nope", "'nope' is no bundled word list: expected '# words enable1', or the name of another list"),
        ("# words nope abcdef0123", "'nope abcdef0123' is no bundled word list"),
        ("# rakc 7", "'rakc' names no rule, did you mean 'rack'?"),
        ("# bonuss 50", "'bonuss' names no rule, did you mean 'bonus'?"),
        ("# vlaues a=1 b=3", "'vlaues' names no rule, did you mean 'values'?"),
        ("# value english", "'value' names no rule, did you mean 'values'?"),
        ("# rows tea?setsoat", "'rows' names no rule, did you mean 'row'?"),
        ("# puzle: challenge", "'puzle' names no rule, did you mean 'puzzle'?"),
        (f"# wrods enable1 {'0' * 64}", "'wrods' names no rule, did you mean 'words'?"),
        ("# bonus 50 points", "'50 points' states no bonus: expected a whole number"),
        ("# rack 7 (not ten)", "'7 (not ten)' states no rack: expected a whole number"),
    ],
)
def test_a_comment_that_was_meant_as_a_rule_is_named(comment: str, clause: str) -> None:
    for text in (f"{comment}\n{ANSWER}", f"My answer:\n\n{comment}\n\n```\n{ANSWER}```\n"):
        (verdict,) = judge_all(text)
        assert (verdict.valid, verdict.score) == (True, 1042)
        assert any(clause in note for note in verdict.notes), verdict.notes


ORDINARY = "rank 1,track 7,back 3,seed 7,depth 5,pass 2,beam 1000,racks 12345,run 3,words: 172820,words enable1,my own words"


@pytest.mark.parametrize("comment", [*f"{ORDINARY},now testing,now what?,version 1.2".split(",")])
def test_an_ordinary_comment_is_no_misspelt_rule(comment: str) -> None:
    verdict = judge(f"# {comment}\n{ANSWER}")
    assert (verdict.valid, verdict.puzzle, verdict.notes) == (True, "challenge", ())
