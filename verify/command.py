"""One call of the command: all its files judged, and what is printed of them."""

import argparse
import json
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from verify.judging import Judge, files_in
from verify.ranking import Ranking, Table, as_csv, as_json, as_text
from verify.replay.rules import RulesError
from verify.replay.verdict import Verdict
from verify.scrabble.judge import GameVerdict
from verify.scrabble.rulings import Rulings
from verify.scrabble.standings import Standings, standings_csv, standings_json, standings_text
from verify.text import counted, printable

if TYPE_CHECKING:
    from verify.judging import AnyVerdict

Found = TypeVar("Found")
_MOST_NAMED = 20  # files without an answer, for a person to read


class Session:
    """Options, the judge that they make, and the problems that were told so far."""

    def __init__(self, options: argparse.Namespace, program: str) -> None:
        self._options = options
        self._program = program
        rulings = Rulings(options.challenge, options.time_step, options.scoreless)
        self._judge = Judge(
            options.puzzle,
            options.words,
            options.tiles,
            options.extra_words,
            options.strict,
            rulings,
            options.keep,
            quiet=options.quiet,
        )
        self._problems: list[str] = []
        self._empty: list[str] = []  # folders without a file that may hold answers
        self._judged = 0  # files that hold something to judge

    def judge(self) -> int:
        """Print the verdict on each file, in text as soon as it is known; returns the exit code."""
        options, others = self._options, []
        verdicts: list[AnyVerdict] = []
        standings = Standings()
        valid, has_folder = True, False
        for file, in_folder in self._files():
            told = self._tried(self._judge, file) or []
            has_folder = has_folder or in_folder
            if in_folder and told and not any(map(_holds_something, told)):
                others.append(file)
                continue
            self._judged += bool(told)
            valid = valid and all(verdict.valid for verdict in told)
            if options.json:
                verdicts += told
                continue
            for verdict in told:
                if isinstance(verdict, GameVerdict):
                    standings.add(verdict)
                text = verdict.as_text(options.all, options.explain) if isinstance(verdict, Verdict) else verdict.as_text()
                print(text, end="")
        if options.json:
            values = [v.as_json(options.explain) if isinstance(v, Verdict) else v.as_json() for v in verdicts]
            print(json.dumps(values, indent=2))
        elif has_folder and standings.games:
            print(f"\n{standings_text(standings)}", end="")
        self._tell_others(others)
        return self._code(valid)

    def rank(self) -> int:
        """Print the answers by score, and players by games won, or write them as a page; returns the exit code."""
        others = []
        board, standings = Ranking(), Standings()
        valid = True
        for file, in_folder in self._files():
            answers = self._tried(self._judge.answers, file)
            if answers is None:
                continue
            if isinstance(answers, GameVerdict):
                valid = valid and answers.valid
                standings.add(answers)
                self._judged += 1
                continue
            if not answers or (in_folder and not any(_holds_something(verdict) for verdict, _rules in answers)):
                others.append(file)
                continue
            self._judged += 1
            for verdict, rules in answers:
                valid = valid and verdict.valid
                board.add(verdict, rules)
        self._print_ranking(board.tables, standings, others)
        self._tell_others(others)
        return self._code(valid)

    def _print_ranking(self, tables: Sequence[Table], standings: Standings, others: Sequence[str]) -> None:
        options = self._options
        has_games = standings.games > 0 or bool(standings.others)
        if options.json:
            told: dict[str, Any] = {"tables": as_json(tables), "no_answer": others, "unreadable": self._problems}
            told |= {"tournament": standings_json(standings)} if has_games else {}
            print(json.dumps(told, indent=2))
        elif options.csv:
            parts = ([as_csv(tables)] if tables or not has_games else []) + ([standings_csv(standings)] if has_games else [])
            print("\n".join(parts), end="")
        elif options.html is None:
            parts = ([as_text(tables)] if tables or not has_games else []) + ([standings_text(standings)] if has_games else [])
            print("\n".join(parts), end="")
        if options.html is not None:
            from verify.page import page, write_page

            notes = [f"cannot be used: {problem}" for problem in self._problems]
            notes += [f"{file}: holds no answer" for file in others]
            text = page(tables, [printable(note) for note in notes], standings if has_games else None)
            if options.html == "-":
                print(text, end="")
                return
            try:
                write_page(Path(options.html), text)
            except OSError as error:
                self._tell_problem(f"{options.html}: cannot be written ({error.strerror})")

    def _files(self) -> Iterator[tuple[str, bool]]:
        """Each file that was named, or stands in a folder that was, and whether it was a folder."""
        for file in self._options.files or ["-"]:
            if file == "-" or not os.path.isdir(file):  # which is also false where the name itself is impossible
                yield file, False
                continue
            found = self._tried(lambda name: files_in(Path(name)), file)
            if found == []:
                self._empty.append(file)
            yield from ((str(path), True) for path in found or [])

    def _tried(self, read: Callable[[str], Found], file: str) -> Found | None:
        """What `read` makes of a file; None where it cannot be used, which is told and remembered."""
        try:
            return read(file)
        except MemoryError as error:
            problem = f"{file}: too large for this machine's memory{f' ({error})' if str(error) else ''}"
        except RulesError as error:
            problem = str(error)
        except OSError as error:
            problem = f"{file}: cannot be read ({error.strerror})"
        self._tell_problem(problem)
        return None

    def _tell_problem(self, problem: str) -> None:
        self._problems.append(printable(problem))
        print(f"{self._program}: {printable(problem)}", file=sys.stderr)

    def _tell_others(self, others: Sequence[str]) -> None:
        """Name the files of folders that hold no answer, and folders without files, and count what cannot be read."""
        for folder in self._empty:
            print(f"{self._program}: {printable(folder)}: holds no file that may be an answer", file=sys.stderr)
        if others and not self._options.quiet:
            names = ", ".join(others[:_MOST_NAMED]) + (", ..." if len(others) > _MOST_NAMED else "")
            many = f"{counted(len(others), 'file', grouped=True)} {'holds' if len(others) == 1 else 'hold'} no answer"
            print(f"{self._program}: {many}: {printable(names)}", file=sys.stderr)
        if len(self._problems) > 1:
            print(f"{self._program}: {len(self._problems):,} files or folders cannot be used", file=sys.stderr)
        if not self._judged and not self._problems:
            print(f"{self._program}: nothing to verify: expected at least one answer", file=sys.stderr)

    def _code(self, valid: bool) -> int:
        """A folder without any file counts as one that cannot be used: whoever names it expects answers in it."""
        return 2 if self._problems or self._empty or not self._judged else 0 if valid else 1


def _holds_something(verdict: "AnyVerdict") -> bool:
    """Whether a verdict is on something, and not on a file of a folder in which no line is a turn."""
    if not isinstance(verdict, Verdict):
        return True
    bad = {fault.line for fault in verdict.violations if fault.code in ("malformed-line", "bad-left-count", "not-utf8")}
    return any(turn.line not in bad for turn in verdict.turns)
