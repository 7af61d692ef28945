"""The page's own engine in a real browser agrees with the solver and with the referee."""

import json
import random
from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest

from solver import solve
from solver.errors import RackError
from solver.index.problem import Problem
from solver.lab.records import recorded_games
from solver.model.puzzle import load_puzzle
from solver.model.tiles import laid_tiles, rack_counts, racks_counts
from solver.show.forms import FORMS
from solver.show.games import make_game
from tests.web.engine_view import BEAM, beam_of_solver, engine, games_of
from verify import judge
from verify.stated import comments_of

if TYPE_CHECKING:
    from selenium.webdriver import Chrome


@pytest.mark.parametrize(
    "fields",
    [
        {"row": "a"},
        {"row": "a", "rack": 8, "values": {"a": 1, "e": 0, "z": 9, "?": 2}, "bonus": 50},
    ],
)
def test_the_best_plays_of_random_racks_are_those_of_the_solver(
    engine_page: "Chrome", fields: dict[str, Any]
) -> None:
    rng = random.Random(1)
    problem = Problem(load_puzzle().with_fields(fields))
    puzzle = problem.puzzle
    tiles = load_puzzle().row + "???"
    sizes = [2, 5, 8, *[puzzle.rack_size] * 4]
    racks = ["".join(rng.sample(tiles, rng.choice(sizes))) for _ in range(400)]
    code = """
    const [{ PlayFinder }, { Scoring }] = [await load("plays"), await load("scoring")];
    const scoring = new Scoring(values.values, values.size, values.bonus);
    const finder = new PlayFinder(desk.lexicon, scoring);
    const best = (rack) => finder.best(rack, 6);
    return values.racks.map((rack) =>
      best(rack).map(({ tiles, word, score }) => [tiles, word, score]));
    """
    asked = {"values": dict(puzzle.values), "size": puzzle.rack_size, "bonus": puzzle.bonus}
    found = engine(engine_page, code, {**asked, "racks": racks})
    expected = problem.finder.best(racks_counts(racks), top=6)
    for rack, ours, plays in zip(racks, found, expected, strict=True):
        assert ours == [list(play) for play in plays], rack


@pytest.mark.parametrize("name", ["challenge", "shuffled-06"])
def test_a_beam_finds_the_game_that_the_solver_finds(engine_page: "Chrome", name: str) -> None:
    expected = beam_of_solver(load_puzzle(name), 80)
    found = engine(engine_page, BEAM, {"asked": {"name": name}, "width": 80})
    # turn by turn: ties fall in both by the same rules, see close() of layer.js
    assert found == {"score": expected.score, "turns": [str(turn) for turn in expected.turns]}


@pytest.mark.parametrize(("kind", "turns", "draws"), [("reach", 9, 1), ("plays", 10, 4)])
def test_games_that_continue_a_position_are_found_also_for_plays_of_every_draw(
    engine_page: "Chrome", kind: str, turns: int, draws: int
) -> None:
    begun = recorded_games()["challenge"][:turns]
    games = games_of(engine_page, kind, begun)
    assert len(games) >= 3
    assert all(game["turns"][:turns] == begun for game in games)
    assert len({game["turns"][turns].split()[0] for game in games}) >= draws
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


def test_a_word_is_laid_down_as_the_solver_lays_it(engine_page: "Chrome") -> None:
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
    code = """
    const { laid } = await load("../game");
    return values.map(([word, rack]) => laid(word, rack));
    """
    assert engine(engine_page, code, cases) == expected
    assert 0 < expected.count(None) < 300


@pytest.mark.parametrize(
    ("row", "rack_size", "bonus"),
    [
        (load_puzzle().row, 10, 0),
        ("tea?setsoatzest", 5, 0),
        ("teasetsoatzestquietrainsnotes?", 13, 0),
        ("teasetsoatzest?rain", 4, 50),
    ],
)
def test_hands_and_points_of_a_game_are_those_of_the_referee(
    engine_page: "Chrome", row: str, rack_size: int, bonus: int
) -> None:
    puzzle = load_puzzle().with_fields({"row": row, "rack": rack_size, "bonus": bonus})
    lines = [str(turn) for turn in solve(puzzle, strategy="greedy").solution.turns]
    code = """
    const { Game, turnOf } = await load("../game");
    const game = new Game(values.puzzle, values.lines.map(turnOf));
    const hands = values.lines.map((_, count) => game.at(count).leave);
    const points = values.lines.map((line) => game.points(turnOf(line).tiles));
    return { score: game.score, points, hands };
    """
    game = {"row": row, "rack": rack_size, "values": dict(puzzle.values), "bonus": bonus}
    seen = engine(engine_page, code, {"puzzle": game, "lines": lines})
    verdict = judge("\n".join(lines), puzzle)
    assert (verdict.valid, verdict.score) == (True, seen["score"])
    assert seen["points"] == [turn.score for turn in verdict.turns]
    for hand, turn in zip(seen["hands"], verdict.turns, strict=True):
        assert Counter(hand) == Counter(turn.rack) - Counter(turn.left + turn.right)
