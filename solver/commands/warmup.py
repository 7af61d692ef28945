"""`rowdraw warmup`: all that is made only once, made now."""

import click


@click.command()
def warmup() -> None:
    """Compile the kernels and build the indexes of the challenge, so that nothing waits for them later."""
    from solver.index.problem import Problem
    from solver.model.puzzle import load_puzzle
    from solver.solving.warmup import warm_up

    warm_up(lambda message: click.echo(message))
    problem = Problem.of(load_puzzle("challenge"))
    click.echo(f"signatures: {len(problem.signatures.mask):,} nodes")
    click.echo(f"closed index: {len(problem.closed.packed):,} plays")
