"""`rowdraw analyse`: what every turn of a game lost."""

from pathlib import Path

import click

from solver.commands.completion import complete_file, complete_puzzle
from solver.commands.forms import JSON, TEXT, check_form, check_report, chosen_form, force_option
from solver.commands.running import FILE, INTERRUPTED, command_ending, read_problem, say, threads_option, words_option
from solver.solving.opened import OpenedGame

_FORMS = (TEXT, JSON, "html")


@click.command()
@click.argument("file", metavar="FILE[#N][:K]", shell_complete=complete_file)
@click.option(
    "--puzzle",
    default="challenge",
    show_default=True,
    metavar="P",
    shell_complete=complete_puzzle,
    help="The puzzle of a game that names none.",
)
@words_option
@click.option("--deep", is_flag=True, help="Beams of 20,000 states instead of 2,000: some minutes instead of seconds.")
@click.option("--format", "form", type=click.Choice(_FORMS), help="What to print; a page shows a curve, too.")
@click.option("-o", "--output", type=FILE, metavar="FILE", help="Write there.")
@force_option
@threads_option
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

    Ctrl-C ends with the turns that were analysed, the last ones, and exit code 130.
    """
    from dataclasses import replace

    from solver.commands.progress import Bar
    from solver.model.puzzle import load_puzzle
    from solver.model.solution import Solution
    from solver.report.analysis import analysis_json, analysis_page, analysis_text
    from solver.report.pages import write_report
    from solver.search.run import Run, processors
    from solver.show.steps import make_game
    from solver.solving.analysis import DEEP_WIDTH, WIDTH
    from solver.solving.analysis import analyse as analyse_game
    from solver.solving.warmup import warm_up
    from verify import judge

    form = chosen_form(form, output)
    if form not in _FORMS:
        raise click.UsageError(f"-o {output}: an analysis is text, json or html: expected another name, or --format")
    check_form(form, several=False)
    game = OpenedGame.of(file)
    problem = read_problem(game.puzzle(load_puzzle(puzzle, words), ("--puzzle", "--words"), say))
    solution = Solution(game.turns(problem))
    verdict = replace(judge(solution.text(), problem.rules), file=game.file)
    check_report(output, form, [verdict], problem.rules, force=force)
    warm_up(say)
    ending = command_ending()
    with Bar() as bar:
        run = ending.of(Run(threads=threads or processors(), watch=bar))
        analysis = analyse_game(problem, solution, run, DEEP_WIDTH if deep else WIDTH)
    if form == "html":
        text = analysis_page(analysis, make_game(verdict, problem.rules))
    else:
        text = analysis_json(analysis, problem.puzzle.name) if form == JSON else analysis_text(analysis, game.file)
    write_report(output, text)
    return INTERRUPTED if ending.was_signalled else 0
