"""Measures the bot and the search for all plays, in CPU time, so that other work on the machine counts little."""

import time
from collections.abc import Callable
from statistics import mean

from solver.lab.bench import Timing
from solver.scrabble.bot import Bot
from solver.scrabble.game import TableGame
from solver.scrabble.graph import words_of
from solver.scrabble.learning import setup_of
from solver.scrabble.leaves import bundled_leaves, kinds_of
from solver.scrabble.legal_plays import PlayGenerator
from verify.scrabble.board import standard_board
from verify.scrabble.lexicons import game_words
from verify.scrabble.tiles import BLANK, tile_set

_GAMES = 10
_MOST = 1 << 17  # more plays than any position has
_MOVE_BAR, _PLAYS_BAR = 5, 50  # milliseconds


def scrabble_timings(say: Callable[[str], None]) -> list[Timing]:
    """Return the time of a move of the bot, and of all plays of racks with no, one and two blanks, in games of the bot."""
    say(f"{_GAMES} games of the Scrabble bot")
    tiles, lexicon = tile_set("english"), "enable1"
    words, leaves = words_of(lexicon, tiles), bundled_leaves(tiles.name)
    bot = Bot(words, tiles, game_words(lexicon).is_word or (lambda _word: True), leaves)
    generator = PlayGenerator(words, tiles, standard_board())
    worth = None if leaves is None else leaves.worth(kinds_of(words.tiles))
    moves = list[float]()
    searches: dict[int, list[float]] = {0: [], 1: [], 2: []}
    bot.move(TableGame(setup_of(tiles, lexicon, 0)))  # compiles the kernels
    for seed in range(_GAMES):
        game = TableGame(setup_of(tiles, lexicon, seed))
        while not game.is_over:
            started = time.process_time()
            event = bot.move(game)
            moves.append(time.process_time() - started)
            letters = game.rack.replace(BLANK, "")
            for blanks, seconds in searches.items():
                started = time.process_time()
                generator.best(game.grid, letters[: len(game.rack) - blanks] + BLANK * blanks, _MOST, worth)
                seconds.append(time.process_time() - started)
            game.take(event)
    rows = [_row("a move of the Scrabble bot, mean", 1000 * mean(moves), _MOVE_BAR)]
    for blanks, seconds in searches.items():
        rows.append(_row(f"all plays of a Scrabble rack, blanks: {blanks}, slowest", 1000 * max(seconds), _PLAYS_BAR))
    return rows


def _row(what: str, milliseconds: float, bar: int) -> Timing:
    return Timing(what, f"{milliseconds:.1f} ms", f"{bar} ms", milliseconds > bar)
