"""`rowdraw score`: a word in Scrabble notation, or on the empty board."""

import click

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
def score(word: str, square: str | None, across: bool, bonus: bool, distribution: str | None) -> None:
    """Score a word of Scrabble.

    It prints the letters of WORD, their values and multipliers, and the sum. Brackets double or triple the letters inside:
    'e[xt]ra(vag)an[z]a'. With --at the premium squares multiply instead.
    """
    from verify.scrabble import BoardError, NotationError
    from verify.scrabble.explain import explain

    try:
        click.echo(explain(word, distribution, square, across, bonus), nl=False)
    except (BoardError, NotationError) as error:
        raise RowdrawError(str(error)) from error
