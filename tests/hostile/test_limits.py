"""Small files that once cost minutes or gigabytes, and files without an end: each is judged or refused at once.

The referee runs with a limit of memory and a generous one of processor time: what takes time in proportion to the square of its
input, or worse, needs hours.
"""

import json
import os
import resource
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.process import rowdraw
from verify import judge, load_rules
from verify.replay.verdict import MOST_LISTED
from verify.scrabble.judge import judge_game

MEGABYTE = 10**6


def limited() -> None:
    resource.setrlimit(resource.RLIMIT_DATA, (300 * MEGABYTE, 300 * MEGABYTE))
    resource.setrlimit(resource.RLIMIT_CPU, (20, 20))


def verify(root: Path, *arguments: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    """`python -m verify` with at most 300 MB and 20 seconds of a processor."""
    done = subprocess.run(
        [sys.executable, "-m", "verify", *arguments],
        input=stdin,
        capture_output=True,
        cwd=root,
        preexec_fn=limited,
        check=False,
    )
    assert b"Traceback" not in done.stderr
    assert done.returncode in (0, 1, 2), done.stderr
    return done


LARGE: dict[str, Callable[[], bytes]] = {
    "a million faulty lines": lambda: b"x\n" * 1_000_000,
    "five million faulty lines": lambda: b"x\n" * 5_000_000,
    "faulty turns": lambda: b"0 a a\n" * 1_600_000,
    "claims": lambda: b"# score 5\n" * 1_000_000,
    "comments that are not text": lambda: b"#\xff\n" * 3_300_000,
    "blank lines": lambda: b"\n" * 9_999_000,
    "a line": lambda: b"x" * 9_999_000,
    "a line of fields": lambda: b"xy " * 3_333_000,
    "a line of digits": lambda: b"9" * 9_999_000 + b" a a",
    "lists in JSON": lambda: b'{"turns": [' + b"[]," * 3_300_000 + b"[]]}",
    "lists in rules": lambda: b'{"rules": {"row": [' + b"[]," * 3_300_000 + b"[]]}, 6: (6, 'asp', 'asp')",
    "lists in lists": lambda: b'{"a": ' + b"[" * 9_000_000,
    "numbers in JSON": lambda: b'{"turns": [' + b"1," * 4_900_000 + b"1]}",
    "a play in JSON": lambda: json.dumps({"turns": [{"left": 0, "play": "a" * 9 * MEGABYTE, "word": "a"}]}).encode(),
    "spaces in an event": lambda: b">a:" + b" " * 9_000_000 + b"x",
    "spaces before a nick": lambda: b">" + b" " * 9_000_000 + b"x:",
    "events": lambda: b">a: 8H AB +1 1\n" * 600_000,
    "events of as many players": lambda: b"".join(b">a%d: 8H AB +1 1\n" % i for i in range(300_000)),
    "notes": lambda: b">a: 8H AB +1 1\n" + b"#note x\n" * 1_200_000,
    "a rack": lambda: b">a: " + b"A" * 9_000_000 + b" 8H AB +1 1\n",
    "a nick that many games have": lambda: (
        "#character-encoding UTF-8\n#player1 " + "n" * 8_000_000 + "\U0001f600\n" + ">a: 8H AB +1 1\n" * 5000
    ).encode(),
    "an encoding": lambda: b"#character-encoding punycode\n>a: 8H AB +1 1\n" + b"a-" * 4_000_000,
}  # fmt: skip


@pytest.mark.parametrize("name", LARGE)
def test_large_files_are_judged_with_little(name: str, root: Path, tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(LARGE[name]())
    done = verify(root, str(path))
    assert done.returncode == 1
    assert len(done.stdout) < MEGABYTE


@pytest.mark.parametrize(("name", "faults"), [("a million faulty lines", 1_000_000), ("faulty turns", None)])
def test_a_thousand_faults_are_listed_and_the_others_counted(name: str, faults: int | None) -> None:
    verdict = judge(LARGE[name](), load_rules())
    assert len(verdict.violations) == MOST_LISTED
    assert [fault.line for fault in verdict.violations] == sorted(fault.line for fault in verdict.violations)
    if faults is not None:
        assert verdict.faults.count == faults
    assert f"INVALID on challenge, {verdict.faults};" in verdict.as_text()
    assert f"and {verdict.faults.count - MOST_LISTED:,} more" in verdict.as_text()
    fields = verdict.as_json()
    assert (len(fields["violations"]), fields["violation_count"]) == (MOST_LISTED, verdict.faults.count)


def test_one_fault_is_one() -> None:
    assert ", 1 fault;" in judge(b"6 s?l?mnized solemnized\n# score 1\n", load_rules()).as_text()


@pytest.mark.parametrize(
    "content",
    [
        b"0" * 5000 + b"6 s?l?mnized solemnized",
        b"9" * 5000 + b" s?l?mnized solemnized",
        b"6 s?l?mnized solemnized\n# score " + b"9" * 5000,
        b'{"turns": [{"left": 1' + b"0" * 5000 + b', "play": "a", "word": "a"}]}',
    ],
)
def test_numbers_of_thousands_of_digits_are_read(content: bytes) -> None:
    verdict = judge(content, load_rules())
    assert all(len(fault.message) < 300 for fault in verdict.violations)
    json.dumps(verdict.as_json())


def test_zeros_before_a_number_change_nothing() -> None:
    assert judge(b"0" * 4000 + b"6 s?l?mnized solemnized\n9 outmove outmove\n# score 00000000000195\n", load_rules()).valid


@pytest.mark.parametrize("space", ["\t", "\u00a0", " ", "\x1f"])
def test_white_space_behind_a_sign_is_passed_over(space: str) -> None:
    text = f"#character-encoding UTF-8\n#player1 a A\n#player2 b B\n>a: CABXYZQ 8H CAB +{space}14 14\n"
    assert judge_game(text.encode(), words="none").valid


@pytest.mark.parametrize(
    "line",
    [">a: ABC -" + "9" * 5000 + " +0 0", "#lexicon " + "a" * 300, "#tile-distribution " + "a" * 300, "#player1 " + "a" * 5000],
)
def test_long_names_and_numbers_in_a_game_are_read(line: str) -> None:
    verdict = judge_game(f"{line}\n>a: CABXYZQ 8H CAB +14 14\n".encode())
    assert len(verdict.as_text()) < 3000


def test_a_verdict_stands_before_that_of_a_file_that_cannot_be_read(root: Path, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("6 s?l?mnized solemnized\n")
    done = verify(root, str(tmp_path / "a.txt"), str(tmp_path / "none.txt"))
    assert b"a.txt: valid" in done.stdout
    assert b"none.txt: cannot be read" in done.stderr
    assert done.returncode == 2


DEEP = "a." * 100_000 + "a = 1"
MANY = "\n".join(f"k{i} = 1" for i in range(300_000))


HIDDEN = "x = {a='''x'''', " + "b." * 50_000 + "b=1, c=''}"


@pytest.mark.parametrize(
    "text",
    [
        HIDDEN,
        'x = "' + '\\"' * 400_000,
        f'name = "{"a" * 9_000_000}"',
        DEEP,
        MANY,
        "x = [" + "1," * 1_000_000 + "]",
        f"[{'a.' * 50_000}a]",
        "x = {" * 5000,
    ],
)
def test_deep_and_large_puzzles_are_refused(text: str, root: Path, tmp_path: Path) -> None:
    (tmp_path / "p.toml").write_text(f'row = "tea"\n{text}\n')
    done = verify(root, "--puzzle", str(tmp_path / "p.toml"), stdin=b"0 tea tea\n")
    assert done.returncode == 2
    assert b"p.toml: the puzzle is not TOML" in done.stderr
    assert "p.toml: the puzzle is not TOML" in rowdraw("solve", str(tmp_path / "p.toml")).stderr


def test_a_puzzle_may_have_a_long_row_and_long_comments(tmp_path: Path) -> None:
    path = tmp_path / "p.toml"
    path.write_text(f'# {"many words. " * 50_000}\nrow = "{"teas" * 2_500}"\nrack = 4\n')
    assert len(load_rules(str(path)).row) == 10_000


@pytest.mark.parametrize("arguments", [(), ("--words",), ("--puzzle",)])
@pytest.mark.parametrize("device", ["/dev/zero", "/dev/null", "/"])
def test_only_files_and_pipes_are_read(arguments: tuple[str, ...], device: str, root: Path) -> None:
    done = verify(root, *arguments, device, stdin=b"6 s?l?mnized solemnized\n")
    assert done.returncode == 2
    assert device.encode() in done.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ("solve", "/dev/zero"),
        ("solve", "--words", "/dev/zero"),
        ("show", "/dev/zero"),
        ("bound", "--start", "/dev/zero"),
        ("scrabble", "--resume", "/dev/zero"),
        ("scrabble", "--words", "/dev/zero"),
        ("compare", "--puzzles", "/dev/zero", "-o", "cmp"),
    ],
)
def test_commands_refuse_what_has_no_end(arguments: tuple[str, ...], tmp_path: Path) -> None:
    done = rowdraw(*arguments, cwd=tmp_path)
    assert done.returncode == 2
    assert "/dev/zero" in done.stderr


def test_pipes_are_read_as_far_as_a_file(root: Path, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    writer = subprocess.Popen(["/bin/sh", "-c", f"echo '6 s?l?mnized solemnized' > '{tmp_path}/pipe'"])
    assert b"valid" in verify(root, str(tmp_path / "pipe")).stdout
    writer.wait()
    with Path("/dev/zero").open("rb") as endless:
        done = subprocess.run(
            [sys.executable, "-m", "verify"], stdin=endless, capture_output=True, cwd=root, preexec_fn=limited, check=False
        )
    assert done.returncode == 2
    assert b"MB" in done.stderr


def test_an_option_reads_larger_files(root: Path, tmp_path: Path) -> None:
    path = tmp_path / "large.txt"
    path.write_bytes(b"6 s?l?mnized solemnized\n" + b"#" * 11 * MEGABYTE + b"\n")
    refused = verify(root, str(path))
    assert refused.returncode == 2
    assert b"more than 10 MB" in refused.stderr
    assert verify(root, "--max-size", "12", str(path)).returncode == 0
    for arguments in (["--max-size", "12", "verify"], ["verify", "--max-size", "12"], ["--max-size", "12", "show"]):
        assert rowdraw(*arguments, str(path)).returncode == 0
    assert verify(root, "--max-size", "x", str(path)).returncode == 2


def test_racks_without_an_end_of_a_line_are_refused() -> None:
    done = rowdraw("best", "-", stdin="abc\n" + "a" * 5000)
    assert done.returncode == 2
    assert "line 2: more than" in done.stderr
    many = rowdraw("best", "-", stdin="a1\n" * 3000 + "abc\n")
    assert many.stdout == "abc\t14\tcab\tcab\n"
    assert len(many.stderr.splitlines()) == MOST_LISTED + 1
    assert "and 2,000 more lines" in many.stderr


def test_long_words_are_scored_in_proportion_to_their_length() -> None:
    done = rowdraw("score", "a" * 100_000)
    assert done.stdout.endswith("score       100000\n")
    refused = rowdraw("score", "a" * 100_000 + "1")
    assert refused.returncode == 2
    assert len(refused.stderr) < 300


def test_a_certificate_with_a_field_twice_is_refused_at_once(root: Path, tmp_path: Path) -> None:
    fields = ", ".join(f'"k{i}": 1' for i in range(100_000))
    (tmp_path / "c.json").write_text(f'{{"certificate": "rowdraw bound", {fields}, "k99999": 1}}')
    done = verify(root, str(tmp_path / "c.json"))
    assert b"the field 'k99999' stands twice" in done.stderr


def test_a_changed_certificate_is_told_before_it_is_worked_out(root: Path, tmp_path: Path) -> None:
    # its sweep takes a quarter of an hour
    text = (root / "results/challenge/bound.json").read_text()
    fields = json.loads(text)
    for field in ("digest", "puzzle_hash", "words_hash"):
        (tmp_path / "c.json").write_text(json.dumps({**fields, field: "0" * 64}))
        done = verify(root, str(tmp_path / "c.json"))
        assert done.returncode == 1
        assert field.replace("_", "-").encode() in done.stdout
        assert b"not worked out" in done.stdout


@pytest.mark.parametrize("item", [b"999,", b'"ab",', b"{},", b"[],"])
def test_certificates_of_many_values_are_refused(item: bytes, root: Path, tmp_path: Path) -> None:
    path = tmp_path / "c.json"
    path.write_bytes(b'{"certificate": "rowdraw bound", "a": [' + item * (49_000_000 // len(item)) + b"0]}")
    done = verify(root, str(path))
    assert done.returncode == 2
    assert b"more than" in done.stderr


@pytest.mark.parametrize("depth", [10, 900, 960, 980, 990, 2000])
@pytest.mark.parametrize("field", ["prices", "parameters"])
def test_certificates_hold_no_more_than_they_need(depth: int, field: str, root: Path, tmp_path: Path) -> None:
    text = (root / "results/challenge/bound.json").read_text()
    path = tmp_path / "c.json"
    path.write_text(text.replace(f'"{field}": {{', f'"{field}": {{"x": {"[" * depth}{"]" * depth}, ', 1))
    done = verify(root, str(path))
    assert done.returncode == 2
    assert b"unknown field 'x'" in done.stderr or b"too often" in done.stderr


def test_a_certificate_of_r1_tells_no_more_nodes_apart_than_can_be_worked_out(root: Path, tmp_path: Path) -> None:
    (tmp_path / "p.toml").write_text(f'row = "{"teas" * 100}"\n')
    bounded = rowdraw("bound", "p.toml", "--relaxation", "r1", "--time", "0", "-o", "c.json", cwd=tmp_path)
    assert bounded.returncode == 0, bounded.stderr
    fields = json.loads((tmp_path / "c.json").read_text())
    assert fields["parameters"]["width"] > 1
    (tmp_path / "c.json").write_text(json.dumps({**fields, "parameters": {"width": 1}}))
    done = verify(root, str(tmp_path / "c.json"), "--puzzle", str(tmp_path / "p.toml"))
    assert done.returncode == 2
    assert b"parameters.width = 1: expected more" in done.stderr


def test_an_option_for_larger_files_asks_for_no_memory(root: Path, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("6 s?l?mnized solemnized\n")
    assert verify(root, "--max-size", "999999", str(tmp_path / "a.txt")).returncode == 0
