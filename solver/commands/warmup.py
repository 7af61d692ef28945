"""`rowdraw warmup`: makes everything that is made only once."""

import click


@click.command()
def warmup() -> None:
    """Compile everything, so that later commands need not.

    It compiles the kernels and builds the indexes of the challenge.
    """
    from solver.index.problem import Problem
    from solver.model.puzzle import load_puzzle
    from solver.solving.warmup import warm_up

    warm_up(lambda message: click.echo(message))
    problem = Problem.of(load_puzzle("challenge"))
    click.echo(f"signatures: {len(problem.signatures.mask):,} nodes")
    click.echo(f"closed index: {len(problem.closed.packed):,} plays")
