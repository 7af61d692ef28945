"""`rowdraw site`: what it writes, what it refuses to write over, and the page that opens from it."""

import json
import re
from pathlib import Path

import pytest

from solver.errors import TargetError
from solver.web.site import Files, site_files, write_site
from tests.process import rowdraw


@pytest.fixture(scope="module")
def files() -> Files:
    return site_files()


def content(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_the_command_writes_a_site_and_says_how_to_try_it(tmp_path: Path) -> None:
    folder = tmp_path / "a table"
    done = rowdraw("site", str(folder))
    assert done.returncode == 0, done.stderr
    written = content(folder)
    assert {"index.html", "sw.js", "manifest.webmanifest", "static/engine/worker.js", "static/data/words.bin"} <= written.keys()
    sent = int(re.findall(r"loads ([\d,]+) bytes", done.stdout)[0].replace(",", ""))
    assert sent < 1_500_000
    assert "python3 -m http.server" in done.stdout
    assert f"'{folder}'" in done.stdout
    again = rowdraw("site", str(folder))
    assert (again.returncode, content(folder)) == (0, written)


def test_equal_versions_write_equal_files_that_the_service_worker_keeps_all(files: Files) -> None:
    assert files == site_files()
    kept = json.loads(re.findall(r"const FILES = (.*);", files["sw.js"].decode())[0])
    assert set(kept) == {"./", *files.keys()} - {"sw.js"}


def test_addresses_in_the_page_are_relative(files: Files) -> None:
    for name, text in files.items():
        if name.endswith((".html", ".js", ".css", ".webmanifest")):
            assert not re.findall(rb"""(?:src|href|import|from|fetch\(|url\()\s*=?\s*["'`(]/""", text), name


def test_all_that_the_page_links_to_is_part_of_the_site(files: Files) -> None:
    links = re.findall(r'(?:src|href)="([^"]+)"', files["index.html"].decode())
    assert {"static/main.js", "register.js"} <= set(links) <= files.keys()


def test_another_version_gets_another_cache(files: Files, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("solver.web.site._bundled_data", dict)
    assert site_files()["sw.js"] != files["sw.js"]


@pytest.mark.parametrize("name", ["notes.txt", "static/mine.js", "view/deep/er.css"])
def test_a_folder_with_a_foreign_file_is_refused_and_unchanged(tmp_path: Path, name: str) -> None:
    (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / name).write_text("mine")
    done = rowdraw("site", str(tmp_path))
    assert done.returncode == 2
    assert f"{tmp_path / name}: not a file of the site" in done.stderr
    assert content(tmp_path) == {name: b"mine"}


def test_a_file_of_another_program_with_a_name_of_ours_is_refused(tmp_path: Path, files: Files) -> None:
    (tmp_path / "index.html").write_text("mine")
    with pytest.raises(TargetError, match=r"index\.html: it was changed"):
        write_site(tmp_path, files)
    assert content(tmp_path) == {"index.html": b"mine"}


def test_a_file_changed_by_hand_is_refused(tmp_path: Path, files: Files) -> None:
    write_site(tmp_path, files)
    (tmp_path / "view" / "theme.css").write_text("body { color: red }")
    before = content(tmp_path)
    with pytest.raises(TargetError, match=r"theme\.css: it was changed"):
        write_site(tmp_path, files)
    assert content(tmp_path) == before


def test_a_link_is_refused_and_not_followed(tmp_path: Path, files: Files) -> None:
    outside = tmp_path / "outside.html"
    outside.write_text("mine")
    folder = tmp_path / "site"
    folder.mkdir()
    (folder / "index.html").symlink_to(outside)
    with pytest.raises(TargetError, match="not a file of the site"):
        write_site(folder, files)
    assert outside.read_text() == "mine"


def test_files_of_an_earlier_version_go(tmp_path: Path) -> None:
    write_site(tmp_path, {"index.html": b"1", "old/gone.js": b"2"})
    write_site(tmp_path, {"index.html": b"3"})
    assert {name for name in content(tmp_path) if not name.startswith(".")} == {"index.html"}


@pytest.mark.parametrize("line", ["nonsense", "0" * 64 + "  ../outside", "0" * 64 + "  /etc/hosts"])
def test_a_list_that_names_strange_files_is_refused(tmp_path: Path, line: str) -> None:
    (tmp_path / ".rowdraw-site").write_text(f"{line}\n")
    with pytest.raises(TargetError, match=r"\.rowdraw-site:1: expected a digest"):
        write_site(tmp_path, {"index.html": b"1"})


def test_a_write_that_fails_can_be_completed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from solver.web import site

    write_site(tmp_path, {"a": b"1", "b": b"1", "c": b"1"})
    real = site.replace_bytes

    def failing(path: Path, data: bytes) -> None:
        if path.name == "b":
            raise OSError(28, "no space", str(path))
        real(path, data)

    monkeypatch.setattr(site, "replace_bytes", failing)
    with pytest.raises(OSError, match="no space"):
        write_site(tmp_path, {"a": b"2", "b": b"2", "d": b"2"})
    monkeypatch.undo()
    write_site(tmp_path, {"a": b"2", "b": b"2", "d": b"2"})
    assert content(tmp_path).items() >= {"a": b"2", "b": b"2", "d": b"2"}.items()
    assert "c" not in content(tmp_path)


def test_a_file_in_place_of_the_folder_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    assert rowdraw("site", str(tmp_path / "file")).returncode == 2
    assert (tmp_path / "file").read_text() == "mine"
