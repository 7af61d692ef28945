"""Long comparisons of the page's own engine with the solver: many racks, rows and draws."""

import random
from typing import TYPE_CHECKING

import pytest

from solver.index.problem import Problem
from solver.lab.known import recorded_games
from solver.model.puzzle import load_puzzle
from solver.model.racks import racks_counts
from tests.web.engine_view import BEAM, beam_of_solver, engine, games_of

if TYPE_CHECKING:
    from selenium.webdriver import Chrome


def test_the_best_plays_of_2000_random_racks_are_those_of_the_solver(engine_page: "Chrome") -> None:
    rng, problem = random.Random(1), Problem.of(load_puzzle("challenge"))
    tiles = problem.puzzle.row + "???"
    racks = ["".join(rng.sample(tiles, rng.choice([2, 5, 8, 10, 10, 10, 10]))) for _ in range(2000)]
    code = """
    const { countsOf, encode } = await load("tiles");
    const { finder } = desk.problem({ name: "challenge" }).tables;
    return values.map((rack) => finder.best(countsOf(encode(rack)), 6).map(({ tiles, word, score }) => [tiles, word, score]));
    """
    expected = problem.finder.best(racks_counts(racks), top=6)
    for rack, found, plays in zip(racks, engine(engine_page, code, racks), expected, strict=True):
        assert found == [list(play) for play in plays], rack


@pytest.mark.parametrize("number", range(1, 10))
def test_a_beam_of_width_200_finds_the_game_that_the_solver_finds(engine_page: "Chrome", number: int) -> None:
    name = f"shuffled-{number:02}"
    expected = beam_of_solver(load_puzzle(name), 200)
    found = engine(engine_page, BEAM, {"asked": {"name": name}, "width": 200})
    # turn by turn: ties fall in both by the same rules, see close() of layer.js
    assert (found["score"], found["turns"]) == (expected.score, [str(turn) for turn in expected.turns])


def test_games_are_found_for_plays_of_every_draw(engine_page: "Chrome") -> None:
    begun = recorded_games()["challenge"][:9]
    games = games_of(engine_page, "plays", {"name": "challenge"}, begun)
    assert all(game["turns"][:9] == begun for game in games)
    assert len({game["turns"][9].split()[0] for game in games}) >= 4  # draws
    assert max(game["score"] for game in games) == 1042
