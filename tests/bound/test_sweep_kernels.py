"""The kernels of sweeps against the plain game."""

import math
from collections import Counter
from collections.abc import Mapping
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.bound.kernels.packed_states import (
    Packed,
    best_of_each,
    merged,
    packed,
    packed_left,
    packed_racks,
    packed_rank,
    packed_score,
    sampled,
)
from solver.bound.sweeps.outlooks import new_terms
from solver.bound.sweeps.tasks import children_of, plays_of
from solver.index.kernels.indexes import TILE_HASH, rank_counts
from solver.index.problem import Problem
from solver.model.tiles import N_CODES, POINT, counts_of, encode
from solver.search.greedy import Hand, Hands, layers_before, turns_into
from tests.bound.games import WORDS
from tests.puzzles import hands, problem_of, tiles_of_rank
from tests.reference import VALUES, best_by_tiles, draws, racks_after, rest_of

RACK = 5


@cache
def words_problem(row: str) -> Problem:
    return problem_of(WORDS, row, RACK, VALUES)


def state(left: int, leave: str, score: int = 0) -> int:
    return int(packed(rank_counts(counts_of(encode(leave))), left, score))


def unpacked(number: int) -> tuple[int, str, int]:
    """Left draws, sorted tiles and score of a packed number."""
    left = int(packed_left(np.uint64(number)))
    tiles = tiles_of_rank(packed_rank(np.uint64(number)))
    return left, tiles, int(packed_score(np.uint64(number)))


def scores_of(found: Mapping[int, Packed]) -> dict[tuple[int, int, str], int]:
    """The score of each child by the length of its play, its left draws and its leave."""
    return {
        (length, left, leave): score
        for length, some in found.items()
        for left, leave, score in map(unpacked, some.tolist())
    }


def array(numbers: list[int]) -> Packed:
    return np.array(numbers, dtype=np.uint64)


def number_of(rank: int, left: int, score: int) -> int:
    """Six bits of a hash of the left draws, then 29 bits of rank, 8 of left draws, 21 of score."""
    part = (left * 0x9E3779B97F4A7C15 % 2**64) >> 58
    return part << 58 | rank << 29 | left << 21 | score


def best_numbers(numbers: list[int]) -> list[int]:
    """The highest of the numbers that differ in the last 21 bits only, ascending."""
    return sorted({number >> 21: number for number in sorted(numbers)}.values())


@given(st.integers(0, 2**29 - 1), st.integers(0, 255), st.integers(0, 2**21 - 1))
def test_a_number_holds_partition_rank_lefts_and_score(rank: int, left: int, score: int) -> None:
    number = np.uint64(packed(np.uint64(rank), left, score))
    assert int(number) == number_of(rank, left, score)
    assert int(packed_rank(number)) == rank
    assert (packed_left(number), packed_score(number)) == (left, score)


numbers = st.lists(
    st.builds(number_of, st.integers(0, 5), st.integers(0, 2), st.integers(0, 9)), max_size=40
)


@given(numbers)
def test_of_equal_states_the_best_stays(some: list[int]) -> None:
    given_ = np.sort(array(some))
    assert given_[: best_of_each(given_)].tolist() == best_numbers(some)


@given(numbers)
def test_a_sample_depends_on_leaves_and_left_draws_alone(some: list[int]) -> None:
    given_ = array(some)
    kept = set((sampled(given_, 4) >> np.uint64(21)).tolist())
    assert set((sampled(given_ | np.uint64(7), 4) >> np.uint64(21)).tolist()) == kept
    assert sampled(given_, 1).tolist() == some


def test_a_sample_is_about_the_share_that_is_wanted() -> None:
    leaves = ["a", "ab", "?a", "eos", "eot", "zz", "?", "q"]
    many = array([state(left, tiles) for left in range(60) for tiles in leaves])
    assert 0.15 < len(sampled(many, 4)) / len(many) < 0.35


@given(hands(RACK))
def test_racks_of_states_are_those_of_the_game(hand: tuple[str, int, int, str]) -> None:
    row, left, right, leave = hand
    room = np.empty(RACK + 1, dtype=np.uint64)
    count = packed_racks(
        array([state(left, leave, 7)]), left + right - len(leave), encode(row), RACK, room
    )
    expected = {(*after, 7) for after in racks_after(*hand, RACK)}
    assert sorted(unpacked(number) for number in room[:count].tolist()) == sorted(expected)


@given(hands(RACK), st.data())
@settings(max_examples=40)
def test_turns_into_a_hand_are_from_the_hands_whose_racks_hold_its_leave(
    hand: tuple[str, int, int, str], data: st.DataObject
) -> None:
    row, left, right, leave = hand
    now, behind, rack = data.draw(st.sampled_from([*draws(row, left, right, leave, RACK)]))
    emptied = now + behind == len(row)
    some = data.draw(st.permutations(rack))
    kept = "".join(sorted(some[: data.draw(st.integers(0, max(0, len(rack) - 1)))]))
    problem = words_problem(row)
    counts = counts_of(encode(leave))[None]
    played = left + right - len(leave)
    before = Hands.of(problem.puzzle, played, np.array([left]), counts)

    def turns(lefts: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        hand = Hand(lefts, now + behind - lefts, counts_of(encode(kept)))
        # without a rack there is no turn
        assert (played in layers_before(problem, hand)) == bool(rack)
        return turns_into(problem, before, hand)

    found, lefts, tiles = turns(0 if emptied else now)
    assert found.tolist() == [0]
    assert (tiles[0] == counts_of(encode(rest_of(rack, kept)))).all()
    assert lefts.tolist() == [0 if emptied else now - left]
    # no draw takes tiles back, or more than there is room for
    for other in (left - 1, now + behind - right + 1):
        if not emptied and 0 <= other <= now + behind:
            assert not len(turns(other)[0])


def racks_of(size: int) -> st.SearchStrategy[list[tuple[int, str, int]]]:
    """Left draws, tiles and scores of some racks."""
    tiles = st.text("aeostz?", min_size=size, max_size=size)
    rack = st.tuples(st.integers(3, 4), tiles, st.integers(0, 30))
    return st.lists(rack, min_size=1, max_size=6)


@given(st.integers(1, RACK).flatmap(racks_of), st.integers(0, 10_000))
@settings(max_examples=50)
def test_children_are_the_plays_whose_bounds_suffice(
    racks: list[tuple[int, str, int]], seed: int
) -> None:
    rng = np.random.default_rng(seed)
    problem = words_problem("aeostz?aeostz?")
    terms = new_terms(1, 14, RACK)
    terms.rest[0, :, 3:5] = rng.integers(0, 60_000, (RACK, 2))
    playing = np.sort(rng.integers(0, 9000, (2, N_CODES, RACK)), axis=2).cumsum(axis=2)
    # numbers of tiles held that are next to each other may share their prices
    holding = rng.integers(0, 3000, (2, 2, N_CODES, 1))[np.sort(rng.integers(0, 2, RACK))]
    terms.worth[0, :, 3:5, :, 1:] = playing + np.arange(1, RACK + 1) * holding
    least = 80_000
    packed_up = np.unique(array([state(*rack) for rack in racks]))
    found = children_of(packed_up, terms, least, plays_of(problem))
    expected: dict[tuple[int, int, str], int] = {}
    for left, rack, score in racks:
        for tiles, points in best_by_tiles(rack, WORDS).items():
            leave = rest_of(rack, tiles)
            bound = POINT * (score + points) + int(terms.rest[0, len(leave), left])
            for code, copies in Counter(encode(leave).tolist()).items():
                bound += int(terms.worth[0, len(leave), left, code, copies])
            child = len(tiles), left, leave
            if bound >= least:
                expected[child] = max(expected.get(child, 0), score + points)
    assert scores_of(found) == expected


@pytest.mark.parametrize(
    "rack", ["a" * 10, "z" * 10, "?" * 10, "aaaaazzzzz", "eeeeeeoost", "?aeoostttz", "zzzzzzaeos"]
)
def test_racks_of_many_equal_tiles_have_all_their_plays(rack: str) -> None:
    problem = problem_of(WORDS, rack * 2, 10, VALUES)
    terms = new_terms(1, 20, 10)
    terms.rest[:] = 10**7
    terms.worth[0, :, 0] = np.minimum(np.arange(10), 2)[:, None, None]
    found = children_of(array([state(0, rack, 7)]), terms, 0, plays_of(problem))
    expected = {
        (len(tiles), 0, rest_of(rack, tiles)): 7 + points
        for tiles, points in best_by_tiles(rack, WORDS).items()
    }
    assert scores_of(found) == expected


@pytest.mark.parametrize("most", [7, 10**6])
def test_many_racks_together_have_the_children_of_each(
    most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """More racks than a batch, in chunks or not; many bounds suffice for some scores alone."""
    problem = words_problem("aeostz?aeostz?")
    rng = np.random.default_rng(5)
    terms = new_terms(1, 14, RACK)
    terms.rest[:] = 30_000
    terms.worth[0, ..., 1:] = rng.integers(0, 9000, (N_CODES, RACK)).cumsum(axis=1)
    tiles = rng.choice(encode("aaeeoossttz?"), (20_000 if most > 7 else 200, RACK))
    racks = np.unique(
        array([int(packed(rank_counts(counts_of(rack)), 0, rng.integers(0, 60))) for rack in tiles])
    )
    plays = plays_of(problem)
    alone = [children_of(rack[None], terms, 80_000, plays) for rack in racks]
    monkeypatch.setattr("solver.bound.sweeps.tasks.most_racks", lambda _plays: most)
    together = children_of(racks, terms, 80_000, plays)
    for length in range(1, RACK + 1):
        expected = merged([found[length] for found in alone if length in found])
        assert together.get(length, expected[:0]).tolist() == expected.tolist()
    assert len(racks) > (100 if most == 7 else 8192)
    assert sum(map(len, together.values())) > 100


@pytest.mark.long
def test_no_two_leaves_have_the_same_hash() -> None:
    """Equal hashes count as equal leaves: here are all 94 million leaves of up to nine tiles."""
    of_size = [np.zeros(1, dtype=np.uint64), *[np.zeros(0, dtype=np.uint64)] * 9]
    for tile in TILE_HASH:
        for size in range(1, 10):
            of_size[size] = np.concatenate([of_size[size], of_size[size - 1] + tile])
    hashes = np.concatenate(of_size)
    of_size.clear()
    hashes.sort()
    assert len(hashes) == math.comb(N_CODES + 9, 9)
    assert not (hashes[1:] == hashes[:-1]).any()
