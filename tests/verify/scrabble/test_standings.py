"""The table of a tournament: who has won what, in every form, and which games are not counted."""

import csv
import io
import json
from pathlib import Path

import pytest

from tests.process import rowdraw
from verify.cli import main
from verify.report import as_text
from verify.scrabble.judge import judge_game
from verify.scrabble.standings import Standings

HEAD = "#player1 {0} {1}\n#player2 {2} {3}\n>{0}: ABCDEFG {place} CAB +14 14\n"
CAT = "=Cat\x1b[31m"
PASSES = ">{2}: - +0 0\n>{0}: - +0 14\n" * 3


LOST = ">{2}: IQ (IQ) -11 -11\n>{0}: DEFG (DEFG) -9 5\n"


def game(*players: str, place: str = "8H", end: str = LOST) -> bytes:
    """`players`: nick and name of the one who wins 16 points ahead, and of the other one."""
    return (HEAD + PASSES + end).format(*players, place=place).encode()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    one = game("ann", "Ann Lee", "bob", "Bob")
    for name, content in {
        "one.gcg": one,
        "two.gcg": game("al", "Ann Lee", "cat", CAT, place="8G"),
        "three.gcg": game("b", "Bob", "c", CAT, place="8F"),
        "open.gcg": game("ann", "Ann Lee", "bob", "Bob", end=""),
        "bad.gcg": one.replace(b"+14 14", b"+15 15"),
        "answer.txt": b"6 s?l?mnized solemnized\n",
    }.items():
        (tmp_path / name).write_bytes(content)
    return tmp_path


def test_players_of_one_name_are_one_and_stand_by_games_won(folder: Path) -> None:
    done = rowdraw("verify", folder, "--rank", "--json", code=1)  # one game has a fault
    table = json.loads(done.stdout)["tournament"]
    assert table["games"] == 3
    fields = ("place", "player", "wins", "spread")
    assert [[one[field] for field in fields] for one in table["players"]] == [
        [1, "Ann Lee", 2.0, 32],
        [2, "Bob", 1.0, 0],
        [3, CAT, 0.0, -32],
    ]
    bad, unfinished = table["not_counted"]
    assert "wrong-score" in bad
    assert "the tiles left are not counted" in unfinished
    assert [table["puzzle"] for table in json.loads(done.stdout)["tables"]] == ["challenge"]


def test_copies_count_once_in_a_table_as_text_with_commas_and_as_a_page(folder: Path) -> None:
    (folder / "copy.gcg").write_bytes(b"#note a copy\n" + (folder / "one.gcg").read_bytes())
    (folder / "initials.gcg").write_bytes(game("A", "A. L.", "B", "B."))
    done = rowdraw("verify", ".", "--rank", "--format", "csv", cwd=folder)
    answers, games = done.stdout.split("\n\n")
    assert answers.startswith("puzzle,place")
    rows = list(csv.DictReader(io.StringIO(games)))
    assert [(row["won"], row["games"]) for row in rows] == [("2", "2"), ("1", "2"), ("0", "2")]
    assert rows[2]["player"] == "'=Cat\\x1b[31m"
    # such a table has no place for them
    for missing in (
        "copy.gcg: it is the same game as one.gcg",
        "initials.gcg: it is the same game as one.gcg",
        "open.gcg: it is over, but the tiles left are not counted",
        "bad.gcg: line 3: wrong-score",
    ):
        assert f"not counted: {missing}" in done.stderr
    page = rowdraw("verify", folder, "--rank", "--format", "html").stdout
    assert "<h2>tournament</h2>" in page
    assert "Ann Lee</td>" in page
    assert "\x1b" not in page


def test_a_copy_is_found_however_it_writes_tiles_that_are_already_on_the_board() -> None:
    standings = Standings()
    lost = ">{2}: IQ (IQ) -11 -6\n>{0}: DEFG (DEFG) -9 5\n"
    passes = PASSES.replace("+0 0", "+0 5")
    for play, given in (("A.E", "ABC"), ("ACE", "CAB"), ("A(C)E", "BCA")):
        moves = f">{{2}}: H7 {play} +5 5\n>{{0}}: -{given} +0 14\n"
        text = (HEAD + moves + passes + lost).format("ann", "Ann", "bob", "Bob", place="8H")
        standings.add(judge_game(text.encode(), play, words="none"))
    assert [other.file for other in standings.others] == ["ACE", "A(C)E"]
    assert {other.why for other in standings.others} == {"it is the same game as A.E"}


@pytest.mark.parametrize(
    ("form", "copy", "missing", "fault"),
    [
        ("--csv", "copy.gcg,0,,copy,it is the same", "open.gcg,0,,uncounted,", "bad.gcg,3,"),
        (
            "-q",
            "copy.gcg: copy: it is the same",
            "open.gcg: uncounted: it is over",
            "bad.gcg:3: wrong-score: +15: expected +14",
        ),
        ("--json", '"not_counted": "it is the same', '"not_counted": "it is over', "wrong-score"),
    ],
)
def test_every_form_names_faults_copies_and_missing_counts(
    form: str, copy: str, missing: str, fault: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "copy.gcg").write_bytes((folder / "one.gcg").read_bytes())
    main([str(folder), form])
    printed = capsys.readouterr().out
    for part in (copy, missing, fault):
        assert part in printed


def test_one_player_under_several_spellings_is_one(folder: Path) -> None:
    (folder / "four.gcg").write_bytes(game("a", "ANN LEE", "b", "B. Bobson", place="H8"))
    (folder / "names.toml").write_text('"Ann Lee" = ["A. Lee"]\nBob = ["b. bobson"]\n')
    done = rowdraw("verify", ".", "--rank", "--json", "--aliases", "names.toml", cwd=folder)
    players = json.loads(done.stdout)["tournament"]["players"]
    assert {one["player"]: one["games"] for one in players} == {"Ann Lee": 3, "Bob": 3, CAT: 2}
    for text, message in (
        ("a = 1\n", "names.toml: 'a': expected a list of other names"),
        ("=", "names.toml: the list of aliases is not"),
    ):
        (folder / "names.toml").write_text(text)
        refused = rowdraw("verify", ".", "--rank", "--aliases", "names.toml", cwd=folder, code=2)
        assert message in refused.stderr


@pytest.mark.parametrize(
    "pairings",
    ["1 Lee Ng\n6 Tan Tang\n", "| 2 | Reed | Reed |\n| 3 | Lee | Reed |\n", "1,ng,ng\n2,lee,ng\n"],
)
def test_a_list_among_games_is_an_answer_only_where_that_is_certain(
    pairings: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "bad.gcg").unlink()
    file = folder / "pairings.txt"
    file.write_text(pairings)
    assert main([str(folder)]) == 0
    assert f"no certain answer (name one to judge it): {file}" in capsys.readouterr().err
    assert main([str(file)]) == 1
    assert main([str(folder), "--puzzle", "challenge"]) == 1
    file.write_text(f"# puzzle challenge\n{pairings}")
    assert main([str(folder)]) == 1


def test_a_game_of_one_name_against_itself_is_not_counted() -> None:
    standings = Standings()
    standings.add(judge_game(game("a", "Ann", "b", "ANN"), "g", words="none"))
    assert standings.rows() == []
    assert standings.others == [("g", "one-name", "Ann and ANN: expected different names")]


def test_ties_are_half_a_game_and_share_a_place() -> None:
    standings = Standings()
    standings.add(judge_game(game("ann", "Ann", "bob", "Bob"), "g", words="none"))
    even = (
        "#player1 ann Ann\n#player2 bob Bob\n>ann: 8H IT +4 4\n>bob: I8 .O +3 3\n"
        + ">ann: - +0 4\n>bob: - +0 3\n" * 3
        + ">ann: EEE (EEE) -3 1\n>bob: AA (AA) -2 1\n"
    )
    standings.add(judge_game(even.encode(), "h", words="none"))
    assert [(row["place"], row["player"], row["wins"]) for row in standings.rows()] == [
        (1, "Ann", 1.5),
        (2, "Bob", 0.5),
    ]
    only = Standings()
    only.add(judge_game(even.encode(), "h", words="none"))
    assert [row["place"] for row in only.rows()] == [1, 1]
    assert [row[2:8] for row in only.sheet().rows] == [["0.5", "1", "0", "0", "1", "+0"]] * 2
    assert as_text([Standings().sheet()]) == "tournament: 0 games\n"


def test_a_directors_folder_gives_a_line_for_each_fault_and_a_table_with_highest_scores(
    tmp_path: Path,
) -> None:
    """30 games, which differ in the penalty for time; 3 of them have a wrong score."""
    for number in range(30):
        penalty = f">bob: (time) -{10 * number} {-11 - 10 * number}\n"
        content = game(f"a{number}", f"Ann {number}", "bob", "Bob", end=LOST + penalty).decode()
        if number % 10 == 0:
            content = content.replace("CAB +14 14", "CAB +15 14")
        (tmp_path / f"round-{number:03}.gcg").write_text(content)
    (tmp_path / "pairings.txt").write_text("Table 1: Ann, Bob\n")
    done = rowdraw("scrabble", "verify", ".", "--words", "none", "--csv", cwd=tmp_path)
    rows = list(csv.DictReader(io.StringIO(done.stdout)))
    assert done.returncode == 1
    assert len(rows) == 3
    assert rows[1] == {
        "file": "round-010.gcg",
        "line": "3",
        "player": "Ann 10",
        "kind": "wrong-score",
        "message": "+15",
        "expected": "+14",
    }
    table = rowdraw("scrabble", "verify", ".", "--words", "none", "--rank", "--csv", cwd=tmp_path)
    first = next(csv.DictReader(io.StringIO(table.stdout)))
    assert [first[name] for name in ("wins", "high game", "high play")] == ["1", "5", "14"]
