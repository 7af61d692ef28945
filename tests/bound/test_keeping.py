"""Checks of certificates that are ended and go on: they find what a check in one piece finds."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.bound.sweeps.training import Trainer
from tests.bound.games import Small, small, smalls
from tests.bound.proofs import swept
from tests.process import rowdraw
from verify.bound.certificate import BoundVerdict, digest, judge_certificate, read_certificate
from verify.bound.checkpoints import Keeper
from verify.replay.rules import RulesError

GAME = small("zest?atseatto", 5, 7)
TEXT = swept(GAME, 10_000, Trainer(GAME.problem, least=1, apart=2, groups=2, rounds=2))
DOCUMENT = read_certificate(TEXT.encode(), "c.json")


class KilledError(Exception):
    """In place of a kill."""


def keeping(folder: Path) -> Callable[[str], Keeper]:
    """Keeps after every layer, and fails where something cannot be written."""
    return lambda owner: Keeper(folder, owner, pytest.fail, pause=0.0)


def judge(game: Small, text: str, folder: Path, ends: int = 10**9) -> BoundVerdict:
    """Judge a certificate; stop after `ends` reports of progress."""
    reports = 0

    def progress(_done: int, _total: int) -> None:
        nonlocal reports
        reports += 1
        if reports > ends:
            raise KilledError

    return judge_certificate(read_certificate(text.encode(), "c.json"), game.rules, "c.json", progress, keeping(folder))


@given(game=smalls, pieces=st.lists(st.integers(1, 12), min_size=1, max_size=4), below=st.booleans())
@settings(max_examples=15, deadline=None)
def test_a_check_in_pieces_says_what_one_in_one_piece_says(
    game: Small, pieces: list[int], below: bool, tmp_path_factory: pytest.TempPathFactory
) -> None:
    document = json.loads(swept(game, 10_000))
    if below and float(document["bound"]) >= 1:
        document["bound"] = f"{float(document['bound']) - 1:.3f}"
        document["digest"] = digest(document)
    text, folder = json.dumps(document), tmp_path_factory.mktemp("kept")
    whole = judge(game, text, tmp_path_factory.mktemp("whole"))
    for ends in pieces:
        try:
            judge(game, text, folder, ends)
        except KilledError:
            continue
    again = judge(game, text, folder)
    assert replace(again, kept="") == whole
    assert again.kept in ("", str(folder))


def test_what_was_kept_is_not_worked_out_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert judge(GAME, TEXT, tmp_path).valid
    names = {path.name for path in tmp_path.iterdir()}
    assert names == {"digest.txt", "sweep.npz", *(f"focus-{number}.npz" for number in range(len(DOCUMENT["foci"]) + 1))}
    monkeypatch.setattr("verify.bound.foci.Settled.of", lambda *_arguments: pytest.fail("worked out again"))
    monkeypatch.setattr("verify.bound.sweep.ClaimSweep._play", lambda *_arguments: pytest.fail("played again"))
    assert judge(GAME, TEXT, tmp_path).valid


def test_a_verdict_says_whether_it_rests_on_a_folder(tmp_path: Path) -> None:
    first, second = judge(GAME, TEXT, tmp_path / "kept"), judge(GAME, TEXT, tmp_path / "kept")
    assert (first.kept, second.kept) == ("", str(tmp_path / "kept"))
    assert (first.as_json()["kept"], second.as_json()["kept"]) == (None, str(tmp_path / "kept"))
    assert first.as_text().startswith("c.json: holds, no game on ")
    head, note = second.as_text().splitlines()
    assert head.startswith(f"c.json: holds if the work saved in {tmp_path / 'kept'} is correct, no game on ")
    assert note == f"c.json: it relies on the work saved in {tmp_path / 'kept'}: only a check without --keep proves anything"


def test_a_folder_of_another_certificate_or_of_something_else_is_refused(tmp_path: Path) -> None:
    assert judge(GAME, TEXT, tmp_path / "kept").valid
    with pytest.raises(RulesError, match="it is of another certificate"):
        Keeper(tmp_path / "kept", "abc", pytest.fail)
    with pytest.raises(RulesError, match="holds something else"):
        Keeper(tmp_path, "abc", pytest.fail)
    (tmp_path / "file").touch()
    with pytest.raises(RulesError, match="nothing can be kept there"):
        Keeper(tmp_path / "file", "abc", pytest.fail)


@pytest.mark.parametrize("name", ["sweep.npz", "focus-1.npz"])
@pytest.mark.parametrize("content", [b"", b"PK", b"junk of some length", None])
def test_damaged_files_are_named(name: str, content: bytes | None, tmp_path: Path) -> None:
    assert judge(GAME, TEXT, tmp_path).valid
    whole = (tmp_path / name).read_bytes()
    (tmp_path / name).write_bytes(whole[: len(whole) // 2] if content is None else content)
    with pytest.raises(RulesError, match=f"{name}: damaged"):
        judge(GAME, TEXT, tmp_path)


def test_a_check_goes_on_where_nothing_can_be_written(tmp_path: Path) -> None:
    said: list[str] = []

    def keeper(owner: str) -> Keeper:
        made = Keeper(tmp_path / "kept", owner, said.append, pause=0.0)
        (tmp_path / "kept" / "sweep.npz").mkdir()
        return made

    (tmp_path / "other").mkdir()
    with pytest.raises(RulesError, match="damaged"):
        judge_certificate(DOCUMENT, GAME.rules, "c.json", keeping=keeper)
    gone = Keeper(tmp_path / "other", "abc", said.append)
    (tmp_path / "other" / "digest.txt").unlink()
    (tmp_path / "other").rmdir()
    gone.keep_values(0, np.zeros(3, dtype=np.int64))
    assert "focus-0.npz: cannot be written (No such file or directory); going on" in said[-1]


def test_the_command_keeps_and_goes_on(tmp_path: Path) -> None:
    (tmp_path / "row.toml").write_text('row = "teasetsaloud?"\nrack = 5\n')
    bound = ("bound", "row.toml", "--relaxation", "r3", "--states", "500", "--time", "1", "-o", "b.json")
    assert rowdraw(*bound, cwd=tmp_path).returncode == 0
    for _ in range(2):
        done = rowdraw("verify", "b.json", "--puzzle", "row.toml", "--keep", "kept", cwd=tmp_path)
        assert done.returncode == 0, done.stdout + done.stderr
    assert "b.json: it relies on the work saved in kept: only a check without --keep proves anything\n" in done.stdout
    assert (tmp_path / "kept" / "focus-0.npz").exists()
    other = rowdraw("verify", "b.json", "--puzzle", "row.toml", "--keep", ".", cwd=tmp_path)
    assert other.returncode == 2
    assert "holds something else" in other.stderr
