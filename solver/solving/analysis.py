"""What could still be reached after each turn of a game, and what each turn lost.

After every turn a beam looks for the best continuation. It finds a playable game, so the figures are lower limits of what could
be reached: a wider beam may find more.
"""

from dataclasses import dataclass
from itertools import accumulate

from solver.index.problem import Problem
from solver.model.solution import Solution, Turn
from solver.search.beam import BeamParameters, BeamRun
from solver.search.run import Run
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
        first: The number of the first turn analysed, from 0; more than 0 if the analysis was interrupted.
        reachable: The best final score found for a game that begins with the turns before that one.
        best: That game.
        turns: The turns analysed.
    """

    total: int
    first: int
    reachable: int
    best: Solution
    turns: tuple[AnalysedTurn, ...]


def analyse(problem: Problem, game: Solution, run: Run, width: int = WIDTH) -> Analysis:
    """Analyse `game` with beams of `width`, from its last turn to its first one, until that is done or `run` is over."""
    run.offer(game)
    # every game offered so far begins with the turns up to here, so the incumbent is the best of them
    best = {len(game.turns): game}
    with ThreadPool(run.threads) as pool:
        beams = BeamRun(problem, run, BeamParameters(width), pool)
        for played in range(len(game.turns), -1, -1):
            before = game.turns[:played]
            if not beams.search_piloted(width, before):
                break
            best[played] = run.incumbent
            # a beam may miss what an earlier one found: if the best game continues with the played turns, it can still be
            # reached after them
            for later in range(played + 1, len(game.turns) + 1):
                if run.incumbent.turns[:later] != game.turns[:later]:
                    break
                best[later] = run.incumbent
    first = min(best)
    totals = list(accumulate(turn.score for turn in game.turns))
    turns = tuple(_analysed(game.turns[number], totals[number], best, number) for number in range(first, len(game.turns)))
    return Analysis(game.score, first, best[first].score, best[first], turns)


def _analysed(turn: Turn, total: int, best: dict[int, Solution], number: int) -> AnalysedTurn:
    lost = best[number].score - best[number + 1].score
    return AnalysedTurn(turn, total, best[number + 1].score, lost, best[number].turns[number] if lost else None)
