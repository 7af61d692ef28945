"""Large-neighbourhood search on a finished solution: some turns are freed, the others keep their plays."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from solver.errors import RefereeDisagreementError, StrategyError
from solver.index.problem import Problem
from solver.model.solution import Solution, Turn
from solver.model.tiles import N_CODES, Counts, counts_of, encode
from solver.refine.model import Chosen, Rest, Slot, new_solver, solve_window
from solver.refine.parameters import RefineParameters
from solver.refine.pool import Pool, candidate_of
from solver.search.beam import Beam, BeamParameters, BeamRun, check_width
from solver.search.greedy import Greedy
from solver.search.hand import Hand, after, after_all, turn_of
from solver.search.history import SeenPlays
from solver.search.run import Run
from verify.threads import ThreadPool

_SPARE = 6  # the plays offered to a freed turn may use this many more tiles from each end than are drawn
_REACH = 14  # the most tiles by which the draws may change at each end
_WIDTH, _GROWTH, _WIDEST = 600, 2, 1_000_000  # of the beams that look for a better end: first width, growth per pass, limit
_SEEN_WIDTH = 300  # the width of the beams whose plays CP-SAT may choose from
_SMALLEST = 3  # the number of turns freed in the first pass; each pass frees one more
_LEAST, _LONGEST = 0.02, 0.5  # the least and the most effort for one window
_EFFORT_OF_RACK = 1e-5  # counts the work of beams as effort too, without a clock, so that runs are repeatable


def refine(problem: Problem, run: Run, parameters: RefineParameters) -> None:
    """Improve the incumbent of `run` until the effort is spent or the run is over.

    A pass goes through the turns of the game. At each turn a beam looks for a better rest of the game. Then CP-SAT looks for
    better plays in the next turns, among those that a narrow beam saw and those of highest worth. The beams grow wider with
    each pass, because a beam of the same width would find the same game. A solution is replayed turn by turn before it becomes
    the incumbent.

    Raises:
        StrategyError: The rack is too large for the closed index.
    """
    if not problem.has_closed_index:
        raise StrategyError(f"refinement needs a rack of at most 10 tiles: this one holds {problem.puzzle.rack_size}")
    with ThreadPool(run.threads) as threads:
        passes = _Passes(problem, run, parameters, threads)
        size, width, racks = _SMALLEST, _WIDTH, 0
        while passes.go_on:
            score, before = run.incumbent.score, run.racks
            passes.once(size, width)
            racks, last = run.racks - before, racks
            if run.incumbent.score == score and racks == last and size >= len(run.incumbent.turns):
                break  # all turns were free and no beam expanded more racks, so another pass would find nothing new
            size, width = size + 1, min(_WIDEST, width * _GROWTH)


class _Passes:
    """The state that the passes over a game share."""

    def __init__(self, problem: Problem, run: Run, parameters: RefineParameters, threads: ThreadPoolExecutor) -> None:
        self._problem, self._run, self._parameters = problem, run, parameters
        self._spent = 0.0
        self._fishing = BeamRun(problem, run, BeamParameters(), threads)
        # without fishing, because CP-SAT chooses each play by itself
        self._beams = BeamRun(problem, run, BeamParameters(fishing=0), threads)
        self._seen: dict[tuple[Turn, ...], SeenPlays] = {}

    @property
    def go_on(self) -> bool:
        return self._spent < self._parameters.effort and bool(self._run.incumbent.turns) and not self._run.is_over

    def once(self, size: int, width: int) -> None:
        """Make one pass: at each turn a beam of `width` for the rest of the game, then CP-SAT for the next `size` turns."""
        run, effort = self._run, self._parameters.effort
        # from the first turn on, so that later windows start from a rest that is better already
        for start in range(max(1, len(run.incumbent.turns) - 1)):
            before = run.incumbent.turns[:start]
            if not self.go_on or start >= len(run.incumbent.turns):
                break
            racks = run.racks
            if not self._fishing.search_piloted(width, before):
                break
            if (seen := self._plays_after(before)) is None:
                break
            self._spent += (run.racks - racks) * _EFFORT_OF_RACK
            window = range(start, min(len(run.incumbent.turns), start + size))
            most = max(_LEAST, min(_LONGEST, effort - self._spent))
            better, took = _better(self._problem, run, Pool(self._problem, seen), window, self._parameters, most)
            self._spent += max(took, _LEAST)
            if better is not None:
                run.offer(better)
            run.report(f"refine {size} turns, width {width:,}", min(int(self._spent), int(effort)), int(effort))
        turns = run.incumbent.turns
        self._seen = {before: seen for before, seen in self._seen.items() if before == turns[: len(before)]}

    def _plays_after(self, before: tuple[Turn, ...]) -> SeenPlays | None:
        """Return the plays of a narrow beam after `before`; None if the run was over before the beam was complete."""
        if before not in self._seen:
            if not self._beams.search(_SEEN_WIDTH, before):
                return None
            self._seen[before] = self._beams.history.plays()
        return self._seen[before]


def _better(
    problem: Problem, run: Run, pool: Pool, window: range, parameters: RefineParameters, effort: float
) -> tuple[Solution | None, float]:
    """Return the incumbent with better plays in `window`, or None if none were found, and the effort spent."""
    turns = run.incumbent.turns
    first, stop = window.start, window.stop
    hands = [Hand.at_start()]
    for turn in turns:
        hands.append(after(problem, hands[-1], turn))
    slots = _slots(problem, hands, turns, window, pool, parameters.plays)
    rest = _rest(problem, hands, turns, stop) if stop < len(turns) else None
    floor = sum(turn.score for turn in turns[first:stop])
    solver = new_solver(run.seed, effort, parameters.workers)
    choices, took = solve_window(problem, hands[first], slots, rest, floor, _REACH, solver)
    if choices is None:
        return None, took
    middle = _turns(problem, hands[first], choices)
    return _joined(problem, (*turns[:first], *middle), hands[stop:], turns[stop:]), took


def _slots(problem: Problem, hands: list[Hand], turns: tuple[Turn, ...], window: range, pool: Pool, plays: int) -> list[Slot]:
    tiles = len(problem.puzzle.row)
    all_tiles = problem.puzzle.counts_from_left[tiles]
    # freed turns can only use tiles that the kept turns do not need
    free = all_tiles.copy()
    for number, turn in enumerate(turns):
        if number not in window:
            free -= _tiles(turn)
    before = hands[window.start].gone(problem) - hands[window.start].leave
    slots = []
    for number in window:
        turn = turns[number]
        drawn = hands[number].drawn(problem, turn.left)
        present = candidate_of(turn.play, turn.score)
        near = replace(drawn, left=drawn.left + _SPARE, right=drawn.right + _SPARE)
        available = np.minimum(free, (near.gone(problem) if near.left + near.right < tiles else all_tiles) - before)
        offered = pool.best(available, hands[number].played, plays)
        others = (candidate for candidate in offered if candidate.tiles != present.tiles)
        slots.append(Slot((present, *others), drawn.left, drawn.right, 0))
    # an extra turn, which may make no play
    slots.append(Slot(tuple(offered), drawn.left, drawn.right, None))
    return slots


def _rest(problem: Problem, hands: list[Hand], turns: tuple[Turn, ...], stop: int) -> Rest:
    """Return what the turns from `stop` on, which are kept, require of the turns before them."""
    spare = np.full(N_CODES, np.iinfo(np.int64).max)
    used = np.zeros(N_CODES, dtype=np.int64)
    for number in range(stop, len(turns)):
        used += _tiles(turns[number])
        spare = np.minimum(spare, hands[number].drawn(problem, turns[number].left).gone(problem) - used)
    first = hands[stop].drawn(problem, turns[stop].left)
    return Rest(spare, hands[stop].played, first.left, first.right)


def _tiles(turn: Turn) -> npt.NDArray[np.int64]:
    return counts_of(encode(turn.play)).astype(np.int64)


def _turns(problem: Problem, hand: Hand, choices: list[Chosen]) -> list[Turn]:
    """Return the turns of `choices`, replayed from `hand`. Raises `RefereeDisagreementError` if they are not a legal game."""
    turns = []
    for choice in choices:
        if choice.candidate is None:
            continue
        turn, hand = _replayed(problem, hand, choice.left, counts_of(choice.candidate.tiles))
        if turn.score != choice.candidate.score:
            raise RefereeDisagreementError(f"refinement claims {choice.candidate.score} for {turn}, which scores {turn.score}")
        turns.append(turn)
    return turns


def _joined(problem: Problem, before: tuple[Turn, ...], hands: list[Hand], rest: tuple[Turn, ...]) -> Solution:
    """Return `before` followed by the turns of `rest`, with draws that lead to the same `hands` as in the incumbent."""
    hand, turns = after_all(problem, before), list(before)
    for number, turn in enumerate(rest):
        replayed, hand = _replayed(problem, hand, hands[number].left + turn.left, counts_of(encode(turn.play)))
        turns.append(replayed)
    return Solution(tuple(turns))


def _replayed(problem: Problem, hand: Hand, gone: int, tiles: Counts) -> tuple[Turn, Hand]:
    """Return the turn after which `gone` tiles are drawn from the left; any left draws will do if the draw empties the row."""
    draws = hand.choices(problem)
    left = gone - hand.left if gone - hand.left in draws else draws[0]
    if (hand.drawn(problem, left).leave < tiles).any():
        raise RefereeDisagreementError("refinement makes a play from a rack that does not hold its tiles")
    return turn_of(problem, hand, left, tiles)


@dataclass(frozen=True)
class RefinedParameters:
    """The parameters of a refined answer; for `effort` and `plays` see `RefineParameters`.

    `width` is that of the beam whose answer is refined; 0 for a greedy answer.
    """

    width: int = 0
    effort: float = RefineParameters.effort
    plays: int = RefineParameters.plays

    def __post_init__(self) -> None:
        if self.width < 0:
            raise StrategyError(f"width = {self.width}: expected 0 or more")
        if self.width:
            check_width("width", self.width)
        RefineParameters(self.effort, self.plays)


@dataclass(frozen=True)
class Refined:
    """A greedy answer, or that of one beam, improved by OR-Tools and narrow beams."""

    Parameters = RefinedParameters
    parameters: RefinedParameters = RefinedParameters()
    name: str = "refined"

    def search(self, problem: Problem, run: Run) -> None:
        """Offer a quick answer and better ones. Raises `StrategyError` if the rack is too large for the index."""
        chosen = self.parameters
        start = Beam(BeamParameters(chosen.width)) if chosen.width else Greedy()
        start.search(problem, run)
        refine(problem, run, RefineParameters(chosen.effort, chosen.plays))
