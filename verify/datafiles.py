"""Finds the data files: next to the packages in a clone, in `rowdraw_data` of an installed wheel."""

import tomllib
from functools import cache
from pathlib import Path

_ROOT = Path(__file__).resolve().parents[1]


def data_folder() -> Path:
    """Return the folder of enable1.txt, puzzles and tiles."""
    installed = _ROOT / "rowdraw_data"
    return installed if installed.is_dir() else _ROOT / "data"


def bundled_words(name: str) -> Path | None:
    """Return the file of a bundled word list, such as `enable1`; None for another name."""
    return next((path for path in data_folder().glob("*.txt") if path.stem == name), None)


@cache
def words_of_other_copies() -> frozenset[str]:
    """Return the words that some public copies of enable1 hold and the bundled list does not."""
    return frozenset(tomllib.loads((data_folder() / "enable1-copies.toml").read_text())["words"])
