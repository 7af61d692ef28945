"""One call of the command: judges its files and prints verdicts or a ranking."""

import argparse
import json
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from verify.judging import Judge, files_in
from verify.ranking import Ranking, Table, as_csv, as_json, as_text
from verify.replay.rules import Rules, RulesError
from verify.replay.verdict import Verdict
from verify.scrabble.judge import GameVerdict
from verify.scrabble.rulings import Rulings
from verify.scrabble.standings import Standings, standings_csv, standings_json, standings_text
from verify.text import counted, printable

if TYPE_CHECKING:
    from verify.judging import AnyVerdict

Content = TypeVar("Content")
_MOST_NAMED = 20  # files without an answer, for a person to read


class Session:
    """The options, the judge made from them, and the problems reported so far."""

    def __init__(self, options: argparse.Namespace, program: str) -> None:
        self._options = options
        self._program = program
        rulings = Rulings(options.challenge, options.time_step, options.scoreless, options.end, options.racks)
        files = (options.puzzle, options.words, options.tiles, options.extra_words)
        self._judge = Judge(*files, options.strict, rulings, options.keep, options.quiet)
        self._problems: list[str] = []
        self._empty: list[str] = []  # folders without a file that may hold answers
        self._others: list[str] = []  # files that hold no answer
        self._judged = 0  # files that hold something to judge
        self._valid = True
        self._has_folder = False
        self._standings = Standings()

    def judge(self) -> int:
        """Print the verdict on each file, in text as soon as it is known; returns the exit code."""
        options = self._options
        verdicts: list[AnyVerdict] = []
        for judged in self._judgements(certificates=True):
            for verdict, _rules in judged:
                if options.json:
                    verdicts.append(verdict)
                else:
                    text = verdict.as_text(options.all, options.explain) if isinstance(verdict, Verdict) else verdict.as_text()
                    print(text, end="")
        if options.json:
            values = [v.as_json(options.explain) if isinstance(v, Verdict) else v.as_json() for v in verdicts]
            print(json.dumps(values, indent=2))
        elif self._has_folder and self._standings.games:
            print(f"\n{standings_text(self._standings)}", end="")
        return self._finish()

    def rank(self) -> int:
        """Print the answers by score, and players by games won, or write them as a page; returns the exit code."""
        board = Ranking()
        for judged in self._judgements(certificates=False):
            for verdict, rules in judged:
                if isinstance(verdict, Verdict) and rules is not None:
                    board.add(verdict, rules)
        self._print_ranking(board.tables)
        return self._finish()

    def _judgements(self, certificates: bool) -> "Iterator[list[tuple[AnyVerdict, Rules | None]]]":
        """Yield the verdicts on each file that holds an answer."""
        for file, in_folder in self._files():
            judged = self._tried(partial(self._judge.answers, certificates=certificates), file)
            if judged is None:
                continue
            if not judged or (in_folder and not any(_holds_something(verdict) for verdict, _rules in judged)):
                self._others.append(file)
                continue
            self._judged += 1
            self._valid = self._valid and all(verdict.valid for verdict, _rules in judged)
            if isinstance(game := judged[0][0], GameVerdict):
                self._standings.add(game)
            yield judged

    def _print_ranking(self, tables: Sequence[Table]) -> None:
        options, standings = self._options, self._standings
        has_games = standings.games > 0 or bool(standings.others)
        if options.json:
            ranking: dict[str, Any] = {"tables": as_json(tables), "no_answer": self._others, "unreadable": self._problems}
            ranking |= {"tournament": standings_json(standings)} if has_games else {}
            print(json.dumps(ranking, indent=2))
        elif options.csv or options.html is None:
            of_tables, of_games = (as_csv, standings_csv) if options.csv else (as_text, standings_text)
            parts = ([of_tables(tables)] if tables or not has_games else []) + ([of_games(standings)] if has_games else [])
            print("\n".join(parts), end="")
        if options.html is not None:
            from verify.page import page, write_page

            notes = [f"cannot be used: {problem}" for problem in self._problems]
            notes += [f"{file}: holds no answer" for file in self._others]
            text = page(tables, [printable(note) for note in notes], standings if has_games else None)
            if options.html == "-":
                print(text, end="")
                return
            try:
                write_page(Path(options.html), text)
            except OSError as error:
                self._report(f"{options.html}: cannot be written ({error.strerror})")

    def _files(self) -> Iterator[tuple[str, bool]]:
        """Yield each file that the user names, and those in the named folders, and whether it is from a folder."""
        for file in self._options.files or ["-"]:
            if file == "-" or not os.path.isdir(file):  # which is also false where the name itself is impossible
                yield file, False
                continue
            paths = self._tried(lambda name: files_in(Path(name)), file)
            if paths == []:
                self._empty.append(file)
            self._has_folder = self._has_folder or bool(paths)
            yield from ((str(path), True) for path in paths or [])

    def _tried(self, read: Callable[[str], Content], file: str) -> Content | None:
        """Return what `read` makes of a file; None where it cannot be used, which is reported."""
        try:
            return read(file)
        except MemoryError as error:
            problem = f"{file}: too large for this machine's memory{f' ({error})' if str(error) else ''}"
        except RulesError as error:
            problem = str(error)
        except OSError as error:
            problem = f"{file}: cannot be read ({error.strerror})"
        self._report(problem)
        return None

    def _report(self, problem: str) -> None:
        """Print a problem once: every game would name the same file of an option."""
        if (shown := printable(problem)) not in self._problems:
            self._problems.append(shown)
            self._say(shown)

    def _finish(self) -> int:
        """Name files without an answer and folders without files, count unusable files; returns the exit code."""
        for folder in self._empty:
            self._say(f"{printable(folder)}: holds no file that may be an answer")
        if self._others and not self._options.quiet:
            names = ", ".join(self._others[:_MOST_NAMED]) + (", ..." if len(self._others) > _MOST_NAMED else "")
            count = counted(len(self._others), "file", grouped=True)
            self._say(f"{count} {'holds' if len(self._others) == 1 else 'hold'} no answer: {printable(names)}")
        if len(self._problems) > 1:
            self._say(f"{len(self._problems):,} files or folders cannot be used")
        if not self._judged and not self._problems:
            self._say("nothing to verify: expected at least one answer")
        # an empty folder counts as unusable: the user expects answers in it
        return 2 if self._problems or self._empty or not self._judged else 0 if self._valid else 1

    def _say(self, line: str) -> None:
        print(f"{self._program}: {line}", file=sys.stderr)


def _holds_something(verdict: "AnyVerdict") -> bool:
    """Whether a verdict is on more than a file of a folder in which no line is a turn."""
    if not isinstance(verdict, Verdict):
        return True
    bad = {fault.line for fault in verdict.violations if fault.code in ("malformed-line", "bad-left-count", "not-utf8")}
    return any(turn.line not in bad for turn in verdict.turns)
