"""Games whose file has no scores: they are computed, and the verdict says so. Claims of other games are marked where shown."""

from dataclasses import replace
from pathlib import Path

import click
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.errors import TableError
from solver.scrabble.saved_games import Store
from solver.scrabble.shown import gcg_text
from tests.verify.scrabble.games import Simulation
from verify.scrabble.gcg import GameFile, read_gcg, write_gcg
from verify.scrabble.judge import judge_game
from verify.scrabble.rulings import Rulings

HEAD = "#player1 ann Ann Lee\n#player2 bob Bob\n#lexicon none\n"
FIRST = ">ann: EEGIMSU 8H GEMS"


def bare(game: GameFile) -> bytes:
    events = tuple(replace(event, score=0, total=0, is_scored=False) for event in game.events)
    return write_gcg(replace(game, events=events)).encode()


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 10**9), players=st.integers(2, 4), tiles=st.sampled_from(["english", "icelandic"]))
def test_the_computed_totals_are_those_of_the_game(seed: int, players: int, tiles: str) -> None:
    game = Simulation(seed, players, tiles).play(40)
    judged = judge_game(write_gcg(game).encode(), words="none", rulings=Rulings("5"))
    computed = judge_game(bare(game), words="none", rulings=Rulings("5"))
    assert computed.valid, computed.as_text()
    assert (computed.totals, computed.right_scores) == (judged.totals, judged.right_scores)
    assert computed.is_computed
    assert not judged.is_computed
    assert read_gcg(bare(game)).events == read_gcg(write_gcg(read_gcg(bare(game))).encode()).events


def test_the_verdict_says_that_scores_are_computed() -> None:
    verdict = judge_game(f"{HEAD}{FIRST}\n".encode())
    assert "ann 14, bob 0 after 1 event, the file has no scores, they are computed" in verdict.as_text()
    assert verdict.as_json()["computed"] is True


@pytest.mark.parametrize(
    ("event", "message"),
    [
        (">ann: (challenge)", "challenge bonus without a score: expected +5 or +10 in the file"),
        (">ann: (time)", "time penalty without a score"),
    ],
)
def test_points_that_no_rule_says_are_asked_for(event: str, message: str) -> None:
    verdict = judge_game(f"{HEAD}{FIRST}\n{event}\n".encode())
    assert [(fault.line, fault.code) for fault in verdict.violations] == [(5, "no-score")]
    assert message in verdict.violations[0].message


def test_one_line_without_a_score_is_cut_off() -> None:
    verdict = judge_game(f"{HEAD}{FIRST}\n>bob: EMOPPQV 9G POME +28 28\n".encode())
    fault = verdict.violations[0]
    assert (fault.line, fault.code) == (4, "malformed-line")
    assert "expected a score such as +12 and a total at the end" in fault.message


def test_a_shown_game_has_the_right_scores_and_marks_what_is_claimed() -> None:
    content = f"{HEAD}{FIRST} +15 15\n>bob: EMOPPQV 9G POME +28 28\n".encode()
    lines = click.unstyle(gcg_text(content, judge_game(content, "g.gcg"))).splitlines()
    assert lines[1].split() == ["ann", "EEGIMSU", "8H", "GEMS", "+14", "14", "claims", "+15", "15"]
    assert lines[2] == "  line 4: wrong-score: +15: expected +14"
    assert lines[3].split() == ["bob", "EMOPPQV", "9G", "POME", "+28", "28"]


def test_a_shown_game_without_scores_has_the_computed_ones() -> None:
    content = f"{HEAD}{FIRST}\n".encode()
    shown = click.unstyle(gcg_text(content, judge_game(content, "g.gcg")))
    assert "+14    14\n" in shown
    assert "claims" not in shown


def test_a_table_does_not_go_on_with_a_game_without_scores(tmp_path: Path) -> None:
    path = tmp_path / "g.gcg"
    path.write_text("#player1 ann ann\n#player2 bob bob\n#tile-distribution english\n#bag-seed 3\n>ann: EEGIMSU 8H GEMS\n")
    with pytest.raises(TableError, match="expected '>ann: EEGIMSU 8H GEMS \\+14 14'"):
        Store.open(path)
