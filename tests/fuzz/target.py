"""What a target of the fuzzers is."""

import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"
RESULTS = ROOT / "results"
DATA = ROOT / "data"


class DisagreementError(AssertionError):
    """Two readings of one input differ."""


@dataclass(frozen=True)
class Target:
    """A reader. read: raises whatever is a defect; seeds: good inputs."""

    read: Callable[[bytes], None]
    seeds: Callable[[], list[bytes]]


@contextmanager
def as_file(content: bytes, name: str) -> Iterator[Path]:
    """A file with such a content, for a while."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        path.write_bytes(content)
        yield path


def contents(*paths: Path) -> list[bytes]:
    """What stands in files."""
    return [path.read_bytes() for path in paths]
