"""Lines that somebody types, or that come from a file or a pipe."""

import sys

import click

_LONGEST_LINE = 1_000  # characters


def typed_line(prompt: str) -> str:
    """The line that a player types. Raises `EOFError` if the input ends, or if the line is too long."""
    if sys.stdin.isatty():
        return input(prompt)
    click.echo(prompt, nl=False)
    line = sys.stdin.readline(_LONGEST_LINE + 1)
    if not line or len(line) > _LONGEST_LINE:
        click.echo()
        raise EOFError
    return line
