"""The data files are what SOURCES.md says."""

import hashlib
import re
from pathlib import Path


def test_every_data_file_has_its_sum_in_sources(root: Path) -> None:
    rows = re.findall(
        r"^\| (\S+) \| [^|]+ \| [^|]+ \| ([0-9a-f]{64}) \|$", (root / "data/SOURCES.md").read_text(), re.MULTILINE
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


def test_enable1_is_the_list_that_everybody_uses(root: Path) -> None:
    content = (root / "data/enable1.txt").read_bytes()
    assert hashlib.sha256(content).hexdigest() == "3f16130220645692ed49c7134e24a18504c2ca55b3c012f7290e3e77c63b1a89"
    words = content.decode().splitlines()
    assert len(words) == 172_823
    assert words == sorted(set(words))
