"""The page of a comparison in a real browser: its answer, tables, plots and games, light and
dark, wide and narrow."""

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from solver.lab.compare.collect import collect
from solver.lab.compare.finding import find
from solver.lab.compare.runs import Journal, Task
from solver.report.comparison import COLOURS, DARK_COLOURS
from solver.report.pages import script_text
from tests.browser import axe, console_errors, open_page, requests, resize
from tests.compare.runs import run_of
from tests.needs import OpenWindow
from tests.process import rowdraw
from tests.report.test_pages import texts

if TYPE_CHECKING:
    from selenium.webdriver import Chrome
    from selenium.webdriver.remote.webelement import WebElement

LABELS = {"<i>beam</i>": 1042, "greedy": 900, "$x_1$": 1000}
WIDE = "return document.documentElement.scrollWidth - document.documentElement.clientWidth"


@pytest.fixture(scope="module")
def folder(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A journal written by hand, so that no run is needed to look at a page."""
    text = (root / "results" / "challenge" / "1042.txt").read_text()
    found = tmp_path_factory.mktemp("cmp")
    journal = Journal(found)
    for label, score in LABELS.items():
        for puzzle in ("<script>", "shuffled-01"):
            # only the best run has the score of its solution: the rules of the others are not known
            is_known = puzzle == "<script>" and score == 1042
            asked = {
                "label": label,
                "strategy": label,
                "puzzle": "challenge" if is_known else "unknown.toml",
                "seed": 3,
            }
            trace = [[0.1, 1, score - 20], [0.5, 5, score]]
            lines = [line for line in text.splitlines() if not line.startswith("#")]
            journal.append(
                run_of(
                    **asked,
                    key=f"{label} {puzzle}",
                    puzzle_name=puzzle,
                    score=score,
                    trace=trace,
                    solution=lines,
                )
            )
    return found


@pytest.fixture(scope="module")
def page(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = tmp_path_factory.mktemp("page") / "report.html"
    done = rowdraw("compare", "--collect", "-o", str(folder), "--html", str(found))
    assert done.returncode == 0, done.stderr
    assert find(collect(folder)).answer in " ".join(done.stdout.split())
    return found


def open_drawn(driver: "Chrome", page: Path) -> None:
    """Open the page and wait for its plots."""
    from selenium.webdriver.support.ui import WebDriverWait

    open_page(driver, page)
    WebDriverWait(driver, 30).until(
        lambda d: d.execute_script("return document.documentElement.dataset.plots") == "drawn"
    )


def marks(driver: "Chrome", plot: str) -> list["WebElement"]:
    """What can be pointed at in a plot."""
    from selenium.webdriver.common.by import By

    return driver.find_elements(By.CSS_SELECTOR, f"[data-plot={plot}] .mark-symbol.role-mark path")


def shown_at(driver: "Chrome", mark: "WebElement") -> list[str]:
    """The names and values that are shown while the pointer is on a mark."""
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.support.ui import WebDriverWait

    driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", mark)
    ActionChains(driver).move_by_offset(0, 0).move_to_element(mark).perform()
    shown = "#vg-tooltip-element.visible td"
    return WebDriverWait(driver, 10).until(lambda d: texts(d, shown))


def test_the_answer_is_the_first_sentence_and_nothing_comes_from_outside(
    chrome: "Chrome", folder: Path, page: Path
) -> None:
    requests(chrome)
    open_drawn(chrome, page)
    assert texts(chrome, "main p")[0] == find(collect(folder)).answer
    assert len(texts(chrome, "main > ul li")) == len(find(collect(folder)).notes)
    assert len(texts(chrome, "[data-plot] svg")) == 5
    assert console_errors(chrome) == []
    assert requests(chrome) == [page.resolve().as_uri()]


def test_pointing_at_a_mark_tells_its_run(chrome: "Chrome", page: Path) -> None:
    open_drawn(chrome, page)
    for plot, count in (("gaps", 6), ("profile", 6), ("targets", 2)):
        found = marks(chrome, plot)
        assert len(found) == count
        cells = shown_at(chrome, found[0])
        fields = dict(zip(cells[::2], cells[1::2], strict=True))
        assert {"strategy", "puzzle", "seed", "score", "gap"} <= set(fields)
        assert fields["strategy"] in LABELS
        assert fields["score"] == f"{LABELS[fields['strategy']]}"
        assert fields["gap"] == f"{1042 - LABELS[fields['strategy']]}"
        assert fields["seed"] == "3"
        assert fields["puzzle"] in ("<script>", "shuffled-01")
    assert {"strategy", "seconds", "gap"} <= set(shown_at(chrome, marks(chrome, "anytime")[0]))
    assert "<i>beam</i>" in shown_at(chrome, marks(chrome, "scatter")[0])
    assert console_errors(chrome) == []


def test_tables_sort_by_any_column(chrome: "Chrome", page: Path) -> None:
    from selenium.webdriver.common.by import By

    open_page(chrome, page)
    first = "table.sortable tbody tr td:first-child"
    assert texts(chrome, first)[:3] == ["<i>beam</i>", "greedy", "$x_1$"]
    mean = chrome.find_elements(By.CSS_SELECTOR, "table.sortable th button")[3]
    mean.click()
    assert texts(chrome, first)[:3] == ["greedy", "$x_1$", "<i>beam</i>"]
    mean.click()
    assert texts(chrome, first)[:3] == ["<i>beam</i>", "$x_1$", "greedy"]


def test_a_link_opens_the_best_game_and_keys_step_through_it_alone(
    chrome: "Chrome", page: Path
) -> None:
    from selenium.webdriver.common.by import By
    from selenium.webdriver.common.keys import Keys
    from selenium.webdriver.support.ui import WebDriverWait

    open_drawn(chrome, page)  # before that the page grows, and a click may miss
    # the other puzzle's rules are not known, so its game cannot be shown
    (link,) = chrome.find_elements(By.LINK_TEXT, "turn by turn")
    link.click()
    WebDriverWait(chrome, 10).until(
        lambda driver: texts(driver, "details.viewer[open] output") == ["turn 1 of 13"]
    )
    assert texts(chrome, "details [data-part=sum]") == ["solemnized: 141 points, 141 in all"]
    chrome.find_element(By.TAG_NAME, "body").send_keys(Keys.ARROW_RIGHT)
    assert texts(chrome, "details output") == ["turn 1 of 13"]
    chrome.find_element(By.CSS_SELECTOR, "details [data-do=next]").send_keys(Keys.ENTER)
    assert texts(chrome, "details output") == ["turn 2 of 13"]
    chrome.find_element(By.CSS_SELECTOR, "details input").send_keys(Keys.END)
    assert texts(chrome, "details output") == ["turn 13 of 13"]
    assert console_errors(chrome) == []


def test_every_column_is_in_sight_in_wide_and_narrow_light_and_dark_windows(
    browser: OpenWindow, page: Path
) -> None:
    wide = "return [...document.querySelectorAll('.scroll')].filter(e => e.scrollWidth > e.clientWidth).length"
    right = "Math.max(...[...document.querySelectorAll('[data-plot] svg')].map(e => e.getBoundingClientRect().right))"
    labels = "return [...document.querySelectorAll('[data-plot]')].map(e => [e.role, e.ariaLabel.length > 30])"
    with browser() as window:
        for width, dark in ((390, False), (1280, True)):
            resize(window, width, 800, dark)
            open_drawn(window, page)
            window.execute_script(
                "for (const e of document.querySelectorAll('details')) e.open = true"
            )
            assert window.execute_script(WIDE) <= 0
            assert window.execute_script(wide) == 0
            stacked = window.execute_script(
                "return document.querySelector('.sortable').classList.contains('stacked')"
            )
            assert stacked == (width < 600)
            assert window.execute_script(f"return {right}") <= width
            assert window.execute_script(labels) == [["img", True]] * 5
            assert axe(window) == []
        assert console_errors(window) == []


def test_plots_take_the_colours_of_the_page_when_these_change(
    browser: OpenWindow, page: Path
) -> None:
    from selenium.webdriver.support.ui import WebDriverWait

    colours = """const e = document.querySelector('[data-plot=scatter] .mark-symbol.role-mark path');
        const label = document.querySelector('[data-plot=scatter] .role-axis text');
        return e && label ? [e.getAttribute('fill'), label.getAttribute('fill')] : null"""
    with browser() as driver:
        open_drawn(driver, page)
        assert driver.execute_script(colours) == [COLOURS[1], "#1d1f21"]
        resize(driver, 1100, 900, dark=True)
        WebDriverWait(driver, 10).until(
            lambda d: d.execute_script(colours) == [DARK_COLOURS[1], "#eceae4"]
        )


def test_without_scripts_the_page_has_its_answer_its_tables_and_pictures(
    browser: OpenWindow, folder: Path, page: Path
) -> None:
    with browser() as driver:
        driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
        open_page(driver, page)
        from selenium.webdriver.common.by import By

        assert driver.find_element(By.CSS_SELECTOR, "main p").text == find(collect(folder)).answer
        assert (
            len(driver.find_elements(By.CSS_SELECTOR, "table.sortable tbody tr"))
            == 3 + 3 + 2 + 3 + 2
        )
        pictures = driver.find_elements(By.CSS_SELECTOR, "noscript img")
        assert [picture.size["width"] > 100 for picture in pictures] == [True] * 5


def test_a_page_of_runs_that_all_failed_says_so_and_shows_them(
    chrome: "Chrome", tmp_path: Path, folder: Path
) -> None:
    journal = Journal(tmp_path / "failed")
    for outcome in collect(folder).outcomes[:2]:
        asked = {name: getattr(outcome, name) for name in (*Task.__struct_fields__, "key")}
        journal.append(run_of(**asked, error="exit 1: <b>out of memory</b>\x1b"))
    page = tmp_path / "failed.html"
    done = rowdraw("compare", "--collect", "-o", str(tmp_path / "failed"), "--html", str(page))
    said = "rowdraw: Every run failed, all 2: there is nothing to compare.\n"
    assert (done.returncode, done.stdout, done.stderr) == (1, "", said)
    requests(chrome)
    open_page(chrome, page)
    assert texts(chrome, "main p")[0] == "Every run failed, all 2: there is nothing to compare."
    assert texts(chrome, "#failures code") == ["exit 1: <b>out of memory</b>\\x1b"] * 2
    assert texts(chrome, "[data-plot]") == []
    assert console_errors(chrome) == []
    assert requests(chrome) == [page.resolve().as_uri()]
    assert page.stat().st_size < 100_000


def test_a_script_that_would_end_its_element_is_not_put_into_a_page() -> None:
    assert script_text("let a = 1 < 2;") == "let a = 1 < 2;"
    for code in ("'</script>'", "'</SCRIPT >'", "'<!-- '"):
        with pytest.raises(ValueError, match="end its element"):
            script_text(code)
