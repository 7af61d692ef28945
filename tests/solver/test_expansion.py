"""Draws and plays of a beam against the plain game."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.kernels.ranks import LEFT_BITS, rank_counts, unrank_counts
from solver.lexicon import Lexicon
from solver.problem import Problem
from solver.puzzle import Puzzle
from solver.search.expander import SCALE, ClosedExpander, Cuts, Expander, SpendingExpander, draw
from solver.search.layers import CLOSED_GATE, NO_CUT
from solver.search.prices import tile_prices
from solver.tiles import N_CODES, counts_of, decode, encode
from tests.reference import VALUES, best_by_tiles, draws

LEFT_MASK = (1 << LEFT_BITS) - 1


def problem_of(lexicon: Lexicon, row: str, rack_size: int) -> Problem:
    return Problem(Puzzle("test", row, rack_size, "test", VALUES), lexicon)


def tiles_of(key: int) -> str:
    counts = np.zeros(N_CODES, dtype=np.int8)
    unrank_counts(np.uint64(key >> LEFT_BITS), counts)
    return "".join(sorted(decode(np.repeat(np.arange(N_CODES), counts))))


def state(left: int, leave: str, priority: int = 0, score: int = 0) -> tuple[np.ndarray, ...]:  # type: ignore[type-arg]
    key = (int(rank_counts(counts_of(encode(leave)))) << LEFT_BITS) | left
    return np.array([key], dtype=np.uint64), np.array([priority], dtype=np.int64), np.array([score], dtype=np.int32)


@given(row=st.text("abez?", min_size=1, max_size=14), data=st.data())
def test_draws_of_a_state_are_those_of_the_game(small_lexicon: Lexicon, row: str, data: st.DataObject) -> None:
    rack_size = data.draw(st.integers(2, 7))
    left = data.draw(st.integers(0, len(row)))
    right = data.draw(st.integers(0, len(row) - left))
    drawn = row[:left] + row[len(row) - right :]
    leave = "".join(data.draw(st.permutations(drawn)))[: data.draw(st.integers(0, rack_size - 1))]
    racks = draw(problem_of(small_lexicon, row, rack_size), state(left, leave), left + right - len(leave))
    found = {(int(k) & LEFT_MASK, tiles_of(int(k))) for k in racks.arrays[0][: racks.count]}
    expected = set(draws(row, left, right, leave, rack_size))
    if any(new_left + new_right == len(row) for new_left, new_right, _ in expected):
        assert found == {(0, rack) for _, _, rack in expected}
    else:
        assert found == {(new_left, rack) for new_left, _, rack in expected}
    assert len(found) == racks.count


def test_a_rack_met_twice_keeps_the_better_score(small_lexicon: Lexicon) -> None:
    problem = problem_of(small_lexicon, "aaaaaaaa", 4)
    states = [state(1, "aa", 10, 1), state(1, "aa", 30, 3), state(1, "aa", 20, 2)]
    merged = tuple(np.concatenate(parts) for parts in zip(*states, strict=True))
    racks = draw(problem, merged, 1)
    _key, priority, score, parent, _draw = (array[: racks.count] for array in racks.arrays)
    assert set(score.tolist()) == {3}
    assert set(priority.tolist()) == {30}
    assert set(parent.tolist()) == {1}


def cuts_of(expander: Expander, cut: int, setups: int = CLOSED_GATE, drawn: int = 0) -> Cuts:
    return Cuts(
        drawn,
        np.full(expander.reach + 1, cut, dtype=np.int64),
        np.full(expander.longest + 1, setups, dtype=np.int64),
        np.full(expander.reach + 1, cut, dtype=np.int64) if expander.reach > expander.longest else np.zeros(0, dtype=np.int64),
    )


@pytest.mark.parametrize("kind", [ClosedExpander, SpendingExpander])
@given(rack=st.text("abestz?", min_size=1, max_size=8), cut=st.integers(-400, 400), letter=st.sampled_from([0.0, 0.75]))
def test_children_of_a_rack_are_its_plays_above_the_cut(
    kind: type[ClosedExpander] | type[SpendingExpander], small_lexicon: Lexicon, rack: str, cut: int, letter: float
) -> None:
    problem = problem_of(small_lexicon, rack, 8)
    prices = tile_prices(problem, letter, letter)
    expander: Expander = kind(problem, prices)
    racks = draw(problem, state(0, "", 100, 7), 0)
    out = expander.children()
    assert expander(0, racks.count, racks, cuts_of(expander, cut), out) == racks.count
    found = {}
    for length in range(1, expander.longest + 1):
        for i in range(int(out.count[length])):
            key, priority, score, parent, move = (int(array[length, i]) for array in out.arrays)
            assert (move, parent, key & LEFT_MASK) == (16 * length, 0, 0)
            found["".join(sorted((Counter(rack) - Counter(tiles_of(key))).elements()))] = (priority, score)
    expected = {}
    for tiles, score in best_by_tiles(rack, small_lexicon.words).items():
        priority = 100 + SCALE * score - sum(int(prices[code]) for code in encode(tiles))
        if priority >= cut:
            expected[tiles] = (priority, 7 + score)
    assert found == expected


def test_an_expander_stops_where_its_buffer_is_full_and_goes_on_from_there(challenge: Problem) -> None:
    expander = ClosedExpander(challenge, tile_prices(challenge))
    racks = draw(challenge, state(0, ""), 0)
    cuts = cuts_of(expander, NO_CUT)
    out = expander.children()
    out.count[5] = out.arrays[0].shape[1] - 100
    assert expander(0, racks.count, racks, cuts, out) == 0
    out.count[5] = 0
    assert expander(0, racks.count, racks, cuts, out) == racks.count
    assert out.count.sum() > 1000
    out.count[:] = 0
    assert expander(0, racks.count, racks, cuts_of(expander, CLOSED_GATE), out) == racks.count
    assert out.count.sum() == 0


@pytest.mark.parametrize("played", [9, 15])
def test_fishing_stops_where_its_buffer_is_nearly_full(challenge: Problem, played: int) -> None:
    problem = Problem(challenge.puzzle.with_row("ae?nrst?ld"), challenge.lexicon)
    expander = ClosedExpander(problem, tile_prices(problem), fishes=True)
    racks = draw(problem, state(0, ""), 0)
    out = expander.children()
    out.count[played] = full = out.arrays[0].shape[1] - 1000
    assert expander(0, racks.count, racks, cuts_of(expander, NO_CUT, NO_CUT, 10), out) == 0
    assert out.count.sum() == full


@given(
    row=st.text("abestz?", min_size=4, max_size=12),
    rack_size=st.integers(3, 6),
    cut=st.integers(-600, 400),
    setups=st.integers(-600, 100),
)
def test_fishing_finds_every_pair_of_plays_of_which_the_second_leaves_a_tile_at_most(
    small_lexicon: Lexicon, row: str, rack_size: int, cut: int, setups: int
) -> None:
    problem = problem_of(small_lexicon, row, rack_size)
    prices = tile_prices(problem)
    expander = ClosedExpander(problem, prices, fishes=True)
    racks = draw(problem, state(0, "", 100, 7), 0)
    out = expander.children()
    drawn = min(len(row), rack_size)
    assert expander(0, racks.count, racks, cuts_of(expander, cut, setups, drawn), out) == racks.count
    found: dict[tuple[int, int, str], tuple[int, int]] = {}
    for played in range(expander.reach + 1):
        for i in range(int(out.count[played])):
            key, priority, score, _parent, move = (int(array[played, i]) for array in out.arrays)
            if move >> 12:
                state_of = (played, key & LEFT_MASK, tiles_of(key))
                found[state_of] = max(found.get(state_of, (0, 0)), (score, priority))
    expected: dict[tuple[int, int, str], tuple[int, int]] = {}

    def worth(tiles: str, score: int) -> int:
        return SCALE * score - sum(int(prices[code]) for code in encode(tiles))

    for left, right, rack in draws(row, 0, 0, "", rack_size):
        for first, score in best_by_tiles(rack, small_lexicon.words).items():
            kept = "".join((Counter(rack) - Counter(first)).elements())
            if 100 + worth(first, score) < setups:
                continue
            for now_left, now_right, second_rack in draws(row, left, right, kept, rack_size):
                for second, more in best_by_tiles(second_rack, small_lexicon.words).items():
                    priority = 100 + worth(first, score) + worth(second, more)
                    if not 2 <= len(second_rack) <= len(second) + 1 or priority < cut:
                        continue
                    leave = "".join(sorted((Counter(second_rack) - Counter(second)).elements()))
                    end = 0 if now_left + now_right == len(row) else now_left
                    state_of = (len(first) + len(second), end, leave)
                    expected[state_of] = max(expected.get(state_of, (0, 0)), (7 + score + more, priority))
    assert found == expected
