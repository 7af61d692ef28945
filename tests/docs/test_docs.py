"""The documentation: its commands and programs run, and its pages need no network."""

import re
import shutil
from pathlib import Path

import pytest

from tests.docs.blocks import Section, prints, sections
from tests.process import python, rowdraw

ROOT = Path(__file__).resolve().parents[2]


PAGES = sorted((ROOT / "docs").glob("*.md"), key=lambda page: page.name)


SECTIONS = [section for page in PAGES for section in sections(page)]


LOADING = r"<(?:script|link|img|iframe|source|object|use)\b[^>]*?\s(?:src|href|data)=([^\s>]+)"
OUTSIDE = re.compile(r"(?i)(?!data:)[a-z]+:|//")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The built pages."""
    folder = tmp_path_factory.mktemp("site")
    python("-m", "mkdocs", "build", "--strict", "--site-dir", folder, cwd=ROOT, code=0)
    return folder


def test_each_command_is_told_and_has_an_example() -> None:
    listed = set(re.findall(r"^  (\w+) ", rowdraw("--help").stdout, re.MULTILINE))
    lines = [command.line for section in SECTIONS for command in section.commands]
    assert listed <= set(re.findall(r"rowdraw (\w+)", "\n".join(lines)))


def test_paths_of_the_clone_that_the_pages_name_exist(root: Path) -> None:
    named = re.compile(r"`((?:solver|verify|tests|tools|data|results|examples|docs)/[\w./-]+)`")
    linked = re.compile(r"\]\(([^)h][^)]*)\)")
    others = ("README.md", "CONTRIBUTING.md", "tools/README.md")
    for page in (*PAGES, *map(root.joinpath, others)):
        for path in named.findall(page.read_text(encoding="utf-8")):
            assert (root / path).exists(), f"{page.name}: {path}"
    for path in linked.findall((root / "README.md").read_text(encoding="utf-8")):
        assert (root / path).exists(), path


def test_pages_ask_no_other_host_for_anything(site: Path) -> None:
    assert (site / "search/search_index.js").exists(), "pages in a folder cannot be searched"
    pages = list(site.rglob("*.html"))
    assert len(pages) > len(PAGES)
    for page in pages:
        text = page.read_text(encoding="utf-8")
        targets = [target.strip("\"'") for target in re.findall(LOADING, text)]
        assert targets
        assert not list(filter(OUTSIDE.match, targets)), page.name
        # the theme would fetch a program for diagrams of this kind
        assert not re.search(r"class=[\w\"' -]*\bmermaid\b", text), page.name
    imported = re.compile(r"(?:url\(|@import)\s*['\"]?\s*(?:https?:)?//")
    for style in site.rglob("*.css"):
        assert not imported.search(style.read_text(encoding="utf-8")), style.name


@pytest.fixture
def desk(tmp_path: Path) -> Path:
    """A folder with the small files that the examples need."""
    return Path(shutil.copytree(ROOT / "examples", tmp_path / "desk"))


@pytest.mark.long
@pytest.mark.usefixtures("posix")
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
@pytest.mark.parametrize(
    "program", [program for section in SECTIONS for program in section.programs]
)
def test_the_programs_run_without_a_warning(program: str, desk: Path) -> None:
    done = python("-W", "error", "-c", program, cwd=desk, code=0)
    assert done.stdout
