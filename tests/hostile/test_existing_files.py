"""One rule for output files that exist: inputs, better answers and what others wrote stay."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from solver import solve
from solver.commands.cli import main
from solver.errors import TargetError
from solver.index.problem import Problem
from solver.outputs import Output, best_answer
from tests.process import rowdraw
from verify.files import LARGEST_TEXT, read_file, remembering_inputs

ROOT = Path(__file__).resolve().parents[2]
NOTE = "Remember: dentist on Monday\n"
GREEDY = ("--strategy", "greedy")
WORSE = "6 s?l?mnized solemnized\n9 outmove outmove\n"  # than the greedy answer
Run = Callable[..., tuple[int, str, str]]

# each command with its output last
REPLACE = [
    ("solve", "own.toml", *GREEDY, "-o", "a.json"),
    ("solve", "own.toml", *GREEDY, "-o", "a.svg"),
    ("show", "own.txt", "-o", "a.csv"),
    ("show", "own.txt", "-o", "a.json"),
    ("show", "own.txt", "--against", "own.txt", "-o", "a.md"),
    ("show", "own.gcg", "--format", "html", "-o", "a.html"),
    ("analyse", "own.txt", "-o", "a.html"),
    ("analyse", "own.txt", "-o", "a.json"),
    ("solve", "own.toml", "--strategy", "beam:width=9", "--top", "2", "-o", "a.txt"),
    ("bound", "own.toml", "--relaxation", "r1", "--time", "0", "-o", "a.json"),
]
REPLACE_NONE = [("show", "own.txt", "-o", "a.txt"), ("analyse", "own.txt", "-o", "a.txt")]


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


@pytest.fixture
def run(capfd: pytest.CaptureFixture[str]) -> Run:
    """Runs a command in this process; returns its exit code and what it printed."""

    def run_command(*command: str) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as ended:
            main(list(command))
        return (int(ended.value.code or 0), *capfd.readouterr())

    return run_command


@pytest.mark.parametrize("command", [*REPLACE, *REPLACE_NONE], ids=" ".join)
def test_a_note_stays_unless_forced(command: tuple[str, ...], desk: Path, run: Run) -> None:
    file = Path(command[-1])
    file.write_text(NOTE)
    before = {path.name for path in desk.iterdir()}
    code, _out, err = run(*command)
    assert (code, file.read_text()) == (2, NOTE), err
    assert f"{file.name}: it exists already: expected another name, or --force" in err
    assert {path.name for path in desk.iterdir()} == before
    assert run(*command, "--force")[0] == 0
    assert file.read_text() != NOTE


@pytest.mark.parametrize("command", REPLACE, ids=" ".join)
@pytest.mark.usefixtures("desk")
def test_an_output_is_replaced_by_its_like(command: tuple[str, ...], run: Run) -> None:
    file = Path(command[-1])
    file.write_text("\n")
    for _again in range(2):
        code, _out, err = run(*command)
        assert code == 0, err
    # whoever writes something in front makes the file their own
    text = file.read_text()
    is_json = text[0] in "[{"
    mine = f'{{"note": "mine", "game": {text}}}' if is_json else NOTE + text
    file.write_text(mine)
    assert run(*command)[0] == 2
    assert file.read_text() == mine


@pytest.mark.usefixtures("desk")
def test_a_file_of_one_kind_does_not_replace_one_of_another(run: Run) -> None:
    assert run("show", "own.txt", "--format", "html", "-o", "a.html")[0] == 0
    assert run("analyse", "own.txt", "-o", "a.html")[0] == 2
    assert run("show", "own.gcg", "--format", "html", "-o", "a.html")[0] == 2
    assert run("show", "own.txt", "--format", "csv", "-o", "a.html")[0] == 2
    assert run("solve", "own.toml", *GREEDY, "-o", "a.json")[0] == 0
    assert run("show", "own.txt", "-o", "a.json")[0] == 2, "it does not say how it was found"


@pytest.mark.parametrize("form", ["txt", "json", "csv", "md", "svg", "html"])
def test_a_worse_answer_does_not_replace_a_better_one(form: str, desk: Path, run: Run) -> None:
    file = desk / f"a.{form}"
    assert run("solve", "--strategy", "beam:width=30", "-o", file.name)[0] == 0
    better = file.read_text()
    code, out, err = run("solve", *GREEDY, "-o", file.name)
    assert (code, file.read_text()) == (0, better)
    assert f"a.{form}: it stays as it is, with a better answer of " in err
    assert "savagely" in out, "the new answer is not lost"
    assert run("solve", *GREEDY, "-o", file.name, "--force")[0] == 0
    assert "savagely" in file.read_text()
    if form == "txt":
        file.write_text(WORSE)
        assert run("solve", *GREEDY, "-o", file.name)[0] == 0
        assert "savagely" in file.read_text()
    else:
        Path("worse.txt").write_text(WORSE)
        assert run("show", "worse.txt", "-o", file.name)[0] == 2


RECORD = (ROOT / "results/challenge/1042.txt").read_text()


@pytest.mark.parametrize(
    ("content", "score"),
    [
        (WORSE, 195),
        (f"# answer 1: 195 points\n{WORSE}\n# answer 2: 1042 points\n{RECORD}", 1042),
        (f"{NOTE}{WORSE}", None),
        (f"{WORSE}\n2 more moves\n", None),
        (f"# {NOTE}{WORSE}", None),
        (f"# puzzle {NOTE}{WORSE}", None),
        (f"{WORSE.strip()} {NOTE}", None),
        (f"# row teaset\n{WORSE}", None),
        (f"{WORSE}0 seat seat\n", None),
        ('{"turns": [{"left": 6, "play": "s?l?mnized", "word": "solemnized"}]}', None),
        ("", None),
    ],
)
def test_an_answer_is_a_text_with_nothing_else_that_a_person_could_miss(
    content: str, score: int | None, challenge: Problem
) -> None:
    assert best_answer(content.encode(), challenge.statement, challenge.rules) == score


def test_a_certificate_of_a_lower_bound_stays_unless_forced(desk: Path, run: Run) -> None:
    low = ("bound", "own.toml", "--time", "9", "-o", "c.json")
    high = ("bound", "own.toml", "--relaxation", "r1", "--time", "0", "-o", "c.json")
    assert run(*low)[0] == 0
    before = (desk / "c.json").read_text()
    code, _out, err = run(*high)
    assert (code, (desk / "c.json").read_text()) == (0, before)
    assert "c.json stays as it is: it proves " in err
    assert run(*high, "--force")[0] == 0
    assert (desk / "c.json").read_text() != before


def test_the_json_next_to_an_answer_follows_the_rule(desk: Path, run: Run) -> None:
    (desk / "a.json").write_text(NOTE)
    assert run("solve", *GREEDY, "-o", "a.txt")[0] == 2
    assert not (desk / "a.txt").exists()
    (desk / "a.json").unlink()
    assert run("solve", "--strategy", "beam:width=30", "-o", "a.json")[0] == 0
    better = (desk / "a.json").read_text()
    code, _out, err = run("solve", *GREEDY, "-o", "a.txt")
    assert (code, "a.json: it stays as it is, with a better answer of" in err) == (0, True)
    assert (desk / "a.json").read_text() == better
    assert "savagely" in (desk / "a.txt").read_text()


@pytest.mark.parametrize("name", ["a", "a.svg", "a.html"])
def test_a_result_is_saved_in_the_form_that_the_name_implies(
    name: str, desk: Path, run: Run
) -> None:
    result = solve("own.toml", strategy="greedy")
    for _again in range(2):
        result.save(name)
    assert run("solve", "own.toml", *GREEDY, "-o", f"b{Path(name).suffix}")[0] == 0
    saved = (desk / name).read_text()
    assert saved == Path(f"b{Path(name).suffix}").read_text()
    (desk / name).write_text(NOTE)
    with pytest.raises(FileExistsError, match="it exists already"):
        result.save(name)
    result.save(name, force=True)
    assert (desk / name).read_text() == saved
    with pytest.raises(TargetError, match=r"expected a name that ends in \.txt, "):
        result.save("a.pdf")


TO_FILES = ("solve", "own.toml", "--format", "text", "--force")


@pytest.mark.parametrize(
    "command",
    [
        (*TO_FILES, *GREEDY, "-o", "own.toml"),
        (*TO_FILES, "--strategy", "mine.py:Mine", "-o", "mine.py"),
        (*TO_FILES, "--strategy", "command:cat own.txt", "-o", "own.txt"),
        ("show", "own.txt", "-o", "./link.txt", "--force"),
        ("show", "own.txt", "-o", "symbolic.txt", "--force"),
        ("play", "own.toml", "--save", "own.toml"),
    ],
    ids=" ".join,
)
def test_no_input_is_written_over(command: tuple[str, ...], desk: Path) -> None:
    before = {path.name: path.read_bytes() for path in desk.iterdir() if path.is_file()}
    done = rowdraw(*command, cwd=desk)
    assert done.returncode == 2, done.stdout + done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert {path.name: path.read_bytes() for path in desk.iterdir() if path.is_file()} == before


def test_a_certificate_that_a_bound_begins_with_is_not_written_over(desk: Path) -> None:
    command = ("bound", "own.toml", "--relaxation", "r1", "--time", "0", "-o", "b.json")
    for _again in range(2):
        assert rowdraw(*command, cwd=desk).returncode == 0, (
            "without --start it is the command's own file"
        )
    assert "no input is written over" in rowdraw(*command, "--start", "b.json", cwd=desk).stderr


def test_every_better_answer_is_printed_as_it_is_found() -> None:
    done = rowdraw("solve", "--all", "--strategy", "beam:width=300")
    scores = [int(block.split()[3]) for block in done.stdout.strip().split("\n\n")]
    assert len(scores) > 1
    assert scores == sorted(set(scores))
    verdicts = rowdraw("verify", "-", stdin=done.stdout).stdout.splitlines()
    assert all(
        f"valid, {score} points" in verdict for score, verdict in zip(scores, verdicts, strict=True)
    )


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


def test_a_game_is_saved_again_where_this_game_was_saved_and_nowhere_else(tmp_path: Path) -> None:
    (tmp_path / "foreign.txt").write_text("notes\n")
    moves = "save a.txt\nseat\nsave a.txt\nsave foreign.txt\nquit\n"
    done = rowdraw(
        "play", "--row", "seattest", "--rack", "4", "--save", "game.txt", stdin=moves, cwd=tmp_path
    )
    assert done.stdout.count("saved in a.txt") == 2
    assert "foreign.txt: exists already" in done.stdout
    assert (tmp_path / "a.txt").read_bytes() == (tmp_path / "game.txt").read_bytes()
    assert (tmp_path / "foreign.txt").read_text() == "notes\n"
