"""Turns of relaxed games, the whole game of r3, and what its prices say of real states."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from solver.bound.kernels.completion_bounds import WHOLE, LeavePrices, Window, leave_cell, leave_price, lefts_in
from solver.bound.kernels.relaxed_game import LeavesAfter, RelaxedTurn, best_turn, new_scratch
from solver.bound.kernels.relaxed_play import MINUS_INFINITY
from solver.bound.relaxations import r3
from solver.bound.relaxations.prices import Prices
from solver.model.tiles import N_CODES, POINT, encode
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

    # words may reach more than they gain
    slack = data.draw(st.sampled_from([0, 50_000]))

    def reach(word: Word) -> int | None:
        after = more_after[max(0, size - len(word))]
        least = {c: min([*new.get(c, ()), *old.get(c, ())]) + after[c] for c in {*new, *old}}
        most = relaxed.reach(word, values, least)
        return None if most is None else most + slack

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
        LeavesAfter(np.array(more_after), np.zeros(RACK + 1, np.int64) if one_price else np.arange(RACK + 1), np.array(onward)),
    )
    table = arrays.word_table(words, values)
    found, most = best_turn(turn, table, arrays.ordered(words, reach), best, only, new_scratch(RACK))
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
def test_known_words_never_give_more_than_all_words(game: Small, seed: int, threads: bool) -> None:
    with ThreadPoolExecutor(2) as pool:
        relaxation = r3.LeaveRelaxation(game.problem, pool if threads else None, uses_leave=True)
        bound = relaxation.evaluate(game.prices)
        assert bound == relaxation.evaluate(game.prices, full=False) == relaxation.evaluate(game.prices)
        other = Prices(np.random.default_rng(seed).permutation(game.prices.tile), game.prices.leave)
        some, most = relaxation.evaluate(other, full=False), relaxation.evaluate(other)
        assert some is not None
        assert most is not None
        assert some <= most


@given(tiny, tiny, st.booleans())
@settings(max_examples=60)
def test_the_relaxed_game_is_worth_what_a_recursion_finds(game: Small, other: Small, threads: bool) -> None:
    problem, prices = game.problem, game.prices
    rng = np.random.default_rng(len(other.row))
    with ThreadPoolExecutor(2) as pool:
        relaxation = r3.LeaveRelaxation(problem, pool if threads else None, uses_leave=True)
        # the best turns at other prices are what it looks at first
        relaxation.evaluate(Prices(rng.permutation(prices.tile), prices.leave[::-1].copy()))
        bound = relaxation.evaluate(prices)
    twin: RelaxedGame = twin_of(game)
    assert bound == sum(twin.tile) + twin.value(0, 0, 0)
    assert {state: int(relaxation.values[state]) for state in twin.known} == twin.known
