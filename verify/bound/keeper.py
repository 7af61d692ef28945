"""What a long check keeps in a folder, so that the same check resumes after an interruption.

A check does not compute again what it finds there, so anyone who can write to the folder can change its result. A verdict
therefore names the folder that it rests on. Each file begins with a seal: the hash of the certificate's digest, of the version
of this program, and of the rest of the file. A file without its seal is never used.
"""

import hashlib
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import IO, Any

import numpy as np
import numpy.typing as npt

from verify.bound.compiled import VERSION
from verify.files import replacing
from verify.rules import RulesError

_PAUSE = 240.0  # seconds between two checkpoints of a sweep
_SHOWN = 16  # digits of a hash in a name
_SEAL = hashlib.sha256().digest_size

Kept = dict[str, npt.NDArray[Any]]
Place = tuple[int, int]
"""Where states are: left draws, and tiles held."""
Layers = dict[int, dict[Place, list[npt.NDArray[np.uint64]]]]
"""By tiles played and place: the states met so far, in arrays each without equal states."""


class Keeper:
    """Keeps the work of a check in `folder`; with None it keeps nothing.

    Attributes:
        rests_on: The folder, once the check has used kept work; None before.
    """

    def __init__(self, folder: Path | None, digest: str, tell: Callable[[str], None], pause: float = _PAUSE) -> None:
        """Create the folder if it does not exist.

        Args:
            folder: The folder.
            digest: The digest of the certificate.
            tell: Takes a warning when a file cannot be used or written; the check continues.
            pause: The seconds between two checkpoints of a sweep.

        Raises:
            RulesError: The folder cannot be used.
        """
        self._folder, self._tell, self._pause = folder, tell, pause
        self._digest = digest
        self._last = time.monotonic()
        self.rests_on: Path | None = None
        if folder is not None:
            try:
                folder.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise RulesError(f"{folder}: nothing can be kept there ({error.strerror})") from error

    def values(self) -> list[npt.NDArray[np.int64]] | None:
        """Return the kept values of all foci; None if none are kept."""
        kept = self._read("values")
        return None if kept is None else [kept[str(number)] for number in range(len(kept))]

    def keep_values(self, values: list[npt.NDArray[np.int64]]) -> None:
        """Keep the values of all foci."""
        self._write("values", {str(number): some for number, some in enumerate(values)})

    def sweep(self) -> tuple[int, int, Layers] | None:
        """Return the next layer of a sweep, the best score before it, and the states met; None if no sweep is kept."""
        kept = self._read("sweep")
        if kept is None:
            return None
        next_layer, best = kept.pop("next").tolist()
        layers: Layers = {}
        for name, states in kept.items():
            played, left, held = map(int, name.split("-"))
            layers.setdefault(played, {})[left, held] = [states]
        return next_layer, best, layers

    def is_due(self) -> bool:
        """Return whether a checkpoint of the sweep is due."""
        return self._folder is not None and time.monotonic() - self._last >= self._pause

    def keep_sweep(self, next_layer: int, best: int, layers: Layers) -> None:
        """Write a checkpoint of the sweep in place of the last one."""
        arrays = {
            f"{played}-{left}-{held}": np.concatenate(some)
            for played, places in layers.items()
            for (left, held), some in places.items()
        }
        self._write("sweep", {"next": np.array([next_layer, best]), **arrays})
        self._last = time.monotonic()

    def _path(self, what: str) -> Path | None:
        return None if self._folder is None else self._folder / f"{self._digest[:_SHOWN]}-{VERSION[:_SHOWN]}-{what}"

    def _seal(self, what: str, file: IO[bytes]) -> bytes:
        """Return the seal that a file must begin with."""
        file.seek(_SEAL)
        return hashlib.file_digest(file, lambda: hashlib.sha256(f"{self._digest} {VERSION} {what}\n".encode())).digest()  # type: ignore[arg-type]

    def _read(self, what: str) -> Kept | None:
        path = self._path(what)
        if path is None or not path.exists():
            return None
        try:
            with path.open("rb") as file:
                if file.read(_SEAL) != self._seal(what, file):
                    self._tell(f"{path}: damaged, or not written by this check: computed again")
                    return None
                file.seek(_SEAL)
                names = np.load(file)
                kept = {str(name): np.load(file) for name in names}
        except OSError as error:
            self._tell(f"{path}: cannot be read ({error.strerror}): computed again")
            return None
        self.rests_on = self._folder
        return kept

    def _write(self, what: str, arrays: Mapping[str, npt.NDArray[Any]]) -> None:
        """Write a file atomically: a check that is killed leaves the old file or the new one."""
        path = self._path(what)
        if path is None:
            return
        try:
            with replacing(path) as file:
                file.write(bytes(_SEAL))
                for array in (np.array([*arrays], dtype=np.str_), *arrays.values()):
                    np.save(file, array)
                seal = self._seal(what, file)
                file.seek(0)
                file.write(seal)
        except OSError as error:
            self._tell(f"{path}: cannot be written ({error.strerror}); going on")
