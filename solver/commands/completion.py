"""The shell's completion of arguments and options: names that rowdraw knows, and files."""

from collections.abc import Iterable

import click
from click.shell_completion import CompletionItem

_LISTS = ("enable1", "bin", "none")  # of words, for games of Scrabble
_FILE = "file"  # a type for which the shell itself completes names


def complete_file(_context: click.Context, _parameter: click.Parameter, prefix: str) -> list[CompletionItem]:
    """Complete files."""
    return [CompletionItem(prefix, _FILE)]


def complete_puzzle(_context: click.Context, _parameter: click.Parameter, prefix: str) -> list[CompletionItem]:
    """Complete bundled puzzles and files."""
    from solver.model.puzzle import bundled_puzzles

    return _named(prefix, bundled_puzzles())


def complete_puzzles(context: click.Context, parameter: click.Parameter, prefix: str) -> list[CompletionItem]:
    """Complete the last of several puzzles, separated by commas."""
    before, comma, last = prefix.rpartition(",")
    return _behind(before + comma, complete_puzzle(context, parameter, last))


def complete_strategy(_context: click.Context, _parameter: click.Parameter, prefix: str) -> list[CompletionItem]:
    """Complete strategies, and files that may hold one."""
    from solver.solving.strategies import PROGRAMS, strategy_names

    return _named(prefix, [*strategy_names(), *(f"{kind}:" for kind in PROGRAMS)])


def complete_strategies(context: click.Context, parameter: click.Parameter, prefix: str) -> list[CompletionItem]:
    """Complete the last of several strategies, separated by semicolons."""
    before, semicolon, last = prefix.rpartition(";")
    return _behind(before + semicolon, complete_strategy(context, parameter, last))


def complete_tiles(_context: click.Context, _parameter: click.Parameter, prefix: str) -> list[CompletionItem]:
    """Complete bundled tile sets and files."""
    from verify.scrabble.tiles import tile_set_names

    return _named(prefix, tile_set_names())


def complete_list(_context: click.Context, _parameter: click.Parameter, prefix: str) -> list[CompletionItem]:
    """Complete word lists for games of Scrabble, and files."""
    return _named(prefix, _LISTS)


def complete_words(context: click.Context, parameter: click.Parameter, prefix: str) -> list[CompletionItem]:
    """Complete files, and the lists for games of Scrabble if a file of the command is such a game."""
    files = context.params.get("arguments") or (context.params.get("file") or "",)
    is_game = any(file.lower().endswith(".gcg") for file in files)
    return (complete_list if is_game else complete_file)(context, parameter, prefix)


def complete_command(context: click.Context, _parameter: click.Parameter, prefix: str) -> list[CompletionItem]:
    """Complete the commands of the group that the words before name."""
    group = context.find_root().command
    for name in context.params.get("names") or ():
        group = group.commands.get(name, group) if isinstance(group, click.Group) else group
    names = group.list_commands(context) if isinstance(group, click.Group) else []
    return [CompletionItem(name) for name in names if name.startswith(prefix)]


def complete_referee(context: click.Context, parameter: click.Parameter, prefix: str) -> list[CompletionItem]:
    """Complete options of the referee, their values, and files."""
    from verify.cli import make_parser

    before = context.params.get("arguments") or ("",)
    options = {name: action for action in make_parser("verify")._actions for name in action.option_strings}
    if prefix.startswith("-"):
        return [CompletionItem(name, help=options[name].help) for name in options if name.startswith(prefix)]
    last = options.get(before[-1])
    if last is not None and last.choices is not None:
        return [CompletionItem(str(choice)) for choice in last.choices if str(choice).startswith(prefix)]
    values = {"--puzzle": complete_puzzle, "--tiles": complete_tiles, "--words": complete_words}
    return values.get(before[-1], complete_file)(context, parameter, prefix)


def _named(prefix: str, names: Iterable[str]) -> list[CompletionItem]:
    """Return the names that start with `prefix`, then files."""
    return [*(CompletionItem(name) for name in names if name.startswith(prefix)), CompletionItem(prefix, _FILE)]


def _behind(before: str, items: Iterable[CompletionItem]) -> list[CompletionItem]:
    """Return the items with `before` in front. After a separator the shell cannot complete files, since it sees one word."""
    return [CompletionItem(before + item.value, item.type) for item in items if not before or item.type != _FILE]
