"""Large-neighbourhood search: some turns of a finished game are freed, the others keep their plays.

The rest of a game is an integer programme: the play of each turn, and the number of tiles drawn
from each end. A game is legal exactly if two conditions hold after every draw. The tiles drawn so
far, as a multiset, contain all tiles played up to and including that turn's play. The draw fills
the rack: drawn = min(row, played before + rack). So the programme needs no variables for racks.
"""

from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
from ortools.sat.python import cp_model

from solver.checking import check_number
from solver.compiled import I64
from solver.errors import RefereeDisagreementError, StrategyError
from solver.index.kernels.indexes import PACKED_TILES, TILE_BITS, fitting_plays
from solver.index.problem import Problem
from solver.model.solution import Solution, Turn
from solver.model.tiles import N_CODES, counts_of, encode
from solver.refine.parameters import RefineParameters
from solver.search.beam import MOST_WIDTH, Beam, BeamParameters, BeamRun, tile_prices
from solver.search.greedy import Greedy, Hand, after, turn_of
from solver.search.layers import SeenPlays
from solver.search.run import Run
from verify.threads import ThreadPool

_NEAR = 6  # tiles played; a seen play within this distance of a turn is offered to it
_SPARE = 6  # a freed turn's plays may use up to this many tiles beyond each end of its draws
_REACH = 14  # the most tiles by which the draws may change at each end
# the beams that look for a better end: the first width, the growth in each pass, and the limit
_WIDTH = 600
_GROWTH = 2
_WIDEST = 1_000_000
_SEEN_WIDTH = 300  # the width of the beams whose plays CP-SAT may choose from
_SMALLEST = 3  # the number of turns freed in the first pass; each pass frees one more
# the least and the most effort for one window
_LEAST = 0.02
_LONGEST = 0.5
# the work of beams counts as effort too, without a clock, so that runs are repeatable
_EFFORT_OF_RACK = 1e-5


@dataclass(frozen=True)
class Candidate:
    """A play that a turn may make.

    Attributes:
        tiles: The codes of its tiles, ascending.
        score: The best score of any word of exactly these tiles.
    """

    tiles: tuple[int, ...]
    score: int


class Pool:
    """The plays offered to turns.

    These are plays of a narrow beam's best games near the turn, and those of highest worth. The
    worth of a play is its score less the prices of its tiles.
    """

    def __init__(self, problem: Problem, seen: SeenPlays) -> None:
        self._index = problem.closed
        self._prices = tile_prices(problem)
        self._place = np.empty(len(self._index.packed), dtype=np.int64)
        self._worth = np.empty_like(self._place)
        self._seen = seen

    def best(self, available: I64, played: int, count: int) -> list[Candidate]:
        """Return about `count` plays for the turn after `played` tiles.

        Three in four come from the beam's best games; the others are those of highest worth. All
        are of the tiles in `available` (int64, by code).
        """
        near = np.abs(self._seen.played - played) <= _NEAR
        fits = np.flatnonzero(near & (self._seen.tiles <= available).all(axis=1))
        offered: dict[tuple[int, ...], Candidate] = {}
        for i in fits:
            tiles = tuple(np.repeat(np.arange(N_CODES), self._seen.tiles[i]).tolist())
            offered.setdefault(tiles, Candidate(tiles, int(self._seen.score[i])))
            if len(offered) >= count * 3 // 4:
                break
        for candidate in self._by_worth(available, count - len(offered)):
            offered.setdefault(candidate.tiles, candidate)
        return list(offered.values())

    def _by_worth(self, available: I64, count: int) -> list[Candidate]:
        index = self._index
        fitting = fitting_plays(
            index.packed, index.score, available, self._prices, self._place, self._worth
        )
        least = max(0, fitting - count)
        if least == fitting:
            return []
        best = np.argpartition(self._worth[:fitting], least)[least:]
        best = best[np.lexsort((best, -self._worth[best]))]
        places = self._place[best].tolist()
        return [Candidate(_unpacked(int(index.packed[i])), int(index.score[i])) for i in places]


def _unpacked(packed: int) -> tuple[int, ...]:
    """Return the codes of a packed multiset, ascending."""
    codes = []
    for place in reversed(range(PACKED_TILES)):
        code = (packed >> TILE_BITS * place & 31) - 1
        if code >= 0:
            codes.append(code)
    return tuple(codes)


def new_solver(seed: int, effort: float, workers: int) -> cp_model.CpSolver:
    """Return a solver that stops after `effort` in CP-SAT's deterministic time.

    Its unit is about a second. With one worker the answer depends on the model and the seed alone.
    """
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = workers
    solver.parameters.random_seed = seed % (1 << 31)
    solver.parameters.max_deterministic_time = effort
    # otherwise CP-SAT would handle the first Ctrl-C itself, and the second one would kill the
    # process
    solver.parameters.catch_sigint_signal = False
    return solver


class _Programme:
    """The integer programme of consecutive turns, which is built turn by turn."""

    def __init__(self, problem: Problem, hand: Hand) -> None:
        self.model = cp_model.CpModel()
        self.total: cp_model.LinearExprT = 0
        self._puzzle = problem.puzzle
        self._tiles = len(problem.puzzle.row)
        self._codes = np.unique(problem.puzzle.row_codes).tolist()
        self._turns: list[tuple[cp_model.IntVar, dict[Candidate, cp_model.IntVar]]] = []
        self._used: list[cp_model.LinearExprT] = hand.used(problem).tolist()
        self._played: cp_model.LinearExprT = hand.played
        self._left: cp_model.LinearExprT = hand.left
        self._right: cp_model.LinearExprT = hand.right

    def add(self, offered: Iterable[Candidate], around: Hand, hint: Candidate | None) -> None:
        """Add a turn that makes at most one of the plays `offered`.

        Its draws may differ from those up to the hand `around` by at most `_REACH` tiles at each
        end. `hint` is the play of the solution that is refined; None if it makes none.
        """
        model = self.model
        number = len(self._turns)
        plays: dict[Candidate, cp_model.IntVar] = {}
        for play in offered:
            plays[play] = model.new_bool_var(f"play {number} {len(plays)}")
        model.add_at_most_one(plays.values())
        for play, chosen in plays.items():
            model.add_hint(chosen, int(play == hint))  # older versions of OR-Tools accept no bool
        puzzle = self._puzzle
        left, from_left = self._end(f"left {number}", around.left, puzzle.counts_from_left)
        right, from_right = self._end(f"right {number}", around.right, puzzle.counts_from_right)
        drawn = model.new_int_var(0, self._tiles, f"drawn {number}")
        model.add_min_equality(drawn, [self._tiles, self._played + puzzle.rack_size])
        model.add(left + right == drawn)
        model.add(left >= self._left)
        model.add(right >= self._right)
        for code in self._codes:
            used = model.new_int_var(0, self._tiles, f"used {number} {code}")
            needs = sum(
                play.tiles.count(code) * chosen
                for play, chosen in plays.items()
                if code in play.tiles
            )
            model.add(used == self._used[code] + needs)
            model.add(used <= from_left[code] + from_right[code])
            self._used[code] = used
        self._left = left
        self._right = right
        self._played = self._played + sum(
            len(play.tiles) * chosen for play, chosen in plays.items()
        )
        self.total = self.total + sum(play.score * chosen for play, chosen in plays.items())
        self._turns.append((left, plays))

    def precede(self, problem: Problem, hands: Sequence[Hand]) -> None:
        """Add what the kept turns need, which follow the turns added.

        `hands` are the hands before the kept turns and after the last one. The turns before them
        may use up more of a tile than now, but only as many as each later leave holds.
        """
        now = hands[0]
        spare = now.used(problem) + np.min([hand.leave for hand in hands[1:]], axis=0)
        self.model.add(self._played == now.played)
        self.model.add(self._left <= hands[1].left)
        self.model.add(self._right <= hands[1].right)
        for code in self._codes:
            self.model.add(self._used[code] <= int(spare[code]))

    def solve(self, solver: cp_model.CpSolver, floor: int) -> list[tuple[int, Candidate]] | None:
        """Return the best plays, each with the number of tiles drawn from the left by then.

        Their scores exceed `floor` in all. None if CP-SAT finds none.
        """
        self.model.add(self.total >= floor + 1)
        self.model.maximize(self.total)
        status = solver.solve(self.model)
        if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
            return None
        return [
            (solver.value(left), play)
            for left, plays in self._turns
            for play, chosen in plays.items()
            if solver.boolean_value(chosen)
        ]

    def _end(
        self, name: str, around: int, totals: I64
    ) -> tuple[cp_model.IntVar, dict[int, cp_model.LinearExprT]]:
        """Return a variable for the number of tiles drawn from one end, and the tiles by code.

        Args:
            name: The name of the variable.
            around: The number of tiles in the solution that is refined.
            totals: The counts by code of the tiles near that end, by number of tiles.
        """
        low = max(0, around - _REACH)
        high = min(self._tiles, around + _REACH)
        gone = self.model.new_int_var(low, high, name)
        exactly = {i: self.model.new_bool_var(f"{name} is {i}") for i in range(low, high + 1)}
        self.model.add_exactly_one(exactly.values())
        self.model.add(gone == sum(i * variable for i, variable in exactly.items()))
        for i, variable in exactly.items():
            self.model.add_hint(variable, int(i == around))
        drawn: dict[int, cp_model.LinearExprT] = {}
        for code in self._codes:
            drawn[code] = sum(int(totals[i, code]) * chosen for i, chosen in exactly.items())
        return gone, drawn


def refine(problem: Problem, run: Run, parameters: RefineParameters) -> None:
    """Improve the incumbent of `run` until the effort is spent or the run is over.

    A pass goes through the turns of the game. At each turn a beam looks for a better rest of the
    game. Then CP-SAT looks for better plays in the next turns, among those that a narrow beam saw
    and those of highest worth. The beams grow wider with each pass, because a beam of the same
    width would find the same game. A solution is replayed turn by turn before it becomes the
    incumbent.

    Raises:
        StrategyError: The rack is too large for the closed index.
    """
    if not problem.has_closed_index:
        held = problem.puzzle.rack_size
        raise StrategyError(f"refinement needs a rack of at most 10 tiles: this one holds {held}")
    with ThreadPool(run.threads) as threads:
        passes = _Passes(problem, run, parameters, threads)
        size = _SMALLEST
        width = _WIDTH
        racks_before = 0
        while passes.can_go_on:
            score = run.incumbent.score
            started = run.racks
            passes.once(size, width)
            racks = run.racks - started
            found_nothing = run.incumbent.score == score and racks == racks_before
            if found_nothing and size >= len(run.incumbent.turns):
                # all turns were free and no beam expanded more racks: another pass would do the
                # same
                break
            racks_before = racks
            size += 1
            width = min(_WIDEST, width * _GROWTH)


class _Passes:
    """The state that the passes over a game share."""

    def __init__(
        self, problem: Problem, run: Run, parameters: RefineParameters, threads: ThreadPoolExecutor
    ) -> None:
        self._problem = problem
        self._run = run
        self._parameters = parameters
        self._spent = 0.0
        self._fishing = BeamRun(problem, run, BeamParameters(), threads)
        # without fishing, because CP-SAT chooses each play by itself
        self._beams = BeamRun(problem, run, BeamParameters(fishing=0), threads)
        self._seen: dict[tuple[Turn, ...], SeenPlays] = {}

    @property
    def can_go_on(self) -> bool:
        """Whether there is a game to improve, and effort and time for it."""
        has_effort = self._spent < self._parameters.effort
        return has_effort and bool(self._run.incumbent.turns) and not self._run.is_over

    def once(self, size: int, width: int) -> None:
        """Make one pass.

        At each turn a beam of `width` searches the rest of the game, then CP-SAT the next `size`
        turns.
        """
        run = self._run
        effort = self._parameters.effort
        # from the first turn on, so that later windows start from a rest that is better already
        for start in range(max(1, len(run.incumbent.turns) - 1)):
            before = run.incumbent.turns[:start]
            if not self.can_go_on or start >= len(run.incumbent.turns):
                break
            racks = run.racks
            if not self._fishing.search_piloted(width, before):
                break
            seen = self._plays_after(before)
            if seen is None:
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
            label = f"refine {size} turns, width {width:,}"
            run.report(label, min(int(self._spent), int(effort)), int(effort))
        for before in list(self._seen):
            if before != run.incumbent.turns[: len(before)]:
                del self._seen[before]

    def _plays_after(self, before: tuple[Turn, ...]) -> SeenPlays | None:
        """Return the plays of a narrow beam after `before`; None if the run was over first."""
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
    """Return the incumbent with better plays in `window`, or None, and the effort spent."""
    puzzle = problem.puzzle
    turns = run.incumbent.turns
    hands = [Hand.at_start()]
    for turn in turns:
        hands.append(after(problem, hands[-1], turn))
    first = hands[window.start]
    before = first.used(problem)
    # freed turns can only use tiles that the kept turns do not need
    later = hands[-1].used(problem) - hands[window.stop].used(problem)
    free = puzzle.counts_from_left[-1] - before - later
    programme = _Programme(problem, first)
    for number in window:
        reached = hands[number + 1]
        near_left = puzzle.counts_from_left[: reached.left + _SPARE + 1][-1]
        near_right = puzzle.counts_from_right[: reached.right + _SPARE + 1][-1]
        available = np.minimum(free, near_left + near_right - before)
        offered = pool.best(available, hands[number].played, parameters.plays)
        present = _play_of(turns[number])
        programme.add(dict.fromkeys([present, *offered]), reached, present)
    programme.add(offered, reached, None)  # an extra turn, which may make no play
    kept = [
        (hand.left, _play_of(turn))
        for hand, turn in zip(hands[window.stop + 1 :], turns[window.stop :], strict=True)
    ]
    if kept:
        programme.precede(problem, hands[window.stop :])
    solver = new_solver(run.seed, effort, parameters.workers)
    plays = programme.solve(solver, sum(turn.score for turn in turns[window.start : window.stop]))
    took = solver.response_proto.deterministic_time
    if plays is None:
        return None, took
    replayed = _replayed(problem, first, [*plays, *kept])
    return Solution((*turns[: window.start], *replayed)), took


def _play_of(turn: Turn) -> Candidate:
    return Candidate(tuple(sorted(encode(turn.play).tolist())), turn.score)


def _replayed(problem: Problem, hand: Hand, plays: list[tuple[int, Candidate]]) -> list[Turn]:
    """Return the turns from `hand` on that make `plays`.

    Each play comes with the number of tiles drawn from the left by then; any left draws will do if
    the draw empties the row. Raises `RefereeDisagreementError` if that is not a legal game, or if a
    turn scores less than its play claims.
    """
    turns = []
    for gone, play in plays:
        draws = hand.choices(problem)
        left = gone - hand.left
        if left not in draws:
            left = draws[0]
        tiles = counts_of(play.tiles)
        if (hand.drawn(problem, left).leave < tiles).any():
            raise RefereeDisagreementError(
                "refinement makes a play from a rack that does not hold its tiles"
            )
        turn, hand = turn_of(problem, hand, left, tiles)
        if turn.score < play.score:
            raise RefereeDisagreementError(
                f"refinement claims {play.score} for {turn}, which scores {turn.score}"
            )
        turns.append(turn)
    return turns


@dataclass(frozen=True)
class RefinedParameters(RefineParameters):
    """The parameters of a refined answer: those of the refinement, and the start.

    Attributes:
        width: The width of the beam whose answer is refined; 0 for a greedy answer.
    """

    width: int = 0

    def __post_init__(self) -> None:
        super().__post_init__()
        check_number("width", self.width, 0, MOST_WIDTH, StrategyError)


@dataclass(frozen=True)
class Refined:
    """A greedy answer, or that of one beam, improved by OR-Tools and narrow beams."""

    Parameters = RefinedParameters
    parameters: RefinedParameters = RefinedParameters()
    name: str = "refined"

    def search(self, problem: Problem, run: Run) -> None:
        """Offer a quick answer and better ones.

        Raises `StrategyError` if the rack is too large for the index.
        """
        width = self.parameters.width
        start = Beam(BeamParameters(width)) if width else Greedy()
        start.search(problem, run)
        refine(problem, run, self.parameters)
