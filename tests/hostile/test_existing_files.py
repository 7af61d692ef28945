"""One rule for output files that exist: inputs, better answers and what others wrote stay."""

import os
import shlex
from pathlib import Path

import pytest

from solver import load_puzzle, solve
from solver.errors import RowdrawError, TargetError
from solver.index.problem import Problem
from solver.outputs import Output, best_answer
from tests.conftest import RunCommand
from tests.process import rowdraw
from verify.files import LARGEST_TEXT, read_file, remembering_inputs

ROOT = Path(__file__).resolve().parents[2]
NOTE = "Remember: dentist on Monday\n"
GREEDY = ["solve", "--strategy", "greedy", "-o"]
BEAM = ["solve", "--strategy", "beam:width=30", "-o"]
WORSE = "6 s?l?mnized solemnized\n9 outmove outmove\n"  # than the greedy answer
BOUND = "bound own.toml --time 0 -o"
pytestmark = pytest.mark.usefixtures("desk")

# each command with its output last
REPLACE = [
    "solve own.toml --strategy greedy -o a.json",
    "solve own.toml --strategy beam:width=9 --top 2 -o a.txt",
    "show own.txt -o a.csv",
    "show own.txt --against own.txt -o a.md",
    "show own.gcg --format html -o a.html",
    "analyse own.txt -o a.json",
    f"{BOUND} a.json",
]
REPLACE_NONE = ["show own.txt -o a.txt", "analyse own.txt -o a.txt"]


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with an input of every kind."""
    monkeypatch.chdir(tmp_path)
    Path("own.toml").write_text('row = "loudteaset"\nrack = 4\n')
    Path("own.txt").write_text("# row loudteaset\n# rack 4\n0 seat seat\n")
    Path("own.gcg").write_text(
        "#player1 ann Ann\n#player2 bob Bob\n>ann: ABCDEFG 8H CAB +14 14\n"
        + ">bob: - +0 0\n>ann: - +0 14\n" * 3
        + ">bob: IQ (IQ) -11 -11\n>ann: DEFG (DEFG) -9 5\n"
    )
    strategy = (ROOT / "examples" / "own_strategy.py").read_text()
    Path("mine.py").write_text(strategy.replace("Thrifty", "Mine"))
    os.link("own.txt", "link.txt")
    Path("symbolic.txt").symlink_to("own.txt")
    return tmp_path


@pytest.mark.parametrize("command", [*REPLACE, *REPLACE_NONE])
def test_a_note_stays_unless_forced(command: str, desk: Path, run: RunCommand) -> None:
    file = Path(command.split()[-1])
    file.write_text(NOTE)
    before = sorted(desk.iterdir())
    err = run(*command.split(), code=2).err
    assert file.read_text() == NOTE
    assert f"{file.name}: it exists already: expected another name, or --force" in err
    assert sorted(desk.iterdir()) == before
    run(*command.split(), "--force")
    assert file.read_text() != NOTE


@pytest.mark.parametrize("command", REPLACE)
def test_an_output_is_replaced_by_its_like(command: str, run: RunCommand) -> None:
    file = Path(command.split()[-1])
    file.write_text("\n")
    for _again in range(2):
        run(*command.split())
    # whoever writes something in front makes the file their own
    text = file.read_text()
    mine = f'{{"note": "mine", "game": {text}}}' if text[0] in "[{" else NOTE + text
    file.write_text(mine)
    run(*command.split(), code=2)
    assert file.read_text() == mine


def test_a_file_of_one_kind_does_not_replace_one_of_another(run: RunCommand) -> None:
    run("show", "own.txt", "--format", "html", "-o", "a.html")
    run("analyse", "own.txt", "-o", "a.html", code=2)
    run("show", "own.txt", "--format", "csv", "-o", "a.html", code=2)
    run(*GREEDY, "a.json")
    run("show", "own.txt", "-o", "a.json", code=2)  # it does not say how it was found


@pytest.mark.parametrize("form", ["txt", "json", "csv", "md", "svg", "html"])
def test_a_worse_answer_does_not_replace_a_better_one(form: str, run: RunCommand) -> None:
    file = Path(f"a.{form}")
    run(*BEAM, file.name)
    better = file.read_text()
    printed = run(*GREEDY, file.name)
    assert file.read_text() == better
    assert f"a.{form}: it stays as it is, with a better answer of " in printed.err
    assert "savagely" in printed.out, "the new answer is not lost"
    run(*GREEDY, file.name, "--force")
    assert "savagely" in file.read_text()


def test_a_search_that_is_killed_has_forced_no_worse_answer(
    monkeypatch: pytest.MonkeyPatch, run: RunCommand
) -> None:
    run(*BEAM, "a.txt")
    better = Path("a.txt").read_text()
    monkeypatch.setattr("solver.commands.solve.hand_out", lambda *_end: None)
    run(*GREEDY, "a.txt", "--force")
    assert Path("a.txt").read_text() == better


@pytest.mark.parametrize(
    ("content", "score"),
    [
        (WORSE, 195),
        (f"# answer 1: 195 points\n{WORSE}\n# answer 2: 141 points\n{WORSE[:24]}", 195),
        (f"{NOTE}{WORSE}", None),
        (f"{WORSE}\n2 more moves\n", None),
        (f"# {NOTE}{WORSE}", None),
        (f"# puzzle {NOTE}{WORSE}", None),
        (f"{WORSE.strip()} {NOTE}", None),
        (f"# row teaset\n{WORSE}", None),
        (f"{WORSE}0 seat seat\n", None),
        ("", None),
    ],
)
def test_an_answer_is_a_text_with_nothing_else_that_a_person_could_miss(
    content: str, score: int | None, challenge: Problem
) -> None:
    assert best_answer(content.encode(), challenge.rules) == score


def test_one_answer_does_not_replace_several(run: RunCommand) -> None:
    run("solve", "own.toml", "--strategy", "beam:width=9", "--top", "2", "-o", "a.txt")
    before = Path("a.txt").read_text()
    printed = run("solve", "own.toml", "--strategy", "greedy", "-o", "a.txt", code=2)
    assert "a.txt: it exists already" in printed.err
    assert Path("a.txt").read_text() == before


def test_the_name_of_a_word_list_makes_no_other_answer(desk: Path) -> None:
    for name in ("one.txt", "two.txt"):
        (desk / name).write_text("seat\ntea\n")
    answer = solve(load_puzzle("own.toml", words="one.txt"), "greedy")
    assert best_answer(answer.text().encode(), load_puzzle("own.toml", words="two.txt")) is not None


def test_a_certificate_of_a_lower_bound_stays_unless_forced(run: RunCommand) -> None:
    run("bound", "own.toml", "--time", "9", "-o", "c.json")
    before = Path("c.json").read_text()
    err = run(*BOUND.split(), "c.json").err
    assert Path("c.json").read_text() == before
    assert "c.json stays as it is: it proves " in err
    run(*BOUND.split(), "c.json", "--force")
    assert Path("c.json").read_text() != before


def test_the_json_next_to_an_answer_follows_the_rule(run: RunCommand) -> None:
    Path("a.json").write_text(NOTE)
    run(*GREEDY, "a.txt", code=2)
    assert not Path("a.txt").exists()
    Path("a.json").unlink()
    run(*BEAM, "a.json")
    better = Path("a.json").read_text()
    printed = run(*GREEDY, "a.txt")
    assert Path("a.json").read_text() == better
    assert not printed.out
    assert "a.json: it stays as it is, with a better answer of" in printed.err
    assert "savagely" in Path("a.txt").read_text()


def test_a_result_is_saved_in_the_form_that_the_name_implies_by_the_same_rule(
    run: RunCommand,
) -> None:
    result = solve("own.toml", strategy="greedy")
    for name in ("a", "a.svg"):
        for _again in range(2):
            result.save(name)
        Path(name).write_text(NOTE)
        with pytest.raises(RowdrawError, match="it exists already"):
            result.save(name)
        result.save(name, force=True)
    run("solve", "own.toml", *GREEDY[1:], "b.svg")
    assert Path("a.svg").read_text() == Path("b.svg").read_text()
    with pytest.raises(TargetError, match=r"expected a name that ends in \.txt, "):
        result.save("a.pdf")


@pytest.mark.parametrize(
    "command",
    [
        "solve own.toml --format text --force --strategy greedy -o own.toml",
        "solve own.toml --format text --force --strategy mine.py:Mine -o mine.py",
        "solve own.toml --format text --force --strategy 'command:cat own.txt' -o own.txt",
        "show own.txt -o ./link.txt --force",
        "show own.txt -o symbolic.txt --force",
        "play own.toml --save own.toml",
        f"{BOUND} b.json --start b.json --force",
    ],
)
def test_no_input_is_written_over(command: str, desk: Path, run: RunCommand) -> None:
    run(*BOUND.split(), "b.json")
    before = {path: path.read_bytes() for path in desk.iterdir()}
    done = rowdraw(*shlex.split(command), cwd=desk, code=2)
    assert len(done.stderr.splitlines()) == 1
    assert {path: path.read_bytes() for path in desk.iterdir()} == before


def test_every_better_answer_is_printed_as_it_is_found() -> None:
    done = rowdraw("solve", "--all", "--strategy", "beam:width=300")
    scores = [int(block.split()[3]) for block in done.stdout.strip().split("\n\n")]
    assert len(scores) > 1
    assert scores == sorted(set(scores))
    verdicts = rowdraw("verify", "-", stdin=done.stdout).stdout.splitlines()
    for score, verdict in zip(scores, verdicts, strict=True):
        assert f"valid, {score} points" in verdict


def test_files_are_inputs_only_where_they_are_remembered(tmp_path: Path) -> None:
    file = tmp_path / "a"
    file.write_text("a")
    read_file(file, LARGEST_TEXT)
    output = Output(file, force=True)
    output.write("b")
    with remembering_inputs():
        read_file(file, LARGEST_TEXT, as_input=False)
        output.check()
        read_file(file, LARGEST_TEXT)
        with pytest.raises(TargetError, match=r"no input is written over: expected another name$"):
            output.check()
        with pytest.raises(OSError, match="no input is written over"):
            output.write("c")
    assert file.read_text() == "b"


def test_a_game_is_saved_again_where_this_game_was_saved_and_nowhere_else(desk: Path) -> None:
    moves = "save a.txt\n4 seat\nsave a.txt\nsave\nsave own.gcg\nsave game.txt\nquit\n"
    foreign = (desk / "own.gcg").read_text()
    command = "play --row seattest --rack 4 --save game.txt"
    done = rowdraw(*command.split(), stdin=moves, cwd=desk, code=0)
    assert done.stdout.count("saved in a.txt") == 3
    assert done.stdout.count("exists already") == 1
    assert "own.gcg: exists already" in done.stdout
    assert "4 seat seat\n" in (desk / "game.txt").read_text()
    assert (desk / "a.txt").read_bytes() == (desk / "game.txt").read_bytes()
    assert (desk / "own.gcg").read_text() == foreign
