"""`rowdraw show`, `analyse` and `verify`: a game turn by turn, what each turn lost, and the verdict of the referee."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.shell_completion import CompletionItem

from solver.commands import options
from solver.commands.forms import (
    JSON,
    TEXT,
    check_form,
    check_report,
    chosen_form,
    force_option,
    form_option,
    games_as,
    replaced_by,
)
from solver.commands.options import FILE
from solver.commands.running import INTERRUPTED, is_quiet, read_problem, run_maker, say
from solver.errors import SolutionError
from solver.solving.opened import OpenedGame

if TYPE_CHECKING:
    from verify import Rules, Verdict
    from verify.scrabble.judge import GameVerdict

_FORMS_OF_ANALYSES = (TEXT, JSON, "html")


@click.command()
@click.argument("file", metavar="FILE", shell_complete=options.complete_file)
@click.option(
    "--against", metavar="FILE", shell_complete=options.complete_file, help="Another game, side by side with the first."
)
@click.option("--html", type=FILE, metavar="PAGE", help="Write a page for the browser.")
@click.option("--svg", type=FILE, metavar="PICTURE", help="Write a still picture (- for standard output).")
@form_option
@click.option("-o", "--output", type=FILE, metavar="FILE", help="Write there (- for standard output).")
@options.named_puzzle("--puzzle", "A bundled puzzle or a puzzle file (what the solution says, else challenge).", None)
@options.lexicon(
    "Use this word list, a file, instead of the puzzle's or the game's; for a Scrabble game also enable1, bin or none.",
    complete=options.complete_words,
)
@options.tiles("For a Scrabble game: its tile set, such as german, or a file of one (.toml).")
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
    tiles: str | None,
    force: bool,
    every: bool,
) -> int:
    """Show a game turn by turn.

    Of every turn in FILE it shows row, draws, rack, play, word, sum and score. - stands for standard input, and FILE#2 for
    the second answer in a file.

    A Scrabble game (.gcg) is shown as text or, with --html, as a page.

    An invalid game is also shown, with its faults in place; then the exit code is 1.
    """
    from solver.report.pages import write_report
    from solver.show.formats import game_text, games_text

    wanted = [(chosen_form(form, output), output)] if output is not None or form is not None else []
    wanted += [(name, path) for name, path in (("html", html), ("svg", svg)) if path is not None]
    if against is None and (game := _scrabble_game(file, words, tiles)) is not None:
        return _show_scrabble(game, tiles, wanted or [(TEXT, None)], force=force)
    if tiles is not None:
        raise click.UsageError(f"--tiles {tiles}: {file} is no Scrabble game, which alone has a tile set")
    if svg is not None and against is not None:
        raise click.UsageError("--svg shows one game: leave out --against")
    judged = [_judge(name, puzzle, words) for name in (file, against) if name is not None]
    verdicts = [verdict for verdict, _rules in judged]
    if len({(rules.row, rules.rack_size, tuple(sorted(rules.values.items())), rules.bonus) for _verdict, rules in judged}) > 1:
        raise SolutionError(f"{file} and {against}: games of two puzzles, {verdicts[0].puzzle} and {verdicts[1].puzzle}")
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


def _scrabble_game(file: str, words: str | None, tiles: str | None) -> "tuple[bytes, GameVerdict] | None":
    """Return the content of `file` and the verdict on its Scrabble game; None if the file holds something else."""
    from verify.reading import LARGEST_TEXT, read_file
    from verify.scrabble.gcg import is_gcg
    from verify.scrabble.judge import judge_game

    if not file.endswith(".gcg"):
        return None
    try:
        content = read_file(Path(file), LARGEST_TEXT)
        return (content, judge_game(content, file, tiles, words)) if is_gcg(content) else None
    except OSError as error:
        raise SolutionError(f"{Path(file)}: the game cannot be read ({error.strerror})") from error


def _show_scrabble(
    game: "tuple[bytes, GameVerdict]", tiles: str | None, wanted: Sequence[tuple[str, Path | None]], *, force: bool
) -> int:
    """Write a Scrabble game in the forms `wanted`, each to its file; return the exit code."""
    from solver.files import check_output
    from solver.report.pages import scrabble_page, write_report
    from solver.scrabble.shown import gcg_text
    from solver.scrabble.steps import game_steps
    from verify.scrabble.gcg import read_gcg, write_gcg
    from verify.scrabble.tiles import tile_set_of

    content, verdict = game
    for name, path in wanted:
        if name not in (TEXT, "html"):
            raise click.UsageError(f"{verdict.file} is a Scrabble game: it is shown as text or html")
        check_form(name, several=False)
        check_output(path, replaced_by(name), force=force)
    for name, path in wanted:
        if name == TEXT:
            text = gcg_text(content, verdict)
        else:
            steps = game_steps(content, verdict, None if tiles is None else tile_set_of(tiles))
            text = scrabble_page(steps, write_gcg(read_gcg(content)))
        write_report(path, text)
    return 0 if verdict.valid else 1


def _judge(file: str, puzzle: str | None, words: str | None) -> "tuple[Verdict, Rules]":
    from verify.judging import Judge

    try:
        return Judge(puzzle, words).with_rules(file)
    except OSError as error:
        raise SolutionError(f"{Path(file)}: the solution cannot be read ({error.strerror})") from error


@click.command()
@click.argument("file", metavar="FILE[#N][:K]", shell_complete=options.complete_file)
@options.named_puzzle("--puzzle", "The puzzle of a game that names none.")
@options.words
@click.option("--deep", is_flag=True, help="Beams of 20,000 states instead of 2,000: some minutes instead of seconds.")
@click.option("--format", "form", type=click.Choice(_FORMS_OF_ANALYSES), help="What to print; a page shows a curve, too.")
@click.option("-o", "--output", type=FILE, metavar="FILE", help="Write there.")
@force_option
@options.threads
def analyse(
    file: str,
    puzzle: str,
    words: Path | None,
    deep: bool,
    form: str | None,
    output: Path | None,
    force: bool,
    threads: int | None,
) -> int:
    """Say what every turn of a game lost.

    For each turn of the game in FILE (- for standard input) it prints the score that could still be reached after it.

    FILE:K takes the first K turns alone, and FILE#2 the second answer of a file.

    Ctrl-C ends with the turns analysed so far, which are the last ones of the game, and exit code 130.
    """
    from dataclasses import replace

    from solver.model.puzzle import load_puzzle
    from solver.model.solution import Solution
    from solver.report.analysis import analysis_json, analysis_page, analysis_text
    from solver.report.pages import write_report
    from solver.show.steps import make_game
    from solver.solving.analysis import DEEP_WIDTH, WIDTH
    from solver.solving.analysis import analyse as analyse_game
    from solver.solving.warmup import warm_up
    from verify import judge

    form = chosen_form(form, output)
    if form not in _FORMS_OF_ANALYSES:
        raise click.UsageError(f"-o {output}: an analysis is text, json or html: expected another name, or --format")
    check_form(form, several=False)
    game = OpenedGame.of(file)
    problem = read_problem(game.puzzle(load_puzzle(puzzle, words), ("--puzzle", "--words"), say))
    solution = Solution(game.turns(problem))
    verdict = replace(judge(solution.text(), problem.rules), file=game.file)
    check_report(output, form, [verdict], problem.rules, force=force)
    warm_up(say)
    with run_maker(threads) as (_bar, new_run):
        run = new_run()
        analysis = analyse_game(problem, solution, run, DEEP_WIDTH if deep else WIDTH)
    if form == "html":
        text = analysis_page(analysis, make_game(verdict, problem.rules))
    else:
        text = analysis_json(analysis, problem.puzzle.name) if form == JSON else analysis_text(analysis, game.file)
    write_report(output, text)
    return INTERRUPTED if run.interrupted else 0


class _Referee(click.Command):
    """Leaves the options to the referee's own parser."""

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        return options.complete_referee(ctx, self.params[0], incomplete)


@click.command(
    cls=_Referee,
    context_settings={"ignore_unknown_options": True, "allow_extra_args": True, "help_option_names": []},
    add_help_option=False,
)
@click.argument(
    "arguments",
    nargs=-1,
    type=click.UNPROCESSED,
    metavar="[FILE...|-] [--puzzle P] [--words FILE] [--json]",
    shell_complete=options.complete_referee,
)
def verify(arguments: tuple[str, ...]) -> int:
    """Judge answers and games, and name every fault."""
    from verify.cli import main

    return main([*arguments, *(["--quiet"] if is_quiet() else [])], program="rowdraw verify")
