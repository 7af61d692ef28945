"""No file decides which other files are opened: it names bundled ones, and the user the rest."""

import json
from pathlib import Path

import pytest

from solver.model.puzzle import load_puzzle
from tests.process import rowdraw
from verify import RulesError
from verify.scrabble.judge import judge_game

SECRET = "hush\nhush-hush 1234\n"
GAME = "#player1 a A\n#player2 b B\n{pragma}\n>a: CABXYZQ 8H CAB +14 14\n"


@pytest.fixture
def secret(tmp_path: Path) -> Path:
    path = tmp_path / "secret.txt"
    path.write_text(SECRET)
    return path


@pytest.mark.parametrize("named", ["{path}", "secret.txt", "../{folder}/secret"])
def test_a_game_names_bundled_lists_only(
    named: str, secret: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    pragma = "#lexicon " + named.format(path=secret, folder=tmp_path.name)
    verdict = judge_game(GAME.format(pragma=pragma).encode())
    assert verdict.valid
    assert "is not bundled" in verdict.words
    assert "1234" not in verdict.as_text()


def test_a_saved_game_goes_on_without_opening_the_list_that_it_names(
    secret: Path, tmp_path: Path
) -> None:
    begin = ["scrabble", "play", "--words", "secret.txt", "--seed", "2", "--save", "g.gcg"]
    rowdraw(*begin, cwd=tmp_path, code=2)
    secret.write_text("cab\n")
    rowdraw(*begin, cwd=tmp_path, code=0)
    secret.write_text(SECRET)
    resume = ("scrabble", "play", "--resume", "g.gcg")
    on = rowdraw(*resume, cwd=tmp_path, code=0)
    assert "is not bundled" in on.stdout
    assert "1234" not in on.stdout + on.stderr
    asked = rowdraw(*resume, "--words", "secret.txt", cwd=tmp_path, code=2)
    assert "secret.txt:2" in asked.stderr


@pytest.mark.parametrize("named", ["{path}", "../{folder}/secret.txt"])
def test_a_puzzle_names_bundled_lists_only(named: str, secret: Path, tmp_path: Path) -> None:
    words = named.format(path=secret, folder=tmp_path.name)
    (tmp_path / "p.toml").write_text(f'row = "teasets"\nwords = "{words}"\n')
    puzzle = str(tmp_path / "p.toml")
    with pytest.raises(RulesError, match="not a bundled list: pass its words with --words FILE"):
        load_puzzle(puzzle)
    done = rowdraw("solve", puzzle, cwd=tmp_path, code=2)
    assert "with --words FILE" in done.stderr
    assert "1234" not in done.stderr
    shuffled = rowdraw("puzzle", "shuffle", "--seed", "1", "--of", puzzle, code=2)
    assert "not a bundled list" in shuffled.stderr
    assert "1234" not in shuffled.stderr


@pytest.mark.parametrize("named", ["{path}", "p.toml"])
def test_an_answer_names_bundled_names_only(named: str, tmp_path: Path) -> None:
    (tmp_path / "p.toml").write_text('row = "xtea"\nrack = 4\nsecret = 1234\n')
    puzzle = named.format(path=tmp_path / "p.toml")
    turn = {"left": 0, "play": "tea", "word": "tea"}
    for text in (
        f"# puzzle {puzzle}\n0 tea tea\n",
        json.dumps({"puzzle": puzzle, "turns": [turn]}),
    ):
        (tmp_path / "a").write_text(text)
        done = rowdraw("verify", "a", cwd=tmp_path, code=2)
        assert "pass that file with --puzzle" in done.stderr
        assert "secret" not in done.stderr
    named_here = rowdraw("verify", "a", "--puzzle", "p.toml", cwd=tmp_path)
    assert "unknown field 'secret'" in named_here.stderr
