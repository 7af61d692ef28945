"""Every kernel against its plain-Python twin on random input."""

from collections import Counter
from itertools import combinations_with_replacement

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from solver.index.index import build_closed_index, build_signature_index
from solver.index.kernels.best_plays import SignatureWords, word_score
from solver.index.kernels.build_closed import PACKED_TILES
from solver.index.kernels.build_trie import Trie, build_trie
from solver.index.kernels.closed_index import SLOT_SCORE_BITS, UNREACHABLE, Rated, fill_filter, rate_plays
from solver.index.kernels.hashing import TILE_HASH
from solver.index.kernels.ranks import CHOOSE, OFFSET, rank_counts, unrank_counts, unrank_tiles
from solver.model.lexicon import Lexicon
from solver.model.puzzle import load_puzzle
from solver.model.scoring import scoring_of
from solver.model.tiles import N_CODES, ORDER, counts_of, decode, encode
from solver.model.units import SCALE
from solver.search.kernels.expand_trie import TABLE_BITS, PlayTable, TriePlays, rack_plays
from solver.search.kernels.layer import compact, merge_children
from solver.search.kernels.sieve import fill_sieves, sieve_bits
from solver.search.layers import NO_CUTOFF, new_states
from tests import reference
from tests.reference import best_by_tiles, play_score

SCORING = load_puzzle("challenge").scoring()
VALUES = SCORING.margins
racks = st.text("abestz?", min_size=1, max_size=10)


@given(st.text("abcdefghijklmnopqrstuvwxyz?", max_size=15))
def test_rank_and_unrank_are_inverse(tiles: str) -> None:
    counts = counts_of(encode(tiles))
    back = np.zeros(N_CODES, dtype=np.int8)
    assert unrank_counts(np.uint64(rank_counts(counts)), back) == len(tiles)
    assert (back == counts).all()
    codes = np.zeros(15, dtype=np.int64)
    assert unrank_tiles(np.uint64(rank_counts(counts)), codes) == len(tiles)
    assert codes[: len(tiles)].tolist() == sorted(encode(tiles).tolist())


def test_ranks_number_the_multisets_without_gaps() -> None:
    ranks = [
        rank_counts(counts_of(np.array(codes, dtype=np.uint8)))
        for size in range(4)
        for codes in combinations_with_replacement(range(N_CODES), size)
    ]
    assert sorted(ranks) == list(range(len(ranks)))
    assert int(OFFSET[-1]) < 2**37
    assert CHOOSE.dtype == np.uint64


@given(st.lists(st.text("abcz", min_size=1, max_size=5), min_size=1, unique_by=lambda t: "".join(sorted(t))))
def test_trie_holds_exactly_the_rows(texts: list[str]) -> None:
    rows = np.zeros((len(texts), 5), dtype=np.uint8)
    for row, text in zip(rows, texts, strict=True):
        row[: len(text)] = np.sort(encode(text)) + 1
    rows = rows[np.lexsort(rows.T[::-1])]
    mask, child, entry = build_trie(rows)
    found = {}
    stack = [(0, "")]
    while stack:
        node, path = stack.pop()
        if entry[node] >= 0:
            found["".join(sorted(path))] = int(entry[node])
        below = [code for code in range(N_CODES) if mask[node] >> code & 1]
        stack += [(int(child[node]) + i, path + decode([code])) for i, code in enumerate(below)]
    assert set(found) == {"".join(sorted(text)) for text in texts}
    assert sorted(found.values()) == list(range(len(texts)))


def unpacked(packed: int) -> str:
    """The tiles of a packed multiset, sorted as text."""
    codes = [packed >> 5 * (PACKED_TILES - 1 - place) & 31 for place in range(PACKED_TILES)]
    return "".join(sorted(decode([code - 1 for code in codes if code])))


def test_closed_index_holds_the_best_play_of_every_multiset(small_lexicon: Lexicon) -> None:
    index = build_closed_index(small_lexicon, SCORING, 5)
    expected = best_by_tiles("?????" + "".join(small_lexicon.words), small_lexicon.words)
    assert dict(zip(map(unpacked, index.packed.tolist()), index.score.tolist(), strict=True)) == expected
    filled = np.flatnonzero(index.slots)
    by_rank = dict(
        zip(index.ranks[filled].tolist(), (index.slots[filled] & np.uint64((1 << SLOT_SCORE_BITS) - 1)).tolist(), strict=True)
    )
    assert by_rank == {int(rank_counts(counts_of(encode(tiles)))): score for tiles, score in expected.items()}


@given(prices=st.lists(st.integers(0, 4000), min_size=N_CODES, max_size=N_CODES))
def test_no_play_is_worth_more_than_the_filter_says(small_lexicon: Lexicon, prices: list[int]) -> None:
    lexicon = Lexicon("long", (*(word for word in small_lexicon.words if len(word) <= 5), "abattises", "tabbesseae"))
    index = build_closed_index(lexicon, SCORING, 10)
    rated = rate_plays(index.packed, index.score, np.array(prices, dtype=np.int64), 10)
    hashes, lengths, entries, least, step = rated
    filter_ = fill_filter(rated, 8)
    assert filter_.max() < UNREACHABLE
    entered = np.zeros(256, dtype=np.int64)
    for i, (packed, score) in enumerate(zip(index.packed.tolist(), index.score.tolist(), strict=True)):
        codes = encode(unpacked(packed)).tolist()
        hashed = sum(int(TILE_HASH[code]) for code in codes) % 2**64
        worth = SCALE * score - sum(prices[code] for code in codes)
        entry = 1 + (worth - int(least[len(codes)])) // int(step[len(codes)])
        assert (int(hashes[i]), int(lengths[i]), int(entries[i])) == (hashed, len(codes), entry)
        place = hashed >> 56
        assert 1 <= entry <= filter_[place]
        entered[place] = max(entered[place], entry)
    assert (filter_ == entered).all()


@given(
    st.integers(0, 2**32),
    st.lists(st.tuples(st.integers(2, 4), st.integers(1, UNREACHABLE - 1), st.integers(1, 3000)), max_size=6),
)
def test_a_sieve_lets_all_plays_worth_the_need_through_and_hardly_any_others(
    seed: int, groups: list[tuple[int, int, int]]
) -> None:
    rng = np.random.default_rng(seed)
    lengths = np.repeat(*np.array([(length, count) for length, _, count in groups], dtype=np.int64).reshape(-1, 2).T).astype(
        np.int8
    )
    entries = np.concatenate([np.zeros(0), *(rng.integers(1, most + 1, size=count) for _, most, count in groups)]).astype(
        np.uint8
    )
    hashes = rng.integers(0, 2**64, size=len(lengths), dtype=np.uint64)
    nothing = np.zeros(0, dtype=np.int64)
    words, start, shift = fill_sieves(Rated(hashes, lengths, entries, nothing, nothing), 5)

    def passes(hashed: int, length: int, need: int) -> bool:
        bits = int(sieve_bits(np.uint64(hashed)))
        return int(words[int(start[length, need]) + (hashed >> int(shift[length, need]))]) & bits == bits

    for i in rng.permutation(len(hashes))[:100]:
        for need in (1, int(entries[i]), int(rng.integers(1, int(entries[i]) + 1))):
            assert passes(int(hashes[i]), int(lengths[i]), need)
        assert not passes(int(hashes[i]), int(lengths[i]), UNREACHABLE)
    others = rng.integers(0, 2**64, size=100, dtype=np.uint64).tolist()
    for length in range(6):
        for need in (1, 100, 200):
            assert sum(passes(hashed, length, need) for hashed in others) <= 6


@given(word=st.text("abez", min_size=1, max_size=8), data=st.data())
def test_word_score_gives_blanks_to_the_earliest_copies(word: str, data: st.DataObject) -> None:
    missing = {letter: data.draw(st.integers(0, count)) for letter, count in Counter(word).items()}
    play, left = "", dict(missing)
    for letter in word:
        play += "?" if left[letter] else letter
        left[letter] = max(0, left[letter] - 1)
    table = np.zeros(N_CODES, dtype=np.int8)
    for letter, count in missing.items():
        table[int(encode(letter)[0])] = count
    spent = np.zeros(N_CODES, dtype=np.int8)
    words = SignatureWords(np.zeros(0, np.int64), np.zeros(0, np.int32), np.array([0, len(word)]), encode(word))
    scores = {"positional": play_score(play), "scrabble": sum(VALUES[encode(tile)[0]] for tile in play), "longest": len(word)}
    for rule, score in scores.items():
        assert word_score(words, 0, load_puzzle("challenge").scoring(rule), table, spent) == score


@given(rack=racks, blank=st.just(0) | st.integers(0, 12), bonus=st.integers(0, 9))
def test_spending_blanks_finds_the_best_play_of_every_multiset(
    small_lexicon: Lexicon, rack: str, blank: int, bonus: int
) -> None:
    index = build_signature_index(small_lexicon)
    values = reference.VALUES | {"?": blank}
    scoring = scoring_of(np.array([values[tile] for tile in ORDER], dtype=np.int32), "positional", 4, bonus)
    table = PlayTable(
        np.zeros(1 << TABLE_BITS, dtype=np.int32), np.zeros(1 << 15, dtype=np.uint64), np.zeros(1 << 15, dtype=np.int32)
    )
    words = SignatureWords(index.family, index.members, small_lexicon.starts, small_lexicon.codes)
    plays = TriePlays(Trie(index.mask, index.child, index.entry), words, scoring, np.zeros(N_CODES, dtype=np.int64))
    count = rack_plays(counts_of(encode(rack)), plays, table)
    found = {}
    for rank, score in zip(table.rank[:count], table.score[:count], strict=True):
        tiles = np.zeros(N_CODES, dtype=np.int8)
        unrank_counts(rank, tiles)
        found["".join(sorted(decode(np.repeat(np.arange(N_CODES), tiles))))] = int(score)
    assert found == best_by_tiles(rack, small_lexicon.words, values, {4: bonus})
    assert len(found) == count
    assert not table.places.any()


@given(
    st.lists(st.tuples(st.integers(0, 6), st.integers(0, 9), st.integers(0, 3), st.integers(0, 3)), max_size=60),
    st.integers(0, 9),
)
def test_merge_keeps_one_state_a_key_whatever_the_order(children: list[tuple[int, int, int, int]], cut: int) -> None:
    # key and score decide the priority, as they do in a beam
    def layer(order: list[tuple[int, int, int, int]]) -> dict[int, tuple[int, int, int]]:
        arriving = new_states(len(order))
        for i, (key, score, parent, move) in enumerate(order):
            for array, value in zip(arriving, (key, score, score, parent, move), strict=True):
                array[i] = value
        kept = new_states(len(order))
        table = np.zeros(256, dtype=np.int32)
        count = merge_children(arriving, len(order), kept, 0, table, NO_CUTOFF)
        count = compact(kept, count, table, cut)
        assert np.count_nonzero(table) == count
        return {int(kept.key[i]): (int(kept.score[i]), int(kept.move[i]), int(kept.parent[i])) for i in range(count)}

    expected: dict[int, tuple[int, int, int]] = {}
    for key, score, parent, move in children:
        if score >= cut:
            best = expected.get(key, (score, move, parent))
            expected[key] = min(best, (score, move, parent), key=lambda s: (-s[0], s[1], s[2]))
    assert layer(children) == expected
    assert layer(children[::-1]) == expected
