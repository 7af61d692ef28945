"""Large-neighbourhood search on a finished solution: some turns are freed, the others keep their plays.

The rest of a game is an integer programme: the play of each turn, and the number of tiles drawn from each end. A game is legal
exactly if two conditions hold after every draw. The tiles drawn so far, as a multiset, contain all tiles played up to and
including that turn's play. The draw fills the rack: drawn = min(row, played before + rack). So the programme needs no
variables for racks.
"""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
from ortools.sat.python import cp_model

from solver.errors import RefereeDisagreementError, StrategyError
from solver.index.kernels.indexes import PACKED_TILES, TILE_BITS, fitting_plays
from solver.index.problem import Problem
from solver.model.solution import Solution, Turn
from solver.model.tiles import N_CODES, Counts, counts_of, encode
from solver.refine.parameters import RefineParameters
from solver.search.beam import Beam, BeamParameters, BeamRun, check_width, tile_prices
from solver.search.greedy import Greedy, Hand, after, after_all, turn_of
from solver.search.layers import SeenPlays
from solver.search.run import Run
from verify.threads import ThreadPool

_NEAR = 6  # tiles played; a seen play within this distance of a turn is offered to it


@dataclass(frozen=True)
class Candidate:
    """A play that a turn may make: the codes of its tiles, ascending, and the best score of any word of exactly these."""

    tiles: tuple[int, ...]
    score: int


class Pool:
    """The plays offered to turns: those of a narrow beam's best games near the turn, and those of highest worth.

    The worth of a play is its score less the prices of its tiles.
    """

    def __init__(self, problem: Problem, seen: SeenPlays) -> None:
        self._index = problem.closed
        self._prices = tile_prices(problem)
        self._place, self._worth = np.empty((2, len(self._index.packed)), dtype=np.int64)
        order = np.argsort(-seen.promise, kind="stable")
        self._played = seen.played[order]
        self._seen = seen.tiles[order]
        self._score = seen.score[order]

    def best(self, available: npt.NDArray[np.int64], played: int, count: int) -> list[Candidate]:
        """Return about `count` plays of the tiles in `available` (int64, by code) for the turn after `played` tiles.

        Three in four come from the beam's best games; the others are those of highest worth.
        """
        near = np.abs(self._played - played) <= _NEAR
        fits = np.flatnonzero(near & (self._seen <= available).all(axis=1))
        seen: dict[tuple[int, ...], Candidate] = {}
        for i in fits:
            tiles = tuple(np.repeat(np.arange(N_CODES), self._seen[i]).tolist())
            seen.setdefault(tiles, Candidate(tiles, int(self._score[i])))
            if len(seen) >= count * 3 // 4:
                break
        for candidate in self._by_worth(available, count - len(seen)):
            seen.setdefault(candidate.tiles, candidate)
        return list(seen.values())

    def _by_worth(self, available: npt.NDArray[np.int64], count: int) -> list[Candidate]:
        index = self._index
        fitting = fitting_plays(
            index.packed, index.score, available, self._prices, self._place, self._worth
        )
        count = min(count, fitting)
        if count == 0:
            return []
        best = np.argpartition(self._worth[:fitting], fitting - count)[-count:]
        best = best[np.lexsort((best, -self._worth[best]))]
        return [
            Candidate(_unpacked(int(index.packed[i])), int(index.score[i]))
            for i in self._place[best]
        ]


def _unpacked(packed: int) -> tuple[int, ...]:
    codes = (packed >> TILE_BITS * (PACKED_TILES - 1 - place) & 31 for place in range(PACKED_TILES))
    return tuple(code - 1 for code in codes if code)


@dataclass(frozen=True)
class Slot:
    """A turn to be chosen, which makes at most one of its candidate plays.

    `left` and `right` are the numbers of tiles drawn from each end after its draw, in the solution that is refined. `hint` is
    the index of the play that this solution makes; None if it makes none of them.
    """

    candidates: tuple[Candidate, ...]
    left: int
    right: int
    hint: int | None


@dataclass(frozen=True)
class Chosen:
    """The choice for a slot: the tiles drawn from the left after its draw, and its play, None without one."""

    left: int
    candidate: Candidate | None


@dataclass(frozen=True)
class Rest:
    """The turns after the slots, which keep their draws and their plays.

    Attributes:
        spare: The number of each tile that may be used up before them; int64, shape (N_CODES,).
        played: The number of tiles that must be played before them.
        left: The number of tiles drawn from the left after their first draw; `right` that from the right.
    """

    spare: npt.NDArray[np.int64]
    played: int
    left: int
    right: int


def new_solver(seed: int, effort: float, workers: int) -> cp_model.CpSolver:
    """Return a solver that stops after `effort` of CP-SAT's deterministic time, whose unit is about a second.

    With one worker its answer depends on the model and the seed alone.
    """
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = workers
    solver.parameters.random_seed = seed % (1 << 31)
    solver.parameters.max_deterministic_time = effort
    # otherwise CP-SAT would handle the first Ctrl-C itself, and the second one would kill the process
    solver.parameters.catch_sigint_signal = False
    return solver


def solve_window(
    problem: Problem,
    hand: Hand,
    slots: Sequence[Slot],
    rest: Rest | None,
    floor: int,
    solver: cp_model.CpSolver,
) -> tuple[list[Chosen] | None, float]:
    """Find the best choices for consecutive turns, which follow `hand` and precede `rest`; a `rest` of None ends the game.

    The scores of the choices must exceed `floor` in all, and their draws may differ from those in `slots` by at most `_REACH`
    tiles. Return the choices, None if CP-SAT found none, and the effort spent.
    """
    builder = _Builder(problem, hand)
    for slot in slots:
        builder.add(slot)
    if rest is not None:
        builder.leave(rest)
    builder.model.add(builder.total >= floor + 1)
    builder.model.maximize(builder.total)
    status = solver.solve(builder.model)
    if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return None, solver.response_proto.deterministic_time
    choices = [
        Chosen(
            solver.value(left),
            next((candidate for candidate, chosen in plays if solver.boolean_value(chosen)), None),
        )
        for left, plays in builder.slots
    ]
    return choices, solver.response_proto.deterministic_time


class _Builder:
    """Builds the integer programme slot by slot."""

    def __init__(self, problem: Problem, hand: Hand) -> None:
        self.model = cp_model.CpModel()
        self.slots: list[tuple[cp_model.IntVar, list[tuple[Candidate, cp_model.IntVar]]]] = []
        self.total: cp_model.LinearExprT = 0
        self._rack = problem.puzzle.rack_size
        self._tiles = len(problem.puzzle.row)
        self._from_left, self._from_right = (
            problem.puzzle.counts_from_left,
            problem.puzzle.counts_from_right,
        )
        self._used: list[cp_model.LinearExprT] = (hand.gone(problem) - hand.leave).tolist()
        self._codes = sorted(set(problem.puzzle.row_codes.tolist()))
        self._played: cp_model.LinearExprT = hand.played
        self._left: cp_model.LinearExprT = hand.left
        self._right: cp_model.LinearExprT = hand.right

    def add(self, slot: Slot) -> None:
        """Add a turn after those added so far."""
        model, number = self.model, len(self.slots)
        plays = [
            (play, model.new_bool_var(f"play {number} {i}"))
            for i, play in enumerate(slot.candidates)
        ]
        chosen = [variable for _play, variable in plays]
        model.add_at_most_one(chosen)
        for i, variable in enumerate(chosen):
            model.add_hint(
                variable, int(i == slot.hint)
            )  # older versions of OR-Tools accept no bool
        left, from_left = self._end(f"left {number}", slot.left, self._from_left)
        right, from_right = self._end(f"right {number}", slot.right, self._from_right)
        drawn = model.new_int_var(0, self._tiles, f"drawn {number}")
        model.add_min_equality(drawn, [self._tiles, self._played + self._rack])
        model.add(left + right == drawn)
        model.add(left >= self._left)
        model.add(right >= self._right)
        for code in self._codes:
            needs = [
                (play.tiles.count(code), variable) for play, variable in plays if code in play.tiles
            ]
            used = model.new_int_var(0, self._tiles, f"used {number} {code}")
            model.add(used == self._used[code] + sum(count * variable for count, variable in needs))
            model.add(used <= from_left[code] + from_right[code])
            self._used[code] = used
        self._played = self._played + sum(len(play.tiles) * variable for play, variable in plays)
        self._left, self._right = left, right
        self.total = self.total + sum(play.score * variable for play, variable in plays)
        self.slots.append((left, plays))

    def leave(self, rest: Rest) -> None:
        """Add the constraints of the turns of `rest`, which follow the slots."""
        self.model.add(self._played == rest.played)
        self.model.add(self._left <= rest.left)
        self.model.add(self._right <= rest.right)
        for code in self._codes:
            self.model.add(self._used[code] <= int(rest.spare[code]))

    def _end(
        self, name: str, around: int, totals: "np.ndarray[tuple[int, int], np.dtype[np.int64]]"
    ) -> tuple[cp_model.IntVar, dict[int, cp_model.LinearExprT]]:
        """Return a variable for the number of tiles drawn from one end, near `around`, and the number of each tile by code."""
        low, high = max(0, around - _REACH), min(self._tiles, around + _REACH)
        gone = self.model.new_int_var(low, high, name)
        exactly = [self.model.new_bool_var(f"{name} is {i}") for i in range(low, high + 1)]
        self.model.add_exactly_one(exactly)
        self.model.add(gone == sum(i * variable for i, variable in enumerate(exactly, start=low)))
        for i, variable in enumerate(exactly, start=low):
            self.model.add_hint(variable, int(i == around))
        return gone, {
            code: sum(
                int(totals[i, code]) * variable for i, variable in enumerate(exactly, start=low)
            )
            for code in self._codes
        }


_SPARE = (
    6  # the plays offered to a freed turn may use this many more tiles from each end than are drawn
)
_REACH = 14  # the most tiles by which the draws may change at each end
_WIDTH, _GROWTH, _WIDEST = (
    600,
    2,
    1_000_000,
)  # of the beams that look for a better end: first width, growth per pass, limit
_SEEN_WIDTH = 300  # the width of the beams whose plays CP-SAT may choose from
_SMALLEST = 3  # the number of turns freed in the first pass; each pass frees one more
_LEAST, _LONGEST = 0.02, 0.5  # the least and the most effort for one window
_EFFORT_OF_RACK = (
    1e-5  # counts the work of beams as effort too, without a clock, so that runs are repeatable
)


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
        raise StrategyError(
            f"refinement needs a rack of at most 10 tiles: this one holds {problem.puzzle.rack_size}"
        )
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

    def __init__(
        self, problem: Problem, run: Run, parameters: RefineParameters, threads: ThreadPoolExecutor
    ) -> None:
        self._problem, self._run, self._parameters = problem, run, parameters
        self._spent = 0.0
        self._fishing = BeamRun(problem, run, BeamParameters(), threads)
        # without fishing, because CP-SAT chooses each play by itself
        self._beams = BeamRun(problem, run, BeamParameters(fishing=0), threads)
        self._seen: dict[tuple[Turn, ...], SeenPlays] = {}

    @property
    def go_on(self) -> bool:
        return (
            self._spent < self._parameters.effort
            and bool(self._run.incumbent.turns)
            and not self._run.is_over
        )

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
            better, took = _better(
                self._problem, run, Pool(self._problem, seen), window, self._parameters, most
            )
            self._spent += max(took, _LEAST)
            if better is not None:
                run.offer(better)
            run.report(
                f"refine {size} turns, width {width:,}",
                min(int(self._spent), int(effort)),
                int(effort),
            )
        turns = run.incumbent.turns
        self._seen = {
            before: seen for before, seen in self._seen.items() if before == turns[: len(before)]
        }

    def _plays_after(self, before: tuple[Turn, ...]) -> SeenPlays | None:
        """Return the plays of a narrow beam after `before`; None if the run was over before the beam was complete."""
        if before not in self._seen:
            if not self._beams.search(_SEEN_WIDTH, before):
                return None
            self._seen[before] = self._beams.history.plays()
        return self._seen[before]


def _better(
    problem: Problem,
    run: Run,
    pool: Pool,
    window: range,
    parameters: RefineParameters,
    effort: float,
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
    choices, took = solve_window(problem, hands[first], slots, rest, floor, solver)
    if choices is None:
        return None, took
    middle = _turns(problem, hands[first], choices)
    return _joined(problem, (*turns[:first], *middle), hands[stop:], turns[stop:]), took


def _slots(
    problem: Problem,
    hands: list[Hand],
    turns: tuple[Turn, ...],
    window: range,
    pool: Pool,
    plays: int,
) -> list[Slot]:
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
        present = Candidate(tuple(np.sort(encode(turn.play)).tolist()), turn.score)
        near = replace(drawn, left=drawn.left + _SPARE, right=drawn.right + _SPARE)
        available = np.minimum(
            free, (near.gone(problem) if near.left + near.right < tiles else all_tiles) - before
        )
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
        spare = np.minimum(
            spare, hands[number].drawn(problem, turns[number].left).gone(problem) - used
        )
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
            raise RefereeDisagreementError(
                f"refinement claims {choice.candidate.score} for {turn}, which scores {turn.score}"
            )
        turns.append(turn)
    return turns


def _joined(
    problem: Problem, before: tuple[Turn, ...], hands: list[Hand], rest: tuple[Turn, ...]
) -> Solution:
    """Return `before` followed by the turns of `rest`, with draws that lead to the same `hands` as in the incumbent."""
    hand, turns = after_all(problem, before), list(before)
    for number, turn in enumerate(rest):
        replayed, hand = _replayed(
            problem, hand, hands[number].left + turn.left, counts_of(encode(turn.play))
        )
        turns.append(replayed)
    return Solution(tuple(turns))


def _replayed(problem: Problem, hand: Hand, gone: int, tiles: Counts) -> tuple[Turn, Hand]:
    """Return the turn after which `gone` tiles are drawn from the left; any left draws will do if the draw empties the row."""
    draws = hand.choices(problem)
    left = gone - hand.left if gone - hand.left in draws else draws[0]
    if (hand.drawn(problem, left).leave < tiles).any():
        raise RefereeDisagreementError(
            "refinement makes a play from a rack that does not hold its tiles"
        )
    return turn_of(problem, hand, left, tiles)


@dataclass(frozen=True)
class RefinedParameters:
    """The parameters of a refined answer; for `effort`, `plays` and `workers` see `RefineParameters`.

    `width` is that of the beam whose answer is refined; 0 for a greedy answer.
    """

    width: int = 0
    effort: float = RefineParameters.effort
    plays: int = RefineParameters.plays
    workers: int = RefineParameters.workers

    def __post_init__(self) -> None:
        if self.width < 0:
            raise StrategyError(f"width = {self.width}: expected 0 or more")
        if self.width:
            check_width("width", self.width)
        RefineParameters(self.effort, self.plays, self.workers)


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
        refine(problem, run, RefineParameters(chosen.effort, chosen.plays, chosen.workers))
