"""Variants: blanks that are worth points, a bonus for a full rack, and rows drawn from a bag."""

import json
import random
from collections import Counter
from collections.abc import Mapping
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import solver
from solver.bound.certificate import certificate
from solver.bound.schedule import tighten_upper_bound
from solver.index.problem import Problem
from solver.model.puzzle import Lexicon, load_puzzle, puzzle_toml
from solver.model.tiles import CLOSED_RACK, rack_counts
from solver.search.run import Run
from solver.solving.solve import search
from solver.solving.strategies import make_strategy, suited_strategy
from tests.process import rowdraw
from tests.puzzles import problem_of
from tests.reference import (
    VALUES,
    Rule,
    best_by_tiles,
    draws,
    length_score,
    optimum,
    plain_score,
    play_score,
    ranking,
    rest_of,
)
from verify import Rules, load_rules
from verify.rules import unpacked
from verify.stated import comments_of

ELEVEN = "abateseatab"
# worth less than all letters but one, as much as some of them, and more than nearly all
blanks = st.sampled_from([1, 3, 9])
bonus_points = st.sampled_from([0, 1, 40])
# the letters of the words of the small list that are worth less and more than most
few_values = st.fixed_dictionaries(
    {letter: st.integers(0, 6) for letter in "abestz"} | {"?": st.integers(0, 9)}
)


@settings(max_examples=40)
@given(
    row=st.text("abestz?", min_size=1, max_size=9),
    rack_size=st.integers(2, 6),
    values=few_values,
    bonus=bonus_points,
    fishing=st.sampled_from([0, 5]),
)
def test_an_unbounded_beam_is_optimal(
    small_lexicon: Lexicon,
    row: str,
    rack_size: int,
    values: dict[str, int],
    bonus: int,
    fishing: int,
) -> None:
    problem = problem_of(small_lexicon.words, row, rack_size, values, bonus)
    result = search(problem, make_strategy(f"beam:width=1000000,fishing={fishing}"), Run(threads=2))
    assert result.score == optimum(row, rack_size, small_lexicon.words, values, bonus)
    assert result.verdict.valid


@settings(max_examples=8)
@given(
    row=st.permutations(ELEVEN + "t"),
    wanted=st.sets(st.integers(0, 11), max_size=2),
    # an index of large racks takes seconds, so there are two
    scores=st.sampled_from([(VALUES, 0), (VALUES | {"?": 9}, 40)]),
)
def test_racks_above_ten_tiles_are_searched_with_the_same_results(
    small_lexicon: Lexicon,
    row: list[str],
    wanted: set[int],
    scores: tuple[dict[str, int], int],
) -> None:
    values, bonus = scores
    tiles = "".join("?" if place in wanted else tile for place, tile in enumerate(row))
    words = (*small_lexicon.words, ELEVEN)
    problem = problem_of(words, tiles, CLOSED_RACK, values, bonus)
    result = search(problem, make_strategy("beam:width=1000000"), Run())
    assert result.score == optimum(tiles, CLOSED_RACK, words, values, bonus)
    assert result.verdict.valid


@settings(max_examples=25)
@given(row=st.text("abestz?", min_size=1, max_size=14), values=few_values, bonus=bonus_points)
def test_every_greedy_turn_is_one_of_the_best(
    small_lexicon: Lexicon, row: str, values: dict[str, int], bonus: int
) -> None:
    problem = problem_of(small_lexicon.words, row, 4, values, bonus)
    left = right = 0
    leave = ""
    game = search(problem, make_strategy("greedy"), Run())
    assert game.verdict.valid
    for turn in (*game.turns, None):
        options = list(draws(row, left, right, leave, 4))
        scores = [0]
        for _left, _right, rack in options:
            scores += best_by_tiles(rack, small_lexicon.words, values, {4: bonus}).values()
        # turns without points at the end are left out
        assert max(scores) == (turn.score if turn else 0)
        if turn:
            left, right, rack = next(option for option in options if option[0] == left + turn.left)
            assert turn.score == play_score(turn.play, values, {4: bonus})
            leave = rest_of(rack, turn.play)


some_words = st.lists(
    st.text("abz", min_size=1, max_size=5), min_size=1, max_size=12, unique=True
).map(sorted)
# more words of a length than a scan looks at at a time
CROWD = ["".join(word) for word in product("abz", repeat=4)]


def full_score(play: str, values: Mapping[str, int]) -> int:
    return play_score(play, values, {4: 7})


@pytest.mark.parametrize(
    ("rule", "bonus", "score"),
    [
        ("positional", 0, play_score),
        ("positional", 7, full_score),
        ("scrabble", 0, plain_score),
        ("longest", 0, length_score),
    ],
)
@given(
    words=some_words | st.just(CROWD),
    rack=st.text("abz", min_size=1, max_size=7) | st.text("abz?", min_size=1, max_size=7),
    values=few_values,
    shortest=st.integers(1, 4),
    top=st.integers(1, 6) | st.just(40),
)
def test_the_best_plays_of_a_rack_are_laid_down_as_they_score(
    rule: str,
    bonus: int,
    score: Rule,
    words: list[str],
    rack: str,
    values: dict[str, int],
    shortest: int,
    top: int,
) -> None:
    finder = problem_of(words, "a", 4, values, bonus).finder_by(rule)
    # of several racks each has its own
    _other, plays = finder.best([rack_counts("zz"), rack_counts(rack)], top=top, shortest=shortest)
    assert finder.best([rack_counts(rack)], top=top, shortest=shortest) == [plays]
    assert [(play.score, play.word) for play in plays] == ranking(
        rack, words, shortest, score, values
    )[:top]
    for play in plays:
        assert score(play.tiles, values) == play.score
        assert not Counter(play.tiles) - Counter(rack)
        assert all(
            tile in ("?", letter) for tile, letter in zip(play.tiles, play.word, strict=True)
        )


def test_a_blank_stands_for_a_letter_of_the_rack_that_is_worth_less(
    small_lexicon: Lexicon, root: Path
) -> None:
    problem = problem_of(small_lexicon.words, "a", 5, VALUES | {"?": 2}, 0)
    plays = problem.finder.best([rack_counts("toe?")], top=3)[0]
    assert plays == [("et?", "eta", 9), ("te?", "tea", 9), ("to?", "toe", 9)]
    variant = root / "examples" / "variant.toml"
    assert solver.best_plays("qoph?z", 3, puzzle=variant)[2].tiles == "q?ph"


tables = st.dictionaries(st.sampled_from("abqz?"), st.integers(0, 1000), max_size=4)
bags = st.builds(
    '{{ bag = "english", seed = {}, tiles = {} }}'.format,
    st.integers(0, 10**9),
    st.integers(1, 100),
)


@given(
    values=tables,
    bonus=st.integers(0, 10_000),
    row=st.text("abz?", min_size=1).map(json.dumps) | bags,
    rack=st.integers(2, 15),
)
def test_rules_that_are_written_or_packed_read_back(
    tmp_path_factory: pytest.TempPathFactory,
    values: dict[str, int],
    bonus: int,
    row: str,
    rack: int,
) -> None:
    path = tmp_path_factory.mktemp("puzzle") / "p.toml"
    table = ", ".join(f"{json.dumps(tile)} = {value}" for tile, value in values.items())
    path.write_text(f"row = {row}\nrack = {rack}\nbonus = {bonus}\nvalues = {{ {table} }}\n")
    rules = load_rules(path)
    assert rules.is_variant == bool(bonus or values.get("?"))
    own = rules.with_words(["ab", "za"])
    assert unpacked(json.loads(json.dumps(own.packed()))) == own
    again = path.with_name("again.toml")
    again.write_text(puzzle_toml(rules))
    assert load_rules(again) == rules


def test_a_blank_value_and_a_bonus_change_the_digest_and_0_does_not() -> None:
    values = {"a": 1}
    puzzles = [
        Rules("a?", 2, values | more, frozenset({"aa"}), bonus)
        for more, bonus in (({}, 0), ({"?": 0}, 0), ({"?": 2}, 0), ({}, 2), ({"?": 2}, 2))
    ]
    digests = [puzzle.digest for puzzle in puzzles]
    assert digests[0] == digests[1]
    assert len(set(digests)) == 4


def test_a_bag_is_drawn_as_the_formats_say(tmp_path: Path) -> None:
    tiles = list(
        "aaaaaaaaabbccddddeeeeeeeeeeeeffggghhiiiiiiiiijkllllmmnnnnnn"
        "ooooooooppqrrrrrrssssttttttuuuuvvwwxyyz??"
    )
    random.Random(7).shuffle(tiles)
    for first, more in ((100, ""), (60, ", tiles = 60"), (1, ", tiles = 1")):
        path = tmp_path / "bag.toml"
        path.write_text(f'row = {{ bag = "english", seed = 7{more} }}\n')
        assert load_rules(path).row == "".join(tiles[:first])


def test_an_answer_to_a_variant_states_what_differs_from_the_challenge(tmp_path: Path) -> None:
    path = tmp_path / "v.toml"
    challenge = load_puzzle("challenge")
    for more in ("bonus = 5\n", 'values = { "?" = 2 }\n'):
        path.write_text(f'row = "{challenge.row}"\n{more}')
        puzzle = load_puzzle(str(path))
        assert "row" not in comments_of(puzzle)
        assert comments_of(puzzle.with_row("tea")).startswith("# row tea\n")


def test_a_variant_is_searched_by_a_beam_and_another_row_exactly(small_lexicon: Lexicon) -> None:
    rules = problem_of(small_lexicon.words, "tea", 5, VALUES, bonus=5).rules
    for more, expected in (
        ({}, "beam"),
        ({"rack": 13}, "greedy"),
        ({"bonus": 0}, "exact"),
    ):
        problem = Problem(rules.with_fields(more))
        assert suited_strategy(problem, is_limited=False) == expected


def test_a_game_with_a_rack_too_large_for_a_beam_goes_on_greedily(small_lexicon: Lexicon) -> None:
    problem = problem_of(small_lexicon.words, "tea", 13, VALUES)
    assert suited_strategy(problem, is_limited=True, is_plain=False) == "greedy"


def test_commands_say_in_one_line_that_bounds_take_no_variant(root: Path, tmp_path: Path) -> None:
    variant = str(root / "examples" / "variant.toml")
    ordinary = Problem(load_puzzle("challenge").with_row("tea?sets"))
    file = tmp_path / "bound.txt"
    file.write_text(certificate(ordinary, tighten_upper_bound(ordinary, Run(seconds=0.1))))
    for what, *command in (
        ("a bound", "bound", variant),
        ("exact search", "solve", variant, "--strategy", "exact"),
        ("a bound", "verify", str(file), "--puzzle", variant),
    ):
        done = rowdraw(*command, code=2)
        assert not done.stdout
        assert f"{what} does not support variants" in done.stderr
        assert len(done.stderr.splitlines()) == 1


def test_every_view_of_a_game_shows_what_blanks_and_the_bonus_bring(
    root: Path, tmp_path: Path
) -> None:
    variant = str(root / "examples" / "variant.toml")
    file = str(tmp_path / "answer.txt")
    rowdraw("solve", variant, "--strategy", "beam:width=100", "-o", file, code=0)
    rowdraw("verify", file, "--puzzle", variant, code=0)
    turns = json.loads((tmp_path / "answer.json").read_text())["turns"]
    bonuses = [turn.get("bonus", 0) for turn in turns]
    assert bonuses == [50 * (len(turn["play"]) == 7) for turn in turns]
    full_racks = bonuses.count(50)
    assert full_racks > 0
    for turn in turns:
        assert sum(turn["points"]) + turn.get("bonus", 0) == turn["score"]
    with_blank = next(turn for turn in turns if "?" in turn["play"])
    place = with_blank["play"].index("?")
    assert with_blank["points"][place] == 2 * (place + 1)

    def shown(form: str) -> str:
        return rowdraw("show", file, "--puzzle", variant, "--format", form).stdout

    assert shown("csv").count(" + 50,") == full_racks
    assert shown("text").count(" + 50\n") == full_racks
    assert shown("svg").count(">+ 50<") == full_racks
    assert f"{place + 1}×2" in shown("text")
    assert '"bonus": 50' in shown("html")
    assert [turn.get("bonus", 0) for turn in json.loads(shown("json"))[0]["turns"]] == bonuses
