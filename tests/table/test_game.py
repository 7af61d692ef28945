"""The table without a screen: the rules of a game in progress, and its file."""

import random
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.errors import TableError
from solver.scrabble.game import GameStore, TableGame, play_of, replayed
from tests.random_games import begun, random_game
from verify.scrabble.board import Square
from verify.scrabble.gcg import Kind, write_gcg


@settings(max_examples=8)
@given(seed=st.integers(0, 2**31), turns=st.integers(1, 8))
def test_undo_leads_back_to_the_state_before_each_event(seed: int, turns: int) -> None:
    game = random_game(begun(seed), turns)
    states = []
    again = TableGame(game.file)
    for event in game.events:
        states.append((dict(again.racks), list(again.bag), dict(again.totals), again.on_turn))
        again.take(event)
    for state in reversed(states):
        again = again.undone()
        assert (again.racks, again.bag, again.totals, again.on_turn) == state
    with pytest.raises(TableError, match="nothing to undo"):
        again.undone()


def passed(game: TableGame, times: int) -> None:
    for _ in range(times):
        game.take(game.pass_turn())


def test_the_rules_are_kept_in_the_file_of_a_game(tmp_path: Path) -> None:
    path = tmp_path / "game.gcg"
    game = TableGame(begun(5, rules="icelandic"))
    passed(game, 4)
    GameStore(path).write(game.file)
    assert GameStore.open(path)[1].is_over
    text = path.read_text()
    path.write_text(text.replace(";rules=icelandic", ""))  # as version 1 wrote
    assert not GameStore.open(path)[1].is_over
    old = text.replace("#id rowdraw bag-seed=5;rules=icelandic", "#bag-seed 5\n#rules icelandic")
    assert old != text
    path.write_text(old)  # as version 2.0 wrote
    assert GameStore.open(path)[1].is_over
    path.write_text(text.replace("rules=icelandic", "rules=club"))
    with pytest.raises(TableError, match=r"rules 'club': expected one of any, .*, or --rules FILE"):
        GameStore.open(path)
    (tmp_path / "club.toml").write_text("scoreless = 4\nmust_end = true\n")
    assert GameStore.open(path, str(tmp_path / "club.toml"))[1].is_over


@pytest.mark.parametrize("name", ["club", "naspa", "a b;bot=p2"])
def test_a_game_names_no_rules_of_a_file(name: str, tmp_path: Path) -> None:
    (tmp_path / f"{name}.toml").write_text("scoreless = 4\nmust_end = true\n")
    file = begun(5, rules=str(tmp_path / f"{name}.toml"))
    path = tmp_path / "game.gcg"
    GameStore(path).write(file)
    assert "#id rowdraw bag-seed=5\n" in path.read_text()
    game = GameStore.open(path)[1]
    assert (game.bot, game.rules.name) == (None, "casual")


@pytest.mark.parametrize(
    ("place", "tiles", "what"),
    [
        ("8H", "ZZZ", "needs 'Z Z Z' more"),
        ("8H", "bAR", "blank"),
        ("1A", "BAD", "centre"),
        ("8O", "BARK", "leaves the board"),
    ],
)
def test_what_cannot_be_played_is_refused_with_the_reason(
    place: str, tiles: str, what: str
) -> None:
    game = TableGame(begun(5))
    with pytest.raises(TableError, match=what):
        game.play(place, tiles)
    assert not game.events


def test_a_part_of_a_word_is_kept_as_the_whole_play_that_other_programs_read() -> None:
    game = TableGame(begun(3))
    game.take(game.play("8H", "GEM"))
    game.take(game.play("9H", "MO"))
    part = game.play("8K", "s")
    assert (part.place, part.tiles) == ("8H", "...s")
    old = game.with_event(replace(part, place="8K", tiles="s"))
    again = replayed("old.gcg", write_gcg(old).encode())
    assert again.totals == {"p1": 18, "p2": 13}


@pytest.mark.parametrize(("tiles", "what"), [("3", "not their number"), ("ZZ", "needs 'Z Z' more")])
def test_an_exchange_names_tiles_of_the_rack(tiles: str, what: str) -> None:
    with pytest.raises(TableError, match=what):
        TableGame(begun(5)).exchange(tiles)


def saved(path: Path) -> GameStore:
    game = TableGame(begun(5))
    store = GameStore(path)
    store.write(game.with_event(game.play("8H", "BRANKS")))
    return store


def test_a_file_that_somebody_else_changed_is_not_written_over(tmp_path: Path) -> None:
    path = tmp_path / "game.gcg"
    store = saved(path)
    other, game = GameStore.open(path)
    other.write(game.with_event(game.pass_turn()))
    with pytest.raises(TableError, match="another process has changed it"):
        store.write(game.undone().file)
    assert b">p2:" in path.read_bytes()


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        ("BRANKS +34", "BRANKS +35", "game.gcg:7: .*seed 5.*expected"),
        ("bag-seed=5", "bag-seed=6", "game.gcg:7:"),
        ("bag-seed=5;", "", "bag-seed '': expected a game that rowdraw saved"),
        (">p1", "hello", "game.gcg:7"),
        ("BRANKS +34", "(time) +34", "game.gcg:7"),
    ],
)
def test_a_file_that_is_not_the_game_of_its_seed_is_refused_with_its_line(
    old: str, new: str, what: str, tmp_path: Path
) -> None:
    path = tmp_path / "game.gcg"
    saved(path)
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")
    with pytest.raises(TableError, match=what):
        GameStore.open(path)


@settings(max_examples=8)
@given(seed=st.integers(0, 2**31))
def test_the_squares_of_a_play_in_any_order_give_the_same_play(seed: int) -> None:
    game = random_game(begun(seed), 12)
    again = TableGame(game.file)
    for event in game.events:
        if event.kind is Kind.PLAY:
            squares = [*again.place(event).new.items()]
            random.Random(seed).shuffle(squares)
            assert play_of(again.grid, dict(squares)) == (event.place, event.tiles)
        again.take(event)


@pytest.mark.parametrize(
    ("laid", "expected"),
    [
        ([], "no tile is laid"),
        ([(7, 7, "B"), (8, 8, "R")], "H9 is empty: .* in one row or column"),
        ([(8, 7, "B"), (7, 8, "R")], "in one row or column"),
        ([(7, 7, "B"), (7, 9, "R")], "I8 is empty: expected tiles without a gap"),
        ([(6, 6, "B"), (7, 6, "R")], "on free squares"),
        ([(7, 15, "B")], "not a square"),
    ],
)
def test_squares_that_are_no_play_are_refused(
    laid: list[tuple[int, int, str]], expected: str
) -> None:
    game = TableGame(begun(5))
    with pytest.raises(TableError, match=expected):
        game.play(*play_of({Square(6, 6): "A"}, {Square(row, at): tile for row, at, tile in laid}))


@pytest.mark.parametrize(
    ("grid", "expected"), [((7, 6), ("8G", ".A")), ((6, 7), ("H7", ".A")), ((0, 0), ("8H", "A"))]
)
def test_a_single_tile_runs_the_way_of_the_word_that_it_forms(
    grid: tuple[int, int], expected: tuple[str, str]
) -> None:
    assert play_of({Square(*grid): "B"}, {Square(7, 7): "A"}) == expected


def test_a_last_play_without_points_stands_or_is_challenged_before_the_racks_are_counted() -> None:
    game = TableGame(begun(5, rules="naspa"))
    passed(game, 5)
    game.racks[game.on_turn] = "??ABCDE"
    game.take(game.play("8H", "ab"))
    assert (game.is_over, game.phase) == (True, "accept")
    with pytest.raises(TableError, match="expected 'challenge' or 'accept'"):
        game.pass_turn()
    game.take(game.challenge(lambda _word: True)[0])
    assert game.phase == "count"
    for event in game.ending():
        game.take(event)
    assert game.phase == "over"
    with pytest.raises(TableError, match="no move is left: expected 'undo' or 'quit'"):
        next(game.moves("accept"))


def test_a_failed_challenge_brings_points_for_each_word_where_the_rules_say_so() -> None:
    game = TableGame(begun(5, rules="wespa"))
    for place, tiles in (("8H", "BRANKS"), ("9H", "AA")):
        game.take(game.play(place, tiles))
    event, sentence = game.challenge(lambda _word: True)  # of AA, BA and RA
    assert (event.score, sentence) == (15, "the play is good: +15 for Player 2")
