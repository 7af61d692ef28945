"""Prices of tiles."""

from solver.problem import Problem
from solver.search.prices import BLANK, LETTER, tile_prices
from solver.tiles import BLANK_CODE, ORDER


def test_prices_grow_with_value_position_and_rack(challenge: Problem) -> None:
    prices = tile_prices(challenge, LETTER, BLANK)
    y, w, e = (prices[ORDER.index(letter)] for letter in "ywe")
    assert y > w > e > 0
    assert 0 < prices[BLANK_CODE] < w
    assert not tile_prices(challenge, 0.0, 0.0).any()
