"""`rowdraw score`: a word in Scrabble notation, or on the empty board."""

import click

from solver.commands.completion import complete_tiles
from solver.errors import RowdrawError


@click.command()
@click.argument("word")
@click.option("--at", "square", metavar="SQUARE", help="Where the first letter lies on the empty board, such as I2.")
@click.option("--across/--down", default=True, help="Which way the word runs from there.")
@click.option("--bonus", is_flag=True, help="Add 50 for all seven tiles of a rack.")
@click.option(
    "--distribution",
    metavar="SCORES",
    help="26 letter scores, a to z, each 1 to 9 or X for 10 (default: those of an English set).",
)
@click.option(
    "--tiles", metavar="SET", shell_complete=complete_tiles, help="A tile set, such as german, or a file of one (.toml)."
)
def score(word: str, square: str | None, across: bool, bonus: bool, distribution: str | None, tiles: str | None) -> None:
    """Score a word of Scrabble.

    It prints the letters of WORD, their values and multipliers, and the sum. Brackets double or triple the letters inside:
    'e[xt]ra(vag)an[z]a'. With --at the premium squares multiply instead. A blank is ?, or a small letter among
    capitals: 'cab?age', 'CABbAGE'.
    """
    from verify.replay.rules import RulesError
    from verify.scrabble import BoardError, NotationError
    from verify.scrabble.explain import explain
    from verify.scrabble.tiles import tile_set_of

    if tiles is not None and distribution is not None:
        raise click.UsageError("--tiles and --distribution: expected one of them")
    try:
        chosen = None if tiles is None else tile_set_of(tiles)
        click.echo(explain(word, distribution, square, across, bonus, chosen), nl=False)
    except (BoardError, NotationError, RulesError) as error:
        raise RowdrawError(str(error)) from error
