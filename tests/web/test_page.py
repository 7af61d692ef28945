"""The other views in a browser: best plays, points lost, searches, answers, the end of a game."""

from itertools import chain, pairwise
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from solver.model.puzzle import load_puzzle
from tests.web.pages import (
    allow_downloads,
    await_count,
    await_score,
    await_some,
    await_text,
    click,
    count,
    fill,
    go,
    is_shown,
    keys,
    look,
    opened,
    shot,
    text,
    texts,
    value,
    wait,
    word,
)
from tests.web.serving import Server, serving
from verify import load_rules

if TYPE_CHECKING:
    from selenium.webdriver import Chrome


_FILLED = """
const [done] = arguments;
import("/view/dom.js").then(({ button, fill }) => {
  const box = document.createElement("div");
  document.body.append(box);
  const show = (...names) =>
    fill(box, names.map((name) => button(name, null, { "data-key": name })));
  const act = (text, more) => button(text, () => (box.title = text), more);
  const showText = (text, more) => fill(box, "Text: ", act(text, more));
  show("one", "two", "three");
  const two = box.children[1];
  two.focus();
  show("other", "two");
  const isKept = two === box.children[1] && two === document.activeElement;
  showText("first");
  const only = box.children[0];
  only.focus();
  showText("second", { class: "main" });
  only.click();
  const isSame = only === box.children[0] && only === document.activeElement;
  const facts = [isKept, isSame, only.textContent, only.className, box.title];
  fill(box, button("off", null, { disabled: true }), button("on", null));
  done([...facts, document.activeElement.textContent]);
}, done);
"""


def test_what_is_filled_again_keeps_its_elements_and_the_focus(page: "Chrome") -> None:
    opened(page)
    facts = [True, True, "second", "main", "second", "on"]
    assert page.execute_async_script(_FILLED) == facts


def test_a_search_is_watched_stopped_and_shown(page: "Chrome", server: Server) -> None:
    opened(page, "#challenge")
    click(page, "#tab-solve")
    fill(page, "seconds-first", "300")
    click(page, ".lane .main")
    await_some(page, "#curves circle")
    shot(page, "solve")
    click(page, ".lane button", 1)
    assert "Stopped" in text(page, "view-solve")
    wait(lambda: len(server.searches()) <= 1)
    fill(page, "seconds-first", "1")
    click(page, ".lane .main")
    await_text(page, "view-solve", "The time is up: the best game so far has")
    click(page, ".lane .main", 1)
    await_text(page, "view-solve", "Done")
    assert count(page, "#curves polyline") == 2
    look(page)
    click(page, ".lane button", 2)
    await_text(page, "dialog", "turn 1 of")
    page.find_element("id", "shown-turn").send_keys("\ue010")
    click(page, "//button[.='Play on from here']")
    wait(lambda: count(page, "#side-turns tbody tr") > 5)


def test_dropped_files_and_typed_answers_are_judged_and_shown(page: "Chrome") -> None:
    opened(page, "#challenge/6.s_l_mnize.solemnize")
    click(page, "#tab-judge")
    page.execute_script(
        """const files = new DataTransfer();
        files.items.add(new File(["6 s?l?mnized solemnized\\n9 outmove outmove\\n"], "one.txt"));
        files.items.add(new File(["6 s?l?mnized solemnized\\n"], "other.txt"));
        const drop = { dataTransfer: files, bubbles: true, cancelable: true };
        document.querySelector(".drop").dispatchEvent(new DragEvent("drop", drop));"""
    )
    await_count(page, "#verdicts .entry", 2)
    look(page, "judge")
    assert texts(page, "#verdicts .entry b") == ["195", "141"]
    click(page, "//button[.='Against yours']")
    await_text(page, "dialog", "turn 1 of 2")
    assert texts(page, ".standing") == [
        "After turn 1: 141 against 121 (+20). "
        "The games part in turn 1: “6 s?l?mnized solemnized” and “6 s?l?mnize solemnize”."
    ]
    look(page, "two-games")
    click(page, "//button[.='Close']")
    fill(page, "answers", "# rack x\n6 s?l?mnize solemnize\n3 <b>x</b> <b>x</b>\n")
    click(page, "#view-judge .main")
    await_text(page, "verdicts", "states no rack")
    await_text(page, "verdicts", "invalid on challenge: line 3")
    assert count(page, "#verdicts .bad b") == 0
    click(page, "#verdicts button")
    await_text(page, "dialog", "First fault, in line 3")
    look(page, "fault")


def test_a_game_of_scrabble_is_named_as_such_and_judge_waits_for_the_row(
    page: "Chrome", server: Server
) -> None:
    opened(page)
    click(page, "#tab-judge")
    game = "#player1 a A\\n#player2 b B\\n>a: EEGIMSU 8H GEMS +14 14\\n"
    page.execute_script(f"document.getElementById('answers').value = '{game}'")
    click(page, "#view-judge .main")
    await_text(page, "verdicts", "This is a game of Scrabble")
    # the puzzles are still on their way
    hold = "window.fetch = () => new Promise(() => {});"
    held = page.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": hold})
    page.get(f"{server.address}?held")
    await_some(page, "#view-judge .main")
    click(page, "#tab-judge")
    click(page, "#view-judge .main")
    assert "The row is still loading" in text(page, "verdicts")
    page.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", held)


def test_a_row_without_a_record_gets_a_bound(page: "Chrome") -> None:
    opened(page, f"#row={load_puzzle('challenge').row[:45]}")
    await_text(page, "figures", "no game exceeds", 120)
    assert "best known" in text(page, "figures")


def test_a_game_is_shared_in_every_form_and_as_a_picture(page: "Chrome", tmp_path: Path) -> None:
    allow_downloads(page, tmp_path)
    opened(page, "#challenge/6.s_l_mnize.solemnize")
    click(page, "#share")
    parts = ["#challenge/6.s_l_mnize", "6 s?l?mnize solemnize", "    6 s?l"]
    for number, part in enumerate(parts):
        click(page, "#dialog .fields button", number)
        wait(lambda part=part: part in value(page, "#dialog textarea"))
    look(page)
    click(page, "//button[.='Picture']")
    wait(lambda: (tmp_path / "rowdraw-121.png").exists())
    assert (tmp_path / "rowdraw-121.png").read_bytes().startswith(b"\x89PNG")


def test_a_lost_connection_is_told_and_mended(laptop: "Chrome") -> None:
    with serving() as server:
        go(laptop, f"{server.address}#row=tea%3Fsetsoatzest")
        port = urlsplit(server.address).port
        keys(laptop, *"zest", "\n")
        await_text(laptop, "side-turns", "zest")
        server.process.terminate()
        server.process.wait(timeout=30)
        # the page plays by its own engine; only its server proves
        keys(laptop, *"toast", "\n")
        await_text(laptop, "side-turns", "toast")
        click(laptop, "#tab-solve")
        click(laptop, ".lane .main")
        wait(lambda: is_shown(laptop, "offline"))
        assert "does not answer" in text(laptop, "view-solve")
    with serving("--port", str(port)):
        wait(lambda: not is_shown(laptop, "offline"))
        assert "does not answer" not in text(laptop, "view-solve")
    laptop.get_log("browser")


_KNOWN = """
const [puzzle, games, done] = arguments;
const names = ["known", "game", "grades"];
const loaded = names.map((name) => import(`./static/${name}.js`));
Promise.all(loaded).then(([{ Known }, { Game, turnOf }, { gradeOf }]) => {
  const known = new Known(puzzle, () => {});
  const begun = (lines) => lines.map((_, count) => lines.slice(0, count).map(turnOf));
  const starts = games.flatMap(begun).map((turns) => new Game(puzzle, turns));
  const seen = games.map((lines) => {
    known.learn(lines);
    const reaches = starts.map((game) => known.reach(game));
    return { reaches, best: known.best, game: known.bestGame };
  });
  const lines = known.lines(new Game(puzzle)).map(({ line, reach, loss }) => [line, reach, loss]);
  const all = games.map((lines) => new Game(puzzle, lines.map(turnOf)));
  const early = all.flatMap((game) => known.losses(game));
  for (const game of all)
    for (const count of known.unknown(game)) known.review(game, count, [game.lines()]);
  const losses = all.map((game) => known.losses(game).map((loss) => loss.lost));
  known.limit(known.best + 0.5);
  known.limit(known.best + 10);
  const grades = [0, 4, 6, 20, 40].map((lost) => gradeOf(lost, 1000));
  done({ seen, lines, early, losses, grades, most: known.most, isProven: known.isProven });
}).catch((error) => done(String(error.stack)));
"""


_GAMES = [
    ["3 tea tea", "0 sets sets"],
    ["3 tea tea", "0 oats oats", "0 zest zest"],
    ["0 zest zest", "0 tea tea"],
]


def test_what_is_known_never_gets_worse_and_its_figures_agree(page: "Chrome") -> None:
    row = "tea?setsoatzest"
    values = dict(load_rules(row=row).values)
    puzzle = {"row": row, "rack": 10, "values": values, "bonus": 0, "bound": None, "game": []}
    opened(page)
    found = page.execute_async_script(_KNOWN, puzzle, _GAMES)
    assert isinstance(found, dict), found
    for before, after in pairwise(found["seen"]):
        assert after["best"] >= before["best"]
        for one, other in zip(before["reaches"], after["reaches"], strict=True):
            assert one is None or one <= other
    best = found["seen"][-1]["best"]
    assert found["seen"][-1]["game"] == max(_GAMES, key=len)
    reaches = [reach for _line, reach, _loss in found["lines"]]
    assert reaches == sorted(reaches, reverse=True)
    assert all(reach + loss == best for _line, reach, loss in found["lines"])
    # before the review of its positions nothing is said of what a turn lost
    assert set(found["early"]) == {None}
    assert min(chain(*found["losses"])) >= 0
    # a looser bound than the one known changes nothing
    assert (found["most"], found["isProven"]) == (best, True)
    assert found["grades"] == [0, 0, 1, 2, 3]


_LINES = """
const lines = [...document.querySelectorAll("#lines tbody tr")];
return lines.map((line) => [...line.cells].map((cell) => cell.textContent));
"""


def rows(page: "Chrome") -> list[list[str]]:
    return list(page.execute_script(_LINES))


def test_the_best_lines_come_first_and_then_the_plays_by_points(page: "Chrome") -> None:
    opened(page, "#challenge")
    click(page, "#hint")
    assert text(page, "message") == "Draw 6 from the left: the best word found has 10 letters."
    click(page, "#hint")
    assert text(page, "message") == "SOLEMNIZED for 141 points: the best play found."
    click(page, "#tab-plays")
    await_some(page, "#lines tbody tr")
    assert rows(page)[0] == ["6", "solemnized", "141", "1042", "0"]
    wait(lambda: len(rows(page)) == 5 and len({row[0] for row in rows(page)}) > 1, 120)
    for _draw, _word, _points, reach, loss in rows(page):
        assert int(reach) + int(loss.replace("−", "")) == 1042
    click(page, "#lines td button")
    assert text(page, "left-text") == "6 left"
    assert "Play for 141" in text(page, "lay")
    await_text(page, "side-plays", "By points")
    look(page, "table")  # the picture of the guide
    assert "the 30 plays of each draw with the most points" in text(page, "plays")
    click(page, "#plays input")
    await_text(page, "plays", "Show more (20 of 330)")
    click(page, "#plays .more")
    await_count(page, "#plays tbody tr", 40)


def test_one_best_score_stands_everywhere_and_grades_the_turns(page: "Chrome") -> None:
    opened(page, "#challenge/6.s_l_mnize.solemnize/9.move.move")
    await_text(page, "side-turns", "6 + 4")
    await_some(page, "#side-turns td.grade abbr", 180)
    click(page, "#tab-review")
    await_text(page, "side-review", "6 from the left: solemnized")
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
    look(page, "points-lost")
    click(page, "#side-review td button")
    assert "would have lost less" in text(page, "message")
    assert word(page) == "solemnized"


def test_the_card_grades_the_game_of_a_link_too_shows_its_turns_and_leads_on(
    page: "Chrome",
) -> None:
    opened(page, "#row=teas/4.teas.teas")
    page.refresh()
    await_text(page, "end", "10 points in 1 turn: the best score possible", 120)
    assert not is_shown(page, "lay")
    await_count(page, "#end .square-0", 1)
    assert count(page, "#end .party .tile") == 7
    look(page, "end")
    opened(page, "#row=teasz")
    keys(page, *"eat", "\n")
    await_text(page, "end", "% of the best score possible", 120)
    await_count(page, "#end .square-3", 1, 120)
    click(page, "//section[@id='end']//button[.='Play it again']")
    await_score(page, 0)
    assert is_shown(page, "word")
    click(page, "#redo")
    click(page, "//section[@id='end']//button[.='Another row']")
    await_text(page, "title", "Shuffled tiles")
    # a row without words is over before its first turn
    opened(page, "#row=qqq")
    await_text(page, "end", "No word can be played on this row")
    assert not is_shown(page, "word")
