"""Relaxed games against the referee's plain recursion: values, completion bounds, and parts."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import product

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.bound.ascent import Bound
from solver.bound.certificate import certificate
from solver.bound.kernels.completion_bounds import Window
from solver.bound.kernels.packed_states import packed
from solver.bound.kernels.relaxed_play import (
    RackRoom,
    RelaxedRack,
    RelaxedWords,
    Tiles,
    WordOrder,
    best_play,
)
from solver.bound.prices import Prices
from solver.bound.relaxation import Relaxation
from solver.bound.sweeps.outlooks import FocusPrices, Outlooks, all_foci
from solver.index.kernels.indexes import rank_counts
from solver.model.tiles import N_CODES, counts_of, encode
from tests.bound.games import Small, leaves, parsed, small
from tests.bound.plain import PlainCheck

# short enough for a recursion over all draws
seeds = st.integers(0, 10_000)
short = st.builds(small, st.text("aeotz?", min_size=1, max_size=8), st.integers(2, 5), seeds)
# more words of a length than are looked at at a time, and words with up to four equal letters
CROWD = sorted(["a", "bb", "zab", *map("".join, product("abz", repeat=4))])
# of a row with all letters many words reach more than those that the last tiles allow
rows = st.text("aaabz?", min_size=4, max_size=5).map(lambda text: f"bz{text}aaba")
crowded = st.builds(small, rows, st.just(4), seeds, st.just(CROWD))


def plain_of(game: Small, bound: Bound) -> PlainCheck:
    """The plain recursion of the certificate of a bound."""
    return PlainCheck(parsed(certificate(game.problem, bound)), game.problem.lexicon.words)


def others(game: Small, seed: int) -> Prices:
    """The prices of a game in another order."""
    tile = np.random.default_rng(seed).permutation(game.prices.tile)
    return Prices(tile, game.prices.leave[::-1].copy())


def check_r3(game: Small, seed: int, threads: int) -> None:
    with ThreadPoolExecutor(2) as pool:
        relaxation = Relaxation(game.problem, pool if threads else None, uses_leave=True)
        # the best turns at other prices are what it looks at first
        relaxation.evaluate(others(game, seed))
        bound = relaxation.evaluate(game.prices)
    plain = plain_of(game, Bound(game.prices, 0))
    assert bound == plain.bound_of_prices
    known = plain.foci[0]._values
    assert known
    assert {node: int(relaxation.values[node]) for node in known} == known


@given(short, st.integers(0, 99), st.booleans())
@settings(max_examples=25)
def test_r3_is_worth_what_the_plain_recursion_finds_in_every_state(
    game: Small, seed: int, threads: bool
) -> None:
    check_r3(game, seed, threads)


@given(crowded, st.integers(0, 99))
@settings(max_examples=5)
def test_r3_looks_at_every_word_of_a_crowd(game: Small, seed: int) -> None:
    check_r3(game, seed, threads=False)


@given(short, st.integers(0, 10_000), st.integers(0, 40))
@settings(max_examples=20)
def test_completion_bounds_are_those_of_the_plain_foci(game: Small, seed: int, score: int) -> None:
    rng = np.random.default_rng(seed)
    tiles = len(game.row)
    rack = game.problem.puzzle.rack_size
    foci = []
    for _focus in range(3):
        first = int(rng.integers(min(rack, tiles), tiles + 1))
        low, high = np.sort(rng.integers(0, first + 1, 2)).tolist()
        prices = replace(game.prices, tile=rng.permutation(game.prices.tile))
        foci.append(FocusPrices(int(rng.integers(1, first + 1)), Window(first, low, high), prices))
    with ThreadPoolExecutor(1) as pool:
        outlooks = Outlooks(game.problem, all_foci(game.problem, pool, game.prices, foci))
    plain = plain_of(game, Bound(game.prices, 0, foci=tuple(foci)))
    for played, left, leave in leaves(plain.game.certificate, lambda _drawn, _left: True):
        state = np.array(
            [packed(rank_counts(counts_of(encode(leave))), left, score)], dtype=np.uint64
        )
        bounds = plain.bounds(played, (left, leave), score)
        # that of one focus; the lowest; and those of foci up to the first that is low enough
        assert outlooks.bounds(state, played)[0] in bounds
        assert outlooks.bounds(state, played, -(10**12))[0] == min(bounds)
        least = int(np.median(bounds))
        assert (outlooks.bounds(state, played, least)[0] < least) == (min(bounds) < least)


def test_a_scan_goes_on_after_many_words_that_the_rack_cannot_play() -> None:
    letters = np.array([[26]] * 99 + [[1]], dtype=np.int8)
    low = np.uint64(1) << (letters[:, 0] - 1).astype(np.uint64)
    masks = np.array([low, np.zeros_like(low)])
    words = RelaxedWords(np.array([0, 0, 100]), letters, masks, np.full(N_CODES, 7))
    order = WordOrder(np.arange(100, dtype=np.int32), np.full(100, 10**6), masks)
    have = np.zeros(N_CODES, dtype=np.int64)
    have[[1, 26]] = 1  # z was drawn, but is not known to be held
    gain = np.zeros(1, dtype=np.int64)
    used = np.zeros(N_CODES, dtype=np.int64)
    room = RackRoom(Tiles(have, np.full((N_CODES, 1), 2)), gain, used)
    rack = RelaxedRack(np.uint64(1), np.uint64(0), 0, room)
    assert best_play(1, words, order, rack, 30, 0) == (99, 30 + 7 - 2)
