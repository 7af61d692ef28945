"""What a comparison says in words, and how many puzzles it says that it needs."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from solver.lab.compare.collect import Figures, json_text, make_figures
from solver.lab.compare.finding import Finding, find
from solver.lab.compare.runs import Outcome
from solver.lab.compare.statistics import Effort
from solver.lab.compare.tables import (
    pair_table,
    puzzle_table,
    sections_of,
)
from tests.compare.runs import run_of

JITTER = (0, 3, -2, 1, 4, -1, 2, -3, 0, 1, -4, 2)


def comparison(
    scores: Mapping[str, Sequence[int | str | None]], baseline: str | None = None, **more: Any
) -> Figures:
    """Compare a run for each score; a text is the error of a failed run, None a run not made."""
    outcomes = [
        run_of(
            label=label,
            puzzle_name=f"p{i}",
            **more,
            **(
                {"error": score}
                if isinstance(score, str)
                else {"score": score, "trace": [[1, 2, score]]}
            ),
        )
        for label, own in scores.items()
        for i, score in enumerate(own)
        if score is not None
    ]
    return make_figures(outcomes, {}, baseline=baseline)


def by(points: int, n: int = 11) -> list[int]:
    """Scores of a strategy that is about that many points better."""
    return [1000 + 7 * i + points + (JITTER[i % 12] if points else 0) for i in range(n)]


def test_a_strategy_that_is_better_beyond_doubt_is_said_to_be_best_with_its_interval() -> None:
    found = comparison({"a": by(0), "b": by(12)})
    (pair,) = found.pairs
    assert pair.low is not None
    assert pair.high is not None
    answer = find(found).answer
    assert answer == (
        f"b is best on these 11 puzzles: {pair.difference:.1f} points more than a on average "
        f"(95 % interval {pair.low:.1f} to {pair.high:.1f}; 2.0 s a run against 2.0 s)."
    )
    assert find(found).notes == ()
    assert find(comparison({"c": by(-40), "a": by(0), "b": by(12)})).answer.startswith(
        "b is best on these 11 puzzles: 12.1 points more than a, the best of the other 2, "
    )


def test_strategies_that_are_too_close_are_named_together_with_what_would_tell_them_apart() -> None:
    scores = {
        "a": by(0),
        "b": [score + JITTER[i] for i, score in enumerate(by(0))],
        "c": by(-40),
        "d": by(-60),
    }
    found = find(comparison(scores))
    assert found.answer.startswith(
        "No significant difference between b and a on these 11 puzzles; b has "
    )
    assert (
        " points more than c, the best of the other 2, on average (95 % interval " in found.answer
    )
    (note,) = found.notes
    assert note.startswith(
        "To show the observed difference of 0.1 points between b and a (standard deviation 2."
    )
    assert " puzzles would be needed." in note


def test_equal_strategies_have_the_same_mean_and_no_number_that_helps() -> None:
    found = find(comparison({"a": by(0), "b": by(0)}))
    assert found == Finding(
        "No significant difference between a and b on these 11 puzzles; "
        "a has the same mean as b (2.0 s a run against 2.0 s)."
    )


@pytest.mark.parametrize(("puzzles", "differs"), [(5, False), (6, True)])
def test_too_few_puzzles_for_significance_are_reported(puzzles: int, differs: bool) -> None:
    found = find(comparison({"a": by(0, puzzles), "b": by(50, puzzles)}))
    too_few = (
        "Too few puzzles to tell: 5, where at least 6 are needed. "
        "b has 51.2 points more than a on average (2.0 s a run"
    )
    assert found.answer.startswith("b is best" if differs else too_few)
    with_baseline = find(comparison({"a": by(0, puzzles), "b": by(50, puzzles)}, "a")).answer
    assert with_baseline.startswith("Too few puzzles to tell: 5, ") is not differs
    assert "Against a on these" in with_baseline
    assert "which is not significant" not in with_baseline
    many = comparison({name: by(50 * place, puzzles) for place, name in enumerate("abc")})
    for pair in many.pairs:
        assert (pair.p_holm, pair.low) == (3 * pair.p, None)
    assert find(many).answer.startswith(
        f"Too few puzzles to tell: {puzzles}, where at least 7 are needed for 3 pairs, "
        "fewer with --baseline. "
    )


def test_one_strategy_or_none_or_no_common_puzzle_is_said_plainly() -> None:
    assert find(comparison({"a": [900, 902]})).answer == (
        "a scores 901.0 points on average on these 2 puzzles, 0.0 below the best known; "
        "there is no other strategy to compare it with."
    )
    assert (
        find(comparison({"a": ["x"], "b": ["x"]})).answer
        == "Every run failed, all 2: there is nothing to compare."
    )
    apart = comparison({"a": [900, None], "b": [None, 901]})
    assert find(apart).answer == "No two strategies to compare have run the same puzzle."
    assert find(apart).notes == (
        "Left out: b, without a run on some of the puzzles that the others are compared on.",
        "Left out: 1 puzzle without a run of some strategy (p1).",
    )
    assert pair_table(apart.pairs).cells == []
    assert puzzle_table(apart.outcomes).cells == [["p0", "900.0", "-"], ["p1", "-", "901.0"]]


def test_a_strategy_whose_runs_fail_does_not_lead() -> None:
    found = comparison({"a": [910, "exit 1", "exit 1"], "b": [900, 900, 900]})
    assert find(found).answer.startswith(
        "2 of 6 runs failed and count as 0 points (a 2). "
        "Too few puzzles to tell: 3, where at least 6 are needed. b has 596.7 points more"
    )
    assert puzzle_table(found.outcomes).cells[1] == ["p1", "0.0 (1 failed)", "900.0"]
    figures = json.loads(json_text(found), parse_constant=pytest.fail)
    assert figures["means"] == {
        "a": {"p0": 910, "p1": 0, "p2": 0},
        "b": {"p0": 900, "p1": 900, "p2": 900},
    }
    whole = comparison({"a": ["exit 1"], "b": [900]})
    assert find(whole).answer.endswith(" b has 900.0 points more than a on average.")
    assert sections_of(whole)[0].table.cells[0][:3] == ["a", "1", "1"]


def test_with_a_baseline_the_answer_is_what_each_strategy_has_more_or_fewer() -> None:
    scores = {"a": by(0), "b": by(12), "c": by(-40), "d": by(0), "e": by(-50), "f": by(3)}
    answer = find(comparison(scores, "a")).answer
    assert answer.startswith(
        "Against a on these 11 puzzles: b has 12.1 points more than a on average (95 % interval "
    )
    assert "; f has 3.1 points more than a on average (95 % interval " in answer
    assert (
        "; d has the same mean as a (2.0 s a run against 2.0 s); "
        "c has 39.9 points fewer than a on average " in answer
    )
    assert answer.endswith("; the table has the other 1.")
    close = find(
        comparison({"a": by(0), "b": [score + JITTER[i] for i, score in enumerate(by(0))]}, "b")
    )
    assert close.answer.startswith(
        "Against b on these 11 puzzles: a has 0.1 points fewer than b on average (95 % interval "
    )
    assert close.answer.endswith("), which is not significant.")
    assert close.notes[0].startswith(
        "To show the observed difference of 0.1 points between a and b "
    )


def test_runs_that_were_never_made_are_counted() -> None:
    found = comparison({"a": [900, 901], "b": [800, 801]})
    more = make_figures([*found.outcomes, run_of(label="a", puzzle_name="p0", seed=1)], {})
    note = "Runs are missing (b lacks 1 of 3); the means are over the runs that were made."
    assert find(more).notes[-1] == note
    assert not any("missing" in note for note in find(found).notes)


def test_versions_of_rowdraw_are_named_where_they_differ() -> None:
    codes = {"a": "0123456789abcdef+1", "b": "0123456789abcdef+2", "c": "fedcba9876543210"}
    outcomes = [run_of(label=label, code=code, score=900) for label, code in codes.items()]
    note = (
        "Not all runs have the same version of rowdraw: a, b of code 01234567; c of code fedcba98."
    )
    assert find(make_figures(outcomes, {})).notes[-1] == note
    assert not any("version" in note for note in find(make_figures(outcomes[:2], {})).notes)


def test_runs_on_several_machines_are_noted() -> None:
    outcomes = [
        run_of(label=label, score=900, machine={"system": "Linux", "processor": processor})
        for label, processor in (("a", "fast"), ("b", "slow"))
    ]
    note = "Runs were made on 2 machines, so times and scores may not compare."
    assert find(make_figures(outcomes, {})).notes[-1] == note
    assert note not in find(make_figures(outcomes[:1], {})).notes


def test_a_strategy_that_counts_no_rack_under_a_budget_of_racks_is_named() -> None:
    runs = [
        run_of(label=label, racks=racks, budget="500racks", score=7)
        for label, racks in (("mine", 0), ("greedy", 9))
    ]
    notes = find(make_figures(runs, {})).notes
    assert "1 run counted no rack, so no limit in racks applied (mine 1)." in notes


def traced(label: str, puzzle: str, *trace: tuple[float, int], **more: Any) -> Outcome:
    """A run that had scores after a number of seconds each."""
    points = [[at, 9, score] for at, score in trace]
    score = trace[-1][1] if trace else 0
    return run_of(label=label, puzzle_name=puzzle, score=score, trace=points, **more)


def test_late_answers_do_not_count_and_are_named() -> None:
    second = {"budget": "1s"}
    late = [4.0, 9, 1042]
    later = [1.06, 9, 1042]
    runs = [
        traced("fast", "p", (0.5, 946), (1.04, 950), **second),
        traced("fast", "q", (0.5, 946), **second),
        traced("slow", "p", (0.9, 96), seconds=4.0, late=[late], **second),
        traced("slow", "q", seconds=1.06, late=[later], **second),
    ]
    found = make_figures(runs, {})
    fast, slow = found.summaries
    assert (fast.mean, fast.wins, slow.mean, slow.wins) == (948, 2, 48, 0)
    assert slow.efforts["best"] == Effort(None, None)
    assert [summary.gap_to_best for summary in found.summaries] == [0.0, 900.0]
    assert find(found).notes[-1] == ("Answers of 2 runs came too late and do not count (slow 2).")


def test_runs_that_had_no_processor_are_named_unless_racks_limit_them() -> None:
    runs = [
        traced("starved", "p", (1.0, 90), cpu_seconds=0.5),
        traced("fed", "p", (1.0, 90), cpu_seconds=1.9),
        traced("short", "p", (0.1, 90), seconds=0.2, cpu_seconds=0.0),
        traced("counted", "p", (1.0, 90), cpu_seconds=0.5, budget="9racks"),
        traced("unmeasured", "p", (1.0, 90)),
    ]
    named = [note for note in find(make_figures(runs, {})).notes if "processor" in note]
    assert len(named) == 1
    assert named[0].startswith(
        "1 run had a processor for less than half of the time (starved 1), so"
    )
