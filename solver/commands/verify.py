"""`rowdraw verify`: hands its arguments to the referee, which has a command line of its own."""

import click
from click.shell_completion import CompletionItem

from solver.commands.completion import complete_referee
from solver.commands.running import is_quiet


class _Referee(click.Command):
    """The referee has a parser of its own, which knows its options."""

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        return complete_referee(ctx, self.params[0], incomplete)


@click.command(
    cls=_Referee,
    context_settings={"ignore_unknown_options": True, "allow_extra_args": True, "help_option_names": []},
    add_help_option=False,
)
@click.argument(
    "arguments",
    nargs=-1,
    type=click.UNPROCESSED,
    metavar="[FILE...|-] [--puzzle P] [--words FILE] [--json]",
    shell_complete=complete_referee,
)
def verify(arguments: tuple[str, ...]) -> int:
    """Judge answers and games, and name every fault."""
    from verify.cli import main

    return main([*arguments, *(["--quiet"] if is_quiet() else [])], program="rowdraw verify")
