"""The row-draw game at the keyboard."""

import re
import shlex
import subprocess
from pathlib import Path

from tests.process import MAIN, rowdraw
from verify import judge, load_rules

FIRST = "6 s?l?mnized solemnized\n"


def typed(tmp_path: Path, *lines: str, options: tuple[str, ...] = ("challenge",)) -> str:
    done = rowdraw(
        "play", *options, stdin="".join(f"{line}\n" for line in lines), cwd=tmp_path, code=0
    )
    return re.sub(r"\x1b\[[0-9;]*m", "", done.stdout)


def test_a_word_is_played_with_blanks_where_the_rack_lacks_letters_and_kept_at_once(
    tmp_path: Path,
) -> None:
    out = typed(tmp_path, "6 solemnized", "9", "outmove")
    assert "solemnized: 141 points, 141 in all" in out
    assert "outmove: 54 points, 195 in all" in out
    kept = (tmp_path / "rowdraw-challenge.txt").read_text()
    assert kept == FIRST + "9 outmove outmove\n"
    assert judge(kept).score == 195


def test_a_game_goes_on_from_its_file_and_a_new_one_never_replaces_it(tmp_path: Path) -> None:
    typed(tmp_path, "6 solemnized")
    typed(tmp_path, "6 s?l?mnize solemnize")
    assert (tmp_path / "rowdraw-challenge.txt").read_text() == FIRST
    out = typed(tmp_path, "9 outmove", options=("--resume", "rowdraw-challenge.txt"))
    assert "195 points in 2 turns" in out
    assert (tmp_path / "rowdraw-challenge-2.txt").read_text() == "6 s?l?mnize solemnize\n"


def test_what_cannot_be_is_told_and_the_game_goes_on(tmp_path: Path) -> None:
    slips = {
        "11": "draw 11: expected 0 to 10",
        "qxj": "more than the rack",
        "est": "'est' is not in the word list",
        "knickknack": "copies of enable1 with 172,823 words hold it",
        "undo": "there is no turn to take back",
        "save /nowhere/x": "cannot be written",
    }
    out = typed(tmp_path, *slips, "6 solemnized")
    for message in slips.values():  # each after the one before
        assert message in out
        out = out.partition(message)[2]
    assert "141 points in 1 turn;" in out


def test_undo_takes_a_turn_back_and_a_refused_turn_leaves_the_draw_as_it_was(
    tmp_path: Path,
) -> None:
    out = typed(tmp_path, "3 zzzz", "6 solemnized", "undo")
    assert out.count("draw 5 from the left") >= 2
    assert out.count("0 points in 0 turns") >= 3
    assert (tmp_path / "rowdraw-challenge.txt").read_text() == ""


def test_a_hint_is_a_turn_that_the_referee_confirms(tmp_path: Path) -> None:
    out = typed(tmp_path, "6 solemnized", "hint")
    hint = re.search(
        r"^(\d+ \S+ \S+) scores (\d+); a game that continues with it scores (\d+)",
        out,
        re.MULTILINE,
    )
    assert hint is not None
    assert judge(FIRST + hint[1], load_rules()).score == 141 + int(hint[2])
    assert int(hint[3]) > 900


def test_files_in_the_way_and_faulty_ones_are_told(tmp_path: Path) -> None:
    (tmp_path / "there.txt").write_text("mine")
    for options, message in (
        (("--save", "there.txt"), "exists already"),
        (("--resume", "there.txt"), "there.txt: no turn: expected lines such as"),
        (("--resume", "there.txt", "--save", "x"), "expected no --save"),
    ):
        done = rowdraw("play", *options, cwd=tmp_path, code=2)
        assert message in done.stderr
    assert (tmp_path / "there.txt").read_text() == "mine"


def test_what_is_resumed_from_a_post_goes_on_in_a_file_of_its_own(tmp_path: Path) -> None:
    post = tmp_path / "post.md"
    post.write_text(f"My answer:\n\n    {FIRST}\nThat is all, folks.\n")
    before = post.read_bytes()
    done = rowdraw("play", "--resume", "post.md", stdin="9 outmove\nquit\n", cwd=tmp_path)
    assert "going on in rowdraw-challenge.txt" in done.stderr
    assert post.read_bytes() == before
    assert (tmp_path / "rowdraw-challenge.txt").read_text() == f"{FIRST}9 outmove outmove\n"


def test_the_hint_to_resume_is_a_command_that_works(tmp_path: Path) -> None:
    (tmp_path / "my puzzle.toml").write_text('name = "mine"\nrow = "tea?setsoat"\nrack = 5\n')
    (tmp_path / "words.txt").write_text("tea\nseat\n")
    for begun in (["my puzzle.toml", "--words", "words.txt"], ["--row", "seatea"]):
        out = typed(tmp_path, options=(*begun, "--save", "my game.txt"))
        resume = shlex.split(out[out.rindex("rowdraw play") :])
        assert resume[-2:] == ["--resume", "my game.txt"]
        again = rowdraw(*resume[1:], cwd=tmp_path, code=0)
        assert not again.stderr
        assert shlex.split(again.stdout[again.stdout.rindex("rowdraw play") :]) == resume
        assert again.stdout.splitlines()[1] == out.splitlines()[1]  # the row
        (tmp_path / "my game.txt").unlink()


def prompted(path: Path) -> "subprocess.Popen[str]":
    """Return a player who has opened the game at `path` and is asked for a turn."""
    command = [*MAIN, "play", "--resume", path.name]
    player = subprocess.Popen(
        command, cwd=path.parent, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert player.stdout is not None
    seen = ""
    while not seen.endswith("> "):
        letter = player.stdout.read(1)
        assert letter, seen
        seen += letter
    return player


def test_of_several_players_of_one_file_only_the_first_writes_it(tmp_path: Path) -> None:
    path = tmp_path / "g.txt"
    typed(tmp_path, options=("--save", "g.txt"))
    first, second, third = prompted(path), prompted(path), prompted(path)
    out, _err = first.communicate(FIRST)
    assert "; saved in g.txt" in out
    assert first.returncode == 0
    out, _err = second.communicate("6 sized sized\nsave mine.txt\n")
    assert "g.txt: another process has changed it" in out
    assert "; saved in mine.txt" in out
    assert second.returncode == 0
    assert path.read_text() == FIRST
    assert (tmp_path / "mine.txt").read_text() == "6 sized sized\n"
    out, _err = third.communicate("6 sized sized\n")
    assert "NOT saved: g.txt: another process has changed it" in out
    assert third.returncode == 2
    assert sorted(left.name for left in tmp_path.iterdir()) == ["g.txt", "mine.txt"]
