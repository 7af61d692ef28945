"""The record book and the hunt that fills it."""

import json
import signal
import subprocess
import threading
import time
from dataclasses import replace
from pathlib import Path

import pytest

from solver.errors import RecordError, RefereeDisagreementError
from solver.files import locked, replace_file
from solver.index.problem import Problem
from solver.lab.hunt import Hunt
from solver.lab.records import best_on_file, book, entries, keep_bound, keep_record, solution_on_file
from solver.model.puzzle import load_puzzle
from solver.model.solution import Solution, Turn
from solver.search.greedy import Greedy
from solver.search.hand import rearranged
from solver.search.run import Run
from solver.solving.result import Result
from solver.solving.solve import search
from tests.process import MAIN, rowdraw
from tests.web.serving import until
from verify import judge, load_rules


@pytest.fixture(scope="module")
def greedy(challenge: Problem) -> Result:
    return search(challenge, Greedy(), Run())


def test_a_record_is_kept_with_how_it_was_found_and_reads_back(challenge: Problem, greedy: Result, tmp_path: Path) -> None:
    path = keep_record(tmp_path, challenge, greedy)
    assert path == tmp_path / "challenge" / f"{greedy.solution.score}.txt"
    assert judge(path.read_bytes(), load_rules("challenge")).valid
    fields = json.loads(path.with_suffix(".json").read_text())
    assert fields["strategy"] == "greedy"
    assert len(fields["date"]) == 10
    assert solution_on_file(tmp_path / "challenge", challenge) == greedy.solution
    assert keep_record(tmp_path, challenge, greedy) is None


def test_what_the_referee_rejects_is_not_kept(challenge: Problem, greedy: Result, tmp_path: Path) -> None:
    first = greedy.solution.turns[0]
    forged = Solution((Turn(first.left, first.play, first.word, first.score + 500), *greedy.solution.turns[1:]))
    with pytest.raises(RefereeDisagreementError):
        keep_record(tmp_path, challenge, Result(**{**vars(greedy), "solution": forged}))
    assert not list(tmp_path.rglob("*.txt"))


def test_a_record_is_judged_by_the_rules_that_the_referee_reads_itself(challenge: Problem, tmp_path: Path) -> None:
    misread = replace(challenge, puzzle=replace(challenge.puzzle, values=dict.fromkeys("abcdefghijklmnopqrstuvwxyz", 1)))
    with pytest.raises(RefereeDisagreementError):
        keep_record(tmp_path, misread, search(misread, Greedy(), Run()))
    assert not list(tmp_path.rglob("*.txt"))


def test_a_folder_that_cannot_be_written_is_an_error_with_its_name(challenge: Problem, greedy: Result, tmp_path: Path) -> None:
    (tmp_path / "challenge").write_text("in the way")
    with pytest.raises(RecordError, match="cannot be written"):
        keep_record(tmp_path, challenge, greedy)


def test_the_book_has_a_row_a_puzzle_with_bound_gap_and_public_best(challenge: Problem, greedy: Result, tmp_path: Path) -> None:
    keep_record(tmp_path, challenge, greedy)
    (tmp_path / "challenge" / "bound-r1.json").write_text('{"bound": 1243.75}')
    (tmp_path / "challenge" / "broken.json").write_text("[")
    (tmp_path / "elsewhere").mkdir()
    (entry,) = entries(tmp_path)
    assert (entry.score, entry.bound, entry.public) == (946, 1243.75, 961)
    assert "| challenge | [946](challenge/946.txt) | 1243.8 | 297.8 | 961 | greedy ties=200 |" in book(tmp_path)
    with pytest.raises(RecordError, match="no such folder"):
        book(tmp_path / "nowhere")


def test_a_better_answer_says_what_is_known_of_the_bound(challenge: Problem, greedy: Result, tmp_path: Path) -> None:
    keep_bound(tmp_path, challenge, 1200.5, json.dumps({"bound": "1200.500"}))
    path = keep_record(tmp_path, challenge, greedy)
    assert path is not None
    fields = json.loads(path.with_suffix(".json").read_text())
    assert (fields["bound"], fields["gap"]) == (1200.5, 254.5)


def test_a_certificate_is_filed_after_a_result_that_states_its_bound_and_none_with_a_higher_bound_replaces_it(
    challenge: Problem, greedy: Result, tmp_path: Path
) -> None:
    path = keep_record(tmp_path, challenge, greedy.with_bound(1100.0))
    assert path is not None
    for bound in (1200.0, 1100.0, 1150.0):
        keep_bound(tmp_path, challenge, bound, json.dumps({"bound": f"{bound:.3f}"}))
        assert json.loads(path.with_suffix(".json").read_text())["bound"] == 1100.0
    assert json.loads((path.parent / "bound.json").read_text()) == {"bound": "1100.000"}


def test_records_of_another_puzzle_of_the_same_name_are_not_touched(challenge: Problem, greedy: Result, tmp_path: Path) -> None:
    keep_record(tmp_path, challenge, greedy)
    other = Problem(challenge.puzzle.with_row("teasea", "challenge"), challenge.lexicon)
    with pytest.raises(RecordError, match="another puzzle of that name"):
        keep_bound(tmp_path, other, 24.75, "{}")
    with pytest.raises(RecordError, match="a game of 946 points is on file"):
        keep_bound(tmp_path, challenge, 945.0, "{}")
    assert [path.name for path in sorted((tmp_path / "challenge").iterdir())] == ["946.json", "946.txt"]


def test_rows_without_a_name_have_folders_of_their_own(challenge: Problem, tmp_path: Path) -> None:
    for row in ("tea", "quizzify"):
        keep_bound(tmp_path, Problem(challenge.puzzle.with_row(row), challenge.lexicon), 100.0, '{"bound": "100.000"}')
    assert len(list(tmp_path.glob("row-*/bound.json"))) == 2


@pytest.mark.parametrize("name", ["../escaped", "a/b", "..", ".hidden", "a\\b"])
def test_a_name_that_is_no_folder_keeps_no_records(challenge: Problem, name: str, tmp_path: Path) -> None:
    problem = Problem(challenge.puzzle.with_row("tea", name), challenge.lexicon)
    with pytest.raises(RecordError, match="a name that a folder can have"):
        keep_bound(tmp_path / "results", problem, 100.0, "{}")
    assert not list(tmp_path.rglob("bound.json"))


def test_the_committed_book_is_what_the_command_prints(root: Path) -> None:
    done = rowdraw("records", str(root / "results"), seconds=120)
    assert done.returncode == 0, done.stderr
    assert done.stdout == (root / "results" / "README.md").read_text(encoding="utf-8")


def test_a_file_is_replaced_whole_and_readable_for_everybody(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("old")
    replace_file(path, "new")
    assert path.read_text() == "new"
    assert path.stat().st_mode & 0o777 == (tmp_path / "file").stat().st_mode & 0o777 != 0o600
    assert [entry.name for entry in tmp_path.iterdir()] == ["file"]


def test_a_resumed_hunt_continues_its_rounds_and_another_starts_from_the_first(tmp_path: Path) -> None:
    problem = Problem.of(load_puzzle("challenge").with_row("solemnizedoutmove?aspbeach", "short"))
    said: list[str] = []
    hunt = Hunt([problem], tmp_path, 3, said.append)

    def run_of(seconds: float) -> Run:
        return Run(seconds=seconds, rack_budget=2_000)

    hunt.go(0.5, run_of, resume=False)
    mark = tmp_path / problem.puzzle.name / "hunt-3.json"
    rounds = json.loads(mark.read_text())["rounds"]
    assert rounds >= 1
    assert said
    hunt.go(0.2, run_of, resume=True)
    assert json.loads(mark.read_text())["rounds"] > rounds
    mark.write_text("[]")
    hunt.go(0.2, run_of, resume=True)
    assert json.loads(mark.read_text())["rounds"] >= 1
    best = solution_on_file(tmp_path / problem.puzzle.name, problem)
    assert best is not None
    assert best.score > 0


def test_somebody_elses_answer_on_file_is_refined_from_its_best_arrangement(tmp_path: Path) -> None:
    problem = Problem.of(load_puzzle("challenge").with_row("z?psteea", "short"))
    (tmp_path / "short").mkdir()
    (tmp_path / "short" / "31.txt").write_text("0 zaps zaps\n0 tee tee\n")
    assert rearranged(problem, Solution((Turn(0, "zaps", "zaps", 25),))).turns == (Turn(0, "spaz", "spaz", 50),)
    said: list[str] = []
    rounds = iter(range(100, 0, -1))
    hunt = Hunt([problem], tmp_path, 0, said.append)
    (tmp_path / "short" / "hunt-0.json").write_text('{"rounds": 3}')  # the fourth one refines
    hunt.go(0.3, lambda seconds: Run(seconds=seconds, rack_budget=next(rounds)), resume=True)
    best = solution_on_file(tmp_path / "short", problem)
    assert best is not None
    assert best.score > 50
    assert said


@pytest.mark.parametrize(
    ("content", "message"),
    [(b"", "no turn"), (b"0 zoo zoo\n", "line 1"), (b"\xff", "not UTF-8"), (b"6 s?l?mnized solemnized\n", "expected 999, as")],
)
def test_a_file_that_is_no_answer_of_its_score_is_refused_before_anything_runs(
    challenge: Problem, tmp_path: Path, content: bytes, message: str
) -> None:
    folder = tmp_path / "challenge"
    folder.mkdir()
    for name in ("9999", "0042", "\u0661\u0660"):
        (folder / f"{name}.txt").mkdir()
    assert best_on_file(folder) is None
    (folder / "999.txt").write_bytes(content)
    with pytest.raises(RecordError, match=message) as refused:
        Hunt([challenge], tmp_path, 0, print).go(1.0, lambda seconds: Run(seconds=seconds), resume=False)
    assert "999.txt" in str(refused.value)


def test_a_folder_that_cannot_be_written_ends_a_hunt_before_anything_is_found(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    done = rowdraw("hunt", "--time", "60", "--results", str(tmp_path / "file" / "under"))
    assert done.returncode == 2
    assert "cannot be written" in done.stderr
    assert done.stdout == ""


def test_an_answer_that_can_no_longer_be_kept_is_handed_out(
    challenge: Problem, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_arguments: object) -> None:
        raise RecordError("the disk is full")

    monkeypatch.setattr("solver.lab.hunt.keep_record", full)
    said: list[str] = []
    with pytest.raises(RecordError, match="full"):
        Hunt([challenge], tmp_path, 0, said.append).go(9.0, lambda _seconds: Run(rack_budget=100), resume=False)
    assert judge(said[0].encode(), load_rules()).valid


def test_two_puzzles_of_one_name_are_not_hunted_together(tmp_path: Path) -> None:
    puzzle = load_puzzle("challenge")
    problems = [Problem.of(puzzle.with_row(row, "mine")) for row in ("teasets", "teaset?")]
    with pytest.raises(RecordError, match="both named 'mine'"):
        Hunt(problems, tmp_path, 0, print).go(1.0, lambda seconds: Run(seconds=seconds), resume=False)
    assert len(Hunt([problems[0]] * 2, tmp_path, 0, print)._folders()) == 1


def test_what_another_hunter_keeps_meanwhile_is_not_written_over(
    challenge: Problem, greedy: Result, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep_record(tmp_path, challenge, greedy)
    path = tmp_path / "challenge" / f"{greedy.solution.score}.json"
    path.write_text('{"theirs": 1}')
    seen = iter([None, greedy.solution.score])
    # the first look was before the other hunter was done
    monkeypatch.setattr("solver.lab.records.best_on_file", lambda _folder: next(seen))
    monkeypatch.setattr("solver.lab.records.folder_of", lambda _results, _problem: tmp_path / "challenge")
    assert keep_record(tmp_path, challenge, greedy) is None
    assert path.read_text() == '{"theirs": 1}'


def test_who_holds_a_folder_keeps_others_out_until_done(tmp_path: Path) -> None:
    order: list[str] = []

    def other() -> None:
        with locked(tmp_path):
            order.append("other")

    with locked(tmp_path):
        thread = threading.Thread(target=other)
        thread.start()
        thread.join(0.3)
        order.append("first")
    thread.join()
    assert order == ["first", "other"]


def test_odd_fields_of_a_result_do_not_break_the_book(challenge: Problem, greedy: Result, tmp_path: Path) -> None:
    keep_record(tmp_path, challenge, greedy)
    path = tmp_path / "challenge" / f"{greedy.solution.score}.json"
    for bound in ("1" + "0" * 400, "NaN", '"Infinity"', "[]"):
        path.write_text(f'{{"bound": {bound}, "strategy": "a|b\\n\\ud800", "seconds": "x", "date": [1]}}')
        assert "| - | - | 961 | a?b?? | - | [1] |" in book(tmp_path)


def test_two_hunters_on_one_folder_and_a_killed_one_lose_nothing(tmp_path: Path) -> None:
    commands = [
        [*MAIN, "hunt", "shuffled-01", "--time", "60", "--threads", "1", "--seed", s, "--results", str(tmp_path)] for s in "12"
    ]
    hunters = [subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) for command in commands]
    # both have begun, and each goes on for a while: the one that is interrupted keeps the best answer that it has
    begun = [tmp_path / "shuffled-01" / f"hunt-{seed}.json" for seed in "12"]
    assert until(lambda: all(mark.exists() for mark in begun), 60)
    time.sleep(3)
    hunters[0].send_signal(signal.SIGINT)
    assert hunters[0].wait(60) == 130
    hunters[1].kill()
    hunters[1].wait(60)
    files = list((tmp_path / "shuffled-01").glob("*.txt"))
    assert files
    for path in files:
        verdict = judge(path.read_bytes(), load_rules("shuffled-01"))
        assert (verdict.valid, verdict.score) == (True, int(path.stem))


@pytest.mark.parametrize(
    ("arguments", "what"),
    [(["hunt"], "--time"), (["hunt", "nowhere", "--time", "1"], "nowhere"), (["records", "nowhere"], "no such folder")],
)
def test_options_that_cannot_be_used_end_with_a_line(arguments: list[str], what: str, tmp_path: Path) -> None:
    done = rowdraw(*arguments, cwd=tmp_path, seconds=120)
    assert done.returncode == 2
    assert what in done.stderr
