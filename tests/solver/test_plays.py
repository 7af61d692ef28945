"""Best plays of racks against a scan of the word list."""

from collections import Counter
from collections.abc import Callable
from functools import cache
from string import ascii_lowercase

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.errors import RackError
from solver.index.problem import Problem
from solver.model.puzzle import Lexicon
from solver.model.tiles import MAX_TILES, laid_tiles, rack_counts
from solver.model.weights import RULES
from tests.conftest import RunCommand
from tests.reference import VALUES, play_score


@cache
def letter_counts(lexicon: Lexicon) -> npt.NDArray[np.int8]:
    """How often each word has each letter: shape (words, 26)."""
    words = np.array(lexicon.words)
    return np.array([np.char.count(words, letter) for letter in ascii_lowercase], dtype=np.int8).T


def scan(problem: Problem, rack: str, top: int, shortest: int = 1) -> list[tuple[int, str]]:
    """The best (score, word) of `rack`, from the whole list."""
    have = Counter(rack)
    held = np.array([have[letter] for letter in ascii_lowercase])
    missing = np.maximum(letter_counts(problem.lexicon) - held, 0)
    found = []
    for i in np.flatnonzero(missing.sum(axis=1) <= have["?"]).tolist():
        word = problem.lexicon.words[i]
        if shortest <= len(word) <= len(rack):
            score, left = 0, dict(zip(ascii_lowercase, missing[i].tolist(), strict=True))
            for place, letter in enumerate(word, start=1):
                if left[letter]:
                    left[letter] -= 1
                else:
                    score += place * VALUES[letter]
            found.append((score, word))
    return sorted(found, key=lambda item: (-item[0], item[1]))[:top]


@settings(max_examples=25)
@given(
    letters=st.text("abcdefghijklmnopqrstuvwxyz", max_size=10),
    blanks=st.integers(0, 10),
    shortest=st.integers(1, 6),
)
def test_best_plays_are_those_of_a_scan(
    challenge: Problem, letters: str, blanks: int, shortest: int
) -> None:
    rack = (letters + "?" * blanks)[:12] or "?"
    plays = challenge.finder.best([rack_counts(rack)], top=5, shortest=shortest)[0]
    assert [(play.score, play.word) for play in plays] == scan(challenge, rack, 5, shortest)
    for play in plays:
        assert play_score(play.tiles) == play.score
        assert not Counter(play.tiles) - Counter(rack)
        assert all(
            tile in ("?", letter) for tile, letter in zip(play.tiles, play.word, strict=True)
        )


# the literal examples of the four seeds: a command, and what it prints; nothing for no
EXAMPLES = {
    "can ladilmy daily": "daily",
    "can eerriin eerie": "",
    "can orrpgma program": "program",
    "can orppgma program": "",
    "can pizza?? pizzazz": "pi??azz",
    "can piizza? pizzazz": "",
    "can a?????? program": "?????a?",
    "can b?????? program": "",
    "best dcthoyueorza --rule longest": "coauthored",
    "best uruqrnytrois --rule longest": "turquois",
    "best rryqeiaegicgeo?? --rule longest": "greengrocery",
    "best udosjanyuiuebr?? --rule longest": "subordinately",
    "best vaakojeaietg???????? --rule longest": "ovolactovegetarian",
    "best dcthoyueorza --rule scrabble": "zydeco",
    "best uruqrnytrois --rule scrabble": "squinty",
    "best rryqeiaegicgeo?? --rule scrabble": "reacquiring",
    "best udosjanyuiuebr?? --rule scrabble": "jaybirds",
    "best vaakojeaietg???????? --rule scrabble": "straightjacketed",
    "best daily": "31 daily",
    "best iogsvooely": "44 oology",
    "best seevurtfci": "52 service",
    "best vepredequi": "78 reequip",
    "best yleualaaoitoai??????": "171 semiautomatically",
    "best afaimznqxtiaar??????": "239 ventriloquize",
    "scrabble score e[XT]ra(VAG)an[Z]a": "score 65",
    "scrabble score E[q]u(I)n[O]x": "score 36",
    "scrabble score prog?a?": "score 8",
    "scrabble score Cabbage": "score 14",
    "scrabble score Cabbage --at 2I": "score 32",
    "scrabble score Cabbage --at A4": "score 51",
}


@pytest.mark.parametrize("example", EXAMPLES)
@pytest.mark.parametrize("turned", [str, str.swapcase], ids=["as-given", "in-the-other-case"])
def test_the_examples_of_the_seeds_hold_in_the_case_in_which_they_stand_and_in_the_other(
    example: str, turned: Callable[[str], str], run: RunCommand
) -> None:
    expected = EXAMPLES[example]
    words = example.split()
    number = 1 + (words[0] == "scrabble")
    words[number] = turned(words[number])
    if words[0] == "can":
        words[2] = turned(words[2])
    printed = run(*words, code=int(not expected)).out
    assert set(expected.split()) <= set(printed.split())


def test_missing_tiles_are_named() -> None:
    with pytest.raises(RackError, match=r"'pizzazz' needs z z beyond .* holds 1 blank$"):
        laid_tiles(rack_counts("piizza?"), "pizzazz")
    with pytest.raises(RackError, match="no blanks"):
        laid_tiles(rack_counts("orppgma"), "program")


@pytest.mark.parametrize("rack", ["", "a" * 21, "a b", "é", "\u212a"])
def test_what_is_no_rack_is_refused(rack: str) -> None:
    with pytest.raises(RackError, match="expected"):
        rack_counts(rack)


def test_no_rule_weighs_a_later_position_less() -> None:
    for name, rule in RULES.items():
        weights = [rule.weight(position) for position in range(1, MAX_TILES + 1)]
        assert weights[0] >= 0, name
        assert weights == sorted(weights), name
