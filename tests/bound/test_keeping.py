"""Checks of certificates that are stopped and go on find what a check in one piece finds, and say what they rest on."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest

from solver.bound.sweeps.training import Trainer
from tests.bound.games import claiming, small, swept
from verify.bound.certificate import read_certificate
from verify.bound.keeper import Keeper
from verify.bound.verdict import BoundVerdict, judge_certificate
from verify.rules import RulesError

GAME = small("zest?atseatto", 5, 7)
TEXT = swept(GAME, 10_000, Trainer(GAME.problem, least=1, apart=2, groups=2, rounds=2))


class KilledError(Exception):
    """In place of a kill."""


def judge(folder: Path | None, ends: int = 10**9, tell: Callable[[str], object] = pytest.fail) -> BoundVerdict:
    """Judge the certificate, and keep after every layer; stop after `ends` reports of progress."""
    reports = 0

    def progress(_done: int, _total: int) -> None:
        nonlocal reports
        reports += 1
        if reports > ends:
            raise KilledError

    certificate = read_certificate(TEXT.encode(), "c.txt")
    keeping = lambda digest: Keeper(folder, digest, tell, pause=0.0)  # noqa: E731
    return judge_certificate(certificate, GAME.rules, "c.txt", progress, keeping)


def test_a_check_in_pieces_finds_what_one_in_one_piece_finds(tmp_path: Path) -> None:
    whole = judge(None)
    assert whole.valid
    for ends in (3, 8, 5, 11, 4):
        with pytest.raises(KilledError):
            judge(tmp_path, ends)
    again = judge(tmp_path)
    assert again == replace(whole, kept=str(tmp_path))
    assert "only a check without --keep proves anything" in again.as_text()
    assert "holds, no game" not in again.as_text()


def test_what_was_kept_is_not_computed_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert judge(tmp_path).valid
    monkeypatch.setattr("verify.bound.foci.settle", lambda *_arguments: pytest.fail("computed again"))
    monkeypatch.setattr("verify.bound.sweep.Sweep._play", lambda *_arguments: pytest.fail("played again"))
    assert judge(tmp_path).valid


def other_certificate(_content: bytes) -> bytes:
    """The same arrays, as the check of another certificate keeps them."""
    with TemporaryDirectory() as folder:
        path = Path(folder)
        Keeper(path, "f" * 64, pytest.fail).keep_values([np.zeros((2, 3), dtype=np.int64)])
        (file,) = path.iterdir()
        return file.read_bytes()


DAMAGES = {
    "nothing": lambda _content: b"",
    "noise": lambda _content: b"x" * 1000,
    "cut off": lambda content: content[:-1],
    "one bit": lambda content: content[:-1] + bytes([content[-1] ^ 1]),
    "longer": lambda content: content + b"\0",
    "other shapes": lambda content: content.replace(b"'shape': (", b"'shape': (1, ", 1),
    "another type": lambda content: content.replace(b"<i8", b"<f8").replace(b"<u8", b"<f8"),
    "another certificate": other_certificate,
}


def test_files_that_this_check_did_not_write_are_computed_again_with_a_warning(tmp_path: Path) -> None:
    assert judge(tmp_path).valid
    whole = {path: path.read_bytes() for path in tmp_path.iterdir()}
    for damage, change in DAMAGES.items():
        for path, content in whole.items():
            path.write_bytes(change(content))
        said: list[str] = []
        assert judge(tmp_path, tell=said.append).kept == "", damage
        assert len(said) == 2
        assert all("damaged, or not written by this check: computed again" in line for line in said)


def test_a_file_that_cannot_be_read_is_computed_again(tmp_path: Path) -> None:
    assert judge(tmp_path).valid
    for path in tmp_path.iterdir():
        path.unlink()
        path.mkdir()
    said: list[str] = []
    assert judge(tmp_path, tell=said.append).kept == ""
    assert "cannot be read (Is a directory): computed again" in said[0]


def test_the_work_of_another_version_or_certificate_is_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert judge(tmp_path).valid
    monkeypatch.setattr("verify.bound.keeper.VERSION", "0" * 64)
    assert judge(tmp_path).kept == ""
    assert Keeper(tmp_path, "f" * 64, pytest.fail).values() is None


def test_a_folder_that_cannot_be_used_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(RulesError, match="file: nothing can be kept there"):
        judge(tmp_path / "file")


def test_a_full_disk_is_reported_and_the_check_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_arguments: object, **_arrays: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("verify.bound.keeper.np.save", full)
    said: list[str] = []
    assert judge(tmp_path, tell=said.append).valid
    assert "cannot be written (No space left on device); going on" in said[0]


def test_a_forged_folder_lets_a_false_claim_pass_only_in_a_verdict_that_says_so(tmp_path: Path) -> None:
    certificate = read_certificate(claiming(TEXT, 1).encode(), "c.txt")
    assert not judge_certificate(certificate, GAME.rules, "c.txt").valid
    Keeper(tmp_path, certificate.digest, pytest.fail).keep_sweep(len(GAME.row) + 1, 0, {})
    verdict = judge_certificate(certificate, GAME.rules, "c.txt", keeping=lambda digest: Keeper(tmp_path, digest, pytest.fail))
    assert verdict.kept == verdict.as_json()["kept"] == str(tmp_path)
    assert "holds if the work saved in" in verdict.as_text()
