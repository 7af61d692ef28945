"""The data files are what SOURCES.md says."""

import hashlib
import re
from pathlib import Path

from verify.files import words_of_other_copies


def test_every_data_file_has_its_sum_in_sources(root: Path) -> None:
    rows = re.findall(
        r"^\| (\S+) \| [^|]+ \| [^|]+ \| ([0-9a-f]{64}) \|$",
        (root / "data/SOURCES.md").read_text(),
        re.MULTILINE,
    )
    sums = dict(rows)
    files = {
        path.relative_to(root / "data").as_posix()
        for path in (root / "data").rglob("*")
        if path.is_file() and path.name != "SOURCES.md" and "__pycache__" not in path.parts
    }
    assert set(sums) == files
    for name, expected in sums.items():
        assert hashlib.sha256((root / "data" / name).read_bytes()).hexdigest() == expected, name


def test_enable1_is_the_list_that_the_challenge_links(root: Path) -> None:
    """SOURCES.md says how that was found out: 172,820 words; copies of 172,823 hold three more."""
    content = (root / "data/enable1.txt").read_bytes()
    digest = "f32e6fbdc4cf9c8ec1d992193d7ac33e773fc850ba47ebe2c791ab9d61913d49"
    assert hashlib.sha256(content).hexdigest() == digest
    assert words_of_other_copies() == {"knickknack", "razzmatazz", "razzmatazzes"}
