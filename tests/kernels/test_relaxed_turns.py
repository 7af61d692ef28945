"""Turns of relaxed games, the whole game of r3, and what its prices say of real states."""

from concurrent.futures import ThreadPoolExecutor
from unittest.mock import patch

import numpy as np
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from solver.bound import r3
from solver.bound.prices import Prices
from solver.kernels.completion_bounds import completion_bounds, rack_worths
from solver.kernels.leave_prices import LeavePrices, leave_cell, leave_price
from solver.kernels.relax_r1 import DrawnTiles
from solver.kernels.relaxed_play import NEVER
from solver.kernels.relaxed_turn import OldOrder, Turn, best_turn, order_by_old
from solver.model.tiles import N_CODES, encode
from solver.model.units import POINT
from tests.bound.games import WORDS, Small, small
from tests.kernels import arrays, relaxed, twins
from tests.kernels.arrays import RACK, by_any_code, by_letter, figures
from tests.kernels.relaxed import RelaxedGame, Word

seeds = st.integers(0, 2**32)
rows = st.lists(st.tuples(st.sampled_from([0, 1, 2, 26]), figures), min_size=2, max_size=10)
# small enough for a recursion over all draws
tiny = st.builds(small, st.text("aeotz?", min_size=1, max_size=8), st.integers(2, 5), st.integers(0, 10_000))


def leaves_of(seed: int, tiles: int) -> LeavePrices:
    rng = np.random.default_rng(seed)
    shape = tiles + RACK + 1, *rng.integers(1, 4, 2), N_CODES
    return LeavePrices(rng.integers(0, 3000, shape), tiles, RACK)


def game_of(row: list[tuple[int, int]], leaves: LeavePrices) -> RelaxedGame:
    """A game without words."""
    codes, price = zip(*row, strict=True)
    return RelaxedGame(codes, RACK, (), (), price, leaves.leave.tolist())


@given(seeds, st.integers(1, 12), st.data())
def test_the_price_of_a_leave_is_that_of_its_part_of_the_game(seed: int, tiles: int, data: st.DataObject) -> None:
    leaves = leaves_of(seed, tiles)
    drawn = data.draw(st.integers(0, tiles))
    left, held = data.draw(st.integers(0, drawn)), data.draw(st.integers(0, RACK - (drawn < tiles)))
    _moments, sides, holds, _codes = leaves.leave.shape
    expected = relaxed.cell(tiles, RACK, sides, holds, drawn, left, held)
    assert leave_cell(leaves, drawn, left, held) == expected
    game = RelaxedGame((0,) * tiles, RACK, (), (), (), leaves.leave.tolist())
    assert leave_price(leaves, drawn, left, held).tolist() == game.held_prices(drawn, left, held)


@given(rows, arrays.words, by_letter, seeds, st.integers(0, RACK - 1), st.data())
def test_words_stand_by_what_they_gain_from_old_tiles(
    row: list[tuple[int, int]], words: list[Word], values: list[int], seed: int, held: int, data: st.DataObject
) -> None:
    drawn = data.draw(st.integers(0, len(row) - 1))
    leaves = leaves_of(seed, len(row))
    game = game_of(row, leaves)
    nodes = [relaxed.by_code(game.row, game.tile, relaxed.drawn_places(len(row), drawn, [left])) for left in range(drawn + 1)]
    near = DrawnTiles(np.array([arrays.counts(node) for node in nodes]), np.array([arrays.cheapest(node) for node in nodes]))
    out = OldOrder(np.full(N_CODES, 5), arrays.new_order(len(words)))
    order_by_old(held, drawn, near, leaves, arrays.word_table(words, values), out)
    costs = [
        (code, node[code][0] + game.held_prices(drawn, left, held)[code]) for left, node in enumerate(nodes) for code in node
    ]
    least = {code: min(cost for other, cost in costs if other == code) for code, _cost in costs}
    assert out.least.tolist() == arrays.or_never(least).tolist()
    assert arrays.is_in_order(words, out.ordered, lambda word: relaxed.reach(word, values, least))


@given(
    arrays.words,
    by_letter,
    arrays.tiles(2, 1),
    arrays.tiles(3, 2),
    by_any_code,
    st.lists(by_any_code, min_size=RACK + 1, max_size=RACK + 1),
    st.lists(st.just(NEVER) | figures, min_size=RACK + 1, max_size=RACK + 1),
    st.sampled_from([0, 1, 100, 9000, 60_000]),
    st.data(),
)
@settings(max_examples=300)
def test_the_best_turn_is_that_of_a_scan(
    words: list[Word],
    values: list[int],
    new: dict[int, list[int]],
    old: dict[int, list[int]],
    more_before: list[int],
    more_after: list[list[int]],
    onward: list[int],
    below: int,
    data: st.DataObject,
) -> None:
    drawn = sum(map(len, new.values()))
    assume(drawn <= RACK)
    held = data.draw(st.integers(0, RACK - drawn if old else 0))
    size = drawn + held
    if one_price := data.draw(st.booleans()):
        more_after = more_after[:1] * (RACK + 1)

    def brings(word: Word) -> int | None:
        if len(word) > size or onward[size - len(word)] == NEVER:
            return None
        gain = relaxed.turn_gain(word, values, new, old, held, more_before, more_after[size - len(word)])
        return None if gain is None else gain + onward[size - len(word)]

    # where words may reach much more at the prices of new tiles, those of old ones are looked at
    slack = data.draw(st.sampled_from([0, 50_000]))

    def by_new(word: Word) -> int | None:
        after = more_after[max(0, size - len(word))]
        least = {c: min([*new.get(c, ()), *old.get(c, ())]) + after[c] for c in {*new, *old}}
        most = relaxed.reach(word, values, least)
        return None if most is None else most + slack

    least_old = {code: prices[0] + more_before[code] for code, prices in old.items()}
    two_orders = data.draw(st.booleans())
    by_old = arrays.ordered(words if two_orders else [], lambda word: relaxed.reach(word, values, least_old))
    brought = [brings(word) for word in words]
    only = data.draw(st.sampled_from([-1, *(number for number, total in enumerate(brought) if total is not None)]))
    looked_at = [total for total in (brought if only < 0 else brought[only : only + 1]) if total is not None]
    # near what is to be found, so that little may be passed over
    best = max(looked_at, default=0) - below
    turn = Turn(
        size,
        held,
        arrays.priced(new, [-88_888] * N_CODES),
        arrays.priced(old, more_before),
        np.array(more_after),
        one_price,
        np.array(onward),
    )
    table = arrays.word_table(words, values)
    found, most = best_turn(
        turn, table, arrays.ordered(words, by_new), OldOrder(arrays.or_never(least_old), by_old), best, only
    )
    assert most == max([best, *looked_at])
    assert (found == -1) if most == best else brought[found] == most


@given(tiny, tiny, st.integers(1, 4))
@settings(max_examples=60)
def test_the_relaxed_game_is_worth_what_a_recursion_finds(game: Small, other: Small, least_old: int) -> None:
    problem, prices = game.problem, game.prices
    rack = problem.puzzle.rack_size
    rng = np.random.default_rng(len(other.row))
    with patch.object(r3, "_LEAST_OLD", least_old), ThreadPoolExecutor(2) as pool:
        relaxation = r3.LeaveRelaxation(problem, pool, uses_leave=True)
        # the best turns at other prices are what it looks at first
        relaxation.evaluate(Prices(rng.permutation(prices.tile), prices.leave[::-1].copy()))
        bound = relaxation.evaluate(prices)
    twin = RelaxedGame(
        tuple(problem.puzzle.row_codes.tolist()),
        rack,
        tuple(tuple(encode(word).tolist()) for word in WORDS if len(word) <= rack),
        tuple((problem.puzzle.value_table.astype(np.int64) * POINT).tolist()),
        tuple(prices.tile.tolist()),
        prices.leave.tolist(),
    )
    assert bound == sum(twin.tile) + twin.value(0, 0, 0)
    assert {state: int(relaxation.values[state]) for state in twin.known} == twin.known


@given(rows, seeds, st.data())
def test_the_rest_from_a_state_is_bounded_by_its_cheapest_tiles(
    row: list[tuple[int, int]], seed: int, data: st.DataObject
) -> None:
    tiles = len(row)
    drawn = data.draw(st.integers(0, tiles))
    left = data.draw(st.integers(0, drawn)) if drawn < tiles else 0
    leaves, rng = leaves_of(seed, tiles), np.random.default_rng(seed)
    game = game_of(row, leaves)
    offered = relaxed.by_code(game.row, game.tile, relaxed.drawn_places(tiles, drawn, [left]))
    mixed = data.draw(st.permutations([code for code, some in offered.items() for _ in some]))
    leave = mixed[: data.draw(st.integers(0, RACK - (drawn < tiles)))]
    undrawn, value = rng.integers(0, 9000, (tiles + 1, tiles + 1)), rng.integers(0, 9000, (tiles + 1, tiles + 1, RACK + 1))
    cheapest = np.full((tiles + 1, tiles + 1, N_CODES, RACK), -99_999)
    cheapest[drawn, left] = arrays.cheapest(offered)
    keys = np.array([twins.key(twins.rank(leave), left)] * 2, dtype=np.uint64)
    bound = np.full(2, 7, dtype=np.int64)
    completion_bounds(keys, drawn - len(leave), undrawn, cheapest, leaves, value, bound)
    more = game.held_prices(drawn, left, len(leave))
    expected = relaxed.rest_bound(leave, offered, more) + int(undrawn[drawn, left] + value[drawn, left, len(leave)])
    assert bound.tolist() == [expected] * 2


@given(st.lists(st.tuples(arrays.tiles(3), by_any_code), min_size=1, max_size=3), st.data())
def test_a_rack_is_worth_what_its_cheapest_tiles_cost(
    nodes: list[tuple[dict[int, list[int]], list[int]]], data: st.DataObject
) -> None:
    keys, before, expected = [], [], []
    for left, (offered, more) in enumerate(nodes):
        mixed = data.draw(st.permutations([code for code, some in offered.items() for _ in some]))
        rack = mixed[: data.draw(st.integers(0, RACK))]
        keys.append(twins.key(twins.rank(rack), left))
        before.append(data.draw(figures))
        expected.append(before[-1] + relaxed.rest_bound(rack, offered, more))
    cheapest = np.array([arrays.cheapest(offered) for offered, _more in nodes])
    worth = np.array(before)
    rack_worths(np.array(keys, dtype=np.uint64), cheapest, np.array([more for _offered, more in nodes]), worth)
    assert worth.tolist() == expected
