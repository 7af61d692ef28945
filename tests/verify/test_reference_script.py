"""The referee compared with the script of the challenge post, rewritten here rule for rule, with its leniency."""

import random
from collections import Counter
from collections.abc import Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.reference import VALUES
from tests.verify.test_referee import WORDS, game
from verify import Rules, judge


def script_score(lines: list[str], row: str, rack_size: int, words: frozenset[str], values: Mapping[str, int]) -> int:
    """What the post's script prints: left draws through int(), so that signs and underscores pass, and slices that
    take negative numbers. Raises AssertionError or ValueError where it stops."""
    rack: list[str] = []
    score = 0
    for line in lines:
        left_text, play, word = line.split()
        left = int(left_text)
        assert left <= len(row)
        rack += list(row[:left])
        row = row[left:]
        assert len(rack) <= rack_size
        right = min(len(row), rack_size - len(rack))
        if right:
            rack += list(row[-right:])
            row = row[:-right]
        assert not Counter(play) - Counter(rack)
        assert len(play) == len(word)
        assert all(a in ("?", b) for a, b in zip(play, word, strict=True))
        assert word in words
        rack = list((Counter(rack) - Counter(play)).elements())
        score += sum(j * values.get(tile, 0) for j, tile in enumerate(play, 1))
    return score


@settings(max_examples=200)
@given(seed=st.integers(0, 10**9))
def test_valid_games_score_as_in_the_script(seed: int) -> None:
    rules, lines, total = game(seed)
    assert script_score(lines, rules.row, rules.rack_size, rules.words, VALUES) == total
    if lines:
        assert judge("\n".join(lines).encode(), rules).score == total


@settings(max_examples=200)
@given(seed=st.integers(0, 10**9))
def test_what_the_script_refuses_the_referee_refuses(seed: int) -> None:
    rules, lines, _total = game(seed)
    rng = random.Random(seed)
    if not lines:
        return
    fields = lines[rng.randrange(len(lines))].split()
    place = lines.index(" ".join(fields))
    fields[rng.randrange(3)] = rng.choice([*WORDS, "0", "3", "12", "t?", "?"])
    lines[place] = " ".join(fields)
    verdict = judge("\n".join(lines).encode(), rules)
    try:
        expected = script_score(lines, rules.row, rules.rack_size, rules.words, VALUES)
    except (AssertionError, ValueError):
        assert not verdict.valid
    else:
        assert not verdict.valid or verdict.score == expected


@pytest.mark.parametrize("left", ["-1", "+1", "0_1", "\u0661"])
def test_nonsense_that_the_script_accepts_is_refused(left: str) -> None:
    rules = Rules("tiny", "tabe", 4, VALUES, frozenset(WORDS))
    lines = [f"{left} beta beta"]
    assert script_score(lines, rules.row, rules.rack_size, rules.words, VALUES) > 0
    verdict = judge(lines[0].encode(), rules)
    assert [violation.code for violation in verdict.violations] == ["bad-left-count"]
