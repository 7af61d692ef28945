"""Where the data files are: next to the packages in a clone, in `rowdraw_data` if a wheel is installed."""

import tomllib
from functools import cache
from pathlib import Path

_ROOT = Path(__file__).resolve().parents[1]


def data_folder() -> Path:
    """The folder of enable1.txt, puzzles and tiles."""
    installed = _ROOT / "rowdraw_data"
    return installed if installed.is_dir() else _ROOT / "data"


def bundled_words(name: str) -> Path | None:
    """The file of the word list of that name, such as `enable1`; None if no list of that name is bundled."""
    return next((path for path in data_folder().glob("*.txt") if path.stem == name), None)


@cache
def words_of_other_copies() -> frozenset[str]:
    """Return the words that some public copies of enable1 hold and the bundled list does not."""
    return frozenset(tomllib.loads((data_folder() / "enable1-copies.toml").read_text())["words"])
