"""Campaigns in a folder: they can be killed at any moment, and a later process resumes them.

The folder holds `certificate.txt`, the certificate of the lowest bound, and the folder `sweep`: the
states and foci of the current sweep (`solver.bound.sweeps.store`), and the checkpoint `sweep.json`.
The sweep writes the checkpoint when the states of a layer are ready and when they are expanded.

A file that is missing or damaged would let a sweep prove too low a bound. So the checkpoint lists
the files that the sweep needs, and each file has checksums.
"""

import hashlib
import json
from concurrent.futures import Executor
from dataclasses import asdict, dataclass
from pathlib import Path

import msgspec

from solver.bound.ascent import Bound
from solver.bound.certificate import bound_of, certificate
from solver.bound.sweeps.campaign import Checkpoint, Workspace
from solver.bound.sweeps.outlooks import Focus
from solver.bound.sweeps.store import Files, focus_name
from solver.bound.sweeps.sweep import Tally
from solver.bound.sweeps.tasks import Bench, Cluster, Crew
from solver.errors import RowdrawError
from solver.files import MOST_NESTING, replace_file
from solver.index.problem import Problem
from verify.files import LARGEST_TEXT, json_value, read_file

CERTIFICATE = "certificate.txt"
SWEEP = "sweep"
# the partition key and the form of files: files of earlier versions with others cannot be resumed
_PARTITIONING = "left draws, a checksum a file"


@dataclass
class _Saved:
    """The content of `sweep.json`. All versions have these keys, so that sweeps can be resumed.

    Attributes:
        puzzle_hash: The digest of the puzzle with its words.
        parts: The partitioning of the version.
        stage: The progress.
        files: The names of the files that the sweep needs.
        checksum: That of all fields before it.
    """

    puzzle_hash: str
    parts: str
    stage: Checkpoint
    files: list[str]
    checksum: str = ""


class Folder(Workspace):
    """A workspace in a folder.

    Threads of this process do the tasks, or the workers of a cluster that see the folder.

    Attributes:
        store: The files of the current sweep.
    """

    def __init__(self, problem: Problem, folder: Path, executor: Executor | None = None) -> None:
        """Read the bound of an earlier process.

        Raises `RowdrawError` if it is of another puzzle or damaged.
        """
        super().__init__(problem)
        self._executor = executor
        self._certificate = folder / CERTIFICATE
        self._sweep = folder / SWEEP
        self._checkpoint = self._sweep / "sweep.json"
        self.store: Files = Files(self._sweep)
        if self._certificate.exists():
            self.bound = bound_of(problem, self._certificate)

    def keep_bound(self, bound: Bound) -> None:
        """As `Workspace.keep_bound`."""
        super().keep_bound(bound)
        if self.bound is bound:
            replace_file(self._certificate, certificate(self.problem, bound))

    def checkpoint(self) -> Checkpoint | None:
        """As `Workspace.checkpoint`."""
        path = self._checkpoint
        again = f"remove the folder {self._sweep} to sweep again"
        try:
            value = json_value(read_file(path, LARGEST_TEXT), MOST_NESTING)
            saved = msgspec.convert(value, _Saved, str_keys=True)
        except FileNotFoundError:
            return None
        except OSError as error:
            raise RowdrawError(f"{path}: cannot be read ({error.strerror})") from error
        except ValueError as error:
            raise RowdrawError(f"{path}: not the progress of a sweep ({error})") from error
        if saved.puzzle_hash != self.problem.rules.digest:
            raise RowdrawError(
                f"{path}: a sweep of another puzzle: choose another folder for this one"
            )
        if saved.parts != _PARTITIONING:
            raise RowdrawError(
                f"{path}: a sweep of another version, with other files: choose another folder"
            )
        if saved.checksum != _checksum(saved):
            raise RowdrawError(f"{path}: damaged: {again} from the lowest bound so far")
        for name in saved.files:
            if not (self._sweep / name).exists():
                raise RowdrawError(f"{self._sweep / name}: missing: {again}")
        return saved.stage

    def foci(self) -> list[Focus]:
        """As `Workspace.foci`."""
        # a process that was killed before its first checkpoint may have left foci of other prices
        return self.store.read_foci(0) if self._checkpoint.exists() else []

    def crew(self, pool: Executor, bench: Bench) -> Crew:
        """As `Workspace.crew`."""
        if self._executor is None:
            return super().crew(pool, bench)
        return Cluster(self._executor, bench, self.store)

    def keep_checkpoint(self, checkpoint: Checkpoint, foci: list[Focus]) -> None:
        """As `Workspace.keep_checkpoint`."""
        self.store.write_foci(foci)
        saved = _Saved(
            puzzle_hash=self.problem.rules.digest,
            parts=_PARTITIONING,
            stage=checkpoint,
            files=self._needed(checkpoint.tally, len(foci)),
        )
        saved.checksum = _checksum(saved)
        replace_file(self._checkpoint, json.dumps(asdict(saved)) + "\n")

    def _needed(self, tally: Tally | None, foci: int) -> list[str]:
        """Return the names of the files that a sweep needs to resume.

        They are ready states, children of later layers, and foci.
        """
        tiles = len(self.problem.puzzle.row)
        if tally is None or tally.layer > tiles:
            return []
        unsettled = tally.layer + tally.ready
        return [
            *self.store.names("states", range(unsettled)),
            *self.store.names("children", range(unsettled, tiles + 1)),
            *map(focus_name, range(foci)),
        ]


def _checksum(saved: _Saved) -> str:
    fields = asdict(saved)
    del fields["checksum"]
    return hashlib.sha256(json.dumps(fields).encode()).hexdigest()
