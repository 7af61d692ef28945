"""The parts of the checker of certificates: compiled code against the plain one, and against the solver's."""

from concurrent.futures import ThreadPoolExecutor
from itertools import combinations_with_replacement

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.bound.kernels.leave_prices import Window, lefts_in
from solver.bound.relaxations.prices import linear
from solver.bound.relaxations.r3 import LeaveRelaxation
from solver.model.tiles import N_CODES, decode
from tests.bound.games import Small, smalls
from tests.bound.held import HeldGame
from tests.reference import draws
from verify.bound.drawing import draw_all
from verify.bound.foci import WHOLE, Focus, Settled, compiled_words
from verify.bound.numbers import MOST_TILES, joined, left_of, number_of, score_of, spell, spelled_tiles, state_number, tiles_of
from verify.bound.prices import _between_knots
from verify.bound.relaxed_game import Prices
from verify.bound.word_arrays import BLANK_KIND, KINDS


def prices_of(game: Small) -> Prices:
    """The prices as the checker has them: its kinds are in the order of the alphabet, blanks last."""
    leave = np.zeros((*game.prices.leave.shape[:3], KINDS), dtype=np.int64)
    for code in range(N_CODES):
        tile = decode([code])
        leave[..., BLANK_KIND if tile == "?" else ord(tile) - ord("a")] = game.prices.leave[..., code]
    return Prices(game.prices.tile.tolist(), leave)


def settled(game: Small, window: tuple[int, int, int]) -> Settled:
    with ThreadPoolExecutor(2) as pool:
        return Settled.of(Focus(0, window, prices_of(game)), game.rules, compiled_words(game.rules), pool, lambda: None)


@given(game=smalls)
@settings(max_examples=20, deadline=None)
def test_compiled_and_plain_code_agree_on_every_state(game: Small) -> None:
    plain = HeldGame(game.rules, prices_of(game))
    bound, found = plain.held_bound(), settled(game, WHOLE)
    assert found.bound == bound
    for drawn, value in plain.value.items():
        assert (found.most[drawn, : value.shape[0], : value.shape[1]] == value).all()


@given(game=smalls, data=st.data())
@settings(max_examples=20, deadline=None)
def test_solver_and_checker_agree_on_every_window(game: Small, data: st.DataObject) -> None:
    tiles, rack = len(game.row), game.rules.rack_size
    first = data.draw(st.integers(min(rack, tiles), tiles))
    low = data.draw(st.integers(0, first))
    window = Window(first, low, data.draw(st.integers(low, first)))
    with ThreadPoolExecutor(1) as pool:
        relaxation = LeaveRelaxation(game.problem, pool, uses_leave=True, window=window)
        relaxation.relax(game.prices)
    found = settled(game, tuple(window))
    for drawn in range(first, tiles):
        some, most = lefts_in(window, drawn)
        assert (found.most[drawn, some : most + 1] == relaxation.values[drawn, some : most + 1]).all()
    assert (found.most[tiles, 0] == relaxation.values[tiles, 0]).all()


@given(st.lists(st.integers(0, 18), min_size=1, max_size=6, unique=True).map(sorted), st.integers(0, 999))
def test_solver_and_checker_agree_on_prices_between_knots(knots: list[int], seed: int) -> None:
    at_knots = np.random.default_rng(seed).integers(0, 9000, (len(knots), 2, 1, KINDS))
    spread = np.zeros((19, 2, 1, KINDS), dtype=np.int64)
    spread[knots] = at_knots
    assert (_between_knots(spread, knots) == linear(at_knots, tuple(knots), 19)).all()


def test_every_multiset_has_a_number_of_its_own() -> None:
    seen = set()
    for size in range(4):
        for tiles in combinations_with_replacement((1, 2, 9, 26, 27), size):
            descending = np.array([*sorted(tiles, reverse=True), *[0] * (MOST_TILES - size)], dtype=np.int64)
            number = number_of(descending, size)
            seen.add(int(number))
            state = np.uint64(state_number(13, np.uint64(number), 99))
            read = np.zeros(MOST_TILES, dtype=np.int64)
            assert (tiles_of(state, read), left_of(state), score_of(state)) == (size, 13, 99)
            assert (read == descending).all()
            again = np.zeros(MOST_TILES, dtype=np.int64)
            assert spelled_tiles(spell(np.array([state], dtype=np.uint64))[0], again) == size
            assert (again == descending).all()
    assert len(seen) == 1 + 5 + 15 + 35
    assert number_of(np.full(MOST_TILES, 27), MOST_TILES) < 1 << 29


def test_of_equal_states_the_best_is_kept() -> None:
    states = [
        state_number(left, np.uint64(number), score) for left, number, score in ((1, 5, 7), (1, 5, 9), (2, 5, 1), (1, 4, 3))
    ]
    found = joined([np.sort(np.array(states, dtype=np.uint64)), np.array(states[:1], dtype=np.uint64)])
    assert [(left_of(state), score_of(state)) for state in found] == [(1, 3), (1, 9), (2, 1)]


@given(row=st.text("abez?", min_size=1, max_size=14), data=st.data())
def test_the_checker_makes_the_draws_of_the_game(row: str, data: st.DataObject) -> None:
    rack = data.draw(st.integers(2, 7))
    left = data.draw(st.integers(0, len(row)))
    right = data.draw(st.integers(0, len(row) - left))
    drawn = row[:left] + row[len(row) - right :]
    leave = "".join(data.draw(st.permutations(drawn)))[: data.draw(st.integers(0, rack - 1))]

    def kind(tile: str) -> int:
        return BLANK_KIND + 1 if tile == "?" else ord(tile) - ord("a") + 1

    def number(tiles: str) -> np.uint64:
        kinds = np.array(sorted(map(kind, tiles), reverse=True), dtype=np.int64)
        return np.uint64(number_of(kinds, len(kinds)))

    kinds = np.array([kind(tile) for tile in row], dtype=np.int64)
    states = np.array([state_number(left, number(leave), 5)], dtype=np.uint64)
    found = set()
    for target in range(len(row) + 1):
        room = np.empty(1, dtype=np.uint64)
        found |= set(room[: draw_all(states, spell(states), left + right - len(leave), kinds, rack, target, room)].tolist())
    expected = {
        int(state_number(0 if new_left + new_right == len(row) else new_left, number(tiles), 5))
        for new_left, new_right, tiles in draws(row, left, right, leave, rack)
    }
    assert found == expected
