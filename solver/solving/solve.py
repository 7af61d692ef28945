"""Solve a puzzle: search, let the referee judge, hand out."""

from collections.abc import Callable
from dataclasses import asdict
from typing import TYPE_CHECKING

from solver.errors import RefereeDisagreementError
from solver.index.problem import Problem
from solver.model.solution import Solution, Turn
from solver.search.run import Run
from solver.search.strategy import Strategy
from solver.solving.result import Result
from verify import Rules, Verdict, judge

if TYPE_CHECKING:
    from solver.refine.refine import RefineParameters


def solve(problem: Problem, strategy: Strategy, run: Run, refinement: "RefineParameters | None" = None) -> Result:
    """Search `problem` with `strategy` until it is done or `run` is over, then refine what it found if that is asked for.

    Where there is a time limit the refinement has the second half of it.
    """
    limit = run.seconds
    if refinement is not None and limit is not None:
        run.seconds = limit / 2
    strategy.search(problem, run)
    run.seconds = limit
    if refinement is not None and not run.is_over:
        from solver.refine.refine import refine

        refine(problem, run, refinement)
    return Result(
        puzzle=problem.puzzle.source or problem.puzzle.name,
        row=problem.puzzle.row if problem.puzzle.own_row else None,
        solution=run.incumbent,
        strategy=strategy.name,
        parameters=asdict(strategy.parameters)
        | ({f"refine_{name}": value for name, value in asdict(refinement).items()} if refinement else {}),
        seed=run.seed,
        threads=run.threads,
        seconds=run.elapsed,
        racks=run.racks,
        complete=not run.is_over,
        trace=tuple(run.trace),
        bound=run.bound,
    )


def confirm(problem: Problem, result: Result, referee: Callable[[bytes, Rules], Verdict] = judge) -> Verdict:
    """The referee's verdict on `result`. Raises `RefereeDisagreementError` unless it is the solver's own."""
    verdict = referee(result.solution.text().encode(), _rules(problem))
    if _agrees(verdict, result.solution):
        return verdict
    raise RefereeDisagreementError(
        f"the solver claims {result.solution.score} points for\n{result.solution.text()}the referee says\n{verdict.as_text()}"
    )


def is_confirmed(problem: Problem, solution: Solution) -> bool:
    """Whether the referee takes `solution` for a game of the score that it claims."""
    return _agrees(judge(solution.text().encode(), _rules(problem)), solution)


def _agrees(verdict: Verdict, solution: Solution) -> bool:
    # a row without a play has an answer without turns, which nobody would send in
    no_turns = not solution.turns and [fault.code for fault in verdict.violations] == ["empty"]
    return no_turns or (verdict.valid and verdict.score == solution.score)


def read_solution(problem: Problem, content: bytes) -> Solution:
    """The solution whose text is `content`. Raises `ValueError` with the first fault that the referee finds in it."""
    verdict = judge(content, _rules(problem))
    if not verdict.valid:
        fault = verdict.violations[0]
        raise ValueError(f"line {fault.line}: {fault.message}")
    return Solution(tuple(Turn(len(turn.left), turn.play, turn.word, turn.score) for turn in verdict.turns))


def _rules(problem: Problem) -> Rules:
    puzzle = problem.puzzle
    return Rules(puzzle.name, puzzle.row, puzzle.rack_size, puzzle.values, frozenset(problem.lexicon.words))
