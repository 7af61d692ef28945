"""Packed multisets, ranks, keys and moves."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from solver.index.kernels.indexes import first_code, rank_counts, unrank_counts, unrank_tiles, without_first
from solver.model.tiles import N_CODES, counts_of
from solver.search.kernels.states import (
    left_of,
    lefts_of_keys,
    packed_key,
    packed_move,
    packed_moves,
    rank_of,
    ranks_of_keys,
    unpacked,
)
from tests.kernels import twins

codes = st.integers(0, N_CODES - 1)
racks = st.lists(codes, max_size=15)
ranks = st.integers(0, 2**37 - 1)
lefts = st.integers(0, 10_000)
digits = st.integers(0, 15)


@given(st.lists(codes, min_size=1, max_size=twins.TILES))
def test_a_packed_multiset_is_taken_apart_tile_by_tile(tiles: list[int]) -> None:
    assert first_code(np.uint64(twins.packed(tiles))) == twins.first_tile(tiles)
    assert without_first(np.uint64(twins.packed(tiles))) == twins.packed_rest(tiles)


@given(racks)
def test_a_rank_counts_the_multisets_before(tiles: list[int]) -> None:
    assert rank_counts(counts_of(tiles)) == twins.rank(tiles)


@given(racks)
def test_a_rank_is_taken_apart_into_its_tiles(tiles: list[int]) -> None:
    counts, places = np.full(N_CODES, 9, dtype=np.int8), np.full(15, 99, dtype=np.int64)
    rank = np.uint64(twins.rank(tiles))
    assert unrank_counts(rank, counts) == len(tiles)
    assert counts.tolist() == [tiles.count(code) for code in range(N_CODES)]
    assert unrank_tiles(rank, places) == len(tiles)
    assert places.tolist() == sorted(tiles) + [99] * (15 - len(tiles))


@given(st.lists(st.tuples(ranks, lefts), min_size=1))
def test_a_key_holds_a_rank_and_left_draws(parts: list[tuple[int, int]]) -> None:
    keys = [twins.key(rank, left) for rank, left in parts]
    for key, (rank, left) in zip(keys, parts, strict=True):
        assert packed_key(np.uint64(rank), np.uint64(left)) == key
        assert rank_of(np.uint64(key)) == rank
        assert left_of(np.uint64(key)) == left
    many = np.array(keys, dtype=np.uint64)
    assert list(zip(ranks_of_keys(many).tolist(), lefts_of_keys(many).tolist(), strict=True)) == parts


@given(digits, digits, digits, digits)
def test_a_move_holds_one_play_or_two(left: int, length: int, second_left: int, second_length: int) -> None:
    assert packed_move(left, length) == twins.move(left, length)
    both = twins.move(left, length, second_left, second_length)
    assert packed_moves(left, length, second_left, second_length) == both
    assert tuple(unpacked(both)) == (left, length, second_left, second_length)
    assert tuple(unpacked(twins.move(left, length))) == (left, length, 0, 0)
    assert unpacked(np.array([both])).tiles.tolist() == [length + second_length]
