"""The specification of certificates: its figures are right, and a checker written after it agrees with the referee."""

import hashlib
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.bound.games import Small, smalls
from tests.bound.plain import PlainFocus, PlainGame, PlainPrices
from tests.bound.six import FILES, RULES, fields
from tests.reference import optimum
from verify.bound.certificate import digest, judge_certificate, puzzle_hash
from verify.bound.foci import WHOLE, Focus, Settled, compiled_words
from verify.bound.prices import focus_of, whole_prices
from verify.bound.relaxed_game import Prices
from verify.replay.rules import Rules, load_rules, read_words
from verify.threads import ThreadPool

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs/certificate.md").read_text(encoding="utf-8")
SIX = PlainGame(RULES.row, RULES.rack_size, dict(RULES.values), sorted(RULES.words))
CLAIM = 14  # of sweep.json


def part(begin: str, end: str = "\n#") -> str:
    """The text between two marks."""
    return PAGE.partition(begin)[2].partition(end)[0]


def table(text: str) -> list[list[str]]:
    """The rows of the first table in a text, without its head."""
    lines = text[text.index("\n|") + 1 :].partition("\n\n")[0].splitlines()
    return [[cell.strip().strip("`") for cell in line.strip("|").split("|")] for line in lines[2:]]


def values_on_page(text: str) -> dict[tuple[int, int, int], int]:
    rows = table(text)
    return {(int(row[0]), int(row[1]), held): int(cell) for row in rows for held, cell in enumerate(row[2:]) if cell}


def plain_focus(focus: Focus) -> PlainFocus:
    """A focus of the referee for the plain checker."""
    _moments, sides, holds, _kinds = focus.prices.leave.shape
    leave = {
        place: {"abcdefghijklmnopqrstuvwxyz?"[kind]: price for kind, price in enumerate(of_kind[:27]) if price}
        for place, of_kind in _cells(focus.prices.leave.tolist())
    }
    return PlainFocus(focus.played, focus.window, PlainPrices(list(map(int, focus.prices.tile)), leave, sides, holds))


def _cells(leave: list[list[list[list[int]]]]) -> Iterator[tuple[tuple[int, int, int], list[int]]]:
    for moment, by_side in enumerate(leave):
        for side, by_hold in enumerate(by_side):
            for hold, of_kind in enumerate(by_hold):
                yield (moment, side, hold), of_kind


def settled(focus: Focus, rules: Rules) -> Settled:
    with ThreadPool(1) as pool:
        return Settled.of(focus, rules, compiled_words(rules), pool, lambda: None)


def foci_of(name: str) -> list[Focus]:
    certificate = fields(name)
    whole = Focus(0, WHOLE, whole_prices(certificate, RULES, name))
    return [whole, *(focus_of(focus, certificate, RULES, name) for focus in certificate.get("foci", []))]


def test_the_files_on_the_page_are_those_of_the_examples() -> None:
    for name in ("six.toml", "six.txt", "r1.json", "r3.json"):
        assert f"\n{(FILES / name).read_text(encoding='utf-8')}```" in PAGE, name
    for name in ("sweep", "low", "r2"):
        made = fields(name)
        assert f"`{made['digest']}`" in PAGE or f'"digest": "{made["digest"]}"' in PAGE
        assert made["prices"]["tiles"] == fields("r3")["prices"]["tiles"]
    shown = json.loads("{" + part("`sweep.json` has the prices of `r3.json`, and these fields:\n\n```json\n", "\n```") + "}")
    assert fields("r3") | shown == fields("sweep")
    low = fields("sweep") | {"bound": "13.000"}
    assert low | {"digest": digest(low)} == fields("low")


def test_the_hashes_of_the_example_are_those_of_the_texts_on_the_page() -> None:
    assert RULES.words_hash == hashlib.sha256(b"at\neat\ntea\n").hexdigest()
    text = part("at the end of each of its four lines:\n\n```text\n", "```")
    assert hashlib.sha256(text.encode()).hexdigest() == puzzle_hash(RULES)
    assert f"It is `{puzzle_hash(RULES)}`" in PAGE
    canonical = part("canonical JSON, without a line feed:\n\n```text\n", "\n```")
    assert hashlib.sha256(canonical.encode()).hexdigest() == fields("r1")["digest"]


def test_the_values_of_r1_on_the_page_are_right() -> None:
    prices = foci_of("r1")[0].prices.tile
    nodes, ends, bound = SIX.free_values(prices, 1)
    rows = {row[0]: [int(cell) for cell in row[1:] if cell] for row in table(part("{ #example-r1 }"))}
    assert rows["*E*(*r*)"] == [ends[size] for size in range(4)]
    for drawn in (3, 4, 5):
        assert rows[f"*F*({drawn}, *l*)"] == [nodes[drawn, left] for left in range(drawn + 1)]
    assert f"{bound / 1000:.3f}" == fields("r1")["bound"]
    wide, _ends, bound = SIX.free_values(prices, 2)
    assert f"With `width` 2 it would be {bound / 1000:.3f}" in PAGE
    assert f"would be {', '.join(str(wide[5, node]) for node in range(3))}" in " ".join(PAGE.split())


@pytest.mark.parametrize(
    ("name", "number", "before"), [("r2", 0, "Values of r2:"), ("r3", 0, "Values of r3:"), ("sweep", 1, "Its values, for its")]
)
def test_the_values_of_r2_and_r3_on_the_page_are_right(name: str, number: int, before: str) -> None:
    focus = foci_of(name)[number]
    values = SIX.held_values(plain_focus(focus))
    assert values_on_page(part(before)) == values
    most = settled(focus, RULES).most
    assert all(most[node] == value for node, value in values.items())


def test_the_interpolated_prices_on_the_page_are_right() -> None:
    leave = foci_of("sweep")[1].prices.leave
    rows = {row[0]: [int(cell) for cell in row[1:]] for row in table(part("focus on side 0 are"))}
    for name, hold, kind in (("t, hold 0", 0, 19), ("a, hold 1", 1, 0), ("t, hold 1", 1, 19)):
        assert rows[name] == leave[3:8, 0, hold, kind].tolist()
        assert set(leave[:4, 0, hold, kind].tolist()) == {rows[name][0]}
        assert set(leave[7:, 0, hold, kind].tolist()) == {rows[name][-1]}
    assert not leave[:, 1].any()


def test_the_sweep_on_the_page_is_right() -> None:
    foci = [plain_focus(focus) for focus in foci_of("sweep")]
    rows = []
    for state, score, judge, before, own in SIX.sweep(foci, CLAIM):
        drawn = state.played + len(state.leave)
        kept = "kept" if min(before, own) >= 1000 * (CLAIM + 1) else "pruned"
        own_judge = SIX.judge(foci, state.played, drawn, state.left)
        place = [str(state.played), str(state.left), state.leave, str(drawn)]
        rows.append([*place, str(score), f"{judge}: {before}", f"{own_judge}: {own}", kept])
    assert table(part("it meets these:")) == rows
    assert optimum(SIX.row, SIX.rack, SIX.words, SIX.values) == CLAIM


def test_figures_on_the_page_are_those_of_the_results() -> None:
    text = " ".join(PAGE.split())
    record = json.loads((ROOT / "results/challenge/sweep-1042.json").read_text(encoding="utf-8"))["tally"]
    states = record["states"]
    fullest = max(states, key=states.get)
    assert (
        f"kept {sum(states.values()):,} states in all layers together, at most {states[fullest]:,} of them in one layer,"
        in text
    )
    assert f"in one layer, {fullest}, and expanded {record['racks']:,} racks" in text
    foci = json.loads((ROOT / "results/challenge/bound.json").read_text(encoding="utf-8"))["foci"]
    assert f"has {len(foci)} foci and focus 0" in text
    english = load_rules("challenge").values
    for letters, value in re.findall(r"([a-z](?:, [a-z])*) (\d+)", part('The values of `"english"` are: ', ".")):
        assert all(english[letter] == int(value) for letter in letters.split(", "))


@given(text=st.text(st.characters(codec="utf-8")))
def test_canonical_json_is_as_the_page_says(text: str) -> None:
    short = {"\b": "b", "\t": "t", "\n": "n", "\f": "f", "\r": "r", '"': '"', "\\": "\\"}
    units = np.frombuffer(text.encode("utf-16-le"), dtype="<u2").tolist()
    escaped = "".join(
        "\\" + short[chr(unit)] if chr(unit) in short else chr(unit) if 0x20 <= unit <= 0x7E else f"\\u{unit:04x}"
        for unit in units
    )
    certificate = {"row": text, "digest": "", "foci": [{"b": 0, "?": 1}], "a": {}}
    canonical = f'{{"a":{{}},"foci":[{{"?":1,"b":0}}],"row":"{escaped}"}}'
    assert digest(certificate) == hashlib.sha256(canonical.encode("ascii")).hexdigest()


def test_white_space_around_words_is_what_the_page_lists(tmp_path: Path) -> None:
    listed = " ".join(part("Remove white space at both ends of each line:", "A line counts").split())
    spaces = set()
    for first, last in re.findall(r"U\+([0-9A-F]{4})(?: to U\+([0-9A-F]{4}))?", listed):
        spaces |= set(range(int(first, 16), int(last or first, 16) + 1))
    assert spaces == {code for code in range(0x110000) if chr(code).isspace()}
    path = tmp_path / "words.txt"
    path.write_text("".join(f"{chr(code)}tea{chr(code)}\n" for code in spaces - {10}), encoding="utf-8", newline="")
    assert read_words(path).words == {"tea"}


TILES = st.lists(st.tuples(st.sampled_from("aet?"), st.integers(0, 9000)), min_size=1, max_size=6)


@given(word=st.text("aet", min_size=1, max_size=4), tiles=TILES, values=st.tuples(*[st.integers(0, 5)] * 3))
def test_no_way_to_lay_down_a_word_gains_more_than_the_page_s_rule(
    word: str, tiles: list[tuple[str, int]], values: tuple[int, int, int]
) -> None:
    game = PlainGame("", 4, dict(zip("aet", values, strict=True)), [])
    assert game.gain(word, tiles) == game.gain_of_all_ways(word, tiles)


def plain_of(game: Small) -> PlainGame:
    return PlainGame(game.row, game.rules.rack_size, dict(game.rules.values), sorted(game.rules.words))


@given(game=smalls, width=st.integers(1, 4))
@settings(max_examples=30, deadline=None)
def test_a_checker_written_after_the_page_finds_the_referee_s_bound_of_r1(game: Small, width: int) -> None:
    width = min(width, len(game.row))
    tiles = game.prices.tile.tolist()
    _nodes, _ends, bound = plain_of(game).free_values(tiles, width)
    assert judge_certificate(certificate_of(game, "r1", bound, width), game.rules, "c.json").valid


def certificate_of(game: Small, relaxation: str, bound: int, width: int = 1) -> dict[str, Any]:
    """A certificate without prices of leaves."""
    made = {
        "certificate": "rowdraw bound",
        "puzzle": "small",
        "puzzle_hash": puzzle_hash(game.rules),
        "words_hash": game.rules.words_hash,
        "relaxation": relaxation,
        "parameters": {"width": width},
        "prices": {"tiles": [f"{price / 1000:.3f}" for price in game.prices.tile.tolist()]},
        "bound": f"{bound / 1000:.3f}",
    }
    return made | {"digest": digest(made)}


@given(game=smalls, data=st.data())
@settings(max_examples=60, deadline=None)
def test_a_checker_written_after_the_page_finds_the_referee_s_values_of_each_focus(game: Small, data: st.DataObject) -> None:
    tiles, rack = len(game.row), game.rules.rack_size
    first = data.draw(st.integers(min(rack, tiles), tiles))
    low, high = sorted(data.draw(st.tuples(st.integers(0, tiles), st.integers(0, tiles))))
    window = data.draw(st.sampled_from([WHOLE, (first, low, high)]))
    leave = np.zeros((*game.prices.leave.shape[:3], 28), dtype=np.int64)
    leave[..., :27] = game.prices.leave[..., :27]
    focus = Focus(0, window, Prices(game.prices.tile.tolist(), leave))
    most = settled(focus, game.rules).most
    for node, value in plain_of(game).held_values(plain_focus(focus)).items():
        assert most[node] == value


@given(game=smalls, below=st.integers(1, 12))
@settings(max_examples=30, deadline=None)
def test_the_better_score_of_a_verdict_is_the_best_of_the_first_layer_above_the_claim(game: Small, below: int) -> None:
    plain = plain_of(game)
    focus = PlainFocus(0, WHOLE, PlainPrices(game.prices.tile.tolist(), {}))
    claim = optimum(plain.row, plain.rack, plain.words, plain.values) - below
    bound = sum(focus.prices.tile) + plain.held_values(focus)[0, 0, 0]
    certificate = certificate_of(game, "r3", 1000 * claim) | {"bound": f"{claim}.000", "bound_of_prices": f"{bound / 1000:.3f}"}
    certificate["digest"] = digest(certificate)
    better = [met for met in plain.sweep([focus], claim) if met.score > claim]
    first = min(met.state.played for met in better)
    amount = max(met.score for met in better if met.state.played == first)
    verdict = judge_certificate(certificate, game.rules, "c.json")
    assert [fault.message for fault in verdict.violations] == [f"claims {claim}.000: a game scores {amount}.000"]


def test_copies_of_a_letter_beyond_the_fourth_are_not_counted() -> None:
    words = frozenset({"eeeee", "eeeeee", "te"})
    rules = Rules("small", "eeeteee?eetee", 6, {"e": 1, "t": 2}, words)
    focus = Focus(0, WHOLE, Prices([100 * place for place in range(13)], np.zeros((20, 1, 1, 28), dtype=np.int64)))
    most = settled(focus, rules).most
    values = PlainGame(rules.row, rules.rack_size, dict(rules.values), sorted(words)).held_values(plain_focus(focus))
    assert all(most[node] == value for node, value in values.items())
