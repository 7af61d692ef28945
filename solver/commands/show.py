"""`rowdraw show`: a game turn by turn, in the terminal, the browser or a picture."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from solver.errors import SolutionError

if TYPE_CHECKING:
    from verify import Rules, Verdict

_FILE = click.Path(path_type=Path, dir_okay=False)


@click.command()
@click.argument("file", metavar="FILE")
@click.option("--against", metavar="FILE", help="Another game, side by side with the first.")
@click.option("--html", type=_FILE, metavar="PAGE", help="Write a page for the browser.")
@click.option("--svg", type=_FILE, metavar="PICTURE", help="Write a still picture (- for standard output).")
@click.option("--puzzle", metavar="P", help="A bundled puzzle or a puzzle file (what the solution says, else challenge).")
@click.option("--words", metavar="FILE", help="Another word list than the puzzle's.")
@click.option("--all", "every", is_flag=True, help="List also the faults that follow from others.")
def show(
    file: str, against: str | None, html: Path | None, svg: Path | None, puzzle: str | None, words: str | None, every: bool
) -> int:
    """Show the game in FILE: row, draws, rack, play, word and score of every turn.

    - stands for standard input, and FILE#2 for the second answer in a file.

    Exit code 1 where a game is invalid; it is shown all the same, with its faults in place.
    """
    from solver.show.terminal import game_text, games_text

    if svg is not None and against is not None:
        raise click.UsageError("--svg shows one game: leave out --against")
    judged = [_judge(name, puzzle, words) for name in (file, against) if name is not None]
    verdicts = [verdict for verdict, _rules in judged]
    if html is not None or svg is not None:
        from solver.extras import require
        from solver.report.output import write_report
        from solver.show.game import make_game

        games = [make_game(verdict, rules) for verdict, rules in judged]
        if html is not None:
            require("report", "jinja2")
            from solver.report.pages import game_page

            write_report(html, game_page(games))
        if svg is not None:
            from solver.show.picture import game_svg

            write_report(svg, game_svg(games[0]))
    else:
        click.echo(games_text(verdicts, every) if against is not None else game_text(verdicts[0], every), nl=False)
    return 0 if all(verdict.valid for verdict in verdicts) else 1


def _judge(file: str, puzzle: str | None, words: str | None) -> "tuple[Verdict, Rules]":
    from verify.judging import Judge
    from verify.rules import RulesError

    try:
        return Judge(puzzle, words).with_rules(file)
    except RulesError as error:
        raise SolutionError(str(error)) from error
    except OSError as error:
        raise SolutionError(f"{Path(file)}: the solution cannot be read ({error.strerror})") from error
