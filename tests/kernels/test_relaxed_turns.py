"""Turns of relaxed games, the whole game of r3, and what its prices say of real states."""

from concurrent.futures import ThreadPoolExecutor
from unittest.mock import patch

import numpy as np
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from solver.bound.kernels.game_orders import OldOrders, RelaxedStates, order_old
from solver.bound.kernels.game_orders import RelaxedGame as Bundle
from solver.bound.kernels.leave_prices import WHOLE, LeavePrices, Window, leave_cell, leave_price, lefts_in
from solver.bound.kernels.relax_r1 import DrawnTiles
from solver.bound.kernels.relax_r3 import MOST_SLACK
from solver.bound.kernels.relaxed_play import MINUS_INFINITY
from solver.bound.kernels.relaxed_turn import OldOrder, RelaxedTurn, best_turn, new_scratch
from solver.bound.relaxations import r3
from solver.bound.relaxations.prices import Effort, Prices
from solver.model.tiles import N_CODES, encode
from solver.model.units import POINT
from tests.bound.games import WORDS, Small, small
from tests.kernels import arrays, relaxed
from tests.kernels.arrays import RACK, by_any_code, by_letter, figures
from tests.kernels.relaxed import RelaxedGame, Word

seeds = st.integers(0, 2**32)
rows = st.lists(st.tuples(st.sampled_from([0, 1, 2, 26]), figures), min_size=2, max_size=10)
# small enough for a recursion over all draws
tiny = st.builds(small, st.text("aeotz?", min_size=1, max_size=8), st.integers(2, 5), st.integers(0, 10_000))


def leaves_of(seed: int, tiles: int) -> LeavePrices:
    rng = np.random.default_rng(seed)
    shape = tiles + RACK + 1, *rng.integers(1, 4, 2), N_CODES
    return LeavePrices(rng.integers(0, 3000, shape), tiles, RACK, WHOLE)


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


@given(st.integers(0, 12), st.data())
def test_a_window_holds_all_left_draws_that_its_states_can_reach(first: int, data: st.DataObject) -> None:
    low = data.draw(st.integers(0, first))
    high = data.draw(st.integers(low, first))
    drawn = data.draw(st.integers(first, first + 6))
    lefts = relaxed.window_lefts(low, high, drawn - first)
    assert lefts_in(Window(first, low, high), drawn) == (lefts[0], lefts[-1])
    sides, tiles = data.draw(st.integers(1, 4)), first + 7
    leaves = LeavePrices(np.zeros((tiles + RACK + 1, sides, 1, N_CODES), np.int64), tiles, RACK, Window(first, low, high))
    found = [leave_cell(leaves, drawn, left, 0)[1] for left in lefts]
    assert found == [relaxed.cell(99, RACK, sides, 1, len(lefts) - 1, place, 0)[1] for place in range(len(lefts))]


@given(tiny, st.data())
@settings(max_examples=40)
def test_a_game_from_a_window_on_is_worth_there_what_the_whole_game_is(game: Small, data: st.DataObject) -> None:
    """With prices that are the same on all sides."""
    problem, rack = game.problem, game.problem.puzzle.rack_size
    tiles = len(game.row)
    prices = Prices(game.prices.tile, np.ascontiguousarray(game.prices.leave[:, :1]))
    first = data.draw(st.integers(min(rack, tiles), tiles))
    low = data.draw(st.integers(0, first))
    window = Window(first, low, data.draw(st.integers(low, first)))
    with ThreadPoolExecutor(1) as pool:
        whole, part = (r3.LeaveRelaxation(problem, pool, uses_leave=True, window=some) for some in (WHOLE, window))
        whole.relax(prices)
        part.relax(prices)
    for drawn in range(first, tiles):
        some, most = lefts_in(window, drawn)
        assert (part.values[drawn, some : most + 1] == whole.values[drawn, some : most + 1]).all()
    assert (part.values[tiles, 0] == whole.values[tiles, 0]).all()


@given(tiny, st.integers(0, 99))
@settings(max_examples=40)
def test_a_game_of_some_words_is_worth_no_more_and_with_the_best_ones_as_much(game: Small, seed: int) -> None:
    rng = np.random.default_rng(seed)
    with ThreadPoolExecutor(1) as pool:
        relaxation = r3.LeaveRelaxation(game.problem, pool, uses_leave=True)
        relaxation.relax(game.prices)
        whole, best = relaxation.values.copy(), relaxation.best_words()
        relaxation.relax(game.prices, chosen=best)
        assert (relaxation.values == whole).all()
        other = Prices(rng.permutation(game.prices.tile), game.prices.leave)
        relaxation.relax(other, chosen=best)
        some = relaxation.values.copy()
        relaxation.relax(other)
        assert (some <= relaxation.values).all()


def bundle_of(
    game: RelaxedGame, leaves: LeavePrices, words: list[Word], values: list[int], drawn_tiles: DrawnTiles, drawn: int
) -> Bundle:
    """A game as kernels take it, with the tiles drawn after `drawn` draws alone."""
    tiles = len(game.row)
    shape = tiles + 1, tiles + 1, RACK + 1
    all_drawn_tiles = DrawnTiles(*(np.zeros((tiles + 1, *part.shape), dtype=np.int64) for part in drawn_tiles))
    for whole, part in zip(all_drawn_tiles, drawn_tiles, strict=True):
        whole[drawn] = part
    states = RelaxedStates(np.zeros(shape, np.int64), np.zeros(shape, np.int8), np.zeros(shape, np.int32))
    table, orders = arrays.word_table(words, values), [arrays.new_order(len(words)) for _ in range(RACK)]
    ordered = type(orders[0])(*map(np.stack, zip(*orders, strict=True)))
    by_old = OldOrders(0, np.full((RACK, N_CODES), 5), ordered)
    codes, price = np.array(game.row, np.uint8), np.array(game.tile)
    active = np.ones(shape, dtype=np.bool_)
    return Bundle(
        codes,
        tiles + 1,
        price,
        all_drawn_tiles,
        leaves,
        table,
        ordered,
        by_old,
        states,
        states,
        active,
        np.zeros(shape, np.int64),
    )


@given(rows, arrays.words, by_letter, seeds, st.integers(0, RACK - 1), st.data())
def test_words_stand_by_what_they_gain_from_old_tiles(
    row: list[tuple[int, int]], words: list[Word], values: list[int], seed: int, held: int, data: st.DataObject
) -> None:
    drawn = data.draw(st.integers(1, len(row) - 1))
    leaves = leaves_of(seed, len(row))
    game = game_of(row, leaves)
    nodes = [relaxed.by_code(game.row, game.tile, relaxed.drawn_places(len(row), drawn, [left])) for left in range(drawn + 1)]
    drawn_tiles = DrawnTiles(
        np.array([arrays.counts(node) for node in nodes]), np.array([arrays.cheapest(node) for node in nodes])
    )
    after = drawn + RACK - held
    bundle = bundle_of(game, leaves, words, values, drawn_tiles, drawn)
    order_old(held, after, after, bundle)
    out = OldOrder(bundle.by_old.least[held], type(bundle.by_old.ordered)(*(array[held] for array in bundle.by_old.ordered)))
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
    st.lists(st.just(MINUS_INFINITY) | figures, min_size=RACK + 1, max_size=RACK + 1),
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
        if len(word) > size or onward[size - len(word)] == MINUS_INFINITY:
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
    turn = RelaxedTurn(
        size,
        held,
        arrays.priced(new, [-88_888] * N_CODES),
        arrays.priced(old, more_before),
        np.array(more_after),
        one_price,
        np.array(onward),
    )
    table = arrays.word_table(words, values)
    old_order = OldOrder(arrays.or_never(least_old), by_old)
    found, most = best_turn(turn, table, arrays.ordered(words, by_new), old_order, best, only, new_scratch(RACK))
    assert most == max([best, *looked_at])
    assert (found == -1) if most == best else brought[found] == most


def twin_of(game: Small) -> RelaxedGame:
    puzzle, prices, rack = game.problem.puzzle, game.prices, game.problem.puzzle.rack_size
    return RelaxedGame(
        tuple(puzzle.row_codes.tolist()),
        rack,
        tuple(tuple(encode(word).tolist()) for word in WORDS if len(word) <= rack),
        tuple((puzzle.value_table.astype(np.int64) * POINT).tolist()),
        tuple(prices.tile.tolist()),
        prices.leave.tolist(),
    )


@given(tiny, st.integers(0, 99), st.booleans())
@settings(max_examples=60)
def test_slack_is_what_the_best_game_through_a_state_falls_short(game: Small, seed: int, threads: bool) -> None:
    with ThreadPoolExecutor(2) as pool:
        relaxation = r3.LeaveRelaxation(game.problem, pool if threads else None, uses_leave=True)
        bound = relaxation.evaluate(game.prices, effort=Effort.REFRESH)
        assert bound == relaxation.evaluate(game.prices, effort=Effort.SPARING)
        slack, active = relaxation.slack.copy(), relaxation.active.copy()
        twin: RelaxedGame = twin_of(game)
        expected = twin.slacks()
        tiles = len(game.row)
        for drawn, left, held in np.ndindex(tiles, tiles + 1, slack.shape[2]):
            short = expected.get((drawn, left, held), MOST_SLACK + 1)
            assert min(slack[drawn, left, held], MOST_SLACK + 1) == min(short, MOST_SLACK + 1)
            assert active[drawn, left, held] == (short <= MOST_SLACK)
        assert bound == relaxation.evaluate(game.prices)
        other = Prices(np.random.default_rng(seed).permutation(game.prices.tile), game.prices.leave)
        bounds = [relaxation.evaluate(other, effort=effort) for effort in (Effort.SPARING, Effort.REFRESH, Effort.FULL)]
        assert max(bounds[:2]) <= bounds[2]


@given(tiny, tiny, st.integers(1, 4), st.booleans())
@settings(max_examples=60)
def test_the_relaxed_game_is_worth_what_a_recursion_finds(game: Small, other: Small, least_old: int, threads: bool) -> None:
    problem, prices = game.problem, game.prices
    rng = np.random.default_rng(len(other.row))
    with patch.object(r3, "_LEAST_OLD", least_old), ThreadPoolExecutor(2) as pool:
        relaxation = r3.LeaveRelaxation(problem, pool if threads else None, uses_leave=True)
        # the best turns at other prices are what it looks at first
        relaxation.evaluate(Prices(rng.permutation(prices.tile), prices.leave[::-1].copy()))
        bound = relaxation.evaluate(prices)
    twin: RelaxedGame = twin_of(game)
    assert bound == sum(twin.tile) + twin.value(0, 0, 0)
    assert {state: int(relaxation.values[state]) for state in twin.known} == twin.known
