"""The page's own engine in a real browser agrees with the solver and with the referee."""

import json
import random
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from solver import solve
from solver.errors import RackError
from solver.index.problem import Problem
from solver.lab.records import recorded_games
from solver.model.puzzle import Puzzle, load_puzzle
from solver.model.tiles import laid_tiles, rack_counts, racks_counts
from solver.show.forms import FORMS
from solver.show.games import make_game
from tests.web.engine_view import BEAM, beam_of_solver, engine, games_of
from verify import judge
from verify.stated import comments_of

if TYPE_CHECKING:
    from selenium.webdriver import Chrome


def test_the_best_plays_of_random_racks_are_those_of_the_solver(engine_page: "Chrome") -> None:
    rng = random.Random(1)
    problem = Problem(load_puzzle("challenge"))
    tiles = problem.puzzle.row + "???"
    racks = ["".join(rng.sample(tiles, rng.choice([2, 5, 8, 10, 10, 10, 10]))) for _ in range(600)]
    code = """
    const { finder } = desk.problem({ name: "challenge" }).tables;
    const best = (rack) => finder.best(rack, 6);
    return values.map((rack) => best(rack).map(({ tiles, word, score }) => [tiles, word, score]));
    """
    expected = problem.finder.best(racks_counts(racks), top=6)
    for rack, found, plays in zip(racks, engine(engine_page, code, racks), expected, strict=True):
        assert found == [list(play) for play in plays], rack


def test_the_best_plays_of_variants_are_those_of_the_solver(engine_page: "Chrome") -> None:
    rng = random.Random(2)
    values = {"a": 1, "e": 0, "s": 2, "t": 1, "z": 9, "q": 3, "?": 2}
    fields = {"row": "abc", "rack": 8, "values": values, "bonus": 50}
    problem = Problem(load_puzzle().with_fields(fields))
    racks = ["".join(rng.choices("aeeisstrnolzq???", k=rng.randint(2, 8))) for _ in range(200)]
    code = """
    const [{ PlayFinder }, { Scoring }] = [await load("plays"), await load("scoring")];
    const finder = new PlayFinder(desk.lexicon, new Scoring(values.values, 8, 50));
    const best = (rack) => finder.best(rack, 4);
    return values.racks.map((rack) => best(rack).map(({ word, score }) => [word, score]));
    """
    expected = problem.finder.best(racks_counts(racks), top=4)
    found = engine(engine_page, code, {"values": values, "racks": racks})
    assert found == [[[play.word, play.score] for play in plays] for plays in expected]


@pytest.mark.parametrize("name", ["challenge", "shuffled-06"])
def test_a_beam_of_width_200_finds_the_game_that_the_solver_finds(
    engine_page: "Chrome", name: str
) -> None:
    expected = beam_of_solver(load_puzzle(name), 200)
    found = engine(engine_page, BEAM, {"asked": {"name": name}, "width": 200})
    # turn by turn: ties fall in both by the same rules, see close() of layer.js
    assert found == {"score": expected.score, "turns": [str(turn) for turn in expected.turns]}


def test_games_that_continue_a_position_are_found_by_wider_and_wider_beams(
    engine_page: "Chrome",
) -> None:
    begun = recorded_games()["challenge"][:6]
    games = games_of(engine_page, "reach", {"name": "challenge"}, begun)
    assert len(games) == 3
    assert all(game["turns"][:6] == begun for game in games)
    assert max(game["score"] for game in games) == 1042


@pytest.mark.long
def test_games_are_found_for_plays_of_every_draw(engine_page: "Chrome") -> None:
    begun = recorded_games()["challenge"][:9]
    games = games_of(engine_page, "plays", {"name": "challenge"}, begun)
    assert all(game["turns"][:9] == begun for game in games)
    assert len({game["turns"][9].split()[0] for game in games}) >= 4  # draws
    assert max(game["score"] for game in games) == 1042


@pytest.mark.parametrize(
    "asked", [{"name": "challenge"}, {"name": "shuffled-02"}, {"row": "zests?jo??quixotryaa"}]
)
def test_a_game_is_shown_and_exported_as_the_solver_does(
    engine_page: "Chrome", asked: dict[str, str]
) -> None:
    puzzle = load_puzzle(asked.get("name", "challenge"))
    if "row" in asked:
        puzzle = puzzle.with_row(asked["row"])
    rules = Problem(puzzle).rules
    lines = [str(turn) for turn in beam_of_solver(puzzle, 20).turns]
    code = """
    const shown = desk.shown(values.asked, values.lines);
    const forms = values.forms.map((form) => desk.gameAs(values.asked, values.lines, form));
    return { shown, forms };
    """
    forms = ["text", "reddit"]
    found = engine(engine_page, code, {"asked": asked, "lines": lines, "forms": forms})
    game = make_game(judge("\n".join(lines), rules, "game"))
    text = comments_of(rules) + "".join(f"{line}\n" for line in lines)
    assert found["forms"] == [text, FORMS["reddit"].write([game])]
    assert found["shown"] == {**json.loads(json.dumps(game.as_dict())), "file": ""}


def test_the_plays_of_every_draw_are_legal_and_leave_what_they_say(engine_page: "Chrome") -> None:
    first = "6 s?l?mnized solemnized"
    draws = engine(engine_page, 'return desk.playsOf({ name: "challenge" }, [values]);', first)
    assert [draw["left"] for draw in draws] == list(range(11))
    for draw in draws:
        scores = [play["score"] for play in draw["plays"]]
        assert scores == sorted(scores, reverse=True)
        for play in draw["plays"]:
            line = f"{draw['left']} {play['tiles']} {play['word']}"
            assert judge(f"{first}\n{line}").score == 141 + play["score"]
            assert sorted(play["tiles"] + play["leave"]) == sorted(draw["rack"])


def test_seeds_name_the_same_rows_as_the_solver(engine_page: "Chrome") -> None:
    seeds = [0, 1, 20_260_101, 10**9]
    rows = engine(engine_page, "return values.map((seed) => desk.problem({ seed }).row);", seeds)
    assert rows == [load_puzzle("challenge").shuffled(seed).row for seed in seeds]


_LAID = """
const [cases, done] = arguments;
import("/static/game.js")
  .then(({ laid }) => done(cases.map(([word, rack]) => laid(word, rack))))
  .catch((error) => done(String(error)));
"""


_GAMES = """
const [puzzle, lines, done] = arguments;
import("/static/game.js").then(({ Game, turnOf }) => {
  const game = new Game(puzzle, lines.map(turnOf));
  const hands = lines.map((_, count) => game.at(count));
  const points = lines.map((line) => game.points(turnOf(line).tiles));
  done({ score: game.score, points, hands });
}).catch((error) => done(String(error)));
"""


@pytest.mark.long
def test_a_word_is_laid_down_as_the_solver_lays_it(page: "Chrome") -> None:
    rng = random.Random(5)
    cases = []
    expected = []
    for _ in range(400):
        rack = "".join(rng.choices("aabeest?", k=rng.randint(1, 10)))
        word = "".join(rng.choices("abest", k=rng.randint(1, len(rack))))
        cases.append([word, rack])
        try:
            expected.append(laid_tiles(rack_counts(rack), word))
        except RackError:
            expected.append(None)
    assert page.execute_async_script(_LAID, cases) == expected
    assert None in expected
    assert sum(laid is not None for laid in expected) > 100


def variant(name: str, **fields: Any) -> Puzzle:
    return replace(load_puzzle("challenge"), name=name, **fields)


@pytest.mark.long
@pytest.mark.parametrize(
    "puzzle",
    [
        load_puzzle("challenge"),
        variant("own", row="tea?setsoatzest", rack_size=5),
        variant("wide", row="teasetsoatzestquietrainsnotes?", rack_size=13),
        variant("bonus", row="teasetsoatzest?rain", rack_size=4, bonus=50),
    ],
    ids=lambda puzzle: puzzle.name,
)
def test_hands_and_points_of_a_game_are_those_of_the_referee(
    page: "Chrome", puzzle: Puzzle
) -> None:
    found = solve(puzzle, strategy="greedy")
    lines = [str(turn) for turn in found.solution.turns]
    game: Any = {
        "row": puzzle.row,
        "rack": puzzle.rack_size,
        "values": dict(puzzle.values),
        "bonus": puzzle.bonus,
    }
    seen = page.execute_async_script(_GAMES, game, lines)
    assert isinstance(seen, dict), seen
    assert seen["points"] == [turn.score for turn in found.solution.turns]
    assert seen["score"] == found.score
    verdict = judge("\n".join(lines), Problem(puzzle).rules)
    assert (verdict.valid, verdict.score) == (True, seen["score"])
    for hand, turn in zip(seen["hands"], verdict.turns, strict=True):
        assert Counter(hand["leave"]) == Counter(turn.rack) - Counter(turn.left + turn.right)
