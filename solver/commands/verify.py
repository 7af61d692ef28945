"""`rowdraw verify`: hands its arguments to the referee, which has a command line of its own."""

import click


@click.command(
    context_settings={"ignore_unknown_options": True, "allow_extra_args": True, "help_option_names": []},
    add_help_option=False,
)
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED, metavar="[FILE...|-] [--puzzle P] [--words FILE] [--json]")
def verify(arguments: tuple[str, ...]) -> int:
    """Replay solutions and name every fault."""
    from verify.cli import main

    return main(arguments, program="rowdraw verify")
