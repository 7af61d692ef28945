"""Every form of an answer carries its rules: the referee judges it without another file."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from solver import solve
from solver.show.forms import FORMS, Form
from solver.show.games import Game, make_game
from tests.conftest import RunCommand
from tests.process import rowdraw
from verify import judge, judge_all

ROOT = Path(__file__).resolve().parents[1]
RECORD = ROOT / "results" / "challenge" / "1042.txt"
OTHER = ROOT / "examples" / "other.txt"
PUZZLES = {
    "bundled": ["shuffled-03"],
    "own": ["own.toml"],
    "challenge": [],
}
SEVERAL = [form.name for form in FORMS.values() if form.holds_several]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "own.toml").write_text(
        'row = "tea?setsoatzest"\nrack = 7\nbonus = 5\nvalues = { t = 2, "?" = 1 }\n'
    )
    (tmp_path / "own.txt").write_text("tea\neat\nzest\nseat\nset\nat\nso\n")
    return tmp_path


def verified(text: str, folder: Path, *options: str) -> tuple[int, str]:
    (folder / "own.toml").unlink(missing_ok=True)
    done = rowdraw("verify", "-", *options, stdin=text, cwd=folder)
    return done.returncode, done.stdout + done.stderr


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("puzzle", PUZZLES)
def test_an_answer_in_any_form_is_judged_by_the_rules_that_it_states(
    puzzle: str, form: str, folder: Path
) -> None:
    solved = rowdraw(
        "solve", *PUZZLES[puzzle], "--strategy", "greedy", "--format", form, cwd=folder, code=0
    )
    code, verdict = verified(solved.stdout, folder)
    assert (code, "valid, " in verdict) == (0, True), verdict
    if puzzle == "own":
        rules = "with the rules that the answer itself names: rack 7, letter values"
        assert f"on the row tea?setsoatzest, {rules}" in verdict
        assert "bonus 5" in verdict


@pytest.mark.parametrize("form", FORMS)
def test_an_answer_in_any_form_names_words_of_ones_own_and_their_digest(
    form: str, folder: Path
) -> None:
    words = str(folder / "own.txt")
    puzzle = str(folder / "own.toml")
    solved = rowdraw(
        "solve", puzzle, "--words", words, "--strategy", "greedy", "--format", form, cwd=folder
    )
    assert str(folder) not in solved.stdout, "an answer may be posted, so it tells no path"
    code, message = verified(solved.stdout, folder)
    assert code == 2
    assert "its words are those of the list 'own' (SHA-256 " in message
    assert verified(solved.stdout, folder, "--words", "own.txt")[0] == 0


@pytest.mark.parametrize("form", SEVERAL)
def test_each_of_several_answers_is_judged_by_the_rules_that_they_state(
    form: str, folder: Path
) -> None:
    command = f"solve own.toml --strategy beam:width=50 --top 3 --format {form}"
    solved = rowdraw(*command.split(), cwd=folder, code=0)
    assert "3 answers that the beam kept, the best of" in solved.stderr
    assert form != "text" or "# answer 3: " in solved.stdout
    code, verdict = verified(solved.stdout, folder)
    assert (code, verdict.count(": valid, "), verdict.count("bonus 5")) == (0, 3, 3), verdict


def as_org(games: Sequence[Game]) -> str:
    return "".join(f"* {game.score} points\n{game.answer}" for game in games)


def test_a_new_form_is_one_entry_of_the_table(
    folder: Path, run: RunCommand, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(FORMS, "org", Form("org", as_org, (".org",), "# {}"))
    monkeypatch.chdir(folder)
    solve("challenge", strategy="greedy").save("saved.org")
    saved = Path("saved.org").read_text()
    assert saved.startswith("# made by rowdraw: org\n* ")
    Path("a.txt").write_text("6 s?l?mnized solemnized\n")
    show = "show a.txt -o x.org"
    for command in ("solve --strategy greedy -o saved.org", show, show):
        run(*command.split())
    assert Path("saved.org").read_text() == saved
    assert Path("x.org").read_text() == (
        "# made by rowdraw: org\n* 141 points\n6 s?l?mnized solemnized\n"
    )


@pytest.mark.parametrize("form", ["svg", "html"])
def test_all_games_in_pages_and_what_follows_them_are_judged(form: str) -> None:
    pages = [FORMS[form].write([make_game(judge(path))]) for path in (RECORD, OTHER)]
    verdicts = judge_all("".join(pages) + "\n<p>Mine is valid, too:</p>\n6 zzz zzz\n9 yyy yyy\n")
    assert [(one.valid, one.score) for one in verdicts[:2]] == [(True, 1042), (True, 946)]
    assert len(verdicts) == 3
    assert not verdicts[2].valid
