"""Lets bots play Scrabble against each other, and measures how much better the first one is."""

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import mean, stdev

import click

from solver.commands import options
from solver.commands.cli import run_command
from solver.commands.options import FOLDER
from solver.commands.running import INTERRUPTED, complain
from solver.errors import RowdrawError
from solver.scrabble.bot import Bot, bundled_leaves
from solver.scrabble.game import TableGame, new_file, table_tiles
from solver.scrabble.graph import words_of
from solver.scrabble.kernels.board_lines import WordGraph
from verify.scrabble.gcg import GameFile, Player, write_gcg
from verify.scrabble.judge import judge_game
from verify.scrabble.lexicons import game_words
from verify.scrabble.tiles import TileSet

# turns without a point, after which bots stop a game that no rule ends: the board is empty
_MOST_SCORELESS = 20


@dataclass
class Match:
    """The games so far.

    Attributes:
        points: The points of the first bot in each game.
        spreads: The points of the first bot minus those of the other one, in each game.
        faulty: The number of games in which the referee found faults.
    """

    points: list[int] = field(default_factory=list)
    spreads: list[int] = field(default_factory=list)
    faulty: int = 0

    def add(self, first: int, second: int, valid: bool) -> None:
        """Add a game with the total of each bot."""
        self.points.append(first)
        self.spreads.append(first - second)
        self.faulty += not valid

    def text(self) -> str:
        """Return the figures, a line each."""
        count = len(self.spreads)
        if count == 0:
            return "no game was played\n"
        error = stdev(self.spreads) / count**0.5 if count > 1 else 0.0
        won = sum((spread > 0) + 0.5 * (spread == 0) for spread in self.spreads) / count
        return (
            f"games   {count:,}, {self.faulty:,} with faults\n"
            f"points  {mean(self.points):.1f} a game\n"
            f"spread  {mean(self.spreads):+.1f} a game, standard error {error:.1f}\n"
            f"won     {won:.1%}\n"
        )


def file_of_bots(
    tiles: TileSet, lexicon: str, seed: int, names: Sequence[str] = ("bot1", "bot2")
) -> GameFile:
    """Return the file of a new game of two bots, whose names are in the order of their turns."""
    return new_file([Player(name, name) for name in names], tiles, lexicon, seed)


def played_game(file: GameFile, bots: tuple[Bot, ...]) -> TableGame:
    """Return a game of bots, which are given in the order of their turns.

    It is finished unless no bot ever finds a play.
    """
    game = TableGame(file)
    turn = dict(zip(game.nicks, bots, strict=True))
    while goes_on(game):
        game.take(turn[game.on_turn].move(game))
    for event in game.ending():
        game.take(event)
    return game


def goes_on(game: TableGame) -> bool:
    """Return whether bots play on."""
    return not game.ending() and game.scoreless < _MOST_SCORELESS


def words_and_tiles(words: str, tiles: str) -> tuple[WordGraph, TileSet, Callable[[str], bool]]:
    """Return the words for bots, the tile set, and the judge of words."""
    tile_set = table_tiles(tiles)
    judge = game_words(words, spelling=tile_set.spelling)
    if judge.is_word is None:
        raise RowdrawError(f"--words {words}: bots need a list of words")
    return words_of(words, tile_set), tile_set, judge.is_word


@click.command()
@options.tiles(default="english", show_default=True, help="A bundled tile set.")
@options.lexicon(default="enable1", show_default=True, help="enable1, bin or a file.")
@click.option(
    "--games", type=click.IntRange(1), default=100, show_default=True, help="How many games."
)
@click.option(
    "--against",
    type=click.Choice(["bot", "points"]),
    default="bot",
    show_default=True,
    help="The opponent: the same bot, or one that looks at points only.",
)
@click.option(
    "--seed",
    type=click.IntRange(0, 2**63 - 1),
    default=0,
    show_default=True,
    metavar="N",
    help="The bag of the first two games; N + 1 for the next two.",
)
@click.option("--save", type=FOLDER, metavar="FOLDER", help="A new folder: keep the games there.")
def games(tiles: str, words: str, games: int, against: str, seed: int, save: Path | None) -> int:
    """Let bots play, and print how much better the first one is.

    The referee judges every game. Two games have the same bag, and each bot begins one of them.
    Exit code 1 if the referee finds a fault.
    """
    playable, tile_set, is_word = words_and_tiles(words, tiles)
    bot = Bot(playable, tile_set, is_word, bundled_leaves(tile_set))
    other = bot if against == "bot" else Bot(playable, tile_set, is_word, None)
    names = ("bot1", "bot2") if against == "bot" else ("bot", against)
    match = Match()
    interrupted = False
    try:
        if save is not None:
            save.mkdir(parents=True)
        for number in range(games):
            step = 1 if number % 2 == 0 else -1
            file = file_of_bots(tile_set, words, seed + number // 2, names[::step])
            game = played_game(file, (bot, other)[::step])
            text = write_gcg(game.file)
            if save is not None:
                (save / f"game-{number:05}.gcg").write_text(text, encoding="utf-8")
            verdict = judge_game(text.encode(), f"game {number}", words=words)
            match.add(game.totals[names[0]], game.totals[names[1]], verdict.valid)
            if not verdict.valid:
                complain(verdict.as_text().rstrip())
    except OSError as error:
        raise RowdrawError(f"{error.filename}: cannot be written ({error.strerror})") from error
    except KeyboardInterrupt:
        interrupted = True
    click.echo(match.text(), nl=False)
    return INTERRUPTED if interrupted else int(match.faulty > 0)


if __name__ == "__main__":
    run_command(games, sys.argv[0], sys.argv[1:])
