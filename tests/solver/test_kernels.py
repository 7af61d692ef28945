"""Kernels of indexes and beams against plain Python, on random input."""

from itertools import combinations_with_replacement

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from solver.index.kernels.indexes import (
    OFFSET,
    PACKED_TILES,
    first_code,
    rank_counts,
    unrank_counts,
    unrank_tiles,
    without_first,
)
from solver.model.tiles import N_CODES, counts_of
from solver.search.kernels.states import (
    States,
    left_of,
    lefts_of_keys,
    merge_children,
    packed_key,
    packed_move,
    rank_of,
    ranks_of_keys,
    unpacked,
)
from solver.search.layers import NO_CUTOFF, new_states

codes = st.integers(0, N_CODES - 1)
digits = st.integers(0, 15)


def packed(tiles: list[int]) -> int:
    """Five bits a tile, code + 1, ascending, zeros after the last."""
    return int("".join(f"{tile + 1:05b}" for tile in sorted(tiles)).ljust(5 * PACKED_TILES, "0"), 2)


def test_ranks_number_the_multisets_without_gaps() -> None:
    multisets = [
        some for size in range(4) for some in combinations_with_replacement(range(N_CODES), size)
    ]
    assert sorted(rank_counts(counts_of(some)) for some in multisets) == list(range(len(multisets)))
    assert int(OFFSET[-1]) < 2**37


@given(st.lists(codes, max_size=15))
def test_a_rank_is_taken_apart_into_its_tiles(tiles: list[int]) -> None:
    counts, places = np.full(N_CODES, 9, dtype=np.int8), np.full(15, 99, dtype=np.int64)
    rank = np.uint64(rank_counts(counts_of(tiles)))
    assert unrank_counts(rank, counts) == unrank_tiles(rank, places) == len(tiles)
    assert counts.tolist() == [tiles.count(code) for code in range(N_CODES)]
    assert places.tolist() == sorted(tiles) + [99] * (15 - len(tiles))


@given(st.lists(codes, min_size=1, max_size=PACKED_TILES))
def test_a_packed_multiset_is_taken_apart_tile_by_tile(tiles: list[int]) -> None:
    assert first_code(np.uint64(packed(tiles))) == min(tiles)
    assert without_first(np.uint64(packed(tiles))) == packed(sorted(tiles)[1:])


@given(st.lists(st.tuples(st.integers(0, 2**37 - 1), st.integers(0, 10_000)), min_size=1))
def test_a_key_holds_a_rank_and_left_draws(parts: list[tuple[int, int]]) -> None:
    keys = np.array(
        [packed_key(np.uint64(rank), np.uint64(left)) for rank, left in parts], dtype=np.uint64
    )
    assert [(rank_of(key), left_of(key)) for key in keys] == parts
    assert (
        list(zip(ranks_of_keys(keys).tolist(), lefts_of_keys(keys).tolist(), strict=True)) == parts
    )


@given(digits, digits, digits, digits)
def test_a_move_holds_one_play_or_two(
    left: int, length: int, second_left: int, second_length: int
) -> None:
    both = packed_move(left, length, second_left, second_length)
    assert tuple(unpacked(both)) == (left, length, second_left, second_length)
    assert tuple(unpacked(packed_move(left, length))) == (left, length, 0, 0)
    assert unpacked(np.array([both])).tiles.tolist() == [length + second_length]


Child = tuple[int, int, int, int, int]  # key, priority, score, parent, move
MOST = 40
# few keys and scores, so that children meet; keys of any size, since they are hashed
children = st.lists(
    st.tuples(
        st.integers(0, 6).map(lambda n: n * 0x123456789ABCDEF),
        *[st.integers(0, high) for high in (9, 5, 3, 3)],
    ),
    max_size=MOST,
)


def best_of_each(some: list[Child]) -> list[Child]:
    """Of each key the child with the best score, then the smallest move and parent; of equal
    ones the first."""
    best: dict[int, Child] = {}
    for child in some:
        best[child[0]] = min(best.get(child[0], child), child, key=lambda c: (-c[2], c[4], c[3]))
    return list(best.values())


def filled(some: list[Child]) -> States:
    states = new_states(2 * MOST)
    for i, child in enumerate(some):
        states.key[i], states.priority[i], states.score[i], states.parent[i], states.move[i] = child
    return states


def rows(states: States, count: int) -> list[Child]:
    return list(zip(*(array[:count].tolist() for array in states), strict=True))


@given(children, children, st.integers(0, 9), st.integers(0, 9))
def test_a_layer_keeps_the_best_child_of_each_key(
    first: list[Child], second: list[Child], cutoff: int, later: int
) -> None:
    kept, table = new_states(2 * MOST), np.zeros(128, dtype=np.int32)
    count = merge_children(filled(first), len(first), kept, 0, table, cutoff)
    count = merge_children(filled(second), len(second), kept, count, table, later)
    arrived = [child for child in first if child[1] >= cutoff] + [
        child for child in second if child[1] >= later
    ]
    assert rows(kept, count) == best_of_each(arrived)


@given(children, st.integers(0, 9))
def test_a_compacted_layer_holds_the_rest_in_order_and_finds_it(
    some: list[Child], cutoff: int
) -> None:
    before = best_of_each(some)
    kept, table = filled(before), np.zeros(128, dtype=np.int32)
    count = merge_children(kept, len(before), kept, 0, table, cutoff)
    after = [child for child in before if child[1] >= cutoff]
    assert rows(kept, count) == after
    assert sorted(table[table != 0].tolist()) == list(range(1, count + 1))
    assert merge_children(filled(after), len(after), kept, count, table, NO_CUTOFF) == count
