"""Answers as they are handed out: which puzzle they answer, and how they were found."""

import json
from pathlib import Path

import pytest
from click import unstyle

from solver import analyse
from solver.index.problem import Problem
from solver.model.puzzle import load_puzzle
from solver.model.solution import Solution
from solver.solving.analysis import Analysis, analysis_fields, analysis_text
from solver.solving.opened import OpenedGame
from tests.conftest import RunCommand
from tests.process import python, rowdraw

GREEDY = ["solve", "--strategy", "greedy"]
TWO_ANSWERS = "# row teaeats\n0 tea tea\n\n# row teaeats\n0 tea tea\n0 eats eats\n"


@pytest.mark.parametrize("options", [(), ("-o", "answer.txt")])
def test_an_answer_to_the_challenge_passes_the_script_of_its_post(
    options: tuple[str, ...], tmp_path: Path, root: Path, cases: Path
) -> None:
    done = rowdraw(*GREEDY, *options, cwd=tmp_path)
    text = (tmp_path / "answer.txt").read_text() if options else done.stdout
    judged = python(cases / "reference_verifier.py", root / "data" / "enable1.txt", stdin=text)
    assert judged.stdout == "946\n"


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("game") / "game.txt"
    file.write_text("6 s?l?mnized solemnized\n9 outmove outmove\n4 asp asp\n")
    return file


@pytest.fixture(scope="module")
def short_game(game: Path) -> Path:
    """The same game on a short row, of which an analysis takes less time."""
    row = load_puzzle("challenge").row
    file = game.with_name("short.txt")
    file.write_text(f"# row {row[:21] + row[-9:]}\n{game.read_text()}")
    return file


@pytest.mark.parametrize("form", ["markdown", "reddit"])
def test_a_post_holds_the_lines_of_the_answer_and_the_referee_reads_them(
    game: Path, form: str
) -> None:
    post = rowdraw("show", game, "--format", form).stdout
    lines = game.read_text().splitlines()
    assert [line for line in map(str.strip, post.splitlines()) if line in lines] == lines
    assert "207 points in 3 turns on challenge" in post
    assert "| 3 | `asp` | asp | 1×1 + 2×1 + 3×3 | 12 | 207 |" in post


def test_nothing_that_a_file_holds_breaks_out_of_a_table(tmp_path: Path) -> None:
    (tmp_path / "bad.txt").write_text("6 a|`<b>` <script>\n3 **x** `|\n")
    for form in ("markdown", "reddit"):
        post = rowdraw("show", tmp_path / "bad.txt", "--format", form).stdout
        rows = [line for line in post.splitlines() if line.startswith("|")]
        assert all(row.count("|") == 7 for row in rows)
        assert "<" not in post


@pytest.mark.parametrize(
    ("after", "told"),
    [
        ("none.txt", "none.txt: the game cannot be read (No such file or directory)"),
        ("game.txt:9", "game.txt: it has 3 turns, so there is no turn 9"),
        ("bad.txt", "bad.txt: line 2: 'zzz'"),
        ("bad.txt:2", "bad.txt: line 2: 'zzz'"),
        (
            "own.txt",
            "own.txt:1: it says that it answers the puzzle 'mine.toml': "
            "pass that file with --puzzle",
        ),
        (
            "two.txt",
            "two.txt: line 5: the second of 2 answers begins here: "
            "expected one, or FILE#1 and so on",
        ),
        ("two.txt#3", "two.txt#3: it holds 2 answers, so there is no answer 3"),
    ],
)
def test_what_cannot_be_gone_on_with_is_refused_in_a_line(
    after: str, told: str, game: Path, tmp_path: Path
) -> None:
    (tmp_path / "game.txt").write_text(game.read_text())
    (tmp_path / "bad.txt").write_text("6 s?l?mnized solemnized\n0 zzz zzz\n")
    (tmp_path / "two.txt").write_text(TWO_ANSWERS)
    (tmp_path / "own.txt").write_text("# puzzle mine.toml\n6 s?l?mnized solemnized\n")
    for command in (["solve", "--after"], ["analyse"]):
        done = rowdraw(*command, after, cwd=tmp_path, code=2)
        assert not done.stdout
        assert done.stderr.startswith(f"rowdraw: {told}")
        assert len(done.stderr.splitlines()) == 1


def test_a_game_is_gone_on_with_before_a_turn_that_is_not_valid(tmp_path: Path) -> None:
    (tmp_path / "bad.txt").write_text("6 s?l?mnized solemnized\n0 zzz zzz\n")
    command = "solve --after bad.txt:1 --strategy beam:width=20"
    done = rowdraw(*command.split(), cwd=tmp_path, code=0)
    assert "s?l?mnized solemnized\n" in done.stdout


def words_of(named: str) -> str:
    game = OpenedGame.of(named)
    return " ".join(turn.word for turn in game.turns(Problem(game.rules(load_puzzle("challenge")))))


def test_one_of_several_answers_is_gone_on_with_and_analysed(tmp_path: Path) -> None:
    (tmp_path / "two.txt").write_text(TWO_ANSWERS)
    for number, words in ((1, "tea"), (2, "tea eats")):
        assert words_of(f"{tmp_path / 'two.txt'}#{number}:{number}") == words
    (tmp_path / "two.txt#2").write_text("# row tea\n0 tea tea\n")
    assert OpenedGame.of(str(tmp_path / "two.txt#2")).number is None, (
        "a file that is called so comes first"
    )
    objects = [{"row": "tea", "turns": []}, {"row": "eat", "turns": []}]
    (tmp_path / "list.json").write_text(json.dumps(objects))
    assert OpenedGame.of(f"{tmp_path / 'list.json'}#2").rules(load_puzzle("challenge")).row == "eat"


@pytest.mark.parametrize(
    ("command", "told"),
    [
        ("solve --top 3 --format svg", "svg shows one game"),
        ("solve --json --format csv", "--json and --format csv: expected one of them"),
        ("solve -o none/x.txt", "none/x.txt: the folder none does not exist"),
        ("analyse {} -o none/page.html", "none/page.html: the folder none does not exist"),
        ("analyse {} -o table.csv", "an analysis is text, json or html, not csv"),
        ("solve --format html", "pip install"),
        ("analyse {} --format html", "pip install"),
    ],
)
def test_an_output_that_cannot_be_is_refused_before_the_search(
    command: str,
    told: str,
    game: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    run: RunCommand,
) -> None:
    monkeypatch.chdir(tmp_path)
    for search in ("solve.carry_out", "analysis.analyse_game"):
        monkeypatch.setattr(f"solver.solving.{search}", lambda *_given: pytest.fail("it searches"))
    if told == "pip install":  # without the extra for pages
        monkeypatch.setattr("solver.errors.find_spec", lambda _module: None)
    assert told in run(*command.format(game).split(), code=2).err


def test_an_analysis_has_a_line_for_each_turn_in_text_and_json(short_game: Path) -> None:
    analysis = analyse(f"{short_game}:3")
    told = analysis_fields(analysis, "challenge", "short.txt")
    assert [turn["total"] for turn in told["turns"]] == [141, 195, 207]
    reachable = told["turns"][2]["reachable"]
    assert told["reachable"] - sum(turn["lost"] for turn in told["turns"]) == reachable
    text = unstyle(analysis_text(analysis, "short.txt"))
    assert " ".join(text.splitlines()[3].split()).startswith(f"3 4 asp asp 12 207 {reachable}")
    assert f"{told['reachable']} could be reached" in text


def test_an_analysis_that_is_ended_before_its_first_turn_tells_the_score_alone() -> None:
    text = analysis_text(Analysis(195, 2, 195, Solution(()), ()), "game.txt")
    assert text.endswith(
        "turns 1 to 2 were not analysed\n\n"
        "game.txt: 195 points; it was stopped before a turn was analysed.\n"
    )


def test_a_page_of_an_analysis_shows_the_curve(short_game: Path, tmp_path: Path) -> None:
    rowdraw("analyse", f"{short_game}:2", "-o", tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text()
    told = json.loads(page.partition('application/json">')[2].partition("</script>")[0])["analysis"]
    assert told["first_turn"] == 1
    before, after = (turn["reachable"] for turn in told["turns"])
    assert before >= after


def test_games_of_two_puzzles_are_not_shown_side_by_side(game: Path, tmp_path: Path) -> None:
    (tmp_path / "other.txt").write_text("# puzzle shuffled-01\n1 wispy wispy\n")
    done = rowdraw("show", game, "--against", tmp_path / "other.txt", code=2)
    assert "games of two puzzles, challenge and shuffled-01" in done.stderr
