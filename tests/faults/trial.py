"""Commands whose changes of files fail, or are the last ones before a kill; what must hold then."""

import errno
import json
import os
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from shutil import copytree
from subprocess import CompletedProcess

from solver.bound.certificate import subject_on_file
from solver.bound.sweeps.store import Files
from tests.faults.failing import KILL
from tests.process import rowdraw

PUZZLE = 'row = "teasetsaloud?"\nrack = 5\n'
GAME = (
    "scrabble",
    "play",
    "--names",
    "ann,bob",
    "--seed",
    "5",
    "--words",
    "none",
    "--save",
    "game.gcg",
)
ERRORS = ("ENOSPC", "EIO", "EACCES")
_NEVER = 10**9


def is_answer(path: Path) -> None:
    rowdraw("verify", path, "--puzzle", "row.toml", cwd=_folder(path), code=0)


def is_game(path: Path) -> None:
    done = rowdraw("verify", path, cwd=_folder(path))
    assert done.returncode == 0 or "0: empty: no event" in done.stdout, done.stdout


def is_json(path: Path) -> None:
    assert isinstance(json.loads(path.read_text(encoding="utf-8")), dict)


def is_certificate(path: Path) -> None:
    assert subject_on_file(path) is not None


def is_page(path: Path) -> None:
    assert path.read_text(encoding="utf-8").rstrip().endswith("</html>")


def is_numbers(path: Path) -> None:
    kind, source, part = path.stem.split("-")
    layer = path.parent.name.removeprefix("layer-")
    assert Files(path.parents[1]).find(kind, int(layer), int(source), int(part)) is not None


def _folder(path: Path) -> Path:
    return next(folder for folder in path.parents if (folder / "row.toml").exists())


@dataclass(frozen=True)
class Command:
    """A command that keeps something in the folder it runs in.

    before: what is run there first, so that something is replaced.
    files: what must hold of the files there, by pattern, at any time.
    again: what goes on with the first of them, where that is another command.
    may_succeed: whether it goes on where a file cannot be written, and tells so.
    """

    arguments: tuple[str, ...]
    files: dict[str, Callable[[Path], None]]
    before: tuple[str, ...] = ()
    again: tuple[str, ...] = ()
    stdin: str = ""
    may_succeed: bool = False


WORSE = (
    "bound",
    "row.toml",
    "--time",
    "0",
    "-o",
    "b.txt",
    "--results",
    "book",
)
GREEDY = ("solve", "row.toml", "--strategy", "greedy", "-o", "answer.txt")
COMMANDS = {
    "solve": Command(
        (*GREEDY, "--strategy", "exact"),
        {"answer.txt": is_answer, "answer.json": is_json},
        GREEDY,
        may_succeed=True,
    ),
    "bound": Command(
        (*WORSE, "--states", "500", "--time", "1"),
        {"b.txt": is_certificate, "book/row/certificate.txt": is_certificate},
        WORSE,
        may_succeed=True,
    ),
    "prove": Command(
        ("solve", "row.toml", "--prove", "--keep", "proof"),
        {
            "proof/answer.txt": is_answer,
            "proof/certificate.txt": is_certificate,
            "proof/sweep/sweep.json": is_json,
            "proof/sweep/layer-*/*.u64": is_numbers,
        },
        may_succeed=True,
    ),
    "scrabble": Command(
        GAME,
        {"game.gcg": is_game},
        again=("scrabble", "play", "--resume", "game.gcg"),
        stdin="pass\npass\n",
        may_succeed=True,
    ),
    "show": Command(
        ("show", "answer.txt", "--puzzle", "row.toml", "-o", "page.html"),
        {"page.html": is_page},
        GREEDY,
    ),
}


def _started(name: str, place: Path) -> Path:
    """A folder in which what comes before the command was run, once for all its trials."""
    if not place.exists():
        place.mkdir(parents=True)
        (place / "row.toml").write_text(PUZZLE)
        if COMMANDS[name].before:
            rowdraw(*COMMANDS[name].before, cwd=place, code=0)
    return place


class Trial:
    """A command in a folder of its own, one of whose changes of files goes wrong."""

    def __init__(self, name: str, folder: Path) -> None:
        self.command = COMMANDS[name]
        self.place = folder / "place"
        self._told = folder / "told"
        copytree(_started(name, folder.parent / f"{name}-start"), self.place)

    def run(self, number: int, error: str) -> "CompletedProcess[str] | None":
        """Run the command, the change of that number failing; None if there were fewer."""
        change = {"number": number, "error": error}
        change |= {"folder": str(self.place), "told": str(self._told)}
        done = rowdraw(
            *self.command.arguments,
            cwd=self.place,
            stdin=self.command.stdin,
            seconds=60,
            fault={"change": change},
        )
        return done if self.changes() >= number else None

    def changes(self) -> int:
        """How many changes the command has made or tried."""
        return self._told.stat().st_size if self._told.exists() else 0

    def check_files(self) -> None:
        """Whatever is there is whole."""
        for pattern, holds in self.command.files.items():
            for path in self.place.glob(pattern):
                holds(path)

    def check_again(self) -> None:
        """The command works where nothing fails any more, in the same folder."""
        goes_on = self.command.again and any(self.place.glob(next(iter(self.command.files))))
        arguments = self.command.again if goes_on else self.command.arguments
        rowdraw(*arguments, cwd=self.place, stdin=self.command.stdin, code=0)
        self.check_files()


def count(name: str, folder: Path) -> int:
    """How many changes of files a command makes."""
    trial = Trial(name, folder)
    trial.run(_NEVER, KILL)
    return trial.changes()


def check_failing(name: str, folder: Path, number: int) -> None:
    """What fails is told, and leaves what was there."""
    trial = Trial(name, folder)
    done = trial.run(number, ERRORS[number % len(ERRORS)])
    if done is None:
        return
    printed = done.stdout + done.stderr
    assert done.returncode in (1, 2) or trial.command.may_succeed, printed
    assert done.returncode in (0, 1, 2), printed
    assert "internal error" not in done.stderr
    if name == "prove":
        assert (done.returncode == 0) == ("certificate.txt: the certificate" in done.stderr), (
            done.stderr
        )
    # in words of ours, or with the file and the system's own words
    reasons = "|".join(os.strerror(getattr(errno, error)) for error in ERRORS)
    named = rf"cannot (be )?(written|write|read|kept)|^rowdraw: \S+: ({reasons})$"
    assert re.search(named, printed, re.MULTILINE), printed
    trial.check_files()
    assert not list(trial.place.rglob("*.part"))
    trial.check_again()


def check_killed(name: str, folder: Path, number: int) -> None:
    """A kill leaves whole files, and the same command goes on."""
    trial = Trial(name, folder)
    done = trial.run(number, KILL)
    if done is None:
        return
    assert done.returncode == -9
    trial.check_files()
    trial.check_again()
