"""Campaigns: series of larger and larger sweeps, until one proves that the best game is optimal.

Every complete sweep proves a bound. It trains prices that the next sweep uses, and its figures
forecast what the next sweep will need. The states of a campaign are in a workspace: in memory, or
in a folder (`solver.bound.sweeps.folder`), where a killed campaign resumes.
"""

import math
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import dataclass, field, replace

from solver.bound.ascent import Bound
from solver.bound.sweeps.outlooks import Focus, Outlooks, all_foci
from solver.bound.sweeps.store import Store
from solver.bound.sweeps.sweep import Sweep, Tally
from solver.bound.sweeps.tasks import Bench, Crew, plays_of
from solver.bound.sweeps.training import UNKNOWN, Trainer
from solver.errors import StrategyError
from solver.index.problem import Problem
from solver.model.tiles import USUAL_RACK
from solver.search.run import Run
from verify.bound.certificate import LONGEST_ROW
from verify.threads import ThreadPool

_FIRST = 100_000  # states of a layer in the first sweep
_GROWTH = 4  # the growth factor of this number from sweep to sweep
# If the sweep that closes the gap is expected to expand at most this many times the racks of the
# last one, it is the next one: further off, a forecast means nothing.
_LAST = 20

# For each point that its claim is lower, a sweep expands about exp(this figure / claim) times the
# racks. In eleven proofs of rows of 60 and 100 tiles, 15 of 18 forecasts of the last sweep were 0.3
# to 2 times what it needed, the others 0.2, 7 and 12 times.
_RISE = 50.0
_HIGHEST = 50.0  # the logarithm of the largest factor of a forecast
_RANGE = (0.5, 6.0)  # what nearly all sweeps needed, as multiples of their forecasts


@dataclass(frozen=True)
class Need:
    """What a complete sweep needed, or what one is expected to need.

    Attributes:
        claim: The claim in points that it proves.
        racks: How many racks it expands.
        seconds: Its duration, over all processes.
    """

    claim: int
    racks: int
    seconds: float

    def in_words(self) -> str:
        """Return the range in which nearly all sweeps with this forecast were."""
        low, high = _RANGE
        racks = self.racks / 1e6
        return (
            f"{low * racks:,.1f} to {high * racks:,.1f} million racks, "
            f"{_duration(low * self.seconds)} to {_duration(high * self.seconds)}"
        )


def forecast(last: Need, claim: int) -> Need:
    """Return what a sweep at `claim`, in points, is expected to need, from what the last needed."""
    points = max(0, last.claim - claim)
    factor = math.exp(min(_HIGHEST, points * _RISE / max(1, claim)))
    return Need(claim, round(factor * last.racks), factor * last.seconds)


def _duration(seconds: float) -> str:
    """Return a duration in words, roughly."""
    if seconds < 100:
        return f"{seconds:.0f} s"
    if seconds < 100 * 60:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:,.1f} h"


@dataclass
class Checkpoint:
    """The progress of a campaign, from which it resumes.

    Attributes:
        most: The most states of a layer in the current sweep.
        tally: The progress of the current sweep; None before it begins.
        trained: As `Trainer.trained`.
        measured: What each complete sweep needed, in order.
        seconds: The time that the current sweep took before the process was killed.
    """

    most: int
    tally: Tally | None = None
    trained: dict[int, int] = field(default_factory=dict)
    measured: list[Need] = field(default_factory=list)
    seconds: float = 0.0


class Workspace:
    """Where a campaign keeps its bound, its progress and its states: this one in memory.

    Attributes:
        problem: The puzzle and its words.
        bound: The lowest bound so far; None before the first.
        store: The states of the current sweep.
    """

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.bound: Bound | None = None
        self.store = Store()

    def keep_bound(self, bound: Bound) -> None:
        """Keep a bound unless a lower one is kept. Raises `OSError`."""
        if self.bound is None or bound.points <= self.bound.points:
            self.bound = bound

    def checkpoint(self) -> Checkpoint | None:
        """Return the progress of an earlier process, or None. Raises `RowdrawError`."""
        return None

    def foci(self) -> list[Focus]:
        """Return the foci of the sweep of an earlier process, or none. Raises `RowdrawError`."""
        return []

    def crew(self, pool: Executor, bench: Bench) -> Crew:
        """Return what runs the tasks of sweeps."""
        return Crew(pool, bench)

    def keep_checkpoint(self, checkpoint: Checkpoint, foci: list[Focus]) -> None:
        """Keep the progress of a campaign, and its foci. Raises `OSError`."""


def check_sweepable(problem: Problem) -> None:
    """Raise `StrategyError` if the row is too long for a certificate, or the rack too large."""
    puzzle = problem.puzzle
    if len(puzzle.row) > LONGEST_ROW or not problem.is_sweepable:
        raise StrategyError(
            f"exact search takes rows of up to {LONGEST_ROW} tiles and racks of up to "
            f"{USUAL_RACK}: this one has {len(puzzle.row)} and {puzzle.rack_size}"
        )


def sweeps(
    problem: Problem,
    run: Run,
    start: Bound,
    most: int,
    trainer: Trainer | None = None,
    workspace: Workspace | None = None,
    prepare: Callable[[float], None] = lambda _racks: None,
) -> Iterator[Bound]:
    """Run larger and larger sweeps, and yield each lower bound.

    The sweeps end when the run is over, the row is solved, or a sweep with the largest layers is
    complete. If the row is solved, the last bound is the best score. The sweeps offer better games
    to the run.

    Args:
        problem: The puzzle and its words.
        run: Its limits end the sweeps.
        start: A bound of r3, whose prices and foci the sweeps use.
        most: The most states of a layer.
        trainer: Trains further prices.
        workspace: Where the states are; None for memory.
        prepare: Called after each sweep that leaves a gap, with the racks that the next one is
            expected to expand. It may offer better games to the run.

    Raises:
        StrategyError: The row is too long, or the rack too large.
        RowdrawError: The workspace holds files of another puzzle, or damaged ones.
        OSError: A file of the workspace cannot be written.
    """
    check_sweepable(problem)
    workspace = workspace or Workspace(problem)
    trainer = trainer or Trainer(problem)
    with ThreadPool(run.threads) as pool:
        yield from _Campaign(run, start, trainer, workspace, pool, most).bounds(prepare)


class _Campaign:
    """A series of sweeps, with at most `most` states of a layer."""

    def __init__(
        self,
        run: Run,
        start: Bound,
        trainer: Trainer,
        workspace: Workspace,
        pool: ThreadPoolExecutor,
        most: int,
    ) -> None:
        self._run = run
        self._trainer = trainer
        self._workspace = workspace
        self._most = most
        problem = workspace.problem
        foci = workspace.foci() or all_foci(problem, pool, start.prices, start.foci)
        self._outlooks = Outlooks(problem, foci)
        bench = Bench(problem, plays_of(problem), self._outlooks, workspace.store)
        self._crew = workspace.crew(pool, bench)
        root = foci[0]
        of_prices = int(root.prices.tile.sum()) + int(root.values[0, 0, 0])
        # the claim of an earlier process may be lower
        self._bound = Bound(root.prices, of_prices, claim=start.points, foci=start.foci)
        self._checkpoint = workspace.checkpoint() or Checkpoint(min(_FIRST, most))
        self._known = start.points

    @property
    def _gap(self) -> int:
        return self._bound.points - self._run.incumbent.score

    def bounds(self, prepare: Callable[[float], None]) -> Iterator[Bound]:
        """Yield each lower bound, see `sweeps`."""
        checkpoint = self._checkpoint
        if self._lacks_game():
            checkpoint.tally = None
        # a certificate does not hold the number of states that a focus was trained for: train no
        # more prices near it
        for focus in self._outlooks.foci[1:]:
            n_states = checkpoint.trained.get(focus.played, UNKNOWN)
            self._trainer.trained[focus.played] = n_states
        while not self._run.is_over:
            claim = self._sweep()
            if claim is None:
                return
            if claim < self._bound.points:
                self._bound = replace(self._bound, claim=claim, foci=tuple(self._outlooks.foci[1:]))
            if self._bound.points < self._known:
                self._known = self._bound.points
                self._workspace.keep_bound(self._bound)
                yield self._bound
            if self._gap <= 0:
                self._workspace.store.clear()
                return
            need = self._closing()
            prepare(need.racks if need else _GROWTH * checkpoint.measured[-1].racks)
            # after the preparations the gap may be smaller
            need = self._closing()
            if need is not None:
                self._run.tell(f"to close the gap of {self._gap} points: {need.in_words()}")
            if checkpoint.most >= self._most:
                return
            larger = min(self._most, _GROWTH * checkpoint.most)
            checkpoint.most = larger if need is None else self._most

    def _lacks_game(self) -> bool:
        """Return whether the largest sweep is complete but its best game is lost.

        This happens when a user deletes the answer.
        """
        tally = self._checkpoint.tally
        return (
            tally is not None
            and tally.layer > len(self._workspace.problem.puzzle.row)
            and self._checkpoint.most >= self._most
            and self._run.incumbent.score < tally.claim
        )

    def _closing(self) -> Need | None:
        """Return the forecast of the sweep that closes the gap; None if it is not the next one."""
        last = self._checkpoint.measured[-1]
        need = forecast(last, self._run.incumbent.score)
        # a sweep that the time limit ends proves nothing
        if need.racks > _LAST * last.racks or need.seconds > self._run.seconds_left:
            return None
        return need

    def _sweep(self) -> int | None:
        """Run or resume the current sweep.

        Return the claim that it proves; None if the run was over first.
        """
        checkpoint = self._checkpoint
        began = self._run.elapsed - checkpoint.seconds
        if checkpoint.tally is None:
            self._workspace.store.clear()
            checkpoint.tally = Tally(0)
        tally = checkpoint.tally
        tally.claim = max(tally.claim, self._run.incumbent.score)

        def keep() -> None:
            checkpoint.trained = dict(self._trainer.trained)
            checkpoint.seconds = self._run.elapsed - began
            self._workspace.keep_checkpoint(checkpoint, self._outlooks.foci)

        sweep = Sweep(self._run, self._crew, self._trainer)
        label = f"gap {self._gap}, sweep {checkpoint.most:,}"
        if not sweep.play(tally, checkpoint.most, keep, label):
            return None
        checkpoint.measured.append(Need(tally.claim, tally.racks, checkpoint.seconds))
        checkpoint.tally = None
        checkpoint.seconds = 0.0
        return tally.claim
