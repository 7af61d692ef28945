"""Every form in which an answer is written carries its rules: the referee judges it without another file."""

from pathlib import Path

import pytest

from tests.process import rowdraw

FORMS = ["text", "json", "csv", "markdown", "reddit", "svg", "html"]
PUZZLES = {
    "row": ["--row", "tea?setsoat"],
    "bundled": ["shuffled-03"],
    "own": ["own.toml"],
    "challenge": [],
}
SEVERAL = [form for form in FORMS if form != "svg"]


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
        "solve", *PUZZLES[puzzle], "--strategy", "greedy", "--format", form, cwd=folder
    )
    assert solved.returncode == 0, solved.stderr
    code, verdict = verified(solved.stdout, folder)
    assert (code, "valid, " in verdict) == (0, True), verdict
    if puzzle == "own":
        assert (
            "on the row tea?setsoatzest, with the rules that the answer itself names: rack 7, letter values"
            in verdict
        )
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
    solved = rowdraw(
        "solve",
        "own.toml",
        "--strategy",
        "beam:width=50",
        "--top",
        "3",
        "--format",
        form,
        cwd=folder,
    )
    assert solved.returncode == 0, solved.stderr
    code, verdict = verified(solved.stdout, folder)
    assert (code, verdict.count(": valid, "), verdict.count("bonus 5")) == (0, 3, 3), verdict
