"""The documentation: its commands and programs run, each section with the files of `examples`;
its pages need no network."""

import re
import shutil
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest

from tests.browser import open_page, requests
from tests.docs.blocks import Section, prints, sections
from tests.needs import OpenWindow
from tests.process import rowdraw
from tests.web.serving import until

ROOT = Path(__file__).resolve().parents[2]


PAGES = sorted((ROOT / "docs").glob("*.md"), key=lambda page: page.name)


SECTIONS = [section for page in PAGES for section in sections(page)]


LOADED = {
    "script": "src",
    "link": "href",
    "img": "src",
    "iframe": "src",
    "source": "src",
    "object": "data",
    "use": "href",
}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The built pages."""
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)]
    done = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=120
    )
    assert done.returncode == 0, done.stderr
    return folder


def test_each_command_is_told_and_has_an_example() -> None:
    listed = set(re.findall(r"^  (\w+) ", rowdraw("--help").stdout, re.MULTILINE))
    shown = {
        arguments[1]
        for section in SECTIONS
        for command in section.commands
        for arguments in command.pipe
    }
    assert listed <= shown
    text = "".join(page.read_text(encoding="utf-8") for page in PAGES)
    assert all(f"rowdraw {name}" in text for name in listed)


def test_paths_of_the_clone_that_the_pages_name_exist(root: Path) -> None:
    named = re.compile(r"`((?:solver|verify|tests|tools|data|results|examples|docs)/[\w./-]+)`")
    for page in (
        *PAGES,
        root / "README.md",
        root / "CONTRIBUTING.md",
        root / "tools" / "README.md",
    ):
        for path in named.findall(page.read_text(encoding="utf-8")):
            assert (root / path).exists(), f"{page.name}: {path}"


class Loads(HTMLParser):
    """What a page asks for when it is opened, and the classes of its elements."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self.classes: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        told = dict(attrs)
        self.classes.update((told.get("class") or "").split())
        if (target := told.get(LOADED.get(tag, ""))) is not None:
            self.found.append(target)


def test_pages_ask_no_other_host_for_anything(site: Path) -> None:
    pages = list(site.rglob("*.html"))
    assert len(pages) > len(PAGES)
    for page in pages:
        loads = Loads()
        loads.feed(page.read_text(encoding="utf-8"))
        assert loads.found
        for target in loads.found:
            assert not re.match(r"(?i)[a-z]+:|//", target) or target.startswith("data:"), (
                f"{page.name}: {target}"
            )
        # the theme would fetch a program for diagrams of this kind
        assert "mermaid" not in loads.classes, page.name
    for style in site.rglob("*.css"):
        assert not re.search(
            r"(?:url\(|@import)\s*['\"]?\s*(?:https?:)?//", style.read_text(encoding="utf-8")
        ), style.name


def test_pages_in_a_folder_can_be_searched_and_ask_no_other_host(
    browser: OpenWindow, site: Path
) -> None:
    with browser() as driver:
        open_page(driver, site / "index.html")
        driver.execute_script("document.querySelector('.md-search__input').focus()")
        driver.switch_to.active_element.send_keys("incumbent")
        found = "return document.querySelectorAll('.md-search-result__item a').length"
        assert until(lambda: driver.execute_script(found) > 0)
        assert all(url.startswith(("file:", "data:", "about:")) for url in requests(driver))


PROGRAMS = [
    block.text for section in SECTIONS for block in section.blocks if block.language == "python"
]


@pytest.fixture
def desk(tmp_path: Path) -> Path:
    """A folder with the small files that the examples need."""
    return Path(shutil.copytree(ROOT / "examples", tmp_path / "desk"))


@pytest.mark.long
@pytest.mark.parametrize(
    "section",
    [found for found in SECTIONS if found.commands],
    ids=lambda found: f"{found.page}: {found.title}",
)
def test_the_commands_of_a_section_end_with_the_exit_codes_and_print_what_it_says(
    section: Section, desk: Path
) -> None:
    for command in section.commands:
        done = command.run(desk)
        assert done.returncode == command.code, f"{command.line}\n{done.stderr}"
        if command.printed is not None:
            assert prints(command.printed).fullmatch(done.stdout), f"{command.line}\n{done.stdout}"


@pytest.mark.long
@pytest.mark.parametrize("program", PROGRAMS)
def test_the_programs_run_without_a_warning(program: str, desk: Path) -> None:
    command = [sys.executable, "-W", "error", "-c", program]
    done = subprocess.run(
        command, cwd=desk, capture_output=True, text=True, check=False, timeout=120
    )
    assert done.returncode == 0, f"{program}\n{done.stderr}"
    assert done.stdout
