"""`rowdraw puzzle`, `records` and `hunt`: the bundled puzzles, the record book, and the search for better entries."""

from pathlib import Path

import click

from solver.commands import options
from solver.commands.options import FOLDER, Seconds
from solver.commands.running import INTERRUPTED, run_maker, say, say_left_out


@click.group()
def puzzle() -> None:
    """List puzzles, or make new ones."""


@puzzle.command("list")
def list_puzzles() -> None:
    """Print the names of the bundled puzzles."""
    from solver.model.puzzle import bundled_puzzles

    for name in bundled_puzzles():
        click.echo(name)


@puzzle.command()
@click.option("--seed", type=click.IntRange(0), required=True, help="Decides the order of the tiles.")
@options.named_puzzle("--of", "Use its tiles.")
def shuffle(seed: int, of: str) -> None:
    """Print a puzzle with another one's tiles in random order."""
    from solver.model.puzzle import load_puzzle, puzzle_toml

    click.echo(puzzle_toml(load_puzzle(of).shuffled(seed)), nl=False)


@click.command()
@click.argument("results", default=Path("results"), type=FOLDER)
@click.option("--toml", "as_toml", is_flag=True, help="Scores and bounds of the bundled puzzles alone, as TOML.")
def records(results: Path, as_toml: bool) -> None:
    """Print the record book in the folder RESULTS as Markdown."""
    from solver.lab.records import book, book_toml

    click.echo(book_toml(results) if as_toml else book(results), nl=False)


@click.command()
@click.argument("puzzles", nargs=-1, shell_complete=options.complete_puzzle)
@click.option("--time", "seconds", type=Seconds(0, min_open=True), required=True, metavar="SECONDS", help="For the whole hunt.")
@click.option("--results", type=FOLDER, default=Path("results"), show_default=True, help="The record book.")
@click.option("--resume", is_flag=True, help="Go on with the rounds of an earlier hunt, even if it was killed.")
@click.option("--seed", type=click.IntRange(0, 2**31 - 1), default=0, show_default=True, help="Decides how the rounds differ.")
@options.strategy("Run this in every round, a program for one, each with a seed of its own.")
@options.list_strategies
@options.words
@options.threads
def hunt(
    puzzles: tuple[str, ...],
    seconds: float,
    results: Path,
    resume: bool,
    seed: int,
    strategy: str | None,
    words: Path | None,
    threads: int | None,
) -> int:
    """Search for answers better than those on file.

    It searches the PUZZLES (challenge) by turns, in rounds of less than a minute. Ctrl-C ends the hunt; every record found
    so far is on file.
    """
    from solver.index.problem import Problem
    from solver.lab.hunt import Hunt
    from solver.lab.known import BOOK, known_of
    from solver.model.puzzle import load_puzzle
    from solver.search.run import Run
    from solver.solving.strategies import make_strategy
    from solver.solving.warmup import warm_up

    problems = [Problem.of(load_puzzle(puzzle, words)) for puzzle in puzzles or ("challenge",)]
    say_left_out(*(problem.lexicon for problem in problems))
    chosen = None if strategy is None else make_strategy(strategy)
    for problem in problems:
        if book := known_of(problem).summary:
            say(f"{BOOK}, {problem.puzzle.name}: {book}")
    warm_up(say)
    with run_maker(threads) as (bar, new_run):

        def limited_run(limit: float) -> Run:
            return new_run(seconds=limit, say=bar.say)

        done = Hunt(problems, results, seed, bar.tell, chosen).go(seconds, limited_run, resume)
    return 0 if done else INTERRUPTED
