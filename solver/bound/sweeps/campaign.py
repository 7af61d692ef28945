"""A long sweep in a folder: it says what it will need, can be killed at any moment, and goes on where it was.

The folder holds the sweep's states (`solver.bound.sweeps.store`), its foci (`solver.bound.sweeps.focus_files`), and the
checkpoint `sweep.json`. The sweep writes the checkpoint when the states of a layer are ready and when they are expanded. It
does not repeat the partitions of a layer that were expanded in between.
"""

import json
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from solver.bound.ascent import Bound
from solver.bound.relaxations.prices import Prices
from solver.bound.sweeps.crew import Cluster, Crew, Threads
from solver.bound.sweeps.focus_files import read_foci, write_foci
from solver.bound.sweeps.outlooks import FocusPrices, Outlooks
from solver.bound.sweeps.store import Files, Memory
from solver.bound.sweeps.sweep import Sweep, Tally, all_foci
from solver.bound.sweeps.tasks import Bench, scored_plays
from solver.bound.sweeps.training import Trainer
from solver.errors import RecordError
from solver.files import replace_file
from solver.index.problem import Problem
from solver.model.units import POINT
from solver.search.run import Run
from solver.threads import ThreadPool
from verify.reading import LARGEST_TEXT, json_value, read_file

PROGRESS = "sweep.json"
_TRIALS, _TRIAL_RACKS = 16, 1_000_000  # quick sweeps of a forecast at most, and how many racks one may expand
_MOST_NESTING = 1_000  # objects and lists of `sweep.json`
_FITTED = 8  # of which so many, the longest ones, tell the growth
_PARTS = "left draws"  # what parts go by: those of a sweep that an earlier version began do not fit
_LEAST_GROWTH = 0.5  # of the last growth that was seen: so far it is thought to fall at most


Start = tuple[Prices, Sequence[FocusPrices]]


@dataclass(frozen=True)
class Need:
    """What a sweep is thought to need: racks to expand, states kept in all, and bytes of room.

    seconds: at the pace of the quick sweeps.
    growth: how many times more racks for a claim that is a point lower than the quick ones' lowest.
    """

    racks: float
    states: float
    size: float
    seconds: float
    growth: float


@dataclass(frozen=True)
class Campaign:
    """A sweep in a folder. `tally` says how far it has come; `start` is the claim that it began with."""

    problem: Problem
    folder: Path
    outlooks: Outlooks
    tally: Tally
    start: int

    @property
    def of_prices(self) -> int:
        """The bound of the prices alone, in thousandths of a point."""
        root = self.outlooks.foci[0]
        return int(root.prices.tile.sum()) + int(root.values[0, 0, 0])

    @property
    def is_done(self) -> bool:
        """Whether all layers are played."""
        return self.tally.layer > len(self.problem.puzzle.row)

    def bound(self) -> Bound:
        """What the sweep proves; before its end no more than its prices do."""
        foci = self.outlooks.foci
        thousandths = self.tally.claim * POINT if self.is_done else self.of_prices
        return Bound("r3", {}, thousandths, foci[0].prices, 0, self.of_prices, tuple(foci[1:]))

    def forecast(self, run: Run) -> Need | None:
        """What the sweep will need if it grows as quick ones at higher claims do; None where they tell too little."""
        plays, found = scored_plays(self.problem), []
        claims = np.linspace(self.of_prices // POINT, self.start, _TRIALS + 1).astype(int)[1:]
        with ThreadPool(run.threads) as pool:
            for claim in claims.tolist():
                trial = Run(threads=run.threads, rack_budget=_TRIAL_RACKS)
                crew = Threads(pool, Bench(self.problem, plays, self.outlooks, Memory()))
                tally = Tally(claim)
                if run.is_over or not Sweep(trial, crew, Trainer(self.problem, least=sys.maxsize)).play(tally):
                    break
                found.append((claim, tally.racks, sum(tally.states.values()), tally.size, trial.elapsed))
        return _grown(np.array(found[-_FITTED:], dtype=np.float64), self.start)

    def play(self, run: Run, executor: Executor | None = None) -> bool:
        """Play on to the end; false where the run was over first.

        executor: of a cluster whose workers see the folder; None for threads.

        Raises `OSError` where a file cannot be written.
        """
        trained: dict[int, float] = {focus.played: self.tally.states.get(focus.played, np.inf) for focus in self.outlooks.foci}
        with self._crew(run, executor) as crew:
            return Sweep(run, crew, Trainer(self.problem, trained=trained)).play(self.tally, keep=lambda _tally: self.keep())

    def keep(self) -> None:
        """Write down how far the sweep has come. Raises `OSError` where that cannot be written."""
        write_foci(self.folder, self.outlooks.foci)
        told = {"puzzle_hash": _digest(self.problem), "start": self.start, "parts": _PARTS, "tally": asdict(self.tally)}
        replace_file(self.folder / PROGRESS, json.dumps(told) + "\n")

    @contextmanager
    def _crew(self, run: Run, executor: Executor | None) -> Iterator[Crew]:
        bench = Bench(self.problem, scored_plays(self.problem), self.outlooks, Files(self.folder))
        if executor is not None:
            yield Cluster(executor, bench, self.folder)
            return
        with ThreadPool(run.threads) as pool:
            yield Threads(pool, bench)


def begin_campaign(
    problem: Problem, run: Run, folder: Path, claim: int, start: tuple[Prices, Sequence[FocusPrices]]
) -> Campaign:
    """A new campaign for all games that score more than a claim; start: prices, and those of foci.

    Raises `OSError` where the folder cannot be written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with ThreadPool(run.threads) as pool:
        outlooks = Outlooks(problem, all_foci(problem, pool, *start))
    campaign = Campaign(problem, folder, outlooks, Tally(claim), claim)
    campaign.keep()
    return campaign


def campaign_in(problem: Problem, folder: Path, claim: int | None) -> Campaign | None:
    """The campaign that a folder holds, None where it holds none.

    Raises `RecordError` if it is of another puzzle or version, began with another claim, or cannot be read.
    """
    path = folder / PROGRESS
    try:
        told = json_value(read_file(path, LARGEST_TEXT), _MOST_NESTING)
        of_puzzle, start, tally, parts = told["puzzle_hash"], int(told["start"]), Tally(**told["tally"]), told.get("parts")
        tally.states = {int(layer): count for layer, count in tally.states.items()}
        foci = read_foci(folder, 0)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise RecordError(f"{path}: cannot be read ({error.strerror})") from error
    except (ValueError, KeyError, TypeError) as error:
        raise RecordError(f"{path}: not how far a sweep has come ({type(error).__name__}: {error})") from error
    if of_puzzle != _digest(problem):
        raise RecordError(f"{path}: a sweep of another puzzle")
    if parts != _PARTS:
        raise RecordError(f"{path}: a sweep of another version, whose files do not fit: choose another folder for a new one")
    if claim not in (None, start):
        raise RecordError(f"{path}: a sweep for games above {start:,} points, not {claim:,}: choose another folder for it")
    return Campaign(problem, folder, Outlooks(problem, foci), tally, start)


def _digest(problem: Problem) -> str:
    return problem.puzzle.digest(problem.lexicon.digest)


def _grown(found: npt.NDArray[np.float64], claim: int) -> Need | None:
    """The figures at a claim, from rows of claims, racks, states, bytes and seconds of sweeps at higher claims.

    Their logarithms grow with every point that the claim is lower, and the growth falls: a parabola is laid through what was
    measured. Beyond that the growth is thought to fall to a part of its last value at most, because a parabola has a highest
    point, and the number of states has none.
    """
    if len(found) < 3:
        return None
    below = found[-1, 0] - found[:, 0]  # points below the lowest claim: none is above 0
    figures = np.log(np.maximum(1, found[:, 1:]))
    bend, slope, _level = np.polyfit(below, figures, 2)
    slope = np.maximum(slope, 0.0)
    steps = np.arange(int(found[-1, 0]) - claim)[:, None]
    growth = np.maximum(slope + 2 * np.minimum(0.0, bend) * (steps + 0.5), _LEAST_GROWTH * slope)
    racks, states, size, seconds = np.exp(figures[-1] + growth.sum(axis=0)).tolist()
    return Need(racks, states, size, seconds, float(np.exp(slope[0])))
