"""What the shell's completion offers for arguments and options: names that rowdraw knows, and files."""

from collections.abc import Iterable

import click
from click.shell_completion import CompletionItem

_LISTS = ("enable1", "bin", "none")  # of words, for games of Scrabble
_FILE = "file"  # the shell itself completes the names of files


def complete_file(_context: click.Context, _parameter: click.Parameter, begun: str) -> list[CompletionItem]:
    """Files."""
    return [CompletionItem(begun, _FILE)]


def complete_puzzle(_context: click.Context, _parameter: click.Parameter, begun: str) -> list[CompletionItem]:
    """Bundled puzzles and files."""
    from solver.model.puzzle import bundled_puzzles

    return _named(begun, bundled_puzzles())


def complete_puzzles(context: click.Context, parameter: click.Parameter, begun: str) -> list[CompletionItem]:
    """The last one of several puzzles, which commas separate."""
    before, comma, last = begun.rpartition(",")
    return _behind(before + comma, complete_puzzle(context, parameter, last))


def complete_strategy(_context: click.Context, _parameter: click.Parameter, begun: str) -> list[CompletionItem]:
    """Strategies, and files for a class of the user's own."""
    from solver.solving.strategies import PROGRAMS, strategy_names

    return _named(begun, [*strategy_names(), *(f"{kind}:" for kind in PROGRAMS)])


def complete_strategies(context: click.Context, parameter: click.Parameter, begun: str) -> list[CompletionItem]:
    """The last one of several strategies, which semicolons separate."""
    before, semicolon, last = begun.rpartition(";")
    return _behind(before + semicolon, complete_strategy(context, parameter, last))


def complete_tiles(_context: click.Context, _parameter: click.Parameter, begun: str) -> list[CompletionItem]:
    """Bundled tile sets and files."""
    from verify.scrabble.tiles import tile_set_names

    return _named(begun, tile_set_names())


def complete_list(_context: click.Context, _parameter: click.Parameter, begun: str) -> list[CompletionItem]:
    """Word lists for games of Scrabble, and files."""
    return _named(begun, _LISTS)


def complete_words(context: click.Context, parameter: click.Parameter, begun: str) -> list[CompletionItem]:
    """Files, and the lists for games of Scrabble where the file to be read is one."""
    files = context.params.get("arguments") or (context.params.get("file") or "",)
    is_game = any(file.lower().endswith(".gcg") for file in files)
    return (complete_list if is_game else complete_file)(context, parameter, begun)


def complete_command(context: click.Context, _parameter: click.Parameter, begun: str) -> list[CompletionItem]:
    """The commands of the group that the words before name."""
    group = context.find_root().command
    for name in context.params.get("names") or ():
        group = group.commands.get(name, group) if isinstance(group, click.Group) else group
    names = group.list_commands(context) if isinstance(group, click.Group) else []
    return [CompletionItem(name) for name in names if name.startswith(begun)]


def complete_referee(context: click.Context, parameter: click.Parameter, begun: str) -> list[CompletionItem]:
    """Options of the referee, their values, and files."""
    from verify.cli import make_parser

    before = context.params.get("arguments") or ("",)
    options = {name: action for action in make_parser("verify")._actions for name in action.option_strings}
    if begun.startswith("-"):
        return [CompletionItem(name, help=options[name].help) for name in options if name.startswith(begun)]
    last = options.get(before[-1])
    if last is not None and last.choices is not None:
        return [CompletionItem(str(choice)) for choice in last.choices if str(choice).startswith(begun)]
    values = {"--puzzle": complete_puzzle, "--tiles": complete_tiles, "--words": complete_words}
    return values.get(before[-1], complete_file)(context, parameter, begun)


def _named(begun: str, names: Iterable[str]) -> list[CompletionItem]:
    """The names that start with `begun`, then files."""
    return [*(CompletionItem(name) for name in names if name.startswith(begun)), CompletionItem(begun, _FILE)]


def _behind(before: str, items: Iterable[CompletionItem]) -> list[CompletionItem]:
    """The items with `before` in front; after a separator the shell cannot complete files, since it sees one word."""
    return [CompletionItem(before + item.value, item.type) for item in items if not before or item.type != _FILE]
