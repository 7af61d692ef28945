"""The installed product works away from the clone: wheel, data files and all."""

import subprocess
import zipfile
from pathlib import Path

import pytest

from tests.process import python


@pytest.fixture(scope="module")
def installed(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the wheel's content, as pip lays it down."""
    folder = tmp_path_factory.mktemp("wheel")
    options = ("--wheel", "--no-isolation", "--outdir")
    python("-m", "build", *options, folder, root, code=0)
    (wheel,) = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder / "site")
    return folder / "site"


def run(
    installed: Path, tmp_path: Path, *arguments: str, stdin: str = ""
) -> subprocess.CompletedProcess[str]:
    code = (
        "import sys; sys.path.insert(0, sys.argv.pop(1)); import solver, verify; "
        "assert solver.__file__.startswith(sys.path[0]); "
        "assert verify.__file__.startswith(sys.path[0]); "
        "from solver.commands.cli import main; main()"
    )
    return python("-c", code, installed, *arguments, cwd=tmp_path, stdin=stdin, PYTHONPATH="")


def test_a_wheel_solves_and_verifies_in_another_folder(installed: Path, tmp_path: Path) -> None:
    assert (installed / "rowdraw_data" / "enable1.txt").is_file()
    assert (installed / "verify/bound/check.c").is_file()
    assert not (installed / "data").exists()
    assert not (installed / "tools").exists()
    solved = run(installed, tmp_path, "solve", "shuffled-01", "--strategy", "beam:width=20")
    assert solved.returncode == 0, solved.stderr
    assert "best known 1049, at most 1049" in solved.stderr
    judged = run(installed, tmp_path, "verify", "--puzzle", "shuffled-01", stdin=solved.stdout)
    assert judged.returncode == 0, judged.stdout
