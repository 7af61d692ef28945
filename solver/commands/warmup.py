"""`rowdraw warmup`: makes everything that is made only once."""

import click


@click.command()
def warmup() -> None:
    """Compile everything, so that later commands need not wait.

    It compiles all kernels and builds the indexes of the challenge.
    """
    from solver.index.problem import Problem
    from solver.model.puzzle import load_puzzle
    from solver.solving.compile_all import STEPS
    from solver.solving.warmup import warm_up

    warm_up(click.echo)
    steps = {**STEPS, "Scrabble": _load_board}
    for number, (name, load) in enumerate(steps.items(), start=1):
        click.echo(f"kernels, {number} of {len(steps)}: {name}")
        load()
    problem = Problem.of(load_puzzle("challenge"))
    click.echo(f"signatures: {len(problem.signatures.mask):,} nodes")
    click.echo(f"closed index: {len(problem.closed.packed):,} plays")


def _load_board() -> None:
    """Run every kernel of the Scrabble table once, and build its list of words."""
    from solver.scrabble.bot import Bot
    from solver.scrabble.game import TableGame
    from solver.scrabble.graph import words_of
    from solver.scrabble.learning import setup_of
    from solver.scrabble.leaves import bundled_leaves
    from verify.scrabble.tiles import tile_set

    tiles, lexicon = tile_set("english"), "enable1"
    bot = Bot(words_of(lexicon, tiles), tiles, lambda _word: True, bundled_leaves(tiles.name))
    bot.move(TableGame(setup_of(tiles, lexicon, 0)))
