"""Small files that once cost minutes or gigabytes, and endless ones, are judged or refused at once.

The referee runs with a limit of memory and a generous one of processor time: what takes time in
proportion to the square of its input, or worse, needs hours.
"""

import os
import subprocess
import sys
from pathlib import Path
from typing import BinaryIO

import pytest

from tests.process import rowdraw
from verify import judge, load_rules
from verify.explain import MOST_LISTED

MEGABYTE = 10**6
ROOT = Path(__file__).resolve().parents[2]


def limited() -> None:
    import resource

    resource.setrlimit(resource.RLIMIT_DATA, (300 * MEGABYTE, 300 * MEGABYTE))
    resource.setrlimit(resource.RLIMIT_CPU, (20, 20))


def verify(
    *arguments: str | Path, stdin: BinaryIO | int = subprocess.DEVNULL
) -> subprocess.CompletedProcess[bytes]:
    """`python -m verify` with at most 300 MB and 20 seconds of a processor."""
    done = subprocess.run(
        [sys.executable, "-m", "verify", *arguments],
        stdin=stdin,
        capture_output=True,
        cwd=ROOT,
        preexec_fn=limited,
        check=False,
    )
    assert b"Traceback" not in done.stderr
    assert done.returncode in (0, 1, 2), done.stderr
    return done


# what stands before, what is repeated, what stands after
LARGE = {
    "faulty lines": b"|x\n|",
    "faulty turns": b"|0 a a\n|",
    "claims": b"|# score 5\n|",
    "comments that are not text": b"|#\xff\n|",
    "blank lines": b"|\n|",
    "a line": b"|x|",
    "a line of fields": b"|xy |",
    "a line of digits": b"|9| a a",
    "lists in JSON": b'{"turns": [|[],|[]]}',
    "lists in rules": b"{\"rules\": {\"row\": [|[],|[]]}, 6: (6, 'asp', 'asp')",
    "lists in lists": b'{"a": |[|',
    "numbers in JSON": b'{"turns": [|1,|1]}',
    "a play in JSON": b'{"turns": [{"left": 0, "play": "|a|", "word": "a"}]}',
    "spaces in an event": b">a:| |x",
    "spaces before a nick": b">| |x:",
    "events": b"|>a: 8H AB +1 1\n|",
    "notes": b">a: 8H AB +1 1\n|#note x\n|",
    "a rack": b">a: |A| 8H AB +1 1\n",
    "a nick": b"#character-encoding UTF-8\n#player1 |n|\xf0\x9f\x98\x80\n"
    + b">a: 8H AB +1 1\n" * 5000,
    "an encoding": b"#character-encoding punycode\n>a: 8H AB +1 1\n|a-|",
}


def large(name: str, size: int) -> bytes:
    """Return a file of about `size` bytes."""
    before, unit, after = LARGE[name].split(b"|")
    return before + unit * (size // len(unit)) + after


def test_large_files_are_judged_in_linear_time_and_little_memory(tmp_path: Path) -> None:
    for name in LARGE:
        (tmp_path / name).write_bytes(large(name, 50_000))
    (tmp_path / "players").write_bytes(
        b"".join(b">a%d: 8H AB +1 1\n" % number for number in range(3_000))
    )
    files = sorted(tmp_path.iterdir())
    done = verify(*files)
    assert done.returncode == 2  # since some hold no answer
    assert b"memory" not in done.stderr
    assert len(done.stdout) < 10 * MEGABYTE
    # the others hold no answer
    assert sum(f"{file}:".encode() in done.stdout for file in files) > 10


@pytest.mark.parametrize("name", ["lists in JSON", "events"])
def test_a_file_of_ten_megabytes_is_judged_with_little_memory(name: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(large(name, 9_900_000))
    done = verify(tmp_path / "file")
    assert done.returncode in (1, 2)
    assert b"memory" not in done.stderr
    assert len(done.stdout) < MEGABYTE


def test_a_thousand_faults_are_listed_and_the_others_counted() -> None:
    verdict = judge(b"0 a a\n" * 5_000, load_rules())
    assert len(verdict.violations) == MOST_LISTED
    lines = [fault.line for fault in verdict.violations]
    assert lines == sorted(lines)
    assert verdict.faults.count > MOST_LISTED
    assert f"INVALID on challenge, {verdict.faults};" in verdict.as_text()
    assert f"and {verdict.faults.count - MOST_LISTED:,} more" in verdict.as_text()
    fields = verdict.as_json()
    assert len(fields["violations"]) == MOST_LISTED
    assert fields["violation_count"] == verdict.faults.count


PUZZLES = [
    "x = {a='''x'''', " + "b." * 50_000 + "b=1, c=''}",
    'x = "' + '\\"' * 400_000,
    f'name = "{"a" * 9_000_000}"',
    "a." * 100_000 + "a = 1",
    "\n".join(f"k{i} = 1" for i in range(300_000)),
    "x = [" + "1," * 1_000_000 + "]",
    f"[{'a.' * 50_000}a]",
    "x = {" * 5000,
    "x = " + "9" * 5000,
]


def test_deep_and_large_puzzles_are_refused_at_once(tmp_path: Path) -> None:
    for text in PUZZLES:
        (tmp_path / "p.toml").write_text(f'row = "tea"\n{text}\n')
        done = verify("--puzzle", tmp_path / "p.toml", tmp_path / "p.toml")
        assert b"p.toml: the puzzle is not TOML" in done.stderr


@pytest.mark.parametrize("arguments", ["/dev/zero", "--words /dev/null", "--puzzle /"])
def test_only_files_and_pipes_are_read(arguments: str) -> None:
    done = verify(*arguments.split())
    assert done.returncode == 2
    assert arguments.split()[-1].encode() in done.stderr


def test_pipes_are_read_as_far_as_a_file(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    writer = subprocess.Popen(
        ["/bin/sh", "-c", f"echo '6 s?l?mnized solemnized' > '{tmp_path}/pipe'"]
    )
    assert b"valid" in verify(tmp_path / "pipe").stdout
    writer.wait()
    with Path("/dev/zero").open("rb") as endless:
        done = verify(stdin=endless)
    assert done.returncode == 2
    assert b"MB" in done.stderr


def test_an_option_reads_larger_files(tmp_path: Path) -> None:
    path = tmp_path / "large.txt"
    path.write_bytes(b"6 s?l?mnized solemnized\n" + b"#" * 11 * MEGABYTE + b"\n")
    refused = verify(path)
    assert refused.returncode == 2
    assert b"more than 10 MB" in refused.stderr
    rowdraw("--max-size", "12", "show", path, code=0)
    rowdraw("--max-size", "999999", "verify", path, code=0)


def test_racks_without_an_end_of_a_line_are_refused() -> None:
    done = rowdraw("best", "-", stdin="abc\n" + "a" * 5000, code=2)
    assert "line 2: more than" in done.stderr
    many = rowdraw("best", "-", stdin="a1\n" * 3000 + "abc\n")
    assert many.stdout == "abc\t14\tcab\tcab\n"
    assert len(many.stderr.splitlines()) == 3000


@pytest.mark.parametrize("item", [b" 0", b"\n"])
def test_certificates_of_many_fields_or_lines_are_refused_in_a_short_line(
    item: bytes, tmp_path: Path
) -> None:
    path = tmp_path / "c.txt"
    path.write_bytes(
        b"rowdraw certificate 2\nrow a\nrack 2\nvalues" + item * (49_000_000 // len(item))
    )
    done = verify(path)
    assert done.returncode == 2
    assert b"c.txt:4: " in done.stderr
    assert len(done.stderr) < 400
