"""The command line of the referee: judges files and prints verdicts, or a ranking."""

import argparse
import json
import logging
import os
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

from verify.explain import Verdict
from verify.files import files_in, larger_files, may_be_answer
from verify.judging import Judge
from verify.report import Ranking, Table, as_csv, as_json, as_text, page
from verify.rules import RulesError
from verify.streams import prepare_output, replacement_note, report_failure
from verify.strictness import RECORDS, Strictness
from verify.text import counted, csv_text, printable, quote

if TYPE_CHECKING:
    from verify.judging import AnyVerdict
    from verify.scrabble.standings import Standings

Content = TypeVar("Content")
_FAULT_COLUMNS = ("file", "line", "player", "kind", "message", "expected")
_MOST_NAMED = 20  # files without an answer, for a person to read
# by program, the options that its help leaves out
_HIDDEN = {
    "rowdraw verify": {
        "--rules",
        "--tiles",
        "--extra-words",
        "--racks",
        "--phonies",
        "--record",
        "--aliases",
    },
    "rowdraw scrabble verify": {"--puzzle", "--strict", "--explain"},
}


def main(arguments: Sequence[str], program: str = "verify") -> int:
    """Judge the files in `arguments`.

    Returns:
        The exit code: 0 all are valid, 1 one has a fault, 2 unreadable input or none.
    """
    parser = make_parser(program)[0]
    options = parser.parse_args(arguments)
    if options.format == "html" and not (options.rank or options.help):
        parser.error("html is a form of a ranking: give --rank with it")
    if sys.stdout is None:
        print(f"{program}: standard output is closed", file=sys.stderr)
        return 2
    if options.help:
        parser.epilog = _epilogue(program)
        print(parser.format_help().replace("usage: ", "Usage: ", 1), end="")
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
    if replaced:
        _say(replacement_note(replaced))
    return code


def _say(message: str) -> None:
    print(f"verify: {printable(message)}", file=sys.stderr)


class _Parser(argparse.ArgumentParser):
    """Reports wrong arguments as the other commands do, without what controls a terminal."""

    def error(self, message: str) -> NoReturn:
        """Print how the command is used, and exit with 2."""
        usage = f"Usage: {self.prog} [OPTIONS] [FILE]...\nTry '{self.prog} --help' for help."
        self.exit(2, f"{usage}\n\nError: {printable(message)}\n")


def _megabytes(text: str) -> int:
    if not re.fullmatch("[0-9]{1,6}", text):
        raise argparse.ArgumentTypeError(f"{quote(text)}: expected a whole number of megabytes")
    return int(text)


# what the kinds of options have in common
_FLAG: dict[str, Any] = {"action": "store_true"}
_STRICT_OR_NOT: dict[str, Any] = {
    "metavar": "RULE",
    "choices": ["lenient", "strict"],
    "default": "lenient",
}

# the options: names, what the help says, and how argparse reads them
_OPTIONS: Sequence[tuple[tuple[str, ...], str, dict[str, Any]]] = (
    (
        ("--puzzle",),
        "a bundled puzzle or a puzzle file (what the solution says, else challenge)",
        {"metavar": "P"},
    ),
    (
        ("--words",),
        "another word list: enable1, or a file; for games also bin or none",
        {"metavar": "LIST"},
    ),
    (
        ("--max-size",),
        "read larger files: answers, games and puzzles over 10 MB, certificates over 50, "
        "word lists over 200",
        {"metavar": "MB", "type": _megabytes, "default": 0},
    ),
    (
        ("--format",),
        "text, json, or csv, a line for each fault; for a ranking also html, a page for a browser",
        {"metavar": "FORM", "choices": ["text", "json", "csv", "html"], "default": "text"},
    ),
    (
        ("--rules",),
        "for a game: its rule set, or a file of one (.toml); by default the game decides",
        {"metavar": "NAME"},
    ),
    (
        ("--tiles",),
        "for a game: its tile set, such as german, or a file of one (.toml)",
        {"metavar": "SET"},
    ),
    (("--extra-words",), "for a game: a file of words that are also valid", {"metavar": "FILE"}),
    (
        ("--racks",),
        "for a game: what contradicts a rack, which may be guessed, is a remark (lenient) or "
        "a fault (strict)",
        _STRICT_OR_NOT,
    ),
    (
        ("--phonies",),
        "for a game: a play with a word that is not in the list is a remark (lenient) or, as "
        "on servers, a fault (strict)",
        _STRICT_OR_NOT,
    ),
    (
        ("--record",),
        "for a game: how a program may write it down: exact, lenient (the numbers of a pass "
        "or an exchange, and the second loss after passes, may be missing), program (a play's "
        "score may contain the bonus of a challenge), or stands (wrong scores and totals "
        "are remarks)",
        {"metavar": "HOW", "choices": RECORDS, "default": "lenient"},
    ),
    (
        ("--aliases",),
        "for games: a TOML file with other spellings of players' names, such as "
        "'Ann Lee' = ['A. Lee', 'al']",
        {"metavar": "FILE"},
    ),
    (("--strict",), "accept only the challenge's format, no posts around it", _FLAG),
    (("--explain",), "print what each line was taken for", _FLAG),
    (("--rank",), "print the answers by score, and the players of games by games won", _FLAG),
    (
        ("--json",),
        "the same as --format json",
        {"dest": "format", "action": "store_const", "const": "json"},
    ),
    (
        ("--csv",),
        "the same as --format csv",
        {"dest": "format", "action": "store_const", "const": "csv"},
    ),
    (
        ("-q", "--quiet"),
        "print no progress and no messages, and of games only faults, copies and missing counts",
        _FLAG,
    ),
    (
        ("-h", "--help"),
        "show this message and exit",
        _FLAG,
    ),
)


def make_parser(program: str) -> tuple[argparse.ArgumentParser, dict[str, argparse.Action]]:
    """Return the parser of the referee's arguments, and its options by name.

    Args:
        program: How the command is called in messages. It decides which options the help shows;
            the parser takes all.
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

    hidden = _HIDDEN.get(program, set())
    named: dict[str, argparse.Action] = {}
    group = parser.add_argument_group("Arguments")

    def add(*names: str, text: str, **kind: Any) -> None:
        shown = argparse.SUPPRESS if names[-1] in hidden else text
        action = group.add_argument(*names, help=shown, **kind)
        named.update(dict.fromkeys(action.option_strings, action))

    add(
        "files",
        text="solutions, games or certificates, or folders of them; FILE#2: the second answer; "
        "- or none: standard input",
        nargs="*",
        metavar="FILE",
    )
    group = parser.add_argument_group("Options")
    for names, text, kind in _OPTIONS:
        add(*names, text=text, **kind)
    return parser, named


def _epilogue(program: str) -> str:
    """Return the end of the help: where the options for games are, or the rule sets."""
    if program == "rowdraw verify":
        return "'rowdraw scrabble verify --help' shows the options for Scrabble games."
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
        self._empty: list[str] = []  # folders without a file that may hold answers
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
        for file, kind, why in notices:
            message, _comma, expected = why.partition(": expected ")
            rows.append((file, 0, "", kind, message, expected))
            if form == "text" and self._options.quiet:
                print(printable(f"{file}: {kind}: {why}"))
        if form == "json":
            noted = {file: {"not_counted": why} for file, _kind, why in notices}
            for value in values:
                value.update(noted.get(value["file"], {}))
            print(json.dumps(values, indent=2))
        elif form == "csv":
            print(csv_text(rows), end="")
        elif self._has_folder and not self._options.quiet:
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
            paths = self._tried(files_in, file)
            if paths is None:
                continue
            may_hold: list[str] = []
            for path in paths:
                if may_be_answer(path):
                    may_hold.append(str(path))
                else:
                    self._skipped.append(str(path))
            if may_hold:
                self._has_folder = True
                self._has_games = any(path.lower().endswith(".gcg") for path in may_hold)
                yield from may_hold
            else:
                self._empty.append(file)

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
        for folder in self._empty:
            self._say(f"{folder}: holds no file that may be an answer")
        for files, verbs, what in (
            (self._others, ("holds", "hold"), "no answer"),
            (
                self._skipped,
                ("is", "are"),
                "passed over in folders, by name or as no certain answer (name one to judge it)",
            ),
        ):
            if files and not self._options.quiet:
                names = files[:_MOST_NAMED]
                if len(files) > _MOST_NAMED:
                    names.append("...")
                count = counted(len(files), "file", grouped=True)
                verb = verbs[len(files) > 1]
                self._say(f"{count} {verb} {what}: {', '.join(names)}")
        if len(self._problems) > 1:
            self._say(f"{len(self._problems):,} files or folders cannot be used")
        if not self._found and not self._problems:
            self._say("nothing to verify: expected at least one answer")
        # an empty folder counts as unusable: the user expects answers in it
        if self._problems or self._empty or self._lacks_answer or not self._found:
            return 2
        return int(False in self._found)

    def _say(self, line: str) -> None:
        print(f"{self._program}: {printable(line)}", file=sys.stderr)
