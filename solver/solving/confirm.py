"""What the referee says about answers: the solver gives out no answer that the referee has not confirmed."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from solver.errors import RefereeDisagreementError
from solver.index.problem import Problem
from solver.model.solution import Solution, Turn
from solver.solving.result import Result
from verify import Rules, Verdict, judge, judge_all
from verify.text import counted


def confirm(problem: Problem, result: Result, referee: Callable[[bytes, Rules], Verdict] = judge) -> Verdict:
    """The referee's verdict on `result`. Raises `RefereeDisagreementError` unless it is valid with the score claimed."""
    verdict = referee(result.solution.text().encode(), problem.rules)
    if _agrees(verdict, result.solution):
        return verdict
    text = result.text()
    views = f"the solver claims {result.score} points for\n{text}the referee says\n{verdict.as_text()}"
    raise RefereeDisagreementError(views, text)


def is_confirmed(problem: Problem, solution: Solution) -> bool:
    """Whether the referee takes `solution` for a game of the score that it claims."""
    return _agrees(judge(solution.text().encode(), problem.rules), solution)


def _agrees(verdict: Verdict, solution: Solution) -> bool:
    # if no word can be played, the answer has no turns, which the referee calls an empty file
    no_turns = not solution.turns and [fault.code for fault in verdict.violations] == ["empty"]
    return no_turns or (verdict.valid and verdict.score == solution.score)


def read_solution(problem: Problem, content: bytes) -> Solution:
    """The solution whose text is `content`. Raises `ValueError` with the first fault that the referee finds in it."""
    verdict = judge(content, problem.rules)
    if not verdict.valid:
        fault = verdict.violations[0]
        raise ValueError(f"line {fault.line}: {fault.message}")
    return replayed(verdict)


def replayed(verdict: Verdict) -> Solution:
    """The solution that a verdict replays."""
    return Solution(tuple(Turn(len(turn.left), turn.play, turn.word, turn.score) for turn in verdict.turns))


def read_opening(problem: Problem, content: bytes, count: int | None, number: int | None = None) -> tuple[Turn, ...]:
    """The first `count` turns of the game whose text is `content`; all of them for None.

    number: which answer of a text with several, from 1; None for a text with one.

    Raises `ValueError` if there is no such answer, if the game has fewer turns, or with the first fault that the referee finds
    in these turns.
    """
    verdict = judge(content, problem.rules) if number is None else _one_of(judge_all(content, problem.rules), number)
    turns = verdict.turns if count is None else verdict.turns[:count]
    if count is not None and len(turns) < count:
        raise ValueError(f"it has {len(turns)} turns: expected at least {count}")
    for fault in verdict.violations:
        if count is None or not turns or fault.line <= turns[-1].line:
            told = ", or FILE#1 and so on" if fault.code == "several-answers" else ""
            raise ValueError(f"line {fault.line}: {fault.message}{told}")
    return tuple(Turn(len(turn.left), turn.play, turn.word, turn.score) for turn in turns)


def _one_of(verdicts: Sequence[Verdict], number: int) -> Verdict:
    """The verdict on that answer, from 1. Raises `ValueError` if there are fewer."""
    if number > len(verdicts):
        raise ValueError(f"it holds {counted(len(verdicts), 'answer')}: expected at least {number}")
    return verdicts[number - 1]


def judged(problem: Problem, result: Result) -> Result:
    """`result` with the referee's verdict. Raises `RefereeDisagreementError` unless it is valid with the score claimed."""
    return replace(result, verdict=confirm(problem, result), rules=problem.rules)
