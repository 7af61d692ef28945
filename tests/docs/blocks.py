"""The fenced blocks of a page, and the commands in them."""

import re
import shlex
import subprocess
import sys
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path

from tests.process import rowdraw

_FENCE = re.compile(r"^```(\w+)\n(.*?)^```\n(?:\n```text\n(.*?)^```\n)?", re.MULTILINE | re.DOTALL)
_EXIT = re.compile(r"\s+# exit (\d+)$")
_SETTING_UP = ("python3 -m venv ", ".venv/bin/pip install ")


@dataclass(frozen=True)
class Block:
    """A block: its language, its text, and the block of text after it, which is what it prints."""

    language: str
    text: str
    printed: str | None


@dataclass(frozen=True)
class Command:
    """A line of a shell, and what the page promises: its exit code, and perhaps what it prints.

    It has the processes of its pipe, and the files on standard input and output.
    """

    line: str
    pipe: tuple[tuple[str, ...], ...]
    stdin: str | None
    stdout: str | None
    code: int
    printed: str | None = None

    def run(self, folder: Path) -> subprocess.CompletedProcess[str]:
        """Run it in `folder`."""
        handed = "" if self.stdin is None else (folder / self.stdin).read_text(encoding="utf-8")
        for arguments in self.pipe:
            done = _run(arguments, handed, folder)
            handed = done.stdout
        if self.stdout is not None:
            (folder / self.stdout).write_text(handed, encoding="utf-8")
        return done


@dataclass(frozen=True)
class Section:
    """A part of a page under a heading of the first or the second rank."""

    page: str
    title: str
    text: str

    @property
    def blocks(self) -> list[Block]:
        """Its blocks, but those of text that belong to others."""
        return [Block(*found.groups()) for found in _FENCE.finditer(self.text)]

    @property
    def commands(self) -> list["Command"]:
        """The commands of all its blocks of a shell."""
        return [
            command
            for block in self.blocks
            if block.language == "sh"
            for command in commands(block)
        ]


def sections(page: Path) -> list[Section]:
    """The sections of a page."""
    parts = re.split(r"^##? (.*)\n", page.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return [
        Section(page.name, title, text)
        for title, text in zip(parts[1::2], parts[2::2], strict=True)
    ]


def commands(block: Block) -> list[Command]:
    """The commands of a block of a shell, but those that set the product up.

    Raises:
        ValueError: The block has a command of another kind.
    """
    lines = [line.removeprefix("$ ") for line in block.text.splitlines() if line.strip()]
    found = [_command(line) for line in lines if not line.startswith(_SETTING_UP)]
    if found and block.printed is not None:
        found[-1] = replace(found[-1], printed=block.printed)
    return found


def prints(said: str) -> "re.Pattern[str]":
    """What a command may print: a line of three dots stands for any number of lines."""
    lines = ["(?:.*\n)*" if line == "..." else f"{re.escape(line)}\n" for line in said.splitlines()]
    return re.compile("".join(lines))


def _command(line: str) -> Command:
    promised = _EXIT.search(line)
    words = shlex.split(_EXIT.sub("", line))
    files: dict[str, str] = {}
    for sign in ("<", ">"):
        if sign in words:
            at = words.index(sign)
            files[sign] = words[at + 1]
            del words[at : at + 2]
    pipe = tuple(tuple(group) for is_sign, group in groupby(words, "|".__eq__) if not is_sign)
    for arguments in pipe:
        if arguments[0] != "rowdraw" and arguments[:3] != ("python", "-m", "verify"):
            raise ValueError(
                f"{line!r}: expected rowdraw, python -m verify, or a line that sets the product up"
            )
    code = int(promised[1]) if promised else 0
    return Command(line, pipe, files.get("<"), files.get(">"), code)


def _run(arguments: tuple[str, ...], stdin: str, folder: Path) -> subprocess.CompletedProcess[str]:
    if arguments[0] == "rowdraw":
        return rowdraw(*arguments[1:], stdin=stdin, cwd=folder, seconds=120)
    command = [sys.executable, *arguments[1:]]
    return subprocess.run(
        command, input=stdin, capture_output=True, text=True, cwd=folder, check=False, timeout=120
    )
