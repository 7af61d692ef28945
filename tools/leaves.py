"""Learns the worth of leaves from games of the bot against itself.

Each move gives a sample: the leave, and what it brought, which is the points of the same player's
next move + the current estimate of the worth of its leave. A ridge regression attributes what
leaves brought to their tiles, copy by copy, and to pairs of tiles. Each round plays with the leaves
learnt in the round before, see Sheppard, "World-championship-caliber Scrabble" (2002), on rack
evaluation.
"""

import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import click
import numpy as np

from games import file_of_bots, goes_on, words_and_tiles
from solver.commands import options
from solver.commands.cli import run_command
from solver.commands.running import INTERRUPTED, say
from solver.scrabble.bot import Bot, Leaves, kinds_of
from solver.scrabble.game import TableGame
from solver.scrabble.kernels.board_lines import WordGraph
from solver.scrabble.kernels.board_plays import POINT
from verify.scrabble.gcg import Event, GameFile, Kind
from verify.scrabble.play import THROUGH
from verify.scrabble.tiles import TileSet

_MOST_COPIES = 3
_PULL = 30.0  # the ridge penalty: the weight of this number of samples pulls each worth towards 0
_FEWEST_IN_BAG = 7  # with fewer tiles in the bag the end of the game dominates
_BLOCK = 10_000  # samples added to the equations at a time
_FIRST_SEED = 1_000_000  # of the games to learn from; lower seeds are for measuring


@dataclass(frozen=True)
class Sample:
    """A leave and what it brought.

    Attributes:
        leave: The tiles kept after a move.
        brought: The points of the next move + the worth of its leave, in points.
    """

    leave: str
    brought: float


def samples_of(file: GameFile, bot: Bot) -> Iterator[Sample]:
    """Yield the samples of a game of `bot` against itself."""
    game = TableGame(file)
    left = dict[str, str]()
    while goes_on(game):
        nick, rack, in_bag = game.on_turn, game.rack, len(game.bag)
        event = bot.move(game)
        kept = leave_of(event, rack, game.tiles)
        if nick in left:
            yield Sample(left.pop(nick), event.score + (bot.worth(kept) / POINT if in_bag else 0.0))
        game.take(event)
        if len(game.bag) >= _FEWEST_IN_BAG:
            left[nick] = kept


def leave_of(event: Event, rack: str, tiles: TileSet) -> str:
    """Return the leave of a rack after a move."""
    played = tiles.split(event.tiles)
    used = (
        [tiles.tile_of(tile) for tile in played if tile != THROUGH]
        if event.kind is Kind.PLAY
        else played
    )
    return "".join((Counter(rack) - Counter(used)).elements())


def learnt(samples: Sequence[Sample], tiles: TileSet) -> Leaves:
    """Return the leaves that fit the samples best."""
    kinds = kinds_of(tiles)
    place = {tile: number for number, tile in enumerate(kinds)}
    counts = np.zeros((len(samples), len(kinds)), dtype=np.int64)
    for number, sample in enumerate(samples):
        for tile in sample.leave:
            counts[number, place[tile]] += 1
    pairs = list(combinations(range(len(kinds)), 2))
    features = len(kinds) * _MOST_COPIES + len(pairs)
    products, effects = np.zeros((features + 1, features + 1)), np.zeros(features + 1)
    brought = np.array([sample.brought for sample in samples])
    for first in range(0, len(samples), _BLOCK):
        block = counts[first : first + _BLOCK]
        columns = [block >= copy for copy in range(1, _MOST_COPIES + 1)]
        is_held = columns[0]
        both = np.stack([is_held[:, one] & is_held[:, other] for one, other in pairs], axis=1)
        matrix = np.concatenate(
            [*columns, both, np.ones((len(block), 1), dtype=np.bool_)], axis=1
        ).astype(np.float64)
        products += matrix.T @ matrix
        effects += matrix.T @ brought[first : first + _BLOCK]
    pull = np.full(features + 1, _PULL)
    pull[-1] = 0  # the intercept, what a move brings with any leave, is not penalised
    worth = np.linalg.solve(products + np.diag(pull), effects)
    copies = worth[: len(kinds) * _MOST_COPIES].reshape(_MOST_COPIES, len(kinds)).cumsum(axis=0)
    return Leaves(
        {tile: tuple(copies[:, number].tolist()) for tile, number in place.items()},
        {
            (kinds[one], kinds[other]): float(worth[len(kinds) * _MOST_COPIES + at])
            for at, (one, other) in enumerate(pairs)
        },
    )


def learn_leaves(
    words: WordGraph,
    tiles: TileSet,
    lexicon: str,
    is_word: Callable[[str], bool],
    games: int,
    rounds: int,
    progress: Callable[[int, Leaves], None],
) -> Leaves:
    """Return the leaves learnt in `rounds` rounds of `games` games each.

    Args:
        words: The words to make plays from.
        tiles: The tile set.
        lexicon: The name of the word list.
        is_word: Returns whether a word is valid.
        games: The number of games of each round.
        rounds: The number of rounds, at least 1.
        progress: Takes the number of rounds done and the leaves learnt so far.
    """
    leaves: Leaves | None = None
    for number in range(rounds):
        bot = Bot(words, tiles, is_word, leaves)
        seeds = range(_FIRST_SEED + number * games, _FIRST_SEED + (number + 1) * games)
        leaves = learnt(
            [
                sample
                for seed in seeds
                for sample in samples_of(file_of_bots(tiles, lexicon, seed), bot)
            ],
            tiles,
        )
        progress(number + 1, leaves)
    assert leaves is not None
    return leaves


def leaves_text(leaves: Leaves, remark: str) -> str:
    """Return the text of a file of leaves, as `bundled_leaves` reads it."""
    lines = [*(f"# {line}" for line in remark.splitlines()), "", "[copies]"]
    lines += [
        f'"{tile}" = [{", ".join(f"{worth:.2f}" for worth in worths)}]'
        for tile, worths in leaves.copies.items()
    ]
    lines += [
        "",
        "[pairs]",
        *(f'"{one} {other}" = {worth:.2f}' for (one, other), worth in leaves.pairs.items()),
    ]
    return "\n".join(lines) + "\n"


@click.command()
@options.tiles(default="english", show_default=True, help="A bundled tile set.")
@options.lexicon(default="enable1", show_default=True, help="enable1, bin or a file.")
@click.option(
    "--games", type=click.IntRange(1), default=4_000, show_default=True, help="Games of each round."
)
@click.option(
    "--rounds",
    type=click.IntRange(1),
    default=3,
    show_default=True,
    help="Each plays by what was learnt before.",
)
def leaves(tiles: str, words: str, games: int, rounds: int) -> int:
    """Print what tiles kept on a rack are worth.

    The worths are learnt from games that the bot plays against itself. It takes half an hour. In a
    clone the worths that it prints may replace data/leaves/english.toml. Ctrl-C prints what the
    rounds so far taught.
    """
    playable, tile_set, is_word = words_and_tiles(words, tiles)
    learnt: list[Leaves] = []

    def keep(number: int, found: Leaves) -> None:
        learnt.append(found)
        say(f"round {number} of {rounds} is learnt")

    interrupted = False
    try:
        learn_leaves(playable, tile_set, words, is_word, games, rounds, keep)
    except KeyboardInterrupt:
        interrupted = True
    if learnt:
        remark = (
            f"What tiles kept on a rack are worth with {tiles} tiles and the words of {words}, "
            f"in points.\n{len(learnt)} rounds of {games:,} games."
        )
        click.echo(leaves_text(learnt[-1], remark), nl=False)
    return INTERRUPTED if interrupted else 0


if __name__ == "__main__":
    run_command(leaves, sys.argv[0], sys.argv[1:])
