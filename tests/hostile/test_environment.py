"""What surrounds a command: odd encodings and variables, a read-only cache, few threads."""

import errno
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from solver.commands import cli
from tests.conftest import RunCommand
from tests.process import python, rowdraw
from verify import cli as referee
from verify.compiled import cache_folder
from verify.threads import ThreadPool


def test_characters_that_an_encoding_lacks_are_printed_as_escapes(tmp_path: Path) -> None:
    (tmp_path / "字.txt").write_text("6 s?l?mnized solemnized\n")
    done = python("-m", "verify", tmp_path / "字.txt", PYTHONIOENCODING="cp1251", code=0)
    assert done.stdout.startswith(f"{tmp_path}/\\u5b57.txt: valid, ")


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (OSError("libgomp.so.1: cannot open"), "libgomp.so.1: cannot open"),
        (OSError(errno.EACCES, "Permission denied", "a/b"), "{}: a/b: Permission denied"),
        (OSError(errno.ENOENT, "No such file"), "{}: the current folder does not exist any more"),
        (ImportError("no module named that"), "{}: a library does not load (no module named that)"),
        (MemoryError(), "{}: not enough memory"),
    ],
)
def test_an_error_of_the_system_names_what_it_is_about(
    error: Exception,
    message: str,
    run: RunCommand,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    def fails(_context: object) -> None:
        raise error

    monkeypatch.setattr(cli.rowdraw, "invoke", fails)
    assert message.format("rowdraw") in run("best", "tea", code=2).err
    monkeypatch.setattr(referee, "main", fails)
    assert referee.run() == 2
    assert message.format("verify") in capfd.readouterr().err


@pytest.mark.parametrize("most", [0, 1, 2])
def test_a_pool_works_with_the_threads_that_can_be_started(
    most: int, limit_threads: Callable[[int], None]
) -> None:
    limit_threads(most)
    with ThreadPool(8) as pool:
        if most == 0:
            with pytest.raises(MemoryError, match="the system starts no thread"):
                pool.submit(int)
        else:
            assert list(pool.map(abs, range(-100, 0))) == list(range(100, 0, -1))


@pytest.mark.parametrize(
    ("command", "name", "value", "message"),
    [
        ("best tea", "NUMBA_DISABLE_JIT", "1", "NUMBA_DISABLE_JIT is set"),
        (
            "verify results/challenge/certificate.txt",
            "NUMBA_NUM_THREADS",
            "0",
            "Number of threads specified must be > 0",
        ),
    ],
)
def test_variables_with_which_numba_cannot_work_are_named(
    command: str, name: str, value: str, message: str
) -> None:
    done = rowdraw(*command.split(), cwd=ROOT, **{name: value}, code=2)
    assert not done.stdout
    assert message in done.stderr
    assert "internal error" not in done.stderr


@pytest.fixture
def warm(compiled: Path, tmp_path: Path) -> Path:
    """A cache folder with all that `rowdraw warmup` compiles, but without indexes."""
    folder = tmp_path / "cache"
    shutil.copytree(compiled, folder / "kernels" / compiled.name)
    shutil.copytree(cache_folder() / "referee", folder / "referee")
    return folder


ROOT = Path(__file__).resolve().parents[2]


def run_python(
    program: str, cache: Path, cwd: Path, root: Path = ROOT
) -> subprocess.CompletedProcess[str]:
    return python("-c", program, cwd=cwd, ROWDRAW_CACHE=str(cache), PYTHONPATH=str(root))


COMMANDS = [
    "best te? tea",
    "best te? tea --rule longest",
    "solve --row tea?setsoat",
    "solve --time 1",
    "solve --strategy beam:width=50 --top 2",
    "bound --row teasetsaloud? -o bound.txt",
    "solve --row teasetsaloud? --prove",
    "verify bound.txt",
]
ALL = """
import solver
from solver.commands.cli import main
print(solver.__file__)
for command in {commands}:
    try:
        main(command.split())
    except SystemExit as ended:
        print(command, "exits with", ended.code)
"""


def test_after_warmup_no_command_compiles_a_kernel_in_a_copy_of_the_program_either(
    warm: Path, tmp_path: Path
) -> None:
    for name in ("solver", "verify", "data"):
        shutil.copytree(ROOT / name, tmp_path / "copy" / name)
    kept = sorted(warm.rglob("*.nb?"))
    done = run_python(ALL.format(commands=COMMANDS), warm, tmp_path, tmp_path / "copy")
    assert done.stdout.startswith(str(tmp_path / "copy")), done.stderr
    assert done.stdout.count("exits with 0") == len(COMMANDS), done.stdout + done.stderr
    assert "compiling" not in done.stderr
    assert sorted(warm.rglob("*.nb?")) == kept


READ_ONLY = """
from solver.commands.cli import main
from tests.faults.failing import fail_at
fail_at(1, "EROFS", {cache!r}, {log!r})
main(["best", "abc"])
"""


def test_a_cache_that_is_read_only_is_read(warm: Path, tmp_path: Path) -> None:
    done = run_python(READ_ONLY.format(cache=str(warm), log=str(tmp_path / "log")), warm, tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, "abc\t14\tcab\tcab\n", "")


def test_a_cache_that_lacks_a_kernel_and_is_read_only_is_reported(
    warm: Path, tmp_path: Path
) -> None:
    (missing,) = warm.rglob("*.best_plays-*.nbc")
    missing.unlink()
    done = run_python(READ_ONLY.format(cache=str(warm), log=str(tmp_path / "log")), warm, tmp_path)
    assert (done.returncode, done.stdout) == (0, "abc\t14\tcab\tcab\n")
    assert "cannot be written (Read-only file system)" in done.stderr
