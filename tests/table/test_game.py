"""The table without a screen: rules of a game in progress, its file, and the hint against every possible play."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.errors import TableError
from solver.scrabble.bot import Bot
from solver.scrabble.game import Store, TableGame
from solver.scrabble.graph import listed_words, words_of
from tests.random_games import random_game, setup
from verify.scrabble.gcg import Kind
from verify.scrabble.tiles import tile_set


@pytest.fixture(scope="session")
def english() -> Bot:
    tiles = tile_set("english")
    return Bot(words_of("enable1", tiles), tiles, listed_words("enable1").__contains__, None)


@settings(max_examples=8)
@given(seed=st.integers(0, 2**31), turns=st.integers(1, 8))
def test_undo_leads_back_to_the_state_before_each_event(
    seed: int, turns: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    game = random_game(setup(seed), turns)
    store = Store.create(tmp_path_factory.mktemp("game") / "game.gcg", game.setup)
    states = []
    again = TableGame(game.setup)
    for event in game.events:
        states.append((dict(again.racks), list(again.bag), dict(again.totals), again.on_turn))
        again.take(event)
        store.append(event)
    for state in reversed(states):
        before = store.undo()
        assert (before.racks, before.bag, before.totals, before.on_turn) == state
    with pytest.raises(TableError, match="nothing to undo"):
        store.undo()


def test_the_same_seed_deals_the_same_tiles_and_another_seed_others() -> None:
    assert TableGame(setup(7)).racks == TableGame(setup(7)).racks
    assert TableGame(setup(7)).racks != TableGame(setup(8)).racks
    # written down, so that a saved game means the same in every version
    assert TableGame(setup(5)).racks["p1"] == "ABDKNRS"


def test_icelandic_games_use_icelandic_tiles(tmp_path: Path) -> None:
    game = TableGame(setup(3, tiles="icelandic"))
    letters = set(game.setup.tiles.values)
    assert all(set(rack) <= letters | {"?"} for rack in game.racks.values())
    path = tmp_path / "words.txt"
    path.write_text("þá\nöl\nára\n", encoding="utf-8")
    graph = words_of(str(path), game.setup.tiles).graph
    assert int(graph.lengths[0]) == 1 << 2 | 1 << 3


def passed(game: TableGame, times: int) -> None:
    for _ in range(times):
        game.take(game.pass_turn())


def test_after_six_turns_without_points_a_player_may_end_a_game_or_go_on_and_passes_end_one_by_other_rules() -> None:
    game = TableGame(setup(5, players=3))
    passed(game, 12)
    assert (game.can_end, game.is_over, game.ending()) == (False, False, [])  # the board is empty
    game.take(game.play("8H", "KNAR"))
    passed(game, 5)
    assert (game.can_end, game.ending()) == (False, [])
    passed(game, 1)
    assert (game.can_end, game.is_over) == (True, False)
    polish = TableGame(setup(3, 4, "polish"))
    passed(polish, 7)
    polish.take(polish.exchange(polish.rack[:1]))  # an exchange is no pass
    passed(polish, 7)
    assert not polish.is_over
    passed(polish, 1)
    assert polish.is_over
    with pytest.raises(TableError, match="over"):
        polish.pass_turn()


def test_the_rules_are_kept_in_the_file_of_a_game(tmp_path: Path) -> None:
    path = tmp_path / "game.gcg"
    store = Store.create(path, setup(5, rules="icelandic"))
    game = TableGame(setup(5, rules="icelandic"))
    for _ in range(4):
        event = game.pass_turn()
        store.append(event)
        game.take(event)
    assert Store.open(path)[1].is_over
    text = path.read_text()
    for pragma, is_over in (("", False), ("#end-rule deduct\n", True), ("#end-rule gain\n", False)):  # of earlier versions
        path.write_text(text.replace("#rules icelandic\n", pragma))
        assert Store.open(path)[1].is_over == is_over
    for name, why in (("never", "no bundled rule set has this name"), ("server", "a new game needs rules with challenges")):
        path.write_text(text.replace("#rules icelandic", f"#rules {name}"))
        with pytest.raises(TableError, match=f"rules '{name}': {why}: expected one of any, casual"):
            Store.open(path)


@pytest.mark.parametrize(
    ("rules", "kind", "player", "score"),
    [
        ("casual", Kind.CHALLENGE, "p1", 5),
        ("wespa", Kind.CHALLENGE, "p1", 10),  # for two words
        ("naspa", Kind.PASS, "p2", 0),
        ("polish", Kind.PASS, "p2", 0),
    ],
)
def test_what_a_failed_challenge_brings_by_the_rules(rules: str, kind: Kind, player: str, score: int) -> None:
    game = TableGame(setup(5, rules=rules))
    game.racks |= {"p1": "BRANKSX", "p2": "AAEGRTZ"}
    game.take(game.play("8H", "BRANK"))
    game.racks["p1"] = "AASSDEG"
    game.take(game.pass_turn())
    game.take(game.play("M8", "SEA"))
    turn = game.on_turn
    event, sentence = game.challenge(lambda _word: True)
    assert (event.kind, event.player, event.score) == (kind, player, score)
    assert sentence.startswith("the play is good: ")
    game.take(event)
    assert game.on_turn == (turn if kind is Kind.CHALLENGE else "p1")
    with pytest.raises(TableError, match="no play to challenge"):
        game.challenge(lambda _word: True)


def test_a_withdrawn_play_gives_back_rack_bag_and_board_and_counts_as_scoreless(
    english: Bot,
) -> None:
    game = TableGame(setup(5))
    racks, bag = dict(game.racks), list(game.bag)
    hint = english.hint(game)
    assert hint is not None
    game.take(game.play(hint.place, hint.tiles))
    assert game.on_turn == "p2"
    event, sentence = game.challenge(lambda _word: False)
    assert event.kind is Kind.WITHDRAWN
    assert sentence == f"{hint.word}: not valid; Player 1 takes the play back"
    game.take(event)
    assert (game.racks, game.bag, game.grid, game.totals["p1"], game.on_turn) == (racks, bag, {}, 0, "p2")
    assert game.scoreless == 1


@pytest.mark.parametrize(
    ("place", "tiles", "what"),
    [
        ("8H", "ZZZ", "needs 'Z Z Z' more"),
        ("8H", "bAR", "blank"),
        ("1A", "BAD", "centre"),
        ("99Z", "BAD", "not a square"),
        ("8H", "B4D", "'4'"),
        ("8H", "B", "no word"),
        ("8O", "BARK", "leaves the board"),
    ],
)
def test_what_cannot_be_played_is_refused_with_the_reason(place: str, tiles: str, what: str) -> None:
    game = TableGame(setup(5))
    with pytest.raises(TableError, match=what):
        game.play(place, tiles)
    assert not game.events


def test_an_exchange_needs_seven_tiles_in_the_bag_and_the_tiles_on_the_rack() -> None:
    game = TableGame(setup(5))
    with pytest.raises(TableError, match="needs 'Z'"):
        game.exchange("Z")
    del game.bag[6:]
    with pytest.raises(TableError, match="at least 7"):
        game.exchange("A")


def saved(path: Path) -> Store:
    game = TableGame(setup(5))
    store = Store.create(path, game.setup)
    for place, tiles in (("8H", "BRANKS"),):
        event = game.play(place, tiles)
        store.append(event)
        game.take(event)
    return store


def test_a_file_that_somebody_else_changed_is_not_written_over(tmp_path: Path) -> None:
    path = tmp_path / "game.gcg"
    store = saved(path)
    other, game = Store.open(path)
    other.append(game.pass_turn())
    with pytest.raises(TableError, match="another process has changed it"):
        store.undo()
    assert b">p2:" in path.read_bytes()


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        ("BRANKS +34", "BRANKS +35", "game.gcg:8: .*seed 5.*expected"),
        ("BRANKS", "BRANDS", "game.gcg:8:"),
        ("#bag-seed 5", "#bag-seed 6", "game.gcg:8:"),
        ("#bag-seed 5\n", "", "bag-seed"),
        ("english", "martian", "martian"),
        ("#player2 p2 Player 2\n", "", "players"),
        (">p1", "hello", "game.gcg:8"),
        ("BRANKS +34", "(time) +34", "game.gcg:8"),
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
        Store.open(path)


def test_an_existing_file_is_not_begun_anew(tmp_path: Path) -> None:
    path = tmp_path / "game.gcg"
    saved(path)
    with pytest.raises(TableError, match="--resume"):
        Store.create(path, setup(5))
    with pytest.raises(TableError, match="cannot be written"):
        Store.create(tmp_path / "nowhere" / "game.gcg", setup(5))
