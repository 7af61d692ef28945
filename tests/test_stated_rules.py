"""Answers that state their own rules, and what the referee makes of that."""

import json
import re
from pathlib import Path

import pytest

from solver.errors import RowdrawError
from solver.index.problem import Problem
from solver.model.puzzle import Puzzle, load_puzzle, read_lexicon
from solver.solving.opened import OpenedGame
from tests.process import rowdraw
from verify import judge
from verify.judging import Judge
from verify.rules import RulesError, load_rules, named_row


def test_an_answer_under_rules_of_ones_own_states_them_and_is_judged_by_them(tmp_path: Path) -> None:
    (tmp_path / "own.toml").write_text('row = "tea?setsoat"\nrack = 7\nbonus = 5\nvalues = { t = 2, "?" = 1 }\n')
    solved = rowdraw("solve", "own.toml", "--strategy", "greedy", cwd=tmp_path).stdout
    output = rowdraw("verify", "-", stdin=solved, cwd=tmp_path).stdout
    values = "t=2 ?=1 a=0 b=0 c=0 d=0 e=0 f=0 and 19 more"
    own = f"the rules that the answer itself names: rack 7, letter values of its own ({values}), bonus 5"
    assert output.startswith("-: ")
    assert f"valid, {_points(output)} points" in output
    assert output.endswith(f"on the row tea?setsoat, with {own}\n")
    with_file = rowdraw("verify", "-", "--puzzle", "own.toml", stdin=solved, cwd=tmp_path)
    assert with_file.stdout.endswith("on own (own.toml)\n")
    assert _points(with_file.stdout) == _points(output)


def _points(verdict: str) -> str:
    return verdict.partition("valid, ")[2].partition(" points")[0]


def test_an_answer_that_states_a_part_of_its_rules_says_what_to_do() -> None:
    turns = "0 tea tea\n"
    for header in ("# puzzle own.toml\n", "# puzzle own.toml\n# row teas\n# rack 7\n"):
        assert "pass that file with --puzzle" in rowdraw("verify", "-", stdin=header + turns).stderr


def test_an_answer_with_words_of_ones_own_names_them_as_what_is_missing(tmp_path: Path) -> None:
    (tmp_path / "own.txt").write_text("tea\neat\nzzz\n")
    (tmp_path / "other.txt").write_text("tea\neat\n")
    solved = rowdraw("solve", "--row", "teaeat", "--words", "own.txt", "--strategy", "greedy", "-o", "a.txt", cwd=tmp_path)
    assert solved.returncode == 0, solved.stderr
    missing = rowdraw("verify", "a.txt", cwd=tmp_path)
    assert (missing.returncode, missing.stdout) == (2, "")
    assert re.search(
        r"its words are those of the list 'own' \(SHA-256 [0-9a-f]{12}\.\.\.\), which is not bundled", missing.stderr
    )
    given = rowdraw("verify", "a.txt", "--words", "own.txt", cwd=tmp_path)
    assert given.stdout.endswith("on the row teaeat, with the rules of challenge and the words of own.txt\n")
    other = rowdraw("verify", "a.txt", "--words", "other.txt", cwd=tmp_path)
    assert other.returncode == 0
    assert "the answer names other words, those of the list 'own'" in other.stdout


def test_a_bundled_list_of_another_version_is_missing() -> None:
    answer = f"# puzzle challenge\n# words enable1 {'0' * 64}\n6 s?l?mnized solemnized\n"
    done = rowdraw("verify", "-", stdin=answer)
    assert (done.returncode, done.stdout) == (2, "")
    assert "the bundled list of that name has others: pass them with --words FILE" in done.stderr


EASY = "# puzzle challenge\n# row zyzzyva\n# rack 7\n# values z=1000\n0 zyzzyva zyzzyva\n"


def test_a_verdict_names_the_rules_that_an_answer_changes_in_a_bundled_puzzle() -> None:
    verdict = rowdraw("verify", "-", stdin=EASY).stdout
    values = "letter values of its own (z=1000 a=0 b=0 c=0 d=0 e=0 f=0 g=0 and 18 more)"
    assert verdict.endswith(f"on the row zyzzyva, with the rules that the answer itself names: rack 7, {values}\n")
    (ranked,) = json.loads(rowdraw("verify", "-", "--rank", "--json", stdin=EASY).stdout)["tables"]
    assert (ranked["puzzle"] != "challenge", ranked["best_known"]) == (True, None)
    assert json.loads(rowdraw("verify", "-", "--json", stdin=EASY).stdout)[0]["puzzle"].startswith("the row zyzzyva")


def test_the_puzzle_that_the_user_names_overrides_and_the_contradiction_is_said() -> None:
    for command in ("verify", "show"):
        done = rowdraw(command, "-", "--puzzle", "challenge", stdin=EASY)
        assert done.returncode == 1
        assert "the answer itself names other rules (row zyzzyva, rack 7, letter values of its own (z=1000 a=0 " in done.stdout
        assert "): judged by challenge" in done.stdout
    same = rowdraw("verify", "-", "--puzzle", "challenge", stdin="# puzzle challenge\n# rack 10\n6 s?l?mnized solemnized\n")
    assert same.stdout == "-: valid, 141 points in 1 turn on challenge\n"


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"row": 0}, "row = '0': expected 1 to 10,000 tiles"),
        ({"row": "te a"}, "row = 'te a': expected a text in one line"),
        ({"rules": {"rack": [7]}}, "rack = [7]: expected a whole number of at most 6 digits, such as 7"),
        ({"row": ""}, "row = '': expected a text in one line"),
        ({"rules": {"rackk": 7}}, "rules: unknown field 'rackk': expected row, rack, values, bonus, words, words_hash"),
        ({"rules": {"words_hash": "0" * 64}}, "expected enable1, or the name of another list and its SHA-256"),
        ({"rules": {"words": "own", "words_hash": "0" * 63}}, "expected enable1, or the name of another list and its SHA-256"),
        ({"rules": {"words": "own"}}, "words = 'own': expected enable1, or the name of another list and its SHA-256"),
        *(({"rules": rules}, "") for rules in ([], "x", {"values": {"a": []}}, {"values": [1]}, {"bonus": True}, {"row": [1]})),
    ],
)
def test_a_field_that_states_no_rule_is_named(fields: dict[str, object], message: str) -> None:
    answer = {**fields, "turns": [{"left": 6, "play": "s?l?mnized", "word": "solemnized"}]}
    (fault,) = judge(json.dumps(answer)).violations
    assert fault.code == "unknown-puzzle"
    assert message in fault.message


def test_an_answer_in_json_may_name_a_tile_set_as_its_values() -> None:
    answer = {"rules": {"values": "english"}, "turns": [{"left": 6, "play": "s?l?mnized", "word": "solemnized"}]}
    assert judge(json.dumps(answer)).valid
    (fault,) = judge(json.dumps({**answer, "rules": {"values": "martian"}})).violations
    assert "values = 'martian': expected english, none or the number of each tile" in fault.message


def test_the_name_of_a_long_row_has_its_length_and_where_it_differs_from_the_puzzle() -> None:
    row = load_rules().row
    other = f"{row[:40]}{'x' if row[40] == 'q' else 'q'}{row[41:]}"
    verdict = judge(f"# row {other}\n6 s?l?mnized solemnized\n")
    assert verdict.puzzle.startswith(f"the row {row[:27]}... of {len(row)} tiles, other than the puzzle's row from tile 41 on,")
    assert named_row("a" * 50, "b" * 60) == f"the row {'a' * 27}... of 50 tiles"
    assert named_row("a" * 50, "a" * 60).endswith("of 50 tiles, other than the puzzle's row from tile 51 on")


@pytest.mark.parametrize("comment", ["# rack of letters", "# bonus for a full rack", "# values are usual", "# rack 7"])
def test_a_comment_in_words_or_with_a_rule_is_no_misspelt_rule(comment: str) -> None:
    assert not any("states no" in note for note in judge(f"{comment}\n6 s?l?mnized solemnized\n").notes)


def test_the_names_of_files_may_be_long(tmp_path: Path) -> None:
    folder = tmp_path / ("long" * 20)
    folder.mkdir()
    (folder / "words.txt").write_text("tea\n")
    (folder / "own.toml").write_text('row = "tea"\n')
    answer = tmp_path / "answer.txt"
    answer.write_text("# row tea\n0 tea tea\n")
    (verdict,) = Judge(None, str(folder / "words.txt"))(str(answer))
    assert (verdict.valid, verdict.notes) == (True, ())
    (verdict,) = Judge(str(folder / "own.toml"), None)(str(answer))
    assert (verdict.valid, verdict.notes) == (True, ())


def test_a_long_name_in_a_puzzle_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "own.toml").write_text(f'row = "tea"\nname = "{"x" * 101}"\n')
    with pytest.raises(RulesError, match="expected a line of at most 100 characters"):
        load_rules(str(tmp_path / "own.toml"))


def test_a_game_under_rules_of_ones_own_is_gone_on_with(tmp_path: Path) -> None:
    (tmp_path / "own.toml").write_text('row = "tea?setsoat"\nrack = 5\nbonus = 5\n')
    rowdraw("solve", "own.toml", "--strategy", "greedy", "-o", "a.txt", cwd=tmp_path)
    (tmp_path / "own.toml").unlink()
    on = rowdraw("solve", "--after", "a.txt:1", "--width", "20", cwd=tmp_path)
    assert on.returncode == 0, on.stderr
    assert rowdraw("verify", "-", stdin=on.stdout).returncode == 0
    assert "# bonus 5\n" in on.stdout


def test_the_bound_in_json_is_the_one_that_the_message_speaks_of() -> None:
    done = rowdraw("solve", "--width", "300", "--json")
    output = json.loads(done.stdout)
    assert (output["score"], output["bound"], output["gap"]) == (1042, 1042.0, 0.0)
    assert ", optimal," in done.stderr


def puzzle_of(content: str, chosen: Puzzle) -> Puzzle:
    return OpenedGame("a", None, None, content.encode()).puzzle(chosen)


@pytest.mark.parametrize(
    ("header", "row", "rack", "bonus"),
    [
        ("# puzzle challenge\n# row teaeat\n", "teaeat", 10, 0),
        ("# puzzle challenge\n# row teaeat\n# rack 7\n# bonus 5\n", "teaeat", 7, 5),
        ("# rack 7\n", None, 7, 0),
        ("# puzzle own.toml\n# row teaeat\n# rack 7\n# values a=1\n# words enable1 {}\n", "teaeat", 7, 0),
    ],
)
def test_a_game_is_gone_on_with_by_all_the_rules_that_it_states(header: str, row: str, rack: int, bonus: int) -> None:
    chosen = load_puzzle("challenge")
    found = puzzle_of(header.format(read_lexicon(chosen.word_list).digest) + "0 tea tea\n", chosen)
    assert (found.row, found.rack_size, found.bonus) == (row or chosen.row, rack, bonus)
    assert found.name != "challenge"


def test_a_game_that_states_the_rules_of_the_chosen_puzzle_is_of_that_puzzle(tmp_path: Path) -> None:
    (tmp_path / "own.toml").write_text('name = "mine"\nrow = "teaeat"\nrack = 5\nbonus = 5\n')
    for chosen in (
        load_puzzle("challenge"),
        load_puzzle("challenge").with_row("teaeat"),
        load_puzzle(str(tmp_path / "own.toml")),
    ):
        assert puzzle_of(Problem.of(chosen).statement.comments() + "0 tea tea\n", chosen) is chosen
    own = load_puzzle(str(tmp_path / "own.toml"))
    other = puzzle_of(f"# puzzle {own.reference}\n# row seat\n0 tea tea\n", own)
    assert (other.row, other.rack_size, other.bonus) == ("seat", 5, 5), "what is not stated is as in the file of that name"


@pytest.mark.parametrize(
    ("header", "message"),
    [
        ("# rack 99", "a:1: rack = 99: expected a whole number from 2 to 15"),
        ("# values a=100000", "a:1: values: a = 100000: expected a whole number from 0 to 1,000"),
        (f"# words enable1 {'0' * 64}", "the bundled list of that name has others: expected that file as --words"),
        (f"# words mine {'0' * 64}", "those of the list 'mine' (SHA-256 000000000000...), which is not bundled"),
        ("# puzzle own.toml\n# rack 7", "a: it says that it answers the puzzle 'own.toml': expected that file as PUZZLE"),
    ],
)
def test_a_game_under_rules_that_are_not_at_hand_is_not_gone_on_with(header: str, message: str) -> None:
    with pytest.raises(RowdrawError, match=re.escape(message)):
        puzzle_of(f"{header}\n0 tea tea\n", load_puzzle("challenge"))


def test_words_of_the_users_own_come_before_those_that_a_game_states(tmp_path: Path) -> None:
    (tmp_path / "own.txt").write_text("tea\neat\n")
    sentences: list[str] = []
    chosen = load_puzzle("challenge", tmp_path / "own.txt")
    game = OpenedGame("a", None, None, f"# words mine {'0' * 64}\n0 tea tea\n".encode())
    assert game.puzzle(chosen, tell=sentences.append) is chosen
    (sentence,) = sentences
    assert sentence.startswith("a: the answer names other words, those of the list 'mine' (SHA-256 000000000000...)")
    assert sentence.endswith(f"going on with {tmp_path / 'own.txt'}")


def test_the_json_of_an_answer_to_a_row_is_analysed(tmp_path: Path) -> None:
    answer = {"puzzle": "challenge", "row": "teaeat", "turns": [{"left": 0, "play": "tea", "word": "tea"}]}
    (tmp_path / "a.json").write_text(json.dumps(answer))
    done = rowdraw("analyse", "a.json", cwd=tmp_path)
    assert (done.returncode, "0 tea tea" in done.stdout) == (0, True), done.stderr
