"""Programs as strategies: what they are given, and how commands take them."""

import json
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import solver
from solver.checking import Budget
from solver.commands.comparisons import _separated
from solver.errors import StrategyError
from solver.lab.compare.plan import plan
from solver.lab.compare.runs import Journal
from solver.solving.strategies import full_spec, make_strategy
from tests.process import rowdraw
from verify import judge

pytestmark = pytest.mark.usefixtures("posix")


@pytest.fixture
def desk(root: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(root / "examples", tmp_path / "desk"))


def turns(done: subprocess.CompletedProcess[str]) -> list[str]:
    return [line for line in done.stdout.splitlines() if not line.startswith("#")]


def echo(desk: Path) -> str:
    """A program that writes its input to given.json, and hands in a game."""
    (desk / "echo.py").write_text(
        "import json, os, sys\n"
        "names = [name for name in os.environ if name.startswith('ROWDRAW_')]\n"
        "given = {name: os.environ[name] for name in names}\n"
        "given['stdin'] = sys.stdin.read()\n"
        "json.dump(given, open('given.json', 'w'))\n"
        "print('0 at at')\n"
    )
    return f"{shlex.quote(sys.executable)} echo.py"


@pytest.fixture
def compiled(compiler: str, desk: Path) -> str:
    command = [compiler, "-O2", "-Wall", "-Wextra", "-Werror", "-o", "greedy", "programs/greedy.c"]
    subprocess.run(command, cwd=desk, check=True, capture_output=True)
    return "command:./greedy"


def test_the_bare_row_is_on_standard_input_and_the_limits_in_the_environment(desk: Path) -> None:
    (desk / "own.txt").write_text("a\naa\ntea\nat\n")
    command = "solve --row ATEA --time 30 --seed 7 --threads 2 --words own.txt --strategy"
    program = f"command:{echo(desk)}"
    done = rowdraw(*command.split(), program, cwd=desk, ROWDRAW_SEED="other", code=0)
    assert turns(done) == ["0 at at"]
    given = json.loads((desk / "given.json").read_text())
    assert given["stdin"] == "atea\n"
    assert (given["ROWDRAW_SEED"], given["ROWDRAW_THREADS"]) == ("7", "2")
    assert 25 < float(given["ROWDRAW_SECONDS"]) <= 30
    assert Path(given["ROWDRAW_WORDS"]) == (desk / "own.txt").resolve()


def test_the_whole_puzzle_is_given_as_json_where_that_is_asked_for(desk: Path) -> None:
    command = ["solve", "mine.toml", "--row", "atea", "--strategy"]
    rowdraw(*command, f"command-json:{echo(desk)}", cwd=desk, code=0)
    given = json.loads((desk / "given.json").read_text())
    assert "ROWDRAW_SECONDS" not in given
    puzzle: dict[str, Any] = json.loads(given["stdin"])
    assert "solemnized\n" in Path(puzzle.pop("words")).read_text()
    assert puzzle.pop("values")["z"] == 10
    assert set(puzzle) == {"name", "row", "rack", "bonus", "seed", "seconds", "threads"}
    assert (puzzle["row"], puzzle["rack"], puzzle["seconds"]) == ("atea", 7, None)


def test_better_answers_make_a_trace(desk: Path) -> None:
    counted = "i=0; while [ $i -lt 300000 ]; do i=$((i + 1)); done"  # some processor time
    command = f"command:sh -c 'cat {desk}/other.txt; echo; {counted}; cat {desk}/answer.txt'"
    seen: list[int] = []
    result = solver.solve(
        "challenge", command, time=60, progress=lambda _run, progress: seen.append(progress.done)
    )
    assert [point.score for point in result.trace] == [946, 1042]
    assert 0 < result.trace[0].seconds < result.trace[1].seconds < 60
    assert result.cpu_seconds is not None
    assert result.cpu_seconds > 0.05
    assert (result.strategy, result.score) == ("command", 1042)
    assert judge(result.text(), result.rules).valid
    assert max(seen) >= 1


def test_a_program_that_fails_after_its_answer_counts_with_exit_code_1(tmp_path: Path) -> None:
    program = "command:sh -c 'echo 0 tea tea; echo; exit 3'"
    done = rowdraw("solve", "--row", "tea", "--strategy", program, cwd=tmp_path, code=1)
    assert done.stdout == "# row tea\n0 tea tea\n"
    assert "the program: it exited with code 3" in done.stderr


@pytest.mark.long
def test_the_examples_are_compared_with_our_own_strategies(desk: Path, compiled: str) -> None:
    improve = f"command-json:{shlex.quote(sys.executable)} programs/improve.py"
    printing = "command:sh programs/print_file.sh"
    failing = "command:sh -c 'echo not; echo out of order >&2'"
    strategies = f"greedy;{compiled};{improve};{printing}"
    command = "compare --puzzles challenge --seeds 1 --time 6s --jobs 2 -o cmp --strategies"
    more = ("--strategies", failing)
    done = rowdraw(*command.split(), strategies, *more, cwd=desk, code=1)
    assert "CPU s" in done.stdout
    found = {outcome.label: outcome for outcome in Journal(desk / "cmp").outcomes().values()}
    failed = found.pop(failing)
    assert "it printed no turn: line 1: 'not'" in failed.error
    assert "out of order" in failed.error
    assert found["greedy"].score == 946
    assert found[printing].score == 1042
    assert 800 < found[compiled].score < 1042
    assert found[compiled].cpu_seconds > 0.01
    assert found["greedy"].cpu_seconds > 0.01
    assert found[improve].notes["answers"] == len(found[improve].trace)


def test_a_changed_program_or_file_of_its_command_is_another_run(tmp_path: Path) -> None:
    script = tmp_path / "mine.sh"
    script.write_text("echo 0 a a\n")
    spec = f"command:sh {shlex.quote(str(script))}"

    def key() -> str:
        return plan(["challenge"], [spec], 1, Budget(seconds=1))[0].key

    before = key()
    assert key() == before
    script.write_text("echo 0 aa aa\n")
    assert key() != before


def test_a_semicolon_inside_quotes_belongs_to_the_command() -> None:
    given = (
        "greedy;command:sh -c 'a; b';beam",
        'command:sh -c "a; \\"b;c\\""',
        "command:find -exec a \\;;greedy",
        "x'y;z",
    )
    assert _separated(given) == [
        "greedy",
        "command:sh -c 'a; b'",
        "beam",
        'command:sh -c "a; \\"b;c\\""',
        "command:find -exec a \\;",
        "greedy",
        "x'y",
        "z",
    ]


def test_long_rows_and_small_racks_are_for_programs_too(tmp_path: Path) -> None:
    (tmp_path / "long.toml").write_text(f'row = "{"a" * 10_000}"\nrack = 2\n')
    # aa in each turn
    (tmp_path / "long.py").write_text(
        "tiles = len(input())\nfor _ in range(tiles // 2):\n    print('0 aa aa')\n"
    )
    program = f"command:{shlex.quote(sys.executable)} long.py"
    done = rowdraw("solve", "long.toml", "--strategy", program, cwd=tmp_path, code=0)
    assert len(turns(done)) == 5_000


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("command:", "no program: expected one, as in"),
        ("command:no-such-program-here", "no-such-program-here: no such program"),
        ("command:sh -c 'echo", "No closing quotation"),
        ("command:/", "/: no such program, or it may not be run"),
        ("command:printf '\n'", "a line of printable characters"),
        (f"command:printf {'x' * 1000}", "a line of at most 1,000 printable characters"),
        ("command-json: ", "no program"),
    ],
)
def test_a_command_that_cannot_be_run_is_refused_before_anything_runs(
    spec: str, message: str
) -> None:
    with pytest.raises(StrategyError, match=message):
        make_strategy(spec)


def test_racks_are_no_budget_for_a_program() -> None:
    with pytest.raises(StrategyError, match="expected a time in seconds, such as 10s"):
        plan(["challenge"], ["command:true"], 1, Budget(racks=1000))
    assert full_spec("  command:sh -c 'a;b,c=d' ") == "command:sh -c 'a;b,c=d'"


def test_ctrl_c_before_a_program_has_an_answer_is_no_fault_of_the_input() -> None:
    # the parent of the program is its keeper, whose parent is rowdraw
    interrupt = "kill -INT $(ps -o ppid= -p $PPID); sleep 60"
    done = rowdraw("solve", "--strategy", f"command:sh -c '{interrupt}'", code=130)
    assert not done.stdout
    assert "it printed no turn; it was asked to exit" in done.stderr
    assert len(done.stderr.splitlines()) == 1
