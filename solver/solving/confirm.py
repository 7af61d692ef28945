"""The referee's confirmation: the solver returns no answer that the referee has not confirmed."""

from collections.abc import Sequence
from dataclasses import replace

from solver.errors import RefereeDisagreementError
from solver.index.problem import Problem
from solver.model.solution import Solution, Turn
from solver.solving.result import Result
from verify import Replay, Rules, Verdict, judge, judge_all
from verify.text import counted


def confirm(problem: Problem, result: Result, rules: Rules | None = None) -> Verdict:
    """Return the verdict on `result`. Raises `RefereeDisagreementError` unless it is valid with the score claimed."""
    verdict = judge(result.solution.text().encode(), rules or problem.rules)
    if _agrees(verdict, result.solution):
        return verdict
    text = result.text()
    views = f"the solver claims {result.score} points for\n{text}the referee says\n{verdict.as_text()}"
    raise RefereeDisagreementError(views, text)


def is_confirmed(problem: Problem, solution: Solution) -> bool:
    """Return whether the referee accepts `solution` with the score that it claims."""
    return _agrees(judge(solution.text().encode(), problem.rules), solution)


def _agrees(verdict: Verdict, solution: Solution) -> bool:
    # if no word can be played, the answer has no turns, which the referee calls an empty file
    no_turns = not solution.turns and [fault.code for fault in verdict.violations] == ["empty"]
    return no_turns or (verdict.valid and verdict.score == solution.score)


def read_solution(problem: Problem, content: bytes) -> Solution:
    """Return the solution whose text is `content`. Raises `ValueError` with the first fault that the referee finds."""
    verdict = judge(content, problem.rules)
    if not verdict.valid:
        fault = verdict.violations[0]
        raise ValueError(f"line {fault.line}: {fault.message}")
    return replayed(verdict)


def replayed(verdict: Verdict) -> Solution:
    """Return the solution that a verdict replays."""
    return Solution(_turns(verdict.turns))


def read_opening(problem: Problem, content: bytes, count: int | None, number: int | None = None) -> tuple[Turn, ...]:
    """Return the first `count` turns, None for all, of answer `number`, None for the only one, in `content`.

    Raises `ValueError` if the answer does not exist or has fewer turns, or with the referee's first fault in these turns.
    """
    verdicts = [judge(content, problem.rules)] if number is None else judge_all(content, problem.rules)
    if number is not None and number > len(verdicts):
        raise ValueError(f"it holds {counted(len(verdicts), 'answer')}: expected at least {number}")
    verdict = verdicts[(number or 1) - 1]
    turns = verdict.turns if count is None else verdict.turns[:count]
    if count is not None and len(turns) < count:
        raise ValueError(f"it has {len(turns)} turns: expected at least {count}")
    for fault in verdict.violations:
        if count is None or not turns or fault.line <= turns[-1].line:
            hint = ", or FILE#1 and so on" if fault.code == "several-answers" else ""
            raise ValueError(f"line {fault.line}: {fault.message}{hint}")
    return _turns(turns)


def _turns(replays: Sequence[Replay]) -> tuple[Turn, ...]:
    return tuple(Turn(len(turn.left), turn.play, turn.word, turn.score) for turn in replays)


def judged(problem: Problem, result: Result) -> Result:
    """Return `result` with the referee's verdict. Raises `RefereeDisagreementError` unless it is valid with that score."""
    return replace(result, verdict=confirm(problem, result), rules=problem.rules)
