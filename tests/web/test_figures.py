"""Figures of the table in a real browser: the best lines of all draws, what can be reached, and how a game ends."""

from typing import TYPE_CHECKING, Any

from tests.browser import axe
from tests.web.pages import click, has_score, keys, opened, shot, text, texts, wait
from tests.web.serving import Server
from verify import load_rules

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

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
_GAMES = [["3 tea tea", "0 sets sets"], ["3 tea tea", "0 oats oats", "0 zest zest"], ["0 zest zest", "0 tea tea"]]


def puzzle(row: str) -> dict[str, Any]:
    rules = load_rules(row=row)
    return {"row": row, "rack": 10, "values": dict(rules.values), "bonus": 0, "bound": None, "game": []}


def test_what_is_known_never_gets_worse_and_its_figures_agree(page: "Chrome", server: Server) -> None:
    opened(page, server)
    found = page.execute_async_script(_KNOWN, puzzle("tea?setsoatzest"), _GAMES)
    assert isinstance(found, dict), found
    for before, after in zip(found["seen"], found["seen"][1:], strict=False):
        assert after["best"] >= before["best"]
        assert all(one is None or one <= other for one, other in zip(before["reaches"], after["reaches"], strict=True))
    best = found["seen"][-1]["best"]
    assert found["seen"][-1]["game"] == max(_GAMES, key=len)
    assert [reach for _line, reach, _loss in found["lines"]] == sorted((reach for _, reach, _ in found["lines"]), reverse=True)
    assert all(reach + loss == best for _line, reach, loss in found["lines"])
    assert all(lost >= 0 for losses in found["losses"] for lost in losses)
    # a looser bound than the one known changes nothing
    assert (found["most"], found["isProven"]) == (best, True)
    assert found["grades"] == ["", "", "?!", "?", "??"]


def rows(page: "Chrome") -> list[list[str]]:
    script = (
        "return [...document.querySelectorAll('#lines tbody tr')].map((row) => [...row.cells].map((cell) => cell.textContent))"
    )
    return list(page.execute_script(script))


def test_the_best_lines_come_first_and_then_the_plays_by_points(page: "Chrome", server: Server) -> None:
    opened(page, server, "#challenge")
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


def test_one_best_score_stands_everywhere_and_grades_the_turns(page: "Chrome", server: Server) -> None:
    opened(page, server, "#challenge/6.s_l_mnize.solemnize/9.move.move")
    wait(lambda: "6 + 4" in text(page, "side-turns"))
    wait(lambda: page.find_elements("css selector", "#side-turns td.grade abbr") != [])
    click(page, "#tab-review")
    wait(lambda: "6 from the left: solemnized" in text(page, "side-review"))
    assert "best possible 1042" in text(page, "figures")
    assert "the best game found has 1042" in text(page, "side-review")
    reach = int(text(page, "figures").removesuffix(" within reach").removeprefix("best possible 1042"))
    lost = "#side-review td.lost"
    wait(lambda: sum(int(cell.replace("−", "").split()[0]) for cell in texts(page, lost)) == 1042 - reach)
    assert axe(page) == []


def test_a_finished_game_of_a_link_shows_the_card_at_the_end_after_a_reload_too(page: "Chrome", server: Server) -> None:
    opened(page, server, "#row=teas/4.teas.teas")
    for _visit in range(2):
        wait(lambda: "10 points in 1 turn: the best score possible" in text(page, "end"), 120)
        assert not page.find_element("id", "lay").is_displayed()
        page.refresh()
    wait(lambda: len(page.find_elements("css selector", "#end .square-0")) == 1)
    assert len(page.find_elements("css selector", "#end .party .tile")) == 7
    assert axe(page) == []
    shot(page, "end")


def test_the_card_grades_the_game_shows_its_turns_and_leads_on(page: "Chrome", server: Server) -> None:
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


def test_a_row_without_words_says_that_it_is_over(page: "Chrome", server: Server) -> None:
    opened(page, server, "#row=qqq")
    wait(lambda: "No word can be played on this row" in text(page, "end"))
    assert not page.find_element("id", "word").is_displayed()


def test_the_first_hint_names_the_length_and_the_next_one_the_word(page: "Chrome", server: Server) -> None:
    opened(page, server, "#challenge")
    click(page, "#hint")
    assert text(page, "message") == "Draw 6 from the left: the best word found has 10 letters."
    click(page, "#hint")
    assert text(page, "message") == "SOLEMNIZED for 141 points: the best play found."
    assert "Play for 141" in text(page, "lay")
