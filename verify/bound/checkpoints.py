"""Checkpoints of a long check in a folder, from which an interrupted check resumes.

The folder and each file in it belong to one certificate and one version of this program; any others are refused. The check does
not recompute what a file holds. So anyone who can write to the folder can change the result of the check. A verdict therefore
names the folder that it rests on.
"""

import hashlib
import re
import time
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import IO

import numpy as np
import numpy.typing as npt

from verify.bound.compiled import VERSION
from verify.bound.numbers import Numbers
from verify.bound.word_arrays import Ints
from verify.replay.rules import RulesError
from verify.text import quote
from verify.writing import replacing

_OWNER, _SWEEP = "digest.txt", "sweep.npz"
_MARK = "mark"  # the array in each file that says what the file belongs to
_LAYER = re.compile(r"(\d{1,5})-(\d{1,5})")
_LONGEST_OWNER = 1_000  # characters
_PAUSE = 240.0  # seconds between two checkpoints of a sweep

StatesByLayer = Mapping[int, Mapping[int, Numbers]]
"""States by tiles played and left draws."""


class Keeper:
    """Keeps the work of a check in `folder`; with None it keeps nothing.

    Attributes:
        rests_on: The folder, once the check has used kept work; None before.
    """

    def __init__(self, folder: Path | None, digest: str, tell: Callable[[str], None], pause: float = _PAUSE) -> None:
        """Claim an empty folder, or resume from the folder of this certificate.

        Args:
            folder: Created if it does not exist.
            digest: The digest of the certificate.
            tell: Takes a warning when a file cannot be written; the check continues.
            pause: The seconds between two checkpoints, see `is_due`.

        Raises:
            RulesError: The folder cannot be used, or belongs to another certificate or another version of this program.
        """
        self._folder, self._tell, self._pause = folder, tell, pause
        self._digest = digest
        self.rests_on: Path | None = None
        self._kept = time.monotonic()
        if folder is None:
            return
        owner = folder / _OWNER
        try:
            folder.mkdir(parents=True, exist_ok=True)
            if not owner.exists():
                if any(folder.iterdir()):
                    raise RulesError(f"{folder}: holds something else: expected a new folder, or one that a check has made")
                owner.write_text(f"{digest}\n{VERSION}\n", encoding="ascii")
            with owner.open(encoding="utf-8", errors="replace") as file:
                known = file.read(_LONGEST_OWNER).split("\n")
        except OSError as error:
            raise RulesError(f"{folder}: nothing can be kept there ({error.strerror})") from error
        if known[0] != digest:
            raise RulesError(f"{owner}: {quote(known[0][:64])}: it is of another certificate: expected {digest}")
        if known[1:] != [VERSION, ""]:
            raise RulesError(f"{folder}: kept by another version of this program: remove it, or name another folder")

    def values(self, number: int, shape: tuple[int, ...]) -> Ints | None:
        """Return the kept values of the focus of that number; None if none are kept.

        Raises:
            RulesError: The kept values cannot be used.
        """
        name = f"focus-{number}.npz"
        kept = self._read(name)
        if kept is None:
            return None
        if set(kept) != {"most"} or kept["most"].shape != shape or kept["most"].dtype != np.int64:
            raise self._unusable(name, "not the values of a focus of this puzzle")
        return kept["most"]

    def keep_values(self, number: int, most: Ints) -> None:
        """Keep the values of the focus of that number."""
        self._write(f"focus-{number}.npz", {"most": most})

    def sweep(self, fit: Callable[[int, int, Numbers], bool]) -> tuple[int, int, dict[int, dict[int, Numbers]]] | None:
        """Return the next layer of a sweep, the best score before it, and the states met; None if no sweep is kept.

        Args:
            fit: Takes tiles played, left draws and states; returns whether these states can occur there.

        Raises:
            RulesError: The kept sweep cannot be used.
        """
        kept = self._read(_SWEEP)
        if kept is None:
            return None
        following = kept.pop("next", None)
        if following is None or following.shape != (2,) or following.dtype != np.int64 or following.min() < 0:
            raise self._unusable(_SWEEP, "it does not say which layer is next")
        layers: dict[int, dict[int, Numbers]] = {}
        for name, states in kept.items():
            place = _LAYER.fullmatch(name)
            if place is None or states.ndim != 1 or states.dtype != np.uint64:
                raise self._unusable(_SWEEP, f"{quote(name)} is no layer")
            played, left = map(int, place.groups())
            if played < following[0] or not fit(played, left, states):
                raise self._unusable(_SWEEP, f"{quote(name)} holds states that no game of this puzzle meets")
            layers.setdefault(played, {})[left] = states
        return int(following[0]), int(following[1]), layers

    def is_due(self) -> bool:
        """Return whether a checkpoint of the sweep is due."""
        return self._folder is not None and time.monotonic() - self._kept >= self._pause

    def keep_sweep(self, following: int, best: int, layers: StatesByLayer) -> None:
        """Write a checkpoint of the sweep in place of the last one."""
        arrays = {f"{played}-{left}": states for played, lefts in layers.items() for left, states in lefts.items()}
        self._write(_SWEEP, {"next": np.array([following, best], dtype=np.int64), **arrays})
        self._kept = time.monotonic()

    def _read(self, name: str) -> "dict[str, np.ndarray] | None":
        if self._folder is None or not (self._folder / name).exists():
            return None
        try:
            with (self._folder / name).open("rb") as file, np.load(file) as archive:
                arrays = dict(archive)
        except (OSError, ValueError, KeyError, EOFError, TypeError, NotImplementedError, zipfile.BadZipFile) as error:
            raise self._unusable(name, f"damaged ({error})") from error
        if not np.array_equal(arrays.pop(_MARK, None), self._mark(name)):
            raise self._unusable(name, "it is of another certificate, version or place")
        self.rests_on = self._folder
        return arrays

    def _mark(self, name: str) -> "npt.NDArray[np.uint8]":
        """Return a hash of what a file of that name belongs to: certificate, program version and name."""
        return np.frombuffer(hashlib.sha256(f"{self._digest} {VERSION} {name}".encode()).digest(), dtype=np.uint8)

    def _unusable(self, name: str, why: str) -> RulesError:
        return RulesError(f"{self._folder}/{name}: {why}: remove it, and the check works it out again")

    def _write(self, name: str, arrays: "Mapping[str, np.ndarray]") -> None:
        """Write a file atomically: a check that is killed leaves the old file or the new one."""
        if self._folder is None:
            return
        try:
            with replacing(self._folder / name) as file:
                _save(file, {**arrays, _MARK: self._mark(name)})
        except OSError as error:
            self._tell(f"{self._folder / name}: cannot be written ({error.strerror}); going on")


def _save(file: IO[bytes], arrays: "Mapping[str, np.ndarray]") -> None:
    np.savez(file, **arrays)  # type: ignore[arg-type]


KEEP_NOTHING = Keeper(None, "", lambda _line: None)
