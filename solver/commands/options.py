"""Arguments and options that commands share, and the shell's completion of their values."""

import math
import os
import re
from collections.abc import Callable, Iterable, Mapping
from functools import partial, wraps
from pathlib import Path
from typing import Any

import click
from click.shell_completion import CompletionItem

from solver.checking import MOST_THREADS, Budget
from solver.errors import RowdrawError

Completer = Callable[[click.Context, click.Parameter, str], list[CompletionItem]]
Decorator = Callable[[Any], Any]

_LISTS = ("enable1", "bin", "none")  # of words, for games of Scrabble
_STDIN = "/dev/stdin"
_LONGEST_ROW = 100  # tiles that a hint repeats
_FILE = "file"  # a type for which the shell itself completes names


def _completer(names: Callable[[], Iterable[str]]) -> Completer:
    """Return a completer of `names` and files."""

    def complete(
        _context: click.Context, _parameter: click.Parameter, prefix: str
    ) -> list[CompletionItem]:
        items = [CompletionItem(name) for name in names() if name.startswith(prefix)]
        return [*items, CompletionItem(prefix, _FILE)]

    return complete


def _puzzles() -> list[str]:
    from verify.rules import bundled_names

    return list(bundled_names())


def _strategies() -> Iterable[str]:
    from solver.solving.strategies import PROGRAMS, strategy_names

    return [*strategy_names(), *(f"{kind}:" for kind in PROGRAMS)]


def _tile_sets() -> Iterable[str]:
    from verify.scrabble.tiles import tile_set_names

    return tile_set_names()


def _rule_sets() -> Iterable[str]:
    from verify.scrabble.rule_sets import rule_sets

    return rule_sets()


complete_file = _completer(tuple)
complete_list = _completer(lambda: _LISTS)
complete_own_words = _completer(lambda: ["enable1"])
complete_puzzle = _completer(_puzzles)
complete_strategy = _completer(_strategies)
complete_rules = _completer(_rule_sets)
complete_tiles = _completer(_tile_sets)


class InOrder(click.Group):
    """Lists its commands in the order in which they were added."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        """Return the names of the commands."""
        return list(self.commands)


class Referee(click.Command):
    """A command whose arguments, `--` and `-q` too, the referee's own parser alone reads."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Keep all arguments as they are."""
        ctx.params["arguments"] = tuple(args)
        return []

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Complete options of the referee, and files."""
        from verify.cli import OPTIONS

        if not incomplete.startswith("-"):
            return complete_file(ctx, self.params[0], incomplete)
        return [
            CompletionItem(name, help=text)
            for name, (text, _kind) in OPTIONS.items()
            if name.startswith(incomplete)
        ]


class Named(click.Path):
    """A path. Rejects an empty name, which click takes for the working directory, and streams."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(path_type=Path, **settings)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return `value` as a path; fail for an empty text, and for `-` where it is no stream."""
        if value == "":
            self.fail(f"the name of the {self.name} is empty", param, ctx)
        if value == "-" and not self.allow_dash:
            self.fail(f"-: expected the name of a {self.name}, not a stream", param, ctx)
        return super().convert(value, param, ctx)


FILE = Named(dir_okay=False)
OUTPUT = Named(dir_okay=False, allow_dash=True)
FOLDER = Named(file_okay=False)
FOLDER_THERE = Named(file_okay=False, exists=True)


class Seconds(click.FloatRange):
    """A time limit: a finite number of seconds. `min` and `min_open` as for `FloatRange`."""

    name = "seconds"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """Return `value` as a number of seconds; fail for infinity and NaN."""
        seconds = float(super().convert(value, param, ctx))
        if not math.isfinite(seconds):
            self.fail(f"{value}: expected a number of seconds", param, ctx)
        return seconds


class Limit(click.ParamType[Any]):
    """A limit of a search: seconds or racks, see `Budget`."""

    name = "limit"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return `value` as a `Budget`."""
        if isinstance(value, Budget):
            return value
        try:
            return Budget.of(value)
        except RowdrawError as error:
            self.fail(str(error), param, ctx)


def time_limit(help_: str, default: str | None = None) -> Decorator:
    """Return the option `--time`, which the command's parameter `budget` gets."""
    return click.option(
        "--time",
        "budget",
        type=Limit(),
        default=default,
        show_default=True,
        metavar="LIMIT",
        help=f"{help_}: seconds, such as 2 or 2s, or racks, such as 1e6racks.",
    )


threads = click.option(
    "--threads",
    type=click.IntRange(1, MOST_THREADS),
    metavar="N",
    help="Default: one per processor.",
)


# options whose values a shell completes; each command adds its help
named_puzzle = partial(
    click.option, metavar="PUZZLE", show_default=True, shell_complete=complete_puzzle
)
tiles = partial(click.option, "--tiles", metavar="SET", shell_complete=complete_tiles)
rules = partial(click.option, "--rules", metavar="NAME", shell_complete=complete_rules)
lexicon = partial(click.option, "--words", metavar="LIST", shell_complete=complete_list)


class WordList(Named):
    """The name of a bundled word list, or a file."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the name or the file as a path; one with a folder is always a file."""
        path = super().convert(value, param, ctx)
        return path if str(path) == value else path.absolute()


WORDS = WordList(dir_okay=False)
words = click.option(
    "--words",
    type=WORDS,
    metavar="LIST",
    shell_complete=complete_own_words,
    help="Another word list: enable1, or a file.",
)
output = click.option(
    "-o", "--output", type=OUTPUT, metavar="FILE", help="Write there, - for standard output."
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


def puzzle(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add PUZZLE and the options that change its rules to a command.

    The command's parameter `chosen` gets the puzzle.
    """

    @wraps(command)
    def with_puzzle(
        puzzle: str,
        words: Path | None,
        row: str | None,
        rack: int | None,
        values: str | None,
        **others: Any,
    ) -> Any:
        chosen = _chosen_puzzle(puzzle, words)
        rules: dict[str, Any] = {}
        if row is not None:
            rules["row"] = row
        if rack is not None:
            rules["rack"] = rack
        if values is not None:
            rules["values"] = _values(values, chosen.values)
        if rules:
            chosen = chosen.with_fields(rules, lambda name: f"--{name}")
        return command(chosen, **others)

    options: Callable[..., Any] = words(with_puzzle)
    for option in (
        click.option("--values", metavar="q=15,...", help="Other values of tiles, or a tile set."),
        click.option(
            "--rack",
            type=int,
            metavar="N",
            help="Another size of the rack; above 12 tiles only greedy searches.",
        ),
        click.option(
            "--row", metavar="TILES", help="Another row; it may hold spaces and line ends."
        ),
        click.argument("puzzle", default="challenge", shell_complete=complete_puzzle),
    ):
        options = option(options)
    return options


def _chosen_puzzle(puzzle: str, words: Path | None) -> Any:
    """Return the rules of a puzzle; `-` is standard input. A `RulesError` says what else it is."""
    from solver.model.puzzle import load_puzzle
    from verify import RulesError
    from verify.rules import is_bundled

    file = _STDIN if puzzle == "-" else puzzle
    try:
        return load_puzzle(file, words)
    except RulesError as error:
        hint = "" if is_bundled(puzzle) else _hint(file)
        if not hint:
            raise
        raise RulesError(f"{error}; {hint}") from error


def _hint(puzzle: str) -> str:
    """Return what the user may have meant by what is no puzzle; empty if it is not known."""
    from solver.model.tiles import ORDER
    from verify import judge
    from verify.files import LARGEST_TEXT, read_file

    try:
        content = read_file(Path(puzzle), LARGEST_TEXT)
    except OSError:
        is_row = puzzle != "" and set(puzzle.lower()) <= set(ORDER)
        return f"for a row of these tiles: --row {puzzle[:_LONGEST_ROW]}" if is_row else ""
    row = "".join(content.decode(errors="replace").split())
    if row and set(row.lower()) <= set(ORDER):
        return f"it holds a row of tiles: --row {row[:_LONGEST_ROW]}"
    if judge(content).turns:
        return f"it holds an answer: rowdraw verify {puzzle}"
    return ""


def note_unread_input() -> None:
    """Say that standard input is not read if something was sent there."""
    import stat

    from solver.commands.running import say

    try:
        import fcntl
        import termios

        kind = stat.S_IFMT(os.fstat(0).st_mode)
        # the number of bytes that can be read from a pipe or the rest of a file
        is_sent = kind in (stat.S_IFREG, stat.S_IFIFO) and any(
            fcntl.ioctl(0, termios.FIONREAD, bytes(4))
        )
    except (ImportError, OSError):  # another system, or closed
        return
    if is_sent:
        say("standard input is not read: `rowdraw solve -` reads a puzzle from it")


def _values(text: str, others: Mapping[str, int]) -> str | dict[str, int]:
    """Return the values that `text` states, with those of `others`, or the name of a tile set."""
    if text.strip() == "none":
        return {}
    if text.strip().isalpha():
        return text.strip()
    values = dict(others)
    for stated in text.replace(",", " ").split():
        tile, _, value = stated.partition("=")
        if not re.fullmatch("[0-9]{1,9}", value):
            raise click.UsageError(
                f"--values {text!r}: {stated!r}: "
                "expected a tile and its value, such as q=15, or a tile set"
            )
        values[tile.lower()] = int(value)
    return values
