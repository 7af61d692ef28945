"""`rowdraw site`: what it writes and refuses to write over, and the page that opens from it."""

import json
import re
from pathlib import Path
from shutil import copytree

import pytest

from solver.files import replace_bytes
from solver.web.bundle import Files
from solver.web.site import first_visit, site_files, write_site
from tests.browser import console_errors
from tests.needs import OpenWindow
from tests.process import rowdraw
from tests.web.pages import PHONE, await_some, await_text, click, count, look, text, wait, width
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
    assert {"index.html", "static/engine/worker.js", "static/data/words.bin"} <= written.keys()
    assert re.search(r"loads [\d,]+ bytes", done.stdout)
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


def test_a_folder_that_is_no_site_is_refused_and_unchanged(tmp_path: Path) -> None:
    for name in ("view/deep/er.css", "index.html"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("mine")
        before = content(tmp_path)
        done = rowdraw("site", str(tmp_path))
        assert done.returncode == 2
        assert content(tmp_path) == before
    assert f"{tmp_path / 'index.html'}: rowdraw did not write it" in done.stderr


def test_what_else_is_in_the_folder_of_a_site_stays(tmp_path: Path, files: Files) -> None:
    (tmp_path / ".git").mkdir()
    write_site(tmp_path, files)
    (tmp_path / "CNAME").write_text("mine")
    (tmp_path / "index.css").write_text("old")
    write_site(tmp_path, files)
    assert content(tmp_path) == {**files, "CNAME": b"mine"}


def test_a_write_that_fails_can_be_completed(
    tmp_path: Path, files: Files, monkeypatch: pytest.MonkeyPatch
) -> None:

    def failing(path: Path, data: bytes) -> None:
        if path.name == "index.css":
            raise OSError(28, "no space", str(path))
        replace_bytes(path, data)

    monkeypatch.setattr("solver.web.site.replace_bytes", failing)
    with pytest.raises(OSError, match="no space"):
        write_site(tmp_path, files)
    monkeypatch.undo()
    write_site(tmp_path, files)
    assert content(tmp_path) == files


def test_the_first_row_and_its_note_need_no_words(
    browser: OpenWindow, site: Path, tmp_path: Path
) -> None:
    folder = copytree(site, tmp_path / "site")
    words = folder / "static/data/words.bin"
    words.rename(tmp_path / "words.bin")
    with hosting(folder) as address, browser(*PHONE) as page:
        page.get(address)
        for step in (1, 2, 3):
            await_text(page, "coach", f"{step} of 4")
            click(page, "#coach .main")
        await_text(page, "message", "Nothing is lost")
        (tmp_path / "words.bin").rename(words)
        click(page, "#coach .main")
        await_text(page, "coach", "4 of 4")


def test_the_story_of_the_proof_plays_the_record_game(browser: OpenWindow, site: Path) -> None:
    with hosting(site) as address, browser(*PHONE) as page:
        page.get(f"{address}solved.html")
        await_some(page, "#bound svg")
        assert text(page, "which") == "turn 1 of 13"
        click(page, "#play")
        wait(lambda: text(page, "which") == "turn 2 of 13")
        click(page, "#play")
        assert text(page, "play") == "Play"
        assert "81 fewer" in text(page, "public")
        assert count(page, "#row .tile") == 100
        look(page)
        assert width(page) <= PHONE[0]
        assert console_errors(page) == []
