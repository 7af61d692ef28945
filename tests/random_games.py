"""Players at a table: the bot, and some who lay down any letters, so that only rules matter."""

from functools import cache
from random import Random

from solver.errors import TableError
from solver.scrabble.bot import Bot, bundled_leaves
from solver.scrabble.game import TableGame, new_file, play_of
from solver.scrabble.graph import listed_words, words_of
from verify.scrabble.gcg import Event, GameFile, Player
from verify.scrabble.tiles import tile_set, written

_TRIES = 200


def begun(
    seed: int = 0, players: int = 2, tiles: str = "english", rules: str = "", bot: str = ""
) -> GameFile:
    """The file of a new game."""
    named = [Player(f"p{i}", f"Player {i}") for i in range(1, players + 1)]
    words = {"english": "enable1"}.get(tiles, "none")
    return new_file(named, tile_set(tiles), words, seed, rules, bot)


@cache
def player(looks_at_leaves: bool = True) -> Bot:
    """Return a bot that knows the words of a whole English game."""
    tiles = tile_set("english")
    leaves = bundled_leaves(tiles) if looks_at_leaves else None
    return Bot(words_of("enable1", tiles), tiles, listed_words("enable1").__contains__, leaves)


def random_game(file: GameFile, turns: int = 200) -> TableGame:
    """A game of at most `turns` turns, which is finished if the rules allow it by then."""
    game = TableGame(file)
    rng = Random(game.seed)
    # from here on all pass, so that many games end without going out
    passing = rng.randint(3, 3 * turns)
    for turn in range(turns):
        if game.is_over or game.can_end:
            break
        choice = 1.0 if turn >= passing else rng.random()
        if choice < 0.1 and game.last_play is not None:
            event = game.challenge(lambda _word, good=choice < 0.05: good)[0]  # type: ignore[misc]
        elif choice < 0.2 and len(game.bag) >= game.tiles.exchange:
            rack = game.tiles.split(game.rack)
            number = rng.randint(1, min(len(rack), len(game.bag)))
            event = game.exchange(written(rng.sample(rack, number)))
        else:
            event = random_play(game, rng) if choice < 0.95 else game.pass_turn()
        game.take(event)
    for event in game.ending():
        game.take(event)
    return game


def random_play(game: TableGame, rng: Random) -> Event:
    """A play of random tiles near the others; a pass if none is found."""
    for _ in range(_TRIES):
        square = rng.choice(sorted(game.grid)) if game.grid else game.board.centre
        across = rng.random() < 0.5
        square = square.next(across, -rng.randint(0, 3)).next(
            not across, rng.randint(-1, 1) if game.grid else 0
        )
        laid = {}
        rack = game.tiles.split(game.rack)
        for tile in rng.sample(rack, rng.randint(1, len(rack))):
            while square in game.grid:
                square = square.next(across)
            laid[square] = rng.choice([*game.tiles.values]).lower() if tile == "?" else tile
            square = square.next(across)
        try:
            return game.play(*play_of(game.grid, laid))
        except TableError:
            continue
    return game.pass_turn()
