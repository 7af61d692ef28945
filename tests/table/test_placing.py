"""A play whose tiles were put on squares one by one: the notation is that of the same play."""

import random

import pytest

from solver.errors import TableError
from solver.scrabble.game import Setup, TableGame, play_of, table_tiles
from tests.table.test_bot import make_bot
from verify.scrabble.board import Square, standard_board
from verify.scrabble.gcg import Kind, Player
from verify.scrabble.play import parse_place, place_play


def new_game(seed: int = 1) -> TableGame:
    return TableGame(Setup((Player("ann", "Ann"), Player("bob", "Bob")), table_tiles("english"), "enable1", seed))


def test_the_squares_of_a_play_in_any_order_give_a_play_of_the_same_tiles_words_and_score() -> None:
    bot, rng, board, plays = make_bot(True), random.Random(1), standard_board(), 0
    for seed in range(6):
        game = new_game(seed)
        while not game.ending():
            event = bot.move(game)
            if event.kind is Kind.PLAY:
                expected = place_play(board, game.grid, *parse_place(event.place, board), event.tiles)
                place, tiles = play_of(board, game.grid, rng.sample(list(expected.new.items()), len(expected.new)))
                found = place_play(board, game.grid, *parse_place(place, board), tiles)
                assert found.new == expected.new
                assert sorted(found.texts()) == sorted(expected.texts())
                made = game.play(place, tiles)
                assert made.score == event.score
                # a play is written from the first square of its word to the last, through the tiles that lie there
                assert len(tiles) == len(found.texts()[0])
                plays += 1
            game.take(event)
    assert plays > 100


@pytest.mark.parametrize(
    ("laid", "expected"),
    [
        ([], "no tile is laid"),
        ([(7, 7, "A"), (8, 8, "B")], "not in one row or column"),
        ([(7, 7, "A"), (7, 9, "B")], "I8 is empty"),
        ([(7, 7, "A"), (7, 7, "B")], "taken"),
        ([(7, 15, "A")], "taken"),
        ([(-1, 7, "A")], "taken"),
    ],
)
def test_squares_that_are_no_play_are_refused(laid: list[tuple[int, int, str]], expected: str) -> None:
    with pytest.raises(TableError, match=expected):
        play_of(standard_board(), {}, [(Square(row, column), tile) for row, column, tile in laid])


def test_a_square_with_a_tile_is_refused() -> None:
    with pytest.raises(TableError, match="H8 is taken"):
        play_of(standard_board(), {Square(7, 7): "A"}, [(Square(7, 7), "B")])


@pytest.mark.parametrize(("grid", "expected"), [((7, 6), ("8G", ".A")), ((6, 7), ("H7", ".A")), ((0, 0), ("8H", "A"))])
def test_a_single_tile_runs_the_way_of_the_word_that_it_forms(grid: tuple[int, int], expected: tuple[str, str]) -> None:
    assert play_of(standard_board(), {Square(*grid): "B"}, [(Square(7, 7), "A")]) == expected
