"""Certificates: the checker agrees with the solver to the last digit, and what was changed does not pass."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.bound.certificate import bound_of, certificate
from solver.bound.relaxations.kinds import RELAXATIONS
from solver.bound.relaxations.prices import Prices
from solver.bound.sweeps.campaign import sweeps
from solver.bound.sweeps.training import Trainer
from solver.errors import RecordError
from solver.search.run import Run
from tests.bound.games import WORDS, Small, small, smalls
from tests.bound.proofs import swept, text_of
from tests.reference import optimum
from verify.bound import is_certificate
from verify.bound.certificate import BoundVerdict, digest, judge_certificate, read_certificate
from verify.replay.rules import RulesError


def judge(game: Small, text: str) -> BoundVerdict:
    return judge_certificate(read_certificate(text.encode(), "c.json"), game.rules, "c.json")


@pytest.mark.parametrize("name", RELAXATIONS)
@given(game=smalls)
@settings(max_examples=20, deadline=None)
def test_the_checker_finds_the_solver_s_own_figure(name: str, game: Small) -> None:
    verdict = judge(game, text_of(game, name))
    assert verdict.valid, verdict.as_text()
    assert verdict.recomputed == verdict.claimed


@given(game=smalls, states=st.sampled_from([2, 20, 10_000]))
@settings(max_examples=40, deadline=None)
def test_the_checker_confirms_sweeps_and_nothing_below_the_optimum(game: Small, states: int) -> None:
    text = swept(game, states)
    verdict = judge(game, text)
    assert verdict.valid, verdict.as_text()
    document = json.loads(text)
    best = optimum(game.row, game.problem.puzzle.rack_size, WORDS)
    document["bound"] = f"{best - 1}.000"
    document["digest"] = digest(document)
    assert [fault.code for fault in judge(game, json.dumps(document)).violations] == ["bound-claim"]
    document["bound"] = f"{best}.000"
    document["digest"] = digest(document)
    assert judge(game, json.dumps(document)).valid


@given(game=smalls, groups=st.integers(1, 3), apart=st.integers(1, 3), worth_a_look=st.sampled_from([1, 10**9]))
@settings(max_examples=20, deadline=None)
def test_the_checker_confirms_sweeps_with_prices_made_for_their_states(
    game: Small, groups: int, apart: int, worth_a_look: int
) -> None:
    with patch("verify.bound.sweep._WORTH_A_LOOK", worth_a_look):
        confirm_sweep(game, groups, apart)


def confirm_sweep(game: Small, groups: int, apart: int) -> None:
    text = swept(game, 10_000, Trainer(game.problem, least=1, apart=apart, groups=groups, rounds=3))
    verdict = judge(game, text)
    assert verdict.valid, verdict.as_text()
    document = json.loads(text)
    best = optimum(game.row, game.problem.puzzle.rack_size, WORDS)
    assert document["bound"] == f"{best}.000"
    document["bound"] = f"{best - 1}.000"
    document["digest"] = digest(document)
    assert [fault.code for fault in judge(game, json.dumps(document)).violations] == ["bound-claim"]


GAME = small("zest?atseatto", 5, 7)
FOCUSED = json.loads(swept(GAME, 10_000, Trainer(GAME.problem, least=1, apart=2, groups=2, rounds=2)))


def with_focus(**fields: Any) -> str:
    """The certificate of a sweep whose second focus has other fields."""
    document = json.loads(json.dumps(FOCUSED))
    document["foci"][1] |= fields
    document["digest"] = digest(document)
    return json.dumps(document)


@pytest.mark.parametrize(
    ("fields", "fault"),
    [
        ({"played": -1}, "played = -1: expected a whole number from 0 to 13"),
        ({"played": True}, "played = True"),
        ({"window": [4, 0, 0]}, "window = .*: expected at least 5 tiles drawn"),
        ({"window": [6, 3, 2]}, "window = "),
        ({"window": [6, 0, 14]}, "window = "),
        ({"window": [6, 0]}, "window = .*: expected tiles drawn, fewest and most left draws"),
        ({"knots": []}, r"knots = \[\]: expected a list of moments"),
        ({"knots": [9, 8]}, "knots: expected ascending moments from 0 to 18"),
        ({"knots": [5, 19]}, "knots: expected ascending moments from 0 to 18"),
        ({"tiles": ["1.000"] * 12}, "tiles: expected 13 prices"),
        ({"tiles": ["1.000"] * 12 + ["-1.000"]}, "tiles, place 13: -1.000: expected 0 to 100,000"),
        ({"leaves": [[0, 0, 0, {"a": "1.000"}]]}, "leaves, entry 1: no such moment, side or hold"),
        ({"leaves": {}}, "leaves: expected a list"),
        ({"more": 1}, "more.* is unknown or missing"),
    ],
)
def test_hostile_foci_are_refused_by_name_and_place(fields: dict[str, Any], fault: str) -> None:
    assert judge(GAME, json.dumps(FOCUSED)).valid
    with pytest.raises(RulesError, match=f"c.json: foci, entry 2: .*{fault}"):
        judge(GAME, with_focus(**fields))


def test_foci_are_read_back_from_a_certificate(tmp_path: Path) -> None:
    path = tmp_path / "c.json"
    path.write_text(json.dumps(FOCUSED))
    start = bound_of(GAME.problem, path)
    assert len(start.foci) == len(FOCUSED["foci"]) > 1
    best = optimum(GAME.row, GAME.problem.puzzle.rack_size, WORDS)
    # what the sweeps before it proved does not count
    start = replace(start, thousandths=10**9)
    *_higher, bound = sweeps(GAME.problem, Run(), start, 10_000, Trainer(GAME.problem, least=10**9))
    assert bound.value == best
    assert bound.of_prices == int(FOCUSED["bound_of_prices"].replace(".", ""))
    assert json.loads(certificate(GAME.problem, bound))["foci"] == FOCUSED["foci"]


def test_foci_elsewhere_than_behind_a_sweep_of_r3_are_refused() -> None:
    for document, fault in (
        (FOCUSED | {"relaxation": "r2"}, "expected only where the relaxation is r3"),
        (FOCUSED | {"foci": 3}, "expected a list"),
    ):
        with pytest.raises(RulesError, match=fault):
            judge(GAME, json.dumps(document))


@given(seed=st.integers(0, 2**32))
@settings(max_examples=15, deadline=None)
def test_whatever_the_prices_of_foci_are_nothing_below_the_optimum_is_confirmed(seed: int) -> None:
    rng = np.random.default_rng(seed)
    document = json.loads(json.dumps(FOCUSED))
    best = optimum(GAME.row, GAME.problem.puzzle.rack_size, WORDS)
    document["bound"] = f"{best - 1}.000"
    for focus in document["foci"]:
        focus["tiles"] = [f"{price:.3f}" for price in rng.choice([0, 3, 40, 99_999], len(GAME.row))]
        focus["played"] = int(rng.integers(0, len(GAME.row)))
        low = int(rng.integers(0, 6))
        focus["window"] = [int(rng.integers(max(5, low), 14)), low, low]
    document["digest"] = digest(document)
    assert not judge(GAME, json.dumps(document)).valid


def changed(name: str, change: Any, *, signed: bool) -> str:
    document = json.loads(text_of(GAME, name))
    change(document)
    if signed:
        document["digest"] = digest(document)
    return json.dumps(document)


def raise_price(document: dict[str, Any]) -> None:
    document["prices"]["tiles"][0] = "90.125"


def lower_bound_claim(document: dict[str, Any]) -> None:
    document["bound"] = "1.000"


@pytest.mark.parametrize("name", RELAXATIONS)
@pytest.mark.parametrize("change", [raise_price, lower_bound_claim])
def test_a_changed_price_or_claim_does_not_hold(name: str, change: Any) -> None:
    quiet = judge(GAME, changed(name, change, signed=True))
    assert [fault.code for fault in quiet.violations] == ["bound-claim"]
    assert "DOES NOT HOLD" in quiet.as_text()
    assert {fault.code for fault in judge(GAME, changed(name, change, signed=False)).violations} >= {"digest"}


@given(place=st.integers(0, 12), amount=st.integers(0, 99_999))
@settings(max_examples=25, deadline=None)
def test_no_single_changed_price_passes_unnoticed(place: int, amount: int) -> None:
    def change(document: dict[str, Any]) -> None:
        document["prices"]["tiles"][place] = f"{amount // 1000}.{amount % 1000:03}"

    same = json.loads(text_of(GAME, "r2"))["prices"]["tiles"][place] == f"{amount // 1000}.{amount % 1000:03}"
    assert judge(GAME, changed("r2", change, signed=False)).valid == same


def test_a_certificate_of_another_puzzle_does_not_hold() -> None:
    other = small("zest?atseatot", 5, 7)
    verdict = judge(other, text_of(GAME, "r3"))
    assert "puzzle-hash" in {fault.code for fault in verdict.violations}


def test_a_certificate_of_another_word_list_does_not_hold() -> None:
    def change(document: dict[str, Any]) -> None:
        document["words_hash"] = "0" * 64

    assert "words-hash" in {fault.code for fault in judge(GAME, changed("r1", change, signed=True)).violations}


HOSTILE = {
    "a list of prices too short": lambda document: document["prices"]["tiles"].pop(),
    "a price that is a number": lambda document: document["prices"]["tiles"].__setitem__(2, 1.5),
    "a price below 0": lambda document: document["prices"]["tiles"].__setitem__(2, "-1.000"),
    "a price that is no decimal": lambda document: document["prices"]["tiles"].__setitem__(2, "1e9"),
    "a price in other digits": lambda document: document["prices"]["tiles"].__setitem__(2, "١.٠٠٠"),
    "an enormous price": lambda document: document["prices"]["tiles"].__setitem__(2, "9" * 30),
    "a leave at no moment": lambda document: document["prices"]["leaves"].append([10**9, 0, 0, {"a": "1.000"}]),
    "a leave of no tile": lambda document: document["prices"]["leaves"].append([9, 0, 0, {"ab": "1.000"}]),
    "a leave worth less than 0": lambda document: document["prices"]["leaves"].append([9, 0, 0, {"a": "-1.000"}]),
    "a leave that is no entry": lambda document: document["prices"]["leaves"].append("x"),
    "leaves that are no list": lambda document: document["prices"].__setitem__("leaves", {}),
    "cells without number": lambda document: document["parameters"].__setitem__("sides", True),
    "a million cells": lambda document: document["parameters"].__setitem__("holds", 10**6),
    "no parameters": lambda document: document.pop("parameters"),
    "another relaxation": lambda document: document.__setitem__("relaxation", "r9"),
    "a bound that is none": lambda document: document.__setitem__("bound", "low"),
    "a bound of prices that is none": lambda document: document.__setitem__("bound_of_prices", ["1.000"]),
    "a field too many": lambda document: document.__setitem__("note", "hello"),
    "no certificate at all": lambda document: document.__setitem__("certificate", "of birth"),
}


@pytest.mark.parametrize("change", HOSTILE.values(), ids=HOSTILE.keys())
def test_hostile_certificates_are_refused_by_name_and_place(change: Any) -> None:
    with pytest.raises(RulesError, match=r"^c\.json: .*(expected|no such)"):
        judge(GAME, changed("r3", change, signed=True))


@given(game=smalls, amount=st.sampled_from([99_999_999, 10**8]))
@settings(max_examples=30, deadline=None)
def test_the_highest_prices_allowed_prove_nothing_below_the_optimum(game: Small, amount: int) -> None:
    prices = Prices(np.where(game.prices.tile % 2, amount, 0), np.where(game.prices.leave % 3, amount, 0))
    verdict = judge(game, text_of(replace(game, prices=prices), "r3"))
    assert verdict.valid, verdict.as_text()
    assert float(verdict.claimed) >= optimum(game.row, game.problem.puzzle.rack_size, WORDS)


def test_prices_beyond_the_highest_are_refused_by_both_sides(tmp_path: Path) -> None:
    def dear(document: dict[str, Any]) -> None:
        for entry in document["prices"]["leaves"]:
            entry[3] = dict.fromkeys("abcdefghijklmnopqrstuvwxyz?", "100000.001")

    text = changed("r3", dear, signed=True)
    with pytest.raises(RulesError, match="expected 0 to 100,000"):
        judge(GAME, text)
    (tmp_path / "c.json").write_text(text)
    with pytest.raises(RecordError, match="expected 0 to 100,000"):
        bound_of(GAME.problem, tmp_path / "c.json")


def test_a_field_that_stands_twice_is_refused() -> None:
    text = text_of(GAME, "r1").replace('"bound": ', '"bound": "1.000",\n"bound": ')
    with pytest.raises(RulesError, match="'bound' stands twice"):
        judge(GAME, text)


def test_leaves_of_rows_too_long_to_be_checked_are_refused() -> None:
    game = small("ate" * 67, 3, 1)
    document = json.loads(text_of(GAME, "r3"))
    document["prices"] = {"tiles": ["0.000"] * 201}
    with pytest.raises(RulesError, match="expected at most 200"):
        judge(game, json.dumps(document))


def test_a_sweep_is_one_of_r3_alone() -> None:
    with pytest.raises(RulesError, match="expected only where the relaxation is r3"):
        judge(GAME, changed("r2", lambda document: document.__setitem__("bound_of_prices", document["bound"]), signed=True))


@pytest.mark.parametrize("share", [0.1, 0.5, 0.95])
def test_a_truncated_certificate_is_refused(share: float) -> None:
    text = text_of(GAME, "r3")
    content = text[: int(share * len(text))].encode()
    assert is_certificate(content)
    with pytest.raises(RulesError, match="truncated"):
        read_certificate(content, "c.json")


@given(content=st.binary(max_size=60))
def test_bytes_at_random_are_refused(content: bytes) -> None:
    with pytest.raises(RulesError):
        read_certificate(content, "c.json")


def test_deep_nesting_is_refused() -> None:
    with pytest.raises(RulesError, match="not JSON"):
        read_certificate(b'{"certificate": ' + b"[" * 100_000, "c.json")


def test_prices_are_read_back_from_a_certificate(tmp_path: Path) -> None:
    path = tmp_path / "c.json"
    path.write_text(text_of(GAME, "r3"))
    prices = bound_of(GAME.problem, path).prices
    assert (prices.tile == GAME.prices.tile).all()
    used = sorted(set(GAME.problem.puzzle.row_codes.tolist()))
    assert (prices.leave[..., used] == GAME.prices.leave[..., used]).all()
    assert np.count_nonzero(prices.leave) <= np.count_nonzero(GAME.prices.leave)
    with pytest.raises(RecordError, match="another puzzle"):
        bound_of(small("zest", 5, 1).problem, path)
    path.write_text("{}")
    with pytest.raises(RecordError, match="no certificate"):
        bound_of(GAME.problem, path)
    with pytest.raises(RecordError, match="cannot be read"):
        bound_of(GAME.problem, tmp_path / "none.json")


@pytest.mark.parametrize("bound", [None, "0.000"])
def test_the_checker_works_with_one_thread_where_the_system_starts_no_more(
    bound: str | None, limit_threads: Callable[[int], None]
) -> None:
    told = FOCUSED | ({} if bound is None else {"bound": bound})
    told["digest"] = digest(told)
    expected = judge(GAME, json.dumps(told))
    limit_threads(1)
    assert judge(GAME, json.dumps(told)) == expected
