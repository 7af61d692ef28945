"""The work of a long check, kept in a folder, so that a check that was ended can go on.

A folder belongs to one certificate and one version of this program, and so does each file in it: others are refused. What a
file holds is not worked out again. So whoever can write to the folder decides what the check says, and a verdict says that it
rests on a folder.
"""

import hashlib
import os
import re
import tempfile
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

_OWNER, _SWEEP = "digest.txt", "sweep.npz"
_MARK = "mark"  # an array of each file: what it belongs to
_LAYER = re.compile(r"(\d{1,5})-(\d{1,5})")
_LONGEST_OWNER = 1_000  # characters
_PAUSE = 240.0  # seconds between two times that a sweep is kept

StatesByLayer = Mapping[int, Mapping[int, Numbers]]
"""By tiles played and left draws."""


class Keeper:
    """Keeps in `folder`; nothing where that is None.

    Attributes:
        rests_on: The folder, once something was taken from it; None before.
    """

    def __init__(self, folder: Path | None, digest: str, tell: Callable[[str], None], pause: float = _PAUSE) -> None:
        """Take possession of an empty folder, or go on with the one of this certificate.

        Args:
            folder: Made if it is not there.
            digest: Of the certificate.
            tell: Gets a line where something cannot be written; the check goes on.
            pause: In seconds, see `is_due`.

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
        """Return the kept values of the focus of that number; None if there are none.

        Raises:
            RulesError: They cannot be used.
        """
        name = f"focus-{number}.npz"
        found = self._read(name)
        if found is None:
            return None
        if set(found) != {"most"} or found["most"].shape != shape or found["most"].dtype != np.int64:
            raise self._unusable(name, "not the values of a focus of this puzzle")
        return found["most"]

    def keep_values(self, number: int, most: Ints) -> None:
        """Keep them."""
        self._write(f"focus-{number}.npz", {"most": most})

    def sweep(self, fit: Callable[[int, int, Numbers], bool]) -> tuple[int, int, dict[int, dict[int, Numbers]]] | None:
        """Return the next layer of a sweep, the best score before it, and the states met; None if nothing was kept.

        Args:
            fit: Whether states can be met with that number of tiles played and of left draws.

        Raises:
            RulesError: They cannot be used.
        """
        found = self._read(_SWEEP)
        if found is None:
            return None
        following = found.pop("next", None)
        if following is None or following.shape != (2,) or following.dtype != np.int64 or following.min() < 0:
            raise self._unusable(_SWEEP, "it does not say which layer is next")
        layers: dict[int, dict[int, Numbers]] = {}
        for name, states in found.items():
            place = _LAYER.fullmatch(name)
            if place is None or states.ndim != 1 or states.dtype != np.uint64:
                raise self._unusable(_SWEEP, f"{quote(name)} is no layer")
            played, left = map(int, place.groups())
            if played < following[0] or not fit(played, left, states):
                raise self._unusable(_SWEEP, f"{quote(name)} holds states that no game of this puzzle meets")
            layers.setdefault(played, {})[left] = states
        return int(following[0]), int(following[1]), layers

    def is_due(self) -> bool:
        """Whether the sweep should be kept now."""
        return self._folder is not None and time.monotonic() - self._kept >= self._pause

    def keep_sweep(self, following: int, best: int, layers: StatesByLayer) -> None:
        """Keep it in place of what is there."""
        arrays = {f"{played}-{left}": states for played, lefts in layers.items() for left, states in lefts.items()}
        self._write(_SWEEP, {"next": np.array([following, best], dtype=np.int64), **arrays})
        self._kept = time.monotonic()

    def _read(self, name: str) -> "dict[str, np.ndarray] | None":
        if self._folder is None or not (self._folder / name).exists():
            return None
        try:
            with (self._folder / name).open("rb") as file, np.load(file) as archive:
                found = dict(archive)
        except (OSError, ValueError, KeyError, EOFError, TypeError, NotImplementedError, zipfile.BadZipFile) as error:
            raise self._unusable(name, f"damaged ({error})") from error
        if not np.array_equal(found.pop(_MARK, None), self._mark(name)):
            raise self._unusable(name, "it is of another certificate, version or place")
        self.rests_on = self._folder
        return found

    def _mark(self, name: str) -> "npt.NDArray[np.uint8]":
        """What a file of that name belongs to."""
        return np.frombuffer(hashlib.sha256(f"{self._digest} {VERSION} {name}".encode()).digest(), dtype=np.uint8)

    def _unusable(self, name: str, why: str) -> RulesError:
        return RulesError(f"{self._folder}/{name}: {why}: remove it, and the check works it out again")

    def _write(self, name: str, arrays: "Mapping[str, np.ndarray]") -> None:
        """In one step, so that a check that is killed leaves the old file or the new one."""
        if self._folder is None:
            return
        part = None
        try:
            with tempfile.NamedTemporaryFile(dir=self._folder, suffix=".part", delete=False) as file:
                part = file.name
                _save(file, {**arrays, _MARK: self._mark(name)})
            os.replace(part, self._folder / name)
        except OSError as error:
            if part is not None:
                Path(part).unlink(missing_ok=True)
            self._tell(f"{self._folder / name}: cannot be written ({error.strerror}); going on")


def _save(file: IO[bytes], arrays: "Mapping[str, np.ndarray]") -> None:
    np.savez(file, **arrays)  # type: ignore[arg-type]


KEEP_NOTHING = Keeper(None, "", lambda _line: None)
