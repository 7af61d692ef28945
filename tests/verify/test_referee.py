"""The referee: what it accepts, what it names, and that nothing makes it raise."""

import json
import random
import re
import sys
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.fuzz import plain
from tests.process import shell
from tests.reference import VALUES, draws, play_score, plays_of_word
from verify import Rules, Verdict, judge, load_rules
from verify.cli import main

ROOT = Path(__file__).resolve().parents[2]
WORDS = [
    "a",
    "ab",
    "at",
    "tat",
    "tea",
    "eat",
    "ate",
    "teat",
    "seat",
    "east",
    "eats",
    "beta",
    "tab",
    "zest",
    "zeta",
]


@pytest.fixture(scope="module")
def rules() -> Rules:
    return load_rules("challenge")


def game(seed: int) -> tuple[Rules, list[str]]:
    """A random legal game: its rules and its lines."""
    rng = random.Random(seed)
    row = "".join(rng.choices("abestz?", k=rng.randint(1, 30)))
    rack_size = rng.randint(2, 8)
    left = right = 0
    leave = ""
    lines = []
    for _ in range(rng.randint(1, 12)):
        options = list(draws(row, left, right, leave, rack_size))
        new_left, new_right, rack = rng.choice(options)
        plays = [(play, word) for word in WORDS for play in plays_of_word(rack, word)]
        if not plays:
            break
        play, word = rng.choice(plays)
        lines.append(f"{new_left - left} {play} {word}")
        left = new_left
        right = new_right
        leave = "".join((Counter(rack) - Counter(play)).elements())
    return Rules(row, rack_size, VALUES, frozenset(WORDS), name="random"), lines


def codes(verdict: Verdict) -> list[str]:
    return [violation.code for violation in verdict.violations]


def lines_and_codes(verdict: Verdict) -> list[tuple[int, str]]:
    return [(violation.line, violation.code) for violation in verdict.violations]


@settings(max_examples=200)
@given(seed=st.integers(0, 10**9))
def test_any_legal_game_is_valid_with_the_score_of_the_script(seed: int) -> None:
    rules, lines = game(seed)
    content = "\n".join(lines).encode()
    verdict = judge(content, rules)
    if lines:
        scores = [play_score(line.split()[1]) for line in lines]
        judged = plain.judged(content, rules.row, rules.rack_size, rules.words)
        assert (verdict.valid, verdict.score) == judged == (True, sum(scores))
        assert [turn.score for turn in verdict.turns] == scores
    else:
        assert codes(verdict) == ["empty"]


# how a line is spoilt, and the fault that it then has
MUTATIONS = {
    "negative": ("-1 {play} {word}", "bad-left-count"),
    "plus": ("+{left} {play} {word}", "bad-left-count"),
    "underscore": ("0_{left} {play} {word}", "bad-left-count"),
    "float": ("{left}.0 {play} {word}", "bad-left-count"),
    "arabic digits": ("\u0661 {play} {word}", "bad-left-count"),
    "huge": (f"{'9' * 5000} {{play}} {{word}}", "bad-left-count"),
    "eleven": ("11 {play} {word}", "too-many-draws"),
    "no word": ("{left} {play}", "malformed-line"),
    "four fields": ("{left} {play} {word} 19", "malformed-line"),
    "unknown word": ("{left} {strange} {strange}", "unknown-word"),
    "foreign tile": ("{left} q{tail} {word}", "not-on-rack"),
    "longer word": ("{left} {play} {word}s", "play-word-mismatch"),
    "other letter": ("{left} {play} {strange}", "play-word-mismatch"),
}


def spoilt(line: str, mutation: str) -> str:
    left, play, word = line.split()
    return MUTATIONS[mutation][0].format(
        left=left, play=play, word=word, tail=play[1:], strange="q" * len(word)
    )


@settings(max_examples=200)
@given(name=st.sampled_from(sorted(MUTATIONS)), seed=st.integers(0, 10**9))
def test_a_mutated_line_gets_its_violation(name: str, seed: int) -> None:
    rules, lines = game(seed)
    letters = [i for i, line in enumerate(lines) if set(line.split()[1]) != {"?"}]
    if not letters:
        return
    place = letters[seed % len(letters)]
    lines[place] = spoilt(lines[place], name)
    verdict = judge("\n".join(lines).encode(), rules, strict=True)
    assert not verdict.valid
    assert (place + 1, MUTATIONS[name][1]) in lines_and_codes(verdict)


def test_after_a_fault_of_draws_or_tiles_later_turns_are_judged_by_their_words(
    rules: Rules,
) -> None:
    text = (
        b"6 s?l?mnized solemnized\n10.0 ape ape\n\n2 outmoves outmovesx\nasp\n"
        b"rubbish here to see\n9 zzz zzz\n"
    )
    verdict = judge(text, rules, strict=True)
    assert lines_and_codes(verdict) == [
        (2, "bad-left-count"),
        (4, "play-word-mismatch"),
        (4, "unknown-word"),
        (5, "malformed-line"),
        (6, "malformed-line"),
        (7, "unknown-word"),
    ]
    assert (
        "draws and tiles after line 2 are not judged: their faults would follow from this one"
        in verdict.notes
    )
    assert [turn.play for turn in verdict.turns] == ["s?l?mnized", "ape", "outmoves", "zzz"]
    assert [turn.rack for turn in verdict.turns[1:]] == ["", "", ""]


def test_a_fault_of_the_word_alone_hides_no_later_fault_of_tiles(rules: Rules) -> None:
    verdict = judge(
        b"6 s?l?mnized solemnizes\n9 outmove outmove\n3 pasp pasp\n", rules, strict=True
    )
    assert lines_and_codes(verdict) == [
        (1, "play-word-mismatch"),
        (3, "not-on-rack"),
        (3, "unknown-word"),
    ]


def test_messages_quote_the_token_and_what_was_expected(rules: Rules) -> None:
    verdict = judge(b"6 s?l?mnizq solemnized\n-1 b?d bids\n12 out ouu\n", rules, strict=True)
    messages = "\n".join(violation.message for violation in verdict.violations)
    for expected in (
        "'-1'.* plain digits",
        "^'s\\?l\\?mnizq' needs .* more than the rack ",
        "does not spell 'bids': it has 3 tiles, expected 4, one for each letter",
        "does not spell 'ouu': position 3 has 't', expected 'u' or a blank",
    ):
        assert re.search(expected, messages, re.MULTILINE), messages


def test_draws_that_the_row_has_no_tiles_for_and_turns_after_its_end_are_named() -> None:
    tiny = Rules("tea", 8, VALUES, frozenset(WORDS), name="tiny")
    (fault,) = judge(b"4 tea tea\n", tiny).violations
    assert (fault.code, fault.message) == (
        "too-many-draws",
        "4 left draws, but the rack holds 0 of 8 tiles, the row 3: expected at most 3",
    )
    assert judge(b"4 tea tea\n", tiny).unjudged is None
    assert judge(b"4 tea tea\n0 a a\n", tiny).unjudged == 1
    assert codes(judge(b"3 tea tea\n0 a a\n", tiny)) == ["after-end"]


def test_the_referee_knows_the_published_scores(cases: Path, rules: Rules) -> None:
    for file, score in (
        ("hard_839_post_sample", 839),
        ("hard_946_github_greedy_dfs", 946),
        ("hard_961_github", 961),
    ):
        verdict = judge((cases / "solutions" / f"{file}.txt").read_bytes(), rules)
        assert (verdict.valid, verdict.score) == (True, score)


def test_a_word_that_only_other_copies_of_enable1_hold_is_refused_with_the_copies_that_hold_it(
    rules: Rules,
) -> None:
    assert (
        "'razzmatazz' is not in the word list; copies of enable1 with 172,823 words hold it, "
        "the copy that the challenge links does not"
    ) in [fault.message for fault in judge(b"6 razzmatazz razzmatazz\n", rules).violations]


# what a stranger tried in order to fool the referee, or to make it stumble


GAME = "6 s?l?mnized solemnized\n9 outmove outmove\n"
KELVIN = "\u212a"


def codes_of(text: str) -> list[str]:
    return codes(judge(text, load_rules()))


def test_a_letter_that_only_lowers_to_ascii_is_no_letter() -> None:
    assert "not-on-rack" in codes_of(f"0 {KELVIN}a ka\n")
    assert "unknown-word" in codes_of(f"0 ka {KELVIN}a\n")


@pytest.mark.parametrize(
    "claim",
    ["961", "9999999999", "1,042", "-5", "999.", "195.5", "961 points", "961 pts."],
)
def test_no_false_claim_passes(claim: str) -> None:
    assert codes_of(f"{GAME}# score {claim}\n") == ["score-claim"]
    assert codes_of(f"{GAME}#SCORE: 195\n# score=195 points\n#  total   score 0195\n") == []


@pytest.mark.parametrize("score", [195.0, "195", True, [195], "thousands of digits"])
def test_a_claim_in_json_is_a_whole_number(score: object) -> None:
    turns = [
        {"left": 6, "play": "s?l?mnized", "word": "solemnized"},
        {"left": 9, "play": "outmove", "word": "outmove"},
    ]
    text = json.dumps({"score": score, "turns": turns}).replace('"thousands of digits"', "9" * 5000)
    assert codes_of(text) != []
    turns[0]["score"] = 777
    assert codes_of(json.dumps({"score": 195, "turns": turns})) == ["score-claim"]


def test_a_lone_carriage_return_ends_a_line() -> None:
    assert codes_of(GAME.replace("\n", "\r")) == []
    assert codes_of("# mine\r" + GAME) == []
    assert codes_of("6\rs?l?mnized solemnized\n") != []


@pytest.mark.usefixtures("full_device")
@pytest.mark.parametrize(
    ("redirect", "code"), [("<&-", 2), (">&-", 2), ("> /dev/full", 2), ("| true", 0)]
)
def test_closed_and_full_streams_end_without_a_traceback(redirect: str, code: int) -> None:
    done = shell(f"echo '{GAME}' | '{sys.executable}' -m verify - {redirect}", ROOT)
    assert "Traceback" not in done.stderr
    assert done.returncode == code


def test_a_verdict_is_shown_in_a_line_and_takes_paths_and_results(tmp_path: Path) -> None:
    class Found:
        def text(self) -> str:
            return GAME

    path = tmp_path / "answer.txt"
    path.write_text(GAME)
    assert repr(judge(path)) == f"<Verdict {path}: valid, 195 points in 2 turns>"
    assert str(judge(Found())) == judge(GAME).as_text()
    assert len(repr(judge(GAME).rules)) < 1_000
    (fault,) = judge(str(path)).violations
    assert "pass it as a pathlib.Path" in fault.message
    with pytest.raises(TypeError, match="NoneType: expected an answer"):
        judge(None)  # type: ignore[arg-type]


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-32"])
def test_other_encodings_are_not_readable(encoding: str, tmp_path: Path) -> None:
    path = tmp_path / "answer.txt"
    path.write_bytes(GAME.encode(encoding))
    assert codes(judge(path)) == ["not-text"]
    assert main([str(path)]) == 2


def test_an_archive_and_a_certificate_with_a_mark_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "answer.txt"
    for content, message in (
        (b"\x1f\x8b and so on", "an archive"),
        (b"\xef\xbb\xbfrowdraw certificate 2\n", r"'\ufeffrowdraw certificate 2': expected"),
    ):
        path.write_bytes(content)
        assert main([str(path)]) == 2
        assert message in capsys.readouterr().err


def test_a_named_file_without_an_answer_counts_and_one_in_a_folder_does_not(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, text in (("good.txt", GAME), ("talk.txt", "Hello!"), ("a.log", GAME)):
        (tmp_path / name).write_text(text)
    assert main(["-q", str(tmp_path / "good.txt"), str(tmp_path / "talk.txt")]) == 2
    assert main([str(tmp_path)]) == 0
    assert "1 file passed over in folders, by name" in capsys.readouterr().err
    game = tmp_path / "game.gcg"
    game.write_text(GAME)
    assert main([str(game)]) == 0
