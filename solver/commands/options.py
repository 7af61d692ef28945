"""Arguments and options that commands share, and the shell's completion of their values."""

import math
import re
from collections.abc import Callable, Iterable, Mapping
from functools import wraps
from pathlib import Path
from typing import Any

import click
from click.shell_completion import CompletionItem

from solver.checking import MOST_THREADS

Completer = Callable[[click.Context, click.Parameter, str], list[CompletionItem]]
Decorator = Callable[[Any], Any]

_LISTS = ("enable1", "bin", "none")  # of words, for games of Scrabble
_FILE = "file"  # a type for which the shell itself completes names


def _completer(names: Callable[[], Iterable[str]], separator: str = "") -> Completer:
    """Return a completer of `names` and files; with a separator, of the last one of several values."""

    def complete(
        _context: click.Context, _parameter: click.Parameter, prefix: str
    ) -> list[CompletionItem]:
        before, mark, last = prefix.rpartition(separator) if separator else ("", "", prefix)
        items = [CompletionItem(before + mark + name) for name in names() if name.startswith(last)]
        # after a separator the shell cannot complete files, since it sees one word
        return items if mark else [*items, CompletionItem(last, _FILE)]

    return complete


def _puzzles() -> list[str]:
    from verify.rules import bundled_names

    return list(bundled_names())


def _strategies() -> list[str]:
    from solver.solving.strategies import PROGRAMS, strategy_names

    return [*strategy_names(), *(f"{kind}:" for kind in PROGRAMS)]


def _tile_sets() -> Iterable[str]:
    from verify.scrabble.tiles import tile_set_names

    return tile_set_names()


def _rule_sets() -> Iterable[str]:
    from verify.scrabble.rule_sets import rule_sets

    return rule_sets()


complete_rules = _completer(_rule_sets)
complete_file, complete_list, complete_tiles = (
    _completer(tuple),
    _completer(lambda: _LISTS),
    _completer(_tile_sets),
)
complete_own_words = _completer(lambda: ("enable1",))
complete_puzzle, complete_puzzles = _completer(_puzzles), _completer(_puzzles, ",")
complete_strategy, complete_strategies = _completer(_strategies), _completer(_strategies, ";")


def complete_words(
    context: click.Context, parameter: click.Parameter, prefix: str
) -> list[CompletionItem]:
    """Complete files, and the lists for games of Scrabble if a file of the command is such a game."""
    # before the value of its last option is there, click leaves the names of files unread
    files = context.params.get("arguments") or (context.params.get("file") or "", *context.args)
    is_game = any(file.lower().endswith(".gcg") for file in files)
    return (complete_list if is_game else complete_own_words)(context, parameter, prefix)


def complete_referee(
    context: click.Context, parameter: click.Parameter, prefix: str
) -> list[CompletionItem]:
    """Complete options of the referee, their values, and files."""
    from verify.cli import make_parser

    before = context.params.get("arguments") or ("",)
    options = {
        name: action for action in make_parser("verify")._actions for name in action.option_strings
    }
    if prefix.startswith("-"):
        return [
            CompletionItem(name, help=options[name].help)
            for name in options
            if name.startswith(prefix)
        ]
    last = options.get(before[-1])
    if last is not None and last.choices is not None:
        return [
            CompletionItem(str(choice)) for choice in last.choices if str(choice).startswith(prefix)
        ]
    values = {
        "--puzzle": complete_puzzle,
        "--tiles": complete_tiles,
        "--words": complete_words,
        "--rules": complete_rules,
    }
    return values.get(before[-1], complete_file)(context, parameter, prefix)


class Referee(click.Command):
    """A command that leaves its arguments, `--` and `-q` too, to the referee's own parser, which alone reads them."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Keep all arguments as they are."""
        ctx.params["arguments"] = tuple(args)
        return []

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Complete options of the referee, their values, and files."""
        return complete_referee(ctx, self.params[0], incomplete)


def referee_arguments(metavar: str) -> Decorator:
    """Return the arguments of such a command."""
    return click.argument("arguments", nargs=-1, metavar=metavar, shell_complete=complete_referee)


class Named(click.Path):
    """A path. Rejects an empty name, which click takes for the working directory."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(path_type=Path, **settings)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return `value` as a path; fail for an empty text."""
        if value == "":
            self.fail(f"the name of the {self.name} is empty", param, ctx)
        return super().convert(value, param, ctx)


FILE = Named(dir_okay=False)
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


threads = click.option(
    "--threads",
    type=click.IntRange(1, MOST_THREADS),
    metavar="N",
    help="Default: one per processor.",
)


def named_puzzle(name: str, help_: str, default: str | None = "challenge") -> Decorator:
    """Return an option, such as `--puzzle`, that takes a bundled name or the file of a puzzle."""
    return click.option(
        name,
        default=default,
        show_default=bool(default),
        metavar="PUZZLE",
        shell_complete=complete_puzzle,
        help=help_,
    )


def tiles(help_: str, default: str | None = None) -> Decorator:
    """Return the option `--tiles`, the tile set of a game of Scrabble."""
    return click.option(
        "--tiles",
        default=default,
        show_default=bool(default),
        metavar="SET",
        shell_complete=complete_tiles,
        help=help_,
    )


def rules(help_: str) -> Decorator:
    """Return the option `--rules`, the rule set of a game of Scrabble."""
    return click.option("--rules", metavar="NAME", shell_complete=complete_rules, help=help_)


def lexicon(help_: str, default: str | None = None, complete: Any = complete_list) -> Decorator:
    """Return the option `--words` of commands for games of Scrabble: the name of a list, or a file."""
    return click.option(
        "--words",
        default=default,
        show_default=bool(default),
        metavar="LIST",
        shell_complete=complete,
        help=help_,
    )


class WordList(Named):
    """The name of a bundled word list, or a file."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the name or the file as a path; one with a folder is a file, whatever it is called."""
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
    "-o", "--output", type=FILE, metavar="FILE", help="Write there, - for standard output."
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


def puzzle(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add PUZZLE and the options that change its rules to a command, whose parameter `chosen` gets the puzzle."""

    @wraps(command)
    def with_puzzle(puzzle: str, words: Path | None, **others: Any) -> Any:
        from solver.model.puzzle import load_puzzle

        chosen = load_puzzle(puzzle, words)
        rules = {name: others.pop(name) for name in ("row", "rack", "values")}
        given = {name: rule for name, rule in rules.items() if rule is not None}
        if "values" in given:
            given["values"] = _values(given["values"], chosen.values)
        return command(
            chosen if not given else chosen.with_fields(given, lambda name: f"--{name}"), **others
        )

    options: Callable[..., Any] = words(with_puzzle)
    for option in (
        click.option("--values", metavar="q=15,...", help="Other values of tiles, or a tile set."),
        click.option("--rack", type=int, metavar="N", help="Another size of the rack."),
        click.option(
            "--row", metavar="TILES", help="Another row; it may hold spaces and line ends."
        ),
        click.argument("puzzle", default="challenge", shell_complete=complete_puzzle),
    ):
        options = option(options)
    return options


def _values(text: str, others: Mapping[str, int]) -> str | dict[str, int]:
    """Return the values of tiles that `text` states, with those of `others`; or the name of a tile set, which is all of it."""
    if text.strip().isalpha():
        return text.strip()
    values = {}
    for stated in filter(None, re.split(r"[,\s]+", text)):
        tile, _, value = stated.partition("=")
        if not (value.isascii() and value.isdecimal() and len(value) < 10):
            raise click.UsageError(
                f"--values {text!r}: {stated!r}: expected a tile and its value, such as q=15, or a tile set"
            )
        values[tile.lower()] = int(value)
    return {**others, **values}
