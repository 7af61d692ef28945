"""The views beside the game in a real browser: best plays, points lost, searches, answers to
judge, and the end of a game."""

from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from solver.model.puzzle import load_puzzle
from tests.browser import axe, profile_of
from tests.web.pages import click, has_score, keys, opened, shot, text, texts, wait, word
from tests.web.serving import Server, serving
from verify import load_rules

if TYPE_CHECKING:
    from selenium.webdriver import Chrome


def test_a_search_is_watched_stopped_and_shown(page: "Chrome", server: Server) -> None:
    opened(page, server, "#challenge")
    click(page, "#tab-solve")
    field = page.find_element("id", "seconds-first")
    field.clear()
    field.send_keys("300")
    starts = page.find_elements("css selector", ".lane .main")
    starts[0].click()
    wait(lambda: len(page.find_elements("css selector", "#curves circle")) >= 1)
    shot(page, "solve")
    page.find_elements("css selector", ".lane button")[1].click()
    assert "Stopped" in text(page, "view-solve")
    wait(lambda: len(server.searches()) <= 1)
    field.clear()
    field.send_keys("1")
    starts[0].click()
    wait(lambda: "The time is up: the best game so far has" in text(page, "view-solve"))
    starts[1].click()
    wait(lambda: "Done" in text(page, "view-solve"))
    assert len(page.find_elements("css selector", "#curves polyline")) == 2
    assert axe(page) == []
    page.find_elements("css selector", ".lane button")[2].click()
    wait(lambda: "turn 1 of" in text(page, "dialog"))
    page.find_element("css selector", "#shown-turn").send_keys("\ue010")
    click(page, "//button[.='Play on from here']", "xpath")
    wait(lambda: len(page.find_elements("css selector", "#side-turns tbody tr")) > 5)


def test_dropped_files_and_typed_answers_are_judged_and_shown(
    page: "Chrome", server: Server
) -> None:
    opened(page, server, "#challenge/6.s_l_mnize.solemnize")
    click(page, "#tab-judge")
    page.execute_script(
        """const files = new DataTransfer();
        files.items.add(new File(["6 s?l?mnized solemnized\\n9 outmove outmove\\n"], "one.txt"));
        files.items.add(new File(["6 s?l?mnized solemnized\\n"], "other.txt"));
        const dropped = new DragEvent("drop", { dataTransfer: files, bubbles: true, cancelable: true });
        document.querySelector(".drop").dispatchEvent(dropped);"""
    )
    wait(lambda: len(page.find_elements("css selector", "#verdicts .entry")) == 2)
    assert axe(page) == []
    shot(page, "judge")
    scores = texts(page, "#verdicts .entry b")
    assert scores == ["195", "141"]
    click(page, "//button[.='Against yours']", "xpath")
    wait(lambda: "turn 1 of 2" in text(page, "dialog"))
    standing = page.find_element("css selector", ".standing").text
    parting = "The games part in turn 1: “6 s?l?mnized solemnized” and “6 s?l?mnize solemnize”."
    assert standing == f"After turn 1: 141 against 121 (+20). {parting}"
    assert axe(page) == []
    shot(page, "two-games")
    click(page, "//button[.='Close']", "xpath")
    page.find_element("id", "answers").clear()
    page.find_element("id", "answers").send_keys("6 s?l?mnize solemnize\n3 <b>x</b> <b>x</b>\n")
    click(page, "#view-judge .main")
    wait(lambda: "invalid: line 2" in text(page, "verdicts"))
    assert page.find_elements("css selector", "#verdicts .bad b") == []
    click(page, "#verdicts button")
    wait(lambda: "First fault, in line 2" in text(page, "dialog"))
    assert axe(page) == []
    shot(page, "fault")


def test_a_game_of_scrabble_is_named_as_such_and_judge_waits_for_the_row(
    page: "Chrome", server: Server
) -> None:
    opened(page, server)
    click(page, "#tab-judge")
    game = "#player1 a A\\n#player2 b B\\n>a: EEGIMSU 8H GEMS +14 14\\n"
    page.execute_script(f"document.getElementById('answers').value = '{game}'")
    click(page, "#view-judge .main")
    wait(lambda: "This is a game of Scrabble" in text(page, "verdicts"))
    # the puzzles are still on their way
    hold = "window.fetch = () => new Promise(() => {});"
    held = page.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": hold})
    page.get(f"{server.address}?held")
    wait(lambda: page.find_elements("css selector", "#view-judge .main"))
    click(page, "#tab-judge")
    click(page, "#view-judge .main")
    assert "The row is still loading" in text(page, "verdicts")
    page.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", held)


def test_a_row_without_a_record_gets_a_bound(page: "Chrome", server: Server) -> None:
    opened(page, server, f"#row={load_puzzle('challenge').row[:45]}")
    wait(lambda: "no game exceeds" in text(page, "figures"), 120)
    assert "best known" in text(page, "figures")


def test_a_game_is_shared_in_every_form_and_as_a_picture(
    page: "Chrome", server: Server, tmp_path: Path
) -> None:
    allowed = {"behavior": "allow", "downloadPath": str(tmp_path), **profile_of(page)}
    page.execute_cdp_cmd("Browser.setDownloadBehavior", allowed)
    opened(page, server, "#challenge/6.s_l_mnize.solemnize")
    click(page, "#share")
    for number, part in enumerate(
        (
            "#challenge/6.s_l_mnize",
            "6 s?l?mnize solemnize",
            "    6 s?l",
            "```text",
            '"turns"',
            "<svg",
        )
    ):
        page.find_elements("css selector", "#dialog .fields button")[number].click()
        wait(
            lambda part=part: (
                part
                in page.execute_script("return document.querySelector('#dialog textarea').value")
            )
        )
    assert axe(page) == []
    click(page, "//button[.='Picture (PNG)']", "xpath")
    wait(lambda: (tmp_path / "rowdraw-121.png").exists())
    assert (tmp_path / "rowdraw-121.png").read_bytes().startswith(b"\x89PNG")


def test_a_lost_connection_is_told_and_mended(laptop: "Chrome") -> None:
    with serving() as server:
        opened(laptop, server)
        port = urlsplit(server.address).port
        keys(laptop, *"zest", "\n")
        wait(lambda: "zest" in text(laptop, "side-turns"))
        server.process.terminate()
        server.process.wait(timeout=30)
        # the page plays by its own engine; only its server proves
        keys(laptop, *"toast", "\n")
        wait(lambda: "toast" in text(laptop, "side-turns"))
        click(laptop, "#tab-solve")
        click(laptop, ".lane .main")
        wait(lambda: laptop.find_element("id", "offline").is_displayed())
        assert "does not answer" in text(laptop, "view-solve")
    with serving("--port", str(port)):
        wait(lambda: not laptop.find_element("id", "offline").is_displayed())
        assert "does not answer" not in text(laptop, "view-solve")
    laptop.get_log("browser")


_KNOWN = """
const [puzzle, games, done] = arguments;
Promise.all([import("./static/known.js"), import("./static/game.js")]).then(([{ Known, gradeOf }, { Game, turnOf }]) => {
  const known = new Known(puzzle, () => {});
  const starts = games.flatMap((lines) => lines.map((_, count) => new Game(puzzle, lines.slice(0, count).map(turnOf))));
  const seen = games.map((lines) => {
    known.learn(lines);
    return { reaches: starts.map((game) => known.reach(game)), best: known.best, game: known.bestGame };
  });
  const lines = known.lines(new Game(puzzle)).map(({ line, reach, loss }) => [line, reach, loss]);
  const losses = games.map((turns) => known.losses(new Game(puzzle, turns.map(turnOf))).map((loss) => loss.lost));
  known.limit(known.best + 0.5);
  known.limit(known.best + 10);
  const grades = [0, 4, 6, 20, 40].map((lost) => gradeOf(lost, 1000).mark);
  done({ seen, lines, losses, grades, most: known.most, isProven: known.isProven });
}).catch((error) => done(String(error.stack)));
"""


_GAMES = [
    ["3 tea tea", "0 sets sets"],
    ["3 tea tea", "0 oats oats", "0 zest zest"],
    ["0 zest zest", "0 tea tea"],
]


def puzzle(row: str) -> dict[str, Any]:
    rules = load_rules(row=row)
    return {
        "row": row,
        "rack": 10,
        "values": dict(rules.values),
        "bonus": 0,
        "bound": None,
        "game": [],
    }


def test_what_is_known_never_gets_worse_and_its_figures_agree(
    page: "Chrome", server: Server
) -> None:
    opened(page, server)
    found = page.execute_async_script(_KNOWN, puzzle("tea?setsoatzest"), _GAMES)
    assert isinstance(found, dict), found
    for before, after in zip(found["seen"], found["seen"][1:], strict=False):
        assert after["best"] >= before["best"]
        assert all(
            one is None or one <= other
            for one, other in zip(before["reaches"], after["reaches"], strict=True)
        )
    best = found["seen"][-1]["best"]
    assert found["seen"][-1]["game"] == max(_GAMES, key=len)
    assert [reach for _line, reach, _loss in found["lines"]] == sorted(
        (reach for _, reach, _ in found["lines"]), reverse=True
    )
    assert all(reach + loss == best for _line, reach, loss in found["lines"])
    assert all(lost >= 0 for losses in found["losses"] for lost in losses)
    # a looser bound than the one known changes nothing
    assert (found["most"], found["isProven"]) == (best, True)
    assert found["grades"] == ["", "", "?!", "?", "??"]


def rows(page: "Chrome") -> list[list[str]]:
    script = "return [...document.querySelectorAll('#lines tbody tr')].map((row) => [...row.cells].map((cell) => cell.textContent))"
    return list(page.execute_script(script))


def test_the_best_lines_come_first_and_then_the_plays_by_points(
    page: "Chrome", server: Server
) -> None:
    opened(page, server, "#challenge")
    click(page, "#hint")
    assert text(page, "message") == "Draw 6 from the left: the best word found has 10 letters."
    click(page, "#hint")
    assert text(page, "message") == "SOLEMNIZED for 141 points: the best play found."
    click(page, "#tab-plays")
    wait(lambda: len(rows(page)) > 0)
    assert rows(page)[0] == ["6", "solemnized", "141", "1042", "0"]
    wait(lambda: len(rows(page)) == 5 and len({row[0] for row in rows(page)}) > 1, 120)
    for _draw, _word, _points, reach, loss in rows(page):
        assert int(reach) + int(loss.replace("−", "")) == 1042
    assert axe(page) == []
    shot(page, "best-lines")
    click(page, "#lines td button")
    assert text(page, "left-text") == "6 left"
    assert "Play for 141" in text(page, "lay")
    wait(lambda: "By points" in text(page, "side-plays"))
    assert "the 30 plays of each draw with the most points" in text(page, "plays")
    click(page, "#plays input")
    wait(lambda: "Show more (20 of 330)" in text(page, "plays"))
    click(page, "#plays .more")
    wait(lambda: len(page.find_elements("css selector", "#plays tbody tr")) == 40)


def test_one_best_score_stands_everywhere_and_grades_the_turns(
    page: "Chrome", server: Server
) -> None:
    opened(page, server, "#challenge/6.s_l_mnize.solemnize/9.move.move")
    wait(lambda: "6 + 4" in text(page, "side-turns"))
    wait(lambda: page.find_elements("css selector", "#side-turns td.grade abbr") != [])
    click(page, "#tab-review")
    wait(lambda: "6 from the left: solemnized" in text(page, "side-review"))
    assert "best possible 1042" in text(page, "figures")
    assert "the best game found has 1042" in text(page, "side-review")
    reach = int(
        text(page, "figures").removesuffix(" within reach").removeprefix("best possible 1042")
    )
    lost = "#side-review td.lost"
    wait(
        lambda: (
            sum(int(cell.replace("−", "").split()[0]) for cell in texts(page, lost)) == 1042 - reach
        )
    )
    assert axe(page) == []
    shot(page, "points-lost")
    click(page, "#side-review td button")
    assert "would have lost less" in text(page, "message")
    assert word(page) == "solemnized"


def test_a_finished_game_of_a_link_shows_the_card_at_the_end_after_a_reload_too(
    page: "Chrome", server: Server
) -> None:
    opened(page, server, "#row=teas/4.teas.teas")
    for _visit in range(2):
        wait(lambda: "10 points in 1 turn: the best score possible" in text(page, "end"), 120)
        assert not page.find_element("id", "lay").is_displayed()
        page.refresh()
    wait(lambda: len(page.find_elements("css selector", "#end .square-0")) == 1)
    assert len(page.find_elements("css selector", "#end .party .tile")) == 7
    assert axe(page) == []
    shot(page, "end")


def test_the_card_grades_the_game_shows_its_turns_and_leads_on(
    page: "Chrome", server: Server
) -> None:
    opened(page, server, "#row=teasz")
    keys(page, *"eat", "\n")
    wait(lambda: "% of the best score possible" in text(page, "end"), 120)
    wait(lambda: len(page.find_elements("css selector", "#end .square-3")) == 1, 120)
    click(page, "//section[@id='end']//button[.='Play it again']", "xpath")
    wait(lambda: has_score(page, 0))
    assert page.find_element("id", "word").is_displayed()
    click(page, "#redo")
    click(page, "//section[@id='end']//button[.='Another row']", "xpath")
    wait(lambda: "Shuffled tiles" in text(page, "title"))
    # a row without words is over before its first turn
    opened(page, server, "#row=qqq")
    wait(lambda: "No word can be played on this row" in text(page, "end"))
    assert not page.find_element("id", "word").is_displayed()
