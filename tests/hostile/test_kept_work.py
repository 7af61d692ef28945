"""Folders of `--keep` that were damaged, belong to something else, or were made by somebody who wants a false claim to hold."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from solver.bound.sweeps.training import Trainer
from tests.bound.games import Small, small
from tests.bound.proofs import swept
from verify.bound.certificate import BoundVerdict, digest, judge_certificate, read_certificate
from verify.bound.checkpoints import Keeper
from verify.bound.compiled import VERSION
from verify.bound.numbers import number_of
from verify.replay.rules import RulesError

GAME = small("zest?atseatto", 5, 7)
TEXT = swept(GAME, 10_000, Trainer(GAME.problem, least=1, apart=2, groups=2, rounds=2))
Arrays = dict[str, npt.NDArray[np.generic]]


def judge(text: str, folder: Path | None, game: Small = GAME) -> BoundVerdict:
    """Keep after each layer."""
    return judge_certificate(
        read_certificate(text.encode(), "c.json"),
        game.rules,
        "c.json",
        keeping=lambda owner: Keeper(folder, owner, pytest.fail, pause=0.0),
    )


def claiming(bound: str) -> str:
    fields = json.loads(TEXT) | {"bound": bound}
    return json.dumps(fields | {"digest": digest(fields)})


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("made") / "kept"
    assert judge(TEXT, folder).valid
    return folder


@pytest.fixture
def kept(made: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(made, tmp_path / "kept"))


def arrays_in(path: Path) -> Arrays:
    with np.load(path) as archive:
        return dict(archive)


def rewrite(path: Path, change: Callable[[Arrays], None]) -> None:
    """Change the arrays of a file, whose mark stays."""
    arrays = arrays_in(path)
    change(arrays)
    np.savez(path, **arrays)  # type: ignore[arg-type]


def test_a_forged_folder_lets_a_false_claim_pass_only_in_a_verdict_that_says_so(kept: Path, tmp_path: Path) -> None:
    text = claiming("1.000")
    assert not judge(text, None).valid
    forged = tmp_path / "forged"
    keeper = Keeper(forged, json.loads(text)["digest"], pytest.fail)
    for number in range(len(json.loads(text)["foci"]) + 1):
        keeper.keep_values(number, arrays_in(kept / f"focus-{number}.npz")["most"].astype(np.int64))
    keeper.keep_sweep(len(GAME.row) + 1, 0, {})
    verdict = judge(text, forged)
    assert verdict.kept == str(forged)
    assert verdict.as_json()["kept"] == str(forged)
    assert "holds, no game" not in verdict.as_text()
    assert "only a check without --keep proves anything" in verdict.as_text()


def test_a_folder_of_another_certificate_is_refused(kept: Path) -> None:
    with pytest.raises(RulesError, match="it is of another certificate: expected"):
        judge(claiming("1.000"), kept)


@pytest.mark.parametrize("name", ["focus-0.npz", "focus-1.npz", "sweep.npz"])
def test_a_file_from_the_folder_of_another_certificate_is_refused(name: str, kept: Path, tmp_path: Path) -> None:
    text, other = claiming("1.000"), tmp_path / "other"
    judge(text, other)
    shutil.copy(kept / name, other / name)
    with pytest.raises(RulesError, match=f"other/{name}: it is of another certificate, version or place: remove it"):
        judge(text, other)


def test_a_file_in_the_place_of_another_one_is_refused(kept: Path) -> None:
    shutil.copy(kept / "focus-1.npz", kept / "focus-0.npz")
    with pytest.raises(RulesError, match=r"focus-0.npz: it is of another certificate, version or place"):
        judge(TEXT, kept)


OWNERS = ["{digest}\n", "{digest}", f"{{digest}}\n{'0' * 64}\n", "{digest}\n{version}\nmore", "\n", "\ud800"]


@pytest.mark.parametrize("owner", OWNERS)
def test_a_folder_of_another_version_is_refused(owner: str, kept: Path) -> None:
    text = owner.format(digest=json.loads(TEXT)["digest"], version=VERSION)
    (kept / "digest.txt").write_text(text, encoding="utf-8", errors="surrogatepass")
    with pytest.raises(RulesError, match=r"kept by another version of this program: remove it|it is of another certificate"):
        judge(TEXT, kept)


def test_a_file_of_another_version_is_refused(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("verify.bound.checkpoints.VERSION", "0" * 64)
    with pytest.raises(RulesError, match="kept by another version of this program: remove it, or name another folder"):
        judge(TEXT, kept)
    (kept / "digest.txt").write_text(f"{json.loads(TEXT)['digest']}\n{'0' * 64}\n")
    with pytest.raises(RulesError, match=r"focus-0.npz: it is of another certificate, version or place"):
        judge(TEXT, kept)


@pytest.mark.parametrize("name", ["digest.txt", "focus-0.npz", "sweep.npz"])
def test_a_file_that_is_cut_anywhere_is_refused_or_whole(name: str, kept: Path) -> None:
    whole = (kept / name).read_bytes()
    for length in range(0, len(whole), max(1, len(whole) // 25)):
        (kept / name).write_bytes(whole[:length])
        with pytest.raises(RulesError):
            judge(TEXT, kept)
    (kept / name).write_bytes(whole)
    assert judge(TEXT, kept).valid


@pytest.mark.parametrize("name", ["focus-0.npz", "sweep.npz"])
def test_a_changed_byte_changes_no_verdict(name: str, kept: Path) -> None:
    whole = (kept / name).read_bytes()
    refused = 0
    for place in range(0, len(whole), max(1, len(whole) // 40)):
        (kept / name).write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        try:
            assert judge(TEXT, kept).valid
        except RulesError:
            refused += 1
    assert refused > 10


def fill(name: str, value: npt.NDArray[np.generic]) -> Callable[[Arrays], None]:
    return lambda arrays: arrays.update({name: value})


def remove(name: str) -> Callable[[Arrays], None]:
    return lambda arrays: arrays.__delitem__(name)


STRANGE_VALUES: dict[str, Callable[[Arrays], None]] = {
    "none": remove("most"),
    "more": fill("other", np.zeros(3)),
    "too few": fill("most", np.zeros((2, 2, 2), dtype=np.int64)),
    "decimals": lambda arrays: arrays.update(most=arrays["most"].astype(np.float64)),
    "one number": fill("most", np.array(7, dtype=np.int64)),
}


@pytest.mark.parametrize("kind", STRANGE_VALUES)
def test_values_of_another_form_are_refused(kind: str, kept: Path) -> None:
    rewrite(kept / "focus-0.npz", STRANGE_VALUES[kind])
    with pytest.raises(RulesError, match=r"focus-0.npz: not the values of a focus of this puzzle: remove it"):
        judge(TEXT, kept)


def layer(name: str, *states: int, dtype: type = np.uint64) -> Callable[[Arrays], None]:
    """The sweep goes on after three tiles, with one layer."""
    return lambda arrays: arrays.update({"next": np.array([4, 0]), name: np.array(states, dtype=dtype)})


def state(left: int, tiles: str) -> int:
    codes = sorted((27 if tile == "?" else ord(tile) - ord("a") + 1 for tile in tiles), reverse=True)
    return left << 50 | int(number_of(np.array(codes, dtype=np.int64), len(codes))) << 21


STRANGE_SWEEPS: dict[str, Callable[[Arrays], None]] = {
    "no next layer": remove("next"),
    "next layer in words": fill("next", np.array(["a", "b"])),
    "next layer before the first": fill("next", np.array([-3, 0])),
    "strange name": layer("../x", 5),
    "name of many digits": layer("1" * 400 + "-1", 5),
    "states in rows": fill("14-0", np.zeros((2, 2), dtype=np.uint64)),
    "states as decimals": layer("4-2", 5, dtype=float),
    "layer that is done": layer("2-2", state(2, "zet")),
    "layer behind the row": layer("99-0", 0),
    "more left draws than tiles": layer("4-20", state(20, "z")),
    "more left draws than were drawn": layer("4-7", state(7, "z")),
    "left draws of another number": layer("4-2", state(3, "z")),
    "left draws of an empty row": layer("12-2", state(2, "z")),
    "all bits": layer("4-2", 2**64 - 1),
    "a leave without a number": layer("4-2", 2 << 50 | (2**29 - 1) << 21),
    "a full rack": layer("4-2", state(2, "zesto")),
    "tiles that are not in the row": layer("4-2", state(2, "q")),
    "tiles that were not drawn": layer("4-5", state(5, "o")),
    "one tile twice": layer("4-5", state(5, "zz")),
}


def test_states_that_a_game_can_meet_are_taken(kept: Path) -> None:
    rewrite(kept / "sweep.npz", layer("4-5", state(5, "z")))
    assert judge(TEXT, kept).kept == str(kept)


@pytest.mark.parametrize("kind", STRANGE_SWEEPS)
def test_states_that_no_game_meets_are_refused(kind: str, kept: Path) -> None:
    rewrite(kept / "sweep.npz", STRANGE_SWEEPS[kind])
    with pytest.raises(RulesError, match=r"sweep.npz: .*: remove it, and the check works it out again"):
        judge(TEXT, kept)


def test_a_folder_that_somebody_else_fills_with_objects_runs_nothing(kept: Path) -> None:
    class Evil:
        def __reduce__(self) -> tuple[Callable[..., None], tuple[str]]:
            return pytest.fail, ("ran",)

    rewrite(kept / "sweep.npz", fill("next", np.array([Evil()], dtype=object)))
    with pytest.raises(RulesError, match=r"sweep.npz: damaged"):
        judge(TEXT, kept)
