"""The documentation: its commands run, its programs run, its figures are those of the results, its pages need no network."""

import csv
import re
import subprocess
import sys
import tomllib
from html.parser import HTMLParser
from pathlib import Path

import pytest

from tests.browser import open_page, requests
from tests.docs.blocks import Block, commands, prints, sections
from tests.needs import OpenWindow
from tests.process import rowdraw
from tests.web.serving import until

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted((ROOT / "docs").glob("*.md"), key=lambda page: page.name)
SECTIONS = [section for page in PAGES for section in sections(page)]
LOADED = {"script": "src", "link": "href", "img": "src", "iframe": "src", "source": "src", "object": "data", "use": "href"}
# a figure, the page that states it, and where it comes from
FIGURES = [
    ("1042", "index.md", "README.md"),
    ("961", "index.md", "README.md"),
    ("1042", "index.md", "results/challenge/certificate.txt"),
    ("13 of them blanks", "index.md", "README.md"),
    ("quarter of a minute", "index.md", "README.md"),
    ("2,000", "guide.md", "results/bench.md"),
    ("1040.9", "search.md", "results/ablation-fishing/tables.md"),
    ("1036.4", "search.md", "results/ablation-fishing/tables.md"),
    ("1039.8", "search.md", "results/ablation-fishing/tables.md"),
    ("180", "search.md", "results/learnt-positions/table.md"),
    ("14 s each at the median", "bound.md", "results/optima-30/table.md"),
    ("5 of 5", "bound.md", "results/optima-40/table.md"),
    ("10 s", "bound.md", "results/optima-40/table.md"),
    ("5 of 5", "bound.md", "results/optima-50/table.md"),
    ("21 s", "bound.md", "results/optima-50/table.md"),
    ("5 of 5", "bound.md", "results/optima-60/table.md"),
    ("59 s", "bound.md", "results/optima-60/table.md"),
    ("5 of 5", "bound.md", "results/optima-80/table.md"),
    ("253 s", "bound.md", "results/optima-80/table.md"),
    ("1037.6 points", "speed.md", "results/held-out-2s/tables.md"),
    ("1.6 below the best known", "speed.md", "results/held-out-2s/tables.md"),
    ("1038.7 points", "speed.md", "results/held-out-5s/tables.md"),
    ("0.5 below the best known", "speed.md", "results/held-out-5s/tables.md"),
    ("1038.8 points", "speed.md", "results/held-out-20s/tables.md"),
    ("0.4 below the best known", "speed.md", "results/held-out-20s/tables.md"),
    ("222 million racks", "bound.md", "README.md"),
]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The built pages."""
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr
    return folder


def test_a_line_of_a_shell_that_nobody_would_run_is_refused() -> None:
    with pytest.raises(ValueError, match="expected rowdraw"):
        commands(Block("sh", "ls examples\n", None))


def test_what_a_page_says_that_a_command_prints_may_leave_lines_out() -> None:
    assert prints("a\n...\nc").fullmatch("a\nb\nb\nc\n")
    assert not prints("a\nc").fullmatch("a\nb\nc\n")


def test_each_command_is_told_and_has_an_example() -> None:
    listed = set(re.findall(r"^  (\w+) ", rowdraw("--help").stdout, re.MULTILINE))
    shown = {arguments[1] for section in SECTIONS for command in section.commands for arguments in command.pipe}
    assert listed <= shown
    text = "".join(page.read_text(encoding="utf-8") for page in PAGES)
    assert all(f"rowdraw {name}" in text for name in listed)


@pytest.mark.parametrize(("figure", "page", "source"), FIGURES)
def test_figures_are_those_of_the_readme_and_the_results(root: Path, figure: str, page: str, source: str) -> None:
    for file in (root / "docs" / page, root / source):
        assert figure in " ".join(file.read_text(encoding="utf-8").split()), file


def test_the_gaps_of_the_strategies_are_those_on_rows_whose_best_score_is_proven(root: Path) -> None:
    table = (root / "docs/speed.md").read_text(encoding="utf-8").split("(`results/proven`):\n\n")[1]
    text = (root / "results/proven/tables.md").read_text(encoding="utf-8")
    assert f"\n{table}\n" in text
    for row in csv.DictReader((root / "results/proven/puzzles.csv").read_text(encoding="utf-8").splitlines()):
        certificate = (root / "results" / row["puzzle"] / "certificate.txt").read_text(encoding="utf-8")
        claim = certificate.split("\nclaim ", 1)[1].split("\n", 1)[0]
        assert f"| {row['puzzle']} | {claim} |" in text


def test_the_gaps_of_complete_beams_are_those_on_all_bundled_rows(root: Path) -> None:
    told = (root / "docs/speed.md").read_text(encoding="utf-8")
    for row in csv.DictReader((root / "results/beams/summary.csv").read_text(encoding="utf-8").splitlines()):
        assert row["runs"] == "21"
        gap, share = float(row["gap to best"]), float(row["share that reach best"])
        reached = f"{share:.0%}" if share else "-"
        assert f"| {row['strategy']} | {gap:.1f} | {reached} |\n" in told


def test_the_example_files_are_what_the_pages_call_them(root: Path) -> None:
    assert (root / "examples/answer.txt").read_bytes() == (root / "results/challenge/1042.txt").read_bytes()
    puzzle = tomllib.loads((root / "examples/mine.toml").read_text(encoding="utf-8"))
    assert puzzle["name"] == "mine"


def test_paths_of_the_clone_that_the_pages_name_exist(root: Path) -> None:
    named = re.compile(r"`((?:solver|verify|tests|tools|data|results|examples|docs)/[\w./-]+)`")
    for page in (*PAGES, root / "README.md", root / "CONTRIBUTING.md", root / "tools" / "README.md"):
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
            assert not re.match(r"(?i)[a-z]+:|//", target) or target.startswith("data:"), f"{page.name}: {target}"
        # the theme would fetch a program for diagrams of this kind
        assert "mermaid" not in loads.classes, page.name
    for style in site.rglob("*.css"):
        assert not re.search(r"(?:url\(|@import)\s*['\"]?\s*(?:https?:)?//", style.read_text(encoding="utf-8")), style.name


def test_pages_in_a_folder_can_be_searched_and_ask_no_other_host(browser: OpenWindow, site: Path) -> None:
    with browser() as driver:
        open_page(driver, site / "index.html")
        driver.execute_script("document.querySelector('.md-search__input').focus()")
        driver.switch_to.active_element.send_keys("incumbent")
        found = "return document.querySelectorAll('.md-search-result__item a').length"
        assert until(lambda: driver.execute_script(found) > 0)
        assert all(url.startswith(("file:", "data:", "about:")) for url in requests(driver))


def test_every_page_is_built_with_its_own_title(site: Path) -> None:
    for page in PAGES:
        title = page.read_text(encoding="utf-8").partition("\n")[0].removeprefix("# ")
        assert title in (site / f"{page.stem}.html").read_text(encoding="utf-8").replace("&#39;", "'")


def test_the_library_page_describes_what_the_library_offers(site: Path) -> None:
    page = (site / "library.html").read_text(encoding="utf-8")
    for name in (
        "library.solve",
        "library.analyse",
        "solving.analysis.Analysis",
        "solving.result.Result",
        "model.puzzle.Puzzle",
        "model.solution.Turn",
        "index.problem.Play",
    ):
        assert f'id="solver.{name}"' in page
    for name in ("solver.solving.strategies.register", "verify.answers.judge"):
        assert f'id="{name}"' in page
