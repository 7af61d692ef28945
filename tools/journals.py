"""Journals and runs of tools: files with a line of JSON for each entry, from which they resume."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar, cast

import click
import msgspec

from solver.commands.options import FOLDER
from solver.commands.running import Bar, command_ending
from solver.errors import RowdrawError
from solver.files import MOST_NESTING, check_own_folder, locked, replace_file
from solver.search.run import Run, processors
from verify.files import LARGEST_TEXT, json_value, read_file, utf8_text
from verify.text import quote

Entry = TypeVar("Entry")


def kept_in(what: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Return the option `-o`, the folder of the journal, with a help text."""
    return click.option("-o", "--output", type=FOLDER, required=True, metavar="FOLDER", help=what)


@contextmanager
def run_maker(threads: int | None) -> Iterator[tuple[Bar, Callable[..., Run]]]:
    """Yield a progress bar, and a function that makes runs with it, which signals end."""

    def new_run(**limits: Any) -> Run:
        run = Run(threads=threads or processors(), watch=bar, **limits)
        return command_ending().of(run)

    with Bar() as bar:
        yield bar, new_run


@dataclass(frozen=True)
class ToolJournal(Generic[Entry]):
    """A kind of journal: of entries with the same identity the last one counts.

    Attributes:
        name: The name of its file.
        kind: The dataclass of its entries.
        key: Returns the identity of an entry.
    """

    name: str
    kind: type[Entry]
    key: Callable[[Entry], Any]

    def resume(self, folder: Path) -> dict[Any, Entry]:
        """Make the folder, and return its entries.

        Raises `RowdrawError` if it cannot be made, before any work is done for it, and
        `TargetError` if the folder holds other files, and no journal.
        """
        check_own_folder(folder, self.name)
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise RowdrawError(
                f"{folder}: cannot be made ({error.strerror}): expected another folder"
            ) from error
        return self.entries(folder)

    def entries(self, folder: Path) -> dict[Any, Entry]:
        """Return the entries of the journal in `folder` by identity; none without a journal.

        Raises `RowdrawError` that names the line and what was expected there, so that nothing
        replaces an unreadable journal.
        """
        path = folder / self.name
        try:
            text = utf8_text(read_file(path, LARGEST_TEXT))
        except FileNotFoundError:
            return {}
        except OSError as error:
            raise RowdrawError(f"{path}: cannot be read ({error.strerror})") from error
        except ValueError as error:
            raise RowdrawError(f"{path}: not text: {error}") from error
        entries = {}
        for number, line in enumerate(text.splitlines(), start=1):
            try:
                entry = msgspec.convert(json_value(line.encode(), MOST_NESTING), self.kind)
            except ValueError as error:
                raise RowdrawError(f"{path}:{number}: {quote(line)}: {error}") from error
            entries[self.key(entry)] = entry
        return entries

    def keep(self, folder: Path, *entries: Entry) -> None:
        """Add entries to the journal in `folder`, in one step.

        Entries of other processes stay there.

        Raises:
            RowdrawError: The journal cannot be read.
            OSError: It cannot be written; the error names its file.
        """
        path = folder / self.name
        with locked(path):
            known = self.entries(folder) | {self.key(entry): entry for entry in entries}
            replace_file(
                path,
                "".join(json.dumps(asdict(cast("Any", entry))) + "\n" for entry in known.values()),
            )
