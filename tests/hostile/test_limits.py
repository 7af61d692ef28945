"""Small files that once cost minutes or gigabytes, and files without an end: each is judged or refused at once.

The referee runs with a limit of memory and a generous one of processor time: what takes time in proportion to the square of its
input, or worse, needs hours.
"""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.process import rowdraw
from verify import judge, load_rules
from verify.explain import MOST_LISTED
from verify.scrabble.judge import judge_game

MEGABYTE = 10**6


def limited() -> None:
    import resource

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
    # 2 where a file holds no answer
    assert done.returncode in (1, 2)
    assert b"memory" not in done.stderr
    assert len(done.stdout) < MEGABYTE


@pytest.mark.parametrize(("name", "faults"), [("a million faulty lines", 100_001), ("faulty turns", None)])
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


@pytest.mark.parametrize(
    "line",
    [">a: ABC -" + "9" * 5000 + " +0 0", "#lexicon " + "a" * 300, "#tile-distribution " + "a" * 300, "#player1 " + "a" * 5000],
)
def test_long_names_and_numbers_in_a_game_are_read(line: str) -> None:
    verdict = judge_game(f"{line}\n>a: CABXYZQ 8H CAB +14 14\n".encode())
    assert len(verdict.as_text()) < 3000


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
        "x = " + "9" * 5000,
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
    done = rowdraw("scrabble", "score", "a" * 100_000)
    assert done.stdout.endswith("score       100000\n")
    refused = rowdraw("scrabble", "score", "a" * 100_000 + "1")
    assert refused.returncode == 2
    assert len(refused.stderr) < 300


def test_a_changed_certificate_is_reported_before_it_is_computed(root: Path, tmp_path: Path) -> None:
    # its sweep takes minutes
    text = (root / "results/challenge/certificate.txt").read_text()
    for old, new, code in (
        ("claim 1042", "claim 1041", b"digest"),
        ("values 1 3", "values 1 4", b"digest"),
        ("words f3", "words f4", b"words"),
    ):
        (tmp_path / "c.txt").write_text(text.replace(old, new))
        done = verify(root, str(tmp_path / "c.txt"))
        assert done.returncode == 1
        assert b"c.txt:0: " + code in done.stdout
        assert b"not checked" in done.stdout


@pytest.mark.parametrize("item", [b"a", b" 0", b"\nrow a", b"\n"])
def test_certificates_of_many_fields_or_lines_are_refused_in_a_short_line(item: bytes, root: Path, tmp_path: Path) -> None:
    path = tmp_path / "c.txt"
    path.write_bytes(b"rowdraw certificate 2\nrow a\nrack 2\nvalues" + item * (49_000_000 // len(item)))
    done = verify(root, str(path))
    assert done.returncode == 2
    assert b"c.txt:4: " in done.stderr
    assert len(done.stderr) < 400


def test_an_option_for_larger_files_asks_for_no_memory(root: Path, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("6 s?l?mnized solemnized\n")
    assert verify(root, "--max-size", "999999", str(tmp_path / "a.txt")).returncode == 0
