"""What a long check has worked out so far, kept in a folder, so that a check that was ended can go on.

The folder is of one certificate. It holds what this program wrote and is not checked again, so nobody else should write there.
"""

import os
import tempfile
import time
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import IO

import numpy as np

from verify.bound.numbers import Numbers
from verify.bound.words import Ints
from verify.rules import RulesError
from verify.text import quote

_OWNER, _SWEEP = "digest.txt", "sweep.npz"
_PAUSE = 240.0  # seconds between two times that a sweep is kept

States = Mapping[int, Mapping[int, Numbers]]
"""By tiles played and left draws."""


class Keeper:
    """Keeps in `folder`; nothing where that is None.

    digest: of the certificate.
    tell: gets a line where something cannot be written; the check goes on.
    pause: in seconds, see `keep_sweep`.
    """

    def __init__(self, folder: Path | None, digest: str, tell: Callable[[str], None], pause: float = _PAUSE) -> None:
        """Raises `RulesError` if the folder cannot be used, or is of another certificate."""
        self._folder, self._tell, self._pause = folder, tell, pause
        self._kept = time.monotonic()
        if folder is None:
            return
        owner = folder / _OWNER
        try:
            folder.mkdir(parents=True, exist_ok=True)
            if not owner.exists():
                if any(folder.iterdir()):
                    raise RulesError(f"{folder}: holds something else: expected a new folder, or one that a check has made")
                owner.write_text(f"{digest}\n", encoding="ascii")
            known = owner.read_text(encoding="utf-8", errors="replace").strip()
        except OSError as error:
            raise RulesError(f"{folder}: nothing can be kept there ({error.strerror})") from error
        if known != digest:
            raise RulesError(f"{owner}: {quote(known[:64])}: it is of another certificate: expected {digest}")

    def values(self, number: int) -> Ints | None:
        """The values of the focus of that number, if they were kept. Raises `RulesError`."""
        found = self._read(f"focus-{number}.npz")
        return None if found is None else found["most"]

    def keep_values(self, number: int, most: Ints) -> None:
        """Keep them."""
        self._write(f"focus-{number}.npz", {"most": most})

    def sweep(self) -> tuple[int, int, dict[int, dict[int, Numbers]]] | None:
        """The next layer of a sweep, the best score before it, and the states met; None if nothing was kept.

        Raises `RulesError`.
        """
        found = self._read(_SWEEP)
        if found is None:
            return None
        layers: dict[int, dict[int, Numbers]] = {}
        for name, states in found.items():
            if name != "next":
                played, left = map(int, name.split("-"))
                layers.setdefault(played, {})[left] = states
        following, best = found["next"].tolist()
        return following, best, layers

    def is_due(self) -> bool:
        """Whether the sweep should be kept now."""
        return self._folder is not None and time.monotonic() - self._kept >= self._pause

    def keep_sweep(self, following: int, best: int, layers: States) -> None:
        """Keep it in place of what is there."""
        arrays = {f"{played}-{left}": states for played, lefts in layers.items() for left, states in lefts.items()}
        self._write(_SWEEP, {"next": np.array([following, best], dtype=np.int64), **arrays})
        self._kept = time.monotonic()

    def _read(self, name: str) -> "dict[str, np.ndarray] | None":
        if self._folder is None or not (self._folder / name).exists():
            return None
        try:
            with (self._folder / name).open("rb") as file, np.load(file) as found:
                return dict(found)
        except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile) as error:
            raise RulesError(f"{self._folder / name}: damaged ({error}): remove it, and the check makes it anew") from error

    def _write(self, name: str, arrays: "Mapping[str, np.ndarray]") -> None:
        """In one step, so that a check that is killed leaves the old file or the new one."""
        if self._folder is None:
            return
        part = None
        try:
            with tempfile.NamedTemporaryFile(dir=self._folder, suffix=".part", delete=False) as file:
                part = file.name
                _save(file, arrays)
            os.replace(part, self._folder / name)
        except OSError as error:
            if part is not None:
                Path(part).unlink(missing_ok=True)
            self._tell(f"{self._folder / name}: cannot be written ({error.strerror}); going on")


def _save(file: IO[bytes], arrays: "Mapping[str, np.ndarray]") -> None:
    np.savez(file, **arrays)  # type: ignore[arg-type]


NOTHING = Keeper(None, "", lambda _line: None)
