"""Every kernel against its plain-Python twin on random input."""

from collections import Counter
from itertools import combinations_with_replacement

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from solver.index.kernels.indexes import (
    CHOOSE,
    OFFSET,
    PACKED_TILES,
    SLOT_SCORE_BITS,
    Trie,
    rank_counts,
    unrank_counts,
)
from solver.index.kernels.rack_plays import SignatureWords, word_score
from solver.index.problem import build_closed_index, build_signature_index
from solver.model.puzzle import Lexicon, load_puzzle
from solver.model.tiles import N_CODES, ORDER, counts_of, decode, encode, scoring_of
from solver.search.kernels.expand import TABLE_BITS, PlayTable, TriePlays, rack_plays
from tests import reference
from tests.reference import best_by_tiles, play_score

SCORING = load_puzzle("challenge").scoring()
VALUES = SCORING.margins
racks = st.text("abestz?", min_size=1, max_size=10)


def test_ranks_number_the_multisets_without_gaps() -> None:
    ranks = [
        rank_counts(counts_of(np.array(codes, dtype=np.uint8)))
        for size in range(4)
        for codes in combinations_with_replacement(range(N_CODES), size)
    ]
    assert sorted(ranks) == list(range(len(ranks)))
    assert int(OFFSET[-1]) < 2**37
    assert CHOOSE.dtype == np.uint64


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
