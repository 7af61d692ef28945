"""Whatever a file holds, a terminal does not obey it, and pages made from it are well formed."""

import json
import os
import xml.etree.ElementTree as ET
from pathlib import Path

import click
import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.show.forms import FORMS
from solver.show.games import game_text, make_game
from tests.process import rowdraw
from verify import judge, load_rules
from verify.scrabble.judge import judge_game
from verify.text import printable, quote

RULES = load_rules()
STRANGE = ("\x1b[31m", "\x9b31m", "\u202e", "\x07", "\ud800", "\x00", "\u2028")


def obeyed(text: str) -> set[str]:
    """The characters of a text that a terminal would not just show."""
    return {c for c in text if not c.isprintable() and c != "\n"}


@pytest.mark.parametrize("strange", STRANGE)
def test_answers_are_shown_escaped(strange: str) -> None:
    turns = [
        {"left": 6, "play": f"s?l{strange}", "word": f"s{strange}"},
        {"left": strange, "play": strange, "word": "a"},
    ]
    content = json.dumps(
        {"turns": turns, "score": strange, "puzzle": f"challenge{strange}"}
    ).encode()
    verdict = judge(content, RULES, f"file{strange}")
    forms = [form.write([make_game(verdict)]) for form in FORMS.values()]
    texts = (verdict.as_text(), game_text(verdict), *forms)
    for text in texts:
        # its own colours are there, the file's are not
        assert not obeyed(click.unstyle(text))
        assert strange not in text.replace("\x1b[31m      line", "").replace(
            "\x1b[31m      and", ""
        )
    ET.fromstring(FORMS["svg"].write([make_game(verdict)]))


@pytest.mark.parametrize("strange", ["\x1b[31m", "\u202e", "\x00"])
def test_games_are_shown_escaped(strange: str, tmp_path: Path) -> None:
    text = (
        f"#character-encoding UTF-8\n#player1 ann{strange} Ann\n#player2 bob Bob\n"
        f"#lexicon {strange}\n#tile-distribution {strange}\n"
        f">ann{strange}: CAB{strange} 8H CAB{strange} +14 14\n"
        f">eve{strange}: A 8H B +1 1\n{strange}\n"
    )
    verdict = judge_game(text.encode(), f"file{strange}")
    assert not obeyed(verdict.as_text())
    assert "unknown-tiles" in {
        fault.code for fault in verdict.violations
    }  # so that nothing else is judged
    known = judge_game(
        text.replace(f"-distribution {strange}", "-distribution english").encode(), f"file{strange}"
    )
    assert not obeyed(known.as_text())
    assert len(known.violations) > 3
    (tmp_path / "a.gcg").write_text(text)
    resumed = rowdraw("scrabble", "play", "--resume", "a.gcg", cwd=tmp_path, code=2)
    assert not obeyed(resumed.stderr)


def test_names_of_files_and_puzzles_in_messages_are_escaped(tmp_path: Path) -> None:
    name = "a\x1b[31m.toml"
    for arguments in (
        ["verify", name],
        ["show", name],
        ["solve", name],
        ["scrabble", "play", "--resume", name],
    ):
        done = rowdraw(*arguments, cwd=tmp_path, code=2)
        assert not obeyed(done.stderr)
        assert "x1b[31m" in done.stderr


@given(st.text())
def test_what_is_printable_stays_and_the_rest_is_escaped(text: str) -> None:
    assert len(quote(text)) <= 60
    assert not obeyed(quote(text))
    assert not obeyed(printable(text)) - set("\u200c\u200d")
    assert printable(text) == text or not text.isprintable()
    printable(text).encode()


def test_pages_of_files_whose_names_are_not_text_are_written(tmp_path: Path) -> None:
    name = os.fsdecode(b"a\xff.txt")
    (tmp_path / name).write_text("6 s?l?mnized solemnized\n")
    for form in ("html", "svg"):
        done = rowdraw("show", name, "-o", f"a.{form}", cwd=tmp_path, code=0)
        assert not done.stderr
    assert "a\\udcff.txt" in (tmp_path / "a.html").read_text(encoding="utf-8")


@pytest.mark.parametrize("names", ["\x1b[31m,b", "\u202e,b", os.fsdecode(b"a\xff,b")])
def test_a_game_that_could_not_be_gone_on_with_is_not_begun(names: str, tmp_path: Path) -> None:
    rowdraw("scrabble", "play", "--names", names, "--save", "g.gcg", cwd=tmp_path, code=2)
    (tmp_path / "w\nx.txt").write_text("tea\n")
    rowdraw("scrabble", "play", "--words", "w\nx.txt", "--save", "g.gcg", cwd=tmp_path, code=2)
    assert not (tmp_path / "g.gcg").exists()


def test_the_record_book_escapes_folders_and_cuts_cells(tmp_path: Path) -> None:
    folder = tmp_path / "a\x1b[31m|\u202e\nb"
    folder.mkdir()
    (folder / "5.txt").write_text("# row teasets\n# rack 7\n0 tea tea\n")
    (folder / "5.json").write_text(json.dumps({"strategy": "x" * 100_000}))
    done = rowdraw("records", tmp_path)
    assert not obeyed(done.stdout)
    assert len(done.stdout) < 2000
