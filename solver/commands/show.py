"""`rowdraw show`: a game turn by turn."""

from pathlib import Path

import click

from solver.errors import SolutionError


@click.command()
@click.argument("file", metavar="FILE")
@click.option("--puzzle", metavar="P", help="A bundled puzzle or a puzzle file (what the solution says, else challenge).")
@click.option("--words", metavar="FILE", help="Another word list than the puzzle's.")
def show(file: str, puzzle: str | None, words: str | None) -> int:
    """Show the game in FILE (- for standard input): row, draws, rack, play, word and score of every turn."""
    from solver.report.terminal import game_text
    from verify.cli import Judge
    from verify.rules import RulesError

    try:
        verdict = Judge(puzzle, words)(file)
    except RulesError as error:
        raise SolutionError(str(error)) from error
    except OSError as error:
        raise SolutionError(f"{Path(file)}: the solution cannot be read ({error.strerror})") from error
    click.echo(game_text(verdict), nl=False)
    return 0 if verdict.valid else 1
