"""Best plays of racks: the examples of the seeds, and what is refused."""

from collections.abc import Callable

import pytest

from solver.errors import RackError
from solver.model.tiles import MAX_TILES, laid_tiles, rack_counts
from solver.model.weights import RULES
from tests.conftest import RunCommand

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
