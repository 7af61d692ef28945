"""Learns the worth of leaves from games of the bot against itself.

Each move gives a sample: the leave, and what it brought, which is the points of the same player's next move + the current
estimate of the worth of its leave. A ridge regression attributes what leaves brought to their tiles, copy by copy, and to pairs
of tiles. Each round plays with the leaves learnt in the round before, see Sheppard, "World-championship-caliber Scrabble"
(2002), on rack evaluation.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from solver.scrabble.bot import Bot
from solver.scrabble.game import Setup, TableGame
from solver.scrabble.graph import PlayableWords
from solver.scrabble.leaves import Leaves, kinds_of
from verify.scrabble.gcg import Event, Kind, Player
from verify.scrabble.play import THROUGH
from verify.scrabble.tiles import TileSet

_MOST_COPIES = 3
_PULL = 30.0  # the ridge penalty: the weight of this number of samples pulls each worth towards 0
_FEWEST_IN_BAG = 7  # with fewer tiles in the bag the end of the game dominates
_BLOCK = 10_000  # samples added to the equations at a time
_MOST_SCORELESS = 20  # turns without a point, after which bots stop a game that no rule ends: the board is empty
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


def played_game(setup: Setup, bots: tuple[Bot, ...]) -> TableGame:
    """Return a game of bots, which are given in the order of their turns. It is finished unless no bot ever finds a play."""
    game = TableGame(setup)
    turn = dict(zip(setup.nicks, bots, strict=True))
    while _goes_on(game):
        game.take(turn[game.on_turn].move(game))
    for event in game.ending():
        game.take(event)
    return game


def _goes_on(game: TableGame) -> bool:
    return not game.ending() and game.scoreless < _MOST_SCORELESS


def setup_of(tiles: TileSet, lexicon: str, seed: int) -> Setup:
    """Return the setup of a game of two bots."""
    return Setup((Player("bot1", "Bot 1"), Player("bot2", "Bot 2")), tiles, lexicon, seed)


def samples_of(setup: Setup, bot: Bot) -> Iterator[Sample]:
    """Yield the samples of a game of `bot` against itself."""
    game, left = TableGame(setup), dict[str, str]()
    while _goes_on(game):
        nick, rack, in_bag = game.on_turn, game.rack, len(game.bag)
        event = bot.move(game)
        kept = leave_of(event, rack, setup.tiles)
        if nick in left:
            yield Sample(left.pop(nick), event.score + (bot.worth(kept) if in_bag else 0.0))
        game.take(event)
        if len(game.bag) >= _FEWEST_IN_BAG:
            left[nick] = kept


def leave_of(event: Event, rack: str, tiles: TileSet) -> str:
    """Return the leave of a rack after a move."""
    played = tiles.split(event.tiles)
    used = [tiles.tile_of(tile) for tile in played if tile != THROUGH] if event.kind is Kind.PLAY else played
    return "".join((Counter(rack) - Counter(used)).elements())


def learnt(samples: Sequence[Sample], words: PlayableWords) -> Leaves:
    """Return the leaves that fit the samples best."""
    kinds = kinds_of(words.tiles)
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
        matrix = np.concatenate([*columns, both, np.ones((len(block), 1), dtype=np.bool_)], axis=1).astype(np.float64)
        products += matrix.T @ matrix
        effects += matrix.T @ brought[first : first + _BLOCK]
    pull = np.full(features + 1, _PULL)
    pull[-1] = 0  # the intercept, what a move brings with any leave, is not penalised
    worth = np.linalg.solve(products + np.diag(pull), effects)
    copies = worth[: len(kinds) * _MOST_COPIES].reshape(_MOST_COPIES, len(kinds)).cumsum(axis=0)
    return Leaves(
        {tile: tuple(copies[:, number].tolist()) for tile, number in place.items()},
        {(kinds[one], kinds[other]): float(worth[len(kinds) * _MOST_COPIES + at]) for at, (one, other) in enumerate(pairs)},
    )


def learn_leaves(
    words: PlayableWords,
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
        leaves = learnt([sample for seed in seeds for sample in samples_of(setup_of(tiles, lexicon, seed), bot)], words)
        progress(number + 1, leaves)
    assert leaves is not None
    return leaves
