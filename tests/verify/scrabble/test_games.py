"""Whole games: random ones are valid, each fault has its code, real ones agree."""

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.scrabble.game import replayed
from tests.random_games import begun, random_game
from tests.verify.scrabble.games import CAB, codes, judged
from verify.scrabble.gcg import read_gcg, write_gcg
from verify.scrabble.judge import judge_game
from verify.strictness import Strictness


@settings(max_examples=60)
@given(
    seed=st.integers(0, 2**31),
    players=st.integers(2, 4),
    tiles=st.sampled_from(["english", "icelandic", "polish"]),
    rules=st.sampled_from(["", "casual", "naspa", "wespa", "polish", "icelandic", "any"]),
)
def test_a_random_game_at_the_table_is_valid_and_the_same_without_its_scores(
    seed: int, players: int, tiles: str, rules: str
) -> None:
    """By every rule set of the table, the file reads back, and a table goes on from it."""
    game = random_game(begun(seed, players, tiles, rules))
    text = write_gcg(game.file)
    assert read_gcg(text.encode()) == game.file
    verdict = judge_game(text.encode(), words="none", strict=Strictness(racks=True))
    assert verdict.valid, verdict.as_text()
    for name in ("totals", "finished", "grid"):
        assert getattr(verdict, name) == getattr(game, name)
    held = sum(map(len, game.racks.values()))
    assert held + len(game.bag) + len(game.grid) == game.tiles.bag().total()
    again = replayed("game", text.encode())
    for name in ("racks", "bag", "grid", "totals"):
        assert getattr(again, name) == getattr(game, name)
    bare = tuple(replace(event, score=0, total=0, is_scored=False) for event in game.events)
    computed = judge_game(
        write_gcg(replace(game.file, events=bare)).encode(), words="none", rules=rules or None
    )
    if computed.violations:  # several bonuses are possible
        assert {fault.code for fault in computed.violations} == {"no-score"}
        assert len(game.rules.bonuses(9)) > 1
    else:
        assert computed.totals == verdict.totals
    assert computed.game.computed == ("scores" if game.events else "")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (">ann: ABCDEFG 1A CAB +10 10\n", "1 illegal-play"),
        (">ann: ABCDEFG 8H A +2 2\n", "1 illegal-play"),
        (">ann: ABCDEFG 8H C.B +1 1\n", "1 illegal-play"),
        (f"{CAB}>bob: AEINRST 8H CAB +0 0\n", "2 illegal-play"),
        (">ann: ABCDEFG 8H CAB +15 15\n", "1 wrong-score"),
        (">ann: ABCDEFG 8H CAB +14 24\n", "1 wrong-total"),
        (f"{CAB}>bob: AEINRST - +3 3\n", "2 wrong-score"),
        (f"{CAB}>ann: ABCDEFG -- -13 1\n", "2 wrong-score"),
        (f"{CAB}>eve: AEINRST - +0 0\n", "2 unknown-player"),
        (f"{CAB}>ann: AEINRST - +0 14\n", "2 out-of-turn"),
        (f"{CAB}>bob: ABCDEFG -- -14 -14\n", "2 illegal-withdrawal"),
        (f"{CAB}>ann: (challenge) +5 19\n>ann: ABCDEFG -- -14 5\n", "3 illegal-withdrawal"),
        (">ann: ABCDEFG (challenge) +5 5\n", "1 illegal-challenge"),
        (">ann: ABCDEFG (time) +5 5\n", "1 wrong-score"),
        (">ann: (time)\n", "1 no-score"),
        (">ann: ABC\n", "1 malformed-line"),
        ("cabbage\n", "1 malformed-line"),
        ("#tile-distribution klingon\n", "-2 unknown-tiles"),
        ("#rules klingon\n", "-2 unknown-rules"),
        (">ann: ЩЖЮ 8H ЩЖЮ +9 9\n", "-2 unknown-tiles"),
        ("#player3 ann Anna\n", "1 players"),
        ("", "-2 empty"),
    ],
)
def test_every_fault_has_its_code(text: str, expected: str) -> None:
    assert expected in codes(text)


@pytest.mark.parametrize(
    "text",
    [
        f"{CAB}>bob: STAINED 8H CABS +8 8\n",  # a tile that is spelt out and agrees
        f"{CAB}>bob: STAINED 8H (CAB)S +8 8\n",
        # premiums count once, and a blank is worth nothing, then and later
        ">ann: CA?DEFG 8H CAb +8 8\n>bob: STAINED 8H CABS +5 5\n",
        ">ann: ABCDEFG 8H FACED +26 26\n>bob: STAINED 8H FACEDS +12 12\n",
        ">ann: CA_DEFG 8H CAb +8 8\n",
        ">ann: IIIU -4 +0 0\n",
        ">ann: -ABC +0 0 a comment 3 4\n",
    ],
)
def test_what_programs_write_is_read(text: str) -> None:
    verdict = judged(text)
    assert (verdict.valid, verdict.remarks) == (True, ()), verdict.as_text()


def test_phonies_stand_unless_they_are_challenged_and_are_faults_where_they_cannot_be_played() -> (
    None
):
    phony = ">ann: CABZXYG 8H BAC +14 14\n"
    stood = judged(phony, words="enable1")
    assert [(found.words, found.challenger) for found in stood.phonies] == [(("BAC",), None)]
    assert (stood.valid, "phony: BAC of ann, stood" in stood.as_text()) == (True, True)
    taken = judged(phony + ">ann: CABZXYG -- -14 0\n", words="enable1")
    assert [(found.words, found.challenger) for found in taken.phonies] == [(("BAC",), "bob")]
    assert taken.valid
    full = ">ann: AEINRST 8D SNIATER +66 66\n"
    assert judged(full).bingos == {"ann": 1}
    assert judged(f"{full}>ann: AEINRST -- -66 0\n").bingos == {}
    assert codes(phony, words="enable1", strict=Strictness(phonies=True)) == ["1 unknown-word"]
    assert codes(phony + ">ann: (challenge) +5 19\n", words="enable1") == ["2 wrong-ruling"]
    assert codes(CAB + ">ann: ABCDEFG -- -14 0\n", words="enable1") == ["2 wrong-ruling"]


def test_totals_and_scores_that_a_file_does_not_give_are_computed_and_the_verdict_says_so() -> None:
    """Logs of ISC have scores and no totals."""
    without = judged(
        ">ann: CABDEFG 8H CAB +14\n>bob: AEINRST 9I AS +10\n>ann: DEFG - +0\n"
        ">bob: EINRTUU (time) -10\n"
    )
    assert (without.valid, without.totals) == (True, {"ann": 14, "bob": 0}), without.as_text()
    assert "the file has no totals, they are computed" in without.as_text()
    assert judged(">ann: CABDEFG 8H CAB +15\n").totals == {"ann": 15, "bob": 0}
    # a single line without a total was cut off
    assert codes(f"{CAB}>bob: AEINRST 9I AS +10\n") == ["2 malformed-line"]
    bare = judged(">ann: CABDEFG 8H CAB\n>bob: AEINRST 9I AS\n")
    assert (bare.totals, bare.as_json()["computed"]) == ({"ann": 14, "bob": 10}, True)
    assert "the file has no scores, they are computed" in bare.as_text()


def test_real_games_agree_but_the_one_that_contradicts_itself(cases: Path) -> None:
    files = [*cases.glob("gcg/*.gcg"), *cases.glob("icelandic/*.gcg")]
    assert len(files) == 37
    for file in files:
        content = file.read_bytes()
        verdict = judge_game(content, file.name)
        faulty = {14} if file.name == "capp.gcg" else set()
        assert {fault.line for fault in verdict.violations} == faulty, verdict.as_text()
        game = read_gcg(content)
        assert read_gcg(write_gcg(game).encode()) == game
