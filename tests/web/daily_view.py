"""The view of the daily row: its clock, its buttons, and a game played on it."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

from solver import load_puzzle, solve
from tests.web.pages import click, keys, text, texts, wait

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

DAILY: dict[str, Any] = json.loads((Path(__file__).parents[2] / "data/daily.json").read_text(encoding="utf-8"))
FIRST = date.fromisoformat(DAILY["first"])
DAY_12 = FIRST + timedelta(days=11)
ROW = DAILY["rows"][11]
_CLOCK = """
const Real = Date;
const skip = %s - Real.now();
window.Date = class extends Real {
  constructor(...parts) { parts.length ? super(...parts) : super(Real.now() + skip); }
  static now() { return Real.now() + skip; }
};
"""
_DRAW = """
const slider = document.getElementById("left");
slider.value = arguments[0];
slider.dispatchEvent(new Event("input"));
"""
KEEP_RESULTS = "localStorage.setItem('rowdraw-daily', arguments[0])"
KEPT_RESULTS = "return localStorage.getItem('rowdraw-daily')"


@contextmanager
def clock(page: "Chrome", start: str) -> Iterator[None]:
    """In the context pages take the time at which they open for `start`, an expression of JavaScript."""
    made = page.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": _CLOCK % start})
    try:
        yield
    finally:
        page.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", made)


def noon(day: date) -> str:
    return f"new Real({day.year}, {day.month - 1}, {day.day}, 12).getTime()"


def view(page: "Chrome") -> str:
    click(page, "#tab-daily")
    wait(lambda: "Statistics" in text(page, "view-daily"))
    return text(page, "view-daily")


def begin(page: "Chrome") -> None:
    view(page)
    click(page, "#view-daily .main")
    wait(lambda: "Daily " in text(page, "title") and page.find_element("id", "view-play").is_displayed())


def play(page: "Chrome", lines: list[str], played: int = 0) -> None:
    """Play the lines of a game after the first `played`."""
    for turn, line in enumerate(lines[played:], start=played + 1):
        left, _tiles, word = line.split()
        page.execute_script(_DRAW, left)
        keys(page, *word, "\n")
        wait(lambda turn=turn: len(page.find_elements("css selector", "#side-turns tbody tr")) == turn)


def greedy_lines() -> list[str]:
    return [str(turn) for turn in solve(load_puzzle("challenge").with_row(ROW["row"]), strategy="greedy").solution.turns]


def figures(page: "Chrome") -> list[int]:
    """Finished days, days in a row, and the longest series."""
    return [int(figure) for figure in texts(page, "#daily-figures dd")]


def on(day: int) -> str:
    """The date of a day, counted from 0."""
    return (FIRST + timedelta(days=day)).isoformat()


def result(percent: int, late: bool = False) -> dict[str, Any]:
    return {"score": 3 * percent, "best": 300, "lines": ["1 a a", "2 b b"], "marks": "03", "late": late}


def shared(page: "Chrome") -> str:
    name = "daily-share" if page.find_element("id", "view-daily").is_displayed() else "end-share"
    wait(lambda: page.find_elements("css selector", f"[data-key={name}]"))
    click(page, f"[data-key={name}]")
    wait(lambda: "rowdraw daily" in str(page.execute_script("return document.querySelector('#dialog textarea')?.value")))
    copied: str = page.execute_script("return document.querySelector('#dialog textarea').value")
    click(page, "#dialog .close")
    return copied
