"""Figures of strategies over the same puzzles; failed runs count, missing ones do not."""

import pytest

from solver.lab.compare.runs import Outcome
from solver.lab.compare.statistics import (
    Effort,
    comparable,
    gaps_at,
    known_scores,
    reached_at,
    summaries,
)
from solver.lab.records import BOOK, RUNS, Known
from tests.compare.runs import run_of


def outcome(label: str, puzzle: str, seed: int, score: int) -> Outcome:
    trace = [[0.5, 10, score - 5], [1.5, 900, score]]
    return run_of(
        label=label,
        puzzle_name=puzzle,
        seed=seed,
        score=score,
        budget="2s",
        racks=1000,
        trace=trace,
    )


RECORDS = [
    outcome("a", "challenge", 0, 1042),
    outcome("a", "challenge", 1, 1000),
    outcome("a", "other", 0, 900),
    outcome("b", "challenge", 0, 960),
    outcome("b", "challenge", 1, 950),
    outcome("b", "other", 0, 900),
    outcome("c", "challenge", 0, 930),
    outcome("c", "other", 0, 880),
    run_of(label="c", puzzle_name="other", seed=1, error="exit 1"),
]


def test_a_summary_has_the_figures_of_its_runs() -> None:
    before = {
        "challenge": Known(1010, 1200.5, BOOK, BOOK),
        "other": Known(910, best_from="results"),
        "third": Known(5),
    }
    known = known_scores(RECORDS, before)
    assert known == {
        "challenge": Known(1042, 1200.5, RUNS, BOOK),
        "other": Known(910, best_from="results"),
    }
    a, b, c = summaries(RECORDS, known)
    assert (a.label, a.runs, a.failed, a.best) == ("a", 3, 0, 1042)
    # puzzles count once: 1021 on the challenge and 900 on the other
    assert a.mean == (1021 + 900) / 2
    assert a.gap_to_best == pytest.approx((21 + 10) / 2)
    assert a.percent == pytest.approx((100 * 1021 / 1042 + 100 * 900 / 910) / 2)
    assert a.gap_to_bound is None  # the other puzzle has no bound
    bounded = known | {"other": Known(910, 920, BOOK, BOOK)}
    assert summaries(RECORDS, bounded)[0].gap_to_bound == pytest.approx(
        (1200.5 - 1021 + 920 - 900) / 2
    )
    assert (a.wins, a.ties, a.rank) == (1, 1, 1.25)
    assert (b.wins, b.ties, b.rank) == (0, 1, 1.75)
    assert (c.wins, c.ties, c.rank, c.runs, c.failed) == (0, 0, 3.0, 3, 1)
    assert a.racks_per_second == pytest.approx(500)


def test_a_strategy_with_next_to_no_runs_does_not_cost_the_others_their_puzzles() -> None:
    puzzles = "pqrstu"
    whole = [outcome(label, puzzle, 0, 500) for puzzle in puzzles for label in "ab"]
    begun = [*whole, outcome("c", "p", 0, 600)]
    assert comparable(begun) == whole
    # whoever asks for it now gets it, on what there is
    asked = comparable(begun, {"c"})
    assert {(run.label, run.puzzle_name) for run in asked} == {("a", "p"), ("b", "p"), ("c", "p")}
    assert comparable(begun, needed="c") == asked
    nearly = [*whole, *(outcome("c", puzzle, 0, 600) for puzzle in puzzles[:-1])]
    assert {run.label for run in comparable(nearly)} == {"a", "b", "c"}
    apart = [outcome("a", "p", 0, 500), outcome("b", "q", 0, 500)]
    assert comparable(apart) == apart[:1]
    assert comparable([]) == []


def test_the_effort_to_a_target_counts_what_unsuccessful_runs_spent() -> None:
    a, b, c = summaries(RECORDS, known_scores(RECORDS, {}))
    assert reached_at(RECORDS[0], 1037) == (0.5, 10)
    assert reached_at(RECORDS[0], 1042) == (1.5, 900)
    assert reached_at(RECORDS[0], 1043) is None
    assert reached_at(RECORDS[-1], 0) is None
    # one of three runs fails to reach the target, and takes 2 s and 1,000 racks
    assert a.efforts == {"99 %": Effort(1.5, 510), "best": Effort(2.5, 1400)}
    assert b.efforts["99 %"] == Effort(4.5, 2010)
    assert c.efforts["99 %"] == Effort(None, None)


def test_the_gap_of_a_run_is_that_of_its_best_answer_so_far_in_seconds_or_racks() -> None:
    assert gaps_at(RECORDS[0], 1050, [0.1, 0.5, 1.4, 9]) == [1050, 13, 13, 8]
    assert gaps_at(RECORDS[0], 1050, [9, 10, 899, 900], in_racks=True) == [1050, 13, 13, 8]
    assert gaps_at(RECORDS[-1], 1050, [0.1, 9]) == [1050, 1050]
