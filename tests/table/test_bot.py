"""The bot: it plays by the rules, beats points alone, and a game against it can be resumed."""

from pathlib import Path
from random import Random

from games import file_of_bots, played_game
from solver.scrabble.bot import Bot
from solver.scrabble.game import GameStore, TableGame
from solver.scrabble.graph import graph_of
from tests.process import rowdraw
from tests.random_games import begun, player, random_play
from verify.scrabble.gcg import Kind, read_gcg, write_gcg
from verify.scrabble.judge import judge_game
from verify.scrabble.tiles import tile_set


def test_a_bot_that_knows_leaves_wins_more_than_one_that_looks_at_points() -> None:
    bot = player()
    plain = player(looks_at_leaves=False)
    spread = 0
    for seed in range(15):
        file = file_of_bots(tile_set("english"), "enable1", seed)
        for pair, sign in (((bot, plain), 1), ((plain, bot), -1)):
            first, second = played_game(file, pair).totals.values()
            spread += sign * (first - second)
    assert spread > 0


def test_a_bot_without_leaves_and_plays_exchanges_all_or_ends_a_game_that_may_end() -> None:
    """The rules of Scrabble: after six scoreless turns a player may end the game."""
    tiles = tile_set("dutch")
    bot = Bot(graph_of(["ZZZZZ"], tiles), tiles)
    game = TableGame(begun(tiles="dutch"))
    event = bot.move(game)
    assert (event.kind, sorted(event.tiles)) == (Kind.EXCHANGE, sorted(game.rack))
    while len(game.bag) >= tiles.exchange:
        game.take(random_play(game, Random(game.seed)))
    while not game.can_end:
        game.take(game.pass_turn())
    for event, _said in bot.turn(game):
        game.take(event)
    assert judge_game(write_gcg(game.file).encode(), words="none").finished


def test_a_game_against_the_bot_is_played_in_turns_and_goes_on_from_its_file(
    tmp_path: Path,
) -> None:
    file = tmp_path / "game.gcg"
    options = ["--against", "bot", "--names", "ann", "--seed", "5", "--save"]
    begun = rowdraw("scrabble", "play", *options, file, stdin="pass\n", code=0)
    assert "ann> " in begun.stdout
    game = read_gcg(file.read_bytes())
    assert [event.player for event in game.events] == ["ann", "bot"]
    assert game.events[1].score > 0
    rowdraw("scrabble", "play", "--resume", file, stdin="undo\n-\n-\n", code=0)
    events = read_gcg(file.read_bytes()).events
    assert [event.player for event in events] == ["ann", "bot", "ann", "bot"]
    assert events[:2] == game.events
    assert GameStore.open(file)[1].bot == "bot"
    assert judge_game(file.read_bytes()).valid
