"""The page's own engine in a real browser agrees with the solver and with the referee."""

import json
import random
from typing import TYPE_CHECKING

import pytest

from solver.index.problem import Problem
from solver.lab.known import recorded_games
from solver.model.puzzle import Puzzle, load_puzzle
from solver.model.racks import racks_counts
from solver.search.beam import Beam, BeamParameters
from solver.search.run import Run
from solver.web.position import Desk
from tests.web.engine_view import BEAM, beam_of_solver, engine, games_of
from verify import judge
from verify.replay.rules import load_rules

if TYPE_CHECKING:
    from selenium.webdriver import Chrome


@pytest.mark.parametrize("count", [400, pytest.param(2000, marks=pytest.mark.long)])
def test_the_best_plays_of_random_racks_are_those_of_the_solver(engine_page: "Chrome", count: int) -> None:
    rng, problem = random.Random(1), Problem.of(load_puzzle("challenge"))
    tiles = problem.puzzle.row + "???"
    racks = ["".join(rng.sample(tiles, rng.choice([2, 5, 8, 10, 10, 10, 10]))) for _ in range(count)]
    code = """
    const { countsOf, encode } = await load("tiles");
    const { finder } = desk.problem({ name: "challenge" }).tables;
    return values.map((rack) => finder.best(countsOf(encode(rack)), 6).map(({ tiles, word, score }) => [tiles, word, score]));
    """
    expected = problem.finder.best(racks_counts(racks), top=6)
    for rack, found, plays in zip(racks, engine(engine_page, code, racks), expected, strict=True):
        assert found == [list(play) for play in plays], rack


def test_the_best_plays_of_variants_are_those_of_the_solver(engine_page: "Chrome") -> None:
    rng = random.Random(2)
    values = {"a": 1, "e": 0, "s": 2, "t": 1, "z": 9, "q": 3, "?": 2}
    puzzle = Puzzle("variant", "abc", 8, "enable1", values, bonus=50)
    problem = Problem.of(puzzle)
    racks = ["".join(rng.choices("aeeisstrnolzq???", k=rng.randint(2, 8))) for _ in range(200)]
    code = """
    const { countsOf, encode } = await load("tiles");
    const [{ PlayFinder }, { Scoring }] = [await load("plays"), await load("scoring")];
    const finder = new PlayFinder(desk.lexicon, new Scoring(values.values, 8, 50));
    return values.racks.map((rack) => finder.best(countsOf(encode(rack)), 4).map(({ word, score }) => [word, score]));
    """
    expected = problem.finder.best(racks_counts(racks), top=4)
    found = engine(engine_page, code, {"values": values, "racks": racks})
    assert found == [[[play.word, play.score] for play in plays] for plays in expected]


@pytest.mark.parametrize(
    "name",
    ["challenge", "shuffled-06", *(pytest.param(f"shuffled-0{n}", marks=pytest.mark.long) for n in range(1, 10) if n != 6)],
)
def test_a_beam_of_width_200_finds_the_game_that_the_solver_finds(engine_page: "Chrome", name: str) -> None:
    expected = beam_of_solver(load_puzzle(name), 200)
    found = engine(engine_page, BEAM, {"asked": {"name": name}, "width": 200})
    # turn by turn: ties fall in both by the same rules, see close() of layer.js
    assert (found["score"], found["turns"]) == (expected.score, [str(turn) for turn in expected.turns])


@pytest.mark.parametrize(
    ("row", "width"), [("tea?setsoatzest", 90), ("qi", 10), ("vvv", 10), ("a?b", 100), ("zests?jo??quixotryaa" * 2, 80)]
)
def test_a_beam_on_a_short_row_finds_what_the_solver_finds(engine_page: "Chrome", row: str, width: int) -> None:
    expected = beam_of_solver(load_puzzle("challenge").with_row(row), width)
    found = engine(engine_page, BEAM, {"asked": {"row": row}, "width": width})
    assert found["score"] == expected.score


def test_games_that_continue_a_position_are_found_by_wider_and_wider_beams(engine_page: "Chrome") -> None:
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


def test_each_position_of_a_game_is_reviewed(engine_page: "Chrome") -> None:
    turns = ["3 tea tea", "0 oats oats"]
    games = [game["turns"] for game in games_of(engine_page, "review", {"row": "tea?setsoatzest"}, turns)]
    assert len(games) == 6
    assert [game[: 2 - number] for number, game in enumerate(games[:3])] == [turns, turns[:1], []]


def mutated(lines: list[str], rng: random.Random) -> str:
    """An answer with one to three slips."""
    lines = list(lines)
    for _ in range(rng.choice([1, 1, 1, 2, 3])):
        at = rng.randrange(len(lines))
        left, play, word = [*lines[at].split(), "", "", ""][:3]
        place = rng.randrange(max(1, len(play)))
        lines[at] = rng.choice(
            [
                f"{rng.choice([rng.randrange(12), '-1', '+3', 'x', '2.0', '99', '07'])} {play} {word}",
                f"{left} {play[:place]}{rng.choice('abcxyz?')}{play[place + 1 :]} {word}",
                f"{left} {play} {word}{rng.choice('sz')}",
                f"{left} {play}",
                f"{left} {play} {word} extra",
                "",
                word,
                f"{left} {word} {word}",
                f"# score {rng.randrange(1200)}\n{lines[at]}",
                lines[at].upper(),
                f"{left} knickknack knickknack",
                f"{left} {play} 'caf\u00e9\x07\"",
            ]
        )
    return "\n".join(lines)


def test_the_verdicts_on_800_answers_with_slips_are_those_of_the_referee(engine_page: "Chrome") -> None:
    rng, games = random.Random(3), recorded_games()
    rules = {name: load_rules(name) for name in games}
    answers = [(name, mutated(games[name], rng)) for name in rng.choices(sorted(games), k=800)]
    code = """
    const [{ parse, numbered }, { judge }] = [await load("parse"), await load("referee")];
    return values.map(([name, text]) => {
      const { valid, score, turns, faults } = judge(parse(numbered(text)), desk.problem({ name }).rules);
      const rack = (turn) => [...turn.rack].sort().join("");
      return { valid, score, turns: turns.map((turn) => [turn.left, turn.right, rack(turn), turn.play, turn.word, turn.total]),
        faults: faults.map((fault) => [fault.line, fault.code, fault.message, fault.follows]) };
    });
    """
    for (name, text), found in zip(answers, engine(engine_page, code, answers), strict=True):
        verdict = judge(text, rules[name], strict=True)
        turns = [[t.left, t.right, "".join(sorted(t.rack)), t.play, t.word, t.total] for t in verdict.turns]
        assert found["faults"] == [[f.line, f.code, f.message, f.follows_from] for f in verdict.violations], text
        assert found["turns"] == turns, text
        assert (found["valid"], found["score"]) == (verdict.valid, verdict.score)


@pytest.mark.parametrize("asked", [{"name": "challenge"}, {"name": "shuffled-02"}, {"row": "zests?jo??quixotryaa"}])
def test_a_game_is_shown_and_exported_as_the_server_does(engine_page: "Chrome", asked: dict[str, str]) -> None:
    desk = Desk(load_puzzle("challenge"))
    problem = desk.problem(asked)
    run = Run()
    Beam(BeamParameters(20)).search(problem, run)
    lines = [str(turn) for turn in run.incumbent.turns]
    forms = ["text", "reddit", "markdown", "json", "svg"]
    code = """
    const shown = desk.gameIn(values.asked, values.lines.join("\\n"), 0);
    const forms = values.forms.map((form) => desk.gameAs(values.asked, values.lines, form));
    return { shown, forms };
    """
    found = engine(engine_page, code, {"asked": asked, "lines": lines, "forms": forms})
    assert found["forms"] == [desk.exported(asked, lines, form)["text"] for form in forms]
    shown = json.loads(json.dumps(desk.shown(asked, "\n".join(lines), 0)))
    assert found["shown"] == {**shown, "file": ""}


def test_the_plays_of_every_draw_are_legal_and_leave_what_they_say(engine_page: "Chrome") -> None:
    first = "6 s?l?mnized solemnized"
    draws = engine(engine_page, 'return desk.playsOf({ name: "challenge" }, [values]);', first)
    assert [draw["left"] for draw in draws] == list(range(11))
    for draw in draws:
        assert [play["score"] for play in draw["plays"]] == sorted((play["score"] for play in draw["plays"]), reverse=True)
        for play in draw["plays"]:
            line = f"{draw['left']} {play['tiles']} {play['word']}"
            assert judge(f"{first}\n{line}").score == 141 + play["score"]
            assert sorted(play["tiles"] + play["leave"]) == sorted(draw["rack"])


def test_seeds_name_the_same_rows_as_the_solver(engine_page: "Chrome") -> None:
    seeds = [0, 1, 20_260_101, 10**9]
    rows = engine(engine_page, "return values.map((seed) => desk.problem({ seed }).row);", seeds)
    assert rows == [load_puzzle("challenge").shuffled(seed).row for seed in seeds]


def test_the_engine_loads_the_words_of_the_list(engine_page: "Chrome") -> None:
    words = Problem.of(load_puzzle("challenge")).lexicon.words
    code = """
    const { decode } = await load("tiles");
    return Array.from({ length: desk.lexicon.count }, (_, id) => decode(desk.lexicon.word(id)));
    """
    assert tuple(engine(engine_page, code)) == words


def test_answers_in_a_post_are_judged_one_by_one(engine_page: "Chrome") -> None:
    games = recorded_games()
    one, other = games["challenge"], ["4 sd?z sdaz"]
    beam = [str(turn) for turn in beam_of_solver(load_puzzle("challenge"), 90).turns]
    mine = ["u/ann", "3 points 2 years ago", "Mine:", "", *(f"    {line}" for line in one)]
    post = "\n".join([*mine, "", "bob \u2022 2y ago", "Upvote", "12", *beam])
    separated = [between.join(["\n".join(one), "\n".join(beam)]) for between in ("\n\n", "\n---\n")]
    listed = "\n".join(f"{number}. {line}" for number, line in enumerate(one, start=1))
    headed = "\n".join(["# puzzle shuffled-01", *games["shuffled-01"]])
    texts = [post, *separated, listed, headed, "\n".join(other), "# puzzle nosuch\n0 aa aa", ""]
    found = engine(engine_page, 'return values.map((text) => desk.verdictsOn({ name: "challenge" }, text));', texts)
    summary = [[(answer["name"], answer["valid"], answer["puzzle"]) for answer in answers] for answers in found]
    assert summary[:5] == [
        [("u/ann", True, "challenge"), ("bob", True, "challenge")],
        [("", True, "challenge")] * 2,
        [("", True, "challenge")] * 2,
        [("", True, "challenge")],
        [("", True, "shuffled-01")],
    ]
    unknown, no_puzzle, empty = (answers[0]["faults"] for answers in found[5:])
    assert [fault["line"] for fault in unknown] == [1]
    assert "not in the word list" in unknown[0]["message"]
    assert "no bundled puzzle" in no_puzzle[0]["message"]
    assert "no turn" in empty[0]["message"]
