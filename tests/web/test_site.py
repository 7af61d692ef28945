"""`rowdraw site`: what it writes, what it refuses to write over, and the page that opens from it."""

import json
import re
from pathlib import Path
from shutil import copytree

import pytest

from solver.errors import TargetError
from solver.web.bundle import bundle
from solver.web.site import Files, first_visit, site_files, write_site
from tests.browser import axe, console_errors
from tests.needs import OpenWindow
from tests.process import rowdraw
from tests.web.hosting import hosting
from tests.web.pages import PHONE, click, text, wait


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
    pictures = {name for name in files if name.startswith("static/pictures/")}
    story = {"solved.html", "solved.css", "static/solved.js", "static/data/solved.json"}
    assert set(kept) == {"./", *files.keys()} - {"sw.js", *story, *pictures}


def test_addresses_in_the_page_are_relative(files: Files) -> None:
    for name, data in files.items():
        if name.endswith((".html", ".js", ".css", ".webmanifest")):
            assert not re.findall(rb"""(?:src|href|import|from|fetch\(|url\()\s*=?\s*["'`(]/""", data), name


def test_all_that_the_page_links_to_is_part_of_the_site(files: Files) -> None:
    links = re.findall(r'(?:src|href)="([^"]+)"', files["index.html"].decode())
    assert {"static/main.js", "register.js"} <= set(links) <= files.keys()
    icons = [icon["src"] for icon in json.loads(files["manifest.webmanifest"])["icons"]]
    [picture] = re.findall(r'"og:image" content="([^"]+)"', files["index.html"].decode())
    assert {*icons, picture} <= files.keys()


def test_a_first_visit_loads_few_files_and_less_than_300_kilobytes(files: Files) -> None:
    assert not [name for name in files if name.endswith(".js") and b"\nimport " in files[name]]
    assert first_visit(files) < 300_000
    assert len(files) < 20


def test_a_bundle_keeps_names_addresses_and_what_is_exported() -> None:
    sources = {
        "a/main.js": b'// says it\nimport { one as first, Two } from "./b.js";\nimport * as c from "./deep/c.js";\n'
        b"  globalThis.said = [first(), new Two().it, c.where];\n",
        "a/b.js": b'import { three } from "./deep/c.js";\nexport function one() {\n  return three;\n}\n'
        b"export class Two {\n  it = 2;\n}\n",
        "a/deep/c.js": b'export const { three, where } = { three: 3, where: new URL("./w.js", import.meta.url) };\n',
    }
    bundled = bundle(sources, "a/main.js").decode()
    assert "says it" not in bundled
    assert "{ one: first, Two } = $[1]" in bundled
    assert bundled.count("three: 3") == 1
    assert 'new URL("./w.js", new URL("deep/c.js", import.meta.url))' in bundled


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ('import { a } from "./main.js";\n', "imports itself by way of other.js"),
        ('import a from "./x.js";\n', "does not know"),
        ("const a = 1;\nexport { a };\n", "does not know"),
    ],
)
def test_a_module_that_a_bundle_would_spoil_is_refused(body: str, expected: str) -> None:
    with pytest.raises(ValueError, match=expected):
        bundle({"main.js": b'import { a } from "./other.js";\n', "other.js": body.encode()}, "main.js")


def test_another_version_gets_another_cache(files: Files, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("solver.web.site._bundled_data", dict)
    assert site_files()["sw.js"] != files["sw.js"]


@pytest.mark.parametrize("name", ["notes.txt", "static/mine.js", "view/deep/er.css"])
def test_a_folder_with_a_foreign_file_is_refused_and_unchanged(tmp_path: Path, name: str) -> None:
    (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / name).write_text("mine")
    done = rowdraw("site", str(tmp_path))
    assert done.returncode == 2
    assert f"{tmp_path / name}: rowdraw did not write it, or it was changed since" in done.stderr
    assert content(tmp_path) == {name: b"mine"}


def test_a_file_of_another_program_with_a_name_of_ours_is_refused(tmp_path: Path, files: Files) -> None:
    (tmp_path / "index.html").write_text("mine")
    with pytest.raises(TargetError, match=r"index\.html: rowdraw did not write it"):
        write_site(tmp_path, files)
    assert content(tmp_path) == {"index.html": b"mine"}


def test_a_file_changed_by_hand_is_refused(tmp_path: Path, files: Files) -> None:
    write_site(tmp_path, files)
    (tmp_path / "style.css").write_text("body { color: red }")
    before = content(tmp_path)
    with pytest.raises(TargetError, match=r"style\.css: rowdraw did not write it, or it was changed"):
        write_site(tmp_path, files)
    assert content(tmp_path) == before


def test_a_link_is_refused_and_not_followed(tmp_path: Path, files: Files) -> None:
    outside = tmp_path / "outside.html"
    outside.write_text("mine")
    folder = tmp_path / "site"
    folder.mkdir()
    (folder / "index.html").symlink_to(outside)
    with pytest.raises(TargetError, match="rowdraw did not write it"):
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


def test_a_file_in_place_of_the_folder_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    assert rowdraw("site", str(tmp_path / "file")).returncode == 2
    assert (tmp_path / "file").read_text() == "mine"


def test_the_first_row_and_its_note_need_no_words(browser: OpenWindow, site: Path, tmp_path: Path) -> None:
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
