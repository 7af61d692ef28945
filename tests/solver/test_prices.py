"""Prices of tiles."""

import json
import tomllib
from collections import defaultdict
from pathlib import Path
from statistics import mean

import pytest

from solver.index.problem import Problem
from solver.model.puzzle import load_puzzle
from solver.model.tiles import BLANK_CODE, ORDER
from solver.search.beam import BLANK_PRICE, LETTER_PRICE, tile_prices


def test_dual_positions_are_what_the_bounds_of_ten_rows_say(root: Path) -> None:
    worth = defaultdict(list)
    for number in range(1, 11):
        fields = json.loads((root / f"results/learnt-positions/bounds/shuffled-{number:02}.json").read_text())
        assert fields["relaxation"] == "r1"
        for tile, price in zip(load_puzzle(f"shuffled-{number:02}").row, fields["prices"]["tiles"], strict=True):
            worth[tile].append(float(price))
    values = load_puzzle("challenge").values
    found = {tile: round(mean(prices) / values[tile], 2) for tile, prices in worth.items() if tile in values}
    assert found == pytest.approx(tomllib.loads((root / "data/dual-positions.toml").read_text())["positions"])
    assert len(found) == 26


def test_prices_grow_with_value_position_and_rack(challenge: Problem) -> None:
    prices = tile_prices(challenge, LETTER_PRICE, BLANK_PRICE)
    y, w, e = (prices[ORDER.index(letter)] for letter in "ywe")
    assert y > w > e > 0
    assert 0 < prices[BLANK_CODE] < w
    assert not tile_prices(challenge, 0.0, 0.0).any()
