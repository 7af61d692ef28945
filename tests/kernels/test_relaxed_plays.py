"""Words of relaxed games: masks, orders, and the best play of priced tiles."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.bound.kernels.relaxed_play import (
    MINUS_INFINITY,
    DrawnTiles,
    FreeNodes,
    RelaxedRack,
    best_play,
    cheapest_tiles,
    fill_masks,
    masks_of,
    merge_prices,
    order_words,
    play_value,
    relax_r1,
)
from solver.model.tiles import N_CODES
from tests.kernels import arrays, relaxed
from tests.kernels.arrays import RACK, by_any_code, by_letter, figures
from tests.kernels.relaxed import Word

offers = arrays.tiles(4)
loose_tiles = st.lists(st.integers(0, N_CODES - 1) | st.sampled_from([0, 1, 26]), max_size=20)
onwards = st.dictionaries(st.integers(1, RACK), st.integers(-20_000, 20_000))


def empty_rack(known: list[int], spare: int) -> RelaxedRack:
    """A rack without prices, whose scratch is full of what stood there before."""
    low, high = relaxed.masks(known)
    scratch = np.full(RACK, 55, np.int64), np.full(N_CODES, 66, np.int64)
    price, have = np.full((N_CODES, RACK), -77_777, np.int64), np.full(N_CODES, 9, np.int64)
    return RelaxedRack(np.uint64(low), np.uint64(high), spare, price, have, *scratch)


def rack_of(offered: relaxed.Prices, known: list[int], spare: int) -> RelaxedRack:
    return empty_rack(known, spare)._replace(price=arrays.cheapest(offered), have=arrays.counts(offered))


@given(st.lists(loose_tiles, max_size=4))
def test_masks_have_a_bit_for_each_of_four_copies(words: list[list[int]]) -> None:
    counts = np.array([[some.count(code) for code in range(N_CODES)] for some in words], dtype=np.int64).reshape(-1, N_CODES)
    for row, some in zip(counts, words, strict=True):
        assert [int(mask) for mask in masks_of(row)] == list(relaxed.masks(some))
    low, high = np.zeros((2, len(words)), dtype=np.uint64)
    fill_masks(counts, low, high)
    assert list(zip(low.tolist(), high.tolist(), strict=True)) == [relaxed.masks(some) for some in words]


@given(
    arrays.words,
    by_letter,
    st.lists(st.dictionaries(st.sampled_from([0, *arrays.LETTERS]), figures, min_size=1), min_size=6, max_size=6),
)
def test_words_stand_by_what_they_gain_at_most(words: list[Word], values: list[int], least: list[dict[int, int]]) -> None:
    order = arrays.new_order(len(words))
    order_words(arrays.word_table(words, values), np.array([arrays.or_never(some) for some in least]), order)
    assert arrays.is_in_order(words, order, lambda word: relaxed.reach(word, values, least[len(word)]))


@given(arrays.word, by_letter, offers, st.sampled_from([0, 5000]))
def test_a_play_gains_what_the_best_choice_of_tiles_does(
    word: Word, values: list[int], offered: dict[int, list[int]], discount: int
) -> None:
    offered = {code: [price - discount for price in prices] for code, prices in offered.items()}
    rack = rack_of(offered, [], 0)
    letters = np.array([*word, *[0] * (RACK - len(word))], dtype=np.int8)
    value = play_value(letters, len(word), np.array(values), rack.price, rack.have, rack.gain, rack.used)
    assert value == relaxed.play_gain(word, values, offered)


@given(arrays.tiles(7, 7), by_any_code, arrays.tiles(7, 7), by_any_code, st.integers(0, RACK))
def test_new_tiles_and_old_ones_are_offered_side_by_side(
    new: dict[int, list[int]], new_more: list[int], old: dict[int, list[int]], old_more: list[int], held: int
) -> None:
    rack = empty_rack([], 0)
    # a rack holds no more new tiles than it has places, old ones are any of the row
    new = {code: some[:RACK] for code, some in new.items()}
    merge_prices(arrays.priced(new, new_more), arrays.priced(old, old_more), held, rack)
    expected = relaxed.merged_prices(new, new_more, old, old_more, held)
    for code in range(N_CODES):
        assert rack.price[code, : rack.have[code]].tolist() == expected.get(code, [])[:RACK]


@given(st.integers(0, 2**32), st.sampled_from([0, 1, 3000, 10**6]))
@settings(max_examples=300)
def test_the_best_play_is_that_of_a_scan(seed: int, spread: int) -> None:
    rng = np.random.default_rng(seed)
    values = rng.integers(0, 9000, N_CODES).tolist()
    # a few tiles of all kinds, or enough of one for a word of one letter
    letter = int(rng.choice(arrays.LETTERS))
    copies = {letter: RACK} if rng.random() < 0.5 else {code: int(rng.integers(0, 3)) for code in (1, 2, 26)} | {0: 1}
    offered = {code: sorted(rng.integers(0, 9000, many).tolist()) for code, many in copies.items()}
    known = rng.choice([letter, 1, 2, 26], rng.integers(0, 6)).tolist()
    spare, base = (int(number) for number in rng.integers([0, -9000], [4, 9000]))
    # more words of a length than are looked at at a time
    words = [(letter,) * 3, *arrays.EVERY_WORD_OF_FOUR, (letter,) * RACK]
    gains = {word: relaxed.play_gain(word, values, offered) for word in words}
    # a word may reach more than it gains in the end, and stand anywhere then
    flat = max(gains.values()) if rng.random() < 0.5 else None
    slack = dict(zip(words, rng.integers(0, spread + 1, len(words)).tolist(), strict=True))
    ordered = arrays.ordered(words, lambda word: (flat or gains[word]) + slack[word])
    table, rack = arrays.word_table(words, values), rack_of(offered, known, spare)
    for length in range(1, RACK + 1):
        most = relaxed.best_word([word for word in words if len(word) == length], values, offered, known, spare)
        for best in (-20_000, (most or 0) + base - 1, (most or 0) + base):
            found, brought = best_play(length, table, ordered, rack, base, best)
            if most is None or base + most <= best:
                assert (found, brought) == (-1, best)
            else:
                assert brought == base + most
                assert relaxed.best_word([words[found]], values, offered, known, spare) == most
                assert len(words[found]) == length


@given(st.lists(st.tuples(st.sampled_from([0, 1, 2]), figures), min_size=1, max_size=14), st.integers(1, 4), st.data())
def test_a_node_has_the_cheapest_tiles_that_any_of_its_draws_may_have_drawn(
    row: list[tuple[int, int]], width: int, data: st.DataObject
) -> None:
    codes, price = [code for code, _price in row], [price for _code, price in row]
    drawn, nodes = data.draw(st.integers(0, len(row))), 16
    drawn_tiles = DrawnTiles(np.full((nodes, N_CODES), 9, np.int64), np.full((nodes, N_CODES, RACK), 99, np.int64))
    last = drawn // width + 1
    cheapest_tiles(np.array(codes, dtype=np.uint8), np.array(price), drawn, 0, last, width, drawn_tiles)
    for node in range(last):
        lefts = [left for left in range(node * width, (node + 1) * width) if left <= drawn]
        expected = relaxed.by_code(codes, price, relaxed.drawn_places(len(row), drawn, lefts))
        assert drawn_tiles.counts[node].tolist() == arrays.counts(expected).tolist()
        for code, some in expected.items():
            assert drawn_tiles.cheapest[node, code, : len(some)].tolist() == some[:RACK]
    assert (drawn_tiles.counts[last:] == 9).all()


@given(
    arrays.some_words, by_letter, st.lists(st.tuples(arrays.tiles(3), onwards), min_size=1, max_size=3), st.integers(1, RACK)
)
def test_a_node_of_r1_has_the_best_play_of_any_drawn_tiles(
    words: list[Word], values: list[int], some: list[tuple[dict[int, list[int]], dict[int, int]]], size: int
) -> None:
    onward = np.array(
        [[after.get(length, MINUS_INFINITY) for length in range(RACK + 1)] for _offered, after in some], dtype=np.int64
    )
    nodes = FreeNodes(onward, np.full(len(some), 5), np.full(len(some), 5, dtype=np.int32))
    drawn_tiles = DrawnTiles(
        np.array([arrays.counts(offered) for offered, _after in some]),
        np.array([arrays.cheapest(offered) for offered, _after in some]),
    )
    least = {code: min(some[0] for some in [o[code] for o, _ in some if code in o]) for o, _ in some for code in o}
    ordered = arrays.ordered(words, lambda word: relaxed.reach(word, values, least))
    relax_r1(0, len(some), size, arrays.word_table(words, values), ordered, drawn_tiles, nodes)
    for node, (offered, after) in enumerate(some):
        allowed = {length: more for length, more in after.items() if length <= size}
        assert nodes.value[node] == relaxed.free_value(words, values, offered, allowed)
        chosen = int(nodes.word[node])
        assert nodes.value[node] == relaxed.free_value([words[chosen]] if chosen >= 0 else [], values, offered, allowed)
        assert (chosen >= 0) == (nodes.value[node] > 0)
