"""Puzzles, word lists and the cache: good input is read, bad input is refused in clear words."""

import os
import re
from pathlib import Path

import numpy as np
import pytest

from solver.cache import read_bundle, write_bundle
from solver.errors import RackError
from solver.index import problem as index_module
from solver.index.problem import build_closed_index, closed_index
from solver.model.puzzle import Lexicon, Puzzle, load_puzzle
from solver.model.tiles import ORDER, decode, encode
from verify import RulesError
from verify.rules import bundled_names


def test_tiles_round_trip_in_either_case() -> None:
    assert decode(encode("Ab?Z")) == "ab?z"
    assert sorted(ORDER) == sorted("?abcdefghijklmnopqrstuvwxyz")


@pytest.mark.parametrize("text", ["a-b", "a\u00e9b", "a\u212ab", "a b", "a\x00b"])
def test_what_is_no_tile_is_named_with_its_place(text: str) -> None:
    with pytest.raises(RackError, match="at place 2 of"):
        encode(text)


def test_the_challenge_is_the_row_of_the_post() -> None:
    puzzle = load_puzzle("challenge")
    assert puzzle.row.startswith("sd?zeioao?mluv")
    assert (len(puzzle.row), puzzle.row.count("?"), puzzle.rack_size) == (100, 13, 10)
    values = Puzzle(puzzle).value_table[encode("qe?")]
    assert values.tolist() == [puzzle.values["q"], puzzle.values["e"], 0] == [10, 1, 0]


def test_bundled_shuffles_are_what_the_command_makes() -> None:
    challenge = load_puzzle("challenge")
    assert len(bundled_names()) == 21
    for seed in range(1, 21):
        assert load_puzzle(f"shuffled-{seed:02}") == challenge.shuffled(seed)


def test_a_puzzle_of_ones_own(tmp_path: Path) -> None:
    (tmp_path / "words.txt").write_text("Tea\r\neat\r\n\r\nate\r\n")
    path = tmp_path / "mine.toml"
    path.write_text('\ufeffrow = "TEA?"\nrack = 3\nwords = "mine"\nvalues = { t = 4, e = 2 }\n')
    puzzle = load_puzzle(str(path), tmp_path / "words.txt")
    assert (puzzle.puzzle, puzzle.row, puzzle.rack_size) == ("mine", "tea?", 3)
    assert Puzzle(puzzle).value_table[encode("tea")].tolist() == [4, 2, 0]
    assert puzzle.word_list.words == ("ate", "eat", "tea")


BAD_PUZZLES = {
    "row = ": "not TOML",
    "rack = 10": "row is missing: expected row = ",
    'row = ""': "has 0 tiles: expected 1 to 10,000",
    f'row = "{"a" * 10_001}"': "has 10001 tiles",
    'row = "ab1"': "'1' at place 3",
    'row = "ab"\nrack = 1': "rack = 1: expected a whole number from 2 to 15",
    'row = "ab"\nrack = 16': "rack = 16",
    'row = "ab"\nrack = true': "rack = True",
    'row = "ab"\nrack = 2.5': "rack = 2.5",
    'row = "ab"\nvalues = "klingon"': "no such tile set",
    'row = "ab"\nvalues = 3': "expected a table",
    'row = "ab"\nvalues = { ab = 3 }': "'ab' is not a tile",
    'row = "ab"\nvalues = { "?" = -2 }': "? = -2: expected a whole number from 0 to 1,000",
    'row = "ab"\nvalues = { a = -1 }': "a = -1: expected a whole number from 0 to 1,000",
    'row = "ab"\nvalues = { a = 1.5 }': "a = 1.5",
    'row = "ab"\nname = "x\\ny"': "expected a line",
    'row = "ab"\nname = ""': "expected a line",
    'row = "ab"\nwords = 3': "words = 3",
    'row = "ab"\nsize = 3': ":2: unknown field 'size'",
    'row = "ab"\n\nrack = 99': ":3: rack = 99",
    'row = "ab"\n[values]\na = 100000': ":2: values: a = 100000",
    'row = "ab"\nbonus = -1': "bonus = -1: expected a whole number from 0 to 10,000",
    'row = "ab"\nbonus = true': "bonus = True: expected",
    'row = "ab"\nvalues = { "?" = 1001 }': "1001",
    "row = { seed = 1 }": "row: bag is missing",
    'rack = 7\nrow = { bag = "english" }': (
        ":2: row: seed is missing: expected seed = ..., such as 7"
    ),
    'row = { bag = "english", seed = -1 }': "row: seed = -1",
    'row = { bag = "english", seed = 1, tiles = 101 }': (
        "row: tiles = 101: expected a whole number from 1 to 100"
    ),
    'row = { bag = "english", seed = 1, size = 3 }': (
        "row: unknown field 'size': expected bag, seed, tiles"
    ),
    'row = { bag = "icelandic", seed = 1 }': (
        "row: bag = 'icelandic': expected a tile set of the letters a to z"
    ),
    'row = { bag = "../tiles/english", seed = 1 }': "row: bag = '../tiles/english'",
    'row = { bag = ["english"], seed = 1 }': "row: bag = ['english']",
}


@pytest.mark.parametrize(("text", "message"), BAD_PUZZLES.items())
def test_a_bad_puzzle_is_refused_with_file_field_and_expectation(
    tmp_path: Path, text: str, message: str
) -> None:
    path = tmp_path / "bad.toml"
    path.write_text(text)
    with pytest.raises(RulesError) as caught:
        load_puzzle(path)
    assert message in str(caught.value)
    # a field that is missing has no line
    assert re.match(rf"{re.escape(str(path))}:([0-9]+:)? [^\n]+$", str(caught.value))


def test_a_row_may_hold_spaces_and_line_ends() -> None:
    assert load_puzzle("challenge").with_row(" tea?\tse\r\ntsoat\n").row == "tea?setsoat"


def test_bundles_keep_arrays_exactly_where_they_may_only_be_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    arrays = {
        "a": np.arange(7, dtype=np.int32),
        "b": np.zeros((0, 3)),
        "c": np.array([[1, 2], [3, 4]], dtype=np.uint8),
    }
    path = tmp_path / "deep" / "bundle"
    write_bundle(path, arrays)
    monkeypatch.setattr(os, "utime", lambda _path: os.stat(tmp_path / "missing"))
    kept = read_bundle(path)
    assert kept is not None
    assert list(kept) == list(arrays)
    for name, array in arrays.items():
        assert kept[name].dtype == array.dtype
        assert np.array_equal(kept[name], array)
        assert not kept[name].flags.writeable


def test_a_cut_damaged_or_missing_bundle_is_never_trusted(tmp_path: Path) -> None:
    path = tmp_path / "bundle"
    write_bundle(path, {"a": np.arange(1000), "b": np.arange(1, 1025)})
    whole = path.read_bytes()
    for wrong in (
        *(whole[:place] for place in range(0, len(whole), 97)),
        whole[:-1],
        whole[:-4096] + bytes(4096),
        whole[:4096] + bytes(1) + whole[4097:],
    ):
        path.write_bytes(wrong)
        assert read_bundle(path) is None
    path.unlink()
    assert read_bundle(path) is None
    os.mkfifo(path)
    assert read_bundle(path) is None


def test_a_bundle_that_is_cut_off_while_it_is_used_stays_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "bundle"
    write_bundle(path, {"a": np.arange(100_000)})
    kept = read_bundle(path)
    os.truncate(path, 0)
    assert kept is not None
    assert kept["a"].sum() == 4_999_950_000


def test_the_bundles_that_were_not_used_for_longest_are_removed(tmp_path: Path) -> None:
    for number in range(20):
        write_bundle(tmp_path / f"{number}.bin", {"a": np.arange(3)})
        os.utime(tmp_path / f"{number}.bin", (number, number))
        assert number == 0 or read_bundle(tmp_path / "0.bin") is not None
    kept = {path.stem for path in tmp_path.iterdir()}
    assert {"0", "19"} < kept
    assert len(kept) == 12


def test_a_full_disk_keeps_no_bundle_and_no_part_of_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_paths: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.replace", full)
    write_bundle(tmp_path / "bundle", {"a": np.arange(1000)})
    assert list(tmp_path.iterdir()) == []


def test_indexes_are_built_once_and_rebuilt_when_cut_off(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, small_lexicon: Lexicon
) -> None:
    monkeypatch.setenv("ROWDRAW_CACHE", str(tmp_path))
    scoring = Puzzle(load_puzzle("challenge")).scoring()
    builds = []

    def counting(*arguments: object) -> object:
        builds.append(1)
        return build_closed_index(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(index_module, "build_closed_index", counting)
    first = closed_index(small_lexicon, scoring, 5)
    again = closed_index(small_lexicon, scoring, 5)
    assert len(builds) == 1
    assert all(np.array_equal(value, getattr(again, name)) for name, value in vars(first).items())
    closed_index(small_lexicon, scoring._replace(margins=scoring.margins + 1), 5)
    closed_index(small_lexicon, scoring._replace(extra=scoring.extra + 1), 5)
    closed_index(small_lexicon, scoring, 4)
    assert len(builds) == 4
    for path in tmp_path.glob("closed-*"):
        cut = path.read_bytes()[:-1]
        path.write_bytes(cut)
    closed_index(small_lexicon, scoring, 5)
    assert len(builds) == 5


def test_a_cache_that_cannot_be_written_is_no_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, small_lexicon: Lexicon
) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("ROWDRAW_CACHE", str(tmp_path / "file" / "cache"))
    scoring = Puzzle(load_puzzle("challenge")).scoring()
    assert len(closed_index(small_lexicon, scoring, 5).packed) > 0


def test_a_missing_word_list_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RulesError, match="cannot be read"):
        load_puzzle(words=tmp_path / "none.txt")
