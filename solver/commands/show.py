"""`rowdraw show`: a game turn by turn, in the terminal, the browser or a picture."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from solver.commands.completion import complete_file, complete_puzzle, complete_words
from solver.commands.forms import TEXT, check_report, chosen_form, force_option, form_option, games_as, replaced_by
from solver.commands.running import FILE, lexicon_option
from solver.errors import SolutionError

if TYPE_CHECKING:
    from verify import Rules, Verdict


@click.command()
@click.argument("file", metavar="FILE", shell_complete=complete_file)
@click.option("--against", metavar="FILE", shell_complete=complete_file, help="Another game, side by side with the first.")
@click.option("--html", type=FILE, metavar="PAGE", help="Write a page for the browser.")
@click.option("--svg", type=FILE, metavar="PICTURE", help="Write a still picture (- for standard output).")
@form_option
@click.option("-o", "--output", type=FILE, metavar="FILE", help="Write there (- for standard output).")
@click.option(
    "--puzzle",
    metavar="P",
    shell_complete=complete_puzzle,
    help="A bundled puzzle or a puzzle file (what the solution says, else challenge).",
)
@lexicon_option(
    "Use this word list, a file, instead of the puzzle's or the game's; for a Scrabble game also enable1, bin or none.",
    complete=complete_words,
)
@force_option
@click.option("--all", "every", is_flag=True, help="List also the faults that follow from others.")
def show(
    file: str,
    against: str | None,
    html: Path | None,
    svg: Path | None,
    form: str | None,
    output: Path | None,
    puzzle: str | None,
    words: str | None,
    force: bool,
    every: bool,
) -> int:
    """Show a game turn by turn.

    Of every turn in FILE it shows row, draws, rack, play, word, sum and score. - stands for standard input, and FILE#2 for
    the second answer in a file.

    An invalid game is also shown, with its faults in place; then the exit code is 1.
    """
    from solver.files import check_output
    from solver.report.pages import write_report
    from solver.show.terminal import game_text, games_text

    if against is None and (shown := _scrabble_text(file, words)) is not None:
        if html is not None or svg is not None or form not in (None, TEXT):
            raise click.UsageError(f"{file} is a Scrabble game, which is shown as text")
        text, is_valid = shown
        check_output(output, replaced_by(TEXT), force=force)
        write_report(output, text)
        return 0 if is_valid else 1
    if svg is not None and against is not None:
        raise click.UsageError("--svg shows one game: leave out --against")
    judged = [_judge(name, puzzle, words) for name in (file, against) if name is not None]
    verdicts = [verdict for verdict, _rules in judged]
    if len({(rules.row, rules.rack_size, tuple(sorted(rules.values.items())), rules.bonus) for _verdict, rules in judged}) > 1:
        raise SolutionError(f"{file} and {against}: games of two puzzles, {verdicts[0].puzzle} and {verdicts[1].puzzle}")
    wanted = [(chosen_form(form, output), output)] if output is not None or form is not None else []
    wanted += [(name, path) for name, path in (("html", html), ("svg", svg)) if path is not None]
    for name, path in wanted:
        check_report(path, name, verdicts, judged[0][1], force=force)
    for name, path in wanted or [(TEXT, None)]:
        if name == TEXT:
            text = games_text(verdicts, every) if against is not None else game_text(*judged[0], every)
        else:
            from solver.show.steps import make_game

            text = games_as(name, [make_game(verdict, rules) for verdict, rules in judged])
        write_report(path, text)
    return 0 if all(verdict.valid for verdict in verdicts) else 1


def _scrabble_text(file: str, words: str | None) -> tuple[str, bool] | None:
    """The text of the Scrabble game in `file`, and whether it is valid; None if it holds something else."""
    from solver.scrabble.shown import gcg_text
    from verify.reading import LARGEST_TEXT, read_file
    from verify.replay.rules import RulesError
    from verify.scrabble.gcg import is_gcg
    from verify.scrabble.judge import judge_game

    if not file.endswith(".gcg"):
        return None
    try:
        content = read_file(Path(file), LARGEST_TEXT)
        if not is_gcg(content):
            return None
        verdict = judge_game(content, file, None, words)
    except RulesError as error:
        raise SolutionError(str(error)) from error
    except OSError as error:
        raise SolutionError(f"{Path(file)}: the game cannot be read ({error.strerror})") from error
    return gcg_text(content, verdict), verdict.valid


def _judge(file: str, puzzle: str | None, words: str | None) -> "tuple[Verdict, Rules]":
    from verify.judging import Judge
    from verify.replay.rules import RulesError

    try:
        return Judge(puzzle, words).with_rules(file)
    except RulesError as error:
        raise SolutionError(str(error)) from error
    except OSError as error:
        raise SolutionError(f"{Path(file)}: the solution cannot be read ({error.strerror})") from error
