"""The journal of a comparison: a JSON line for every finished run, on disk before the next line is written."""

import json
import logging
import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from solver.errors import JournalError
from solver.files import MOST_NESTING, naming
from solver.lab.compare.plan import Task
from solver.lab.compare.report_files import check_reports
from solver.lab.compare.run_fields import fault_of
from solver.lab.compare.work import Outcome
from verify.reading import LARGEST_TEXT, json_value, read_file
from verify.text import quote

NAME = "journal.jsonl"
_MOST_NAMED = 20  # wrong lines in a message
_LOG = logging.getLogger(__name__)


class Journal:
    """The lines in `folder`/journal.jsonl, one for each run.

    A line that a crash cut short is skipped, which a message says, and the next run starts a new line. Of several lines of one
    run the last one without an error counts.
    """

    def __init__(self, folder: Path) -> None:
        self.path = folder / NAME

    def check_folder(self) -> None:
        """Raise `RowdrawError` if reports might replace other files."""
        folder = self.path.parent
        if folder.is_dir() and not self.path.exists() and (others := sorted(path.name for path in folder.iterdir())):
            raise JournalError(
                f"{folder}: it holds {quote(others[0])}, but no journal: expected a new or empty folder, or one of a comparison"
            )
        check_reports(folder)

    def outcomes(self) -> dict[str, Outcome]:
        """Return the line of each run, by the run's key. Raises `JournalError` if the file is not a journal."""
        return {key: outcome for key, (_number, outcome) in self._runs().items()}

    def checked(self) -> list[Outcome]:
        """Return the line of each run. Raises `JournalError` that names each line whose fields or score are wrong."""
        runs = self._runs().values()
        faults = [f"{self.path}:{number}: {fault}" for number, outcome in runs if (fault := fault_of(outcome))]
        if faults:
            more = [f"{len(faults) - _MOST_NAMED} more lines are wrong"] if len(faults) > _MOST_NAMED else []
            raise JournalError("\n".join([*faults[:_MOST_NAMED], *more]))
        return [outcome for _number, outcome in runs]

    def report_skipped(self) -> None:
        """Log each line that is no run, as a crash leaves one."""
        for number, content in self._lines():
            if isinstance(content, bytes):
                _LOG.info(
                    "%s:%d: skipped: %s: expected a run of a comparison",
                    self.path,
                    number,
                    quote(content[:40].decode("utf-8", "replace")),
                )

    def unfinished(self, tasks: Iterable[Task]) -> list[Task]:
        """Return those of `tasks` that have not succeeded yet."""
        known = self.outcomes()
        return [task for task in tasks if "error" in known.get(task.key, {"error": ""})]

    def append(self, outcome: Outcome) -> None:
        """Add the line of a run; it is on disk when this returns."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with naming(self.path), self.path.open("ab+") as file:
            torn = False
            if file.tell() > 0:
                file.seek(-1, os.SEEK_END)
                torn = file.read() != b"\n"
            file.write((b"\n" if torn else b"") + json.dumps(outcome).encode() + b"\n")
            file.flush()
            os.fsync(file.fileno())

    def extend(self, outcomes: Iterable[Outcome]) -> int:
        """Add the lines of runs that are not there yet, and return how many."""
        known = self.outcomes()
        added = 0
        for outcome in outcomes:
            present = known.get(outcome["key"])
            if present is None or ("error" in present and "error" not in outcome):
                self.append(outcome)
                added += 1
        return added

    def _runs(self) -> dict[str, tuple[int, Outcome]]:
        """Return the line that counts for each run, by the run's key, with its number."""
        by_key: dict[str, tuple[int, Outcome]] = {}
        for number, outcome in self._lines():
            if isinstance(outcome, bytes):
                continue
            if "error" not in outcome or "error" in by_key.get(outcome["key"], (number, outcome))[1]:
                by_key[outcome["key"]] = number, outcome
        return by_key

    def _lines(self) -> Iterator[tuple[int, Outcome | bytes]]:
        """Yield the number and the content of each line: a run, or the bytes of a line that is none."""
        try:
            content = read_file(self.path, LARGEST_TEXT)
        except FileNotFoundError:
            return
        except OSError as error:
            raise JournalError(f"{self.path}: the journal cannot be read ({error.strerror})") from error
        for number, line in enumerate(content.split(b"\n"), start=1):
            if not line.strip():
                continue
            try:
                outcome = json_value(line, MOST_NESTING)
                if not isinstance(outcome["key"], str):
                    raise TypeError
            except (ValueError, KeyError, TypeError) as error:
                if number == 1:
                    raise JournalError(f"{self.path}:1: {line[:40]!r} is not a run of a comparison") from error
                yield number, line
            else:
                yield number, outcome
