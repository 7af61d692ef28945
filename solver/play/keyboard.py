"""Input lines from a keyboard, a file or a pipe."""

import sys

import click

QUIT = ("quit", "q", "exit")  # end a game
_LONGEST_LINE = 1_000  # characters


def typed_line(prompt: str) -> str:
    """Return the next line of input. Raises `EOFError` at its end, or if the line is too long."""
    if sys.stdin.isatty():
        return input(prompt)
    click.echo(prompt, nl=False)
    line = sys.stdin.readline(_LONGEST_LINE + 1)
    if not line or len(line) > _LONGEST_LINE:
        click.echo()
        raise EOFError
    return line
