"""Files of a stopped proof: damaged, missing and foreign ones prove nothing, and those of somebody else stay."""

import json
import re
import tempfile
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.bound.kernels.packed_states import Packed
from solver.bound.sweeps import campaign as campaign_module
from solver.bound.sweeps import sweep as sweep_module
from solver.bound.sweeps.folder import Folder
from solver.bound.sweeps.store import Files
from solver.bound.sweeps.training import Trainer
from solver.errors import RecordError
from solver.model.solution import Solution
from tests.bound.games import small
from tests.bound.sweeping import GAME, KilledError, swept_in


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "not the progress of a sweep"),
        ("[1]", "not the progress of a sweep"),
        ("{}", "not the progress of a sweep"),
        ('{"puzzle_hash": "x", "parts": "left draws", "stage": 3}', "a sweep of another puzzle"),
    ],
)
def test_a_damaged_folder_is_refused(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "sweep").mkdir()
    (tmp_path / "sweep" / "sweep.json").write_text(text)
    with pytest.raises(RecordError, match=message):
        Folder(GAME.problem, tmp_path).stage()


def test_a_folder_whose_parts_go_by_something_else_is_refused_and_left_as_it_is(tmp_path: Path) -> None:
    swept_in(tmp_path, [])
    path = tmp_path / "sweep" / "sweep.json"
    saved = json.loads(path.read_text()) | {"parts": "hashes"}
    path.write_text(json.dumps(saved))
    with pytest.raises(RecordError, match="a sweep of another version"):
        swept_in(tmp_path, [])
    assert json.loads(path.read_text()) == saved


def test_a_certificate_of_another_puzzle_in_the_folder_is_refused(tmp_path: Path) -> None:
    swept_in(tmp_path, [])
    with pytest.raises(RecordError, match="belongs to another puzzle"):
        Folder(small("zest", 5, 1).problem, tmp_path)


@given(
    numbers=st.lists(st.integers(0, 2**40 - 1).map(lambda number: number << 24), min_size=1, max_size=20, unique=True),
    place=st.floats(0, 0.999),
    cut=st.booleans(),
)
def test_numbers_that_were_cut_short_or_changed_are_refused(numbers: list[int], place: float, cut: bool) -> None:
    with tempfile.TemporaryDirectory() as folder:
        store, stored = Files(Path(folder)), np.array(sorted(numbers), dtype=np.uint64)
        store.put("states", 3, 3, 0, stored)
        assert [store.part("states", 3, part, 4).tolist() for part in range(4)] == [
            [number for number in sorted(numbers) if number >> 62 == part] for part in range(4)
        ]
        (path,) = Path(folder).glob("layer-003/*")
        whole = path.read_bytes()
        at = int(place * len(whole))
        path.write_bytes(whole[:at] if cut else whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
        with pytest.raises(RecordError, match=r"states-003-00.u64: damaged: remove the folder"):
            store.chunks("states", 3)
        with pytest.raises(RecordError, match=r"states-003-00.u64: damaged: remove the folder"):
            [store.part("states", 3, part, 4) for part in range(4)]


def test_zeros_and_another_file_are_no_numbers_of_a_sweep(tmp_path: Path) -> None:
    store = Files(tmp_path)
    store.put("states", 3, 3, 0, np.arange(9, dtype=np.uint64))
    store.put("states", 4, 4, 0, np.arange(7, dtype=np.uint64))
    path, other = sorted(tmp_path.glob("*/*.u64"))
    for content in (bytes(path.stat().st_size), other.read_bytes()):
        path.write_bytes(content)
        with pytest.raises(RecordError, match="damaged"):
            store.find("states", 3, 3, 0)


def stopped_in(folder: Path) -> None:
    """Sweep in a folder and stop before a bound is proven."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sweep_module, "_PARTITION", 10)
        swept_in(folder, [], limit=60)


def test_each_file_that_a_stopped_sweep_needs_is_missed(tmp_path: Path) -> None:
    stopped_in(tmp_path)
    needed = json.loads((tmp_path / "sweep" / "sweep.json").read_text())["files"]
    assert {name[:9] for name in needed} > {"layer-000", "layer-005", "focus-000"}
    assert {"children", "states-0"} <= {name[10:18] for name in needed}
    for name in needed:
        path = tmp_path / "sweep" / name
        moved = path.rename(tmp_path / "moved")
        with pytest.raises(RecordError, match=f"{path.name}: missing: remove the folder"):
            swept_in(tmp_path, [])
        moved.rename(path)


@pytest.mark.parametrize("content", ["", "empty", "cut", "changed"])
def test_a_focus_that_is_damaged_is_refused(content: str, tmp_path: Path) -> None:
    stopped_in(tmp_path)
    path = tmp_path / "sweep" / "focus-0000.npz"
    whole = path.read_bytes()
    changed = bytes(byte ^ 1 if 150 < at < 250 else byte for at, byte in enumerate(whole))
    path.write_bytes({"": b"", "empty": bytes(len(whole)), "cut": whole[:-50], "changed": changed}[content])
    with pytest.raises(RecordError, match=r"focus-0000.npz: damaged: remove the folder"):
        swept_in(tmp_path, [])


def test_a_certificate_that_somebody_has_changed_is_refused(tmp_path: Path) -> None:
    swept_in(tmp_path, [])
    path = tmp_path / "certificate.txt"
    path.write_text(re.sub("claim [0-9]+", "claim 1", path.read_text()))
    with pytest.raises(RecordError, match=r"certificate.txt: .*it was changed after it was made"):
        Folder(GAME.problem, tmp_path)


def test_children_that_are_missing_are_made_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those of a partition that was expanded after the last checkpoint, which does not list them."""
    put = Files.put

    def put_or_die(self: Files, kind: str, layer: int, source: int, part: int, numbers: Packed) -> None:
        put(self, kind, layer, source, part, numbers)
        if kind == "counts" and len(numbers) > 1 and layer > 3:
            raise KilledError

    whole = swept_in(tmp_path / "whole", [])
    games: list[Solution] = []
    monkeypatch.setattr(Files, "put", put_or_die)
    with pytest.raises(KilledError):
        swept_in(tmp_path / "killed", games)
    monkeypatch.undo()
    (counts,) = (tmp_path / "killed" / "sweep").glob("layer-*/counts-*")
    children = list((tmp_path / "killed" / "sweep").glob(f"layer-*/{counts.name.replace('counts', 'children')}"))
    assert children
    for path in children:
        path.unlink()
    assert swept_in(tmp_path / "killed", games) == whole


@pytest.mark.parametrize("change", ['"layer": 99', '"layer": -3', '"layer": "x"', '"layer": 1e999', '"layer": null'])
def test_a_checkpoint_that_somebody_has_changed_is_refused(change: str, tmp_path: Path) -> None:
    stopped_in(tmp_path)
    path = tmp_path / "sweep" / "sweep.json"
    changed = re.sub(r'"layer": \d+', change, path.read_text())
    path.write_text(changed)
    with pytest.raises(RecordError, match=r"sweep.json: (damaged|not the progress of a sweep)"):
        swept_in(tmp_path, [])
    assert path.read_text() == changed


def test_files_of_somebody_else_in_the_folder_of_a_sweep_stay(tmp_path: Path) -> None:
    theirs = [
        tmp_path / "sweep" / name for name in ("layer-ideas/cake.txt", "layer-1", "layer-003/photo.png", "focus-group.npz")
    ]
    for path in theirs:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("theirs")
    swept_in(tmp_path, [])
    assert [path.read_text() for path in theirs] == ["theirs"] * len(theirs)


TRUTH = 46  # the best score of `GAME`


def trained_in(folder: Path, games: list[Solution]) -> int:
    """Sweep in a folder with new prices in every layer; return the bound on file."""
    swept_in(folder, games, trainer=Trainer(GAME.problem, least=1, apart=1, groups=2, rounds=2))
    bound = Folder(GAME.problem, folder).bound
    assert bound is not None
    return bound.points


def killed_at_deletion(number: int, folder: Path, games: list[Solution]) -> bool:
    """Sweep in a folder until a number of foci are deleted; return whether the process was killed, not done before."""
    deleted, unlink = 0, Path.unlink

    def dying(path: Path, missing_ok: bool = False) -> None:
        nonlocal deleted
        deleted += path.suffix == ".npz"
        if deleted == number:
            raise KilledError
        unlink(path, missing_ok)

    with pytest.MonkeyPatch.context() as patch, suppress(KilledError):
        patch.setattr(Path, "unlink", dying)
        trained_in(folder, games)
        return False
    return True


@pytest.mark.parametrize("number", [2, 3, 8])
def test_a_process_killed_while_it_deletes_foci_proves_nothing_false(
    number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(campaign_module, "_FIRST", 3)
    games: list[Solution] = []
    assert killed_at_deletion(number, tmp_path, games)
    assert trained_in(tmp_path, games) == TRUTH


def test_an_answer_that_is_lost_after_the_proof_is_found_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(campaign_module, "_FIRST", 10**9)
    found: list[Solution] = []
    best, _racks = swept_in(tmp_path, found)
    assert best == found[-1].score
    again: list[Solution] = []
    swept_in(tmp_path, again)
    assert again[-1].score == best
