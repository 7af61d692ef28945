"""Which states the checker's sweeps leave out because others bring as much."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.bound.games import WORDS
from tests.bound.test_gainful_plays import rack_number, read_tiles
from tests.reference import VALUES, optimum
from verify.bound.dominance import drop_dominated, most_lost
from verify.bound.numbers import joined, left_of, score_of, spell
from verify.bound.word_arrays import BLANK_KIND, WordArrays, values_of
from verify.replay.rules import Rules

RACK = 6


def lost_by_blanks() -> np.ndarray:
    """What a blank can lose in the place of each letter, in games with the words of the small puzzles."""
    rules = Rules("small", "a" * 9, RACK, VALUES, frozenset(WORDS))
    return most_lost(WordArrays.of(rules), values_of(rules))


def swapped(rack: str, blanks: int) -> list[str]:
    """Return a rack with its first tiles replaced by up to `blanks` blanks."""
    return ["?" * some + rack[some:] for some in range(min(blanks, len(rack)) + 1)]


# some have blanks in the places of letters of others; leaves of one layer differ in length
racks = st.lists(st.tuples(st.text("aeostz?", min_size=1, max_size=5), st.integers(0, 5)), min_size=1, max_size=6)


def met(racks: list[tuple[str, int]], data: st.DataObject) -> tuple[np.ndarray, dict[str, int]]:
    """States with these racks and some scores, as numbers and by tiles."""
    scores = dict[str, int]()
    for rack, blanks in racks:
        for some in swapped(rack, blanks):
            scores["".join(sorted(some))] = data.draw(st.integers(0, 30))
    numbers = np.array([rack_number(rack, 7, score) for rack, score in scores.items()], dtype=np.uint64)
    return joined([np.sort(numbers)]), scores


def test_a_letter_brings_its_value_times_its_last_place_in_a_word() -> None:
    lost = lost_by_blanks()
    assert lost[1 + ord("t") - ord("a")] == 5  # toasts
    assert lost[1 + ord("z") - ord("a")] == 10  # zest
    assert lost[1 + ord("x") - ord("a")] == 0  # in no word
    assert lost[BLANK_KIND + 1] == 0


@given(racks=racks, data=st.data())
def test_states_are_dropped_where_one_with_a_blank_more_has_as_many_points_more_as_it_can_lose(
    racks: list[tuple[str, int]], data: st.DataObject
) -> None:
    states, scores = met(racks, data)
    lost = lost_by_blanks()
    expected = dict[str, int]()
    for rack, score in scores.items():
        others = {letter: "".join(sorted(rack.replace(letter, "?", 1))) for letter in rack if letter != "?"}
        if not any(scores.get(other, -1) >= score + lost[1 + ord(letter) - ord("a")] for letter, other in others.items()):
            expected[rack] = score
    spelled = spell(states)
    kept = drop_dominated(states, spelled, lost)
    assert {read_tiles(state): score_of(state) for state in states[:kept]} == expected
    assert (spell(states[:kept]) == spelled[:kept]).all()
    assert all(left_of(state) == 7 for state in states[:kept])


@given(racks=racks, data=st.data())
@settings(max_examples=60, deadline=None)
def test_the_best_of_all_games_is_among_those_of_the_states_that_are_kept(
    racks: list[tuple[str, int]], data: st.DataObject
) -> None:
    states, scores = met(racks, data)

    def best(some: np.ndarray) -> int:
        # a row that is drawn at once leaves these tiles to play with
        return max(scores[tiles] + optimum(tiles, RACK, WORDS) for tiles in map(read_tiles, some))

    every = best(states)
    assert best(states[: drop_dominated(states, spell(states), lost_by_blanks())]) == every
