"""Faults that are there only because of an earlier one: which they are, and how they are printed."""

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.show.formats import game_text
from solver.show.steps import make_game
from tests.process import rowdraw
from tests.verify.test_referee import game
from verify import Rules, Verdict, judge, load_rules
from verify.replay import folding

RULES = load_rules()


@pytest.fixture(scope="module")
def record() -> list[str]:
    text = (Path(__file__).resolve().parents[2] / "results" / "challenge" / "1042.txt").read_text()
    return [line for line in text.splitlines() if not line.startswith("#")]


def changed(lines: list[str], **places: str) -> str:
    """The game with other lines at these places, such as line3."""
    new = [places.get(f"line{number}", line) for number, line in enumerate(lines, start=1)]
    return "\n".join([*new, "# score 1042"])


def own(verdict: Verdict) -> list[tuple[int, str]]:
    return [(fault.line, fault.code) for fault in verdict.faults.independent]


def test_all_that_follows_from_one_wrong_draw_is_one_fault(record: list[str]) -> None:
    verdict = judge(changed(record, line3="4 asp asp"), RULES)
    assert own(verdict) == [(4, "not-on-rack")]
    assert verdict.faults.following == verdict.faults.count - 1 >= 9
    assert {fault.follows_from for fault in verdict.violations} == {None, 4}
    assert f"1 fault, {verdict.faults.following} that follow from it" in verdict.as_text()


def test_a_second_wrong_draw_is_a_fault_of_its_own(record: list[str]) -> None:
    verdict = judge(changed(record, line2="8 outmove outmove", line8="5 in in"), RULES)
    assert own(verdict) == [(2, "not-on-rack"), (9, "not-on-rack")]
    assert {fault.follows_from for fault in verdict.violations if fault.line > 9} == {9}


def test_words_and_counts_stand_for_themselves_behind_a_slip(record: list[str]) -> None:
    verdict = judge(changed(record, line3="4 asp asp", line5="x ?entrify gentrify", line11="2 nidify nidifx"), RULES)
    assert own(verdict) == [(4, "not-on-rack"), (5, "bad-left-count"), (11, "play-word-mismatch"), (11, "unknown-word")]


def test_a_wrong_total_follows_from_the_slip_that_made_it_wrong(record: list[str]) -> None:
    verdict = judge(changed(record, line2="9 outmov outmove"), RULES)
    assert own(verdict) == [(2, "play-word-mismatch")]
    claim = next(fault for fault in verdict.violations if fault.code == "score-claim")
    assert claim.follows_from == 2


def test_a_wrong_total_that_no_mend_explains_stands_for_itself(record: list[str]) -> None:
    verdict = judge(changed(record, line3="4 asp asp").replace("score 1042", "score 1043"), RULES)
    assert own(verdict) == [(4, "not-on-rack"), (14, "score-claim")]


def test_behind_a_line_that_is_missing_or_cannot_be_read_all_follows_from_it(record: list[str]) -> None:
    missing = judge("\n".join([*record[:1], *record[2:], "# score 1042"]), RULES)
    assert own(missing) == [(2, "not-on-rack")]
    unread = judge(changed(record, line2="outmo vex outmove vex"), RULES)
    assert own(unread) == [(2, "malformed-line")]


def test_turns_behind_the_end_are_one_fault() -> None:
    rules = Rules("tiny", "tea", 8, RULES.values, frozenset({"tea", "a"}))
    verdict = judge("3 tea tea\n0 a a\n0 a a\n1 a a\n", rules)
    assert [(fault.code, fault.follows_from) for fault in verdict.violations] == [("after-end", None), *[("after-end", 2)] * 2]


@settings(max_examples=150)
@given(seed=st.integers(0, 10**9), left=st.integers(0, 9))
def test_every_follower_names_an_earlier_line_with_a_fault_of_its_own(seed: int, left: int) -> None:
    rules, lines, total = game(seed)
    if not lines:
        return
    place = seed % len(lines)
    lines[place] = f"{left} {lines[place].split(maxsplit=1)[1]}"
    verdict = judge("\n".join([*lines, f"# score {total + 1}"]), rules)
    roots = {fault.line for fault in verdict.faults.independent}
    assert verdict.valid or roots
    for fault in verdict.violations:
        assert fault.follows_from is None or fault.follows_from in roots
        if fault.follows_from is not None and fault.code != "score-claim":
            assert fault.follows_from < fault.line


@settings(max_examples=150)
@given(seed=st.integers(0, 10**9), left=st.integers(0, 9))
def test_the_first_fault_of_a_game_never_follows_from_another(seed: int, left: int) -> None:
    rules, lines, _total = game(seed)
    if not lines:
        return
    place = seed % len(lines)
    lines[place] = f"{left} {lines[place].split(maxsplit=1)[1]}"
    verdict = judge("\n".join(lines), rules)
    assert verdict.valid or verdict.violations[0].follows_from is None


def test_folding_takes_no_longer_than_the_game_does() -> None:
    # garbage in which no mend helps, and a long row in which every mend goes on for thousands of turns
    assert not judge(b"0 a a\n" * 50_000, RULES).valid
    rules = Rules("long", "a" * 10_000, 10, RULES.values, RULES.words)
    lines = ["5 aa aa", *["1 aa aa"] * 4000]
    assert not judge("\n".join([*lines[:7], "x aa aa", "2 ab ab", *lines]), rules).valid


def test_nothing_is_mended_behind_the_line_where_the_game_is_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    laid = []
    original = folding._Mending._played
    monkeypatch.setattr(folding._Mending, "_played", lambda *args, **named: laid.append(1) or original(*args, **named))
    verdict = judge(b"6 zzz zzz\n" * 20_000, RULES)
    assert {fault.follows_from for fault in verdict.violations if fault.code == "not-on-rack"} == {None, 1}
    assert len(laid) < 1_000


def test_the_command_folds_them_and_lists_them_on_demand(record: list[str], tmp_path: Path) -> None:
    (tmp_path / "bad.txt").write_text(changed(record, line3="4 asp asp"))
    short = rowdraw("verify", "bad.txt", cwd=tmp_path).stdout.splitlines()
    assert len(short) == 3
    assert short[2].endswith("follow from line 4 (--all lists them)")
    every = rowdraw("verify", "bad.txt", "--all", cwd=tmp_path).stdout.splitlines()
    assert sum(line.endswith("(follows from line 4)") for line in every) == len(every) - 2 > 8
    fields = json.loads(rowdraw("verify", "bad.txt", "--json", cwd=tmp_path).stdout)[0]
    assert fields["violation_count"] == len(fields["violations"]) == fields["following_count"] + 1
    assert {fault["follows_from"] for fault in fields["violations"]} == {None, 4}


def test_show_folds_them_in_the_terminal_too(record: list[str], tmp_path: Path) -> None:
    verdict = judge(changed(record, line3="4 asp asp"), RULES)
    assert game_text(verdict, RULES).count("not-on-rack") == 1
    assert game_text(verdict, RULES, every=True).count("not-on-rack") > 8
    assert "follow from line 4 (--all lists them)" in game_text(verdict, RULES)
    assert "that follow from it" in make_game(verdict, RULES).faults
    (tmp_path / "bad.txt").write_text(changed(record, line3="4 asp asp"))
    assert rowdraw("show", "bad.txt", "--all", cwd=tmp_path).stdout.count("follows from line 4") > 8
