"""The page of a comparison in a real browser: its answer, tables, plots and games."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from solver.lab.compare.comparing import collect
from solver.lab.compare.runs import Journal, Task
from solver.report.comparison import COLOURS, DARK_COLOURS
from solver.show.pages import script_text
from tests.browser import axe, console_errors, open_page, resize
from tests.compare.runs import run_of
from tests.needs import OpenWindow
from tests.process import rowdraw
from tests.report.test_pages import texts
from tests.web.pages import await_some, click, count, keys, wait, width

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

LABELS = {"<i>beam</i>": 1042, "greedy": 900, "$x_1$": 1000}
MARKS = "[data-plot=%s] .mark-symbol.role-mark path"


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
            journal.append(
                run_of(
                    label=label,
                    strategy=label,
                    puzzle="challenge" if is_known else "unknown.toml",
                    seed=3,
                    key=f"{label} {puzzle}",
                    puzzle_name=puzzle,
                    score=score,
                    trace=[[0.1, 1, score - 20], [0.5, 5, score]],
                    solution=[line for line in text.splitlines() if not line.startswith("#")],
                )
            )
    return found


@pytest.fixture(scope="module")
def page(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = tmp_path_factory.mktemp("page") / "report.html"
    done = rowdraw("compare", "--collect", "-o", folder, "--html", found, code=0)
    assert collect(folder).finding.answer in " ".join(done.stdout.split())
    return found


def open_drawn(driver: "Chrome", page: Path) -> None:
    """Open the page and wait for its plots."""
    open_page(driver, page)
    plots = "return document.documentElement.dataset.plots"
    wait(lambda: driver.execute_script(plots) == "drawn")


def cells_at(driver: "Chrome", plot: str) -> list[str]:
    """The names and values that are shown while the pointer is on the first mark of a plot."""
    from selenium.webdriver.common.action_chains import ActionChains

    mark = driver.find_element("css selector", MARKS % plot)
    driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", mark)
    ActionChains(driver).move_by_offset(0, 0).move_to_element(mark).perform()
    shown = "#vg-tooltip-element.visible td"
    await_some(driver, shown)
    return texts(driver, shown)


def test_the_answer_is_the_first_sentence_and_nothing_comes_from_outside(
    chrome: "Chrome", folder: Path, page: Path
) -> None:
    open_drawn(chrome, page)
    assert texts(chrome, "main p")[0] == collect(folder).finding.answer
    assert count(chrome, "main > ul li") == len(collect(folder).finding.notes)
    assert count(chrome, "[data-plot] svg") == 4


def test_pointing_at_a_mark_tells_its_run(chrome: "Chrome", page: Path) -> None:
    open_drawn(chrome, page)
    for plot, number in (("gaps", 6), ("targets", 2)):
        assert count(chrome, MARKS % plot) == number
        cells = cells_at(chrome, plot)
        fields = dict(zip(cells[::2], cells[1::2], strict=True))
        score = LABELS[fields["strategy"]]
        expected = {"score": f"{score}", "gap": f"{1042 - score}", "seed": "3"}
        assert fields.items() >= expected.items()
        assert fields["puzzle"] in ("<script>", "shuffled-01")
    assert {"strategy", "seconds", "gap"} <= set(cells_at(chrome, "anytime"))
    assert {"puzzle", "score", "leader"} <= set(cells_at(chrome, "scatter"))


def test_tables_sort_by_any_column(chrome: "Chrome", page: Path) -> None:

    open_page(chrome, page)
    first = "table.sortable tbody tr td:first-child"
    assert texts(chrome, first)[:3] == ["<i>beam</i>", "greedy", "$x_1$"]
    click(chrome, "table.sortable th button", 3)
    assert texts(chrome, first)[:3] == ["greedy", "$x_1$", "<i>beam</i>"]
    click(chrome, "table.sortable th button", 3)
    assert texts(chrome, first)[:3] == ["<i>beam</i>", "$x_1$", "greedy"]


def test_a_best_game_opens_and_keys_step_through_it_alone(chrome: "Chrome", page: Path) -> None:
    from selenium.webdriver.common.keys import Keys

    open_drawn(chrome, page)  # before that the page grows, and a click may miss
    # the other puzzle's rules are not known, so its game cannot be shown
    (best,) = chrome.find_elements("css selector", "details.viewer summary")
    assert best.text == "<script>: 1042 points by <i>beam</i>"
    best.click()
    wait(lambda: texts(chrome, "details.viewer[open] output") == ["turn 1 of 13"])
    assert texts(chrome, "details [data-part=sum]") == ["solemnized: 141 points, 141 in all"]
    keys(chrome, Keys.ARROW_RIGHT)
    assert texts(chrome, "details output") == ["turn 1 of 13"]
    chrome.find_element("css selector", "details [data-do=next]").send_keys(Keys.ENTER)
    assert texts(chrome, "details output") == ["turn 2 of 13"]


def test_every_column_is_in_sight_in_wide_and_narrow_light_and_dark_windows(
    browser: OpenWindow, page: Path
) -> None:
    wide = "const { clientWidth, scrollWidth } = arguments[0]; return scrollWidth > clientWidth"
    right = "return arguments[0].getBoundingClientRect().right"
    labels = "return [arguments[0].role, arguments[0].ariaLabel.length > 30]"
    with browser() as window:

        def seen(code: str, selector: str) -> list[Any]:
            found = window.find_elements("css selector", selector)
            return [window.execute_script(code, element) for element in found]

        for size, dark in ((390, False), (1280, True)):
            resize(window, size, 800, dark)
            open_drawn(window, page)
            seen("arguments[0].open = true", "details")
            assert width(window) <= size
            assert not any(seen(wide, ".scroll"))
            assert (count(window, ".sortable.stacked") > 0) == (size < 600)
            assert max(seen(right, "[data-plot] svg")) <= size
            assert seen(labels, "[data-plot]") == [["img", True]] * 4
            assert axe(window) == []
        assert console_errors(window) == []


def test_plots_take_the_colours_of_the_page_when_these_change(
    browser: OpenWindow, page: Path
) -> None:

    colours = """
        const parts = [".mark-symbol.role-mark path", ".role-axis text"];
        const shown = parts.map((part) => document.querySelector(`[data-plot=scatter] ${part}`));
        return shown.map((part) => part?.getAttribute("fill"));"""
    with browser() as driver:
        open_drawn(driver, page)
        assert driver.execute_script(colours) == [COLOURS[1], "#1d1f21"]
        resize(driver, 1100, 900, dark=True)
        wait(lambda: driver.execute_script(colours) == [DARK_COLOURS[1], "#eceae4"])


def test_without_scripts_the_page_has_its_answer_and_its_tables(
    browser: OpenWindow, folder: Path, page: Path
) -> None:
    with browser() as driver:
        driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
        open_page(driver, page)
        assert driver.find_element("css selector", "main p").text == collect(folder).finding.answer
        assert count(driver, "table.sortable tbody tr") == 3 + 3 + 2 + 2


def test_a_page_of_runs_that_all_failed_says_so_and_shows_them(
    chrome: "Chrome", tmp_path: Path, folder: Path
) -> None:
    journal = Journal(tmp_path / "failed")
    for outcome in collect(folder).outcomes[:2]:
        asked = {name: getattr(outcome, name) for name in (*Task.__struct_fields__, "key")}
        journal.append(run_of(**asked, error="exit 1: <b>out of memory</b>\x1b"))
    page = tmp_path / "failed.html"
    rowdraw("compare", "--collect", "-o", tmp_path / "failed", "--html", page, code=1)
    open_page(chrome, page)
    assert texts(chrome, "main p")[0] == "Every run failed, all 2: there is nothing to compare."
    assert texts(chrome, "#failures code") == ["exit 1: <b>out of memory</b>\\x1b"] * 2
    assert count(chrome, "[data-plot]") == 0


def test_a_script_that_would_end_its_element_is_not_put_into_a_page() -> None:
    assert script_text("let a = 1 < 2;") == "let a = 1 < 2;"
    for code in ("'</script>'", "'</SCRIPT >'", "'<!-- '"):
        with pytest.raises(ValueError, match="end its element"):
            script_text(code)
