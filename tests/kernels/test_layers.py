"""The layers of a beam, and the room that threads have."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from solver.search.kernels.fishing import new_scratch
from solver.search.kernels.states import States, compact, merge_children, write_child
from solver.search.layers import NO_CUTOFF, new_children, new_states
from tests.kernels import twins

MOST = 40
# few keys and scores, so that children meet; keys of any size, since they are hashed
children = st.lists(
    st.tuples(st.integers(0, 6).map(lambda n: n * 0x123456789ABCDEF), *[st.integers(0, high) for high in (9, 5, 3, 3)]),
    max_size=MOST,
)


def filled(some: list[twins.Child]) -> States:
    states = new_states(2 * MOST)
    for i, child in enumerate(some):
        states.key[i], states.priority[i], states.score[i], states.parent[i], states.move[i] = child
    return states


@given(children, children, st.integers(0, 9), st.integers(0, 9))
def test_a_layer_keeps_the_best_child_of_each_key(
    first: list[twins.Child], second: list[twins.Child], cutoff: int, last_cutoff: int
) -> None:
    kept, table = new_states(2 * MOST), np.zeros(128, dtype=np.int32)
    count = merge_children(filled(first), len(first), kept, 0, table, cutoff)
    count = merge_children(filled(second), len(second), kept, count, table, last_cutoff)
    arrived = twins.without_low(first, cutoff) + twins.without_low(second, last_cutoff)
    assert list(zip(*(array[:count].tolist() for array in kept), strict=True)) == list(twins.merged(arrived).values())


@given(children, st.integers(0, 9))
def test_a_compacted_layer_holds_the_rest_in_order_and_finds_it(some: list[twins.Child], cutoff: int) -> None:
    before = list(twins.merged(some).values())
    kept, table = filled(before), np.full(128, 3, dtype=np.int32)
    count = compact(kept, len(before), table, cutoff)
    after = twins.without_low(before, cutoff)
    assert list(zip(*(array[:count].tolist() for array in kept), strict=True)) == after
    assert sorted(table[table != 0].tolist()) == list(range(1, count + 1))
    assert merge_children(filled(after), len(after), kept, count, table, NO_CUTOFF) == count


@given(st.lists(st.tuples(st.integers(1, 4), st.tuples(*[st.integers(0, 99)] * 5)), max_size=MOST))
def test_children_stand_by_the_tiles_that_they_have_played(written: list[tuple[int, twins.Child]]) -> None:
    out = new_children(4, MOST)
    for length, (key, priority, score, parent, move) in written:
        write_child(out, length, np.uint64(key), priority, score, parent, move)
    assert out.count.sum() == len(written)
    for length, some in twins.by_length(written).items():
        assert list(zip(*(array[length, : out.count[length]].tolist() for array in out.states), strict=True)) == some


@given(st.integers(1, 20))
def test_there_is_room_for_every_draw_less_every_tile(most: int) -> None:
    scratch = new_scratch(most)
    assert [len(array) for array in scratch] == twins.scratch_sizes(most)
    assert not any(array.any() for array in scratch)
