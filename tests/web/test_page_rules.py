"""The page's own small rules, run in the browser, against those of the solver and the referee."""

import random
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from solver import load_puzzle, solve
from solver.errors import RackError
from solver.model.puzzle import Puzzle
from solver.model.tiles import laid_tiles, rack_counts
from verify import judge, load_rules

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

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
  const hands = lines.map((_, count) => game.hand(count));
  done({ score: game.score, points: lines.map((line) => game.points(turnOf(line).tiles)), hands, end: game.hand() });
}).catch((error) => done(String(error)));
"""


def test_a_word_is_laid_down_as_the_solver_lays_it(page: "Chrome") -> None:
    rng = random.Random(5)
    cases, expected = [], []
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


@pytest.mark.parametrize(
    "puzzle",
    [
        load_puzzle("challenge"),
        replace(load_puzzle("challenge"), name="own", row="tea?setsoatzest", rack_size=5),
        replace(load_puzzle("challenge"), name="wide", row="teasetsoatzestquietrainsnotes?", rack_size=13),
        replace(load_puzzle("challenge"), name="bonus", row="teasetsoatzest?rain", rack_size=4, bonus=50),
    ],
    ids=lambda puzzle: puzzle.name,
)
def test_hands_and_points_of_a_game_are_those_of_the_referee(page: "Chrome", puzzle: Puzzle) -> None:
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
    if puzzle.name == "challenge":
        verdict = judge("\n".join(lines), load_rules("challenge"), "game")
        assert (verdict.valid, verdict.score) == (True, seen["score"])
    assert [(hand["left"], hand["right"], "".join(sorted(hand["leave"]))) for hand in seen["hands"]] == hands(puzzle, lines)


def hands(puzzle: Puzzle, lines: list[str]) -> list[tuple[int, int, str]]:
    """Tiles drawn from the left and from the right, and the sorted leave, before each turn."""
    found, row, leave, left, right = [], list(puzzle.row), list[str](), 0, 0
    for line in lines:
        found.append((left, right, "".join(sorted(leave))))
        wants = min(puzzle.rack_size - len(leave), len(row))
        from_left = min(int(line.split()[0]), wants)
        leave += row[:from_left] + row[len(row) - (wants - from_left) :]
        row = row[from_left : len(row) - (wants - from_left)]
        left, right = left + from_left, right + wants - from_left
        for tile in line.split()[1]:
            leave.remove(tile)
    return found
