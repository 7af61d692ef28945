"""What leaves are worth, learnt from games of the bot against itself.

After each move of a game, the tiles that it leaves are the cause, and the points of the same player's next move + the worth of
its leave, by what is known so far, the effect. A ridge regression divides the effects among the tiles, copy by copy, and pairs
of tiles. Rounds are repeated with what was learnt: see Sheppard, "World-championship-caliber Scrabble" (2002), on rack
evaluation.
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
_PULL = 30.0  # so many leaves' weight draws each worth to 0
_FEWEST_IN_BAG = 7  # with fewer the end of the game decides
_BLOCK = 10_000  # samples
_FIRST_SEED = 1_000_000  # of games to learn from; others are for measuring


@dataclass(frozen=True)
class Sample:
    """leave: tiles after a move; brought: points of the next move + what its leave is worth, in points."""

    leave: str
    brought: float


def played_game(setup: Setup, bots: tuple[Bot, ...]) -> TableGame:
    """A game of bots to its end; each of them has the place of its turn."""
    game = TableGame(setup)
    turn = dict(zip(setup.nicks, bots, strict=True))
    while not game.ending():
        game.take(turn[game.on_turn].move(game))
    for event in game.ending():
        game.take(event)
    return game


def setup_of(tiles: TileSet, lexicon: str, seed: int) -> Setup:
    """A game of two bots."""
    return Setup((Player("bot1", "Bot 1"), Player("bot2", "Bot 2")), tiles, lexicon, seed)


def samples_of(setup: Setup, bot: Bot) -> Iterator[Sample]:
    """What the leaves of a game of `bot` against itself brought."""
    game, left = TableGame(setup), dict[str, str]()
    while not game.ending():
        nick, rack, in_bag = game.on_turn, game.rack, len(game.bag)
        event = bot.move(game)
        kept = leave_of(event, rack, setup.tiles)
        if nick in left:
            yield Sample(left.pop(nick), event.score + (bot.worth(kept) if in_bag else 0.0))
        game.take(event)
        if len(game.bag) >= _FEWEST_IN_BAG:
            left[nick] = kept


def leave_of(event: Event, rack: str, tiles: TileSet) -> str:
    """The tiles that a move leaves of a rack."""
    played = tiles.split(event.tiles)
    used = [tiles.tile_of(tile) for tile in played if tile != THROUGH] if event.kind is Kind.PLAY else played
    return "".join((Counter(rack) - Counter(used)).elements())


def learnt(samples: Sequence[Sample], words: PlayableWords) -> Leaves:
    """The worths that explain the samples best."""
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
        there = columns[0]
        both = np.stack([there[:, one] & there[:, other] for one, other in pairs], axis=1)
        matrix = np.concatenate([*columns, both, np.ones((len(block), 1), dtype=np.bool_)], axis=1).astype(np.float64)
        products += matrix.T @ matrix
        effects += matrix.T @ brought[first : first + _BLOCK]
    pull = np.full(features + 1, _PULL)
    pull[-1] = 0  # what a move brings whatever is kept is free
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
    """What `rounds` of so many games teach; progress: told the round and what is known after it."""
    leaves: Leaves | None = None
    for number in range(rounds):
        bot = Bot(words, tiles, is_word, leaves)
        seeds = range(_FIRST_SEED + number * games, _FIRST_SEED + (number + 1) * games)
        leaves = learnt([sample for seed in seeds for sample in samples_of(setup_of(tiles, lexicon, seed), bot)], words)
        progress(number + 1, leaves)
    assert leaves is not None
    return leaves
