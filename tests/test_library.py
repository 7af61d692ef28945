"""`import solver` as other programs use it."""

import json
import runpy
import threading
import xml.etree.ElementTree as ET
from pathlib import Path

import numpy as np
import pytest

import solver
import verify
from solver.search.run import Progress, Run
from tests.process import python, rowdraw

ROW = solver.load_puzzle("challenge").with_row("solemnizedoutmove?aspbeach?s")
FAST = "beam:width=50"


@pytest.fixture(scope="module")
def result() -> solver.Result:
    return solver.solve(strategy="greedy")


def test_importing_it_imports_nothing_else() -> None:
    code = (
        "import sys, importlib, typing; before = set(sys.modules); import solver; "
        "print(sorted(set(sys.modules) - before))"
    )
    done = python("-c", code)
    assert done.stdout == "['solver']\n"


def test_a_program_may_import_numba_first() -> None:
    code = "import numba, solver; print(solver.solve(strategy='greedy').score)"
    done = python("-c", code)
    assert (done.stdout, done.returncode) == ("946\n", 0), done.stderr


def test_all_that_it_names_is_there_and_documented() -> None:
    assert dir(solver) == sorted(solver.__all__)
    for name in solver.__all__:
        assert getattr(solver, name).__doc__, name
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        solver.nonsense  # noqa: B018


def test_an_answer_has_score_turns_and_forms(result: solver.Result, tmp_path: Path) -> None:
    assert result.score == sum(turn.score for turn in result.turns) == 946
    assert verify.judge(result.text()).score == 946
    assert json.loads(result.to_json())["score"] == 946
    result.save(tmp_path / "a.txt")
    result.save(str(tmp_path / "a.json"))
    for name in ("a\0b.txt", 5):
        with pytest.raises(solver.RowdrawError, match="expected the name of a file"):
            result.save(name)  # type: ignore[arg-type]
    for name in ("a.txt", "a.json"):
        assert verify.judge((tmp_path / name).read_bytes()).valid
    picture = ET.fromstring(result._repr_html_())
    assert "946 points" in str(picture.get("aria-label"))


def test_an_answer_is_that_of_the_command(tmp_path: Path) -> None:
    answer = solver.solve(ROW, FAST, seed=3, threads=1)
    command = ["solve", "--row", ROW.row, "--strategy", FAST, "--seed", "3", "--threads", "1"]
    assert rowdraw(*command, cwd=tmp_path).stdout == answer.text()


def test_a_game_is_gone_on_with_from_turns_a_result_or_a_file(tmp_path: Path) -> None:
    whole = solver.solve(ROW, FAST)
    whole.save(tmp_path / "a.txt")
    for after in (whole.turns[:2], f"{tmp_path / 'a.txt'}:2"):
        assert solver.solve(ROW, after=after).turns[:2] == whole.turns[:2]
    assert solver.solve(ROW, after=whole).turns == whole.turns
    assert solver.solve(after=whole).rules.row == ROW.row  # the puzzle that the game names
    assert solver.solve(ROW, FAST, after=()).turns == whole.turns
    with pytest.raises(solver.RowdrawError, match="the game: line 1: 'zzz' needs"):
        solver.solve(ROW, after=[solver.Turn(3, "zzz", "zzz", 9)])


def test_whoever_watches_is_told_how_far_it_has_come() -> None:
    seen: list[Progress] = []
    answer = solver.solve(ROW, FAST, progress=lambda _run, progress: seen.append(progress))
    assert seen
    assert all(0 <= progress.done <= progress.total for progress in seen)
    assert answer.complete


INTERRUPTED = """
import os, signal, solver
handler = signal.getsignal(signal.SIGINT)
sent = []
def stop(run, _progress):
    if run.incumbent.score > 900 and not sent:
        sent.append(os.kill(os.getpid(), signal.SIGINT))
result = solver.solve(time=60, progress=stop)
print(result.score > 900, result.complete, signal.getsignal(signal.SIGINT) is handler)
"""


def test_ctrl_c_keeps_the_best_and_is_python_s_own_afterwards() -> None:
    done = python("-c", INTERRUPTED)
    assert done.stdout == "True False True\n", done.stderr


def test_it_works_in_other_threads() -> None:
    scores: list[int] = []
    thread = threading.Thread(target=lambda: scores.append(solver.solve(ROW, FAST).score))
    thread.start()
    thread.join()
    assert scores[0] > 0


def test_best_plays_are_those_of_a_rack() -> None:
    first, second = solver.best_plays("iogsvooely", top=2)
    assert first.score >= second.score
    assert solver.best_plays("abc", rule="longest")[0].word == "cab"
    assert solver.best_plays("zzz") == []
    for rack, rule in (("a1", "positional"), ("abc", "klingon")):
        with pytest.raises(solver.RowdrawError):
            solver.best_plays(rack, rule=rule)


def test_an_upper_bound_comes_with_a_certificate_that_anyone_can_check(tmp_path: Path) -> None:
    row = ROW.with_row("solemnizedou")
    bound = solver.upper_bound(row, seconds=0.5)
    best = solver.solve(row, FAST).score
    assert bound.points >= best
    (tmp_path / "c.txt").write_text(bound.certificate)
    (tmp_path / "p.toml").write_text(f'row = "{row.row}"\n')
    python("-m", "verify", "c.txt", "--puzzle", "p.toml", cwd=tmp_path, code=0)


def test_an_object_of_a_class_of_ones_own_is_a_strategy(root: Path) -> None:
    module = runpy.run_path(str(root / "examples/own_strategy.py"))
    answer = solver.solve(ROW, module["Thrifty"](module["ThriftyParameters"](shortest=4)))
    assert (answer.strategy, answer.parameters) == ("thrifty", {"shortest": 4})


@pytest.mark.parametrize(
    ("function", "arguments", "message"),
    [
        ("solve", {"puzzle": "nowhere"}, ""),
        ("solve", {"strategy": "nothing"}, ""),
        ("upper_bound", {"states": -1}, ""),
        ("compare", {"puzzles": ["challenge"], "time": "soon"}, ""),
        ("load_puzzle", {"puzzle": "nowhere.toml"}, ""),
        ("solve", {"time": -1}, "time '-1': expected seconds or racks"),
        ("solve", {"threads": 0}, ""),
        ("solve", {"seed": -1}, ""),
        ("solve", {"top": 0}, ""),
        ("solve", {"after": ""}, ""),
        ("analyse", {"game": "nowhere.txt"}, ""),
        ("upper_bound", {"seconds": -1}, ""),
        ("best_plays", {"rack": "abc", "top": 0}, ""),
        ("compare", {"puzzles": ["challenge"], "seeds": 0}, ""),
        # arguments of another type
        ("solve", {"time": [3]}, r"time = \[3\]: expected float"),
        ("upper_bound", {"seconds": "3"}, "seconds = '3': expected float"),
        ("solve", {"time": "2", "strategy": 3}, "strategy = 3: expected str"),
        ("solve", {"puzzle": 3}, "puzzle = 3: expected str"),
        ("solve", {"threads": 1.5}, "threads = 1.5: expected int"),
        ("solve", {"top": "all"}, "top = 'all': expected .*int.*'ties'"),
        ("solve", {"after": [1]}, r"after = \[1\]: expected str .*Sequence"),
        ("solve", {"progress": 1}, "progress = 1: expected .*Callable"),
        ("analyse", {"game": None}, "game = None: expected"),
        ("best_plays", {"rack": ["a"]}, r"rack = \['a'\]: expected str"),
        ("upper_bound", {"states": "9"}, "states = '9': expected int"),
        ("compare", {"puzzles": "challenge"}, "puzzles = 'challenge': expected .*Sequence"),
        ("load_puzzle", {"puzzle": None}, "puzzle = None: expected str"),
        ("solve", {"row": "tea", "rake": 7}, "solve: .*'rake'"),
        # words that cannot be used
        ("solve", {"row": "tea", "words": []}, ".*the list is empty"),
        ("solve", {"row": "tea", "words": ""}, ".*is empty"),
    ],
)
def test_bad_input_is_named_by_one_family_of_errors(
    function: str, arguments: dict[str, object], message: str
) -> None:
    if function == "compare":
        arguments = {"strategies": ["greedy"], **arguments}
    with pytest.raises(solver.RowdrawError, match=f"^{message}"):
        getattr(solver, function)(**arguments)


def test_an_argument_of_a_method_is_named_with_what_was_expected() -> None:
    with pytest.raises(
        solver.RowdrawError, match=r"^the rules: row = 3: expected a string of tiles"
    ):
        ROW.with_row(3)  # type: ignore[arg-type]
    with pytest.raises(solver.RowdrawError, match=r"^words = 3: expected a list, a file"):
        ROW.with_words(3)  # type: ignore[arg-type]
    with pytest.raises(solver.RowdrawError, match=r"^solution = \[.*: expected .*Solution"):
        Run().offer([solver.Turn(0, "a", "a", 1)])  # type: ignore[arg-type]


def test_a_puzzle_is_a_name_a_path_or_an_object_everywhere(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text('row = "teaeatset"\nrack = 5\n')
    score = solver.solve(str(file)).score
    assert solver.solve(file).score == score
    assert (
        solver.solve(solver.load_puzzle(file), seed=np.int64(0), time=np.float64(9)).score == score
    )
    challenge = solver.load_puzzle("challenge")
    small = challenge.with_fields({"rack": 5, "values": {**ROW.values, "q": 15}})
    compared = solver.compare([file, ROW, challenge, small], ["greedy"], time="9s")
    names = ["mine", ROW.name, "challenge", small.name]
    assert [run.puzzle_name for run in compared.outcomes] == names
    assert not any(run.failed for run in compared.outcomes)
    assert all(len(turn.split()[1]) <= 5 for turn in compared.outcomes[3].solution)
    (tmp_path / "own.txt").write_text("tea\neat\n")
    own = solver.load_puzzle(file, words=str(tmp_path / "own.txt"))
    (run,) = solver.compare([own], ["greedy"], time="9s").outcomes
    assert run.score == solver.solve(own, "greedy").score
    with pytest.raises(solver.RowdrawError, match="several files of words"):
        solver.compare([own, ROW], ["greedy"])


def test_a_game_with_words_of_ones_own_is_gone_on_with_by_these_words_alone(tmp_path: Path) -> None:
    (tmp_path / "own.txt").write_text("tea\neat\nteaeat\n")
    row = solver.load_puzzle("challenge").with_row("teaeatset")
    game = solver.solve(row, "greedy", words=tmp_path / "own.txt")
    with pytest.raises(
        solver.RowdrawError,
        match=r"its words are those of the list 'own' .*: pass them with --words FILE",
    ):
        solver.solve(row, "beam:width=5", after=game)
    again = solver.solve(row, "beam:width=5", after=game, words=tmp_path / "own.txt")
    assert again.turns[: len(game.turns)] == game.turns


def test_a_comparison_of_the_library_takes_what_the_command_takes(tmp_path: Path) -> None:
    (tmp_path / "p.toml").write_text('row = "teaeatsettea"\n')
    (tmp_path / "own.txt").write_text("tea\neat\n")
    arguments = ([str(tmp_path / "p.toml")], ["greedy"])
    found = solver.compare(
        *arguments, time="5s", words=tmp_path / "own.txt", threads=2, results=tmp_path
    )
    (run,) = found.outcomes
    assert run.threads == 2
    assert {word for _left, _play, word in map(str.split, run.solution)} <= {"tea", "eat"}
    assert found.table().splitlines()[-1].startswith("| greedy | ")
    with pytest.raises(solver.RowdrawError, match="results: nowhere: expected a folder"):
        solver.compare(*arguments, results="nowhere")


def test_a_row_and_words_may_be_given_instead_of_those_of_the_puzzle() -> None:
    words = ["Tea", "seat", "toast", "oat"]
    result = solver.solve(row="tea? se\ntsoat", words=words)
    assert {turn.word for turn in result.turns} <= {word.lower() for word in words}
    assert result.optimal
    assert "# row tea?setsoat\n# words own-words " in result.text()
    again = solver.solve(row="tea?setsoat", words=words, after=result.turns[:1])
    assert again.score == result.score
    # the puzzle that the game names
    assert solver.solve(after=result, words=words).score == result.score
    assert solver.analyse(result, words=words).turns[-1].reachable == result.score
    assert solver.best_plays("seat?", words=["seat", "oat"])[0].word == "seat"
    assert (
        solver.solve(row="tea?setsoat", words="enable1").text().startswith("# row tea?setsoat\n9 ")
    )


def test_a_comparison_with_words_of_ones_own_is_a_verdict_and_a_table_in_a_notebook() -> None:
    found = solver.compare([ROW], ["greedy"], words=["tea", "seat", "asp"], time="1s")
    assert found._repr_markdown_() == f"{found.finding.answer}\n\n{found.table()}"
    assert [line.split(" | ")[0] for line in found.table().splitlines()][-1] == "| greedy"
    assert not found.failures
