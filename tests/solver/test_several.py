"""The best distinct answers, games that are continued, and the analysis of games."""

from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.errors import StrategyError
from solver.index.problem import Problem
from solver.model.puzzle import Lexicon
from solver.model.solution import Solution, Turn
from solver.search.beam import Beam, BeamParameters, Widening
from solver.search.greedy import Greedy
from solver.search.run import Progress, Run
from solver.search.several import best_answers
from solver.solving.analysis import Analysis, Review
from solver.solving.order import Order
from tests.puzzles import problem_of
from tests.reference import VALUES, best_by_tiles, draws, rest_of
from verify import judge

ALL = BeamParameters(width=100_000, fishing=0)


def analysis_of(problem: Problem, game: Solution, run: Run, width: int) -> Analysis:
    review = Review(game, BeamParameters(width))
    review.search(problem, run)
    return review.analysis()


def greedy_game(problem: Problem) -> Solution:
    run = Run()
    Greedy().search(problem, run)
    return run.incumbent


rows = st.text("abestz?", min_size=2, max_size=11)


def small(lexicon: Lexicon, row: str) -> Problem:
    return problem_of(lexicon.words, row, 5, VALUES)


Outline = tuple[tuple[int, str, str, int], ...]  # of turns: left draws, tiles, word, score


def games(
    words: tuple[str, ...], row: str, size: int, left: int = 0, right: int = 0, leave: str = ""
) -> Iterator[Outline]:
    """Every game to its end, a play as it scores most. Of draws that empty the row, one."""
    ended = True
    options = [*draws(row, left, right, leave, size)]
    if sum(options[0][:2]) == len(row):
        del options[1:]
    for now, behind, rack in options:
        for word in words:
            for tiles, score in best_by_tiles(rack, [word]).items():
                ended = False
                for rest in games(words, row, size, now, behind, rest_of(rack, tiles)):
                    yield ((now - left, tiles, word, score), *rest)
    if ended:
        yield ()


def outline(game: Solution) -> Outline:
    return tuple(
        (turn.left, "".join(sorted(turn.play)), turn.word, turn.score) for turn in game.turns
    )


@settings(max_examples=15)
@given(row=st.text("abestz?", min_size=2, max_size=7), most=st.none() | st.integers(1, 30))
def test_the_best_answers_are_the_first_of_all_games_or_all_that_tie(
    small_lexicon: Lexicon, row: str, most: int | None
) -> None:
    problem = problem_of(small_lexicon.words, row, 4, VALUES)
    every = {game: total(game) for game in games(small_lexicon.words, row, 4)}
    found = best_answers(problem, Run(), ALL, most)
    scores = sorted(every.values(), reverse=True)
    assert [game.score for game in found] == scores[: most or scores.count(scores[0])]
    assert len({outline(game) for game in found}) == len(found)
    assert all(every[outline(game)] == game.score for game in found)


def total(game: Outline) -> int:
    return sum(score for *_play, score in game)


@pytest.mark.parametrize("fishing", [0.0, 5.0])
def test_answers_of_a_narrow_beam_are_distinct_and_confirmed_by_the_referee(
    challenge: Problem, fishing: float
) -> None:
    found = best_answers(challenge, Run(), BeamParameters(width=100, fishing=fishing), 40)
    assert len({game.text() for game in found}) == 40
    assert [game.score for game in found] == sorted((game.score for game in found), reverse=True)
    for game in found:
        verdict = judge(game.text(), challenge.rules)
        assert (verdict.valid, verdict.score) == (True, game.score)


def test_a_game_of_a_pair_of_turns_and_of_the_state_between_them_counts_once(
    challenge: Problem,
) -> None:
    # the beam plays two turns at once, and also keeps the state between them
    words = challenge.lexicon.words
    problem = problem_of(words, "?rlddugse?rahegux?e?olfisbh?b", 6, VALUES)
    beam = BeamParameters(width=81, fishing=20)
    found = best_answers(problem, Run(), beam, 60)
    assert len({game.text() for game in found}) == 60


@pytest.mark.parametrize("most", [None, 1, 3])
def test_answers_of_a_beam_that_was_cut_short_begin_with_the_best_that_it_met(
    challenge: Problem, most: int | None
) -> None:
    problem = problem_of(challenge.lexicon.words, "agttbdda?lr?dobesaaaznatzot", 7, VALUES)
    run = Run(rack_budget=500)
    found = best_answers(problem, run, BeamParameters(width=81), most)
    assert found[0].score == run.incumbent.score == max(game.score for game in found)
    assert len({game.text() for game in found}) == len(found) <= (most or 1)
    assert judge(found[0].text(), problem.rules).valid


def test_a_beam_leaves_time_for_the_answers_besides_the_best_one(challenge: Problem) -> None:
    deadlines: dict[str, set[float | None]] = {}

    def watch(run: Run, progress: Progress) -> None:
        deadlines.setdefault(progress.label.split()[0], set()).add(run.deadline)

    assert (
        len(best_answers(challenge, Run(seconds=600, watch=watch), BeamParameters(width=50), 2))
        == 2
    )
    assert deadlines["answers"] == {600}
    assert all(deadline is not None and deadline < 500 for deadline in deadlines["beam"])


def test_a_search_for_several_answers_that_is_ended_early_gives_the_best_one_at_once_and_says_so(
    challenge: Problem,
) -> None:
    said: list[str] = []

    def watch(run: Run, progress: Progress) -> None:
        if progress.done > 50:
            run.interrupt()

    run = Run(watch=watch, say=said.append)
    assert best_answers(challenge, run, BeamParameters(width=100), 3) == [run.incumbent]
    assert said == ["the search has ended before it had 3 answers"]


@settings(max_examples=15)
@given(
    row=rows, count=st.integers(0, 3), strategy=st.sampled_from([Greedy(), Beam(ALL), Widening()])
)
def test_a_game_is_gone_on_with_after_its_first_turns(
    small_lexicon: Lexicon, row: str, count: int, strategy: Greedy | Beam | Widening
) -> None:
    problem = small(small_lexicon, row)
    first = greedy_game(problem)
    opening = first.turns[:count]
    run = Run(opening=opening, rack_budget=20_000)
    strategy.search(problem, run)
    assert run.incumbent.turns[: len(opening)] == opening
    if not isinstance(strategy, Greedy):
        assert run.incumbent.score >= first.score
    if run.incumbent.turns:
        assert judge(run.incumbent.text(), problem.rules).valid


@settings(max_examples=15)
@given(row=rows)
def test_an_analysis_adds_up_and_its_better_turns_are_better(
    small_lexicon: Lexicon, row: str
) -> None:
    problem = small(small_lexicon, row)
    game = greedy_game(problem)
    analysis = analysis_of(problem, game, Run(), 100_000)
    best = Run()
    Beam(ALL).search(problem, best)
    assert analysis.first == 0
    assert analysis.reachable == analysis.best.score == best.incumbent.score
    last = analysis.turns[-1].reachable if analysis.turns else 0
    assert analysis.reachable - sum(turn.lost for turn in analysis.turns) == max(game.score, last)
    for number, turn in enumerate(analysis.turns):
        assert turn.lost >= 0
        assert (turn.better is None) == (turn.lost == 0)
        if turn.better is not None:
            run = Run(opening=(*game.turns[:number], turn.better))
            Beam(ALL).search(problem, run)
            assert run.incumbent.score == turn.reachable + turn.lost


def test_an_interrupted_analysis_tells_of_the_last_turns(challenge: Problem) -> None:
    game = greedy_game(challenge)
    analysis = analysis_of(challenge, game, Run(rack_budget=3_000), 50)
    assert 0 < analysis.first < len(game.turns)
    assert len(analysis.turns) == len(game.turns) - analysis.first


def test_a_turn_that_only_a_beam_from_further_back_sees_through_has_lost_nothing(
    challenge: Problem,
) -> None:
    problem = problem_of(challenge.lexicon.words, "zltszrrzzooabdbist", 7, VALUES)
    analysis = analysis_of(problem, greedy_game(problem), Run(), 3)
    assert all(turn.better != turn.turn for turn in analysis.turns)
    lost = sum(turn.lost for turn in analysis.turns)
    assert analysis.reachable - lost == analysis.turns[-1].reachable


def test_strategies_that_begin_every_game_themselves_are_refused_an_opening(
    challenge: Problem,
) -> None:
    from solver.bound.sweeps.exact import Exact

    with pytest.raises(StrategyError, match="exact cannot continue a game"):
        Order(Exact(), after=(Turn(0, "tea", "tea", 6),)).chosen(challenge)
