"""Where the data files stand: beside the packages in a clone, in `rowdraw_data` where a wheel was installed."""

from pathlib import Path

_ROOT = Path(__file__).resolve().parents[1]


def data_folder() -> Path:
    """The folder of enable1.txt, puzzles and tiles."""
    installed = _ROOT / "rowdraw_data"
    return installed if installed.is_dir() else _ROOT / "data"
