"""Best plays of racks against a scan of the word list."""

from collections import Counter
from functools import cache
from pathlib import Path
from string import ascii_lowercase

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.errors import RackError
from solver.index.problem import PlayFinder, Problem
from solver.model.puzzle import Lexicon
from solver.model.tiles import MAX_TILES, laid_tiles, rack_counts
from solver.model.weights import RULES
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


@pytest.mark.parametrize(
    ("rule", "rack", "score", "word"),
    [
        ("positional", "iogsvooely", 44, "oology"),
        ("positional", "seevurtfci", 52, "service"),
        ("positional", "vepredequi", 78, "reequip"),
        ("positional", "yleualaaoitoai??????", 171, "semiautomatically"),
        ("positional", "afaimznqxtiaar??????", 239, "ventriloquize"),
        ("longest", "dcthoyueorza", 10, "coauthored"),
        ("longest", "vaakojeaietg????????", 18, "ovolactovegetarian"),
        ("scrabble", "uruqrnytrois", 19, "squinty"),
        ("scrabble", "vaakojeaietg????????", 21, "straightjacketed"),
    ],
)
def test_published_examples_of_the_challenge_week(
    challenge: Problem, rule: str, rack: str, score: int, word: str
) -> None:
    finder = PlayFinder(challenge.lexicon, challenge.signatures, challenge.puzzle.scoring(rule))
    best = finder.best([rack_counts(rack)])[0][0]
    assert (best.score, best.word) == (score, word)


def test_outside_cases_of_rack_management_hold(challenge: Problem, cases: Path) -> None:
    finders = {
        rule: PlayFinder(challenge.lexicon, challenge.signatures, challenge.puzzle.scoring(rule))
        for rule in ("positional", "scrabble", "longest")
    }
    checked = 0
    for name, rule in (
        ("rack_management_1.tsv", "scrabble"),
        ("rack_management_2.tsv", "positional"),
    ):
        for line in (cases / name).read_text().splitlines():
            kind, *fields = line.split("\t")
            if kind == "scrabble":
                try:
                    laid_tiles(rack_counts(fields[0]), fields[1])
                    assert fields[2] == "true"
                except RackError:
                    assert fields[2] == "false"
            elif kind in ("longest", "highest"):
                finder = finders["longest" if kind == "longest" else rule]
                best = finder.best([rack_counts(fields[0])])[0][0]
                expected = fields[1:2] if rule == "scrabble" else fields[2:3]
                assert best.word == expected[0]
                if rule == "positional":
                    assert best.score == int(fields[1])
            elif kind == "score":
                # which copy is blank makes no difference there; ours is the one that scores most by
                # position
                laid = laid_tiles(rack_counts(fields[0]), fields[1])
                assert sorted(laid) == sorted(fields[3])
                assert sum(VALUES.get(tile, 0) for tile in laid) == int(fields[2])
            elif kind in ("wordscore", "playscore"):
                assert play_score(fields[0]) == int(fields[1])
            else:
                continue
            checked += 1
    assert checked >= 25


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
