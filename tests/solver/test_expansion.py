"""Draws and plays of a beam against the plain game."""

from collections.abc import Iterator

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from solver.index.kernels.indexes import rank_counts
from solver.index.problem import Problem
from solver.model.puzzle import Lexicon
from solver.model.tiles import SCALE, counts_of, encode
from solver.search.beam import tile_prices
from solver.search.kernels.states import KEY_LEFT_BITS, Children, Cutoffs, States, unpacked
from solver.search.layers import (
    ADMIT_NOTHING,
    NO_CUTOFF,
    Expander,
    drawn_racks,
    make_expander,
    new_states,
)
from tests.puzzles import hands, problem_of, tiles_of_rank
from tests.reference import VALUES, best_by_tiles, draws, racks_after, rest_of

LEFT_MASK = (1 << KEY_LEFT_BITS) - 1


def tiles_of(key: int) -> str:
    return tiles_of_rank(np.uint64(key >> KEY_LEFT_BITS))


def state(left: int, leave: str, priority: int = 0, score: int = 0) -> States:
    made = new_states(1)
    made.key[0] = (int(rank_counts(counts_of(encode(leave)))) << KEY_LEFT_BITS) | left
    made.priority[0] = priority
    made.score[0] = score
    return made


@given(hands(7))
def test_draws_of_a_state_are_those_of_the_game(
    small_lexicon: Lexicon, hand: tuple[str, int, int, str]
) -> None:
    row, left, right, leave = hand
    racks = drawn_racks(
        problem_of(small_lexicon.words, row, 7, VALUES),
        state(left, leave),
        left + right - len(leave),
    )
    found = {(int(k) & LEFT_MASK, tiles_of(int(k))) for k in racks.key}
    assert found == {*racks_after(*hand, 7)}
    assert len(found) == len(racks.key)


def test_a_rack_met_twice_keeps_the_better_score(small_lexicon: Lexicon) -> None:
    problem = problem_of(small_lexicon.words, "aaaaaaaa", 4, VALUES)
    states = [state(1, "aa", 10, 1), state(1, "aa", 30, 3), state(1, "aa", 20, 2)]
    merged = States(*(np.concatenate(parts) for parts in zip(*states, strict=True)))
    racks = drawn_racks(problem, merged, 1)
    assert set(racks.score.tolist()) == {3}
    assert set(racks.priority.tolist()) == {30}
    assert set(racks.parent.tolist()) == {1}


def expanded(expander: Expander, racks: States, cuts: Cutoffs, out: Children) -> bool:
    """Expand racks; return whether the buffers held the children of all of them, or of none."""
    at = expander(0, len(racks.key), racks, cuts, out)
    assert at in (0, len(racks.key))
    return at > 0


def made(out: Children) -> Iterator[tuple[int, ...]]:
    """The tiles played, key, priority, score, parent and move of each child."""
    for played, count in enumerate(out.count.tolist()):
        fields = [array[played, :count].tolist() for array in out.states]
        for child in zip(*fields, strict=True):
            yield played, *child


def cuts_of(expander: Expander, cut: int, setups: int = ADMIT_NOTHING, drawn: int = 0) -> Cutoffs:
    cuts = np.full(expander.reach + 1, cut, dtype=np.int64)
    first_plays = np.full(expander.longest + 1, setups, dtype=np.int64)
    return Cutoffs(
        drawn, cuts, first_plays, cuts if expander.reach > expander.longest else cuts[:0]
    )


@given(
    rack=st.text("abestz?", min_size=1, max_size=8),
    cut=st.integers(-400, 400),
    letter=st.sampled_from([0.0, 0.75]),
    # rack size, points of a blank, and bonus
    rules=st.sampled_from([(8, 0, 0), (8, 3, 0), (5, 0, 40), (5, 12, 9)]),
)
def test_children_of_a_rack_are_its_plays_above_the_cut(
    small_lexicon: Lexicon,
    rack: str,
    cut: int,
    letter: float,
    rules: tuple[int, int, int],
) -> None:
    size, blank, bonus = rules
    rack = rack[:size]
    values = VALUES | {"?": blank}
    # a blank may be worth more at any copy of a letter
    words = (*small_lexicon.words, "bb", "ss", "zz")
    problem = problem_of(words, rack, size, values, bonus)
    prices = tile_prices(problem, letter, letter)
    expander = make_expander(problem, prices)
    racks = drawn_racks(problem, state(0, "", 100, 7), 0)
    out = expander.children()
    assert expanded(expander, racks, cuts_of(expander, cut), out)
    found = {}
    for length, key, priority, score, parent, move in made(out):
        assert (unpacked(move), parent, key & LEFT_MASK) == ((0, length, 0, 0), 0, 0)
        found[rest_of(rack, tiles_of(key))] = (priority, score)
    expected = {}
    for tiles, score in best_by_tiles(rack, words, values, {size: bonus}).items():
        priority = 100 + SCALE * score - sum(int(prices[code]) for code in encode(tiles))
        if priority >= cut:
            expected[tiles] = (priority, 7 + score)
    assert found == expected


def test_fishing_stops_where_its_buffer_is_nearly_full(challenge: Problem) -> None:
    problem = Problem(challenge.rules.with_row("ae?nrst?ld"))
    expander = make_expander(problem, tile_prices(problem), fishes=True)
    racks = drawn_racks(problem, state(0, ""), 0)
    out = expander.children()
    out.count[15] = full = out.states.key.shape[1] - 1000
    assert not expanded(expander, racks, cuts_of(expander, NO_CUTOFF, NO_CUTOFF, 10), out)
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
    problem = problem_of(small_lexicon.words, row, rack_size, VALUES)
    prices = tile_prices(problem)
    expander = make_expander(problem, prices, fishes=True)
    racks = drawn_racks(problem, state(0, "", 100, 7), 0)
    out = expander.children()
    drawn = min(len(row), rack_size)
    assert expanded(expander, racks, cuts_of(expander, cut, setups, drawn), out)
    found: dict[tuple[int, int, str], tuple[int, int]] = {}
    for played, key, priority, score, _parent, move in made(out):
        if unpacked(move).second_length:
            state_of = (played, key & LEFT_MASK, tiles_of(key))
            found[state_of] = max(found.get(state_of, (0, 0)), (score, priority))
    expected: dict[tuple[int, int, str], tuple[int, int]] = {}

    def worth(tiles: str, score: int) -> int:
        return SCALE * score - sum(int(prices[code]) for code in encode(tiles))

    for left, right, rack in draws(row, 0, 0, "", rack_size):
        for first, score in best_by_tiles(rack, small_lexicon.words).items():
            kept = rest_of(rack, first)
            if 100 + worth(first, score) < setups:
                continue
            for now_left, now_right, second_rack in draws(row, left, right, kept, rack_size):
                for second, more in best_by_tiles(second_rack, small_lexicon.words).items():
                    priority = 100 + worth(first, score) + worth(second, more)
                    if not 2 <= len(second_rack) <= len(second) + 1 or priority < cut:
                        continue
                    end = 0 if now_left + now_right == len(row) else now_left
                    state_of = (len(first) + len(second), end, rest_of(second_rack, second))
                    expected[state_of] = max(
                        expected.get(state_of, (0, 0)), (7 + score + more, priority)
                    )
    assert found == expected
