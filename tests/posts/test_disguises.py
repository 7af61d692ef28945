"""Bad turns, false totals and pages that are made to fool or to stall the referee, and right answers that look odd."""

import json
from pathlib import Path

import pytest

from verify import RulesError, judge
from verify.judging import Judge
from verify.posts.markup import lines_of

GAME = ["- 6 s?l?mnized solemnized", "- 9 outmove outmove", "- 3 asp asp"]
TURNS = [dict(zip(("left", "play", "word"), line[2:].split(), strict=True)) for line in GAME]
MANY = 20_000


def post(*lines: str) -> str:
    return "\n".join(lines) + "\n"


def test_the_bare_post_is_valid() -> None:
    assert judge(post(*GAME)).valid


@pytest.mark.parametrize(
    "bad",
    [
        "5 zzz zzz:", "**5 zzz zzz**:", "__5 zzz zzz__", "(5 zzz zzz)", "[5 zzz zzz](http://example.org)", "5) zzz zzz",
        "Turn 5 - zzz zzz", "-- 5 zzz zzz", "<b>5 zzz zzz</b>", "\x1b[31m5 zzz zzz\x1b[0m", "{5, zzz, zzz}",
        "Turn [3: 5 zzz zzz", "see 5 zzz zzz", "```5 zzz zzz",
    ],
)  # fmt: skip
def test_no_sign_around_its_three_fields_hides_a_bad_turn(bad: str) -> None:
    verdict = judge(post(*GAME[:2], bad, GAME[2]))
    assert verdict.faults.independent[0].line == 3


def test_nothing_is_hidden_behind_the_part_of_a_line_that_is_looked_at_first() -> None:
    assert judge(post(GAME[0], GAME[1] + " " * 400 + "5 zzz zzz", GAME[2])).faults.independent[0].line == 2
    assert judge(post(GAME[0], GAME[1] + " # " + "a remark " * 100, GAME[2])).valid


@pytest.mark.parametrize(
    "form",
    [
        "Total: **{}**", "**Total:** {}", "**Total**: {}", "Total: `{}`", "*Total:* ~~{}~~", "<b>Total</b>: {}",
        "I got a score of **{}**", "\u200fTotal: {}", "| Total | | | {} |", "| **Total** | | {} |", "total,,,{}",
    ],
)  # fmt: skip
def test_a_total_is_read_in_bold_and_in_the_last_row_of_a_table(form: str) -> None:
    total = judge(post(*GAME)).score
    assert judge(post(*GAME, form.format(total))).valid
    assert [fault.code for fault in judge(post(*GAME, form.format(961))).violations] == ["score-claim"]


def test_what_a_page_shows_below_a_head_is_read() -> None:
    assert judge(post("<html><head><title>Mine</title><body><pre>", *GAME, "</pre>")).valid
    assert not judge(post("<pre>", *GAME, "<head>", "5 zzz zzz", "</head></pre>")).valid


@pytest.mark.parametrize("part", ["<![", "<![if x]>", "<!x[", "<!DOCTYPE x [<!y>", "<?", "<!-", "</"])
def test_a_strange_declaration_in_a_page_is_no_crash(part: str) -> None:
    page = post("<pre>", *GAME, "</pre>", part)
    assert judge(page).valid
    assert judge(post(f"<p>{part}<br>", *GAME[:2])).violations is not None


@pytest.mark.parametrize("part", ["<a ", "<a x='", "<!--", "<![CDATA["])
def test_tags_without_an_end_take_no_longer_than_others(part: str) -> None:
    assert judge(post("<pre>", *GAME, "</pre>", part * MANY)).valid


def test_comments_of_a_page_are_no_lines_and_leave_the_numbers_of_the_lines_right() -> None:
    page = post("<!doctype html", ">", "<pre>", *GAME[:2], "<!-- <p>", "5 zzz zzz </p>", "-->", "- 5 zzz zzz", "</pre>")
    assert {fault.line for fault in judge(page).violations} == {9}


def test_many_quotations_inside_one_another_do_not_fill_the_memory() -> None:
    page = "<p>" + "<blockquote>" * 2_000 + "6 asp asp<br>\n" * 2_000
    assert sum(len(line.raw) for line in lines_of(page)) < 10 * len(page)


UNKNOWN = "# puzzle nope"


def test_an_answer_to_a_puzzle_that_is_not_at_hand_does_not_keep_the_others_from_being_judged(tmp_path: Path) -> None:
    listed = json.dumps([{"puzzle": "nope", "turns": TURNS}, {"turns": TURNS}])
    for name, text in [("post.md", post(UNKNOWN, *GAME, "", "## mine", "", *GAME)), ("list.json", listed)]:
        path = tmp_path / name
        path.write_text(text)
        first, second = Judge(None, None).answers(str(path))
        assert [fault.code for fault in first[0].violations] == ["unknown-puzzle"]
        assert second[0].valid


@pytest.mark.parametrize(
    "lines", [(UNKNOWN, *GAME), (UNKNOWN,), (UNKNOWN, "# row asp", "hello"), (UNKNOWN, GAME[0], "", "So:", "", GAME[1])]
)
def test_a_file_without_any_answer_to_a_puzzle_at_hand_is_refused(lines: tuple[str, ...], tmp_path: Path) -> None:
    path = tmp_path / "mine.txt"
    path.write_text(post(*lines))
    with pytest.raises(RulesError, match="'nope': give --puzzle FILE"):
        Judge(None, None).answers(str(path))


def test_the_name_of_a_file_is_never_printed_raw_in_a_fault(tmp_path: Path) -> None:
    path = tmp_path / "\x1b[31mred.md"
    path.write_text(post("# puzzle challenge", *GAME, "", UNKNOWN, *GAME))
    answers = Judge(None, None).answers(str(path))
    assert len(answers) == 2
    assert "\x1b" not in "".join(verdict.as_text() for verdict, _rules in answers)


@pytest.mark.parametrize("lines", [[line[2:] for line in GAME], GAME, ["Mine is this one.", *GAME]])
def test_a_text_with_a_byte_order_mark_of_utf_16_is_read_whatever_stands_in_it(lines: list[str]) -> None:
    assert judge(post(*lines).encode("utf-16")).valid
    assert not judge(post(*lines).encode("utf-16"), strict=True).valid


@pytest.mark.parametrize("field", ["puzzle", "row"])
def test_a_puzzle_in_json_that_is_no_text_is_a_fault(field: str) -> None:
    assert judge(json.dumps({"turns": TURNS, field: None})).valid
    assert [fault.code for fault in judge(json.dumps({"turns": TURNS, field: ["tea"]})).violations] == ["unknown-puzzle"]
