"""What an output may replace, decided by what is there."""

import json
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import click
import pytest

from solver.commands.bounds import _CertificateFile
from solver.commands.forms import CERTIFICATE, PAGE, certificate_of, check_report, replaced_by, replaced_by_answer
from solver.errors import TargetError
from solver.files import check_output
from solver.index.problem import Problem
from solver.model.puzzle import load_puzzle
from solver.report.pages import game_page
from solver.show.formats import FORMS, game_text, games_text
from solver.show.picture import game_svg
from solver.show.steps import make_game
from solver.solving.replaceable import check_better, is_answer
from verify import Rules, judge
from verify.replay.rules import load_rules

ROOT = Path(__file__).resolve().parents[2]
BEST = (ROOT / "results" / "challenge" / "1042.txt").read_bytes()
WORSE = b"6 s?l?mnized solemnized\n9 outmove outmove\n"
TURN = {"left": 6, "play": "s?l?mnized", "word": "solemnized"}


@pytest.fixture(scope="module")
def rules() -> Rules:
    return load_rules("challenge")


def _shown(form: str, text: bytes, rules: Rules) -> bytes:
    verdict = judge(text, rules, "answer.txt")
    game = make_game(verdict, rules)
    writers: dict[str, Callable[[], str]] = {
        "svg": lambda: game_svg(game),
        "html": lambda: game_page([game]),
        "text": lambda: click.unstyle(game_text(verdict, rules)),
    }
    return writers.get(form, lambda: FORMS[form]([game]))().encode()


@pytest.mark.parametrize(
    "content",
    [
        b"alice 30 london\nbob 25 paris\n",
        b'row = "teasetsaloud?"\nrack = 5\n',
        b"3 eggs milk\n",
        b"# nothing but comments\n",
        WORSE + b"3 eggs milk\n",
        WORSE + b"# a\n" * 100_000 + b"3 eggs milk\n",
        b'{"turns": 5, "mine": "x"}',
        b'{"turns": []}',
        json.dumps({"turns": [TURN], "mine": "x"}).encode(),
        json.dumps({"turns": [TURN | {"mine": "x"}]}).encode(),
        json.dumps([{"turns": [TURN]}, {"turns": []}]).encode(),
    ],
)
def test_a_file_with_anything_but_turns_is_no_answer(content: bytes, tmp_path: Path) -> None:
    assert not is_answer(content)
    (tmp_path / "a").write_bytes(content)
    for form in ("text", "json", "csv", "markdown"):
        with pytest.raises(TargetError, match="something else than an answer: expected another name, or --force"):
            check_output(tmp_path / "a", replaced_by_answer(form))


@pytest.mark.parametrize(
    "content",
    [
        BEST,
        b"# puzzle mine.toml\n\n" + WORSE,
        json.dumps({"turns": [TURN]}).encode(),
        (ROOT / "results" / "challenge" / "1042.json").read_bytes(),
        json.dumps([{"turns": [TURN]}] * 2).encode(),
    ],
)
def test_a_file_of_turns_is_an_answer(content: bytes) -> None:
    assert is_answer(content)


@pytest.mark.parametrize("form", ["text", "csv", "markdown", "reddit", "json", "svg", "html"])
def test_a_report_replaces_its_like_and_nothing_else(form: str, rules: Rules, tmp_path: Path) -> None:
    output = tmp_path / "out"
    verdict = judge(WORSE, rules)
    # a game with faults, too
    for text in (WORSE, WORSE + b"16 outmove zzzzz\n", b""):
        output.write_bytes(_shown(form, text, rules))
        if text or form in ("svg", "html"):
            check_report(output, form, [verdict], rules, force=False)
    others = [
        BEST,
        b"# Notes\n\nTwo answers:\n\n" + BEST + b"\nand\n\n" + WORSE,
        (ROOT / "results" / "challenge" / "bound.json").read_bytes(),
        b"tea\neat\nset\n",
        b"#player1 A A\n#player2 B B\n>A: ABC 8H CAB +14 14\n",
        b"<!doctype html>\n<title>mine</title>",
        b"<svg xmlns='http://www.w3.org/2000/svg'/>",
    ]
    for other in others:
        output.write_bytes(other)
        with pytest.raises(TargetError, match="it holds something else than a"):
            check_report(output, form, [verdict], rules, force=False)
        check_report(output, form, [verdict], rules, force=True)


def test_two_games_side_by_side_are_a_report(rules: Rules) -> None:
    text = games_text([judge(BEST, rules, "a.txt"), judge(WORSE + b"3 zz asp\n", rules, "b.txt")])
    assert replaced_by("text").holds(click.unstyle(text).encode())


@pytest.mark.parametrize("form", ["csv", "markdown", "reddit", "json", "svg", "html"])
def test_a_better_game_in_a_report_stays(form: str, rules: Rules, tmp_path: Path) -> None:
    output = tmp_path / "out"
    output.write_bytes(_shown(form, BEST, rules))
    with pytest.raises(TargetError, match="it stays as it is, with a better answer of 1042 points"):
        check_report(output, form, [judge(WORSE, rules)], rules, force=False)
    with pytest.raises(FileExistsError, match="a better answer of 1042 points"):
        check_better(output, 195, rules)
    check_report(output, form, [judge(BEST, rules)], rules, force=False)
    check_better(output, 1042, rules)


def test_a_better_answer_in_a_large_file_stays(rules: Rules, tmp_path: Path) -> None:
    file = tmp_path / "huge.txt"
    file.write_bytes(BEST + f"# {'x' * 120}\n".encode() * 90_000)
    assert file.stat().st_size > 10_000_000
    with pytest.raises(FileExistsError, match="a better answer of 1042 points"):
        check_better(file, 946, rules)


def test_a_certificate_replaces_only_one_of_the_same_puzzle(tmp_path: Path) -> None:
    output = tmp_path / "b.json"
    output.write_bytes((ROOT / "results" / "challenge" / "bound.json").read_bytes())
    check_output(output, CERTIFICATE)
    check_output(output, certificate_of(Problem.of(load_puzzle("challenge"))))
    with pytest.raises(TargetError, match="something else than a certificate of this puzzle"):
        check_output(output, certificate_of(Problem.of(load_puzzle("shuffled-01"))))


def test_a_page_of_a_comparison_replaces_no_page_of_a_game(rules: Rules) -> None:
    assert not PAGE.holds(_shown("html", WORSE, rules))


@pytest.mark.parametrize("force", [False, True])
def test_a_certificate_of_a_lower_bound_stays_unless_forced(
    force: bool, challenge: Problem, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def text_of(bound: float) -> str:
        digest = challenge.puzzle.digest(challenge.lexicon.digest)
        return json.dumps({"certificate": "rowdraw bound", "puzzle_hash": digest, "bound": f"{bound:.3f}"})

    monkeypatch.setattr("solver.bound.certificate.certificate", lambda _problem, bound: text_of(bound.value))
    path = tmp_path / "c.json"
    path.write_text(text_of(1050))
    file = _CertificateFile(path, challenge, force)
    higher: Any = SimpleNamespace(value=1060.0)
    file.write(higher)
    file.say_kept(higher.value)
    assert path.read_text() == text_of(1060 if force else 1050)
    assert ("c.json stays as it is: it proves 1050.000" in capsys.readouterr().err) is not force
