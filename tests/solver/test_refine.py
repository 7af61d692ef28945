"""Refinement, what it chooses from, and what a beam remembers for it."""

import itertools
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.errors import StrategyError
from solver.index.problem import Problem
from solver.model.puzzle import Lexicon, load_puzzle
from solver.model.solution import Turn
from solver.model.tiles import N_CODES, decode
from solver.refine.refine import Pool, RefineParameters, _better, refine
from solver.search.beam import BeamParameters, BeamRun
from solver.search.greedy import Greedy
from solver.search.run import Run
from solver.solving.result import confirm
from solver.solving.solve import search
from solver.solving.strategies import make_strategy
from tests.puzzles import problem_of
from tests.reference import VALUES, best_by_tiles, optimum

ROW = "tea?seatbaesttajetoeze?ta"


def small(lexicon: Lexicon, row: str = ROW, rack: int = 5) -> Problem:
    return problem_of(lexicon.words, row, rack, VALUES)


def beam_of(problem: Problem, width: int) -> BeamRun:
    with ThreadPoolExecutor(1) as threads:
        beam = BeamRun(problem, Run(), BeamParameters(width), threads)
        beam.search(width)
    return beam


def greedy_run(problem: Problem, seed: int = 0) -> Run:
    run = Run(seed=seed)
    Greedy().search(problem, run)
    return run


@settings(max_examples=15)
@given(row=st.text("abetsz?", min_size=1, max_size=9))
def test_refinement_is_never_worse_and_never_above_the_optimum(
    small_lexicon: Lexicon, row: str
) -> None:
    problem = small(small_lexicon, row, 4)
    run = greedy_run(problem)
    before = run.incumbent.score
    refine(problem, run, RefineParameters(effort=0.2, plays=20))
    assert before <= run.incumbent.score <= optimum(row, 4, small_lexicon.words)
    assert not run.incumbent.turns or confirm(problem.rules, run.incumbent)


def test_refinement_improves_a_greedy_answer_and_gives_the_same_one_again() -> None:
    problem = Problem(load_puzzle("shuffled-01"))
    found = []
    for _ in range(2):
        run = greedy_run(problem, 5)
        before = run.incumbent.score
        refine(problem, run, RefineParameters(effort=0.5))
        assert run.incumbent.score > before
        assert confirm(problem.rules, run.incumbent).valid
        found.append(run.incumbent)
    assert found[0] == found[1]


@pytest.mark.parametrize(
    "row", ["sat???eez?sozasaa", "jetoboaz??zbbobja", "t??atzzsoaesot?eotb", "sateosabazbsojetosb"]
)
def test_freed_turns_leave_the_later_turns_the_tiles_that_they_play(
    small_lexicon: Lexicon, row: str
) -> None:
    problem = small(small_lexicon, row)
    run = greedy_run(problem)
    turns = run.incumbent.turns
    pool = Pool(problem, beam_of(problem, 50).history.plays())
    # without that condition, CP-SAT finds plays in these windows that take tiles from later turns
    for first, stop in itertools.combinations(range(len(turns)), 2):
        window = range(first, stop)
        better, _took = _better(problem, run, pool, window, RefineParameters(), 5.0)
        if better is not None:
            kept = turns[stop:]
            words = [turn.word for turn in better.turns[-len(kept) :]]
            assert words == [turn.word for turn in kept]
            assert confirm(problem.rules, better).valid


def test_a_time_limit_is_shared_between_search_and_refinement(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # a clock that goes on by a hundredth of a second whenever it is read
    ticks = itertools.count()
    monkeypatch.setattr("solver.search.run.time.perf_counter", lambda: next(ticks) / 100)
    problem = Problem(load_puzzle("shuffled-02"))
    labels: list[str] = []
    run = Run(seconds=40.0, started=0.0, watch=lambda _run, progress: labels.append(progress.label))
    result = search(problem, make_strategy("widening"), run, RefineParameters())
    assert any(label.startswith("refine") for label in labels)
    assert run.seconds == 40.0
    assert not result.complete
    assert result.parameters["refine_workers"] == 1
    assert confirm(problem.rules, result.solution).valid


def test_the_history_of_a_beam_promises_what_it_reached(small_lexicon: Lexicon) -> None:
    beam = beam_of(small(small_lexicon), 50)
    assert len(beam.history.plays().played) > 20
    promise = beam.history.promise().values()
    assert max(int(best.max(initial=0)) for best in promise) == beam._run.incumbent.score


@given(available=st.text("abetsz?", max_size=10))
@settings(max_examples=20)
def test_the_pool_offers_only_what_the_tiles_allow(small_lexicon: Lexicon, available: str) -> None:
    problem = small(small_lexicon)
    pool = Pool(problem, beam_of(problem, 20).history.plays())
    have = Counter(available)
    counts = np.array([have[decode([code])] for code in range(N_CODES)], dtype=np.int64)
    offered = pool.best(counts, 4, 12)
    assert len({candidate.tiles for candidate in offered}) == len(offered)
    expected = best_by_tiles(available, small_lexicon.words)
    for candidate in offered:
        assert expected["".join(sorted(decode(candidate.tiles)))] == candidate.score
    assert len(offered) >= min(3, len(expected)) or not expected


def test_refinement_says_when_it_cannot_work(small_lexicon: Lexicon) -> None:
    with pytest.raises(StrategyError, match="at most 10 tiles"):
        refine(small(small_lexicon, rack=12), Run(), RefineParameters())
    with pytest.raises(StrategyError, match="expected"):
        RefineParameters(workers=0)


def test_a_beam_from_another_place_is_not_held_to_the_floors_of_the_last_one() -> None:
    problem = Problem(load_puzzle("shuffled-03"))
    run = greedy_run(problem)
    before = run.incumbent.turns[:4]

    def layers_of_the_last(*openings: tuple[Turn, ...]) -> dict[int, int]:
        with ThreadPoolExecutor(1) as threads:
            beam = BeamRun(problem, run, BeamParameters(300), threads)
            for opening in openings:
                beam.search(300, opening)
        return {played: len(layer.key) for played, layer in beam.history._layers.items()}

    assert layers_of_the_last((), (), before) == layers_of_the_last(before)


def test_refinement_ends_once_all_turns_were_free_in_vain(small_lexicon: Lexicon) -> None:
    problem = small(small_lexicon, ROW[:16])
    run = Run(seconds=120)  # the effort alone would last for days
    refine_all = make_strategy("refined:effort=100000,plays=10")
    refine_all.search(problem, run)
    assert not run.is_over
    assert confirm(problem.rules, run.incumbent).valid


def test_a_refined_answer_is_a_strategy_that_starts_greedily_or_from_a_beam(
    small_lexicon: Lexicon,
) -> None:
    problem = small(small_lexicon)
    for settings_, start in (("effort=0.1", "greedy"), ("effort=0.1,width=4", "beam:width=4")):
        run, before = Run(), Run()
        make_strategy(f"refined:{settings_}").search(problem, run)
        make_strategy(start).search(problem, before)
        assert [point.score for point in before.trace] == [point.score for point in run.trace][
            : len(before.trace)
        ]
        assert run.racks > before.racks
    for settings_ in ("width=-1", "effort=0", "plays=0", "width=100000000"):
        with pytest.raises(StrategyError, match=settings_.split("=")[0]):
            make_strategy(f"refined:{settings_}")
