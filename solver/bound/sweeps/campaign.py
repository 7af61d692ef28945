"""Campaigns: long sweeps in a folder. A campaign forecasts its needs, can be killed at any moment, and resumes.

The folder holds the sweep's states and its foci (`solver.bound.sweeps.store`), and the
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
from solver.bound.sweeps.outlooks import FocusPrices, Outlooks
from solver.bound.sweeps.store import Files, Memory, read_foci, write_foci
from solver.bound.sweeps.sweep import Sweep, Tally, all_foci
from solver.bound.sweeps.tasks import Bench, scored_plays
from solver.bound.sweeps.training import Trainer
from solver.errors import RecordError
from solver.files import replace_file
from solver.index.problem import Problem
from solver.model.units import POINT
from solver.search.run import Run
from verify.reading import LARGEST_TEXT, json_value, read_file
from verify.threads import ThreadPool

PROGRESS = "sweep.json"
_TRIALS, _TRIAL_RACKS = 16, 1_000_000  # a forecast runs at most this many quick sweeps of this many racks
_MOST_NESTING = 1_000  # nesting of objects and lists in `sweep.json`
_FITTED = 8  # the forecast fits the growth to this many quick sweeps, the longest ones
_PARTITIONING = "left draws"  # the partition key: files of earlier versions with another key cannot be resumed
_LEAST_GROWTH = 0.5  # the extrapolated growth never falls below this share of the last measured growth

Start = tuple[Prices, Sequence[FocusPrices]]


@dataclass(frozen=True)
class Need:
    """The forecast needs of a sweep: racks to expand, states of all layers, bytes, and seconds at the pace of quick sweeps.

    `growth` is the factor by which racks grow when the claim is one point below the lowest one of the quick sweeps.
    """

    racks: float
    states: float
    size: float
    seconds: float
    growth: float


@dataclass(frozen=True)
class Campaign:
    """A sweep in a folder, with its completion bounds, its progress, and the claim that it began with."""

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
        """Whether all layers have been played."""
        return self.tally.layer > len(self.problem.puzzle.row)

    def bound(self) -> Bound:
        """Return the bound that the sweep proves; before it is done, the bound of the prices alone."""
        foci = self.outlooks.foci
        thousandths = self.tally.claim * POINT if self.is_done else self.of_prices
        return Bound("r3", {}, thousandths, foci[0].prices, 0, self.of_prices, tuple(foci[1:]))

    def forecast(self, run: Run) -> Need | None:
        """Extrapolate the needs of the sweep from quick sweeps at higher claims; None if too few of them succeed."""
        plays, measured = scored_plays(self.problem), []
        claims = np.linspace(self.of_prices // POINT, self.start, _TRIALS + 1).astype(int)[1:]
        with ThreadPool(run.threads) as pool:
            for claim in claims.tolist():
                trial = Run(threads=run.threads, rack_budget=_TRIAL_RACKS)
                crew = Threads(pool, Bench(self.problem, plays, self.outlooks, Memory()))
                tally = Tally(claim)
                if run.is_over or not Sweep(trial, crew, Trainer(self.problem, least=sys.maxsize)).play(tally):
                    break
                measured.append((claim, tally.racks, sum(tally.states.values()), tally.size, trial.elapsed))
        return _grown(np.array(measured[-_FITTED:], dtype=np.float64), self.start)

    def play(self, run: Run, executor: Executor | None = None) -> bool:
        """Play the sweep to its end, on threads or in `executor`, whose workers see the folder. Raises `OSError`.

        Returns:
            False if the run was over first.
        """
        trained: dict[int, float] = {focus.played: self.tally.states.get(focus.played, np.inf) for focus in self.outlooks.foci}
        with self._crew(run, executor) as crew:
            return Sweep(run, crew, Trainer(self.problem, trained=trained)).play(self.tally, keep=lambda _tally: self.keep())

    def keep(self) -> None:
        """Write the checkpoint and new foci. Raises `OSError`."""
        write_foci(self.folder, self.outlooks.foci)
        saved = {"puzzle_hash": _digest(self.problem), "start": self.start, "parts": _PARTITIONING, "tally": asdict(self.tally)}
        replace_file(self.folder / PROGRESS, json.dumps(saved) + "\n")

    @contextmanager
    def _crew(self, run: Run, executor: Executor | None) -> Iterator[Crew]:
        bench = Bench(self.problem, scored_plays(self.problem), self.outlooks, Files(self.folder))
        if executor is not None:
            yield Cluster(executor, bench, self.folder)
            return
        with ThreadPool(run.threads) as pool:
            yield Threads(pool, bench)


def begin_campaign(problem: Problem, run: Run, folder: Path, claim: int, start: Start) -> Campaign:
    """Begin a campaign in `folder` for all games that score more than `claim`. Raises `OSError` if it cannot be written.

    It starts from the whole row's prices and those of foci.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with ThreadPool(run.threads) as pool:
        outlooks = Outlooks(problem, all_foci(problem, pool, *start))
    campaign = Campaign(problem, folder, outlooks, Tally(claim), claim)
    campaign.keep()
    return campaign


def campaign_in(problem: Problem, folder: Path, claim: int | None) -> Campaign | None:
    """Read the campaign that a folder holds; None if it holds none.

    Raises `RecordError` if it is of another puzzle or version, began with another claim, or cannot be read.
    """
    path = folder / PROGRESS
    try:
        saved = json_value(read_file(path, LARGEST_TEXT), _MOST_NESTING)
        of_puzzle, start = saved["puzzle_hash"], int(saved["start"])
        tally, parts = Tally(**saved["tally"]), saved.get("parts")
        tally.states = {int(layer): count for layer, count in tally.states.items()}
        foci = read_foci(folder, 0)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise RecordError(f"{path}: cannot be read ({error.strerror})") from error
    except (ValueError, KeyError, TypeError) as error:
        raise RecordError(f"{path}: not how far a sweep has come ({type(error).__name__}: {error})") from error
    if of_puzzle != _digest(problem):
        raise RecordError(f"{path}: a sweep of another puzzle: choose another folder for a new one")
    if parts != _PARTITIONING:
        raise RecordError(f"{path}: a sweep of another version, with other files: choose another folder for a new one")
    if claim not in (None, start):
        raise RecordError(f"{path}: a sweep for games above {start:,} points, not {claim:,}: choose another folder for it")
    return Campaign(problem, folder, Outlooks(problem, foci), tally, start)


def _digest(problem: Problem) -> str:
    return problem.puzzle.digest(problem.lexicon.digest)


def _grown(measured: npt.NDArray[np.float64], claim: int) -> Need | None:
    """Extrapolate the needs at a claim from sweeps at higher claims: rows of claim, racks, states, bytes and seconds.

    The logarithm of each figure grows with every point that the claim is lower, and its growth falls. A parabola is fitted to
    the measured figures. A parabola has a highest point, but the number of states has none. So beyond the measured claims the
    growth never falls below a share of its last value.
    """
    if len(measured) < 3:
        return None
    below = measured[-1, 0] - measured[:, 0]  # the lowest claim less each claim: at most 0
    figures = np.log(np.maximum(1, measured[:, 1:]))
    bend, slope, _level = np.polyfit(below, figures, 2)
    slope = np.maximum(slope, 0.0)
    steps = np.arange(int(measured[-1, 0]) - claim)[:, None]
    growth = np.maximum(slope + 2 * np.minimum(0.0, bend) * (steps + 0.5), _LEAST_GROWTH * slope)
    racks, states, size, seconds = np.exp(figures[-1] + growth.sum(axis=0)).tolist()
    return Need(racks, states, size, seconds, float(np.exp(slope[0])))
