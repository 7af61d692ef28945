"""`rowdraw can`: whether a rack makes a word."""

import click

from solver.errors import RackError


@click.command()
@click.argument("rack")
@click.argument("word")
def can(rack: str, word: str) -> int:
    """Say whether a rack makes a word.

    It prints the play of WORD from RACK, or says which tiles are missing and exits with 1.
    """
    from solver.model.racks import laid_tiles, rack_counts

    if not word.isascii() or not word.isalpha():
        raise RackError(f"word {word!r}: expected letters a to z")
    word = word.lower()
    counts = rack_counts(rack)
    try:
        click.echo(laid_tiles(counts, word))
    except RackError as error:
        click.echo(str(error))
        return 1
    return 0
