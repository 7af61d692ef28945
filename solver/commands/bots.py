"""`rowdraw lab leaves` and `rowdraw lab games`: Scrabble games of bots, to learn from and to measure."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from solver.commands.running import FOLDER, INTERRUPTED, complain, lexicon_option, say, tiles_option

if TYPE_CHECKING:
    from solver.scrabble.graph import PlayableWords
    from solver.scrabble.leaves import Leaves
    from verify.scrabble.tiles import TileSet

_TILES = tiles_option("A bundled tile set.", "english")
_WORDS = lexicon_option("enable1, bin or a file.", "enable1")


@click.command()
@_TILES
@_WORDS
@click.option("--games", type=click.IntRange(1), default=4_000, show_default=True, help="Games of each round.")
@click.option("--rounds", type=click.IntRange(1), default=3, show_default=True, help="Each plays by what was learnt before.")
def leaves(tiles: str, words: str, games: int, rounds: int) -> int:
    """Print what tiles kept on a rack are worth.

    The worths are learnt from games that the bot plays against itself. It takes half an hour. In a clone the worths that it
    prints may replace data/leaves/english.toml. Ctrl-C prints what the rounds so far taught.
    """
    from solver.scrabble.learning import learn_leaves
    from solver.scrabble.leaves import leaves_text

    words_known, chosen, is_word = _at_hand(words, tiles)
    known: list[Leaves] = []

    def learnt(number: int, found: "Leaves") -> None:
        known.append(found)
        say(f"round {number} of {rounds} is learnt")

    interrupted = False
    try:
        learn_leaves(words_known, chosen, words, is_word, games, rounds, learnt)
    except KeyboardInterrupt:
        interrupted = True
    if known:
        remark = f"What tiles kept on a rack are worth with {tiles} tiles and the words of {words}, in points."
        click.echo(leaves_text(known[-1], f"{remark}\n{len(known)} rounds of {games:,} games."), nl=False)
    return INTERRUPTED if interrupted else 0


@click.command()
@_TILES
@_WORDS
@click.option("--games", type=click.IntRange(1), default=100, show_default=True, help="How many games.")
@click.option(
    "--against",
    type=click.Choice(["bot", "points"]),
    default="bot",
    show_default=True,
    help="The opponent: the same bot, or one that looks at points only.",
)
@click.option("--save", type=FOLDER, metavar="FOLDER", help="Keep the games as GCG files.")
def games(tiles: str, words: str, games: int, against: str, save: Path | None) -> int:
    """Let bots play, and print how much better the first one is.

    The referee judges every game. Two games have the same bag, and each bot begins one of them. Exit code 1 if the referee
    finds a fault.
    """
    from solver.errors import RowdrawError
    from solver.files import write_out
    from solver.scrabble.bot import Bot
    from solver.scrabble.learning import played_game, setup_of
    from solver.scrabble.leaves import bundled_leaves
    from solver.scrabble.matches import Match
    from solver.scrabble.store import game_text
    from verify.scrabble.judge import judge_game

    words_known, chosen, is_word = _at_hand(words, tiles)
    bot = Bot(words_known, chosen, is_word, bundled_leaves(chosen.name))
    other = bot if against == "bot" else Bot(words_known, chosen, is_word, None)
    match = Match()
    try:
        if save is not None:
            save.mkdir(parents=True, exist_ok=True)
        for number in range(games):
            begins = number % 2 == 0
            game = played_game(setup_of(chosen, words, number // 2), (bot, other) if begins else (other, bot))
            text = game_text(game)
            if save is not None:
                write_out(save / f"game-{number:05}.gcg", text)
            verdict = judge_game(text.encode(), f"game {number}", words=words)
            match.add(list(game.totals.values()), begins, verdict.valid)
            if not verdict.valid:
                complain(verdict.as_text().rstrip())
    except OSError as error:
        raise RowdrawError(f"{error.filename}: cannot be written ({error.strerror})") from error
    except KeyboardInterrupt:
        click.echo(match.text(), nl=False)
        return INTERRUPTED
    click.echo(match.text(), nl=False)
    return 1 if match.faulty else 0


def _at_hand(words: str, tiles: str) -> "tuple[PlayableWords, TileSet, Callable[[str], bool]]":
    """The words for bots, the tiles, and who judges words. Raises `RowdrawError` where there is no such list or set."""
    from solver.errors import RowdrawError
    from solver.scrabble.game import table_tiles
    from solver.scrabble.graph import words_of
    from verify.replay.rules import RulesError
    from verify.scrabble.lexicons import game_words

    try:
        chosen, judge = table_tiles(tiles), game_words(words)
    except RulesError as error:
        raise RowdrawError(str(error)) from error
    if judge.is_word is None:
        raise RowdrawError(f"--words {words}: bots need a list of words")
    return words_of(words, chosen), chosen, judge.is_word
