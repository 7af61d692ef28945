"""Each tile set as a language pack: from a list of all its tiles to the page."""

from pathlib import Path
from random import Random

import pytest

from solver.scrabble.bot import Bot
from solver.scrabble.game import GameStore, TableGame, new_file
from solver.scrabble.graph import graph_of
from solver.scrabble.position import bot_for, read_position
from solver.scrabble.steps import game_steps
from tests.table.twins import plays_by_trying
from tests.verify.scrabble.games import HEAD, judged
from verify.scrabble.board import Square, board_of
from verify.scrabble.gcg import Kind, Player
from verify.scrabble.judge import judge_game
from verify.scrabble.lexicons import game_words
from verify.scrabble.tiles import tile_set, tile_set_names, tile_set_of

PLAYERS = (Player("ann", "Ann Lee"), Player("bot", "Bot"))
HUNGARIAN = """
[values]
A = 1
S = 1
Z = 1
SZ = 4
ZS = 4
[counts]
A = 20
S = 9
Z = 9
SZ = 9
ZS = 9
"?" = 2
"""


def words_with_all_tiles(tiles: list[str]) -> list[str]:
    """Words of two tiles, and longer ones, with every tile of a set."""
    vowels = [tile for tile in tiles if tile in "AEIOUÁÉÓ"]
    words = [tile + vowel for tile in tiles for vowel in vowels]
    return words + [vowel + word for vowel in vowels for word in words]


@pytest.mark.parametrize("name", tile_set_names())
def test_a_set_is_played_saved_judged_ranked_and_shown(name: str, tmp_path: Path) -> None:
    tiles = tile_set(name)
    words = words_with_all_tiles([*tiles.values])
    listed = tmp_path / "words.txt"
    listed.write_text("\n".join(words).lower(), encoding="utf-8")
    is_word = game_words(str(listed), spelling=tiles.spelling).is_word
    assert is_word is not None
    path = tmp_path / "game.gcg"
    store = GameStore(path)
    bot = Bot(graph_of(words, tiles), tiles, is_word, None)
    game = TableGame(new_file(PLAYERS, tiles, str(listed), 1, bot="bot"))
    while len(game.events) < 12 and not (game.is_over or game.can_end):
        game.take(bot.move(game))
    store.write(game.file)
    assert sum(event.kind is Kind.PLAY for event in game.events) > 2
    assert GameStore.open(path)[1].racks == game.racks
    verdict = judge_game(path.read_bytes(), words=str(listed))
    assert (verdict.valid, verdict.phonies, verdict.tiles) == (True, (), name), verdict.as_text()
    assert verdict.totals == game.totals
    number = [event.kind for event in game.events].index(Kind.PLAY) + 1
    verdict, position = read_position(f"{path}#{number}", None)
    rack = position.rack(position.own_rack())
    best = next(bot_for(verdict, str(listed)).plays(position.game.grid, rack, 1))
    assert best.score == game.events[number - 1].score
    assert game_steps(verdict, {})["values"] == tiles.values


def test_digraphs_that_overlap_are_played_in_every_way(tmp_path: Path) -> None:
    file = tmp_path / "hungarian.toml"
    file.write_text(HUNGARIAN)
    tiles = tile_set_of(str(file))
    spelt = ["A-SZ-S-A", "A-S-ZS-A", "SZ-A", "ZS-A", "A-SZ", "A-ZS"]
    spelt += ["SZ-S-A", "S-ZS-A", "ZS-Z", "Z-SZ"]
    texts = {word.replace("-", "") for word in spelt}
    listed = [tuple(word.split("-")) for word in spelt]
    board = board_of("standard")
    rng = Random(1)
    words = graph_of(sorted(texts), tiles)
    bot = Bot(words, tiles, texts.__contains__, None)
    for first in (("A", "S", "ZS", "A"), ("SZ", "A")):
        grid = {Square(7, 6 + place): tile for place, tile in enumerate(first)}
        for _ in range(4):
            rack = rng.sample([*tiles.bag().elements()], 5)
            found = {(play.place, play.tiles): play.score for play in bot.plays(grid, rack, 5_000)}
            assert found == plays_by_trying(listed, tiles, board, grid, rack)


def test_capitals_are_those_of_the_set(tmp_path: Path) -> None:
    """A Turkish i has a capital with a dot; a German set may have a tile for a sharp s."""
    for letters, listed, word, blank in (
        ("aiıtk", "iki\nkıt\n", "İKİ", "iKİ"),
        ("aßst", "saß\nßat\n", "ẞAT", "ßAT"),
    ):
        entries = "\n".join(f'"{letter}" = 5' for letter in dict.fromkeys(letters.lower()))
        file = tmp_path / "own.toml"
        file.write_text(f'[values]\n{entries}\n[counts]\n{entries}\n"?" = 2\n', encoding="utf-8")
        (tmp_path / "words.txt").write_text(listed, encoding="utf-8")
        tiles = tile_set_of(str(file))
        for play, score in ((word, 30), (blank, 20)):
            text = f">ann: 8H {play} +{score} {score}\n"
            verdict = judged(text, tiles=str(file), words=str(tmp_path / "words.txt"))
            assert (verdict.valid, verdict.phonies, verdict.remarks) == (True, (), ())
        game = tmp_path / "game.gcg"
        game.write_text(f"{HEAD}>ann: {word} 8H {word} +30 30\n", encoding="utf-8")
        verdict, position = read_position(f"{game}#1", str(file))
        rack = position.rack(tiles.spelling.lower(word))
        moves = bot_for(verdict, str(tmp_path / "words.txt")).best(position.game, rack, 5)
        assert word in {move.word for move in moves}


def test_a_set_may_have_a_board_a_bonus_a_rack_and_a_list_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "small.txt").write_text("# a small board\n...\n.*.\n..T\n")
    (tmp_path / "words.txt").write_text("ab\nba\n")
    (tmp_path / "club.toml").write_text("scoreless = 2\nmust_end = true\n")
    file = tmp_path / "small.toml"
    fields = 'board = "small.txt"\nwords = "words.txt"\nrules = "club.toml"\n'
    fields += "rack_size = 2\nbonus = 9\nexchange = 1\n"
    file.write_text(f"{fields}[values]\na = 1\nb = 2\n[counts]\na = 4\nb = 4\n")
    tiles = tile_set_of(str(file))
    game = HEAD + ">ann: AB 2A AB +15 15\n"
    verdict = judged(game, tiles=str(file))
    assert (verdict.valid, verdict.bingos) == (True, {"ann": 1}), verdict.as_text()
    (tmp_path / "game.gcg").write_text(HEAD + ">ann: AB - +0 0\n")
    verdict, position = read_position(f"{tmp_path / 'game.gcg'}#1", str(file))
    best = bot_for(verdict, None).best(position.game, ["A", "B"], 1)
    assert (best[0].score, tiles.board) == (15, str(tmp_path / "small.txt"))


@pytest.mark.parametrize(
    ("board", "message"),
    [
        ("...\n.*.\n", "the board has 2 rows: expected an odd number of rows, at most 21"),
        ("...\n.*\n...\n", r"b\.txt:2: '\.\*': expected 3 squares, each one of Q T D"),
        ("...\n.x.\n...\n", r"b\.txt:2: '\.x\.': expected 3 squares"),
        (None, "the board cannot be read"),
    ],
)
def test_a_wrong_board_is_refused_with_its_line(
    board: str | None, message: str, tmp_path: Path
) -> None:
    if board is not None:
        (tmp_path / "b.txt").write_text(board)
    file = tmp_path / "own.toml"
    file.write_text('board = "b.txt"\n[values]\na = 1\n[counts]\na = 4\n')
    with pytest.raises(Exception, match=message):
        tile_set_of(str(file))
    file.write_text('board = "wwf"\n[values]\na = 1\n[counts]\na = 4\n')
    with pytest.raises(Exception, match="board 'wwf': expected one of standard, super, or a file"):
        tile_set_of(str(file))
