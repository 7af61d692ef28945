"""The generator of plays against every possible play, with few words on boards in mid-game."""

import random
import re
from collections import Counter
from collections.abc import Iterable
from itertools import combinations, islice

from hypothesis import given, settings
from hypothesis import strategies as st

from solver.scrabble.bot import Bot, Leaves, RankedMove, kinds_of
from solver.scrabble.graph import graph_of
from tests.table.twins import plays_by_trying
from verify.scrabble.board import Board, board_of
from verify.scrabble.play import Grid, parse_place, place_play
from verify.scrabble.tiles import TileSet, tile_set

ENGLISH = (
    "AA AB AD AE AG AH AI AL AN AS AT EAT TEA SEA RATE TEAR RAIN TRAIN NOTE TONE OATS QI ZA JO XI "
    "RETAINS DE NA TA"
)
SPANISH = "ECHA LLA LLE CHE CHAL LECHE RRO CARRO ARCA CAL AL LA HA CHA OLLA ALA"
WORDS = {"english": ENGLISH, "english_super": ENGLISH, "spanish": SPANISH}
MOST = 1 << 14


def spelt(word: str, tiles: TileSet) -> tuple[str, ...]:
    """The tiles of a word; letters that are one tile together always are."""
    longest = sorted(tiles.values, key=len, reverse=True)
    return tuple(re.findall("|".join(longest), word))


def grown(
    ranking: Bot, tiles: TileSet, board: Board, rng: random.Random, turns: int
) -> tuple[Grid, list[str]]:
    """A board after some plays, and a rack."""
    bag = sorted(tiles.bag().elements())
    rng.shuffle(bag)
    grid: Grid = {}
    for _ in range(turns):
        rack = [bag.pop() for _ in range(7)]
        plays = list(ranking.plays(grid, rack, 50))
        if plays:
            play = rng.choice(plays)
            place = parse_place(play.place, board)
            grid |= place_play(board, grid, *place, tiles.split(play.tiles), tiles).new
    rack = [bag.pop() for _ in range(rng.randint(1, 7))]
    if rng.random() < 0.4:
        rack[0] = "?"
    if rng.random() < 0.2:
        rack[-1] = "?"
    return grid, rack


def order_of(play: RankedMove, board: Board) -> tuple[bool, int, int]:
    """How plays with equal equity are sorted: across first, then by line and place."""
    (row, column), across = parse_place(play.place, board)
    return (not across, row, column) if across else (not across, column, row)


@settings(max_examples=12)
@given(
    seed=st.integers(0, 2**31),
    turns=st.integers(0, 12),
    name=st.sampled_from(sorted(WORDS)),
)
def test_all_plays_are_found_each_once_with_its_points(seed: int, turns: int, name: str) -> None:
    tiles = tile_set(name)
    board = board_of(tiles.board)
    words = WORDS[name].split()
    ranking = Bot(graph_of(words, tiles), tiles)
    grid, rack = grown(ranking, tiles, board, random.Random(seed), turns)
    found = list(ranking.plays(grid, rack, MOST))
    assert len(found) < MOST
    scores = {(play.place, play.tiles): play.score for play in found}
    assert len(scores) == len(found)
    listed = [spelt(word, tiles) for word in words]
    assert scores == plays_by_trying(listed, tiles, board, grid, rack)
    assert found == sorted(found, key=lambda play: (-play.score, *order_of(play, board)))
    for most in (1, 5):
        assert list(islice(ranking.plays(grid, rack, most), most)) == found[:most]


@settings(max_examples=20)
@given(seed=st.integers(0, 2**31), turns=st.integers(0, 8))
def test_the_equity_of_a_play_is_its_points_and_what_its_leave_is_worth(
    seed: int, turns: int
) -> None:
    tiles = tile_set("english")
    rng = random.Random(seed)
    board = board_of(tiles.board)
    words = graph_of(ENGLISH.split(), tiles)
    kinds = kinds_of(tiles)
    leaves = Leaves(
        {tile: (rng.randint(-9, 9), rng.randint(-9, 9)) for tile in kinds},
        {(one, other): rng.randint(-9, 9) for one in kinds for other in kinds if one < other},
    )
    ranking = Bot(words, tiles)
    grid, rack = grown(ranking, tiles, board, rng, turns)
    worths = leaves.worth(kinds)
    found = list(ranking.plays(grid, rack, MOST, worths))

    def worth(leave: Iterable[str]) -> float:
        held = Counter(leave)
        copies = sum(leaves.copies[tile][min(count, 2) - 1] for tile, count in held.items())
        both = (worth for pair, worth in leaves.pairs.items() if held.keys() >= {*pair})
        return 1000 * (copies + sum(both))

    for play in found:
        used = Counter(tiles.tile_of(tile) for tile in tiles.split(play.tiles) if tile != ".")
        assert round(1000 * play.equity) == 1000 * play.score + worth(
            (Counter(rack) - used).elements()
        )
    assert found == sorted(found, key=lambda play: (-play.equity, *order_of(play, board)))
    for most in (1, 2, 20):
        plays = ranking.plays(grid, rack, most, worths)
        assert list(islice(plays, most)) == found[:most]
    for most in (1, 3, 7):
        kept, best = ranking.best_leave(rack, worths, most)
        sizes = range(max(0, len(rack) - most), len(rack))
        parts = {tuple(sorted(part)) for size in sizes for part in combinations(rack, size)}
        assert tuple(sorted(kept)) in parts
        assert best == worth(kept) == max(map(worth, parts))
    assert ranking.worth(rack, worths) == worth(rack)
