"""Journals of tools: a file with a line of JSON for each entry, from which an interrupted tool resumes."""

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, TypeVar, cast

import click

from solver.commands.options import FOLDER
from solver.errors import JournalError
from solver.files import MOST_NESTING, locked, replace_file
from verify.files import LARGEST_TEXT, json_value, read_file, utf8_text
from verify.text import quote

Entry = TypeVar("Entry")


def kept_in(what: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Return the option `-o`, the folder of the journal, with a help text."""
    return click.option("-o", "--output", type=FOLDER, required=True, metavar="FOLDER", help=what)


def read_lines(path: Path, read: Callable[[Any], Entry], expected: str) -> list[Entry]:
    """Return the result of `read` for each line of JSON in a file.

    Raises `JournalError` that names the line that is not `expected`, so that nothing replaces an unreadable journal.
    """
    try:
        text = utf8_text(read_file(path, LARGEST_TEXT))
    except OSError as error:
        raise JournalError(f"{path}: cannot be read ({error.strerror})") from error
    except ValueError as error:
        raise JournalError(f"{path}: not text: {error}") from error
    entries = []
    for number, line in enumerate(text.splitlines(), start=1):
        try:
            entries.append(read(json_value(line.encode(), MOST_NESTING)))
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            raise JournalError(f"{path}:{number}: {quote(line)}: expected {expected} ({str(error)[:100]})") from error
    return entries


def keep_lines(path: Path, entries: Sequence[Entry], read: Callable[[Path], list[Entry]], key: Callable[[Entry], Any]) -> None:
    """Add entries to the journal at `path`, a line of JSON each, in one step. Entries of other processes stay there.

    Args:
        path: The journal.
        entries: Dataclasses.
        read: Reads the journal in a folder.
        key: The identity of an entry; of entries with the same identity the last one stays.

    Raises:
        JournalError: The journal cannot be read.
        OSError: It cannot be written; the error names `path`.
    """
    with locked(path):
        known = {key(entry): entry for entry in (read(path.parent) if path.exists() else [])}
        known |= {key(entry): entry for entry in entries}
        replace_file(path, "".join(json.dumps(asdict(cast("Any", entry))) + "\n" for entry in known.values()))
