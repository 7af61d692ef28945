"""The plays of the checker's sweeps, and which of them it makes, against plain code."""

import random
from unittest.mock import patch

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.bound.games import WORDS, Small, small, smalls
from tests.bound.test_checker import prices_of, settled
from tests.reference import VALUES, best_by_tiles
from verify.bound.foci import WHOLE, Focus, Judges, Settled
from verify.bound.numbers import MOST_TILES, number_of, score_of, spell, state_number, tiles_of
from verify.bound.play_tree import play_tree
from verify.bound.relaxed_game import POINT
from verify.bound.sweep import ClaimSweep
from verify.bound.word_arrays import BLANK_KIND, WordArrays, values_of
from verify.replay.rules import Rules


def tile_number(tile: str) -> int:
    return BLANK_KIND + 1 if tile == "?" else ord(tile) - ord("a") + 1


def rack_number(rack: str, left: int, score: int) -> int:
    descending = np.array(sorted(map(tile_number, rack), reverse=True), dtype=np.int64)
    return int(state_number(left, np.uint64(number_of(descending, len(rack))), score))


def read_tiles(state: np.uint64) -> str:
    tiles = np.zeros(MOST_TILES, dtype=np.int64)
    size = tiles_of(state, tiles)
    return "".join(sorted("?" if tile == BLANK_KIND + 1 else chr(ord("a") + tile - 1) for tile in tiles[:size].tolist()))


def less(rack: str, play: str) -> str:
    for tile in play:
        rack = rack.replace(tile, "", 1)
    return "".join(sorted(rack))


@given(blanks=st.integers(0, 3), words=st.sets(st.sampled_from((*WORDS, "ooooox", "eeeee")), min_size=1))
def test_the_tree_has_every_play_of_the_words_once_with_its_best_score(blanks: int, words: set[str]) -> None:
    rules = Rules("small", "a" * 9 + "?" * blanks, 6, VALUES, frozenset(words))
    tree = play_tree(WordArrays.of(rules), values_of(rules), blanks)
    found, path, parents = dict[str, int](), [""] * 7, [0] * 7
    for node, (tile, depth, score) in enumerate(zip(tree.tile, tree.depth, tree.score, strict=True)):
        if node:
            path[depth] = path[depth - 1] + ("?" if tile == BLANK_KIND + 1 else chr(ord("a") + tile - 1))
            # every node ends where the nodes begin that do not begin with its tiles
            assert node < tree.beyond[node] <= tree.beyond[parents[depth - 1]]
        parents[depth] = node
        if score >= 0:
            assert found.setdefault("".join(sorted(path[depth])), int(score)) == score
    assert tree.beyond[0] == len(tree.tile)
    assert found == best_by_tiles("".join(words) + "?" * blanks, sorted(words))


def racks_of(game: Small, rng: random.Random) -> tuple[int, int, int, list[str]]:
    """Tiles played and drawn, left draws, and some racks that may be held then."""
    tiles, rack = len(game.row), game.rules.rack_size
    drawn = rng.randint(min(rack, tiles), tiles)
    left = 0 if drawn == tiles else rng.randint(0, drawn)
    at_hand = game.row if drawn == tiles else game.row[:left] + game.row[tiles - (drawn - left) :]
    size = rng.randint(1, min(rack, tiles)) if drawn == tiles else rack
    return drawn - size, drawn, left, ["".join(sorted(rng.sample(at_hand, size))) for _ in range(rng.randint(1, 4))]


@given(game=smalls, seed=st.integers(0, 10_000), later=st.integers(1, 3), few=st.sampled_from([0, 100]))
@settings(max_examples=60, deadline=None)
def test_a_sweep_makes_all_states_whose_bounds_exceed_the_claim_and_no_state_that_is_not_of_the_game(
    game: Small, seed: int, later: int, few: int
) -> None:
    rng = random.Random(seed)
    played, drawn, left, racks = racks_of(game, rng)
    first = min(game.rules.rack_size, len(game.row))
    other = small(game.row, game.rules.rack_size, seed)
    then = settled(other, (first, 0, first))
    focus = Focus(played + later, then.focus.window, prices_of(other))
    judges = Judges([settled(game, WHOLE), Settled(focus, then.game, then.most)])
    scores = [rng.randint(0, 20) for _ in racks]
    outlooks = [judges.outlook(played + length, drawn, left) for length in range(len(racks[0]) + 1)]

    def bound(state: str, score: int, layer: int) -> int:
        outlook = judges.outlook(layer, drawn, left)
        worth = sum(int(outlook.worth[len(state), tile_number(tile), state.count(tile)]) for tile in set(state))
        return POINT * score + int(outlook.to_come[len(state)]) + worth

    children, useful = dict[str, int](), dict[str, int]()
    bounds = []
    for rack, score in zip(racks, scores, strict=True):
        for play, points in best_by_tiles(rack, WORDS).items():
            leave, total = less(rack, play), score + points
            children[leave] = max(children.get(leave, 0), total)
            least = min(bound(leave, total, played), bound(leave, total, played + len(play)))
            bounds.append((least, leave, total))
    # a claim among the bounds, so that about half of the states are of use
    claim = sorted(bounds)[rng.randrange(len(bounds))][0] // POINT - rng.randint(0, 1) if bounds else 5
    for least, leave, total in bounds:
        if least >= (claim + 1) * POINT:
            useful[leave] = max(useful.get(leave, 0), total)

    sweep = ClaimSweep(game.rules, judges, claim, lambda _done, _total: None)
    numbers = np.array(sorted(map(rack_number, racks, [left] * len(racks), scores)), dtype=np.uint64)
    with patch("verify.bound.sweep._FEW", few):
        made = [state for states in sweep._played(numbers, spell(numbers), outlooks).values() for state in states]
    found = {read_tiles(state): int(score_of(state)) for state in made}
    assert len(found) == len(made)
    assert useful.items() <= found.items()
    for leave, score in found.items():
        assert score <= children[leave]
    if few or all(len(set(rack)) == len(rack) for rack in racks):
        assert found == useful
