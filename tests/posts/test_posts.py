"""What stands around an answer does not spoil it, and nothing that is wrong gets right by it."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.fuzz.broken import is_lost, posts
from tests.fuzz.referee import agrees_with_core
from tests.posts.forms import FORMS, OTHER, RECORD, ROOT, Lines, capitals, in_form, per_line
from tests.reference import VALUES
from tests.verify.test_referee import WORDS, spoilt
from verify import Rules, judge, judge_all, load_rules

RULES = load_rules()


ANSWER = "\n".join(RECORD)
TWO = "\n".join(RECORD[:2])
SHUFFLED = (ROOT / "results/shuffled-01/1049.txt").read_text()


def codes(text: str, rules: Rules | None = None) -> Lines:
    return [fault.code for fault in judge(text, rules).violations]


def summary(text: str | bytes) -> list[tuple[bool, int]]:
    return [(verdict.valid, verdict.score) for verdict in judge_all(text)]


# what people write around an answer


@pytest.mark.parametrize(
    "talk",
    [
        "{} points total",
        "**{} pts total**",
        "{} in total",
        "{}!",
        "= {} points",
        "13 turns, {} points",
        "4 words could be better",
        "Hand:  | Row: ",
        "Greedy gives 946 points.",
        "It took 3 s on 2 cores.",
        "real    0m3.214s",
        "score = 0",
        "Reply",
        "3 minutes of work",
        "> Nice!",
        "Total: 1 042 points",
        "Total: 1.042",
        "1042.0 points",
        "Total words: 13",
        "13 turns: {} points",
    ],
)
def test_talk_below_an_answer_does_not_spoil_it(talk: str) -> None:
    for apart in ("\n", "\n\n"):
        assert summary(ANSWER + apart + talk.format(1042)) == [(True, 1042)]


@pytest.mark.parametrize(
    "claim",
    [
        "I got {} points!",
        "Total: {}",
        "**Total**: {}",
        "My result is {}!!",
        "u/someone: {} points!",
        "> I got {} points",
        "I scored {}.",
        "{} in total",
    ],
)
def test_points_that_the_text_mentions_are_a_remark_where_the_answer_has_others(claim: str) -> None:
    for text in (f"{TWO}\n{claim}", f"{claim}\n\n{TWO}", f"At last.\n\n{TWO}\n\n{claim}"):
        assert judge(text.format(195)).notes == ()
        wrong = judge(text.format(1961))
        assert wrong.valid
        (note,) = wrong.notes
        assert note.endswith("the text mentions 1,961 points, the answer has 195")


@pytest.mark.parametrize("name", ["score", "points", "pts", "total", "running total", "play score"])
def test_every_wrong_cell_of_a_named_column_is_a_fault(name: str) -> None:
    scores = [int(turn.total if "total" in name else turn.score) for turn in judge(ANSWER).turns]
    for wrong in (0, 1, 7, 13):
        shown = [score + (number < wrong) for number, score in enumerate(scores)]
        rows = [
            f"{line.replace(' ', '|')}|{said}" for line, said in zip(RECORD, shown, strict=True)
        ]
        text = "\n".join([f"left|play|word|{name}", "-|-|-|-", *rows])
        assert codes(text) == ["score-claim"] * wrong
        lines = [f"{line} {name}={said}" for line, said in zip(RECORD, shown, strict=True)]
        if " " not in name:
            assert codes("\n".join(lines)) == ["score-claim"] * wrong


@pytest.mark.parametrize("said", ["{} points", "({} pts)", "= {}", "# {}"])
def test_a_number_after_a_turn_without_a_name_is_a_remark_where_it_is_wrong(said: str) -> None:
    def notes(*numbers: int) -> Lines:
        pairs = zip(RECORD, numbers, strict=False)
        verdict = judge("\n".join(f"{line} {said.format(number)}" for line, number in pairs))
        assert verdict.valid
        return [*verdict.notes]

    assert notes(141, 54, 12) == notes(141, 195, 207) == []
    remark = "line 2: 55 is neither the score of this turn nor the total so far"
    assert notes(141, 55, 12) == [remark]


# the forms in which turns are written


@pytest.mark.parametrize("name", FORMS)
def test_an_answer_in_any_form_gets_the_verdict_of_the_bare_one(name: str) -> None:
    for end in (1, 2, 13):
        verdict = judge(in_form(name, RECORD[:end]))
        assert verdict.valid, verdict.as_text()
        assert [f"{turn.count} {turn.play} {turn.word}" for turn in verdict.turns] == RECORD[:end]


def test_capitals_or_small_letters_may_be_the_blanks() -> None:
    shown = "\n".join(map(capitals, RECORD))
    assert summary(shown) == summary(shown.swapcase()) == [(True, 1042)]


@pytest.mark.parametrize("name", [name for name in FORMS if name != "a page with a table"])
def test_a_bad_line_is_a_fault_in_any_form(name: str) -> None:
    for place, mutation in (
        (0, "negative"),
        (5, "foreign tile"),
        (12, "longer word"),
        (2, "other letter"),
        (12, "unknown word"),
    ):
        changed = [*RECORD]
        changed[place] = spoilt(RECORD[place], mutation)
        assert not judge(in_form(name, changed)).valid, (mutation, place)


@pytest.mark.parametrize(
    "hidden",
    [
        "3 asp asps",
        "3 asp",
        "asp asp",
        "x asp asp",
        "3. asp asp",
        "3 - asp",
        "3 a5p asp",
        "3asp asp",
        "3 aspasp",
    ],
)
def test_a_line_among_the_turns_that_is_nearly_one_is_no_talk(hidden: str) -> None:
    for lines in ([RECORD[0], hidden, RECORD[1]], [*RECORD[:2], hidden]):
        verdict = judge("\n".join(["This is my answer, found today.", "", *lines]))
        assert (
            3 + lines.index(hidden) in {fault.line for fault in verdict.violations}
            or hidden == "3. asp asp"
        )


# several answers


@pytest.mark.parametrize(
    "comment",
    [
        "{who} • 2y ago\n{body}\n\nUpvote\n37\n\nDownvote\nReply\nreply\n",
        "[–]{who} 37 points 9 years ago* (last edited)\n{body}\n\n    permalink\n    reply\n",
        "{who} 37 points 9 years ago\n{body}\npermalink\nsource\nembed\nreply\n",
        "{who}\n2 years ago\n{body}\n12\nReply\n",
        "{who} — Today at 2:05 PM\n{body}\n(edited)\n",
        "## {who}\n\n{body}\n\n",
        "---\n{who}:\n\n{body}\n",
    ],
)
def test_each_answer_of_a_page_of_comments_gets_its_own_verdict(comment: str) -> None:
    wrong = [*OTHER[:3], OTHER[3][:-1], *OTHER[4:]]
    answers = {"as it is": RECORD, "a fence": OTHER, "four spaces": RECORD[:5], "spoilers": wrong}
    text = "".join(
        comment.format(who=f"name{number}", body=in_form(form, turns))
        for number, (form, turns) in enumerate(answers.items())
    )
    *right, last = summary(text)
    assert right == [(True, 1042), (True, 946), (True, 405)]
    assert not last[0]


def test_an_answer_has_the_name_of_the_heading_above_it() -> None:
    bad = "9 zzzz zzzz\n9 yyyy yyyy"
    verdicts = judge_all(f"**u/ann**\n\n{TWO}\n\nben says:\n\n{TWO}\n\n## valid, 9 points\n\n{bad}")
    assert [verdict.name for verdict in verdicts] == ["u/ann", "ben says", "valid, 9 points"]
    assert "'valid, 9 points': INVALID" in verdicts[2].as_text()


@pytest.mark.parametrize(
    "between", ["\n---\n", "\n\n## The other one\n\n", "\n", "\n\nand this one:\n\n"]
)
def test_an_answer_to_another_puzzle_may_follow(between: str) -> None:
    assert summary(ANSWER + between + SHUFFLED) == [(True, 1042), (True, 1049)]


def test_a_table_of_the_turns_above_is_not_another_answer() -> None:
    rows = per_line("| {n} | `{play}` | {word} | 1×1 + 0 | 9 |", RECORD)
    head = "| turn | play | word | sum | score |\n|--|--|--|--|--|"
    assert summary(f"**1042 points**\n\n{ANSWER}\n\n{head}\n{rows}") == [(True, 1042)]


def test_talk_alone_holds_no_answer() -> None:
    for text in (
        "My program prints\nsome words and 3 good things\n",
        "I had had 3 very very good ideas",
        "",
        "# score 9",
    ):
        assert codes(text) == ["empty"]


# rules that answers state


GAME = "5 ?astate hastate\n0 toes toes\n"
ROW = "# row tea?setsoat\n"
RACK = "# rack 7\n"


@pytest.mark.parametrize(
    ("between", "header"),
    [("", ROW + RACK), ("\nOr this:\n\n", RACK + ROW), ("\n---\n", ROW + RACK)],
)
def test_each_answer_is_judged_by_the_rules_above_it(header: str, between: str) -> None:
    by_rack_7 = "the row tea?setsoat, with the rules that the answer itself names: rack 7"
    verdicts = judge_all(header + GAME + between + header + GAME)
    assert [(v.valid, v.score, v.puzzle) for v in verdicts] == [(True, 37, by_rack_7)] * 2


@pytest.mark.parametrize(
    ("header", "score"), [("# rack 8", 37), ("# values t=2 ?=0", 22), ("# bonus 50", 87)]
)
def test_a_rule_after_turns_begins_another_answer_and_keeps_the_other_rules(
    header: str, score: int
) -> None:
    first, second = judge_all(f"{ROW}{RACK}{GAME}{header}\n{GAME}")
    assert (first.score, second.score) == (37, score)
    assert second.puzzle.startswith("the row tea?setsoat")


@pytest.mark.parametrize(
    "rule", ["# row tea?setsoat", "# puzzle shuffled-03", "# rack 7", "# values none", "# bonus 50"]
)
def test_a_rule_below_the_turns_is_ignored_with_a_note(rule: str) -> None:
    verdict = judge(ANSWER + f"\n{rule}\nThanks for reading.\n")
    assert (verdict.valid, verdict.score, verdict.puzzle) == (True, 1042, "challenge")
    assert any(f"{rule}' is ignored" in note for note in verdict.notes)


@pytest.mark.parametrize(
    ("first", "second"), [("# rack 10", "# rack 7"), ("# row teas", "# row tea")]
)
def test_rules_that_contradict_are_a_fault(first: str, second: str) -> None:
    for text in (f"{first}\n{second}\n{TWO}", f"My answer:\n\n{first}\n{second}\n{TWO}"):
        assert "contradictory-rules" in codes(text)


@pytest.mark.parametrize(
    "talk",
    [
        "# Bonus 50\n\nMine:",
        "# Puzzle: my take\n\nMine:",
        "> # bonus 5000\n\nMine:",
        "# bonus 50\n\nI like this one.\n\nMine:",
        "~~9 outmoves outmoves~~",
        "Instead of 9 outmove outmove I tried 9 outmoves outmoves.",
    ],
)
def test_talk_above_an_answer_states_no_rule_and_no_turn(talk: str) -> None:
    assert summary(f"{talk}\n\n{ANSWER}") == [(True, 1042)]


@pytest.mark.parametrize("rule", ["# rack 10", "# words enable1", "# bonus 0"])
def test_a_rule_between_turns_that_changes_nothing_cuts_nothing(rule: str) -> None:
    assert summary("\n".join([*RECORD[:7], rule, *RECORD[7:]])) == [(True, 1042)]


@pytest.mark.parametrize(
    "turns",
    [
        '{"left": 9, "play": "outmove"}',
        "null",
        '{"left": 9, "play": 3, "word": "outmove"}',
        '"9 outmove outmove"',
    ],
)
def test_json_loses_no_turn(turns: str) -> None:
    first = '{"left": 6, "play": "s?l?mnized", "word": "solemnized"}'
    assert codes(f'{{"turns": [{first}, {turns}]}}') == ["malformed-line"]


NOISE = {
    "turns": "6 s?l?mnized solemnized ",
    "cells": "|6|s?l?mnized|solemnized",
    "paragraphs of a page": "<p>6 s?l?mnized solemnized",
    "cells of a page": "<td>6</td><td>s?l?mnized</td><td>solemnized</td>",
    "turns by chance": "1 a a ",
    "names": "left=6 play=s?l?mnized word=solemnized ",
    "objects": '{"left": 6, "play": "asp", "word": "asp"},',
    "fields alone in a line": "6\ns?l?mnized\nsolemnized\n",
    "entries": "- left: 6\n  play: asp\n  word: asp\n",
    "talk": "I had 3 good ideas about asp.\n",
    "quotations": "> I got 946 points\n",
    "rules": "# row tea?setsoat\n",
    "answers": "6 s?l?mnized solemnized\n9 outmove outmove\n\nor\n\n",
    "words": "talk about it ",
    "blank lines": "\n",
    "comments of a page": "<b><!--",
    "digits": "1",
}


def growth(unit: str) -> float:
    """Return how much more processor time the reader takes for four times as much noise."""
    times = []
    for number in (12_000 // len(unit), 48_000 // len(unit)):
        text = f"{RECORD[0]}\n{unit * number}\n{RECORD[1]}\n"
        began = time.process_time()
        judge_all(text)
        times.append(time.process_time() - began)
    return times[1] / times[0]


@pytest.mark.parametrize("unit", NOISE.values(), ids=NOISE)
def test_four_times_the_noise_takes_less_than_nine_times_the_time(unit: str) -> None:
    assert any(growth(unit) < 9 for _attempt in range(3))


# names, and what no verdict passes over in silence


@pytest.mark.parametrize(
    "line",
    [
        "left={left} right={right} play={play} word={word}",
        "Left: {left}, Right: {right}, Play: {play}, Word: {word}",
        "turn 0: {left} left, {right} right: {play} ({word})",
        "L{left} R{right} {play} {word}",
        '{{"word": "{word}", "rack": "abc", "draw": {{"left": {left}, "right": {right}}}, '
        '"play": "{play}"}}',
        "['left' => {left}, 'right' => {right}, 'play' => '{play}', 'word' => '{word}'],",
        "[[moves]]\nfrom_left = {left}\nfromRight = {right}\ntiles = '{play}'\nword = '{word}'\n",
    ],
)
def test_right_draws_that_are_named_must_match(line: str) -> None:
    play = {"play": "s?l?mnized", "word": "solemnized"}
    assert summary(line.format(left=6, right=4, **play)) == [(True, 141)]
    assert codes(line.format(left=6, right=3, **play)) == ["bad-right-count"]
    assert codes(line.format(left=4, right=6, **play)) == ["not-on-rack"]


def test_a_program_above_its_answer_is_no_answer() -> None:
    program = (
        "while row:\n    left = choose(row)\n    play = best(rack)\n    print(left, play, word)"
    )
    assert summary(f"{program}\n\n{TWO}") == summary(TWO)


@pytest.mark.parametrize(
    "text",
    [
        f"{TWO}\n\nThe next:\n\n5 s?l?mnized solemnized\n9 outmove outmove",
        f"{TWO}\n\nThe next:\n\nI prefer 1 r?verboat riverboat to it",
        f"{RECORD}\n\nThe next:\n\n{TWO}",
    ],
)
def test_lines_that_may_hold_turns_of_no_answer_are_named(text: str) -> None:
    (verdict,) = judge_all(text)
    assert any("1 line may hold turns that are in no answer" in note for note in verdict.notes)
    assert not judge(f"{TWO}\n\nSo, once more: {TWO}").notes


@pytest.mark.parametrize(
    "bad", ["5 zzz zzz", "Bob:\n\n1. 5 zzz zzz (20)\n2. 4 yyy yyy (9)", "left=5 play=zz word=zzz"]
)
def test_an_answer_of_words_that_are_not_listed_is_judged_beside_another(bad: str) -> None:
    first, second = judge_all(f"{ANSWER}\n\nThe next:\n\n{bad}\n")
    assert (first.valid, second.valid) == (True, False)


@pytest.mark.parametrize("name", ["score", "turn", "rack", "x"])
def test_a_number_of_another_name_is_not_the_left_draws(name: str) -> None:
    verdict = judge(f"{name}=6 play=s?l?mnized word=solemnized")
    assert "left draws are missing" in verdict.violations[0].message


@pytest.mark.parametrize(
    "form",
    ["L|R|play|word\n-|-|-|-\n{}", "from_left,from_right,tiles,word\n{}", "L R play word\n{}"],
)
def test_a_line_of_names_says_what_the_columns_are(form: str) -> None:
    cut = form[1] if form[1] in "| " else ","
    turns = judge(ANSWER).turns
    rows = [(turn.count, str(len(turn.right)), turn.play, turn.word) for turn in turns]
    table = "\n".join(map(cut.join, rows))
    assert summary(form.format(table)) == [(True, 1042)]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("* 6 s?l?mnized solemnized\n* 9 outmove outmove\n* 3 asp", 3),
        ("6 s?l?mnized solemnized\n9outmove", 2),
        ("Turn 1: 6 s?l?mnized solemnized\nTurn 2: 9 outmove outmove\nTurn 3: 3 aspasp", 3),
        ("6 s?l?mnized solemnized, 9 outmove outmove, 3 asp", 1),
        (ANSWER.replace("3 asp asp", "3 asp asp asp"), 3),
        (f"{TWO}\n\nand then, with luck, asp", 4),
        (f"{TWO}\n3 asp = 12 points", 3),
    ],
)
def test_what_is_no_turn_among_turns_or_after_them_is_named(text: str, line: int) -> None:
    verdict = judge(text)
    heads = (f"line {line} was passed over: ", f"line {line}: the text mentions ")
    named = [note for note in verdict.notes if note.startswith(heads)]
    assert named or line in {fault.line for fault in verdict.violations}


def test_a_comment_above_an_answer_claims_its_total_and_not_the_score_of_a_turn() -> None:
    post = "Mine:\n\n# score {}\n" + TWO
    assert codes(post.format(195)) == []
    assert codes(post.format(141)) == ["score-claim"]


def test_no_broken_line_of_a_post_is_lost_in_silence() -> None:
    assert [post.text for post in posts(300, seed=71) if is_lost(post, RULES)] == []


@pytest.mark.parametrize(
    "above",
    [
        "[–]ann 2 points 6 years ago\n\nMine, at last:",
        "/u/ann\n\nThis took a while:",
        "ann 37 points 9 years ago* (1 child)\nOne more try",
    ],
)
def test_the_author_of_a_comment_names_its_answer(above: str) -> None:
    verdict, _other = judge_all(f"{above}\n\n{TWO}\n\n[–]ben 1 point 2 years ago\n\n{ANSWER}")
    assert verdict.name.removeprefix("u/") == "ann"


@pytest.mark.parametrize(
    ("comment", "note"),
    [
        ("# rack seven", "'seven' states no rack: expected a whole number"),
        ("# rakc 7", "'rakc' names no rule, did you mean 'rack'?"),
        ("# values a=x", "'a=x' states no values"),
    ],
)
def test_a_comment_that_was_meant_as_a_rule_is_named(comment: str, note: str) -> None:
    assert any(note in said for said in judge(f"{comment}\n{TWO}").notes)


def test_a_line_too_long_is_read_up_to_its_limit_and_named() -> None:
    noise = "good ideas " * 50_000
    (fault,) = judge(f"{'; '.join(RECORD)} {noise}").violations
    assert (fault.line, fault.code) == (1, "too-long-line")
    verdict = judge(f"{ANSWER}\n\n{noise}")
    assert verdict.valid
    assert verdict.notes[0].startswith("line 15: only the first 500,000 characters")


@pytest.mark.parametrize("digest", ["123", "abc", "0" * 64])
def test_a_false_digest_of_a_list_is_refused(digest: str) -> None:
    assert codes(f"# words enable1 {digest}\n{TWO}") == ["unknown-puzzle"]


# JSON


def test_json_is_read_with_its_claims_and_its_list_is_several_answers() -> None:
    turn = '{"left": 6, "play": "s?l?mnized", "word": "solemnized"}'
    text = f'[{{"turns": [{turn}], "score": 141}}, {{"turns": [{turn}], "score": 1}}]'
    assert [(v.file, v.valid) for v in judge_all(text, file="a.json")] == [
        ("a.json#1", True),
        ("a.json#2", False),
    ]
    twice = f'{{"score": 1, "score": 2, "turns": [{turn}]}}'
    assert "contradictory-rules" in codes(twice)


# how lines are explained, and that nothing makes the reader fail


def test_explain_says_what_each_line_was_taken_for() -> None:
    text = judge(f"My \x1b[31manswer, found today.\n\n{TWO}\nTotal: 195\n", file="post.md").as_text(
        explain=True
    )
    assert text.splitlines() == [
        "post.md: valid, 195 points in 2 turns on challenge",
        r"post.md:1: passed over: 'My \x1b[31manswer, found today.'",
        "post.md:3: taken as turn 1: 6 s?l?mnized solemnized",
        "post.md:4: taken as turn 2: 9 outmove outmove",
        "post.md:5: taken as a mention of points: Total: 195",
    ]


FRAGMENTS = st.sampled_from(
    [
        "6 tea tea",
        "| 6 | t?a | tea |",
        "1. 0 a a",
        "0 aT at",
        "-1 at at",
        "tea",
        "&gt; 0 a a",
        "> 3 at at",
        "|",
        "```",
        "<pre>",
        "</pre>",
        "**ann**",
        "## ben",
        "Total: 9",
        "# puzzle x",
        "# row teas?tab",
        "9 points",
        "some words, in a row",
        "3 seconds later",
        "\x1b[31m",
        "",
        '{"turns": [',
        "# words a b",
        "six a a",
        "\u0663 at at",
        "Total: 0.5",
        "- 3 at at",
        "*_*",
    ]
)


@settings(max_examples=400)
@given(st.lists(st.one_of(FRAGMENTS, st.text(max_size=12)), max_size=14))
def test_any_mixture_of_lines_gets_verdicts_of_the_core_that_can_be_printed(lines: Lines) -> None:
    """No verdict `valid` and no score has another source than the core."""
    rules = Rules("teas?tab", 5, VALUES, frozenset(WORDS), name="tiny")
    content = "\n".join(lines).encode("utf-8", "replace")
    for verdict in (*judge_all(content), *judge_all(content, rules)):
        agrees_with_core(verdict)
