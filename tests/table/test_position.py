"""`rowdraw scrabble best`: the moves of a position against every possible play, and bad input."""

import json
import re
from collections import Counter
from itertools import cycle
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.errors import RackError, RowdrawError, TableError
from solver.scrabble.bot import Bot, RankedMove, kinds_of, last_worth
from solver.scrabble.game import TableGame
from solver.scrabble.graph import graph_of
from solver.scrabble.position import (
    BoardPosition,
    best_texts,
    bot_for,
    positions_of,
    read_position,
)
from solver.scrabble.steps import judged_file
from tests.process import rowdraw
from tests.random_games import begun, random_game
from verify.scrabble.board import Square
from verify.scrabble.gcg import TURNS, write_gcg
from verify.scrabble.judge import GameVerdict
from verify.scrabble.tiles import tile_set

LISTED = (
    "AA AB AD AE AG AI AL AN AS AT EAT TEA SEA RATE TEAR RAIN NOTE TONE QI ZA "
    "GEMS POME POMES FACED FACE"
)
WORDS = LISTED.split()
HEAD = "#character-encoding UTF-8\n#player1 ann Ann\n#player2 bob Bob\n"
GAME = HEAD + (
    "#lexicon enable1\n"
    ">ann: EEGIMSU 8H GEMS +14 14\n"
    ">bob: EMOPPQV 9G POME +28 28\n"
    ">bob: EMOPPQV -- -28 0\n"
    ">ann: AEIRTU? - +0 14\n"
    ">bob: EMOPPQV -QV +0 0\n"
)


@pytest.fixture
def game(tmp_path: Path) -> Path:
    return written(tmp_path, GAME)


def written(folder: Path, text: str, name: str = "game.gcg") -> Path:
    file = folder / name
    file.write_text(text, encoding="utf-8")
    return file


Position = tuple[GameVerdict, BoardPosition]


def position_of(folder: Path, text: str) -> Position:
    """The position at the end of a game."""
    return read_position(str(written(folder, text, "position.gcg")), None)


def ranked(named: Position, words: str, rack: str) -> list[RankedMove]:
    verdict, position = named
    return bot_for(verdict, words).best(position.game, position.rack(rack), 5_000)


@settings(max_examples=8)
@given(seed=st.integers(0, 2**31), turns=st.integers(1, 15))
def test_a_position_is_the_board_and_the_rack_before_its_event(
    seed: int, turns: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    game = random_game(begun(seed), turns)
    file = written(tmp_path_factory.mktemp("position"), write_gcg(game.file))
    before = TableGame(game.file)
    for number, event in enumerate(game.events, start=1):
        if event.kind in TURNS:
            _verdict, position = read_position(f"{file}#{number}", None)
            for name in ("grid", "totals", "on_turn", "scoreless"):
                assert getattr(position.game, name) == getattr(before, name)
            assert position.rack(position.own_rack()) == before.tiles.split(before.rack)
        before.take(event)


def test_the_best_exchange_is_among_the_moves_while_the_bag_has_a_full_rack(
    game: Path, tmp_path: Path
) -> None:
    words = str(written(tmp_path, "QI\nVUG\n", "words.txt"))
    best = ranked(read_position(f"{game}#2", None), words, "UUUVVII")[0]
    assert (best.place, best.score) == ("", 0)
    assert Counter(best.tiles) >= Counter("UUVV")
    assert sorted(best.leave + best.tiles) == sorted("UUUVVII")
    # 100 tiles: two racks of seven, and seven in the bag, the fewest for an exchange
    for on_board, can_exchange in ((79, True), (80, False)):
        late = position_of(tmp_path, near_the_end(on_board))
        moves = ranked(late, words, "".join(list(late[1].game.unseen().elements())[:7]))
        assert any(not move.place for move in moves) == can_exchange


def near_the_end(on_board: int = 90) -> str:
    """A game whose board has 90 tiles, or others: rows of letters, which need not be words."""
    bag = sorted(tile_set("english").bag().elements())[:on_board]
    text = "".join(bag).replace("?", "s")
    rows = [text[start : start + 15] for start in range(0, on_board, 15)]
    players = cycle(("ann", "bob"))
    places = [f"{number}A" for number in range(8, 15)]
    plays = zip(players, places, rows, strict=False)
    return HEAD + "".join(f">{player}: {place} {row} +0 0\n" for player, place, row in plays)


def test_with_an_empty_bag_a_leave_costs_its_value_twice_and_going_out_wins_that_of_the_others(
    tmp_path: Path,
) -> None:
    named = position_of(tmp_path, near_the_end())
    _verdict, position = named
    game = position.game
    unseen = game.unseen()
    assert unseen.total() == 10
    rack = "".join(list(unseen.elements())[:5])
    others = game.tiles.rack_value(game.unseen(position.rack(rack)).elements())
    worth = last_worth(game.tiles, kinds_of(game.tiles), others)
    assert worth.out == 2_000 * others
    columns = [
        "".join(game.grid[Square(row, column)].upper() for row in range(7, 13))
        for column in range(15)
    ]
    listed = "\n".join(column + tile for column in columns for tile in "UVWXYZ")
    words = str(written(tmp_path, listed, "words.txt"))
    # by the rules of Iceland no one gets the tiles left
    tallied = position_of(tmp_path, near_the_end() + "#rules icelandic\n")
    for at, factor in ((named, 2), (tallied, 1)):
        moves = ranked(at, words, rack)
        assert moves
        for move in moves:
            left = -game.tiles.rack_value(move.leave) if move.leave else others
            assert move.equity == move.score + factor * left


def test_moves_are_also_listed_as_json_and_15_of_them_unless_asked(game: Path) -> None:
    done = rowdraw("scrabble", "best", f"{game}#2", "--top", "3", "--json")
    facts = {"rack": "EMOPPQV", "place": "K4", "word": "POMPS", "score": 22, "leave": "EQV"}
    assert json.loads(done.stdout)[0] == {**facts, "tiles": "POMP.", "equity": 8.47, "own": False}
    assert len(rowdraw("scrabble", "best", f"{game}#4").stdout.splitlines()) == 15


def test_faults_are_named_that_the_file_has_before_the_position(tmp_path: Path) -> None:
    faulty = written(tmp_path, GAME.replace("28", "27"), "faulty.gcg")
    empty = written(tmp_path, HEAD, "empty.gcg")
    for position, found in ((f"{faulty}#2", 0), (f"{faulty}#3", 1), (faulty, 1), (empty, 0)):
        done = rowdraw("scrabble", "best", str(position), "AB", "--top", "1", code=0)
        warning = "the referee finds 1 fault before that: the board is what the file says"
        assert done.stderr.count(warning) == done.stderr.count("the referee finds") == found


def test_a_turn_is_the_best_move_or_the_best_one_is_named(tmp_path: Path) -> None:
    words = str(written(tmp_path, "CAB\n", "words.txt"))
    begun = HEAD + ">ann: ABCDEFG 8H CAB +14 14\n>bob: UUVVIII - +0 0\n"
    late = near_the_end() + ">ann: VVWWX 14A V +0 0\n"
    for text, number, expected in (
        (begun, 1, r"the best move$"),
        (begun, 2, r"rank 2; the best move, exchange of IIIUUVV, \+0: \+0 points, \+\d"),
        (late, 7, r"rank 2; the best move, pass, \+0: -10 points, \+30\.00"),
    ):
        verdict, _position = position_of(tmp_path, text)
        found = best_texts(verdict, bot_for(verdict, words))
        assert re.match(expected, found[number]), found


def test_positions_follow_a_director_s_file_of_rules(tmp_path: Path) -> None:
    rules = written(tmp_path, "scoreless = 2\n", "club.toml")
    file = written(tmp_path, HEAD + ">ann: ABCDEFG 8H CAB +14 14\n>bob: UUVVIII - +0 0\n")
    verdict = judged_file(str(file), rules=str(rules))
    assert verdict is not None
    assert {position.game.rules.scoreless for position in positions_of(verdict)} == {2}


@pytest.mark.parametrize(
    ("rack", "message"),
    [
        ("AB1", "#2: rack 'AB1' has '1': no tiles of the english set"),
        ("ABCDEFGH", "holds 8 tiles: expected at most 7"),
        ("???", "rack '\\?\\?\\?' needs '\\?' more than the set has off the board"),
        ("QQ", "needs 'Q' more than the set has off the board"),
        ("", "holds no tile"),
    ],
)
def test_an_impossible_rack_is_refused(rack: str, message: str, game: Path) -> None:
    with pytest.raises(RackError, match=message):
        read_position(f"{game}#2", None)[1].rack(rack)


@pytest.mark.parametrize("event", ["", "#3", "#1", "#4"])
def test_without_a_rack_the_file_must_give_one(event: str, tmp_path: Path) -> None:
    game = written(tmp_path, GAME.replace("EEGIMSU ", "").replace("AEIRTU?", "UNKNOWN"))
    message = f"game.gcg{event}: the file gives no rack there: expected RACK, or FILE#N"
    with pytest.raises(RackError, match=message):
        read_position(f"{game}{event}", None)[1].own_rack()


def test_a_position_that_cannot_be_read_is_refused(game: Path, tmp_path: Path) -> None:
    answer = written(tmp_path, "6 s?l?mnized solemnized\n", "answer.txt")
    klingon = written(tmp_path, GAME + "#tile-distribution klingon\n", "k.gcg")
    _verdict, empty = read_position(str(written(tmp_path, HEAD, "empty.gcg")), None)
    assert empty.game.grid == {}  # plays that open a game can be compared
    for name, message in (
        (f"{game}#6", "the file has 5 events: expected FILE#N with N up to this number"),
        (tmp_path / "none.gcg", "none.gcg: the game cannot be read"),
        (answer, "not a Scrabble game: expected GCG"),
        (klingon, "tile distribution 'klingon': expected one of"),
    ):
        with pytest.raises(RowdrawError, match=message):
            read_position(str(name), None)


def test_words_are_those_that_the_game_names_or_that_fit_its_tiles_and_a_game_opens_no_file(
    tmp_path: Path,
) -> None:
    named = written(tmp_path, "AB\n", "words.txt")
    unknown = "the list '.*' is not bundled: expected --words with enable1, bin or a file"
    play = ">ann: 8H AB +8 8\n"
    for pragmata, message in (
        (f"#lexicon {named}\n", unknown),
        ("#lexicon CSW21\n", "the list 'CSW21' is not bundled"),
        ("#tile-distribution german\n", "no list for german tiles is bundled"),
        ("#lexicon none\n", "the list 'none' is not bundled"),
    ):
        verdict, _position = position_of(tmp_path, HEAD + pragmata + play)
        with pytest.raises(RowdrawError, match=message):
            bot_for(verdict, None)
    verdict, _position = position_of(tmp_path, HEAD + play)
    assert list(bot_for(verdict, None).plays({}, "CAT", 1))
    with pytest.raises(TableError, match=r"nothing\.txt"):
        bot_for(verdict, "nothing.txt")


def test_plays_are_found_few_by_few_without_words_that_the_judge_rejects(
    game: Path,
) -> None:
    _verdict, position = read_position(f"{game}#4", None)
    tiles = position.game.tiles
    words = graph_of(WORDS, tiles)
    rack = position.rack("AEIRTU?")
    ranking = Bot(words, tiles)
    found = list(ranking.plays(position.game.grid, rack, 5_000))
    refused = found[0].word
    strict = Bot(words, tiles, lambda word: word != refused)
    judged = list(strict.plays(position.game.grid, rack, 1))
    assert judged == [move for move in found if move.word != refused]
