"""The second checker of certificates, in C: it gives the referee's verdicts."""

import json
import random
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.bound.sweeps.training import Trainer
from tests.bound.games import WORDS, Small, small, smalls
from tests.bound.proofs import swept, text_of
from tests.bound.second import SOURCE, Checked, Outcome, checked, program
from tests.bound.six import FILES, RULES
from tests.bound.test_certificate_exit_codes import CHANGES
from tests.fuzz.mutation import mutated
from tests.process import rowdraw
from verify.bound.certificate import digest

SIX = (FILES / "six.txt").read_bytes()
LISTED = "\n".join(WORDS).encode()


@pytest.fixture
def six(tmp_path: Path) -> Checked:
    return Checked.of(tmp_path, RULES, SIX)


def signed(fields: dict[str, Any]) -> bytes:
    return json.dumps(fields | {"digest": digest(fields)}).encode()


def assert_same(referee: Outcome, second: Outcome) -> None:
    """The exit codes and the first lines are the same; faults that name hashes say them in other words."""
    assert second.code == referee.code, (referee, second)
    assert second.out.partition("\n")[0] == referee.out.partition("\n")[0]
    codes = [[line.split(": ")[1] for line in out.splitlines()[1:]] for out in (referee.out, second.out)]
    assert codes[0] == codes[1]
    if "bound-claim" in codes[0]:
        assert second.out == referee.out


@pytest.mark.parametrize("name", ["r1", "r2", "r3", "sweep", "low"])
def test_the_examples_of_the_specification_get_the_referee_s_words(name: str) -> None:
    files = FILES / f"{name}.json", FILES / "six.toml", FILES / "six.txt"
    referee = rowdraw("verify", str(files[0]), "--puzzle", str(files[1]), "--words", str(files[2]))
    assert checked(*files) == Outcome(referee.returncode, referee.stdout)


@pytest.mark.parametrize(("name", "change", "code"), CHANGES.values(), ids=CHANGES.keys())
def test_changed_certificates_get_the_referee_s_verdict(
    six: Checked, name: str, change: Callable[[dict[str, Any]], Any], code: int
) -> None:
    fields = json.loads((FILES / f"{name}.json").read_text(encoding="utf-8"))
    change(fields)
    referee, second = six.both(signed(fields))
    assert referee.code == code
    assert_same(referee, second)
    assert_same(*six.both(json.dumps(fields).encode()))


@pytest.mark.parametrize(
    "text",
    [
        '"puzzle": "\\ud800 \\ud83d\\ude00 \U0001f600 \\u00e9 \\/ \\n"',
        '"puzzle": "\x7f"',
        '"puzzle": "\t"',
        '"puzzle": "\\x"',
        '"puzzle": "\\u12"',
        '"puzzle": "six", "puzzle": "six"',
        '"puzzle": "six", "row": 1',
        '"puzzle": "six", "row": true',
        '"puzzle": "six", "row": NaN',
        '"puzzle": "six", "row": 1.0',
        '"puzzle": "six", "row": [[[[[[[]]]]]]]',
        '"puzzle": "six",',
        '"puzzle": "six", "row": ""} {',
    ],
)
def test_texts_get_the_referee_s_verdict(six: Checked, text: str) -> None:
    content = (FILES / "r3.json").read_text(encoding="utf-8").replace('"puzzle": "six"', text)
    assert_same(*six.both(content.encode()))


@pytest.mark.parametrize("before", [b" ", b"\n\r\t", b"\xef\xbb\xbf", b"\xef\xbb\xbf ", b" " * 190, b" \xef\xbb\xbf", b"\x0b"])
def test_certificates_after_white_space_get_the_referee_s_verdict(six: Checked, before: bytes) -> None:
    assert_same(*six.both(before + (FILES / "r3.json").read_bytes()))


def test_strings_are_hashed_in_their_canonical_form(six: Checked) -> None:
    fields = json.loads((FILES / "r3.json").read_text(encoding="utf-8")) | {"puzzle": '\ud800\U0001f600é/\n\x7f\\"', "row": ""}
    assert six.both(signed(fields))[1].code == 0
    assert (
        six.both(json.dumps(fields | {"digest": digest(fields)}, ensure_ascii=False).encode("utf-8", "surrogatepass"))[1].code
        == 2
    )


@given(game=smalls, name=st.sampled_from(["r1", "r2", "r3"]), more=st.integers(-1, 1))
@settings(max_examples=25)
def test_bounds_of_small_games_get_the_referee_s_verdict(
    tmp_path_factory: pytest.TempPathFactory, game: Small, name: str, more: int
) -> None:
    fields = json.loads(text_of(game, name))
    fields["bound"] = f"{float(fields['bound']) + more / 1000:.3f}"
    assert_same(*Checked.of(tmp_path_factory.mktemp("small"), game.rules, LISTED).both(signed(fields)))


@given(game=smalls, width=st.integers(1, 4), seed=st.integers(0, 999))
@settings(max_examples=15)
def test_nodes_of_several_states_get_the_referee_s_bound(
    tmp_path_factory: pytest.TempPathFactory, game: Small, width: int, seed: int
) -> None:
    fields = json.loads(text_of(game, "r1"))
    prices = np.random.default_rng(seed).integers(0, 4000, len(game.row))
    fields["parameters"] = {"width": min(width, len(game.row))}
    fields["prices"] = {"tiles": [f"{price / 1000:.3f}" for price in prices.tolist()]}
    both = Checked.of(tmp_path_factory.mktemp("small"), game.rules, LISTED)
    fields["bound"] = "0"
    fields["bound"] = both.both(signed(fields))[0].out.splitlines()[0].rpartition(" ")[2] or "0"
    referee, second = both.both(signed(fields))
    assert referee.code == 0
    assert second == referee


@given(game=smalls, states=st.sampled_from([2, 20, 10_000]), foci=st.booleans(), below=st.integers(0, 3))
@settings(max_examples=25)
def test_sweeps_of_small_games_get_the_referee_s_verdict(
    tmp_path_factory: pytest.TempPathFactory, game: Small, states: int, foci: bool, below: int
) -> None:
    trainer = Trainer(game.problem, least=1, apart=2, groups=2, rounds=2) if foci else None
    fields = json.loads(swept(game, states, trainer))
    fields["bound"] = f"{float(fields['bound']) - below:.3f}"
    assert_same(*Checked.of(tmp_path_factory.mktemp("small"), game.rules, LISTED).both(signed(fields)))


@pytest.mark.parametrize("row", ["?????????ate?z", "eatstaeoztaesot", "???aetzos?????", "aaaaaatttttteee"])
def test_sweeps_with_full_racks_get_the_referee_s_verdict(tmp_path: Path, row: str) -> None:
    """Leaves of eight and nine tiles, many equal tiles, and more blanks than letters."""
    game = small(row, 10, 7)
    for below in (0, 1):
        fields = json.loads(swept(game, 10_000, Trainer(game.problem, least=1, apart=2, groups=2, rounds=2)))
        fields["bound"] = f"{float(fields['bound']) - below:.3f}"
        referee, second = Checked.of(tmp_path, game.rules, LISTED).both(signed(fields))
        assert referee.code == below
        assert_same(referee, second)


def test_mutations_get_the_referee_s_verdict(tmp_path: Path) -> None:
    game = small("zest?atseatto", 5, 7)
    trainer = Trainer(game.problem, least=1, apart=2, groups=2, rounds=2)
    seeds = [text.encode() for text in (text_of(game, "r1"), text_of(game, "r3"), swept(game, 10_000, trainer))]
    both, rng, codes = Checked.of(tmp_path, game.rules, LISTED), random.Random(1), set()
    for _ in range(60):
        content = mutated(rng, seeds)
        assert_same(*both.both(content))
        try:
            fields = json.loads(content)
            again = signed(fields)
        except (ValueError, TypeError, RecursionError):
            continue
        referee, second = both.both(again)
        assert_same(referee, second)
        codes.add(referee.code)
    assert codes == {0, 1, 2}


@pytest.mark.parametrize(
    "words",
    [
        SIX.replace(b"\n", b"\r\n"),
        b"\xef\xbb\xbf" + SIX.upper(),
        SIX + SIX + b"\n\nit's\nte\0a\n" + "té\n".encode(),
        "\u2003at\u3000\n\x85eat\n\x1ctea\xa0".encode(),
    ],
)
def test_word_lists_in_other_forms_are_the_same(tmp_path: Path, words: bytes) -> None:
    both = Checked.of(tmp_path, RULES, words)
    assert both.both((FILES / "sweep.json").read_bytes())[1].code == 0


@pytest.mark.parametrize("words", [b"", b"\n1\n", b"at\neat\ntea\n\xff", b"at\neat\ntea\n\xed\xa0\x80\n"])
def test_unreadable_word_lists_get_no_verdict(tmp_path: Path, words: bytes) -> None:
    assert Checked.of(tmp_path, RULES, words).both((FILES / "r1.json").read_bytes())[1].code == 2


@pytest.mark.parametrize(
    ("puzzle", "code"),
    [
        ("row = 'eaa?AT' # six\nrack = 3\nvalues = { a=1,e = 2 , t=3 }", 0),
        ('# six\n\nname = "six"\r\nrow = "eaa?at"\r\n  rack = 3\r\n[values]\r\na = 1\r\ne = 2\r\nt = 3\r\n"?" = 0\r\n', 0),
        ('row = "eaa?at"\nrack = 3\nvalues = "english"', 1),
        ('row = "eaa?at"\nrack = 3', 1),
        ('row = "eaa?at"\nrack = 3\nbonus = 5\nvalues = { a = 1, e = 2, t = 3 }', 2),
        ('row = "eaa?at"\nrack = 3\nvalues = { a = 1, e = 2, t = 3, "?" = 1 }', 2),
        ('row = "eaa at"\nrack = 3', 2),
        ('row = ""\nrack = 3', 2),
        ('row = "eaa?at"\nrack = 16', 2),
        ('row = { bag = "english", seed = 1 }', 2),
        ('row = "eaa?at"\nvalues = { a = 1001 }', 2),
        ('row = "eaa?at"\nvalues = "icelandic"', 2),
        ("rack = 3", 2),
        ('row = "eaa?at', 2),
    ],
)
def test_puzzle_files_in_the_forms_of_the_specification_are_read(tmp_path: Path, puzzle: str, code: int) -> None:
    path = tmp_path / "six.toml"
    path.write_text(puzzle, encoding="utf-8")
    assert checked(FILES / "r3.json", path, FILES / "six.txt").code == code


def test_files_that_cannot_be_read_get_no_verdict(tmp_path: Path) -> None:
    files = [FILES / "r3.json", FILES / "six.toml", FILES / "six.txt"]
    for missing in range(3):
        assert checked(*(tmp_path / "none" if i == missing else file for i, file in enumerate(files))) == Outcome(2, "")
    alone = subprocess.run([program()], check=False, capture_output=True, text=True)
    assert alone.returncode == 2
    assert "expected CERTIFICATE PUZZLE.toml WORDS.txt" in alone.stderr


def test_a_row_of_one_tile_and_a_rack_that_is_never_full(tmp_path: Path) -> None:
    for row, rack in (("a", 2), ("?", 15), ("eat", 6), ("teaatt", 15)):
        game = small(row, rack, 3)
        for name in ("r1", "r2", "r3"):
            assert_same(*Checked.of(tmp_path, game.rules, LISTED).both(text_of(game, name).encode()))


def test_the_source_is_one_file_without_dependencies() -> None:
    includes = {line.split()[1] for line in SOURCE.read_text(encoding="ascii").splitlines() if line.startswith("#include")}
    standard = {"pthread", "stdarg", "stdint", "stdio", "stdlib", "string", "unistd"}
    assert includes <= {f"<{name}.h>" for name in standard}
