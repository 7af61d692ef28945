"""`rowdraw can`: whether a rack makes a word."""

from pathlib import Path

import click

from solver.commands.running import FILE, say_left_out
from solver.errors import RackError


@click.command()
@click.argument("rack")
@click.argument("word")
@click.option("--words", type=FILE, metavar="FILE", help="Also say whether WORD is in this list: one word per line.")
def can(rack: str, word: str, words: Path | None) -> int:
    """Say whether a rack makes a word.

    It prints the play of WORD from RACK, or says which tiles are missing and exits with 1.
    """
    from solver.model.racks import laid_tiles, rack_counts

    if not word.isascii() or not word.isalpha():
        raise RackError(f"word {word!r}: expected letters a to z")
    word = word.lower()
    counts = rack_counts(rack)
    if words is not None:
        from solver.model.lexicon import read_lexicon

        lexicon = read_lexicon(words)
        say_left_out(lexicon)
        if word not in lexicon.words:
            click.echo(f"'{word}' is not in {words}")
            return 1
    try:
        click.echo(laid_tiles(counts, word))
    except RackError as error:
        click.echo(str(error))
        return 1
    return 0
