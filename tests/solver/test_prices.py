"""Prices of tiles."""

from solver.index.problem import Problem
from solver.model.tiles import BLANK_CODE, ORDER
from solver.search.beam import BLANK_PRICE, LETTER_PRICE, tile_prices


def test_prices_grow_with_value_position_and_rack(challenge: Problem) -> None:
    prices = tile_prices(challenge, LETTER_PRICE, BLANK_PRICE)
    y, w, e = (prices[ORDER.index(letter)] for letter in "ywe")
    assert y > w > e > 0
    assert 0 < prices[BLANK_CODE] < w
    assert not tile_prices(challenge, 0.0, 0.0).any()
