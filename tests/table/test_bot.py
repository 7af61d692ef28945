"""The bot: it plays by the rules, beats points alone, and a game against it can be resumed."""

from pathlib import Path

from games import file_of_bots, played_game
from solver.scrabble.game import GameStore, TableGame
from tests.process import rowdraw
from tests.random_games import player
from verify.scrabble.gcg import read_gcg
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


def test_the_bot_ends_a_game_that_may_end_rather_than_pass_again(tmp_path: Path) -> None:
    """The rules of Scrabble: after six scoreless turns a player may end the game."""
    words = tmp_path / "words.txt"
    file = tmp_path / "game.gcg"
    # with tiles of a set without leaves the bot never exchanges, and passes where no word fits
    rack = TableGame(file_of_bots(tile_set("dutch"), str(words), 2)).racks["bot1"]
    word = rack.replace("?", "")[:2]
    words.write_text(f"branks\n{word}\n")
    options = ["--against", "bot", "--names", "ann", "--tiles", "dutch", "--seed", "2"]
    files = ("--words", str(words), "--save", str(file))
    done = rowdraw("scrabble", "play", *options, *files, stdin=f"8H {word}\n-\n-\n-\n")
    assert "wins" in done.stdout
    assert judge_game(file.read_bytes(), words="none").finished
    assert "(challenge)" not in file.read_text()  # the word is valid


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
