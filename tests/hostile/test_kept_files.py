"""Kept files: damaged ones are never used, and better ones are never lost."""

import json
import random
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from shutil import copytree

import pytest

from solver.bound.ascent import Bound
from solver.bound.certificate import certificate
from solver.bound.prices import first_prices
from solver.index.problem import Problem
from solver.lab.compare.comparing import collect
from solver.lab.compare.finding import find
from solver.lab.compare.runs import Journal
from solver.lab.records import keep_bound, known_in
from solver.model.tiles import POINT
from tests.compare.runs import fields_of
from tests.process import python, rowdraw

ROOT = Path(__file__).resolve().parents[2]
BEST = "abc\t14\tcab\tcab\n"


DOUBLE = """
import sys
from pathlib import Path
from verify.compiled import compiler

def double(number):
    return 2 * number

doubled = compiler(Path(sys.argv[1]))(double)
print(*[doubled(eval(number)) for number in sys.argv[2:]])
"""


def test_processes_that_compile_for_types_in_another_order_keep_the_same_files(
    tmp_path: Path,
) -> None:
    """Two processes may fill one folder at a time, in any order."""
    program = tmp_path / "double.py"
    program.write_text(DOUBLE)

    def doubled(folder: Path, *numbers: str) -> str:
        return python(program, folder, *numbers, PYTHONPATH=str(ROOT)).stdout

    one = tmp_path / "one"
    other = tmp_path / "other"
    assert doubled(one, "1", "1.5") == "2 3.0\n"
    assert doubled(other, "1.5", "1") == "3.0 2\n"
    for path in other.rglob("*.nbc"):
        (one / path.relative_to(other)).write_bytes(path.read_bytes())
    assert doubled(one, "1", "1.5") == "2 3.0\n"


def test_a_kernel_whose_file_is_cut_off_is_compiled_again(compiled: Path, tmp_path: Path) -> None:
    cache = {"ROWDRAW_CACHE": str(tmp_path)}
    copytree(compiled, tmp_path / "kernels" / compiled.name)
    (file,) = tmp_path.rglob("*.best_plays-*.nbc")
    for kept in (0, 0.5):
        content = file.read_bytes()
        file.write_bytes(content[: int(kept * len(content))])
        done = rowdraw("best", "abc", **cache, code=0)
        assert done.stdout == BEST
    quiet = rowdraw("best", "abc", **cache)
    assert (quiet.returncode, quiet.stdout, quiet.stderr) == (0, BEST, "")


def test_a_worse_bound_never_replaces_a_better_one(challenge: Problem, tmp_path: Path) -> None:
    """Several writers, whose bounds come in any order."""
    prices = first_prices(challenge)
    bounds = random.Random(0).sample(range(1100, 2000), 40)

    def write(bound: int) -> None:
        keep_bound(tmp_path, challenge, bound, certificate(challenge, Bound(prices, bound * POINT)))

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(write, bounds))
    assert known_in(tmp_path, challenge.rules).bound == min(bounds)
    assert f"claim {min(bounds)}\n" in (tmp_path / "challenge" / "certificate.txt").read_text()


@pytest.fixture(scope="module")
def compared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("compared")
    command = "compare --puzzles challenge --strategies greedy --seeds 1 --time 9s -o cmp"
    rowdraw(*command.split(), cwd=folder, code=0)
    return folder / "cmp"


STRANGE = [None, [["a", 1, 2]], {"a": [1]}, "\x1b", "\ud800", -1, 1.5, 10**400, float("inf")]
FIELDS = (
    "trace score solution seconds racks seed label puzzle puzzle_name budget threads strategy "
    "versions machine rules code finished puzzle_digest"
)


@pytest.mark.parametrize("field", FIELDS.split())
def test_a_line_of_a_journal_that_somebody_has_changed_is_left_out_and_named_or_taken(
    field: str, compared: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")
    (outcome,) = Journal(compared).outcomes().values()
    refusals = 0
    for number, value in enumerate(STRANGE):
        folder = tmp_path / str(number)
        folder.mkdir()
        (folder / "journal.jsonl").write_text(
            json.dumps({**fields_of(outcome), field: value}).replace("Infinity", "1e400") + "\n"
        )
        caplog.clear()
        if Journal(folder).outcomes(recount=True):
            assert find(collect(folder)).answer
            continue
        refusals += 1
        (refusal,) = caplog.messages
        # half of a surrogate pair is no JSON
        is_unreadable = value == "\ud800" and "expected a run of a comparison" in refusal
        assert is_unreadable or f"journal.jsonl:1: left out: {field} = " in refusal
        assert len(refusal) < 400
    assert refusals >= 4


def test_runs_without_points_are_drawn(compared: Path, tmp_path: Path) -> None:
    (outcome,) = Journal(compared).outcomes().values()
    for fields in ({"trace": []}, {"seconds": 0, "racks": 0, "trace": [[1e12, 0, 0]]}):
        (tmp_path / "journal.jsonl").write_text(json.dumps({**fields_of(outcome), **fields}) + "\n")
        rowdraw("compare", "--collect", "-o", ".", "--html", "r.html", cwd=tmp_path, code=0)
