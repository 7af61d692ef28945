"""Campaigns in a folder: they can be killed at any moment, and a later process resumes them.

The folder holds `certificate.txt`, the certificate of the lowest bound, and the folder `sweep`: the states and foci of the
current sweep (`solver.bound.sweeps.store`), and the checkpoint `sweep.json`. The sweep writes the checkpoint when the states of
a layer are ready and when they are expanded. It does not repeat the partitions of a layer that were expanded in between.

A file that is missing or damaged would let a sweep prove too low a bound. So the checkpoint lists the files that the sweep
needs, and each file has checksums.
"""

import hashlib
import json
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import asdict
from pathlib import Path
from typing import Any

import msgspec

from solver.bound.ascent import Bound
from solver.bound.certificate import bound_of, certificate
from solver.bound.sweeps.campaign import Checkpoint, Workspace
from solver.bound.sweeps.outlooks import Outlooks
from solver.bound.sweeps.store import Files, focus_name, read_foci, write_foci
from solver.bound.sweeps.sweep import Tally
from solver.bound.sweeps.tasks import Bench, Cluster, Crew
from solver.errors import RecordError
from solver.files import MOST_NESTING, replace_file
from solver.index.problem import Problem
from verify.files import LARGEST_TEXT, json_value, read_file

CERTIFICATE = "certificate.txt"
# the partition key and the form of files: files of earlier versions with others cannot be resumed
_PARTITIONING = "left draws, with checksums, whole bounds"


class Folder(Workspace):
    """A workspace in a folder; threads of this process do the tasks, or the workers of a cluster that see the folder."""

    def __init__(self, problem: Problem, folder: Path, executor: Executor | None = None) -> None:
        """Read the bound of an earlier process. Raises `RecordError` if it is of another puzzle or damaged."""
        super().__init__(problem)
        self._folder, self._sweep, self._executor = folder, folder / "sweep", executor
        if (path := folder / CERTIFICATE).exists():
            self.bound = bound_of(problem, path)

    @property
    def _checkpoint_path(self) -> Path:
        return self._sweep / "sweep.json"

    def keep_bound(self, bound: Bound) -> None:
        """As `Workspace.keep_bound`."""
        super().keep_bound(bound)
        if self.bound is bound:
            replace_file(self._folder / CERTIFICATE, certificate(self.problem, bound))

    def checkpoint(self) -> Checkpoint | None:
        """As `Workspace.checkpoint`."""
        path = self._checkpoint_path
        try:
            saved = json_value(read_file(path, LARGEST_TEXT), MOST_NESTING)
            of_puzzle, partitioning, checksum = (
                saved["puzzle_hash"],
                saved["parts"],
                saved.pop("checksum", ""),
            )
        except FileNotFoundError:
            return None
        except OSError as error:
            raise RecordError(f"{path}: cannot be read ({error.strerror})") from error
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise RecordError(
                f"{path}: not the progress of a sweep ({type(error).__name__}: {error})"
            ) from error
        if of_puzzle != self.problem.rules.digest:
            raise RecordError(
                f"{path}: a sweep of another puzzle: choose another folder for this one"
            )
        if partitioning != _PARTITIONING:
            raise RecordError(
                f"{path}: a sweep of another version, with other files: choose another folder"
            )
        if checksum != _checksum(saved):
            raise RecordError(
                f"{path}: damaged: remove the folder {self._sweep} to sweep again from the lowest bound so far"
            )
        for name in saved["files"]:
            if not (self._sweep / name).exists():
                raise RecordError(
                    f"{self._sweep / name}: missing: remove the folder {self._sweep} to sweep again"
                )
        return msgspec.convert(saved["stage"], Checkpoint, str_keys=True)

    def outlooks(self, pool: ThreadPoolExecutor, start: Bound) -> Outlooks:
        """As `Workspace.outlooks`; they include the foci of the sweep that was under way."""
        try:
            # a process that was killed before its first checkpoint may have left foci of other prices
            foci = read_foci(self._sweep, 0) if self._checkpoint_path.exists() else []
        except OSError as error:
            raise RecordError(f"{error.filename}: cannot be read ({error.strerror})") from error
        return Outlooks(self.problem, foci) if foci else super().outlooks(pool, start)

    def store(self) -> Files:
        """As `Workspace.store`."""
        return Files(self._sweep)

    def crew(self, pool: ThreadPoolExecutor, bench: Bench) -> Crew:
        """As `Workspace.crew`."""
        return (
            super().crew(pool, bench)
            if self._executor is None
            else Cluster(self._executor, bench, self._sweep)
        )

    def keep_checkpoint(self, checkpoint: Checkpoint, outlooks: Outlooks) -> None:
        """As `Workspace.keep_checkpoint`."""
        write_foci(self._sweep, outlooks.foci)
        files = (
            [] if checkpoint.tally is None else self._needed(checkpoint.tally, len(outlooks.foci))
        )
        # "stage" is the key of all versions, so that folders under way can be resumed
        saved = {
            "puzzle_hash": self.problem.rules.digest,
            "parts": _PARTITIONING,
            "stage": asdict(checkpoint),
            "files": files,
        }
        replace_file(
            self._checkpoint_path, json.dumps(saved | {"checksum": _checksum(saved)}) + "\n"
        )

    def _needed(self, tally: Tally, foci: int) -> list[str]:
        """Return the names of the files that a sweep needs to resume: ready states, children of later layers, and foci."""
        store, tiles, unsettled = (
            self.store(),
            len(self.problem.puzzle.row),
            tally.layer + tally.ready,
        )
        if tally.layer > tiles:
            return []
        states, children = (
            store.names("states", range(unsettled)),
            store.names("children", range(unsettled, tiles + 1)),
        )
        return [*states, *children, *map(focus_name, range(foci))]

    def clear(self) -> None:
        """As `Workspace.clear`."""
        self._sweep.mkdir(parents=True, exist_ok=True)
        self.store().clear()


def _checksum(saved: dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps(saved).encode()).hexdigest()
