"""The daily row in a real browser: the day that a game counts for, hints, results, a first turn."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import pytest

from solver import load_puzzle, solve
from tests.browser import profile_of, resize
from tests.web.pages import (
    OWN_GAME,
    await_count,
    await_score,
    await_some,
    await_text,
    click,
    count,
    draw_left,
    is_shown,
    keys,
    look,
    opened,
    second_tab,
    shot,
    text,
    texts,
    value,
    wait,
    width,
)
from tests.web.serving import Server

if TYPE_CHECKING:
    from selenium.webdriver import Chrome


DAILY: dict[str, Any] = json.loads(
    (Path(__file__).parents[2] / "data/daily.json").read_text(encoding="utf-8")
)


FIRST = date.fromisoformat(DAILY["first"])


DAY_12 = FIRST + timedelta(days=11)


ROW = DAILY["rows"][11]


_CLOCK = """
const Real = Date;
const now = %s;
window.Date = class extends Real {
  constructor(...parts) { parts.length ? super(...parts) : super(now); }
  static now() { return now; }
};
"""


KEEP_RESULTS = "localStorage.setItem('rowdraw-daily', arguments[0])"


LAST = len(ROW["turns"]) - 1
TURNS = "#side-turns tbody tr"


@contextmanager
def clock(page: "Chrome", now: str) -> Iterator[None]:
    """Let the clock of pages that open in the context stand at `now`, an expression of JS."""
    made = page.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": _CLOCK % now})
    try:
        yield
    finally:
        page.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", made)


def noon(day: date) -> str:
    return f"new Real({day.year}, {day.month - 1}, {day.day}, 12).getTime()"


def view(page: "Chrome") -> str:
    click(page, "#tab-daily")
    await_text(page, "view-daily", "Statistics")
    return text(page, "view-daily")


def begin(page: "Chrome") -> None:
    view(page)
    click(page, "#view-daily .main")
    await_text(page, "title", "Daily ")
    wait(lambda: is_shown(page, "view-play"))


def play(page: "Chrome", lines: list[str], played: int = LAST) -> None:
    """Play the lines of a game after the first `played`."""
    for turn, line in enumerate(lines[played:], start=played + 1):
        left, _tiles, word = line.split()
        draw_left(page, left)
        keys(page, *word, "\n")
        await_count(page, TURNS, turn)


def play_last(page: "Chrome") -> None:
    """Play the last turn of the best game of day 12, whose others are played."""
    keep_game(page, ROW["turns"][:-1])
    opened(page, "#daily")
    play(page, ROW["turns"])


def greedy_lines() -> list[str]:
    found = solve(load_puzzle("challenge").with_row(ROW["row"]), strategy="greedy")
    return [str(turn) for turn in found.solution.turns]


def keep_game(page: "Chrome", lines: list[str]) -> None:
    """Let the browser keep a game of the player on the row of day 12."""
    key = f"row={quote(ROW['row'], safe='')}"
    game = {**OWN_GAME, "key": key, "asked": {"row": ROW["row"]}, "lines": lines, "over": False}
    kept = json.dumps({"version": 2, "games": [game]})
    page.execute_script("localStorage.setItem('rowdraw-played', arguments[0])", kept)


def keep_results(page: "Chrome", results: dict[str, Any]) -> None:
    page.execute_script(KEEP_RESULTS, json.dumps(results))


def kept_results(page: "Chrome") -> Any:
    return json.loads(page.execute_script("return localStorage.getItem('rowdraw-daily')"))


def classes(page: "Chrome", selector: str) -> list[str]:
    code = "return [...document.querySelectorAll(arguments[0])].map((found) => found.className)"
    return list(page.execute_script(code, selector))


def figures(page: "Chrome") -> list[int]:
    """Finished days, days in a row, and the longest series."""
    return [int(figure) for figure in texts(page, "#daily-figures dd")]


def on(day: int) -> str:
    """The date of a day, counted from 0."""
    return (FIRST + timedelta(days=day)).isoformat()


def result(percent: int, late: bool = False) -> dict[str, Any]:
    return {
        "score": 3 * percent,
        "best": 300,
        "lines": ["1 a a", "2 b b"],
        "marks": "03",
        "late": late,
    }


def shared(page: "Chrome") -> str:
    name = "daily-share" if is_shown(page, "view-daily") else "end-share"
    await_some(page, f"[data-key={name}]")
    click(page, f"[data-key={name}]")
    wait(lambda: "rowdraw daily" in value(page, "#dialog textarea"), 300)
    copied = value(page, "#dialog textarea")
    click(page, "#dialog .close")
    return copied


@pytest.fixture
def today(page: "Chrome") -> Iterator["Chrome"]:
    """The window of `page` on day 12."""
    with clock(page, noon(DAY_12)):
        yield page


def test_a_daily_row_counts_once_and_is_shared_without_its_words(
    today: "Chrome", server: Server
) -> None:
    lines = greedy_lines()
    granted = ["clipboardReadWrite", "clipboardSanitizedWrite"]
    today.execute_cdp_cmd("Browser.grantPermissions", {"permissions": granted, **profile_of(today)})
    opened(today, "")
    assert "Daily 12, 4 December" in view(today)
    assert f"reaches {100 * ROW['greedy'] // ROW['best']} %" in text(today, "view-daily")
    assert "The best game" not in text(today, "view-daily")
    look(today, "daily-before")
    keep_game(today, lines[:-1])
    opened(today, "#daily")
    for key, panel in (("2", "side-plays"), ("3", "side-review")):
        keys(today, key)
        assert "shown once your game is over" in text(today, panel)
    keys(today, "1")
    play(today, lines, len(lines) - 1)
    await_text(today, "end", "89 % of the best score possible")
    assert "1 day in a row. The next row comes in 1" in text(today, "end")
    assert f"Greedy play{ROW['greedy']}Best possible{ROW['best']}" in text(today, "end")
    view(today)
    # sharing waits for the review, which goes on in every view, and says what the card says
    told = shared(today)
    assert count(today, "#view-daily .squares li") == len(lines)
    assert count(today, "#view-daily .square-none") == 0
    click(today, "#tab-play")
    grades = [int(kind[-1]) for kind in classes(today, "#end .squares li")]
    assert told.splitlines()[1] == "".join("🟩🟡🔶🔺"[grade] for grade in grades)
    assert "your costliest turn" in text(today, "end")
    first, squares, address = told.splitlines()
    assert (first, address) == ("rowdraw daily 12: 89 %", f"{server.address}#daily=12")
    assert len(squares) == len(lines)
    assert {"🟩"} < set(squares) <= set("🟩🟡🔶🔺")
    clipboard = "navigator.clipboard.readText().then(arguments[0], arguments[0])"
    assert today.execute_async_script(clipboard) == told
    look(today, "daily-end")
    click(today, "[data-key=best]")
    await_text(today, "dialog", "The best game known")
    click(today, "#dialog .close")
    keys(today, "2")
    await_text(today, "side-plays", "The game is over")
    # the grades are those that were kept, here others than a review would find
    kept = kept_results(today)
    keep_results(today, {on(11): {**kept[on(11)], "marks": "3" * len(lines)}})
    opened(today, "#daily")
    assert classes(today, "#end .squares li") == ["square-3"] * len(lines)
    keep_results(today, kept)
    # a better game on the same day changes nothing
    play_last(today)
    await_some(today, "#end .party .tile")
    assert "89 %" in view(today)
    assert figures(today) == [1, 1, 1]
    assert texts(today, "#histogram td") == list("0010000")
    assert shared(today) == told
    look(today, "daily-after")


def test_hints_stand_in_the_result_and_no_strategy_plays_the_row_before(today: "Chrome") -> None:
    other = {"score": 9, "best": 10, "lines": ["a"]}
    keep_results(today, {on(10): other, "of another version": 5})
    keep_game(today, ROW["turns"][:-1])
    opened(today, "#daily")
    for _visit in range(2):
        click(today, "#hint")
        await_text(today, "message", "Draw ")
        today.refresh()
        await_text(today, "title", "Daily 12")
    click(today, "#tab-solve")
    click(today, "#view-solve .main")
    await_text(today, "view-solve", "once your game is over")
    click(today, "#tab-play")
    play(today, ROW["turns"])
    await_text(today, "end", "with 2 hints")
    assert shared(today).splitlines()[0] == "rowdraw daily 12: 100 %, with 2 hints"
    assert "with 2 hints" in view(today)
    # what was kept stays
    assert figures(today) == [2, 2, 2]
    assert kept_results(today).keys() == {on(10), on(11), "of another version"}


def test_a_game_of_someone_else_neither_counts_nor_shows_the_best_game(today: "Chrome") -> None:
    turns = [turn.replace(" ", ".").replace("?", "_") for turn in ROW["turns"]]
    link = "/".join([f"#row={ROW['row'].replace('?', '_')}", *turns])
    opened(today, link)
    wait(lambda: is_shown(today, "end"))
    assert text(today, "visit") == "Not your own game."
    assert "You" not in text(today, "end")
    keys(today, "2")
    assert "shown once your game is over" in text(today, "side-plays")
    # the last turn does not make it the player's own
    opened(today, link.removesuffix(f"/{turns[-1]}"))
    play(today, ROW["turns"])
    await_text(today, "end", "the best score possible")
    assert "in a row" not in text(today, "end")
    today.refresh()
    wait(lambda: is_shown(today, "end"))
    assert "The best game" not in text(today, "end")
    assert count(today, "#end .squares") == 0
    view(today)
    assert figures(today) == [0, 0, 0]


def test_a_day_that_another_tab_has_finished_stays_finished(today: "Chrome") -> None:
    keep_game(today, ROW["turns"][:-2])
    opened(today, "#daily")
    play(today, ROW["turns"][:-1], LAST - 1)
    # a process of its own, which hears of what the other one keeps a moment later
    with second_tab(today, "noopener") as (first, second), clock(today, noon(DAY_12)):
        opened(today, "#daily")
        play(today, ROW["turns"])
        await_text(today, "end", "1 day in a row")
        today.switch_to.window(first)
        await_text(today, "message", "Another tab went on with this game")
        await_text(today, "end", "1 day in a row")
        today.switch_to.window(second)
        wait(lambda: kept_results(today)[on(11)]["score"] == ROW["best"])
    assert kept_results(today)[on(11)]["score"] == ROW["best"]


def test_a_game_goes_on_after_midnight_and_counts_for_the_day_of_its_row(page: "Chrome") -> None:
    with clock(page, noon(DAY_12)):
        keep_game(page, ROW["turns"][:-2])
        opened(page, "")
        begin(page)
        play(page, ROW["turns"][:-1], LAST - 1)
        assert "in a row" not in text(page, "end")
    with clock(page, noon(DAY_12 + timedelta(days=1))):
        opened(page, "")
        assert "Daily 12, 4 December" in text(page, "title")
        play(page, ROW["turns"])
        await_text(page, "end", "1 day in a row")
        assert "Daily 13, 5 December" in view(page)
        assert figures(page) == [1, 1, 1]


def test_an_earlier_row_opens_by_its_link_and_does_not_count(page: "Chrome") -> None:
    with clock(page, noon(DAY_12 + timedelta(days=3))):
        keep_game(page, ROW["turns"][:-1])
        opened(page, "#daily=12")
        assert "Daily 12, 4 December" in text(page, "title")
        play(page, ROW["turns"])
        await_text(page, "end", "You began it after its day, so it does not count")
        view(page)
        assert figures(page) == [0, 0, 0]


def test_links_without_a_day_that_has_come_open_the_row_of_today(today: "Chrome") -> None:
    for link in ("#daily", "#daily=12", "#daily=13", "#daily=0", "#daily=9999999"):
        opened(today, link)
        assert "Daily 12, 4 December" in text(today, "title"), link
        number = link.partition("=")[2]
        is_other = number not in ("", "12")
        assert (f"No daily row has the number {number}" in text(today, "message")) == is_other


def test_an_address_that_names_no_row_is_a_sentence(page: "Chrome") -> None:
    for link in ("#%", "#row=%E0%A4%A"):
        opened(page, link)
        await_text(page, "message", "The address names no row")
    opened(page, "#row=teas")
    page.execute_script("location.hash = '%'")
    await_text(page, "message", "The address names no row")


DAMAGED = [
    None,
    [],
    "text",
    {"score": 1, "best": 0},
    {**result(50), "score": 301},
    {**result(50), "score": "5"},
    {**result(50), "lines": [1]},
    {**result(50), "marks": "9"},
    {**result(50), "late": 1},
]


def test_days_in_a_row_are_counted_and_damaged_results_left_out(today: "Chrome") -> None:
    cases = [
        ({8: 70, 9: 80, 10: 90}, [3, 3, 3]),  # today's is still to be played
        ({2: 70, 3: 70, 4: 70, 11: 50}, [4, 1, 3]),
        ({9: 80, 10: 90, 11: 100}, [3, 3, 3]),
        ({8: 70, 9: 80}, [2, 0, 2]),  # yesterday's is missing
        ({11: 90, 12: 90, 40: 90}, [1, 1, 1]),  # a clock that was wrong
        ({}, [0, 0, 0]),
    ]
    late = {on(7): result(90, late=True)}
    kept = [
        (json.dumps({on(day): result(percent) for day, percent in days.items()} | late), right)
        for days, right in cases
    ]
    wrong: dict[str, Any] = {"begun": {}, "x": result(50), "2026-99-99": result(50)}
    wrong |= {on(11 - number): damaged for number, damaged in enumerate(DAMAGED)}
    for damaged in ("{", "null", "[5]", json.dumps(wrong)):
        # without this one the figures would be those that the page already shows
        kept.append((json.dumps({on(11): result(70)}), [1, 1, 1]))
        kept.append((damaged, [0, 0, 0]))
    opened(today, "")
    for results, expected in kept:
        today.execute_script(KEEP_RESULTS, results)
        click(today, "#tab-play")
        view(today)
        wait(lambda expected=expected: figures(today) == expected, 10)
    begin(today)
    kept_on = today.execute_script("return localStorage.getItem('rowdraw-begun')")
    assert json.loads(kept_on) == on(11)


def test_before_the_first_day_the_view_says_when_it_comes(page: "Chrome") -> None:
    with clock(page, noon(FIRST - timedelta(days=1))):
        opened(page, "#daily")
        assert "The first daily row comes on 23 November." in view(page)
        assert count(page, "#view-daily .main") == 0


def test_after_the_last_row_they_begin_again_and_an_old_game_is_kept(page: "Chrome") -> None:
    with clock(page, noon(DAY_12 + timedelta(days=len(DAILY["rows"])))):
        keep_results(page, {on(11): result(50)})
        keep_game(page, ROW["turns"])
        opened(page, "")
        begin(page)
        assert f"Daily {12 + len(DAILY['rows'])}, " in text(page, "title")
        await_score(page, 0)
        view(page)
        assert figures(page) == [1, 0, 1]


@pytest.mark.parametrize(
    ("zone", "title"),
    [("Pacific/Kiritimati", "Daily 13, 5 December"), ("Pacific/Pago_Pago", "Daily 12, 4 December")],
)
def test_the_day_is_that_of_the_players_own_calendar(page: "Chrome", zone: str, title: str) -> None:
    page.execute_cdp_cmd("Emulation.setTimezoneOverride", {"timezoneId": zone})
    try:
        with clock(page, f"Real.UTC({DAY_12.year}, {DAY_12.month - 1}, {DAY_12.day}, 11, 30)"):
            opened(page, "")
            assert title in view(page)
    finally:
        page.execute_cdp_cmd("Emulation.setTimezoneOverride", {"timezoneId": ""})


def test_results_go_to_another_browser_by_a_file(today: "Chrome", tmp_path: Path) -> None:
    file = tmp_path / "rowdraw-results.json"
    results = {on(10): result(90), on(11): result(99), "x": {}}
    file.write_text(json.dumps({"daily": results, "games": [{"id": 1}]}))
    opened(today, "")
    keep_results(today, {on(11): result(50)})
    view(today)
    today.find_element("id", "import").send_keys(str(file))
    wait(lambda: figures(today) == [2, 2, 2])
    kept = kept_results(today)
    # what this browser has stays as it is
    assert (kept[on(11)], kept[on(10)]) == (result(50), result(90))
    file.write_text("[]")
    today.find_element("id", "import").send_keys(str(file))
    await_text(today, "view-daily", "no results of rowdraw")


_HIT = """
const [selector] = arguments;
const { x, y, width, height } = document.querySelector(selector).getBoundingClientRect();
const hit = document.elementFromPoint(x + width / 2, y + height / 2);
return hit?.closest(selector) !== null;
"""


def coach(page: "Chrome") -> str:
    """Return the visible note of the first visit."""
    return texts(page, "#coach")[0] if is_shown(page, "coach") else ""


_LINES = "return [...document.querySelectorAll('#strip .tile')].map((tile) => tile.offsetTop)"
_TOP = "return ['board', 'view-play'].map((name) => document.getElementById(name).scrollTop)"


def lines_of_the_row(page: "Chrome") -> list[int]:
    """Return how many tiles each line of the row has."""
    tops = page.execute_script(_LINES)
    return [tops.count(top) for top in sorted(set(tops))]


def test_a_lesson_on_a_row_of_its_own_leads_to_the_daily_in_any_window(today: "Chrome") -> None:
    lines = {320: [6, 6], 768: [12], 844: [12], 1366: [12]}
    for size in ((320, 568), (768, 1024), (844, 390), (1366, 768)):
        resize(today, *size)
        opened(today, "")
        assert "A first turn" in text(today, "title")
        for step, parts in enumerate((("strip", "left"), ("rack",), ("word", "lay"), ("undo",)), 1):
            await_text(today, "coach", f"{step} of 4", 120)
            # the note covers nothing that it speaks of
            for part in ("coach .main", *parts):
                assert today.execute_script(_HIT, f"#{part}"), (size, part)
            shot(today, f"first-visit-{size[0]}-{step}")
            assert lines_of_the_row(today) == lines[size[0]], (size, step)
            if size[0] == 320:
                look(today)
            click(today, "#coach .main")
        # the row of the day is untouched, and the lesson is no game of the player
        await_text(today, "title", "Daily 12, 4 December")
        assert coach(today) == ""
        await_score(today, 0)
        assert today.execute_script(_TOP) == [0, 0]
        assert today.execute_script("return localStorage.getItem('rowdraw-played')") is None
        today.refresh()
        wait(lambda: "Daily 12" in text(today, "title"))
        assert coach(today) == ""
        today.execute_script("localStorage.clear()")


def test_skip_ends_it_for_good(page: "Chrome") -> None:
    opened(page, "")
    await_text(page, "coach", "1 of 4")
    click(page, "#coach button:not(.main)")
    await_text(page, "title", "Daily")
    assert coach(page) == ""
    assert text(page, "score") == "0"
    opened(page, "")
    assert "Daily" in text(page, "title")
    assert coach(page) == ""


def test_a_sealed_row_tells_nothing_of_its_turns_until_it_is_over(today: "Chrome") -> None:
    opened(today, "#daily")
    assert text(today, "figures") == "best possible 332"
    click(today, "#hint")
    click(today, "#hint")
    # the hint is the first turn of the game on file
    left, _tiles, word = ROW["turns"][0].split()
    assert word.upper() in text(today, "message")
    await_text(today, "left-text", f"{left} left")
    click(today, "#lay")
    await_count(today, TURNS, 1)
    assert text(today, "figures") == "best possible 332"
    assert texts(today, "#side-turns td.grade") == [""]


def test_a_result_and_its_statistics_fit_into_the_smallest_window(today: "Chrome") -> None:
    resize(today, 320, 568)
    play_last(today)
    await_text(today, "end", "the best score possible")
    look(today, "perfect")
    shared(today)
    assert width(today) <= 320
    click(today, "#menu")
    click(today, "#tab-daily")
    look(today, "daily-phone-after")
    assert width(today) <= 320
