"""Prices learnt from good games."""

import tomllib
from pathlib import Path

import numpy as np
import pytest

from learn import JOURNAL, Choice, fit, positions_toml, table
from solver.index.problem import Problem
from solver.model.tiles import N_CODES, SCALE
from solver.search import beam as prices_module
from solver.search.beam import tile_prices


def layer(rng: np.random.Generator, hidden: np.ndarray, states: int = 200) -> Choice:
    """States of which the one that is best under `hidden` prices was the good game's."""
    used = rng.integers(0, 3, (states, N_CODES))
    scores = rng.normal(200, 20, states)
    best = int(np.argmax(scores - used @ hidden))
    others = np.arange(states) != best
    leads, more = (scores - scores[best])[others], (used - used[best])[others]
    return Choice(leads.astype(np.float32), more.astype(np.float32), 1)


def test_learnt_prices_rank_games_higher_that_they_were_not_learnt_from() -> None:
    rng = np.random.default_rng(1)
    hidden = rng.uniform(2, 20, N_CODES)
    start = np.full(N_CODES, hidden.mean())
    learnt = fit([[layer(rng, hidden) for _ in range(3)] for _ in range(60)], start)
    others = [layer(rng, hidden) for _ in range(50)]
    ranks = [
        np.mean([choice.rank(prices) for choice in others]) for prices in (hidden, learnt, start)
    ]
    assert ranks[0] == 1 < ranks[1] < ranks[2] / 2
    assert np.abs(learnt - hidden).mean() < np.abs(start - hidden).mean() / 2


def test_the_file_of_positions_gives_the_prices_that_it_was_written_for(
    challenge: Problem, monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted = np.random.default_rng(2).uniform(1, 60, N_CODES)
    fields = tomllib.loads(positions_toml(challenge, wanted))
    positions = np.array([fields["positions"].get(tile, 0.0) for tile in prices_module.ORDER])
    monkeypatch.setattr(prices_module, "typical_positions", lambda: positions)
    prices = tile_prices(challenge, prices_module.LETTER_PRICE, fields["blank"]) / SCALE
    assert prices == pytest.approx(wanted, abs=0.1)


def test_what_was_learnt_is_what_beams_take(root: Path) -> None:
    folder = root / "results/learnt-positions"
    games = list(JOURNAL.entries(folder).values())
    assert (folder / "table.md").read_text() == table(games)
    text = (folder / "letter-positions.toml").read_text()
    assert text == (root / "data/letter-positions.toml").read_text()
    assert tomllib.loads(text)["blank"] == prices_module.BLANK_PRICE
