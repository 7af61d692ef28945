"""Hashes, the closed index and its filter and sieves, tries and the plays found on them."""

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from solver.index.kernels.indexes import (
    TILE_HASH,
    Rated,
    Trie,
    build_trie,
    close_under_blanks,
    fill_filter,
    fill_slots,
    first_slot,
    fitting_plays,
    hashes_of,
    log2,
    needed_entry,
    rate_plays,
    settled_slot,
)
from solver.index.kernels.rack_plays import RankedWords, SignatureWords, best_plays, node_reaches, placed_plays, placed_score
from solver.index.problem import build_signature_index, ranked_words
from solver.model.puzzle import Lexicon
from solver.model.tiles import MAX_TILES, N_CODES, ORDER, Scoring, counts_of, encode, scoring_of
from solver.search.kernels.sieve import fill_sieves, sieve_bits
from tests.kernels import twins
from tests.reference import best_by_tiles, play_score

hashes = st.integers(0, 2**64 - 1)
# few codes, so that multisets share beginnings and tiles are lacked
multisets = st.lists(st.sampled_from([0, 1, 2, 26]), min_size=1, max_size=5).map(lambda tiles: tuple(sorted(tiles)))
plays = st.dictionaries(multisets, st.integers(0, 1500), max_size=30)
prices = st.lists(st.integers(0, 4000), min_size=N_CODES, max_size=N_CODES)
words = st.lists(st.text("esz", min_size=1, max_size=5), min_size=1, max_size=12, unique=True).map(sorted)
# blanks are worth nothing, or less or more than letters
values = st.fixed_dictionaries({letter: st.integers(0, 10) for letter in "esz"} | {"?": st.just(0) | st.integers(0, 12)})
FULL, BONUS = 4, 7  # plays of so many tiles have a bonus


def bonus_score(play: str, values: dict[str, int]) -> int:
    return play_score(play, values, {FULL: BONUS})


RULES = [("positional", play_score), ("scrabble", twins.plain_score), ("longest", twins.length_score)]
VARIANT_RULES = [("positional", bonus_score), ("scrabble", twins.plain_score)]
ALL_RULES = [*RULES, VARIANT_RULES[0]]


def as_arrays(some: dict[tuple[int, ...], int]) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.int32]]:
    return np.array([twins.packed(tiles) for tiles in some], dtype=np.uint64), np.array(list(some.values()), dtype=np.int32)


def scoring(values: dict[str, int], rule: str = "positional", bonus: int = BONUS) -> Scoring:
    table = np.array([values.get(tile, 0) for tile in ORDER], dtype=np.int32)
    return scoring_of(table, rule, FULL, bonus)


@given(hashes, st.integers(0, 30))
def test_a_table_is_searched_from_the_place_that_fibonacci_hashing_says(number: str, bits: int) -> None:
    assert first_slot(np.uint64(number), np.uint64(2**bits - 1)) == twins.first_place(number, 2**bits)


@given(st.integers(0, 62))
def test_the_logarithm_is_that_of_a_power_of_two(bits: int) -> None:
    assert log2(2**bits) == twins.logarithm(2**bits) == bits


@given(plays)
def test_a_hash_is_the_sum_of_those_of_the_tiles(some: dict[tuple[int, ...], int]) -> None:
    assert hashes_of(as_arrays(some)[0]).tolist() == [twins.hash_of(tiles, TILE_HASH.tolist()) for tiles in some]


@given(st.dictionaries(multisets, st.tuples(hashes, st.integers(0, 2**27 - 1)), max_size=30), st.integers(5, 8))
def test_every_play_stands_in_the_first_free_slot(some: dict[tuple[int, ...], tuple[int, int]], bits: int) -> None:
    packed, score = as_arrays({tiles: score for tiles, (_hash, score) in some.items()})
    # hashes of any kind, crowded ones too
    hashed = [number if number % 3 else number | 0xFF << 56 for number, _score in some.values()]
    # a slot that is 0 is empty: of no score and a hash of 37 zeros there is none
    assume(all(twins.slot(number, points) for number, points in zip(hashed, score.tolist(), strict=True)))
    slots, ranks = np.zeros(2**bits, dtype=np.uint64), np.zeros(2**bits, dtype=np.uint64)
    fill_slots(packed, np.array(hashed, dtype=np.uint64), score, slots, ranks)
    numbers = twins.filled_table(hashed, 2**bits)
    tiles, scores = list(some), score.tolist()
    assert slots.tolist() == [0 if n is None else twins.slot(hashed[n], scores[n]) for n in numbers]
    assert ranks.tolist() == [0 if n is None else twins.rank(tiles[n]) for n in numbers]


@given(st.lists(st.sampled_from([0, 0, 1, 2, 3]), min_size=8, max_size=8), st.integers(0, 7), st.integers(1, 4), hashes)
def test_a_search_settles_on_the_mark_or_on_an_empty_slot(marks: list[int], start: int, mark: int, high: int) -> None:
    marks[high % 8] = 0
    hashed = high >> 37 << 37 | mark
    slots = [twins.slot(number, 5) if number else 0 for number in marks]
    found = settled_slot(np.array(slots, dtype=np.uint64), np.uint64(start), np.uint64(slots[start]), np.uint64(hashed))
    assert found == twins.settled_place(slots, start, hashed)


@given(plays, prices)
def test_a_rating_has_as_many_steps_as_a_byte_and_no_more(some: dict[tuple[int, ...], int], prices: list[int]) -> None:
    rated = rate_plays(*as_arrays(some), np.array(prices, dtype=np.int64), 6)
    entries, least, step = twins.ratings(list(some.items()), prices, 6)
    assert (rated.entry.tolist(), rated.least.tolist(), rated.step.tolist()) == (entries, least, step)
    assert rated.length.tolist() == [len(tiles) for tiles in some]
    assert rated.hash.tolist() == [twins.hash_of(tiles, TILE_HASH.tolist()) for tiles in some]


@given(st.integers(-2000, 20_000), st.integers(-1000, 1000), st.integers(1, 60))
def test_the_needed_entry_is_the_first_that_may_stand_for_the_worth(worth: int, least: int, step: int) -> None:
    assert needed_entry(worth, least, step) == twins.least_entry(worth, least, step)


@given(st.lists(st.tuples(hashes, st.integers(1, 254)), max_size=60), st.integers(1, 6))
def test_a_filter_holds_the_largest_entry_of_each_place(rated: list[tuple[int, int]], bits: int) -> None:
    nothing = np.zeros(0, dtype=np.int64)
    hashed, entries = np.array(rated, dtype=np.uint64).reshape(-1, 2).T
    lengths = np.ones(len(rated), dtype=np.int8)
    filled = fill_filter(Rated(hashed.copy(), lengths, entries.astype(np.uint8), nothing, nothing), bits)
    assert filled.tolist() == twins.filtered(rated, bits)


@given(hashes)
def test_a_play_sets_three_bits_of_a_sieve(hashed: int) -> None:
    assert sieve_bits(np.uint64(hashed)) == twins.bits_of_hash(hashed)


@given(st.integers(0, 2**32), st.lists(st.tuples(st.integers(1, 3), st.integers(1, 254), st.integers(1, 3000)), max_size=5))
def test_a_sieve_is_as_large_as_its_plays_need_and_holds_them(seed: int, groups: list[tuple[int, int, int]]) -> None:
    rng = np.random.default_rng(seed)
    some = [
        (length, hashed, entry)
        for length, most, many in groups
        for hashed, entry in zip(
            rng.integers(0, 2**64, many, dtype=np.uint64).tolist(), rng.integers(1, most + 1, many).tolist(), strict=True
        )
    ]
    nothing = np.zeros(0, dtype=np.int64)
    length, hashed, entry = (
        np.array([play[part] for play in some], dtype=kind) for part, kind in enumerate((np.int8, np.uint64, np.uint8))
    )
    sieves = fill_sieves(Rated(hashed, length, entry, nothing, nothing), 3)
    for tiles in range(4):
        of_length = [(number, worth) for size, number, worth in some if size == tiles]
        for need in (1, *rng.integers(1, 256, 6).tolist(), 255):
            start, shift = int(sieves.start[tiles, need]), int(sieves.shift[tiles, need])
            level = sieves.words[start : start + 2 ** (64 - shift)].tolist()
            assert level == (twins.sieve_level(of_length, need) if of_length and need < 255 else [0, 0])


@given(st.lists(multisets, min_size=1, unique=True).map(sorted))
def test_a_trie_is_all_beginnings_in_order(signatures: list[tuple[int, ...]]) -> None:
    rows = np.array([[code + 1 for code in tiles] + [0] * (5 - len(tiles)) for tiles in signatures], dtype=np.uint8)
    mask, child, entry = build_trie(rows)
    assert list(zip(mask.tolist(), child.tolist(), entry.tolist(), strict=True)) == twins.trie(signatures)


@given(words, values, st.integers(0, 4), st.integers(1, 5))
def test_words_closed_under_blanks_are_their_best_plays(
    some: list[str], values: dict[str, int], bits: int, length: int
) -> None:
    chosen = [word for word in some if len(word) == length]
    codes = np.array([encode(word) for word in chosen], dtype=np.uint8).reshape(-1, length)
    _weights, margins, extra = scoring(values)
    keys, scores = close_under_blanks(codes, length, margins, bits)
    expected = best_by_tiles("?" * length + "".join(chosen), chosen, values, {FULL: BONUS})
    found = list(zip(keys.tolist(), (scores + extra[length]).tolist(), strict=True))
    assert sorted(found) == sorted((twins.packed(encode(tiles).tolist()), score) for tiles, score in expected.items())


@given(plays, st.lists(st.integers(0, 3), min_size=N_CODES, max_size=N_CODES), prices)
def test_fitting_plays_need_no_tile_too_often(
    some: dict[tuple[int, ...], int], available: list[int], prices: list[int]
) -> None:
    place, worth = np.zeros(len(some), dtype=np.int64), np.zeros(len(some), dtype=np.int64)
    many = fitting_plays(*as_arrays(some), np.array(available), np.array(prices), place, worth)
    found = list(zip(place[:many].tolist(), worth[:many].tolist(), strict=True))
    assert found == twins.fitting(list(some.items()), available, prices)


def with_reaches(
    some: list[str], values: dict[str, int], rule: str, bonus: int = 0
) -> tuple[Trie, SignatureWords, npt.NDArray[np.uint32]]:
    """The trie of some words, the words, and the nodes with their reaches."""
    lexicon = Lexicon("some", tuple(some))
    index = build_signature_index(lexicon)
    trie = Trie(index.mask, index.child, index.entry)
    table = SignatureWords(index.family, index.members, lexicon.starts, lexicon.codes)
    nodes = np.zeros((len(trie.mask), 4), dtype=np.uint32)
    node_reaches(trie, table, scoring(values, rule, bonus), nodes)
    return trie, table, nodes


@pytest.mark.parametrize(("number", "rule"), VARIANT_RULES)
@given(word=st.text("esz", min_size=1, max_size=7), values=values, free=st.integers(0, 3), data=st.data())
def test_blanks_stand_where_they_score_most(
    number: str, rule: twins.Rule, word: str, values: dict[str, int], free: int, data: st.DataObject
) -> None:
    missing = {letter: data.draw(st.integers(0, word.count(letter))) for letter in sorted(set(word))}
    table = SignatureWords(np.zeros(0, np.int64), np.zeros(0, np.int32), np.array([0, len(word)]), encode(word))
    lacking, spent = np.zeros(N_CODES, np.int8), np.zeros(N_CODES, np.int8)
    lacking[encode("".join(missing))] = list(missing.values())
    found = placed_score(table, 0, scoring(values, number), lacking, free, spent)
    assert found == twins.placed(word, missing, free, rule, values)


@pytest.mark.parametrize(("number", "rule"), ALL_RULES)
@given(some=words, values=values)
def test_a_node_reaches_the_best_score_below_it(number: str, rule: twins.Rule, some: list[str], values: dict[str, int]) -> None:
    bonus = BONUS if rule is bonus_score else 0
    trie, _table, nodes = with_reaches(some, values, number, bonus)
    assert nodes[:, :3].tolist() == np.stack([trie.mask, trie.child, trie.entry + 1], axis=1).tolist()
    paths = [""]
    for node in range(len(nodes)):
        assert nodes[node, 3] == twins.best_below(some, paths[node], ORDER, rule, values)
        paths += [paths[node] + ORDER[code] for code in range(N_CODES) if trie.mask[node] >> code & 1]


@pytest.mark.parametrize(("number", "rule"), ALL_RULES)
@given(
    some=words,
    values=values,
    rack=st.text("esz", min_size=1, max_size=6),
    shortest=st.integers(1, 4),
    top=st.integers(1, 5),
)
def test_best_plays_are_the_first_of_all_that_the_rack_allows(
    number: str, rule: twins.Rule, some: list[str], values: dict[str, int], rack: str, shortest: int, top: int
) -> None:
    bonus = BONUS if rule is bonus_score else 0
    _trie, table, nodes = with_reaches(some, values, number, bonus)
    racks = np.array([counts_of(encode(rack)), counts_of(encode("zs"))])
    scores, ids = np.zeros((2, top), dtype=np.int64), np.zeros((2, top), dtype=np.int32)
    best_plays(racks, shortest, scoring(values, number, bonus), nodes, table, scores, ids)
    for row, tiles in enumerate((rack, "zs")):
        expected = twins.ranking(tiles, some, shortest, rule, values)[:top]
        expected += [(-1, -1)] * (top - len(expected))
        assert list(zip(scores[row].tolist(), ids[row].tolist(), strict=True)) == expected


def ranks(
    some: list[str], number: str, rule: twins.Rule, values: dict[str, int]
) -> tuple[SignatureWords, Scoring, RankedWords]:
    """Some words, how they score, and their order in a scan."""
    _trie, table, _nodes = with_reaches(some, dict.fromkeys(values, 0), number)
    scored = scoring(values, number, BONUS if rule is bonus_score else 0)
    return table, scored, ranked_words(table, scored)


@pytest.mark.parametrize(("number", "rule"), ALL_RULES)
@given(some=words, values=values, rack=st.text("esz?", min_size=1, max_size=6))
def test_words_are_ranked_by_what_they_can_score(
    number: str, rule: twins.Rule, some: list[str], values: dict[str, int], rack: str
) -> None:
    _table, _scoring, ranked = ranks(some, number, rule, values)
    order = list(zip([len(some[word]) for word in ranked.word], (-ranked.reach).tolist(), ranked.word.tolist(), strict=True))
    assert order == sorted(order)
    assert ranked.first.tolist() == [sum(len(word) < length for word in some) for length in range(MAX_TILES + 2)]
    reach = dict(zip(ranked.word.tolist(), ranked.reach.tolist(), strict=True))
    assert all(score <= reach[word] for score, word in twins.ranking(rack, some, 1, rule, values))


@pytest.mark.parametrize(("number", "rule"), ALL_RULES)
@given(
    some=words, values=values, rack=st.text("esz?", min_size=1, max_size=6), shortest=st.integers(1, 4), top=st.integers(1, 5)
)
def test_plays_with_placed_blanks_are_the_first_of_all_that_the_rack_allows(
    number: str, rule: twins.Rule, some: list[str], values: dict[str, int], rack: str, shortest: int, top: int
) -> None:
    table, scored, ranked = ranks(some, number, rule, values)
    racks = np.array([counts_of(encode(rack)), counts_of(encode("z?"))])
    scores, ids = np.zeros((2, top), dtype=np.int64), np.zeros((2, top), dtype=np.int32)
    placed_plays(racks, shortest, scored, scored.is_plain, table, ranked, scores, ids)
    for row, tiles in enumerate((rack, "z?")):
        expected = twins.ranking(tiles, some, shortest, rule, values)[:top]
        expected += [(-1, -1)] * (top - len(expected))
        assert list(zip(scores[row].tolist(), ids[row].tolist(), strict=True)) == expected
