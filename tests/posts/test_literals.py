"""Turns as data of a program: tuples, lists, objects, calls and texts, and several answers in one list."""

import json
from collections.abc import Callable

import pytest

from tests.posts.test_threads import OTHER, RECORD
from verify import judge, judge_all
from verify.posts.literals import written_out

Turn = tuple[int, str, str]


def turns(lines: list[str]) -> list[Turn]:
    return [(int(left), play, word) for left, play, word in (line.split() for line in lines)]


def objects(lines: list[str]) -> list[dict[str, object]]:
    return [{"left": left, "play": play, "word": word} for left, play, word in turns(lines)]


LISTS: dict[str, Callable[[list[str]], str]] = {
    "tuples": lambda lines: "\n".join(f"{turn}," for turn in turns(lines)),
    "a list of tuples": lambda lines: str(turns(lines)),
    "a list of tuples with a name": lambda lines: "answer = [\n    " + ",\n    ".join(map(str, turns(lines))) + ",\n]",
    "a list of lists": lambda lines: json.dumps([list(turn) for turn in turns(lines)]),
    "a list of lists in lines": lambda lines: json.dumps([list(turn) for turn in turns(lines)], indent=2),
    "a list of objects": lambda lines: json.dumps(objects(lines)),
    "a list of objects in lines": lambda lines: json.dumps(objects(lines), indent=2),
    "a line for each object": lambda lines: "\n".join(map(json.dumps, objects(lines))),
    "a list of texts": json.dumps,
    "an object with lists": lambda lines: json.dumps({"turns": [list(turn) for turn in turns(lines)]}),
    "an object with texts": lambda lines: json.dumps({"turns": lines}, indent=1),
    "structures": lambda lines: "{" + ", ".join(f'{{{left}, "{play}", "{word}"}}' for left, play, word in turns(lines)) + "};",
    "calls": lambda lines: "\n".join(f"moves.add(new Move({left}, '{play}', '{word}'));" for left, play, word in turns(lines)),
    "calls with names": lambda lines: "\n".join(f"Turn(left={a}, play='{b}', word='{c}')," for a, b, c in turns(lines)),
    "fields in another order": lambda lines: json.dumps([{"word": c, "tiles": b, "left": a} for a, b, c in turns(lines)]),
}
AROUND = {
    "alone": "{}",
    "in prose": "This is mine, found today:\n\n{}\n\nIt ran for 3 minutes.",
    "in a fence": "Mine:\n\n```json\n{}\n```\n\nThanks!",
    "quoted": "> Mine:\n> {}",
}


@pytest.mark.parametrize("around", AROUND)
@pytest.mark.parametrize("form", LISTS)
def test_turns_in_a_list_get_the_verdict_of_lines(form: str, around: str) -> None:
    text = LISTS[form](RECORD)
    text = AROUND[around].format(text.replace("\n", "\n> ") if around == "quoted" else text)
    assert [(verdict.valid, verdict.score) for verdict in judge_all(text)] == [(True, 1042)]


@pytest.mark.parametrize("around", AROUND)
@pytest.mark.parametrize("form", LISTS)
@pytest.mark.parametrize("bad", ["3 asp asps", "4 asp asp", "3 asp"])
def test_a_bad_turn_in_a_list_is_a_fault(form: str, around: str, bad: str) -> None:
    if len(bad.split()) == 2 and form not in ("a list of texts", "an object with texts"):
        return
    text = LISTS[form]([*RECORD[:2], bad, *RECORD[3:]])
    text = AROUND[around].format(text.replace("\n", "\n> ") if around == "quoted" else text)
    assert not any(verdict.valid for verdict in judge_all(text))


def test_the_line_of_a_bad_turn_is_that_in_which_it_begins() -> None:
    text = "answer = [\n" + "\n".join(f"    {turn}," for turn in turns([*RECORD[:2], "3 asp asps", RECORD[3]])) + "\n]\n"
    assert judge(text).faults.independent[0].line == 4


@pytest.mark.parametrize("bad", ["('asp', 'asp')", "(3, 'asp')", '["asp"]', "(-3, 'asp', 'asp')", "('x', 'asp', 'asp')"])
def test_what_stands_in_a_list_of_turns_and_is_none_is_a_fault(bad: str) -> None:
    for place in (1, 3):
        rows = [str(turn) for turn in turns(RECORD[:3])]
        rows.insert(place, bad)
        assert not judge("[" + ",\n ".join(rows) + "]").valid


@pytest.mark.parametrize(
    "form", ["a list of tuples", "a list of lists", "a list of objects in lines", "a list of tuples with a name"]
)
def test_two_lists_are_two_answers(form: str) -> None:
    for text in (f"{LISTS[form](RECORD)}\n{LISTS[form](OTHER)}", f"Ann:\n{LISTS[form](RECORD)}\nBen:\n{LISTS[form](OTHER)}"):
        assert [(verdict.valid, verdict.score) for verdict in judge_all(text)] == [(True, 1042), (True, 946)]
    together = json.dumps([[list(turn) for turn in turns(RECORD)], [list(turn) for turn in turns(OTHER)]])
    assert [verdict.score for verdict in judge_all(together)] == [1042, 946]


def test_a_list_tells_names_puzzles_and_totals_of_its_answers() -> None:
    named = {"ann": [list(turn) for turn in turns(RECORD)], "ben": [list(turn) for turn in turns(OTHER)]}
    assert [(v.name, v.score) for v in judge_all(json.dumps(named))] == [("ann", 1042), ("ben", 946)]
    answer = {"turns": [list(turn) for turn in turns(RECORD)], "score": 961}
    assert [fault.code for fault in judge(json.dumps(answer)).violations] == ["score-claim"]
    assert [fault.code for fault in judge("Mine:\n\n" + json.dumps(answer | {"turns": objects(RECORD)})).violations] == [
        "score-claim"
    ]
    row = json.dumps({"row": "tea?setsoat", "turns": [[9, "?oattests", "coattests"]]})
    assert [(v.valid, v.score) for v in judge_all(row)] == [(True, 44)]


@pytest.mark.parametrize("sign", ["*", ".", "@", "%", "-"])
def test_other_signs_for_blanks_are_read_where_the_play_makes_its_word(sign: str) -> None:
    lines = [line.replace("?", sign) for line in RECORD]
    assert judge("\n".join(lines)).score == 1042
    assert judge("\n".join(lines)).valid
    assert judge("\n".join(["Mine:", "", *(f"- {line}" for line in lines)])).valid
    assert judge(
        "| left | play | word |\n|---|---|---|\n" + "\n".join(f"| {' | '.join(line.split())} |" for line in lines)
    ).valid
    lines[3] = lines[3].replace("overbleach", "overbleacx")
    assert not judge("\n".join(lines)).valid


def test_brackets_in_prose_are_no_turns() -> None:
    text = "\n".join(["Mine (2, or so, are mine) and [1, two, three].", "", *RECORD, "", "(4, for, example, is a number)"])
    assert [(verdict.valid, verdict.score) for verdict in judge_all(text)] == [(True, 1042)]


def test_a_name_before_a_bracket_is_never_cut_as_a_match_is_tried_from_its_first_letter_alone() -> None:
    name = "play_" * 12
    assert written_out([(1, f"{name}(6, 's?l?mnized', 'solemnized')")]) == [(1, name), (1, "`6 s?l?mnized solemnized`")]


@pytest.mark.parametrize("form", ["{}", "> {}", "```json\n{}\n```"])
@pytest.mark.parametrize("indent", [None, 2])
def test_an_object_in_a_post_keeps_the_rules_that_it_states(form: str, indent: int | None) -> None:
    first = {"left": 6, "play": "est?eat", "word": "estreat", "score": 29, "points": [0, 0, 6, 4, 0, 0, 14], "bonus": 5}
    turns = [first, {"left": 0, "play": "oast", "word": "oast", "score": 8}]
    rules = {"row": "tea?setsoat", "rack": 7, "values": {"t": 2, "?": 1}, "bonus": 5}
    answer = {"name": "own", "puzzle": "challenge", "row": "tea?setsoat", "rules": rules, "score": 37, "turns": turns}
    text = json.dumps(answer, indent=indent)
    if form.startswith(">"):
        text = text.replace("\n", "\n> ")
    plain, posted = judge(json.dumps(answer)), judge("My answer:\n\n" + form.replace("{}", text))
    assert plain.valid
    assert (posted.valid, posted.score, posted.puzzle) == (True, 37, plain.puzzle)


def test_an_object_in_a_post_with_unreadable_rules_is_judged_without_them() -> None:
    text = 'My answer:\n\n{"rules": {"rack": , "turns": [{"left": 6, "play": "s?l?mnized", "word": "solemnized"}]}\n'
    assert judge(text).puzzle == "challenge"
