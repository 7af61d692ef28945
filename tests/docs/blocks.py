"""The fenced blocks of a page, and the commands in them."""

import re
import shlex
import subprocess
import sys
from dataclasses import dataclass, replace
from pathlib import Path

from tests.process import rowdraw, shell

_FENCE = re.compile(r"^```(\w+)\n(.*?)^```\n(?:\n```text\n(.*?)^```\n)?", re.MULTILINE | re.DOTALL)
_LINE = re.compile(r"(?:\$ )?(.+?)(?:\s+# exit (\d+))?")
_SETTING_UP = ("python3 -m venv ", ".venv/bin/pip install ")


@dataclass(frozen=True)
class Command:
    """A line of a shell, and what the page promises: its exit code, and perhaps what it prints."""

    line: str
    code: int
    printed: str | None = None

    def run(self, folder: Path) -> subprocess.CompletedProcess[str]:
        """Run it in `folder`."""
        program, *arguments = shlex.split(self.line)
        if program == "rowdraw" and not {"|", "<", ">"} & {*arguments}:
            return rowdraw(*arguments, cwd=folder, seconds=120)
        return shell(self.line.replace("python ", f"{sys.executable} "), folder)


@dataclass(frozen=True)
class Section:
    """A part of a page under a heading of the first or the second rank."""

    page: str
    title: str
    text: str

    @property
    def commands(self) -> list[Command]:
        """The commands of its blocks of a shell, but those that set the product up."""
        found = []
        for language, text, printed in _FENCE.findall(self.text):
            if language != "sh":
                continue
            for line in filter(None, text.splitlines()):
                parts = _LINE.fullmatch(line)
                if parts is not None and not line.startswith(_SETTING_UP):
                    found.append(Command(parts[1], int(parts[2] or 0)))
            if found and printed:
                found[-1] = replace(found[-1], printed=printed)
        return found

    @property
    def programs(self) -> list[str]:
        """Its blocks of Python."""
        return [
            text for language, text, _printed in _FENCE.findall(self.text) if language == "python"
        ]


def sections(page: Path) -> list[Section]:
    """The sections of a page."""
    parts = re.split(r"^##? (.*)\n", page.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return [
        Section(page.name, title, text)
        for title, text in zip(parts[1::2], parts[2::2], strict=True)
    ]


def prints(said: str) -> "re.Pattern[str]":
    """What a command may print: a line of three dots stands for any number of lines."""
    lines = ["(?:.*\n)*" if line == "..." else f"{re.escape(line)}\n" for line in said.splitlines()]
    return re.compile("".join(lines))
