"""`rowdraw show`, `analyse` and `verify`: a game, what each turn lost, and its verdict."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from solver.commands import options
from solver.commands.running import Bar, command_ending, is_quiet, read_problem, say
from solver.commands.writing import (
    chosen_form,
    force_option,
    form_option,
    write_report,
)
from solver.errors import RowdrawError
from solver.outputs import Output, best_game
from solver.show.forms import FORMS, JSON, TEXT
from solver.solving.opened import OpenedGame

if TYPE_CHECKING:
    from verify import Rules, Verdict
    from verify.scrabble.judge import GameVerdict


@click.command()
@click.argument("file", metavar="FILE[#N]", shell_complete=options.complete_file)
@click.option(
    "--against",
    metavar="FILE[#N]",
    shell_complete=options.complete_file,
    help="Another game; a page shows it side by side with the first.",
)
@form_option
@options.json_option
@options.output
@options.named_puzzle(
    "--puzzle", help="A bundled puzzle or a puzzle file (what the solution says, else challenge)."
)
@options.lexicon(
    help="Another word list: enable1, or a file; for a Scrabble game also bin or none."
)
@options.tiles(help="For a Scrabble game: its tile set, such as german, or a file of one (.toml).")
@options.rules(help="For a Scrabble game: its rule set, such as wespa, or a file of one (.toml).")
@click.option(
    "--best", "compares", is_flag=True, help="On a Scrabble page: compare each move with the best."
)
@force_option
def show(
    file: str,
    against: str | None,
    form: str | None,
    as_json: bool,
    output: Path | None,
    puzzle: str | None,
    words: str | None,
    tiles: str | None,
    rules: str | None,
    compares: bool,
    force: bool,
) -> int:
    """Show a game turn by turn.

    Of every turn in FILE it shows row, draws, rack, play, word, sum and score. - stands for
    standard input, and FILE#2 for the second answer in a file.

    A Scrabble game (.gcg) is shown as text or, with --format html, as a page.

    An invalid game is also shown, with its faults in place; then the exit code is 1.
    """
    from solver.show.games import game_text, make_game
    from verify.rules import puzzle_digest

    chosen = chosen_form(form, output, as_json=as_json, several=against is not None)
    game = _scrabble_game(file, words, tiles, rules)
    if game is not None:
        expected = f"{file} is a Scrabble game: expected answers to the row game"
        _refuse(expected, against=against, puzzle=puzzle)
        if compares and not FORMS[chosen].is_page:
            raise click.UsageError("--best is for a page: expected --format html with it")
        best = _best_moves(game, words) if compares else {}
        return _show_scrabble(game, chosen, output, best, force=force)
    expected = f"{file} is no Scrabble game: expected one"
    _refuse(expected, tiles=tiles, rules=rules, best=compares or None)
    verdicts = [_judge(name, puzzle, words) for name in (file, against) if name is not None]
    first, last = verdicts[0], verdicts[-1]
    if puzzle_digest(first.rules, "") != puzzle_digest(last.rules, ""):
        raise RowdrawError(
            f"{file} and {against}: games of two puzzles, {first.puzzle} and {last.puzzle}"
        )
    score = _best(verdicts)
    target = _target(output, chosen, first.rules, force=force)
    target.check(score)
    if chosen != TEXT:
        text = FORMS[chosen].write([make_game(verdict) for verdict in verdicts])
    else:
        text = "\n".join(map(game_text, verdicts))
    write_report(target, text, score)
    return 0 if all(verdict.valid for verdict in verdicts) else 1


def _refuse(why: str, **given: object) -> None:
    """Raise `click.UsageError` if an option is given."""
    for name, value in given.items():
        if value is not None:
            raise click.UsageError(f"--{name}: {why} with this option")


def _target(path: Path | None, form: str, rules: "Rules", kind: str = "", *, force: bool) -> Output:
    """Return the file of what is shown of a game; text, which is no answer, replaces none."""
    if form == TEXT:
        return Output(path, force=force)
    return Output(path, FORMS[form], kind, lambda content: best_game(content, rules), force)


def _scrabble_game(
    file: str, words: str | None, tiles: str | None, rules: str | None
) -> "GameVerdict | None":
    """Return the verdict on the Scrabble game in `file`; None if the file holds something else."""
    from solver.scrabble.steps import judged_file

    if not file.lower().endswith(".gcg"):
        return None
    return judged_file(file, tiles=tiles, words=words, rules=rules)


def _best_moves(verdict: "GameVerdict", words: str | None) -> dict[int, str]:
    """Return how each move of a game compares with the best one, see `best_texts`."""
    from solver.scrabble.position import best_texts, bot_for

    return best_texts(verdict, bot_for(verdict, words))


def _show_scrabble(
    verdict: "GameVerdict", form: str, output: Path | None, best: dict[int, str], *, force: bool
) -> int:
    """Write a Scrabble game in a form; return the exit code."""
    from solver.scrabble.screen import gcg_text
    from solver.scrabble.steps import game_steps
    from solver.show.pages import scrabble_page
    from verify.scrabble.gcg import write_gcg

    is_page = FORMS[form].is_page
    if not is_page and form != TEXT:
        raise click.UsageError(f"{verdict.file} is a Scrabble game: it is shown as text or html")
    target = Output(output, FORMS[form], "scrabble", force=force)
    target.check()
    if is_page:
        write_report(target, scrabble_page(game_steps(verdict, best), write_gcg(verdict.game)))
    else:
        write_report(target, gcg_text(verdict))
    return 0 if verdict.valid else 1


def _best(verdicts: "Sequence[Verdict]") -> int:
    """Return the score of the best valid game; 0 if none is valid."""
    return max((verdict.score for verdict in verdicts if verdict.valid), default=0)


def _judge(file: str, puzzle: str | None, words: str | None) -> "Verdict":
    from verify.judging import Judge

    try:
        return Judge(puzzle, words).answer(file)
    except OSError as error:
        raise RowdrawError(
            f"{Path(file)}: the solution cannot be read ({error.strerror})"
        ) from error


@click.command()
@click.argument("file", metavar="FILE[#N][:K]", shell_complete=options.complete_file)
@options.named_puzzle("--puzzle", default="challenge", help="The puzzle of a game that names none.")
@options.words
@click.option(
    "--deep",
    is_flag=True,
    help="Beams of 20,000 states instead of 2,000: some minutes instead of seconds.",
)
@form_option
@options.json_option
@options.output
@force_option
@options.threads
def analyse(
    file: str,
    puzzle: str,
    words: Path | None,
    deep: bool,
    form: str | None,
    as_json: bool,
    output: Path | None,
    force: bool,
    threads: int | None,
) -> int:
    """Say what every turn of a game lost.

    For each turn of the game in FILE (- for standard input) it prints the score that could still be
    reached after it. A page shows a curve, too.

    FILE:K takes the first K turns alone, and FILE#2 the second answer of a file.

    Ctrl-C ends with the turns analysed so far, which are the last ones of the game, and exit code
    130.
    """
    from dataclasses import replace

    from solver.model.puzzle import load_puzzle
    from solver.model.solution import Solution
    from solver.show.games import make_game
    from solver.show.pages import game_page
    from solver.solving.analysis import (
        analyse_game,
        analysis_fields,
        analysis_text,
    )
    from solver.solving.order import Reports
    from verify import judge

    form = chosen_form(form, output, as_json=as_json)
    if form not in (TEXT, JSON) and not FORMS[form].is_page:
        raise click.UsageError(f"an analysis is text, json or html, not {form}")
    game = OpenedGame.of(file)
    problem = read_problem(game.rules(load_puzzle(puzzle, words), say))
    turns = game.turns(problem)
    verdict = replace(judge(Solution(turns).text(), problem.rules), file=game.file)
    target = _target(output, form, problem.rules, "analysis", force=force)
    score = _best([verdict])
    target.check(score)
    with Bar() as bar:
        reports = Reports(bar, bar.say)
        ending = command_ending()
        analysis = analyse_game(problem, turns, ending, reports, threads=threads, deep=deep)
    fields = analysis_fields(analysis, problem.rules.puzzle, game.file)
    if form == TEXT:
        text = analysis_text(analysis, game.file)
    elif form == JSON:
        text = json.dumps(fields, indent=2) + "\n"
    else:
        text = game_page([make_game(verdict)], fields)
    write_report(target, text, score)
    return 0


@click.command(cls=options.Referee)
def verify(arguments: tuple[str, ...]) -> int:
    """Judge answers and games, and name every fault."""
    from verify.cli import main

    return main([*(["--quiet"] if is_quiet() else []), *arguments], program="rowdraw verify")
