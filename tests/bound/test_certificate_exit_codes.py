"""Changed certificates get the exit codes that their specification says."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from tests.bound.six import FILES, RULES, fields
from verify.bound.certificate import digest, judge_certificate, read_certificate
from verify.replay.rules import RulesError


def exit_code(name: str, change: Callable[[dict[str, Any]], Any], *, signed: bool = True) -> int:
    """The exit code that the referee gives to a certificate of the example after a change."""
    made = json.loads((FILES / f"{name}.json").read_text(encoding="utf-8"))
    change(made)
    if signed:
        made["digest"] = digest(made)
    try:
        return 0 if judge_certificate(read_certificate(json.dumps(made).encode(), name), RULES, name).valid else 1
    except RulesError:
        return 2


CHANGES: dict[str, tuple[str, Callable[[dict[str, Any]], Any], int]] = {
    "a claim above the bound of its prices": ("sweep", lambda made: made.update(bound="19.5"), 0),
    "a claim between two whole scores": ("sweep", lambda made: made.update(bound="14.999"), 0),
    "a claim just below a whole score": ("sweep", lambda made: made.update(bound="13.999"), 1),
    "a claim below 0": ("sweep", lambda made: made.update(bound="-0.001"), 1),
    "a bound of prices that is too high": ("sweep", lambda made: made.update(bound_of_prices="18.591"), 1),
    "a bound that is too high": ("r3", lambda made: made.update(bound="18.591"), 1),
    "the same bound with fewer digits": ("r3", lambda made: made.update(bound="0018.59"), 0),
    "a bound with four digits": ("r3", lambda made: made.update(bound="18.5900"), 2),
    "a price given twice, the right one last": (
        "r3",
        lambda made: made["prices"]["leaves"].insert(0, [3, 0, 0, {"t": "9"}]),
        0,
    ),
    "a price given twice, the right one first": ("r3", lambda made: made["prices"]["leaves"].append([3, 0, 0, {"t": "9"}]), 1),
    "an entry of no prices": ("r3", lambda made: made["prices"]["leaves"].append([9, 1, 1, {}]), 0),
    "a moment after the last": ("r3", lambda made: made["prices"]["leaves"].append([10, 1, 1, {}]), 2),
    "no list of leaves": ("r3", lambda made: made["prices"].pop("leaves"), 1),
    "an empty list of leaves in r1": ("r1", lambda made: made["prices"].update(leaves=[]), 0),
    "leaves in r1": ("r1", lambda made: made["prices"].update(leaves=[[3, 0, 0, {"t": "1"}]]), 2),
    "sides in r1": ("r1", lambda made: made["parameters"].update(sides=16), 0),
    "too many sides in r1": ("r1", lambda made: made["parameters"].update(sides=17), 2),
    "a width beyond the row in r3": ("r3", lambda made: made["parameters"].update(width=7), 2),
    "no foci": ("sweep", lambda made: made.update(foci=[]), 0),
    "a window that no state is in": ("sweep", lambda made: made["foci"][0].update(window=[3, 5, 6]), 0),
    "a window before the first draw": ("sweep", lambda made: made["foci"][0].update(window=[2, 0, 1]), 2),
    "a name of another puzzle": ("r3", lambda made: made.update(puzzle="ten \U0001f600"), 0),
    "a hash of other words": ("r3", lambda made: made.update(words_hash="0"), 1),
    "a hash of other words, and a price too high": (
        "r3",
        lambda made: made.update(words_hash="0", prices={"tiles": ["100000.001"] * 6}),
        2,
    ),
}


@pytest.mark.parametrize(("name", "change", "code"), CHANGES.values(), ids=CHANGES.keys())
def test_changed_certificates_get_the_exit_codes_that_the_page_says(
    name: str, change: Callable[[dict[str, Any]], Any], code: int
) -> None:
    assert exit_code(name, change) == code
    assert exit_code(name, change, signed=False) == max(1, code)


def test_half_of_a_surrogate_pair_and_a_minus_zero_are_accepted() -> None:
    made = fields("r3") | {"puzzle": "\ud800"}
    text = json.dumps(made | {"digest": digest(made)}).replace("[3, 0, 0,", "[3, -0, 0,")
    assert "-0" in text
    assert judge_certificate(read_certificate(text.encode(), "c.json"), RULES, "c.json").valid
