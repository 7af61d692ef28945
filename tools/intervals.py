"""How often the interval of a comparison covers the true mean difference, by simulation."""

import sys
from collections.abc import Callable
from dataclasses import dataclass

import click
import numpy as np
import numpy.typing as npt

from solver.commands.cli import run_command
from solver.lab.compare.statistics import SignFlips, interval
from solver.lab.compare.tables import Column, markdown, table_of

SIZES = (5, 10, 20)  # puzzles
SAMPLES = 1000
_MOSTLY_ZERO = 0.3  # the share of the differences that are not 0
_ROUNDING = 1e-9  # points


@dataclass(frozen=True)
class Case:
    """A distribution of differences, with a function that draws a number of them."""

    name: str
    draw: Callable[[np.random.Generator, int], npt.NDArray[np.float64]]
    mean: float


def _mostly_zero(rng: np.random.Generator, count: int) -> npt.NDArray[np.float64]:
    losses = rng.integers(1, 9, count).astype(np.float64)
    return np.where(rng.random(count) < _MOSTLY_ZERO, -losses, 0.0)


CASES = (
    Case("normal", lambda rng, count: rng.normal(0.0, 1.0, count), 0.0),
    Case("exponential", lambda rng, count: rng.exponential(1.0, count), 1.0),
    Case("log-normal", lambda rng, count: rng.lognormal(0.0, 1.0, count), float(np.exp(0.5))),
    Case(f"{1 - _MOSTLY_ZERO:.0%} 0, the rest −1 to −8", _mostly_zero, -4.5 * _MOSTLY_ZERO),
)
"""Differences that are symmetric, skewed, very skewed, and mostly 0."""


def coverage(case: Case, count: int) -> tuple[float, float]:
    """Return two shares of samples of `count` differences.

    They are those that get an interval, and those whose interval misses the mean.
    """
    rng = np.random.default_rng(count)
    given = missed = 0
    for _ in range(SAMPLES):
        sample = case.draw(rng, count).tolist()
        found = interval(SignFlips.of(sample), 1)
        if found is not None:
            given += 1
            missed += not found[0] - _ROUNDING <= case.mean <= found[1] + _ROUNDING
    return given / SAMPLES, missed / SAMPLES


def coverage_table(sizes: tuple[int, ...] = SIZES) -> str:
    """Return a Markdown table: the share of intervals that cover the mean, by case and size."""
    rows = []
    for case in CASES:
        found = [coverage(case, count) for count in sizes]
        rows.append((case.name, *(_cell(given, missed) for given, missed in found)))
    return markdown(
        table_of((Column("differences"), *(Column(f"{count} puzzles") for count in sizes)), rows)
    )


def _cell(given: float, missed: float) -> str:
    if not given:
        return "no interval"
    share = f"{1 - missed / given:.1%}"
    return share if given == 1 else f"{share} ({given:.1%} have one)"


@click.command()
def intervals() -> None:
    """Measure how often intervals cover the true mean.

    It prints a Markdown table, the same at every call, which takes a minute or two.
    """
    click.echo(coverage_table(), nl=False)


if __name__ == "__main__":
    run_command(intervals, sys.argv[0], sys.argv[1:])
