"""`rowdraw lab learn`: the prices of tiles, learnt from good games."""

from pathlib import Path

import click

from solver.commands.running import INTERRUPTED, command_ending, journal_option, say, threads_option


@click.command()
@click.option("--rows", type=click.IntRange(2, 8_999), default=180, show_default=True, help="How many rows to learn from.")
@click.option("--racks", type=click.IntRange(1), default=800_000, show_default=True, metavar="N", help="Racks for each search.")
@threads_option
@journal_option("Games, table and positions; games that are there are not searched again.")
@click.option("--again", is_flag=True, help="Search also the rows in the journal, under today's prices.")
def learn(rows: int, racks: int, threads: int | None, output: Path, again: bool) -> int:
    """Learn prices of tiles from good games.

    It searches random rows of the challenge's tiles, and prints prices under which narrow beams keep the games found. It
    takes a quarter of an hour. In a clone the positions that it prints may replace data/letter-positions.toml.
    """
    from solver.commands.progress import Bar
    from solver.files import replace_file
    from solver.index.problem import Problem
    from solver.lab.learn import find_games, learn_from, table
    from solver.model.puzzle import load_puzzle
    from solver.search.beam_prices import positions_toml
    from solver.search.run import Run, processors
    from solver.solving.warmup import warm_up

    warm_up(say)
    puzzle = load_puzzle("challenge")
    games = []
    ending = command_ending()
    with Bar() as bar:

        def new_run(budget: int | None) -> Run:
            return ending.of(Run(threads=threads or processors(), rack_budget=budget, watch=bar))

        for game in find_games(puzzle, rows, output, lambda: new_run(racks), again):
            games.append(game)
            bar.say(f"shuffled-{game.seed} {game.score}")
        lesson = learn_from(puzzle, games, output, lambda: new_run(None), say) if len(games) == rows else None
    if lesson is None:
        return INTERRUPTED
    positions = positions_toml(Problem.of(puzzle), lesson.prices)
    replace_file(output / "table.md", text := table(lesson.games))
    replace_file(output / "letter-positions.toml", positions)
    click.echo(f"{text}\n{positions}", nl=False)
    return 0
