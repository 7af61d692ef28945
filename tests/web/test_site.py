"""`rowdraw site`: what it writes, what it refuses to write over, and the page that opens from it."""

import json
import re
from pathlib import Path
from shutil import copytree

import pytest

from solver.errors import TargetError
from solver.web.site import Files, first_visit, site_files, write_site
from tests.browser import axe, console_errors
from tests.needs import OpenWindow
from tests.process import rowdraw
from tests.web.pages import PHONE, click, text, wait
from tests.web.serving import hosting


@pytest.fixture(scope="module")
def files() -> Files:
    return site_files()


def content(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def test_the_command_writes_a_site_and_says_how_to_try_it(tmp_path: Path) -> None:
    folder = tmp_path / "a table"
    done = rowdraw("site", str(folder))
    assert done.returncode == 0, done.stderr
    written = content(folder)
    assert {
        "index.html",
        "sw.js",
        "manifest.webmanifest",
        "static/engine/worker.js",
        "static/data/words.bin",
    } <= written.keys()
    sent = int(re.findall(r"loads ([\d,]+) bytes", done.stdout)[0].replace(",", ""))
    assert sent < 1_500_000
    assert "python3 -m http.server" in done.stdout
    assert f"'{folder}'" in done.stdout
    again = rowdraw("site", str(folder))
    assert (again.returncode, content(folder)) == (0, written)


def test_equal_versions_write_equal_files_that_the_service_worker_keeps_all(files: Files) -> None:
    assert files == site_files()
    kept = json.loads(re.findall(r"const FILES = (.*);", files["sw.js"].decode())[0])
    pictures = {name for name in files if name.startswith("static/pictures/")}
    story = {"solved.html", "solved.css", "static/solved.js", "static/data/solved.json"}
    assert set(kept) == {"./", *files.keys()} - {"sw.js", *story, *pictures}


def test_a_first_visit_loads_few_files_and_less_than_300_kilobytes(files: Files) -> None:
    assert not [name for name in files if name.endswith(".js") and b"\nimport " in files[name]]
    assert first_visit(files) < 300_000
    assert len(files) < 20


def test_a_folder_with_a_foreign_file_is_refused_and_unchanged(tmp_path: Path) -> None:
    name = "view/deep/er.css"
    (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / name).write_text("mine")
    done = rowdraw("site", str(tmp_path))
    assert done.returncode == 2
    assert f"{tmp_path / name}: rowdraw did not write it, or it was changed since" in done.stderr
    assert content(tmp_path) == {name: b"mine"}


def test_a_file_of_another_program_a_changed_one_and_a_link_are_refused_and_unchanged(
    tmp_path: Path, files: Files
) -> None:
    for name in ("other", "changed", "link"):
        (tmp_path / name).mkdir()
    (tmp_path / "other" / "index.html").write_text("mine")
    write_site(tmp_path / "changed", files)
    (tmp_path / "changed" / "style.css").write_text("body { color: red }")
    (tmp_path / "outside.html").write_text("mine")
    (tmp_path / "link" / "index.html").symlink_to(tmp_path / "outside.html")
    for name, file in (("other", "index"), ("changed", "style"), ("link", "index")):
        before = content(tmp_path / name)
        with pytest.raises(TargetError, match=rf"{file}\.\w+: rowdraw did not write it"):
            write_site(tmp_path / name, files)
        assert content(tmp_path / name) == before


def test_files_of_an_earlier_version_go(tmp_path: Path) -> None:
    write_site(tmp_path, {"index.html": b"1", "old/gone.js": b"2"})
    write_site(tmp_path, {"index.html": b"3"})
    assert {name for name in content(tmp_path) if not name.startswith(".")} == {"index.html"}


@pytest.mark.parametrize("line", ["nonsense", "0" * 64 + "  ../outside"])
def test_a_list_that_names_strange_files_is_refused(tmp_path: Path, line: str) -> None:
    (tmp_path / ".rowdraw-site").write_text(f"{line}\n")
    with pytest.raises(TargetError, match=r"\.rowdraw-site:1: expected a digest"):
        write_site(tmp_path, {"index.html": b"1"})


def test_a_write_that_fails_can_be_completed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from solver import files

    write_site(tmp_path, {"a": b"1", "b": b"1", "c": b"1"})
    real = files.replace_bytes

    def failing(path: Path, data: bytes) -> None:
        if path.name == "b":
            raise OSError(28, "no space", str(path))
        real(path, data)

    monkeypatch.setattr(files, "replace_bytes", failing)
    with pytest.raises(OSError, match="no space"):
        write_site(tmp_path, {"a": b"2", "b": b"2", "d": b"2"})
    monkeypatch.undo()
    write_site(tmp_path, {"a": b"2", "b": b"2", "d": b"2"})
    assert content(tmp_path).items() >= {"a": b"2", "b": b"2", "d": b"2"}.items()
    assert "c" not in content(tmp_path)


def test_the_first_row_and_its_note_need_no_words(
    browser: OpenWindow, site: Path, tmp_path: Path
) -> None:
    folder = copytree(site, tmp_path / "site")
    words = folder / "static/data/words.bin"
    words.rename(tmp_path / "words.bin")
    with hosting(folder) as address, browser(*PHONE) as page:
        page.get(address)
        wait(lambda: "1 of 3" in text(page, "coach"))
        assert text(page, "figures").startswith("best possible ")
        click(page, "#coach .main")
        wait(lambda: "Nothing is lost" in text(page, "message"))
        (tmp_path / "words.bin").rename(words)
        click(page, "#coach .main")
        wait(lambda: "2 of 3" in text(page, "coach"))


def test_the_story_of_the_proof_plays_the_record_game(browser: OpenWindow, site: Path) -> None:
    with hosting(site) as address, browser(*PHONE) as page:
        page.get(f"{address}solved.html")
        wait(lambda: page.find_elements("css selector", "#bound svg") != [])
        assert text(page, "which") == "turn 1 of 13"
        click(page, "#play")
        wait(lambda: text(page, "which") == "turn 2 of 13")
        click(page, "#play")
        assert text(page, "play") == "Play"
        assert "81 fewer" in text(page, "public")
        assert len(page.find_elements("css selector", "#row .tile")) == 100
        assert axe(page) == []
        assert page.execute_script("return document.documentElement.scrollWidth") <= PHONE[0]
        assert console_errors(page) == []
