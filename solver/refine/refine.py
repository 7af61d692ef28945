"""Large-neighbourhood search on a finished solution: some turns are freed, the others keep their plays."""

import random
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from solver.errors import RefereeDisagreementError, StrategyError
from solver.problem import Problem
from solver.refine.model import Choice, Rest, Slot, solve_window
from solver.refine.pool import Candidate, Pool, candidate_of
from solver.search.beam import BeamParameters, BeamRun
from solver.search.strategy import Run
from solver.solution import Hand, Solution, Turn, after, turn_of
from solver.tiles import N_CODES, Counts, counts_of, encode

_SPARE = 6  # tiles beyond those drawn that a freed turn's plays may count on
_REACH = 14  # tiles by which the ends may move
_WIDTH = 600  # of the beam that looks for a better end
_SMALLEST = 3  # turns freed, at first
_LEAST, _LONGEST = 0.02, 1.0  # effort for one window
_EFFORT_OF_RACK = 1e-5  # so that the effort, which counts no clock's seconds, covers the beams too


@dataclass(frozen=True)
class RefineParameters:
    """effort: deterministic time of CP-SAT in all, about as many seconds. plays: offered to a freed turn. workers: threads of
    CP-SAT; more than one are faster, and then the answer is not the same in every run."""

    effort: float = 60.0
    plays: int = 150
    workers: int = 1

    def __post_init__(self) -> None:
        if not 0 < self.effort <= 1e6:
            raise StrategyError(f"effort = {self.effort}: expected more than 0, at most 1,000,000")
        if not 1 <= self.plays <= 100_000:
            raise StrategyError(f"plays = {self.plays}: expected 1 to 100,000")
        if not 1 <= self.workers <= 256:
            raise StrategyError(f"workers = {self.workers}: expected 1 to 256")


def refine(problem: Problem, run: Run, parameters: RefineParameters) -> None:
    """Improve the incumbent of `run` until the effort is spent or the run is over.

    In turn from each place of the game, in an order that depends on the run's seed: narrow beams look for a better end, and
    CP-SAT for better plays in the turns that follow, among those that the beam saw and those of highest worth. A solution
    becomes the incumbent only if it was replayed turn by turn. Raises `StrategyError` where the rack is too large for the
    index.
    """
    if not problem.has_closed_index:
        raise StrategyError(f"refinement needs a rack of at most 10 tiles: this one holds {problem.puzzle.rack_size}")
    rng = random.Random(run.seed)
    spent = 0.0
    size = _SMALLEST
    with ThreadPoolExecutor(run.threads) as threads:
        fishing = BeamRun(problem, run, BeamParameters(_WIDTH), threads)
        fished: set[tuple[Turn, ...]] = set()
        # CP-SAT is offered plays that stood alone: no fishing
        beams = BeamRun(problem, run, BeamParameters(_WIDTH, fishing=0), threads)
        while spent < parameters.effort and run.incumbent.turns and not run.is_over:
            before = run.incumbent.score
            starts = list(range(max(1, len(run.incumbent.turns) - 1)))
            rng.shuffle(starts)
            for start in starts:
                turns = run.incumbent.turns
                if run.is_over or spent >= parameters.effort or start >= len(turns):
                    break
                racks = run.racks
                if turns[:start] not in fished:
                    fished.add(turns[:start])
                    # the narrower beam tells the other one where it is worth its while
                    if not (fishing.search(_WIDTH // 8, turns[:start]) and fishing.search(_WIDTH, turns[:start])):
                        break
                if not beams.search(_WIDTH, turns[:start]):
                    break
                spent += (run.racks - racks) * _EFFORT_OF_RACK
                pool = Pool(problem, beams.history.plays())
                window = range(start, min(len(run.incumbent.turns), start + size))
                effort = max(_LEAST, min(_LONGEST, parameters.effort - spent))
                better, took = _better(problem, run, pool, window, parameters, effort)
                spent += max(took, _LEAST)
                if better is not None:
                    run.offer(better)
                run.report(f"refine {size} turns", min(int(spent), int(parameters.effort)), int(parameters.effort))
            if run.incumbent.score == before and size >= len(run.incumbent.turns):
                break  # from every place to the end all turns were free: more of the same finds nothing
            size += 1


def _better(
    problem: Problem, run: Run, pool: Pool, window: range, parameters: RefineParameters, effort: float
) -> tuple[Solution | None, float]:
    """The incumbent with other plays in `window`, None unless that scores more, and the effort that it took."""
    turns = run.incumbent.turns
    first, stop = window.start, window.stop
    hands = [Hand.at_start()]
    for turn in turns:
        hands.append(after(problem, hands[-1], turn))
    slots = _slots(problem, hands, turns, window, pool, parameters.plays)
    rest = _rest(problem, hands, turns, stop) if stop < len(turns) else None
    floor = sum(turn.score for turn in turns[first:stop])
    choices, took = solve_window(problem, hands[first], slots, rest, floor, _REACH, run.seed, effort, parameters.workers)
    if choices is None:
        return None, took
    middle = _turns(problem, hands[first], choices)
    return _joined(problem, (*turns[:first], *middle), hands[stop:], turns[stop:]), took


def _slots(problem: Problem, hands: list[Hand], turns: tuple[Turn, ...], window: range, pool: Pool, plays: int) -> list[Slot]:
    tiles = len(problem.puzzle.row)
    all_tiles = problem.puzzle.counts_from_left[tiles]
    # what the turns that stand do not need: a freed turn can have nothing else
    free = all_tiles.copy()
    for number, turn in enumerate(turns):
        if number not in window:
            free -= _tiles(turn)
    before = hands[window.start].gone(problem) - hands[window.start].leave
    slots = []
    for number in window:
        turn = turns[number]
        drawn = hands[number].drawn(problem, turn.left)
        own = candidate_of(turn.play, turn.score)
        near = replace(drawn, left=drawn.left + _SPARE, right=drawn.right + _SPARE)
        available = np.minimum(free, (near.gone(problem) if near.left + near.right < tiles else all_tiles) - before)
        offered = pool.best(available, hands[number].played, plays)
        slots.append(Slot(_with(own, offered), drawn.left, drawn.right, 0))
    # one more turn than before, which may be passed over
    slots.append(Slot(tuple(offered), drawn.left, drawn.right, None))
    return slots


def _rest(problem: Problem, hands: list[Hand], turns: tuple[Turn, ...], stop: int) -> Rest:
    """What the turns from `stop` on, which stand, ask of those before."""
    spare = np.full(N_CODES, np.iinfo(np.int64).max)
    used = np.zeros(N_CODES, dtype=np.int64)
    for number in range(stop, len(turns)):
        used += _tiles(turns[number])
        spare = np.minimum(spare, hands[number].drawn(problem, turns[number].left).gone(problem) - used)
    first = hands[stop].drawn(problem, turns[stop].left)
    return Rest(spare, hands[stop].played, first.left, first.right)


def _tiles(turn: Turn) -> npt.NDArray[np.int64]:
    return counts_of(encode(turn.play)).astype(np.int64)


def _with(own: Candidate, offered: list[Candidate]) -> tuple[Candidate, ...]:
    return (own, *(candidate for candidate in offered if candidate.tiles != own.tiles))


def _turns(problem: Problem, hand: Hand, choices: list[Choice]) -> list[Turn]:
    """The turns that `choices` stand for, replayed. Raises `RefereeDisagreementError` where they are no game."""
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
    """`before`, then the plays of `rest`, whose draws lead to the `hands` that they led to before."""
    hand = Hand.at_start()
    for turn in before:
        hand = after(problem, hand, turn)
    turns = list(before)
    for number, turn in enumerate(rest):
        again, hand = _replayed(problem, hand, hands[number].left + turn.left, counts_of(encode(turn.play)))
        turns.append(again)
    return Solution(tuple(turns))


def _replayed(problem: Problem, hand: Hand, gone: int, tiles: Counts) -> tuple[Turn, Hand]:
    """The turn after which `gone` tiles have left the left end; where the draw empties the row, any will do."""
    draws = hand.choices(problem)
    left = gone - hand.left if gone - hand.left in draws else draws[0]
    if (hand.drawn(problem, left).leave < tiles).any():
        raise RefereeDisagreementError("refinement makes a play from a rack that does not hold its tiles")
    return turn_of(problem, hand, left, tiles)
