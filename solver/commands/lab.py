"""`rowdraw lab`: tools for work on the solver."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from solver.commands import options
from solver.commands.options import FOLDER, Seconds
from solver.commands.running import INTERRUPTED, complain, run_maker, say
from solver.errors import RowdrawError
from solver.files import FileKind, check_outputs

if TYPE_CHECKING:
    from solver.scrabble.graph import PlayableWords
    from solver.scrabble.leaves import Leaves
    from verify.scrabble.tiles import TileSet

_TILES = options.tiles("A bundled tile set.", "english")
_WORDS = options.lexicon("enable1, bin or a file.", "enable1")


def _begins(name: str, pattern: bytes) -> FileKind:
    """Return the kind of file that begins with a pattern."""
    return FileKind(name, lambda content: re.match(pattern, content) is not None)


_LEARNT = {
    "table.md": _begins("a table of `rowdraw lab learn`", rb"\d+ games, of the rows that `rowdraw puzzle shuffle"),
    "letter-positions.toml": _begins("positions of `rowdraw lab learn`", rb"(#.*\n)*#.*\bPrinted by `rowdraw lab learn`"),
}
_OPTIMA = {"table.md": _begins("a table of `rowdraw lab optima`", rb"\d+ of \d+ random rows of \d+ tiles were solved exactly")}
_DAILY = {"daily.json": _begins("rows of `rowdraw lab daily`", rb'\{"first": "[\d-]+", "rows": \[\n')}


@click.group()
def lab() -> None:
    """Tools for work on the solver: prices, speed, rows, bots.

    These tools learn prices, measure speed, find out how often searches find the optimum, make the table's daily rows, and
    let bots play Scrabble.
    """


@lab.command()
def bench() -> None:
    """Measure the speed of this machine.

    It prints a Markdown table: seconds, racks a second, memory, ratios.
    """
    from solver.lab.bench import bench_table
    from solver.scrabble.timing import scrabble_timings

    click.echo(bench_table(say, scrabble_timings), nl=False)


@lab.command()
@click.option("--rows", type=click.IntRange(2, 8_999), default=180, show_default=True, help="How many rows to learn from.")
@click.option("--racks", type=click.IntRange(1), default=800_000, show_default=True, metavar="N", help="Racks for each search.")
@options.threads
@options.journal("Games, table and positions; games that are there are not searched again.")
@click.option("--again", is_flag=True, help="Search also the rows in the journal, under today's prices.")
def learn(rows: int, racks: int, threads: int | None, output: Path, again: bool) -> int:
    """Learn prices of tiles from good games.

    It searches random rows of the challenge's tiles, and prints prices under which narrow beams keep the games found. It
    takes a quarter of an hour. In a clone the positions that it prints may replace data/letter-positions.toml.
    """
    from solver.files import replace_file
    from solver.index.problem import Problem
    from solver.lab.learn import find_games, learn_from, table
    from solver.model.puzzle import load_puzzle
    from solver.search.beam_prices import positions_toml
    from solver.solving.warmup import warm_up

    check_outputs(output, _LEARNT)
    warm_up(say)
    puzzle = load_puzzle("challenge")
    games = []
    with run_maker(threads) as (bar, new_run):
        for game in find_games(puzzle, rows, output, lambda: new_run(rack_budget=racks), again):
            games.append(game)
            bar.say(f"shuffled-{game.seed} {game.score}")
        lesson = learn_from(puzzle, games, output, new_run, say) if len(games) == rows else None
    if lesson is None:
        return INTERRUPTED
    positions = positions_toml(Problem.of(puzzle), lesson.prices)
    replace_file(output / "table.md", text := table(lesson.games))
    replace_file(output / "letter-positions.toml", positions)
    click.echo(f"{text}\n{positions}", nl=False)
    return 0


@lab.command()
@click.option("--tiles", type=click.IntRange(2, 100), default=30, show_default=True, help="Tiles of each row.")
@click.option("--rows", type=click.IntRange(1, 10_000), default=50, show_default=True, help="How many rows.")
@click.option("--time", "seconds", type=Seconds(0, min_open=True), metavar="SECONDS", help="Time limit for one row.")
@click.option(
    "--ascent",
    type=Seconds(0),
    default=4.0,
    show_default=True,
    metavar="SECONDS",
    help="Time for the bound; rows of more than 40 tiles take more.",
)
@options.threads
@options.journal("Journal and table; rows that are there are not solved again.")
@click.option("--again", is_flag=True, help="Search the rows in the journal again; proven bounds stay.")
def optima(tiles: int, rows: int, seconds: float | None, ascent: float, threads: int | None, output: Path, again: bool) -> int:
    """Find out how often each strategy finds the optimum.

    It solves random rows of the challenge's tiles exactly.
    """
    from solver.bound.sweeps.exact import ExactParameters
    from solver.files import replace_file
    from solver.lab.optima import find_truths, table
    from solver.model.puzzle import load_puzzle
    from solver.search.run import Run
    from solver.solving.compile_all import warm_up_bounds

    check_outputs(output, _OPTIMA)
    warm_up_bounds(say)
    truths = []
    with run_maker(threads) as (bar, new_run):

        def limited_run(limited: bool) -> Run:
            return new_run(seconds=seconds if limited else None)

        exact = ExactParameters(ascent=ascent)
        for truth in find_truths(load_puzzle("challenge"), tiles, rows, exact, output, limited_run, again):
            truths.append(truth)
            proof = "optimal" if truth.optimum is not None else f"at most {truth.bound}"
            bar.say(f"{truth.row} {truth.score}, {proof}, {truth.seconds:.1f} s")
    if len(truths) < rows:
        return INTERRUPTED  # the journal has the finished rows; the table is only written for all of them
    text = table(truths)
    replace_file(output / "table.md", text)
    click.echo(text, nl=False)
    return 0


@lab.command()
@click.option("--weeks", type=click.IntRange(1, 520), default=52, show_default=True, help="How many weeks of rows.")
@options.threads
@options.journal("Journal and rows; rows that are there are not solved again.")
def daily(weeks: int, threads: int | None, output: Path) -> int:
    """Make the daily rows of the table.

    It solves random rows of 30 to 40 tiles exactly, seven for each week, from easy to hard. A year takes an hour. In a clone
    the file that it writes may replace data/daily.json.
    """
    from solver.files import replace_file
    from solver.lab.daily import WEEK, daily_file, find_rows
    from solver.model.puzzle import load_puzzle
    from solver.solving.compile_all import warm_up_bounds

    check_outputs(output, _DAILY)
    warm_up_bounds(say)
    rows = []
    with run_maker(threads) as (bar, new_run):
        for row in find_rows(load_puzzle("challenge"), WEEK * weeks, output, new_run):
            rows.append(row)
            bar.say(f"{row.row} {row.best}, greedy search {row.greedy}")
    if len(rows) < WEEK * weeks:
        return INTERRUPTED  # the journal has the finished rows
    replace_file(path := output / "daily.json", daily_file(rows))
    click.echo(f"{path}: {len(rows)} rows")
    return 0


@lab.command()
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

    playable, tile_set, is_word = _words_and_tiles(words, tiles)
    learnt: list[Leaves] = []

    def keep(number: int, found: "Leaves") -> None:
        learnt.append(found)
        say(f"round {number} of {rounds} is learnt")

    interrupted = False
    try:
        learn_leaves(playable, tile_set, words, is_word, games, rounds, keep)
    except KeyboardInterrupt:
        interrupted = True
    if learnt:
        remark = f"What tiles kept on a rack are worth with {tiles} tiles and the words of {words}, in points."
        click.echo(leaves_text(learnt[-1], f"{remark}\n{len(learnt)} rounds of {games:,} games."), nl=False)
    return INTERRUPTED if interrupted else 0


@lab.command()
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
@click.option(
    "--seed",
    type=click.IntRange(0, 2**63 - 1),
    default=0,
    show_default=True,
    metavar="N",
    help="The bag of the first two games; N + 1 for the next two.",
)
@click.option("--save", type=FOLDER, metavar="FOLDER", help="Keep the games as GCG files.")
def games(tiles: str, words: str, games: int, against: str, seed: int, save: Path | None) -> int:
    """Let bots play, and print how much better the first one is.

    The referee judges every game. Two games have the same bag, and each bot begins one of them. Exit code 1 if the referee
    finds a fault.
    """
    from solver.files import write_out
    from solver.scrabble.bot import Bot
    from solver.scrabble.learning import played_game, setup_of
    from solver.scrabble.leaves import bundled_leaves
    from solver.scrabble.matches import Match
    from solver.scrabble.saved_games import game_text
    from verify.scrabble.judge import judge_game

    playable, tile_set, is_word = _words_and_tiles(words, tiles)
    bot = Bot(playable, tile_set, is_word, bundled_leaves(tile_set.name))
    other = bot if against == "bot" else Bot(playable, tile_set, is_word, None)
    match = Match()
    interrupted = False
    try:
        if save is not None:
            save.mkdir(parents=True, exist_ok=True)
        for number in range(games):
            begins = number % 2 == 0
            game = played_game(setup_of(tile_set, words, seed + number // 2), (bot, other) if begins else (other, bot))
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
        interrupted = True
    click.echo(match.text(), nl=False)
    return INTERRUPTED if interrupted else int(match.faulty > 0)


def _words_and_tiles(words: str, tiles: str) -> "tuple[PlayableWords, TileSet, Callable[[str], bool]]":
    """Return the words for bots, the tile set, and the judge of words."""
    from solver.scrabble.game import table_tiles
    from solver.scrabble.graph import words_of
    from verify.scrabble.lexicons import game_words

    tile_set, judge = table_tiles(tiles), game_words(words)
    if judge.is_word is None:
        raise RowdrawError(f"--words {words}: bots need a list of words")
    return words_of(words, tile_set), tile_set, judge.is_word
