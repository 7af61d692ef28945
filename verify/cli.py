"""The command line of the referee: judges files and prints verdicts, or a ranking."""

import argparse
import json
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from verify.explain import Verdict
from verify.files import files_in, larger_files
from verify.judging import Judge
from verify.report import Ranking, Table, as_csv, as_json, as_text, page
from verify.rules import RulesError
from verify.streams import prepare_output, replacement_note, report_failure
from verify.text import counted, csv_text, printable, quote

if TYPE_CHECKING:
    from verify.judging import AnyVerdict
    from verify.scrabble.standings import Standings

Content = TypeVar("Content")
_MOST_NAMED = 20  # files without an answer, for a person to read
# by option, what stands for its value in the help, and its help
_OPTIONS = {
    "--puzzle": ("P", "a bundled puzzle or a puzzle file (what the solution says, else challenge)"),
    "--words": ("LIST", "another word list: enable1, or a file; for games also bin or none"),
    "--max-size": (
        "MB",
        "read larger files: answers, games and puzzles over 10 MB, certificates over 50, word lists over 200",
    ),
    "--format": ("FORM", "text, or json; for a ranking also csv, or html, a page for a browser"),
    "--rules": (
        "NAME",
        "for a game: its rule set, or a file of one (.toml); by default the game decides",
    ),
    "--tiles": ("SET", "for a game: its tile set, such as german, or a file of one (.toml)"),
    "--extra-words": ("FILE", "for a game: a file of words that are also valid"),
    "--racks": (
        "RULE",
        "for a game: what contradicts a rack, which may be guessed, is a remark (lenient) or a fault (strict)",
    ),
    "--aliases": (
        "FILE",
        "for games: a TOML file with other spellings of players' names, such as 'Ann Lee' = ['A. Lee', 'al']",
    ),
}
_FLAGS = {
    "--strict": "accept only the challenge's format, no posts around it",
    "--explain": "print what each line was taken for",
    "--rank": "print the answers by score, and the players of games by games won",
    "--json": "the same as --format json",
    "--csv": "the same as --format csv",
}
# by program, the options that its help leaves out
_HIDDEN = {
    "rowdraw verify": {"--rules", "--tiles", "--extra-words", "--racks", "--aliases"},
    "rowdraw scrabble verify": {"--puzzle", "--strict", "--explain"},
}


def main(arguments: Sequence[str], program: str = "verify") -> int:
    """Judge the files in `arguments`; returns the exit code: 0 all valid, 1 a fault, 2 unreadable input or none."""
    parser = make_parser(program)
    options = parser.parse_args(arguments)
    if options.format in ("csv", "html") and not (options.rank or options.help):
        parser.error(f"{options.format} is a form of a ranking: give --rank with it")
    if sys.stdout is None:
        print(f"{program}: standard output is closed", file=sys.stderr)
        return 2
    if options.help:
        parser.epilog = _epilogue(program)
        print(parser.format_help(), end="")
        return 0
    if not options.files and not options.quiet and sys.stdin is not None and sys.stdin.isatty():
        print(f"{program}: reading standard input, up to Ctrl-D", file=sys.stderr)
    with larger_files(options.max_size):
        session = Session(options, program)
        return session.rank() if options.rank else session.print_verdicts()


def run() -> int:
    """Run `main` as a program, without a traceback after an interruption or a failed write."""
    # a verdict quotes what files hold, which not every terminal can show
    replaced = prepare_output()
    try:
        code = main(sys.argv[1:])
        if sys.stdout is not None:
            sys.stdout.flush()
    except KeyboardInterrupt:
        return 130
    except (OSError, ImportError, MemoryError) as error:
        return report_failure(error, _say, "smaller files")
    if replaced:
        _say(replacement_note(replaced))
    return code


def _say(message: str) -> None:
    print(f"verify: {message}", file=sys.stderr)


def make_parser(program: str) -> argparse.ArgumentParser:
    """Return the parser of the referee's arguments.

    Args:
        program: how the command is called in messages. It decides which options the help shows; it takes all.
    """
    parser = argparse.ArgumentParser(
        prog=program,
        add_help=False,  # that of argparse keeps quiet about a full disk
        description="Replay row-draw solutions and Scrabble games (GCG), work out certificates of bounds, and name every "
        "fault. A solution may be in a comment or a page, and several in one file. Exit code: 0 all are valid, 1 one is "
        "not, 2 unreadable input or nothing to verify.",
    )
    parser.add_argument("-h", "--help", action="store_true", help="print this help and exit")
    files = "solutions, games or certificates, or folders of them; FILE#2: the second answer; - or none: standard input"
    parser.add_argument("files", nargs="*", metavar="FILE", help=files)
    kinds: dict[str, dict[str, Any]] = {
        "--max-size": {"type": _megabytes, "default": 0},
        "--racks": {"choices": ["lenient", "strict"], "default": "lenient"},
        "--format": {"choices": ["text", "json", "csv", "html"], "default": "text"},
        "--json": {"dest": "format", "action": "store_const", "const": "json"},
        "--csv": {"dest": "format", "action": "store_const", "const": "csv"},
    }
    for name, (value, text) in _OPTIONS.items():
        parser.add_argument(name, metavar=value, help=text, **kinds.get(name, {}))
    for name, text in _FLAGS.items():
        parser.add_argument(name, help=text, **kinds.get(name, {"action": "store_true"}))
    parser.add_argument(
        "-q", "--quiet", action="store_true", help="print no progress and no messages"
    )
    for action in parser._actions:
        if _HIDDEN.get(program, set()) & {*action.option_strings}:
            action.help = argparse.SUPPRESS
    return parser


def _epilogue(program: str) -> str:
    """Return the end of the help: where the options for games are, or the rule sets."""
    if program == "rowdraw verify":
        return "'rowdraw scrabble verify --help' shows the options for Scrabble games."
    from verify.scrabble.rule_sets import rule_sets

    return "Rule sets: " + " ".join(
        f"{name}: {rules.about}." for name, rules in rule_sets().items()
    )


def _megabytes(text: str) -> int:
    if not text.isascii() or not text.isdecimal() or not 1 <= len(text) <= 6:
        raise argparse.ArgumentTypeError(f"{quote(text)}: expected a whole number of megabytes")
    return int(text)


class Session:
    """The options, the judge made from them, and the problems reported so far."""

    def __init__(self, options: argparse.Namespace, program: str) -> None:
        self._options = options
        self._program = program
        named = {
            "tiles": options.tiles,
            "words": options.words,
            "extra": options.extra_words,
            "rules": options.rules,
        }
        games = {**named, "strict_racks": options.racks == "strict"}
        self._judge = Judge(options.puzzle, options.words, games, options.strict, options.quiet)
        self._problems: list[str] = []
        self._empty: list[str] = []  # folders without a file that may hold answers
        self._others: list[str] = []  # files that hold no answer
        self._valid: bool | None = None  # whether all are; None before the first one
        self._has_folder = False
        self._standings: Standings | None = None  # of games; None before the first one
        self._aliases: dict[str, str] = {}
        if options.aliases is not None:
            from verify.scrabble.standings import read_aliases

            self._aliases = self._tried(read_aliases, options.aliases) or {}

    def print_verdicts(self) -> int:
        """Print the verdict on each file, in text as soon as it is known; returns the exit code."""
        options = self._options
        values: list[dict[str, Any]] = []
        for verdict in self._verdicts(certificates=True):
            if options.format == "json":
                values.append(
                    verdict.as_json(options.explain)
                    if isinstance(verdict, Verdict)
                    else verdict.as_json()
                )
            else:
                print(
                    verdict.as_text(options.explain)
                    if isinstance(verdict, Verdict)
                    else verdict.as_text(),
                    end="",
                )
        if options.format == "json":
            print(json.dumps(values, indent=2))
        elif self._has_folder and self._standings is not None and self._standings.games:
            print(f"\n{as_text([self._standings.sheet()])}", end="")
        return self._finish()

    def rank(self) -> int:
        """Print the answers by score, and players by games won, or write them as a page; returns the exit code."""
        board = Ranking()
        for verdict in self._verdicts(certificates=False):
            if isinstance(verdict, Verdict):
                board.add(verdict)
        self._print_ranking(board.tables)
        return self._finish()

    def _verdicts(self, certificates: bool) -> "Iterator[AnyVerdict]":
        """Yield the verdicts on each file that holds an answer."""
        for file in self._files():
            verdicts = self._tried(partial(self._judge, certificates=certificates), file)
            if verdicts == []:
                self._others.append(file)
            for verdict in verdicts or []:
                self._valid = self._valid is not False and verdict.valid
                if not isinstance(verdict, Verdict):
                    self._count(verdict)
                yield verdict

    def _count(self, verdict: "AnyVerdict") -> None:
        """Enter a game into the standings."""
        from verify.scrabble.judge import GameVerdict
        from verify.scrabble.standings import Standings

        if isinstance(verdict, GameVerdict):
            self._standings = self._standings or Standings(self._aliases)
            self._standings.add(verdict)

    def _print_ranking(self, tables: Sequence[Table]) -> None:
        games = [] if self._standings is None else [self._standings]
        sheets = [*(table.sheet() for table in tables), *(standings.sheet() for standings in games)]
        if self._options.format == "json":
            ranking: dict[str, Any] = {
                "tables": as_json(tables),
                "no_answer": self._others,
                "unreadable": self._problems,
            }
            if self._standings is not None:
                ranking["tournament"] = self._standings.as_json()
            print(json.dumps(ranking, indent=2))
        elif self._options.format == "csv":
            parts = [as_csv(tables)] if tables or not games else []
            print(
                "\n".join(
                    [
                        *parts,
                        *(
                            csv_text([sheet.columns, *sheet.rows])
                            for sheet in sheets[len(tables) :]
                        ),
                    ]
                ),
                end="",
            )
            for other in (
                other for sheet in sheets[len(tables) :] for other in sheet.others
            ):  # the text names them itself
                self._say(f"not counted: {other}")
        elif self._options.format == "html":
            notes = [f"cannot be used: {problem}" for problem in self._problems]
            notes += [f"{printable(file)}: holds no answer" for file in self._others]
            print(page("Ranking", sheets, notes), end="")
        else:
            print(as_text(sheets), end="")

    def _files(self) -> Iterator[str]:
        """Yield each file that the user names, and those in the named folders."""
        for file in self._options.files or ["-"]:
            if file == "-" or not os.path.isdir(
                file
            ):  # which is also false where the name itself is impossible
                yield file
                continue
            paths = self._tried(lambda name: files_in(Path(name)), file)
            if paths == []:
                self._empty.append(file)
            self._has_folder = self._has_folder or bool(paths)
            yield from map(str, paths or [])

    def _tried(self, read: Callable[[str], Content], file: str) -> Content | None:
        """Return what `read` makes of a file; None where it cannot be used, which is reported."""
        try:
            return read(file)
        except MemoryError as error:
            problem = (
                f"{file}: too large for this machine's memory{f' ({error})' if str(error) else ''}"
            )
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
            names = ", ".join(self._others[:_MOST_NAMED]) + (
                ", ..." if len(self._others) > _MOST_NAMED else ""
            )
            count = counted(len(self._others), "file", grouped=True)
            self._say(
                f"{count} {'holds' if len(self._others) == 1 else 'hold'} no answer: {printable(names)}"
            )
        if len(self._problems) > 1:
            self._say(f"{len(self._problems):,} files or folders cannot be used")
        if self._valid is None and not self._problems:
            self._say("nothing to verify: expected at least one answer")
        # an empty folder counts as unusable: the user expects answers in it
        if self._problems or self._empty or self._valid is None:
            return 2
        return 0 if self._valid else 1

    def _say(self, line: str) -> None:
        print(f"{self._program}: {line}", file=sys.stderr)
