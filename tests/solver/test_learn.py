"""Prices learnt from good games."""

import json
import signal
import subprocess
import time
import tomllib
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.index.problem import Problem
from solver.lab import learn as learn_module
from solver.lab.learn import Choice, _worst, choices_of, find_games, fit, learn_from, read_games, table
from solver.model.puzzle import load_puzzle
from solver.model.solution import Solution
from solver.model.tiles import N_CODES, encode
from solver.model.units import SCALE
from solver.search import beam_prices as prices_module
from solver.search.beam import BeamParameters, BeamRun
from solver.search.beam_prices import positions_toml, tile_prices
from solver.search.run import Run
from solver.solving.confirm import is_confirmed
from tests.process import MAIN, rowdraw


def layer(rng: np.random.Generator, hidden: np.ndarray, states: int = 200) -> Choice:
    """States of which the one that is best under `hidden` prices was the good game's."""
    used = rng.integers(0, 3, (states, N_CODES))
    scores = rng.normal(200, 20, states)
    best = int(np.argmax(scores - used @ hidden))
    others = np.arange(states) != best
    leads, more = (scores - scores[best])[others], (used - used[best])[others]
    return Choice(leads.astype(np.float32), more.astype(np.float32), 1)


@given(seed=st.integers(0, 1000), tile=st.integers(0, N_CODES - 1))
def test_the_slope_of_the_loss_is_that_of_its_values(seed: int, tile: int) -> None:
    rng = np.random.default_rng(seed)
    game = [layer(rng, rng.uniform(0, 20, N_CODES), states=20) for _ in range(3)]
    prices = rng.uniform(0, 10, N_CODES)
    step = np.zeros(N_CODES)
    step[tile] = 0.05
    measured = (_worst(game, prices + step)[0] - _worst(game, prices - step)[0]) / 0.1
    assert _worst(game, prices)[1][tile] == pytest.approx(measured, rel=0.1, abs=0.01)


def test_learnt_prices_rank_games_higher_that_they_were_not_learnt_from() -> None:
    rng = np.random.default_rng(1)
    hidden = rng.uniform(2, 20, N_CODES)
    start = np.full(N_CODES, hidden.mean())
    learnt = fit([[layer(rng, hidden) for _ in range(3)] for _ in range(60)], start)
    others = [layer(rng, hidden) for _ in range(50)]
    ranks = [np.mean([choice.rank(prices) for choice in others]) for prices in (hidden, learnt, start)]
    assert ranks[0] == 1 < ranks[1] < ranks[2] / 2
    assert np.abs(learnt - hidden).mean() < np.abs(start - hidden).mean() / 2


def test_a_beam_ranks_its_own_game_as_it_ranked_it_then(challenge: Problem, monkeypatch: pytest.MonkeyPatch) -> None:
    width = 200
    monkeypatch.setattr(learn_module, "WIDTH", width)
    monkeypatch.setattr(learn_module, "_EVERY", 1)
    prices = tile_prices(challenge)
    run = Run()
    with ThreadPoolExecutor(1) as pool:
        beams = BeamRun(challenge, run, BeamParameters(width, fishing=0), pool)
        assert beams.search(width // 8)
        assert beams.search(width)
    game = run.incumbent
    choices = choices_of(challenge, game, prices / SCALE, Run())
    score, played = 0, 0
    left = list(choices)
    for turn in game.turns:
        played += len(turn.play)
        score += turn.score
        if len(beams.history.scores(played)) < width or played >= 90:
            continue
        states = SCALE * beams.history.scores(played).astype(np.int64) - beams.history.used(played) @ prices
        assert (np.diff(states) <= 0).all()  # a layer is in order of priority
        assert (beams.history.used(played).sum(axis=1) == played).all()
        of_game = SCALE * score - sum(prices[code] for code in codes_played(game, played))
        # equals may count as ahead: prices are rounded on the way
        assert 1 + (states > of_game).sum() <= left.pop(0).rank(prices / SCALE) <= 1 + (states >= of_game).sum() <= 1 + width
    assert not left
    assert len(choices) >= 5


def codes_played(game: Solution, played: int) -> list[int]:
    """The first tiles that the game has played."""
    return encode("".join(turn.play for turn in game.turns)[:played]).tolist()


def test_the_file_of_positions_gives_the_prices_that_it_was_written_for(
    challenge: Problem, monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted = np.random.default_rng(2).uniform(1, 60, N_CODES)
    fields = tomllib.loads(positions_toml(challenge, wanted))
    monkeypatch.setattr(prices_module, "typical_positions", lambda: positions)
    positions = np.array([fields["positions"].get(tile, 0.0) for tile in prices_module.ORDER])
    prices = tile_prices(challenge, prices_module.LETTER_PRICE, fields["blank"]) / SCALE
    assert prices == pytest.approx(wanted, abs=0.1)


def test_learning_goes_on_with_the_games_on_file(tmp_path: Path) -> None:
    arguments = ("lab", "learn", "--racks", "3000", "-o", str(tmp_path))
    first = rowdraw(*arguments, "--rows", "2")
    assert first.returncode == 0, first.stderr
    journal = tmp_path / "games.jsonl"
    kept = journal.read_text()
    second = rowdraw(*arguments, "--rows", "3")
    assert second.returncode == 0, second.stderr
    assert second.stdout.startswith("3 games, of the rows that `rowdraw puzzle shuffle --seed 1001` to `--seed 1003` print")
    games = [json.loads(line) for line in journal.read_text().splitlines()]
    assert [game["seed"] for game in games] == [1001, 1002, 1003]
    assert [game["turns"] for game in games[:2]] == [json.loads(line)["turns"] for line in kept.splitlines()]
    assert second.stdout == (tmp_path / "table.md").read_text() + "\n" + (tmp_path / "letter-positions.toml").read_text()


def test_of_two_games_of_a_row_the_better_one_stays(tmp_path: Path) -> None:
    def scores(racks: int, rows: int, again: bool) -> list[int]:
        games = find_games(load_puzzle("challenge"), rows, tmp_path, lambda: Run(rack_budget=racks), again)
        return [game.score for game in games]

    first = scores(3_000, 3, False)
    better = scores(20_000, 2, True)
    assert sum(better) > sum(first[:2])
    assert scores(3_000, 2, True) == better
    assert [game.score for game in read_games(tmp_path)] == [*better, first[2]]  # what was not asked for stays on file


@pytest.mark.parametrize(
    "damage",
    [
        '{"seed": 1}',
        "[]",
        "5",
        '{"seed": "1", "score": 0, "turns": []}',
        '{"seed": 1, "score": 2, "turns": []}',
        '{"seed": 1, "score": 2, "turns": [{"left": 0, "play": "\\ud800", "word": "a", "score": 2}]}',
        '{"seed": 1, "sco',
        "[" * 100_000,
    ],
)
def test_a_journal_of_something_else_is_named(damage: str, tmp_path: Path) -> None:
    (tmp_path / "games.jsonl").write_text(f"{damage}\n\n")
    done = rowdraw("lab", "learn", "--rows", "2", "-o", str(tmp_path))
    assert done.returncode == 2
    assert "games.jsonl:1" in done.stderr
    assert "expected a game" in done.stderr


def test_a_game_on_file_that_is_none_is_named(tmp_path: Path) -> None:
    turn = {"left": 10, "play": "zzz", "word": "zzz", "score": 60}
    (tmp_path / "games.jsonl").write_text(json.dumps({"seed": 1001, "score": 60, "turns": [turn]}) + "\n")
    done = rowdraw("lab", "learn", "--rows", "2", "-o", str(tmp_path))
    assert done.returncode == 2
    assert "games.jsonl: the referee does not confirm the game of row 1001" in done.stderr


def test_ctrl_c_ends_learning_and_keeps_the_games(tmp_path: Path) -> None:
    arguments = [*MAIN, "lab", "learn", "--racks", "3000", "-o", str(tmp_path)]
    process = subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    while not (tmp_path / "games.jsonl").exists():
        assert process.poll() is None
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=120)
    assert process.returncode == 130, err
    assert not out
    assert "Traceback" not in err
    assert read_games(tmp_path)


def test_what_was_learnt_is_what_beams_take(root: Path) -> None:
    folder = root / "results/learnt-positions"
    games = read_games(folder)
    assert (folder / "table.md").read_text() == table(games)
    text = (folder / "letter-positions.toml").read_text()
    assert text == (root / "data/letter-positions.toml").read_text()
    assert tomllib.loads(text)["blank"] == prices_module.BLANK_PRICE
    challenge = Problem.of(load_puzzle("challenge"))
    for game in games:
        assert is_confirmed(replace(challenge, puzzle=challenge.puzzle.shuffled(game.seed)), Solution(game.turns))
        assert game.score == sum(turn.score for turn in game.turns)


def test_games_are_ranked_as_the_journal_says(root: Path, tmp_path: Path) -> None:
    games = read_games(root / "results/learnt-positions")[:2]
    said: list[str] = []
    lesson = learn_from(load_puzzle("challenge"), games, tmp_path, Run, said.append)
    assert lesson is not None
    assert [game.before for game in lesson.games] == [game.before for game in games]
    assert read_games(tmp_path) == list(lesson.games)
    assert said[0].startswith("round 1 of")
