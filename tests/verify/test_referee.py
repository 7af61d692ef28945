"""The referee: what it accepts, what it names, and that nothing makes it raise."""

import json
import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.reference import VALUES, best_by_tiles, draws, play_score, plays_of_word
from verify import Rules, Verdict, judge, load_rules

WORDS = ("a", "ab", "at", "tat", "tea", "eat", "ate", "teat", "seat", "east", "eats", "beta", "tab", "zest", "zeta")


@pytest.fixture(scope="module")
def rules() -> Rules:
    return load_rules("challenge")


def game(seed: int) -> tuple[Rules, list[str], int]:
    """A random legal game: its rules, its lines, its score."""
    rng = random.Random(seed)
    row = "".join(rng.choices("abestz?", k=rng.randint(1, 30)))
    rack_size = rng.randint(2, 8)
    left = right = total = 0
    leave, lines = "", []
    for _ in range(rng.randint(1, 12)):
        options = list(draws(row, left, right, leave, rack_size))
        new_left, new_right, rack = rng.choice(options)
        plays = [(play, word) for word in WORDS for play in plays_of_word(rack, word)]
        if not plays:
            break
        play, word = rng.choice(plays)
        lines.append(f"{new_left - left} {play} {word}")
        total += play_score(play)
        for tile in play:
            rack = rack.replace(tile, "", 1)
        left, right, leave = new_left, new_right, rack
    return Rules("random", row, rack_size, VALUES, frozenset(WORDS)), lines, total


@given(play=st.text("abz?", max_size=8), blank=st.integers(0, 1000), bonus=st.integers(0, 10_000), rack=st.integers(2, 8))
def test_a_blank_counts_by_its_position_and_a_full_rack_has_its_bonus_once(
    play: str, blank: int, bonus: int, rack: int
) -> None:
    rules = Rules("variant", "ab?", rack, VALUES | {"?": blank}, frozenset(WORDS), bonus)
    letters = {"a": 1, "b": 3, "z": 10, "?": blank}
    plain = sum(position * letters[tile] for position, tile in zip(range(1, 9), play, strict=False))
    assert rules.score(play) == (plain + bonus if len(play) == rack else plain)


def codes(verdict: Verdict) -> list[str]:
    return [violation.code for violation in verdict.violations]


@settings(max_examples=200)
@given(seed=st.integers(0, 10**9))
def test_any_legal_game_is_valid_with_its_score(seed: int) -> None:
    rules, lines, total = game(seed)
    verdict = judge("\n".join(lines).encode(), rules)
    if lines:
        assert verdict.valid
        assert verdict.score == total
        assert [turn.score for turn in verdict.turns] == [play_score(line.split()[1]) for line in lines]
    else:
        assert codes(verdict) == ["empty"]


MUTATIONS: dict[str, tuple[Callable[[list[str]], list[str]], str]] = {
    "negative": (lambda f: ["-1", f[1], f[2]], "bad-left-count"),
    "plus": (lambda f: ["+" + f[0], f[1], f[2]], "bad-left-count"),
    "underscore": (lambda f: ["0_" + f[0], f[1], f[2]], "bad-left-count"),
    "float": (lambda f: [f[0] + ".0", f[1], f[2]], "bad-left-count"),
    "arabic digits": (lambda f: ["\u0661", f[1], f[2]], "bad-left-count"),
    "huge": (lambda f: ["9" * 5000, f[1], f[2]], "too-many-draws"),
    "eleven": (lambda f: ["11", f[1], f[2]], "too-many-draws"),
    "no word": (lambda f: f[:2], "malformed-line"),
    "four fields": (lambda f: [*f, "19"], "malformed-line"),
    "unknown word": (lambda f: [f[0], "q" * len(f[1]), "q" * len(f[2])], "unknown-word"),
    "foreign tile": (lambda f: [f[0], "q" + f[1][1:], f[2]], "not-on-rack"),
    "longer word": (lambda f: [f[0], f[1], f[2] + "s"], "play-word-mismatch"),
    "other letter": (lambda f: [f[0], f[1], "q" * len(f[2])], "play-word-mismatch"),
}


@pytest.mark.parametrize("name", MUTATIONS)
@settings(max_examples=40)
@given(seed=st.integers(0, 10**9))
def test_a_mutated_line_gets_its_violation(name: str, seed: int) -> None:
    rules, lines, _total = game(seed)
    letters = [i for i, line in enumerate(lines) if set(line.split()[1]) != {"?"}]
    if not letters:
        return
    mutate, code = MUTATIONS[name]
    place = letters[seed % len(letters)]
    lines[place] = " ".join(mutate(lines[place].split()))
    verdict = judge("\n".join(lines).encode(), rules)
    assert not verdict.valid
    assert code in [violation.code for violation in verdict.violations if violation.line == place + 1]


def test_one_slip_does_not_hide_the_rest(rules: Rules) -> None:
    good = judge(b"6 s?l?mnized solemnized\n10 ape ape\n2 outmoves outmoves\n", rules)
    assert good.valid
    slips = judge(b"six s?l?mnized solemnized\n10.0 ape ape\n\n2 outmoves outmovesx\nasp\nrubbish here to see\n", rules)
    assert [(v.line, v.code) for v in slips.violations] == [
        (1, "bad-left-count"),
        (2, "bad-left-count"),
        (4, "play-word-mismatch"),
        (4, "unknown-word"),
        (5, "malformed-line"),
        (5, "not-on-rack"),
        (6, "malformed-line"),
    ]
    assert [turn.play for turn in slips.turns] == ["s?l?mnized", "ape", "outmoves", "asp"]


def test_messages_quote_the_token_and_what_was_expected(rules: Rules) -> None:
    verdict = judge(b"-1 s?l?mnizq solemnized\n6 b?d bids\n", rules)
    messages = [violation.message for violation in verdict.violations]
    assert any("'-1'" in m and "plain digits" in m for m in messages)
    assert any(" more than the rack " in m and m.startswith("'s?l?mnizq' needs ") for m in messages)
    assert any("'b?d' has 3 tiles: expected 4, one for each letter of 'bids'" in m for m in messages)


def test_more_left_draws_than_the_row_holds() -> None:
    rules = Rules("tiny", "tea", 8, VALUES, frozenset(WORDS))
    verdict = judge(b"4 tea tea\n", rules)
    assert codes(verdict) == ["row-exhausted"]
    assert "the row holds 3 tiles" in verdict.violations[0].message


def test_a_line_after_the_end_is_named() -> None:
    rules = Rules("tiny", "tea", 8, VALUES, frozenset(WORDS))
    verdict = judge(b"3 tea tea\n0 a a\n", rules)
    assert codes(verdict) == ["after-end"]
    assert verdict.score == 6


def test_what_people_post_is_accepted(rules: Rules) -> None:
    plain = b"6 s?l?mnized solemnized\n9 outmove outmove\n"
    total = judge(plain, rules).score
    posted = (
        f"\ufeff# my answer\r\n\r\n  6\tS?L?MNIZED  Solemnized \r\n# half way\r\n9 outmove OUTMOVE\r\n# Score: {total} points"
    )
    verdict = judge(posted.encode(), rules)
    assert verdict.valid
    assert verdict.score == total


def test_a_claimed_score_that_differs_is_named(rules: Rules) -> None:
    verdict = judge(b"6 s?l?mnized solemnized\n# score 961\n", rules)
    assert [(v.line, v.code) for v in verdict.violations] == [(2, "score-claim")]
    assert f"claims a score of 961: expected {verdict.score}" in verdict.violations[0].message


def test_bytes_that_are_no_utf8_are_named_and_the_rest_is_read(rules: Rules) -> None:
    verdict = judge(b"6 s?l?mnized solemnized\n# caf\xe9\n9 outmove outmove\n", rules)
    assert [(v.line, v.code) for v in verdict.violations] == [(2, "not-utf8")]
    assert len(verdict.turns) == 2


@pytest.mark.parametrize("content", [b"", b"\n\n", b"# score 0\n", b"\xef\xbb\xbf"])
def test_an_empty_file_is_a_violation(rules: Rules, content: bytes) -> None:
    assert codes(judge(content, rules)) == ["empty"]


@settings(max_examples=300)
@given(st.binary(max_size=200))
def test_arbitrary_bytes_never_crash_the_referee(content: bytes) -> None:
    rules = Rules("tiny", "teas?tab", 5, VALUES, frozenset(WORDS))
    verdict = judge(content, rules)
    verdict.as_text()
    json.dumps(verdict.as_json())


@settings(max_examples=300)
@given(
    st.lists(
        st.lists(
            st.one_of(st.text(max_size=6), st.integers(-3, 12).map(str), st.sampled_from([*WORDS, "t?a", "???", "{", "[]"])),
            max_size=5,
        ),
        max_size=6,
    )
)
def test_arbitrary_lines_never_crash_the_referee(lines: list[list[str]]) -> None:
    rules = Rules("tiny", "teas?tab", 5, VALUES, frozenset(WORDS))
    content = "\n".join(" ".join(line) for line in lines).encode("utf-8", "surrogatepass")
    verdict = judge(content, rules)
    assert verdict.valid == (not verdict.violations)
    verdict.as_text().encode("utf-8", "backslashreplace")


def test_json_of_the_solver_is_read_too(rules: Rules) -> None:
    turns = [{"left": 6, "play": "s?l?mnized", "word": "solemnized", "score": 141}]
    score = judge(b"6 s?l?mnized solemnized", rules).score
    assert judge(json.dumps({"puzzle": "challenge", "score": score, "turns": turns}).encode(), rules).valid
    wrong = judge(json.dumps({"score": 1, "turns": [{"left": -1, "play": "s?l?mnized", "word": "x"}]}).encode(), rules)
    assert {"score-claim", "bad-left-count", "unknown-word"} <= set(codes(wrong))
    for nonsense in (
        b"{",
        b'{"turns": 3}',
        b'{"turns": [{"left": 1}]}',
        b'{"turns": [{"left":1,"play":2,"word":3}]}',
        b"{" * 9999,
    ):
        assert not judge(nonsense, rules).valid


def test_the_referee_knows_the_published_scores(cases: Path, rules: Rules) -> None:
    for file, score in (("hard_839_post_sample", 839), ("hard_946_github_greedy_dfs", 946), ("hard_961_github", 961)):
        verdict = judge((cases / "solutions" / f"{file}.txt").read_bytes(), rules)
        assert verdict.valid
        assert verdict.score == score


def test_best_by_tiles_of_the_reference_is_itself_right() -> None:
    assert best_by_tiles("te?", ("tea", "te", "t")) == {"t": 1, "?": 0, "?e": 2, "?t": 1, "et": 3, "?et": 3}


def test_a_word_that_only_other_copies_of_enable1_hold_is_refused_with_the_copies_that_hold_it(rules: Rules) -> None:
    fault = next(fault for fault in judge(b"6 razzmatazz razzmatazz\n", rules).violations if fault.code == "unknown-word")
    assert fault.message == (
        "'razzmatazz' is not in the word list; copies of enable1 with 172,823 words hold it, "
        "the copy that the challenge links does not"
    )


def test_copies_of_enable1_say_nothing_of_a_word_that_another_list_lacks(rules: Rules) -> None:
    other = replace(rules, words=frozenset(WORDS))
    messages = [fault.message for fault in judge(b"6 razzmatazz razzmatazz\n", other).violations]
    assert "'razzmatazz' is not in the word list" in messages
