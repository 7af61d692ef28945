"""Print the figures of the page *How it was solved*, as JSON.

They are a bound that falls, and a beam at work on ten tiles.
"""

import json
import re
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import NamedTuple

import click

from solver.commands.cli import run_command
from solver.commands.options import Seconds
from solver.library import upper_bound
from solver.model.puzzle import CHALLENGE, load_puzzle
from solver.search.run import Progress, Run

ROW, RACK, WIDTH = "jaz?tinoer", 4, 3
_SHOWN = 4  # games of a layer, the last one dropped
_BOUND = re.compile(r"bound ([\d.]+)")


class State(NamedTuple):
    """A place in a game: the tiles drawn from the left, and the tiles held.

    The tiles played are the same in a layer.
    """

    left: int
    held: str


class Line(NamedTuple):
    """The best game that reaches a state; its words have capital letters for blanks."""

    points: int
    words: tuple[str, ...]


Layer = dict[State, Line]


def falling(seconds: float) -> list[tuple[int, int]]:
    """Return the lowest bound of the challenge each time it fell by a point: (seconds, points)."""
    found: list[tuple[int, int]] = []

    def watch(run: Run, progress: Progress) -> None:
        shown = _BOUND.search(progress.note)
        if shown and (not found or int(float(shown[1])) < found[-1][1]):
            found.append((round(run.elapsed), int(float(shown[1]))))

    last = upper_bound(CHALLENGE, seconds=seconds, progress=watch)
    return [*found, (round(last.seconds), int(last.points))]


def beam(row: str, width: int) -> list[list[Line]]:
    """Return the layers of a beam, by the number of tiles played.

    A layer has all games reached, best first, of which the beam kept `width`.
    """
    puzzle = load_puzzle(CHALLENGE)
    words = [word for word in puzzle.word_list.words if len(word) <= RACK]
    layers: list[Layer] = [{} for _played in range(len(row) + 1)]
    layers[0][State(0, "")] = Line(0, ())
    for played, layer in enumerate(layers):
        for state, line in sorted(layer.items(), key=lambda found: -found[1].points)[:width]:
            for after, word in _turns(row, played, state, words):
                points = sum(
                    place * puzzle.values[letter]
                    for place, letter in enumerate(word, start=1)
                    if letter.islower()
                )
                longer = Line(line.points + points, (*line.words, word))
                reached = layers[played + len(word)]
                reached[after] = max(
                    longer, reached.get(after, longer), key=lambda found: found.points
                )
    return [sorted(layer.values(), key=lambda found: -found.points) for layer in layers]


def _turns(row: str, played: int, state: State, words: list[str]) -> Iterator[tuple[State, str]]:
    """Yield the state after each turn, and its word."""
    rest = row[state.left : len(row) - (played + len(state.held) - state.left)]
    wanted = min(RACK - len(state.held), len(rest))
    for taken in range(wanted + 1):
        rack = Counter(state.held + rest[:taken] + rest[len(rest) - wanted + taken :])
        for word in words:
            laid = _laid(word, rack)
            if laid:
                left = rack - Counter("?" if letter.isupper() else letter for letter in laid)
                yield State(state.left + taken, "".join(sorted(left.elements()))), laid


def _laid(word: str, rack: Mapping[str, int]) -> str:
    """Return a word with capital letters for blanks, at the earliest places.

    Empty if the rack does not hold it.
    """
    missing = Counter(word) - Counter(rack)
    if missing.total() > rack["?"]:
        return ""
    laid = ""
    for letter in word:
        laid += letter.upper() if missing[letter] else letter
        missing -= Counter(letter)
    return laid


@click.command(help=__doc__)
@click.option(
    "--seconds", type=Seconds(0), default=600.0, show_default=True, help="The time for the bound."
)
def main(seconds: float) -> None:
    """Print the figures."""
    layers = beam(ROW, WIDTH)
    figures = {
        "row": ROW,
        "rack": RACK,
        "width": WIDTH,
        "layers": [{"games": len(layer), "first": layer[:_SHOWN]} for layer in layers],
        "best": max(line.points for layer in beam(ROW, 10**9) for line in layer),
        "bounds": falling(seconds),
    }
    click.echo(json.dumps(figures))


if __name__ == "__main__":
    run_command(main, sys.argv[0], sys.argv[1:])
