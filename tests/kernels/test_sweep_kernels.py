"""The kernels of sweeps against the plain game."""

import math
from collections import Counter
from functools import cache
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.bound.kernels.completion_bounds import NOT_COVERED, WHOLE, BoundTerms, LeavePrices, fill_terms, lower_bounds
from solver.bound.kernels.expand_bounded import fill_play_filter
from solver.bound.kernels.packed_states import (
    Packed,
    best_of_each,
    merged,
    packed,
    packed_left,
    packed_racks,
    packed_rank,
    packed_score,
    part_of,
    possible_parents,
    sampled,
)
from solver.bound.sweeps.outlooks import new_terms
from solver.bound.sweeps.tasks import children_of, scored_plays
from solver.index.kernels.indexes import TILE_HASH, rank_counts, unrank_counts
from solver.index.problem import Problem
from solver.model.puzzle import Lexicon, Puzzle
from solver.model.tiles import N_CODES, POINT, counts_of, decode, encode
from tests.bound.games import WORDS
from tests.kernels import relaxed, twins
from tests.reference import VALUES, best_by_tiles, draws

hashes = st.integers(0, 2**64 - 1)
RACK = 5
FAR = np.iinfo(np.int64).max


@cache
def problem_of(row: str) -> Problem:
    return Problem(Puzzle("test", row, RACK, "test", VALUES), Lexicon("small", tuple(sorted(WORDS))))


def state(left: int, leave: str, score: int = 0) -> int:
    return int(packed(rank_counts(counts_of(encode(leave))), left, score))


def unpacked(number: int) -> tuple[int, str, int]:
    """Left draws, sorted tiles and score of a packed number."""
    counts = np.zeros(N_CODES, dtype=np.int8)
    unrank_counts(packed_rank(np.uint64(number)), counts)
    tiles = "".join(sorted(decode(np.repeat(np.arange(N_CODES), counts))))
    return int(packed_left(np.uint64(number))), tiles, int(packed_score(np.uint64(number)))


def array(numbers: list[int]) -> Packed:
    return np.array(numbers, dtype=np.uint64)


@given(st.integers(0, 2**29 - 1), st.integers(0, 255), st.integers(0, 2**21 - 1))
def test_a_number_holds_partition_rank_lefts_and_score(rank: int, left: int, score: int) -> None:
    number = np.uint64(packed(np.uint64(rank), left, score))
    assert int(number) == twins.sweep_number(rank, left, score)
    assert (int(packed_rank(number)), packed_left(number), packed_score(number)) == (rank, left, score)


numbers = st.lists(st.builds(twins.sweep_number, st.integers(0, 5), st.integers(0, 2), st.integers(0, 9)), max_size=40)


@given(numbers)
def test_of_equal_states_the_best_stays(some: list[int]) -> None:
    given_ = np.sort(array(some))
    assert given_[: best_of_each(given_)].tolist() == twins.best_numbers(some)


@given(numbers, st.sampled_from([1, 2, 8, 64]), st.integers(1, 4))
def test_states_in_any_number_of_parts_and_chunks_are_the_same(some: list[int], parts: int, chunks: int) -> None:
    whole = [merged([array(some[place::chunks])]) for place in range(chunks)]
    split = [[part_of(chunk, part, parts) for part in range(parts)] for chunk in whole]
    assert all(np.concatenate(pieces).tolist() == chunk.tolist() for pieces, chunk in zip(split, whole, strict=True))
    together = np.concatenate([merged([chunk[part] for chunk in split]) for part in range(parts)])
    assert together.tolist() == twins.best_numbers(some)


@given(numbers)
def test_a_sample_depends_on_leaves_and_left_draws_alone(some: list[int]) -> None:
    given_ = array(some)
    kept = set((sampled(given_, 4) >> np.uint64(21)).tolist())
    assert set((sampled(given_ | np.uint64(7), 4) >> np.uint64(21)).tolist()) == kept
    assert sampled(given_, 1).tolist() == some


def test_a_sample_is_about_the_share_that_is_wanted() -> None:
    many = array([state(left, tiles) for left in range(60) for tiles in ("a", "ab", "?a", "eos", "eot", "zz", "?", "q")])
    assert 0.15 < len(sampled(many, 4)) / len(many) < 0.35


hands = st.tuples(st.text("abez?", min_size=1, max_size=14), st.data())


@given(hands)
def test_racks_of_states_are_those_of_the_game(hand: tuple[str, st.DataObject]) -> None:
    row, data = hand
    left = data.draw(st.integers(0, len(row)))
    right = data.draw(st.integers(0, len(row) - left))
    drawn = row[:left] + row[len(row) - right :]
    leave = "".join(data.draw(st.permutations(drawn)))[: data.draw(st.integers(0, RACK - 1))]
    room = np.empty(RACK + 1, dtype=np.uint64)
    count = packed_racks(array([state(left, leave, 7)]), left + right - len(leave), encode(row), RACK, room)
    expected = {
        (0 if new_left + new_right == len(row) else new_left, rack, 7)
        for new_left, new_right, rack in draws(row, left, right, leave, RACK)
    }
    assert sorted(unpacked(number) for number in room[:count].tolist()) == sorted(expected)


@given(hands)
@settings(max_examples=60)
def test_parents_are_the_states_whose_racks_hold_the_leave(hand: tuple[str, st.DataObject]) -> None:
    row, data = hand
    left = data.draw(st.integers(0, len(row)))
    right = data.draw(st.integers(0, len(row) - left))
    drawn = row[:left] + row[len(row) - right :]
    leave = "".join(data.draw(st.permutations(drawn)))[: data.draw(st.integers(0, RACK - 1))]
    played = left + right - len(leave)
    ways = list(draws(row, left, right, leave, RACK))
    now, behind, rack = data.draw(st.sampled_from(ways))
    emptied = now + behind == len(row)
    kept = "".join(sorted(data.draw(st.permutations(rack))[: data.draw(st.integers(0, max(0, len(rack) - 1)))]))
    target = state(0 if emptied else now, kept)
    found, tiles = np.empty((2, 2), dtype=np.int64), np.empty((2, N_CODES), dtype=np.int8)
    # a state that has drawn nothing, besides the one to be found
    states = array([state(left, leave)])
    count = possible_parents(states, played, encode(row), RACK, np.uint64(target), found, tiles)
    fits = [way for way in ways if (emptied or way[0] == now) and not Counter(kept) - Counter(way[2])]
    assert count == (len(fits) > 0)
    if count:
        played_tiles = "".join(sorted(decode(np.repeat(np.arange(N_CODES), tiles[0]))))
        assert played_tiles == "".join(sorted((Counter(rack) - Counter(kept)).elements()))
        assert emptied or found[0].tolist() == [0, now - left]


@given(st.lists(hashes, max_size=20))
def test_a_filter_knows_how_the_hashes_of_plays_begin(plays: list[int]) -> None:
    filter_ = np.zeros(4, dtype=np.uint64)
    fill_play_filter(array(plays), filter_)
    assert {place for place in range(256) if int(filter_[place // 64]) >> place % 64 & 1} == twins.beginnings(plays, 8)


@given(st.text("aeostz?", min_size=RACK, max_size=9), st.integers(0, 10_000), st.data())
@settings(max_examples=60)
def test_the_bound_of_a_state_is_that_of_its_cheapest_tiles(row: str, seed: int, data: st.DataObject) -> None:
    codes, tiles, rng = encode(row), len(row), np.random.default_rng(seed)
    price, value = rng.integers(0, 9000, tiles), rng.integers(0, 9000, (tiles + 1, tiles + 1, RACK + 1))
    sides, holds = rng.integers(1, 4, 2).tolist()
    leave_prices = rng.integers(0, 3000, (tiles + RACK + 1, sides, holds, N_CODES))
    leaves = LeavePrices(leave_prices, tiles, RACK, WHOLE)
    drawn = data.draw(st.integers(RACK, tiles))
    left = data.draw(st.integers(0, drawn)) if drawn < tiles else 0
    gone = relaxed.drawn_places(tiles, drawn, [left]) if drawn < tiles else list(range(tiles))
    held = data.draw(st.integers(0, RACK - 1))
    leave = data.draw(st.permutations([int(codes[place]) for place in gone]))[:held]
    terms = new_terms(1, tiles, RACK)
    fill_terms(0, drawn, held, np.array([left]), codes, price, leaves, value, terms)
    number = int(packed(rank_counts(counts_of(leave)), left, 12))
    bound = np.array([FAR])
    lower_bounds(array([number]), terms, 0, bound)
    moment, side, hold = relaxed.cell(tiles, RACK, sides, holds, drawn, left, held)
    undrawn = sum(int(price[place]) for place in range(tiles) if place not in gone)
    offered = relaxed.by_code(codes.tolist(), price.tolist(), gone)
    worth = relaxed.rest_bound(leave, offered, leave_prices[moment, side, hold].tolist())
    assert bound[0] == 12 * POINT + undrawn + int(value[drawn, left, held]) + worth


@given(st.integers(0, 10_000), st.integers(1, 4))
@settings(max_examples=60)
def test_a_bound_falls_to_that_of_the_lowest_focus_unless_it_is_too_low_already(seed: int, n_foci: int) -> None:
    rng, tiles = np.random.default_rng(seed), 9
    foci = [
        BoundTerms(
            np.where(rng.random((RACK + 1, tiles + 1)) < 0.3, NOT_COVERED, rng.integers(0, 9000, (RACK + 1, 1))),
            rng.integers(0, 9000, (RACK + 1, tiles + 1, N_CODES, RACK + 1)),
            rng.integers(0, 3000, (RACK + 1, tiles + 1, N_CODES)),
        )
        for _focus in range(n_foci)
    ]
    leaves = ["".join(rng.choice(list("aeostz?"), size)) for size in rng.integers(0, RACK, 20)]
    states = array([state(int(rng.integers(tiles)), leave, int(rng.integers(30))) for leave in leaves])
    of_each = []
    for focus in foci:
        of_each.append(np.full(len(states), FAR))
        lower_bounds(states, BoundTerms(*(array[np.newaxis] for array in focus)), 0, of_each[-1])
    first, least = rng.integers(0, 60_000, len(states)), 20_000
    bound = first.copy()
    lower_bounds(states, BoundTerms(*map(np.stack, zip(*foci, strict=True))), least, bound)
    by_state = np.column_stack(of_each).tolist()
    expected = [twins.lowered(before, others, least) for before, others in zip(first.tolist(), by_state, strict=True)]
    assert bound.tolist() == expected


def racks_of(size: int) -> st.SearchStrategy[list[tuple[int, str, int]]]:
    """Left draws, tiles and scores of some racks."""
    return st.lists(
        st.tuples(st.integers(3, 4), st.text("aeostz?", min_size=size, max_size=size), st.integers(0, 30)),
        min_size=1,
        max_size=6,
    )


@given(st.integers(1, RACK).flatmap(racks_of), st.integers(0, 10_000))
@settings(max_examples=120)
def test_children_are_the_plays_whose_bounds_suffice(racks: list[tuple[int, str, int]], seed: int) -> None:
    rng = np.random.default_rng(seed)
    problem = problem_of("aeostz?aeostz?")
    terms = new_terms(1, 14, RACK)
    terms.rest[0, :, 3:5] = rng.integers(0, 60_000, (RACK + 1, 2))
    terms.playing[0, :, 3:5, :, 1:] = np.sort(rng.integers(0, 9000, (2, N_CODES, RACK)), axis=2).cumsum(axis=2)
    groups = np.sort(rng.integers(0, 2, RACK + 1))
    groups -= groups[0]
    terms.holding[0, :, 3:5] = rng.integers(0, 3000, (2, 2, N_CODES))[groups]
    least = 80_000
    packed_up = np.unique(array([state(*rack) for rack in racks]))
    found = children_of(packed_up, terms, groups, least, scored_plays(problem))
    expected: dict[tuple[int, int, str], int] = {}
    for left, rack, score in racks:
        for tiles, points in best_by_tiles(rack, WORDS).items():
            leave = "".join(sorted((Counter(rack) - Counter(tiles)).elements()))
            bound = POINT * (score + points) + int(terms.rest[0, len(leave), left])
            for code, copies in Counter(encode(leave).tolist()).items():
                bound += int(terms.playing[0, len(leave), left, code, copies])
                bound += copies * int(terms.holding[0, len(leave), left, code])
            child = len(tiles), left, leave
            if bound >= least:
                expected[child] = max(expected.get(child, 0), score + points)
    assert {
        (length, left, leave): score for length, some in found.items() for left, leave, score in map(unpacked, some.tolist())
    } == expected


@pytest.mark.parametrize(
    "rack", ["aaaaaaaaaa", "zzzzzzzzzz", "??????????", "aaaaazzzzz", "eeeeeeoost", "?aeoostttz", "zzzzzzaeos"]
)
def test_racks_of_many_equal_tiles_have_all_their_plays(rack: str) -> None:
    problem = Problem(Puzzle("test", rack * 2, 10, "test", VALUES), Lexicon("small", tuple(sorted(WORDS))))
    terms = new_terms(1, 20, 10)
    terms.rest[:] = 10**7
    found = children_of(array([state(0, rack, 7)]), terms, np.minimum(np.arange(11), 2), 0, scored_plays(problem))
    expected = {
        (len(tiles), "".join(sorted((Counter(rack) - Counter(tiles)).elements()))): 7 + points
        for tiles, points in best_by_tiles(rack, WORDS).items()
    }
    assert {
        (length, leave): score for length, some in found.items() for _left, leave, score in map(unpacked, some.tolist())
    } == expected


@pytest.mark.long
def test_no_two_leaves_have_the_same_hash() -> None:
    """A sweep takes leaves with equal hashes for equal ones: so here are all 94 million leaves of up to nine tiles."""
    sizes = [math.comb(N_CODES + size - 1, size) for size in range(10)]
    sums, at = np.zeros(sum(sizes), dtype=np.uint64), 1
    smaller = [sums[:1], *[sums[:0]] * (N_CODES - 1)]  # the hashes of multisets of one tile less, by their highest code
    for _size in range(1, 10):
        made = []
        for code in range(N_CODES):
            begin = at
            for some in smaller[: code + 1]:
                np.add(some, TILE_HASH[code], out=sums[at : at + len(some)])
                at += len(some)
            made.append(sums[begin:at])
        smaller = made
    assert at == len(sums)
    sums.sort()
    assert not (sums[1:] == sums[:-1]).any()
    assert sums[-1] < np.iinfo(np.uint64).max  # which stands for no leave


def test_every_leave_of_a_rack_is_met_once() -> None:
    """With bounds that rule nothing out, as many children as there are playable sub-multisets."""
    problem, rack = problem_of("aeostz?aeostz?"), "aost?"
    terms = new_terms(1, 14, RACK)
    terms.rest[:] = 10**7
    found = children_of(array([state(0, rack)]), terms, np.zeros(RACK + 1, np.int64), 0, scored_plays(problem))
    playable = best_by_tiles(rack, WORDS)
    assert sum(map(len, found.values())) == len(playable)
    assert len(playable) <= len({some for size in range(RACK + 1) for some in combinations(rack, size)})
