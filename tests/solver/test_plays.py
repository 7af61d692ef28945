"""Best plays of racks on published examples, and what is no rack."""

from pathlib import Path

import pytest

from solver.errors import RackError
from solver.index.problem import PlayFinder, Problem
from solver.model.tiles import MAX_TILES, laid_tiles, rack_counts
from solver.model.weights import RULES
from tests.reference import VALUES, play_score


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
    for number, rule in ((1, "scrabble"), (2, "positional")):
        for line in (cases / f"rack_management_{number}.tsv").read_text().splitlines():
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
                assert best.word == fields[number]
                assert number == 1 or best.score == int(fields[1])
            elif kind == "score":
                # which copy is blank makes no difference there; ours scores most by position
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
