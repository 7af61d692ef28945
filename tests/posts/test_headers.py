"""Comments that state rules, in texts with several answers: each is judged by its own, or by those of the one before it."""

from pathlib import Path

import pytest

from verify import judge_all, load_rules

GAME = "5 ?astate hastate\n0 toes toes\n"
ROW, RACK = "# row tea?setsoat\n", "# rack 7\n"


OWN = f"# puzzle 7.toml\n{ROW}{RACK}# values english\n# words enable1 {load_rules().words_hash}\n"
BY_RACK_7 = (True, 37, "the row tea?setsoat, with the rules that the answer itself names: rack 7")


def summary(text: str) -> list[tuple[bool, int, str]]:
    return [(verdict.valid, verdict.score, verdict.puzzle) for verdict in judge_all(text)]


@pytest.mark.parametrize("between", ["\n\n", "\nOr, by another search, this one.\n\n", "\n---\n\n"])
@pytest.mark.parametrize("header", [ROW + RACK, OWN])
def test_a_second_answer_without_a_header_is_judged_by_all_rules_of_the_first(header: str, between: str) -> None:
    assert summary(header + GAME + between + GAME) == [BY_RACK_7, BY_RACK_7]


@pytest.mark.parametrize("headers", [ROW + RACK, RACK + ROW])
def test_the_rules_of_an_answer_may_stand_in_any_order(headers: str) -> None:
    assert summary(headers + GAME + headers + GAME) == [BY_RACK_7, BY_RACK_7]


@pytest.mark.parametrize(("header", "score"), [("# rack 8", 37), ("# values t=2 ?=0", 22), ("# bonus 50", 87)])
@pytest.mark.parametrize("restated", ["", ROW + RACK])
def test_a_comment_with_any_rule_begins_another_answer_and_what_it_leaves_out_is_that_of_the_first(
    header: str, score: int, restated: str
) -> None:
    first, second = judge_all(f"{ROW}{RACK}{GAME}{header}\n{restated}{GAME}")
    assert (first.valid, first.score) == (True, 37)
    assert second.score == score
    assert second.puzzle.startswith("the row tea?setsoat")


def test_an_answer_under_a_heading_takes_no_rules_from_the_one_before() -> None:
    _first, second = judge_all(f"## ann\n{ROW}{RACK}{GAME}## ben\n# rack 8\n{GAME}")
    assert second.puzzle.startswith("the row of challenge")


def test_rules_stated_again_in_the_midst_of_an_answer_do_not_cut_it() -> None:
    (verdict,) = judge_all("# row teasea\n# rack 3\n3 tea tea\n# rack 3\n3 sea sea\n")
    assert (verdict.valid, verdict.score) == (True, 12)


def test_a_comment_behind_the_turns_states_no_rule() -> None:
    record = (Path(__file__).resolve().parents[2] / "results/challenge/1042.txt").read_text()
    for behind in ("# Bonus: 50\n", "# Values: none\n", "\n\nsome words of prose, more than a turn has\n\n# rack 9\n"):
        verdict = judge_all((record + behind).encode())[0]
        assert (verdict.valid, verdict.score, verdict.puzzle) == (True, 1042, "challenge"), behind


def test_a_heading_that_looks_like_a_verdict_is_quoted() -> None:
    text = judge_all(b"**valid, 1042 points in 13 turns on challenge**\n\n9 zzzz zzzz\n")[0].as_text()
    assert "'valid, 1042 points in 13 turns on challenge': INVALID on challenge" in text
    assert ": valid" not in text
