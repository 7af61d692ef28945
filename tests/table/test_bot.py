"""The bot: it plays by the rules, beats points alone, and a game against it can be resumed."""

import re
from pathlib import Path

import pytest

from games import played_game
from solver.errors import TableError
from solver.scrabble.bot import Bot, bundled_leaves
from solver.scrabble.game import Store, TableGame, game_text, setup_of, table_tiles
from solver.scrabble.graph import listed_words, words_of
from solver.scrabble.table import BotLoader
from tests.process import rowdraw
from verify.scrabble.gcg import read_gcg, write_gcg
from verify.scrabble.judge import judge_game
from verify.scrabble.tiles import tile_set


@pytest.fixture(scope="module")
def bot() -> Bot:
    return make_bot(True)


def make_bot(looks_at_leaves: bool) -> Bot:
    tiles = tile_set("english")
    leaves = bundled_leaves("english") if looks_at_leaves else None
    return Bot(words_of("enable1", tiles), tiles, listed_words("enable1").__contains__, leaves)


def test_games_of_bots_have_no_fault_and_read_back_as_they_were_written(bot: Bot) -> None:
    for seed in range(3):
        game = played_game(setup_of(tile_set("english"), "enable1", seed), (bot, bot))
        assert game.finished
        text = game_text(game)
        verdict = judge_game(text.encode(), "game")
        assert verdict.valid, verdict.as_text()
        assert (verdict.totals, verdict.finished, verdict.phonies) == (game.totals, True, ())
        assert write_gcg(read_gcg(text.encode())) == text


def test_a_bot_that_knows_leaves_wins_more_than_one_that_looks_at_points(bot: Bot) -> None:
    plain, setup = make_bot(False), tile_set("english")
    spread = 0
    for seed in range(15):
        for pair, sign in (((bot, plain), 1), ((plain, bot), -1)):
            first, second = played_game(setup_of(setup, "enable1", seed), pair).totals.values()
            spread += sign * (first - second)
    assert spread > 0


def test_it_refutes_a_phony_and_nothing_else(bot: Bot) -> None:
    game = TableGame(setup_of(tile_set("english"), "enable1", 0))
    game.racks["bot1"] = "RETAINS"
    game.take(game.play("8D", "RETAINS"))
    assert not bot.refutes(game)
    game = TableGame(setup_of(tile_set("english"), "enable1", 0))
    game.racks["bot1"] = "RETAINS"
    game.take(game.play("8D", "SNIATER"))
    assert bot.refutes(game)


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("spanish", "its tiles CH, LL, RR have several letters, and a tile of the board has one"),
        ("english_super", "it is played on the super board"),
        ("klingon", "no set has this name"),
    ],
)
def test_sets_that_the_table_cannot_show_are_refused_with_the_reason(
    name: str, reason: str
) -> None:
    with pytest.raises(TableError, match=f"'{name}': .*{reason}: expected one of .*english"):
        table_tiles(name)


def test_the_bot_ends_a_game_that_may_end_rather_than_pass_again(tmp_path: Path) -> None:
    """The rules of Scrabble: after six scoreless turns a player may end the game."""
    words = tmp_path / "words.txt"
    words.write_text("branks\n")
    file = tmp_path / "game.gcg"
    # with tiles of a set without leaves the bot never exchanges, and passes where no word fits
    arguments = (
        "--against",
        "bot",
        "--names",
        "ann",
        "--words",
        str(words),
        "--tiles",
        "dutch",
        "--seed",
        "2",
    )
    rack = TableGame(setup_of(tile_set("dutch"), str(words), 2)).racks["bot1"]
    place = next(tile for tile in rack if tile.isalpha())
    other = next(tile for tile in rack if tile.isalpha() and tile != place)
    words.write_text(f"branks\n{place}{other}\n")
    done = rowdraw(
        "scrabble", *arguments, "--save", str(file), stdin=f"8H {place}{other}\n" + "-\n" * 3
    )
    assert "the game is over" in done.stdout
    assert judge_game(file.read_bytes(), words="none").finished


def test_a_bot_is_loaded_in_the_background_and_a_failure_is_reported_each_time(
    tmp_path: Path,
) -> None:
    words = tmp_path / "words.txt"
    setup = setup_of(tile_set("english"), str(words), 5)
    loader = BotLoader(setup, str(words), str.isalpha)
    loader.start()
    for _ in range(2):
        with pytest.raises(TableError, match=r"words\.txt: the word list cannot be read"):
            loader.bot(lambda _stage: None)
    words.write_text("branks\n")
    play = loader.bot(lambda _stage: None).hint(TableGame(setup))
    assert play is not None
    assert (play.word, play.score) == ("BRANKS", 34)


def test_a_game_against_the_bot_is_played_in_turns_and_goes_on_from_its_file(
    tmp_path: Path,
) -> None:
    file = tmp_path / "game.gcg"
    begun = rowdraw(
        "scrabble",
        "--against",
        "bot",
        "--names",
        "ann",
        "--seed",
        "5",
        "--save",
        str(file),
        stdin="pass\n",
    )
    assert begun.returncode == 0
    assert re.search(r"^ > ?ann", begun.stdout, re.MULTILINE) or "> ann" in begun.stdout
    game = read_gcg(file.read_bytes())
    assert [event.player for event in game.events] == ["ann", "bot"]
    assert game.events[1].score > 0
    again = rowdraw("scrabble", "--resume", str(file), stdin="undo\n-\n-\n")
    assert again.returncode == 0
    events = read_gcg(file.read_bytes()).events
    assert [event.player for event in events] == ["ann", "bot", "ann", "bot"]
    assert events[:2] == game.events
    store, _game = Store.open(file)
    assert store.bot == "bot"
    assert judge_game(file.read_bytes()).valid
