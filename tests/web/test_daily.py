"""The daily row and the first visit in a real browser: which day a game counts for, hints,
results, and a first turn."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date, timedelta
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import pytest

from solver import load_puzzle, solve
from tests.browser import axe, console_errors, profile_of, resize
from tests.needs import OpenWindow
from tests.web.pages import PHONE, click, go, has_score, keys, shot, text, texts, wait
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
    """In the context pages take the time at which they open for `start`, an expression of
    JavaScript."""
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
    wait(
        lambda: (
            "Daily " in text(page, "title") and page.find_element("id", "view-play").is_displayed()
        )
    )


def play(page: "Chrome", lines: list[str], played: int = 0) -> None:
    """Play the lines of a game after the first `played`."""
    for turn, line in enumerate(lines[played:], start=played + 1):
        left, _tiles, word = line.split()
        page.execute_script(_DRAW, left)
        keys(page, *word, "\n")
        wait(
            lambda turn=turn: (
                len(page.find_elements("css selector", "#side-turns tbody tr")) == turn
            )
        )


@cache
def greedy_lines() -> list[str]:
    return [
        str(turn)
        for turn in solve(
            load_puzzle("challenge").with_row(ROW["row"]), strategy="greedy"
        ).solution.turns
    ]


def keep_game(page: "Chrome", lines: list[str]) -> None:
    """Let the browser keep a game of the player on the row of day 12."""
    row = ROW["row"]
    game = {
        "id": "1",
        "key": f"row={quote(row, safe='')}",
        "asked": {"row": row},
        "name": "a row",
        "lines": lines,
        "undone": [],
    }
    game |= {"score": 1, "over": False, "when": "2026-01-01T00:00:00Z"}
    page.execute_script(
        "localStorage.setItem('rowdraw-played', arguments[0])",
        json.dumps({"version": 2, "games": [game]}),
    )


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
    name = "daily-share" if page.find_element("id", "view-daily").is_displayed() else "end-share"
    wait(lambda: page.find_elements("css selector", f"[data-key={name}]"))
    click(page, f"[data-key={name}]")
    wait(
        lambda: (
            "rowdraw daily"
            in str(page.execute_script("return document.querySelector('#dialog textarea')?.value"))
        )
    )
    copied: str = page.execute_script("return document.querySelector('#dialog textarea').value")
    click(page, "#dialog .close")
    return copied


LAST = len(ROW["turns"]) - 1


def test_a_daily_row_counts_once_and_is_shared_without_its_words(
    page: "Chrome", server: Server
) -> None:
    lines = greedy_lines()
    granted = ["clipboardReadWrite", "clipboardSanitizedWrite"]
    page.execute_cdp_cmd("Browser.grantPermissions", {"permissions": granted, **profile_of(page)})
    with clock(page, noon(DAY_12)):
        go(page, server.address)
        assert "Daily 12, 4 December" in view(page)
        assert f"reaches {100 * ROW['greedy'] // ROW['best']} %" in text(page, "view-daily")
        assert "The best game" not in text(page, "view-daily")
        assert axe(page) == []
        shot(page, "daily-before")
        keep_game(page, lines[:-1])
        go(page, f"{server.address}#daily")
        for key, panel in (("2", "side-plays"), ("3", "side-review")):
            keys(page, key)
            assert "shown once your game is over" in text(page, panel)
        keys(page, "1")
        play(page, lines, len(lines) - 1)
        wait(lambda: "89 % of the best score possible" in text(page, "end"))
        assert "1 day in a row. The next row comes in 1" in text(page, "end")
        wait(lambda: page.find_elements("css selector", "#end .square-none") == [], 120)
        told = shared(page)
        first, squares, address = told.splitlines()
        assert (first, len(squares), address) == (
            "rowdraw daily 12: 89 %",
            len(lines),
            f"{server.address}#daily=12",
        )
        assert {"🟩"} < set(squares) <= set("🟩🟨🟧🟥")
        assert (
            page.execute_async_script(
                "navigator.clipboard.readText().then(arguments[0], arguments[0])"
            )
            == told
        )
        assert axe(page) == []
        shot(page, "daily-end")
        click(page, "[data-key=best]")
        wait(lambda: "The best game known" in text(page, "dialog"))
        click(page, "#dialog .close")
        keys(page, "2")
        wait(lambda: "The game is over" in text(page, "side-plays"))
        # a better game on the same day changes nothing
        keep_game(page, ROW["turns"][:-1])
        go(page, f"{server.address}#daily")
        play(page, ROW["turns"], LAST)
        wait(lambda: page.find_elements("css selector", "#end .party .tile") != [])
        assert "89 %" in view(page)
        assert figures(page) == [1, 1, 1]
        assert texts(page, "#histogram td") == list("0010000")
        assert shared(page) == told
        assert axe(page) == []
        shot(page, "daily-after")


def test_hints_stand_in_the_result_and_no_strategy_plays_the_row_before(
    page: "Chrome", server: Server
) -> None:
    with clock(page, noon(DAY_12)):
        keep_game(page, ROW["turns"][:-1])
        go(page, f"{server.address}#daily")
        for _visit in range(2):
            click(page, "#hint")
            wait(lambda: "Draw " in text(page, "message") or "points" in text(page, "message"))
            page.refresh()
            wait(lambda: "Daily 12" in text(page, "title"))
        click(page, "#tab-solve")
        page.find_elements("css selector", "#view-solve .main")[0].click()
        wait(lambda: "once your game is over" in text(page, "view-solve"))
        click(page, "#tab-play")
        play(page, ROW["turns"], LAST)
        wait(lambda: "with 2 hints" in text(page, "end"))
        assert shared(page).splitlines()[0] == "rowdraw daily 12: 100 %, with 2 hints"
        assert "with 2 hints" in view(page)


def test_the_daily_row_on_a_phone(browser: OpenWindow, server: Server) -> None:
    wide = "return document.documentElement.scrollWidth"
    with browser(*PHONE) as phone, clock(phone, noon(DAY_12)):
        phone.get(f"{server.address}static/icon.svg")
        keep_game(phone, ROW["turns"][:-1])
        go(phone, f"{server.address}#daily")
        shot(phone, "daily-phone-play")
        play(phone, ROW["turns"], LAST)
        wait(
            lambda: (
                "100 % of the best" in text(phone, "end")
                or "the best score possible" in text(phone, "end")
            )
        )
        shared(phone)
        assert axe(phone) == []
        assert phone.execute_script(wide) <= PHONE[0]
        click(phone, "#menu")
        click(phone, "#tab-daily")
        assert axe(phone) == []
        assert phone.execute_script(wide) <= PHONE[0]
        shot(phone, "daily-phone-after")
        phone.get_log("browser")


def test_a_game_goes_on_after_midnight_and_counts_for_the_day_of_its_row(
    page: "Chrome", server: Server
) -> None:
    with clock(page, noon(DAY_12)):
        keep_game(page, ROW["turns"][:-2])
        go(page, server.address)
        begin(page)
        play(page, ROW["turns"][:-1], LAST - 1)
        assert "in a row" not in text(page, "end")
    with clock(page, noon(DAY_12 + timedelta(days=1))):
        go(page, server.address)
        assert "Daily 12, 4 December" in text(page, "title")
        play(page, ROW["turns"], LAST)
        wait(lambda: "1 day in a row" in text(page, "end"))
        assert "Daily 13, 5 December" in view(page)
        assert figures(page) == [1, 1, 1]


def test_an_earlier_row_opens_by_its_link_and_does_not_count(
    page: "Chrome", server: Server
) -> None:
    with clock(page, noon(DAY_12 + timedelta(days=3))):
        keep_game(page, ROW["turns"][:-1])
        go(page, f"{server.address}#daily=12")
        assert "Daily 12, 4 December" in text(page, "title")
        play(page, ROW["turns"], LAST)
        wait(lambda: "You began it after its day, so it does not count" in text(page, "end"))
        view(page)
        assert figures(page) == [0, 0, 0]


def test_links_without_a_day_that_has_come_open_the_row_of_today(
    page: "Chrome", server: Server
) -> None:
    with clock(page, noon(DAY_12)):
        for link in ("#daily", "#daily=13", "#daily=0"):
            go(page, server.address + link)
            assert "Daily 12, 4 December" in text(page, "title"), link


def test_a_finished_game_of_someone_else_neither_counts_nor_shows_the_best_game(
    page: "Chrome", server: Server
) -> None:
    fragment = "/".join(
        [f"#row={ROW['row']}", *(".".join(line.split()) for line in ROW["turns"])]
    ).replace("?", "_")
    with clock(page, noon(DAY_12)):
        go(page, server.address + fragment)
        wait(lambda: page.find_element("id", "end").is_displayed())
        assert "Not your own game" in text(page, "visit")
        assert "in a row" not in text(page, "end")
        keys(page, "2")
        assert "shown once your game is over" in text(page, "side-plays")
        view(page)
        assert figures(page) == [0, 0, 0]


DAMAGED = [
    "{",
    "null",
    "[5]",
    json.dumps(
        {
            "begun": {},
            on(11): None,
            on(10): [],
            on(9): "text",
            "x": result(50),
            "2026-99-99": result(50),
        }
    ),
    json.dumps(
        {
            on(11): {**result(50), "score": 301},
            on(10): {**result(50), "score": "5"},
            on(9): {"score": 1, "best": 0},
        }
    ),
    json.dumps(
        {
            on(11): {**result(50), "lines": [1]},
            on(10): {**result(50), "marks": "9"},
            on(9): {**result(50), "late": 1},
        }
    ),
]


def test_days_in_a_row_are_counted_and_damaged_results_left_out(
    page: "Chrome", server: Server
) -> None:
    cases = [
        ({8: 70, 9: 80, 10: 90}, [3, 3, 3]),  # today's is still to be played
        ({2: 70, 3: 70, 4: 70, 11: 50}, [4, 1, 3]),
        ({9: 80, 10: 90, 11: 100}, [3, 3, 3]),
        ({8: 70, 9: 80}, [2, 0, 2]),  # yesterday's is missing
        ({11: 90, 12: 90, 40: 90}, [1, 1, 1]),  # a clock that was wrong
        ({}, [0, 0, 0]),
    ]
    late = {on(7): result(90, late=True)}
    texts_kept = [
        (json.dumps({on(day): result(percent) for day, percent in days.items()} | late), right)
        for days, right in cases
    ]
    with clock(page, noon(DAY_12)):
        go(page, server.address)
        # each but the last changes the figures that the page shows
        for number, damaged in enumerate(DAMAGED):
            texts_kept += [
                (json.dumps({on(11 - number): result(70)}), [1, int(number < 2), 1]),
                (damaged, [0, 0, 0]),
            ]
        for kept, expected in texts_kept:
            page.execute_script(KEEP_RESULTS, kept)
            click(page, "#tab-play")
            view(page)
            wait(lambda expected=expected: figures(page) == expected, 10)
        begin(page)
        assert json.loads(page.execute_script(KEPT_RESULTS))["begun"] == on(11)


def test_a_new_result_stands_next_to_what_was_kept(page: "Chrome", server: Server) -> None:
    page.execute_script(
        KEEP_RESULTS,
        json.dumps({on(10): {"score": 9, "best": 10, "lines": ["a"]}, "of another version": 5}),
    )
    with clock(page, noon(DAY_12)):
        keep_game(page, ROW["turns"][:-1])
        go(page, f"{server.address}#daily")
        play(page, ROW["turns"], LAST)
        wait(lambda: "2 days in a row" in text(page, "end"))
    kept = json.loads(page.execute_script(KEPT_RESULTS))
    assert kept.keys() >= {on(10), on(11), "of another version", "begun"}
    assert kept[on(11)]["score"] == ROW["best"]


def test_before_the_first_day_the_view_says_when_it_comes(page: "Chrome", server: Server) -> None:
    with clock(page, noon(FIRST - timedelta(days=1))):
        go(page, f"{server.address}#daily")
        assert "The first daily row comes on 23 November." in view(page)
        assert not page.find_elements("css selector", "#view-daily .main")


def test_after_the_last_row_they_begin_again_and_an_old_game_is_kept(
    page: "Chrome", server: Server
) -> None:
    with clock(page, noon(DAY_12 + timedelta(days=len(DAILY["rows"])))):
        page.execute_script(KEEP_RESULTS, json.dumps({on(11): result(50)}))
        keep_game(page, ROW["turns"])
        go(page, server.address)
        begin(page)
        assert f"Daily {12 + len(DAILY['rows'])}, " in text(page, "title")
        wait(lambda: has_score(page, 0))
        view(page)
        assert figures(page) == [1, 0, 1]


@pytest.mark.parametrize(
    ("zone", "title"),
    [("Pacific/Kiritimati", "Daily 13, 5 December"), ("Pacific/Pago_Pago", "Daily 12, 4 December")],
)
def test_the_day_is_that_of_the_players_own_calendar(
    page: "Chrome", server: Server, zone: str, title: str
) -> None:
    page.execute_cdp_cmd("Emulation.setTimezoneOverride", {"timezoneId": zone})
    try:
        with clock(page, f"Real.UTC({DAY_12.year}, {DAY_12.month - 1}, {DAY_12.day}, 11, 30)"):
            go(page, server.address)
            assert title in view(page)
    finally:
        page.execute_cdp_cmd("Emulation.setTimezoneOverride", {"timezoneId": ""})


def test_results_go_to_another_browser_by_a_file(
    page: "Chrome", server: Server, tmp_path: Path
) -> None:
    file = tmp_path / "rowdraw-results.json"
    with clock(page, noon(DAY_12)):
        go(page, server.address)
        page.execute_script(KEEP_RESULTS, json.dumps({on(11): result(50)}))
        file.write_text(
            json.dumps(
                {"daily": {on(10): result(90), on(11): result(99), "x": {}}, "games": [{"id": 1}]}
            )
        )
        view(page)
        page.find_element("id", "import").send_keys(str(file))
        wait(lambda: figures(page) == [2, 2, 2])
        kept = json.loads(page.execute_script(KEPT_RESULTS))
        # what this browser has stays as it is
        assert (kept[on(11)], kept[on(10)]) == (result(50), result(90))
        file.write_text("[]")
        page.find_element("id", "import").send_keys(str(file))
        wait(lambda: "no results of rowdraw" in text(page, "view-daily"))


_HIT = """
const [selector] = arguments;
const box = document.querySelector(selector).getBoundingClientRect();
return document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2)?.closest(selector) !== null;
"""


def coach(page: "Chrome") -> str:
    """Return the visible note of the first visit."""
    return texts(page, "#coach")[0] if page.find_element("id", "coach").is_displayed() else ""


def test_three_taps_lead_to_a_first_legal_play_in_any_window(
    browser: OpenWindow, server: Server
) -> None:
    with browser(*PHONE) as page, clock(page, noon(DAY_12)):
        for size in ((320, 568), (844, 390), (1366, 768)):
            resize(page, *size)
            go(page, server.address)
            assert "Daily 12, 4 December" in text(page, "title")
            for step in ("1 of 3", "2 of 3", "3 of 3"):
                wait(lambda step=step: step in coach(page))
                assert page.execute_script(_HIT, "#coach .main")
                assert page.execute_script(_HIT, "#coach button:not(.main)")
                shot(page, f"first-visit-{size[0]}-{step[0]}")
                if size[0] == 320:
                    assert axe(page) == []
                click(page, "#coach .main")
            wait(lambda: " points, " in text(page, "message"))
            assert coach(page) == ""
            assert len(page.find_elements("css selector", "#side-turns tbody tr")) == 1
            # it is not the best turn, which would give the row away
            assert ROW["turns"][0].split()[2] not in text(page, "side-turns")
            page.refresh()
            wait(lambda: text(page, "figures") != "")
            assert coach(page) == ""
            page.execute_script("localStorage.clear()")
        assert console_errors(page) == []


def test_skip_ends_it_for_good(page: "Chrome", server: Server) -> None:
    go(page, server.address)
    wait(lambda: "1 of 3" in coach(page))
    click(page, "#coach button:not(.main)")
    assert coach(page) == ""
    assert has_score(page, 0)
    go(page, server.address)
    assert "Daily" in text(page, "title")
    assert coach(page) == ""


def test_the_rules_have_a_picture_and_the_challenge_is_one_press_away(
    page: "Chrome", server: Server
) -> None:
    go(page, server.address)
    keys(page, "?")
    assert page.find_element("css selector", "#dialog .example").is_displayed()
    assert "Backspace" in text(page, "dialog")
    assert axe(page) == []
    click(page, "#dialog .close")
    click(page, "#new")
    click(page, "#challenge")
    wait(lambda: "challenge: 100 tiles" in text(page, "title"))


def test_a_sealed_row_tells_nothing_of_its_turns_until_it_is_over(
    page: "Chrome", server: Server
) -> None:
    with clock(page, noon(DAY_12)):
        go(page, f"{server.address}#daily")
        assert text(page, "figures") == "best possible 332"
        click(page, "#hint")
        click(page, "#hint")
        # the hint is the first turn of the game on file
        first = ROW["turns"][0].split()
        assert first[2].upper() in text(page, "message")
        wait(lambda: text(page, "left-text") == f"{first[0]} left")
        click(page, "#lay")
        wait(lambda: len(page.find_elements("css selector", "#side-turns tbody tr")) == 1)
        assert text(page, "figures") == "best possible 332"
        assert texts(page, "#side-turns td.grade") == [""]


def drawn(page: "Chrome") -> str:
    return text(page, "left-text").removesuffix(" left")


def draw_by_taps(page: "Chrome", left: int) -> None:
    """Tap the outermost tile of an end until `left` tiles are drawn from the left; the last draw
    leaves no choice."""
    while (now := drawn(page)).isdecimal() and int(now) != left:
        outer = (
            "#end-left [data-at]:first-child"
            if int(now) < left
            else "#end-right [data-at]:last-child"
        )
        click(page, outer)


def draw_by_keys(page: "Chrome", left: int) -> None:
    while (now := drawn(page)).isdecimal() and int(now) != left:
        keys(page, "\ue014" if int(now) < left else "\ue012")


def lay_by_taps(page: "Chrome", tiles: str, word: str) -> None:
    for tile, letter in zip(tiles, word, strict=True):
        click(page, f"#rack [data-letter='{tile}']:not(:disabled)")
        if tile == "?":
            click(page, f"//div[@id='letters']/div/button[.='{letter.upper()}']", "xpath")
    click(page, "#lay")


def lay_by_keys(page: "Chrome", tiles: str, word: str) -> None:
    for tile, letter in zip(tiles, word, strict=True):
        keys(page, *([".", letter] if tile == "?" else [letter]))
    keys(page, "\n")


def test_a_whole_daily_game_in_the_smallest_window_by_taps_and_by_keys(
    browser: OpenWindow, server: Server
) -> None:
    with browser(320, 568) as page, clock(page, noon(DAY_12)):
        still = [{"name": "prefers-reduced-motion", "value": "reduce"}]
        page.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "", "features": still})
        go(page, f"{server.address}#daily")
        for number, line in enumerate(ROW["turns"], start=1):
            left, tiles, word = line.split()
            draw, lay = (draw_by_taps, lay_by_taps) if number % 2 else (draw_by_keys, lay_by_keys)
            draw(page, int(left))
            lay(page, tiles, word)
            wait(
                lambda number=number: (
                    len(page.find_elements("css selector", "#side-turns tbody tr")) == number
                )
            )
        wait(lambda: "the best score possible" in text(page, "end"))
        shot(page, "perfect")
        assert axe(page) == []
        assert console_errors(page) == []
