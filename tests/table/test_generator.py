"""The generator of plays against every possible play, with few words on boards in mid-game."""

import random
from collections import Counter
from itertools import combinations

from hypothesis import given, settings
from hypothesis import strategies as st

from solver.scrabble.bot import BoardPlay, Leaves, PlayGenerator, kinds_of
from solver.scrabble.graph import PlayableWords, graph_of
from tests.table.twins import plays_by_trying, worth_of
from verify.scrabble.board import Board, board_of
from verify.scrabble.play import Grid, parse_place, place_play
from verify.scrabble.tiles import TileSet, tile_set

ENGLISH = (
    "AA AB AD AE AG AH AI AL AN AS AT EAT TEA SEA RATE TEAR RAIN TRAIN NOTE TONE OATS QI ZA JO XI "
    "RETAINS DE NA TA"
)
SPANISH = "ECHA LLA LLE CHE CHAL LECHE RRO CARRO ARCA CAL AL LA HA CHA OLLA ALA"
MOST = 1 << 14


def some_words(text: str, tiles: TileSet) -> tuple[list[tuple[str, ...]], PlayableWords]:
    words = graph_of(text.split(), tiles)
    return sorted(spelt(text, tiles)), words


def spelt(text: str, tiles: TileSet) -> list[tuple[str, ...]]:
    """The tiles of each word; letters that are one tile together always are."""
    found = []
    for word in text.split():
        rest, letters = word, list[str]()
        while rest:
            tile = max((tile for tile in tiles.values if rest.startswith(tile)), key=len)
            letters.append(tile)
            rest = rest[len(tile) :]
        found.append(tuple(letters))
    return found


def grown(
    generator: PlayGenerator, tiles: TileSet, board: Board, rng: random.Random, turns: int
) -> tuple[Grid, list[str]]:
    """A board after some plays, and a rack."""
    bag = sorted(tiles.bag().elements())
    rng.shuffle(bag)
    grid: Grid = {}
    for _ in range(turns):
        rack = [bag.pop() for _ in range(7)]
        plays = list(generator.best(grid, rack, 50))
        if plays:
            play = rng.choice(plays)
            grid |= place_play(
                board, grid, *parse_place(play.place, board), tiles.split(play.tiles)
            ).new
    rack = [bag.pop() for _ in range(rng.randint(1, 7))]
    if rng.random() < 0.4:
        rack[0] = "?"
    if rng.random() < 0.2:
        rack[-1] = "?"
    return grid, rack


def order_of(play: BoardPlay, board: Board) -> tuple[bool, int, int]:
    """How plays with equal equity are sorted: across first, then by line and place."""
    (row, column), across = parse_place(play.place, board)
    return (not across, row, column) if across else (not across, column, row)


@settings(max_examples=12)
@given(
    seed=st.integers(0, 2**31),
    turns=st.integers(0, 12),
    name=st.sampled_from(["english", "spanish", "english_super"]),
)
def test_all_plays_are_found_each_once_with_its_points(seed: int, turns: int, name: str) -> None:
    tiles = tile_set(name)
    board, rng = board_of(tiles.board), random.Random(seed)
    listed, words = some_words(SPANISH if name == "spanish" else ENGLISH, tiles)
    generator = PlayGenerator(words, tiles, board)
    grid, rack = grown(generator, tiles, board, rng, turns)
    found = list(generator.best(grid, rack, MOST))
    assert len(found) < MOST
    assert Counter((play.place, play.tiles) for play in found).total() == len(
        {(play.place, play.tiles) for play in found}
    )
    assert {(play.place, play.tiles): play.score for play in found} == plays_by_trying(
        listed, tiles, board, grid, rack
    )
    assert found == sorted(found, key=lambda play: (-play.score, *order_of(play, board)))
    for most in (1, 5):
        assert list(generator.best(grid, rack, most)) == found[:most]


@settings(max_examples=20)
@given(seed=st.integers(0, 2**31), turns=st.integers(0, 8))
def test_the_equity_of_a_play_is_its_points_and_what_its_leave_is_worth(
    seed: int, turns: int
) -> None:
    tiles, rng = tile_set("english"), random.Random(seed)
    board = board_of(tiles.board)
    _listed, words = some_words(ENGLISH, tiles)
    kinds = kinds_of(words.tiles)
    leaves = Leaves(
        {tile: (rng.randint(-9, 9), rng.randint(-9, 9)) for tile in kinds},
        {(one, other): rng.randint(-9, 9) for one in kinds for other in kinds if one < other},
    )
    generator = PlayGenerator(words, tiles, board)
    grid, rack = grown(generator, tiles, board, rng, turns)
    found = list(generator.best(grid, rack, MOST, leaves.worth(kinds)))
    for play in found:
        used = Counter(tiles.tile_of(tile) for tile in tiles.split(play.tiles) if tile != ".")
        assert play.equity == 1000 * (
            play.score + worth_of((Counter(rack) - used).elements(), leaves.copies, leaves.pairs)
        )
    assert found == sorted(found, key=lambda play: (-play.equity, *order_of(play, board)))
    for most in (1, 2, 20):
        assert list(generator.best(grid, rack, most, leaves.worth(kinds))) == found[:most]
    for most in (1, 3, 7):
        kept, worth = generator.best_leave(rack, leaves.worth(kinds), most)
        sizes = range(max(0, len(rack) - most), len(rack))
        parts = {tuple(sorted(part)) for size in sizes for part in combinations(rack, size)}
        assert tuple(sorted(kept)) in parts
        assert worth == 1000 * worth_of(kept, leaves.copies, leaves.pairs)
        assert worth == 1000 * max(worth_of(part, leaves.copies, leaves.pairs) for part in parts)
    assert generator.worth(rack, leaves.worth(kinds)) == 1000 * worth_of(
        rack, leaves.copies, leaves.pairs
    )


def test_of_equal_plays_the_first_on_the_board_is_kept_not_the_first_found() -> None:
    tiles = tile_set("english")
    generator = PlayGenerator(graph_of(["AA", "AAA"], tiles), tiles, board_of("standard"))
    found = list(generator.best({}, "AAAB", MOST))
    assert [(play.place, play.tiles) for play in found[:3]] == [
        ("8F", "AAA"),
        ("8G", "AAA"),
        ("8H", "AAA"),
    ]
    for most in range(1, len(found) + 1):
        assert list(generator.best({}, "AAAB", most)) == found[:most]
