"""What could still be reached after each turn of a game, and what each turn lost.

As text, as JSON, and for its page.

After every turn a beam looks for the best continuation. It finds a playable game, so the figures
are lower limits of what could be reached: a wider beam may find more.
"""

from dataclasses import asdict, dataclass, field
from typing import Any

import click

from solver.errors import RowdrawError
from solver.index.problem import Problem
from solver.model.solution import Solution, Turn
from solver.search.beam import BeamParameters, BeamRun
from solver.search.run import Ending, Run
from solver.solving.order import Order, Reports
from solver.solving.solve import carry_out
from verify.text import printable
from verify.threads import ThreadPool

WIDTH, DEEP_WIDTH = 2_000, 20_000


@dataclass(frozen=True)
class AnalysedTurn:
    """One turn of a game.

    Attributes:
        total: The score of the game after it.
        reachable: The best final score found for a game that begins with the turns up to here.
        lost: How much less that is than before the turn.
        better: The turn with which the best game found continues instead; None if nothing was lost.
    """

    turn: Turn
    total: int
    reachable: int
    lost: int
    better: Turn | None


@dataclass(frozen=True)
class Analysis:
    """A game, turn by turn.

    Attributes:
        total: The score of the game.
        first: The number of the first turn analysed, from 0; more than 0 if the analysis was
            interrupted.
        reachable: The best final score found for a game that begins with the turns before that one.
        best: That game.
        turns: The turns analysed.
    """

    total: int
    first: int
    reachable: int
    best: Solution
    turns: tuple[AnalysedTurn, ...]


@dataclass
class Review:
    """A strategy that continues a game from each of its positions, from the last to the first.

    Attributes:
        game: The game.
        parameters: Those of the beams.
        best: The best game found that begins with the first K turns of the game, by K.
    """

    Parameters = BeamParameters
    game: Solution
    parameters: BeamParameters
    name: str = "analysis"
    best: dict[int, Solution] = field(default_factory=dict)

    def search(self, problem: Problem, run: Run) -> None:
        """Offer the best continuations, until all positions are done or the run is over."""
        game = self.game
        run.offer(game)
        # every game offered so far begins with the turns up to here, so the incumbent is the best
        # of them
        self.best[len(game.turns)] = game
        width = self.parameters.width
        with ThreadPool(run.threads) as pool:
            beams = BeamRun(problem, run, self.parameters, pool)
            for played in range(len(game.turns), -1, -1):
                if not beams.search_piloted(width, game.turns[:played]):
                    break
                self.best[played] = run.incumbent
                # a beam may miss what an earlier one found: if the best game continues with the
                # played turns, it can still be reached after them
                for later in range(played + 1, len(game.turns) + 1):
                    if run.incumbent.turns[:later] != game.turns[:later]:
                        break
                    self.best[later] = run.incumbent

    def analysis(self) -> Analysis:
        """Return what was found, once the search has ended."""
        first = min(self.best)
        total = Solution(self.game.turns[:first]).score
        analysed = []
        for number, turn in enumerate(self.game.turns[first:], start=first):
            before = self.best[number]
            after = self.best[number + 1]
            total += turn.score
            lost = before.score - after.score
            better = before.turns[number] if lost else None
            analysed.append(AnalysedTurn(turn, total, after.score, lost, better))
        best = self.best[first]
        return Analysis(self.game.score, first, best.score, best, tuple(analysed))


def analyse_game(
    problem: Problem,
    turns: tuple[Turn, ...],
    ending: Ending,
    reports: Reports,
    *,
    threads: int | None = None,
    deep: bool = False,
) -> Analysis:
    """Analyse a game, until that is done or `ending` stops it.

    A deep one keeps ten times the states.
    """
    review = Review(Solution(turns), BeamParameters(DEEP_WIDTH if deep else WIDTH))
    if not turns:
        raise RowdrawError("the game has no turns, so there is nothing to analyse")
    carry_out(problem, Order(review, threads=threads), ending, reports)
    return review.analysis()


_MUCH = 10  # points that a turn may lose before its line is red


def analysis_text(analysis: Analysis, name: str) -> str:
    """Return a line for each turn: its score, what it left within reach, and what it lost.

    It is styled for a terminal; `click.echo` strips the styles elsewhere.
    """
    width = max((len(str(turn.turn)) for turn in analysis.turns), default=4)
    lines = [f"{'turn':>4}  {'played':{width}}  score  total  reachable  lost  better"]
    if analysis.first:
        lines.append(f"      turns 1 to {analysis.first} were not analysed")
    for number, turn in enumerate(analysis.turns, start=analysis.first + 1):
        lines.append(_line(number, turn, width))
    return "\n".join([*lines, "", _summary(analysis, printable(name)), ""])


def _line(number: int, turn: AnalysedTurn, width: int) -> str:
    lost = f"{turn.lost:4}" if turn.lost else "   -"
    figures = f"{turn.turn.score:5}  {turn.total:5}  {turn.reachable:9}  {lost}"
    line = f"{number:4}  {turn.turn!s:{width}}  {figures}  {turn.better or ''}"
    return click.style(line.rstrip(), fg="red" if turn.lost >= _MUCH else None)


def _summary(analysis: Analysis, name: str) -> str:
    total = analysis.total
    if not analysis.turns and analysis.first:
        return f"{name}: {total} points; it was stopped before a turn was analysed."
    left = (analysis.turns[-1].reachable if analysis.turns else analysis.reachable) - total
    if analysis.reachable == total:
        return f"{name}: {total} points, and nothing better was found."
    after = f" after turn {analysis.first}" if analysis.first else ""
    text = f"{name}: {total} points, {analysis.reachable} could be reached{after}."
    worst = max(analysis.turns, key=lambda turn: turn.lost, default=None)
    if worst is not None and worst.lost:
        number = analysis.first + analysis.turns.index(worst) + 1
        text += f" Turn {number} lost most, {worst.lost}: '{worst.better}' would not have."
    return text + (f" The game can go on for {left} more." if left else "")


def analysis_fields(analysis: Analysis, puzzle: str, name: str) -> dict[str, Any]:
    """Return the analysis of a game called `name` as the fields of JSON, which its page shows."""
    return {
        "puzzle": puzzle,
        "first_turn": analysis.first + 1,
        "reachable": analysis.reachable,
        "best": list(map(str, analysis.best.turns)),
        "turns": [
            asdict(turn) | {"better": turn.better and str(turn.better)} for turn in analysis.turns
        ],
        "summary": _summary(analysis, name),
    }
