"""Where a post can be read in two ways: which one is taken, what is said of it, and what is a fault."""

import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from tests.process import rowdraw
from tests.reference import VALUES
from verify import Rules, RulesError, judge, judge_all, load_rules
from verify.judging import Judge

TWO = "6 s?l?mnized solemnized\n9 outmove outmove\n"
ROOT = Path(__file__).resolve().parents[2]


def codes(text: str, rules: Rules | None = None) -> list[str]:
    return [fault.code for fault in judge(text, rules).violations]


def test_two_valid_readings_of_capitals_are_ambiguous() -> None:
    rules = Rules("tiny", "tea?t", 5, VALUES, frozenset({"teat"}))
    verdict = judge("5 tEat teat\n", rules)
    assert [fault.code for fault in verdict.violations] == ["ambiguous"]
    assert "for 8 points" in verdict.violations[0].message
    assert "for 10, and both are valid" in verdict.violations[0].message
    assert judge("5 tEat teat\n# score 8\n", rules).valid, "a claim that only one reading meets decides"


def test_a_capital_that_begins_a_word_is_a_letter_where_that_is_valid_and_it_is_said() -> None:
    rules = Rules("tiny", "tea?t", 5, VALUES, frozenset({"teat"}))
    verdict = judge("5 Teat Teat\n", rules)
    assert (verdict.valid, verdict.score) == (True, 10)
    assert verdict.reading.notes == ("capitals are read as letters",)
    assert "capitals are read as letters" in verdict.as_text()


def test_a_page_may_leave_out_the_end_of_its_head() -> None:
    assert codes(f"<html><head><title>Mine, found today</title><p>Here it is.</p><pre>\n{TWO}</pre>") == []


@pytest.mark.parametrize("begun", ["<a ", "<!--", "<!-- >", "<![CDATA[>", "</b ", "<a b='"])
def test_tags_without_an_end_are_text_and_hold_up_nothing(begun: str) -> None:
    # the parser of pages would look through the rest of the text for the end of each, some minutes for these
    verdict = judge(f"<p>Mine, found today.</p>\n<p>{begun * 49_000}\n<pre>\n{TWO}</pre>")
    assert verdict.valid
    assert [turn.line for turn in verdict.turns] == [4, 5]
    assert begun.strip() in dict(verdict.reading.passed)[2]


def test_marks_of_spoilers_hide_nothing_from_the_referee() -> None:
    first, second = TWO.splitlines()
    assert codes(f">!{first}!<\n\n>!{second}!<") == []
    assert codes(f"Mine:\n\n>!{first}  \n{second}!<\n") == []
    assert codes(f">!{first}!<\n\n>!{second}s!<") != []


@pytest.mark.parametrize("separator", [",", ";", "\t", " | "])
def test_a_table_that_names_its_columns_may_have_them_in_any_order(separator: str) -> None:
    rows = [["turn", "word", "rack", "play", "score", "left"], ["1", "solemnized", "??deilmnsz", "s?l?mnized", "141", "6"]]
    text = "\n".join(separator.join(row) for row in rows)
    assert codes(text) == []
    assert codes(text.replace("141", "142")) == ["score-claim"]
    assert codes(text.replace("solemnized", "solemnizes")) != []


def test_games_of_a_table_are_answers_of_their_own() -> None:
    rows = [
        "game,turn,left,right,play,word",
        "1,1,6,4,s?l?mnized,solemnized",
        "2,1,6,4,s?l?mnized,solemnized",
        "2,2,9,1,asp,asp",
    ]
    content = "\n".join(rows).encode()
    first, second = judge_all(content, load_rules("challenge"))
    assert (first.valid, len(first.turns), len(second.turns)) == (True, 1, 2)


def test_what_stands_in_a_comment_of_a_page_is_not_read_and_its_lines_count() -> None:
    verdict = judge(f"<p>Mine, found today.</p><!-- <b>old\n</b>\n3 asp asps\n--><pre>\n{TWO}</pre>")
    assert verdict.valid
    assert [turn.line for turn in verdict.turns] == [5, 6]


def test_two_valid_ways_to_cut_a_post_are_ambiguous() -> None:
    rules = Rules("tiny", "ata", 2, VALUES, frozenset({"at", "a"}))
    text = "First I tried this one.\n\n```\n1 a a\n```\n\nand, a day later, this.\n\n```\n1 a a\n```\n"
    assert codes(text, rules) == ["ambiguous"]
    apart = judge_all(text.replace("and, a day later, this.", "## Second"), rules)
    assert [verdict.valid for verdict in apart] == [True, True]


def test_a_number_and_two_words_far_from_the_turns_are_ambiguous() -> None:
    assert codes(f"My answer, at last.\n\n{TWO}\n1 more thing\n") == ["ambiguous"]
    assert codes(f"My answer, at last.\n\n{TWO}\n1 more thing: thanks.\n") == []


HIDDEN = ["3 asp asps", "3 asp", "asp asp", "x asp asp", "3. asp asp", "3 - asp", "3 a5p asp", "| asp |"]


@pytest.mark.parametrize("hidden", HIDDEN)
def test_a_bad_line_among_the_turns_is_no_prose(hidden: str) -> None:
    verdict = judge(f"This is my answer, found today.\n\n6 s?l?mnized solemnized\n{hidden}\n9 outmove outmove\n")
    assert 4 in {fault.line for fault in verdict.violations}


def test_what_is_passed_over_among_the_turns_is_told_and_the_claim_is_checked_without_it() -> None:
    remark = "(here stood a turn that I do not like to show)"
    turns = TWO.replace("\n9", f"\n{remark}\n9")
    text = f"My answer, found today.\n\n{turns}\nTotal: {{}}\n"
    assert judge(text.format(195)).valid
    assert [line for line, _text in judge(text.format(195)).reading.passed] == [1, 4]
    assert codes(text.format(260)) == ["score-claim"]


def test_headers_choose_the_puzzle_and_the_row_of_each_answer() -> None:
    shuffled = (ROOT / "results" / "shuffled-01" / "1049.txt").read_text()
    verdicts = judge_all(f"# puzzle challenge\n{TWO}\n{shuffled}\n# row tea?setsoat\n9 ?oattests coattests\n")
    assert [(verdict.valid, verdict.score) for verdict in verdicts] == [(True, 195), (True, 1049), (True, 44)]
    assert "tea?setsoat" in verdicts[2].puzzle
    assert codes("# row tea!\n3 tea tea\n")[0] == "unknown-puzzle"
    assert "unknown-puzzle" in codes("# puzzle mine\n" + TWO)


def test_a_list_of_json_answers_is_several_answers() -> None:
    turns = [{"left": 6, "play": "s?l?mnized", "word": "solemnized"}]
    verdicts = judge_all(json.dumps([{"turns": turns, "score": 141}, {"turns": turns, "score": 1}]), file="a.json")
    assert [(verdict.file, verdict.valid) for verdict in verdicts] == [("a.json#1", True), ("a.json#2", False)]


@pytest.mark.parametrize("first", ["mine", "challenge"])
def test_an_answer_whose_puzzle_is_not_at_hand_loses_no_other_of_its_file(first: str, tmp_path: Path) -> None:
    second = "challenge" if first == "mine" else "mine"
    (tmp_path / "two.md").write_text(f"# puzzle {first}\n{TWO}\n# puzzle {second}\n{TWO}")
    turns = [{"left": 6, "play": "s?l?mnized", "word": "solemnized"}]
    (tmp_path / "two.json").write_text(json.dumps([{"puzzle": name, "turns": turns} for name in (first, second)]))
    for file in ("two.md", "two.json"):
        verdicts = Judge(None, None)(str(tmp_path / file))
        assert [verdict.valid for verdict in verdicts] == [first != "mine", second != "mine"]
    (tmp_path / "one.md").write_text(f"# puzzle mine\n{TWO}\nand, a day later:\n\n3 asp asp\n")
    with pytest.raises(RulesError, match="give --puzzle FILE with it"):
        Judge(None, None)(str(tmp_path / "one.md"))
    for file in ("two.md", "two.json"):
        with pytest.raises(RulesError, match=r"none\.toml"):
            Judge(str(tmp_path / "none.toml"), None)(str(tmp_path / file))


def test_strict_takes_the_format_of_the_challenge_alone(tmp_path: Path) -> None:
    (tmp_path / "post.md").write_text(f"My answer, found today.\n\n{TWO}")
    (tmp_path / "plain.txt").write_text(TWO)
    assert rowdraw("verify", "post.md", "plain.txt", cwd=tmp_path).returncode == 0
    assert rowdraw("verify", "plain.txt", "--strict", cwd=tmp_path).returncode == 0
    done = rowdraw("verify", "post.md", "--strict", cwd=tmp_path)
    assert done.returncode == 1
    assert "malformed-line" in done.stdout


def test_explain_tells_what_each_line_was_taken_for(tmp_path: Path) -> None:
    (tmp_path / "post.md").write_text(f"My \x1b[31manswer, found today.\n\n{TWO}\nTotal: 195\n")
    text = rowdraw("verify", "post.md", "--explain", cwd=tmp_path).stdout
    assert "post.md:1: passed over: 'My \\x1b[31manswer, found today.'" in text
    assert "post.md:3: taken as turn 1: 6 s?l?mnized solemnized" in text
    assert "post.md:6: taken as a claim of 195 points" in text
    reading = json.loads(rowdraw("verify", "post.md", "--explain", "--json", cwd=tmp_path).stdout)[0]["reading"]
    assert reading["passed_over"][0]["line"] == 1
    assert [row["line"] for row in reading["taken"]] == [3, 4, 6]


def test_one_of_several_answers_is_shown_by_its_number(tmp_path: Path) -> None:
    (tmp_path / "two.md").write_text(f"**u/ann**\n\n{TWO}\n**u/ben**\n\n6 s?l?mnized solemnized\n")
    assert "195 points in 2 turns" in rowdraw("show", "two.md#1", cwd=tmp_path).stdout
    assert "141 points in 1 turn" in rowdraw("show", "two.md#2", cwd=tmp_path).stdout
    done = rowdraw("show", "two.md", cwd=tmp_path)
    assert done.returncode == 2
    assert "holds 2 answers: name one of them, such as two.md#1" in done.stderr
    with pytest.raises(RulesError, match="the file holds 2 answers"):
        Judge(None, None).with_rules(str(tmp_path / "two.md#3"))


def test_quotations_are_no_game_of_scrabble() -> None:
    quoted = "".join(f"> {line}\n" for line in ["Total: 195", *TWO.splitlines()])
    done = rowdraw("verify", "-", stdin=quoted)
    assert done.stdout == "-: valid, 195 points in 2 turns on challenge\n"


def test_at_a_terminal_it_says_that_it_reads_standard_input() -> None:
    main, side = pty.openpty()
    command = [sys.executable, "-m", "verify"]
    process = subprocess.Popen(command, stdin=side, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=ROOT)
    os.write(main, TWO.encode() + b"\x04")
    out, err = process.communicate(timeout=60)
    os.close(side)
    os.close(main)
    assert b"reading standard input" in err
    assert b"valid, 195 points" in out


def test_a_word_list_is_read_once_for_many_puzzles(monkeypatch: pytest.MonkeyPatch) -> None:
    from verify.replay import rules

    read: list[Path] = []
    original = rules.read_words
    rules._kept_words.cache_clear()
    monkeypatch.setattr(rules, "read_words", lambda path: read.append(path) or original(path))
    lists = {id(load_rules(puzzle).words) for puzzle in ("challenge", "shuffled-01", "shuffled-02")}
    assert (len(read), len(lists)) == (1, 1)
