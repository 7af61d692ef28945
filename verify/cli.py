"""The command line of the referee: judges files and prints verdicts, or a ranking."""

import argparse
import json
import logging
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

from verify.explain import Verdict
from verify.files import files_in, may_be_answer
from verify.judging import Judge
from verify.report import Ranking, Table, as_csv, as_json, as_text, page
from verify.rules import RulesError
from verify.streams import prepare_output, report_failure
from verify.strictness import RECORDS, Strictness
from verify.text import counted, csv_text, printable

if TYPE_CHECKING:
    from verify.judging import AnyVerdict
    from verify.scrabble.standings import Standings

Content = TypeVar("Content")
_FAULT_COLUMNS = ("file", "line", "player", "kind", "message", "expected")
_MOST_NAMED = 20  # files without an answer, for a person to read


def main(arguments: Sequence[str], program: str = "verify") -> int:
    """Judge the files in `arguments`.

    Args:
        arguments: Those of the command line.
        program: How the command is called in messages.

    Returns:
        The exit code: 0 all are valid, 1 one has a fault, 2 unreadable input or none.
    """
    parser = make_parser(program)
    options = parser.parse_args(arguments)
    if options.format == "html" and not (options.rank or options.help):
        parser.error("html is a form of a ranking: give --rank with it")
    if sys.stdout is None:
        print(f"{program}: standard output is closed", file=sys.stderr)
        return 2
    if options.help:
        parser.epilog = _rule_sets()
        print(parser.format_help().replace("usage: ", "Usage: ", 1), end="")
        return 0
    if not options.files and not options.quiet and sys.stdin is not None and sys.stdin.isatty():
        print(f"{program}: reading standard input, up to Ctrl-D", file=sys.stderr)
    session = Session(options, program)
    return session.rank() if options.rank else session.print_verdicts()


def run() -> int:
    """Run `main` as a program, without a traceback after an interruption or a failed write."""
    # a verdict quotes what files hold, which not every terminal can show
    prepare_output()
    is_quiet = not {"-q", "--quiet"}.isdisjoint(sys.argv)
    handler = logging.Handler()
    handler.emit = lambda record: None if is_quiet else _say(record.getMessage())  # type: ignore[method-assign]
    logging.getLogger("verify").addHandler(handler)
    try:
        code = main(sys.argv[1:])
        if sys.stdout is not None:
            sys.stdout.flush()
    except KeyboardInterrupt:
        return 130
    except (OSError, ImportError, MemoryError) as error:
        return report_failure(error, _say, "smaller files")
    return code


def _say(message: str, program: str = "verify") -> None:
    print(f"{program}: {printable(message)}", file=sys.stderr)


class _Parser(argparse.ArgumentParser):
    """Reports wrong arguments as the other commands do, without what controls a terminal."""

    def error(self, message: str) -> NoReturn:
        """Print how the command is used, and exit with 2."""
        usage = f"Usage: {self.prog} [OPTIONS] [FILE]...\nTry '{self.prog} --help' for help."
        self.exit(2, f"{usage}\n\nError: {printable(message)}\n")


# what the kinds of options have in common
_FLAG: dict[str, Any] = {"action": "store_true"}
_STRICT_OR_NOT: dict[str, Any] = {
    "metavar": "RULE",
    "choices": ["lenient", "strict"],
    "default": "lenient",
}
_Options = Mapping[str, tuple[str, dict[str, Any]]]

# the options: name, what the help says, and how argparse reads it
_COMMON: _Options = {
    "--puzzle": (
        "a bundled puzzle or a puzzle file (what the solution says, else challenge)",
        {"metavar": "P"},
    ),
    "--words": (
        "another word list: enable1, or a file; for games also bin or none",
        {"metavar": "LIST"},
    ),
    "--format": (
        "text, json, or csv, a line for each fault; for a ranking also html, a page for a browser",
        {"metavar": "FORM", "choices": ["text", "json", "csv", "html"], "default": "text"},
    ),
    "--strict": ("accept only the challenge's format, no posts around it", _FLAG),
    "--explain": ("print what each line was taken for", _FLAG),
    "--rank": ("print the answers by score, and the players of games by games won", _FLAG),
    "--json": (
        "the same as --format json",
        {"dest": "format", "action": "store_const", "const": "json"},
    ),
    "--csv": (
        "the same as --format csv",
        {"dest": "format", "action": "store_const", "const": "csv"},
    ),
    "--quiet": (
        "print no progress and no messages, and of games only faults, copies and missing counts",
        _FLAG,
    ),
    "--help": ("show this message and exit", _FLAG),
}
_OF_GAMES: _Options = {
    "--rules": (
        "the rule set, or a file of one (.toml); by default the game decides",
        {"metavar": "NAME"},
    ),
    "--tiles": ("the tile set, such as german, or a file of one (.toml)", {"metavar": "SET"}),
    "--extra-words": ("a file of words that are also valid", {"metavar": "FILE"}),
    "--racks": (
        "what contradicts a rack, which may be guessed, is a remark (lenient) or a fault (strict)",
        _STRICT_OR_NOT,
    ),
    "--phonies": (
        "a play with a word that is not in the list is a remark (lenient) or, as on servers, "
        "a fault (strict)",
        _STRICT_OR_NOT,
    ),
    "--record": (
        "how a program may write a game down: exact, lenient (the numbers of a pass or an "
        "exchange, and the second loss after passes, may be missing), program (a play's score "
        "may contain the bonus of a challenge), or stands (wrong scores and totals are remarks)",
        {"metavar": "HOW", "choices": RECORDS, "default": "lenient"},
    ),
    "--aliases": (
        "a TOML file with other spellings of players' names, such as 'Ann Lee' = ['A. Lee', 'al']",
        {"metavar": "FILE"},
    ),
}
OPTIONS: _Options = {**_COMMON, **_OF_GAMES}
_SHORT_NAMES = {"--quiet": "-q", "--help": "-h"}


def make_parser(program: str) -> argparse.ArgumentParser:
    """Return the parser of the referee's arguments.

    Args:
        program: How the command is called in messages.
    """
    parser = _Parser(
        prog=program,
        usage="%(prog)s [OPTIONS] [FILE]...",
        add_help=False,  # that of argparse keeps quiet about a full disk
        description="Replay row-draw solutions and Scrabble games (GCG), work out certificates of "
        "bounds, and name every fault. A solution may be in a comment or a page, and several in "
        "one file. Exit code: 0 all are valid, 1 one is not, 2 unreadable input or nothing to "
        "verify.",
    )
    parser.add_argument_group("Arguments").add_argument(
        "files",
        help="solutions, games or certificates, or folders of them; FILE#2: the second answer; "
        "- or none: standard input",
        nargs="*",
        metavar="FILE",
    )
    for title, options in (("Options", _COMMON), ("Options for Scrabble games", _OF_GAMES)):
        group = parser.add_argument_group(title)
        for name, (text, kind) in options.items():
            short = _SHORT_NAMES.get(name)
            group.add_argument(*filter(None, [short, name]), help=text, **kind)
    return parser


def _rule_sets() -> str:
    """Return what the help says of each rule set."""
    from verify.scrabble.rule_sets import rule_sets

    abouts = [f"{name}: {rules.about}." for name, rules in rule_sets().items()]
    return "Rule sets: " + " ".join(abouts)


def _fault_rows(verdict: "AnyVerdict") -> "Iterator[tuple[object, ...]]":
    """Yield a row for each fault, see `_FAULT_COLUMNS`."""
    players: dict[int, str] = getattr(verdict, "player_of", {})  # of games alone
    for fault in verdict.violations:
        message, _comma, expected = fault.message.partition(": expected ")
        player = players.get(fault.line, "")
        yield verdict.file, fault.line, player, fault.code, message, expected


class Session:
    """The options, the judge made from them, and what is reported at the end."""

    def __init__(self, options: argparse.Namespace, program: str) -> None:
        self._options = options
        self._program = program
        games = {
            "tiles": options.tiles,
            "words": options.words,
            "extra": options.extra_words,
            "rules": options.rules,
            "strict": Strictness(
                racks=options.racks == "strict",
                phonies=options.phonies == "strict",
                record=options.record,
            ),
        }
        self._judge = Judge(
            puzzle=options.puzzle,
            # these lists are for games: other files in their folder are judged as without them
            words=None if options.words in ("none", "bin") else options.words,
            game_options=games,
            strict=options.strict,
            quiet=options.quiet,
            certificates=not options.rank,
        )
        self._problems: list[str] = []
        self._others: list[str] = []  # files that hold no answer
        self._lacks_answer = False  # whether the user names one of them
        self._skipped: list[str] = []  # files in folders, without a name or certainty of an answer
        self._has_games = False  # whether the folder holds games
        self._found: set[bool] = set()  # whether the verdicts are valid
        self._has_folder = False
        self._standings: Standings | None = None  # of games; None before the first one
        self._aliases: dict[str, str] = {}
        if options.aliases is not None:
            from verify.scrabble.standings import read_aliases

            self._aliases = self._tried(read_aliases, options.aliases) or {}

    def print_verdicts(self) -> int:
        """Print the verdict on each file, in text as soon as it is known; returns the exit code."""
        form = self._options.format
        values: list[dict[str, Any]] = []
        rows: list[tuple[object, ...]] = [_FAULT_COLUMNS]
        for verdict in self._verdicts():
            detail = {}
            if isinstance(verdict, Verdict):
                detail["explain"] = self._options.explain
            if form == "json":
                values.append(verdict.as_json(**detail))
            elif form == "csv":
                rows += _fault_rows(verdict)
            elif self._options.quiet and hasattr(verdict, "player_of"):  # a game
                print("".join(f"{line}\n" for line in verdict.faults.lines(verdict.file)), end="")
            else:
                print(verdict.as_text(**detail), end="")
        others = self._standings.others if self._standings is not None else []
        notices = [other for other in others if other.kind]  # which no fault says
        if form == "json":
            noted = {file: {"not_counted": why} for file, _kind, why in notices}
            for value in values:
                value.update(noted.get(value["file"], {}))
            print(json.dumps(values, indent=2))
        elif form == "csv":
            for file, kind, why in notices:
                message, _comma, expected = why.partition(": expected ")
                rows.append((file, 0, "", kind, message, expected))
            print(csv_text(rows), end="")
        elif self._options.quiet:
            for file, kind, why in notices:
                print(printable(f"{file}: {kind}: {why}"))
        elif self._has_folder:
            games = self._standings
            if games is not None and games.games:
                print(f"\n{as_text([games.sheet()])}", end="")
        return self._finish()

    def rank(self) -> int:
        """Print the answers by score, and players by games won; returns the exit code."""
        board = Ranking()
        for verdict in self._verdicts():
            if isinstance(verdict, Verdict):
                board.add(verdict)
        self._print_ranking(board.tables)
        return self._finish()

    def _verdicts(self) -> "Iterator[AnyVerdict]":
        """Yield the verdicts on each file that holds an answer."""
        for file in self._files():
            verdicts = self._tried(self._judge, file)
            # a folder may hold anything, but in a named file the user expects an answer
            is_named = file in (self._options.files or ["-"])
            if verdicts == []:
                self._others.append(file)
                self._lacks_answer |= is_named
            elif verdicts and not (is_named or self._is_certain(verdicts)):
                self._skipped.append(file)
                continue
            for verdict in verdicts or []:
                self._found.add(verdict.valid)
                if not isinstance(verdict, Verdict):
                    self._count(verdict)
                yield verdict

    def _is_certain(self, verdicts: "Sequence[AnyVerdict]") -> bool:
        """Whether a file holds what was judged: a text among games may be a list of pairings."""
        if self._options.puzzle or not self._has_games:
            return True
        return any(not isinstance(one, Verdict) or one.is_certain for one in verdicts)

    def _count(self, verdict: "AnyVerdict") -> None:
        """Enter a game into the standings."""
        from verify.scrabble.judge import GameVerdict
        from verify.scrabble.standings import Standings

        if isinstance(verdict, GameVerdict):
            self._standings = self._standings or Standings(self._aliases)
            self._standings.add(verdict)

    def _print_ranking(self, tables: Sequence[Table]) -> None:
        sheets = [table.sheet() for table in tables]
        games = [self._standings.sheet()] if self._standings is not None else []
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
            parts = [csv_text([sheet.columns, *sheet.rows]) for sheet in games]
            if tables or not games:
                parts.insert(0, as_csv(tables))
            print("\n".join(parts), end="")
            for sheet in games:
                for other in sheet.others:
                    self._say(f"not counted: {other}")  # the other forms name them
        elif self._options.format == "html":
            notes = [f"cannot be used: {problem}" for problem in self._problems]
            notes += [f"{printable(file)}: holds no answer" for file in self._others]
            print(page("Ranking", [*sheets, *games], notes), end="")
        else:
            print(as_text([*sheets, *games]), end="")

    def _files(self) -> Iterator[str]:
        """Yield each file that the user names, and those in the named folders."""
        for file in self._options.files or ["-"]:
            # isdir is also false where the name itself is impossible
            if file == "-" or not os.path.isdir(file):
                yield file
                continue
            files = self._tried(self._may_hold, file) or []
            self._has_folder = True
            self._has_games = any(name.lower().endswith(".gcg") for name in files)
            yield from files

    def _may_hold(self, folder: str) -> list[str]:
        """Return the files in a folder that may be answers. Raises `RulesError` without one."""
        may_hold: list[str] = []
        for path in files_in(folder):
            files = may_hold if may_be_answer(path) else self._skipped
            files.append(str(path))
        if not may_hold:
            raise RulesError(f"{folder}: holds no file that may be an answer")
        return may_hold

    def _tried(self, read: Callable[[str], Content], file: str) -> Content | None:
        """Return what `read` makes of a file; None where it cannot be used, which is reported."""
        try:
            return read(file)
        except MemoryError as error:
            reason = f" ({error})" if str(error) else ""
            problem = f"{file}: too large for this machine's memory{reason}"
        except RulesError as error:
            problem = str(error)
        except OSError as error:
            problem = f"{file}: cannot be read ({error.strerror})"
        shown = printable(problem)
        # once: every game would name the same file of an option
        if shown not in self._problems:
            self._problems.append(shown)
            self._say(shown)
        return None

    def _finish(self) -> int:
        """Report what holds no answer and what cannot be used; returns the exit code."""
        if not self._options.quiet:
            self._name("without an answer", self._others)
            self._name(
                "passed over in folders, by name or as no certain answer (name one to judge it)",
                self._skipped,
            )
        if len(self._problems) > 1:
            self._say(f"{len(self._problems):,} files or folders cannot be used")
        if not self._found and not self._problems:
            self._say(
                "nothing to verify: expected a game, a certificate, or an answer with lines such "
                "as '6 s?l?mnize solemnize'"
            )
        if self._problems or self._lacks_answer or not self._found:
            return 2
        return int(False in self._found)

    def _name(self, what: str, files: Sequence[str]) -> None:
        """Say which files have no verdict, if there are any."""
        if not files:
            return
        names = [*files[:_MOST_NAMED]]
        if len(files) > _MOST_NAMED:
            names.append("...")
        self._say(f"{counted(len(files), 'file', grouped=True)} {what}: {', '.join(names)}")

    def _say(self, message: str) -> None:
        _say(message, self._program)
