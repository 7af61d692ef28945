"""The table without a screen: rules of a game in progress, its file, and the hint against every possible play."""

import random
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.errors import TableError
from solver.scrabble.bot import Bot
from solver.scrabble.game import END_RULES, Setup, TableGame
from solver.scrabble.graph import words_of
from solver.scrabble.saved_games import Store
from verify.scrabble.gcg import Kind, Player
from verify.scrabble.judge import judge_game
from verify.scrabble.lexicons import listed_words
from verify.scrabble.tiles import tile_set

SCORELESS = END_RULES["gain"].scoreless
WORDS = {"english": "enable1", "icelandic": "none"}


def setup(seed: int = 0, players: int = 2, tiles: str = "english") -> Setup:
    named = tuple(Player(f"p{i}", f"Player {i}") for i in range(1, players + 1))
    return Setup(named, tile_set(tiles), WORDS[tiles], seed)


@pytest.fixture(scope="session")
def english() -> Bot:
    tiles = tile_set("english")
    return Bot(words_of("enable1", tiles), tiles, listed_words("enable1").__contains__, None)


def play_game(game: TableGame, english: Bot, rng: random.Random, turns: int = 200) -> None:
    """Hinted plays with passes, exchanges and challenges between, to the end."""
    for _ in range(turns):
        if game.ending():
            break
        choice = rng.random()
        if choice < 0.1:
            game.take(game.pass_turn())
            continue
        if choice < 0.2 and len(game.bag) >= 7:
            given_back = "".join(rng.sample(game.rack, rng.randint(1, 7)))
            game.take(game.exchange(given_back))
            continue
        if choice < 0.3 and game.last_play is not None:
            good = rng.random() < 0.5
            game.take(game.challenge(lambda _word, good=good: good)[0])  # type: ignore[misc]
            continue
        hint = next(english.plays(game), None)
        game.take(game.play(hint.place, hint.tiles) if hint else game.pass_turn())
    for event in game.ending():
        game.take(event)


@settings(max_examples=8)
@given(seed=st.integers(0, 2**31), players=st.integers(2, 4))
def test_a_whole_game_is_valid_for_the_referee_and_goes_on_from_its_file(
    seed: int, players: int, english: Bot, tmp_path_factory: pytest.TempPathFactory
) -> None:
    game = TableGame(setup(seed, players))
    play_game(game, english, random.Random(seed))
    assert game.finished
    assert sum(map(len, game.racks.values())) + len(game.bag) + len(game.grid) == 100
    path = tmp_path_factory.mktemp("game") / "game.gcg"
    store = Store.create(path, game.setup)
    for event in game.events:
        store.append(event)
    # challenges of these games are judged at random, so that words must not be
    verdict = judge_game(path.read_bytes(), "game", words="none")
    assert verdict.valid, verdict.as_text()
    assert dict(verdict.totals) == game.totals
    _store, again = Store.open(path)
    assert (again.racks, again.bag, again.grid, again.totals) == (game.racks, game.bag, game.grid, game.totals)
    assert again.finished


@settings(max_examples=8)
@given(seed=st.integers(0, 2**31), turns=st.integers(1, 8))
def test_undo_leads_back_to_the_state_before_each_event(
    seed: int, turns: int, english: Bot, tmp_path_factory: pytest.TempPathFactory
) -> None:
    game = TableGame(setup(seed))
    play_game(game, english, random.Random(seed), turns)
    path = tmp_path_factory.mktemp("game") / "game.gcg"
    store = Store.create(path, game.setup)
    states = []
    replayed = TableGame(game.setup)
    for event in game.events:
        states.append((dict(replayed.racks), list(replayed.bag), dict(replayed.totals), replayed.on_turn))
        replayed.take(event)
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


def count_racks(game: TableGame) -> None:
    for event in game.ending():
        game.take(event)


def test_after_six_turns_without_points_a_player_may_end_the_game_or_play_on(english: Bot) -> None:
    """English rules: six scoreless turns end a game if a player decides so; then every player loses the own rack."""
    game = TableGame(setup(1, players=3))
    first = next(english.plays(game))
    game.take(game.play(first.place, first.tiles))
    passed(game, SCORELESS - 1)
    assert (game.may_end, game.ending()) == (False, [])
    passed(game, 1)
    assert game.may_end
    assert not game.is_over
    points = dict(game.totals)
    hint = next(english.plays(game))
    game.take(game.play(hint.place, hint.tiles))
    assert not game.may_end
    points[game.events[-1].player] += hint.score
    passed(game, SCORELESS)
    lost = {nick: points[nick] - game.setup.tiles.rack_value(rack) for nick, rack in game.racks.items()}
    count_racks(game)
    assert game.totals == lost
    assert game.finished


def test_turns_without_points_never_end_a_game_on_an_empty_board() -> None:
    """English rules: the decision after six scoreless turns needs a tile on the board."""
    game = TableGame(setup(1))
    passed(game, 2 * SCORELESS)
    assert (game.may_end, game.is_over, game.ending()) == (False, False, [])


@pytest.mark.parametrize("players", [2, 3, 4])
def test_two_passes_of_every_player_end_an_icelandic_game_and_all_lose_their_racks(players: int) -> None:
    """Icelandic rules: the game ends when all have passed twice in a row; each loses what is left."""
    game = TableGame(setup(3, players, "icelandic"))
    game.take(game.exchange(game.rack[:2]))
    passed(game, 2 * players - 1)
    assert not game.is_over
    game.take(game.exchange(game.rack[:1]))  # an exchange is no pass
    passed(game, 2 * players)
    assert game.is_over
    with pytest.raises(TableError, match="over"):
        game.pass_turn()
    count_racks(game)
    assert game.totals == {nick: -game.setup.tiles.rack_value(rack) for nick, rack in game.racks.items()}
    assert game.finished


@pytest.mark.parametrize(("end", "players", "gained"), [("deduct", 2, 0), ("deduct", 4, 0), ("gain", 2, 2), ("gain", 4, 1)])
def test_who_goes_out_gets_the_tiles_of_the_others_only_by_the_rule_of_federations(
    end: str, players: int, gained: int, english: Bot
) -> None:
    """Icelandic rules: each player loses what is left, and the one who is out does not gain."""
    game = TableGame(replace(setup(1, players), end=end))
    hint = next(english.plays(game))
    game.bag.clear()
    used = Counter(hint.tiles)
    game.racks["p1"] = "".join(used.elements())
    game.take(game.play(hint.place, hint.tiles))
    assert game.gone_out == "p1"
    left = {nick: game.setup.tiles.rack_value(rack) for nick, rack in game.racks.items()}
    count_racks(game)
    lost = {nick: 0 if (end, players) == ("gain", 2) else -value for nick, value in left.items()}
    assert game.totals == {**lost, "p1": hint.score + gained * sum(left.values())}
    assert game.finished


def test_the_rule_of_the_end_is_kept_in_the_file_of_a_game(tmp_path: Path) -> None:
    path = tmp_path / "game.gcg"
    store = Store.create(path, replace(setup(5), end="deduct"))
    game = TableGame(replace(setup(5), end="deduct"))
    for _ in range(4):
        event = game.pass_turn()
        store.append(event)
        game.take(event)
    assert Store.open(path)[1].is_over
    path.write_text(path.read_text().replace("#end-rule deduct\n", ""))
    assert not Store.open(path)[1].is_over  # a file of version 1.0
    path.write_text(path.read_text().replace("#bag-seed", "#end-rule never\n#bag-seed"))
    with pytest.raises(TableError, match="end-rule 'never': expected one of gain, deduct"):
        Store.open(path)


def test_a_withdrawn_play_gives_back_rack_bag_and_board_and_counts_as_scoreless(
    english: Bot,
) -> None:
    game = TableGame(setup(5))
    racks, bag = dict(game.racks), list(game.bag)
    hint = next(english.plays(game))
    game.take(game.play(hint.place, hint.tiles))
    assert game.on_turn == "p2"
    event, wrong = game.challenge(lambda _word: False)
    assert event.kind is Kind.WITHDRAWN
    assert wrong == [hint.word]
    game.take(event)
    assert (game.racks, game.bag, game.grid, game.totals["p1"], game.on_turn) == (racks, bag, {}, 0, "p2")
    assert game.scoreless == 1


def test_a_good_play_that_is_challenged_earns_five_once(english: Bot) -> None:
    game = TableGame(setup(5))
    hint = next(english.plays(game))
    game.take(game.play(hint.place, hint.tiles))
    event, wrong = game.challenge(lambda _word: True)
    assert (event.score, wrong) == (5, [])
    game.take(event)
    with pytest.raises(TableError, match="no play to challenge"):
        game.challenge(lambda _word: True)
    assert game.on_turn == "p2"


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


def test_a_line_that_a_crash_cut_short_is_a_move_that_was_not_made(tmp_path: Path) -> None:
    path = tmp_path / "game.gcg"
    saved(path)
    whole = path.read_bytes()
    path.write_bytes(whole + b">p2: ABC 9A")
    store, game = Store.open(path)
    assert len(game.events) == 1
    assert path.read_bytes() == whole
    store.append(game.pass_turn())


def test_a_file_that_somebody_else_changed_is_not_written_over(tmp_path: Path) -> None:
    path = tmp_path / "game.gcg"
    store = saved(path)
    other, game = Store.open(path)
    other.append(game.pass_turn())
    with pytest.raises(TableError, match="somebody else"):
        store.undo()
    assert b">p2:" in path.read_bytes()


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        ("BRANKS +34", "BRANKS +35", "game.gcg:7: .*seed 5.*expected"),
        ("BRANKS", "BRANDS", "game.gcg:7:"),
        ("#bag-seed 5", "#bag-seed 6", "game.gcg:7:"),
        ("#bag-seed 5\n", "", "bag-seed"),
        ("english", "martian", "martian"),
        ("#player2 p2 Player 2\n", "", "players"),
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
        Store.open(path)


def test_an_existing_file_is_not_begun_anew(tmp_path: Path) -> None:
    path = tmp_path / "game.gcg"
    saved(path)
    with pytest.raises(TableError, match="--resume"):
        Store.create(path, setup(5))
    with pytest.raises(TableError, match="cannot be written"):
        Store.create(tmp_path / "nowhere" / "game.gcg", setup(5))
