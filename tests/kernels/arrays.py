"""Small relaxed games at random, and as arrays, as kernels want them."""

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt
from hypothesis import strategies as st

from solver.bound.kernels.relaxed_play import MINUS_INFINITY, PricedTiles, RelaxedWords, WordOrder
from solver.model.tiles import N_CODES
from tests.kernels import relaxed
from tests.kernels.relaxed import Prices, Word

RACK = 5
LOW = relaxed.IMPOSSIBLE // 2  # below all that can be played
LETTERS = [1, 2, 26]
EVERY_WORD_OF_FOUR = [(a, b, c, d) for a in LETTERS for b in LETTERS for c in LETTERS for d in LETTERS]

figures = st.integers(0, 9000)
letter = st.sampled_from(LETTERS)
# copies of a letter beyond the fourth, too, which masks do not count
word = st.lists(letter, min_size=1, max_size=RACK).map(tuple) | letter.map(lambda code: (code,) * RACK)
some_words = st.lists(word, max_size=12, unique=True).map(lambda words: sorted(words, key=len))
# more words than are looked at at a time, too
words = some_words | some_words.map(lambda words: sorted({*words, *EVERY_WORD_OF_FOUR}, key=len))
by_letter = st.fixed_dictionaries(dict.fromkeys(LETTERS, figures)).map(lambda d: [d.get(c, 0) for c in range(N_CODES)])
by_any_code = st.lists(figures, min_size=N_CODES, max_size=N_CODES)


def tiles(most: int, blanks: int = 2) -> st.SearchStrategy[dict[int, list[int]]]:
    """Priced tiles, ascending, at most `most` of each letter."""
    prices = {code: st.lists(figures, max_size=most if code else blanks).map(sorted) for code in [relaxed.BLANK, *LETTERS]}
    return st.fixed_dictionaries(prices).map(lambda by_code: {code: prices for code, prices in by_code.items() if prices})


def word_table(words: Sequence[Word], values: Sequence[int]) -> RelaxedWords:
    letters = np.zeros((len(words), RACK), dtype=np.int8)
    for row, some in zip(letters, words, strict=True):
        row[: len(some)] = some
    first = np.searchsorted([len(some) for some in words], np.arange(RACK + 2)).astype(np.int64)
    low, high = np.array([relaxed.masks(some) for some in words], dtype=np.uint64).reshape(-1, 2).T.copy()
    return RelaxedWords(first, letters, low, high, np.array(values, dtype=np.int64))


def new_order(words: int) -> WordOrder:
    return WordOrder(
        np.full(words, -1, np.int32), np.full(words, -1, np.int64), np.zeros(words, np.uint64), np.zeros(words, np.uint64)
    )


def ordered(words: Sequence[Word], reach: Callable[[Word], int | None]) -> WordOrder:
    """The words of each length by their reach, best first."""
    found = [(len(some), reach(some), number) for number, some in enumerate(words)]
    rows = sorted((length, -(LOW if most is None else most), number) for length, most, number in found)
    masks = np.array([relaxed.masks(words[number]) for *_, number in rows], dtype=np.uint64).reshape(-1, 2).T.copy()
    numbers, reaches = [number for *_, number in rows], [-most for _, most, _ in rows]
    return WordOrder(np.array(numbers, dtype=np.int32), np.array(reaches, dtype=np.int64), masks[0], masks[1])


def is_in_order(words: Sequence[Word], order: WordOrder, reach: Callable[[Word], int | None]) -> bool:
    """Whether the words of each length stand by their reach, rounded up a little, those that cannot be played last."""
    assert order.low.tolist() == [relaxed.masks(words[number])[0] for number in order.word]
    assert order.high.tolist() == [relaxed.masks(words[number])[1] for number in order.word]
    assert sorted(order.word.tolist()) == list(range(len(words)))
    assert [len(words[number]) for number in order.word] == [len(some) for some in words]
    for length in range(1, RACK + 1):
        rows = [i for i, number in enumerate(order.word) if len(words[number]) == length]
        exact = [reach(words[order.word[i]]) for i in rows]
        playable = [most for most in exact if most is not None]
        assert exact[: len(playable)] == playable
        rounding = max(1, (max(playable) - min(playable)) // 1000) if playable else 1
        assert all(0 <= order.reach[i] - most < rounding for i, most in zip(rows, playable, strict=False))
        assert order.reach[rows].tolist() == sorted(order.reach[rows].tolist(), reverse=True)
    return True


def counts(offered: Prices) -> npt.NDArray[np.int64]:
    return np.array([len(offered.get(code, ())) for code in range(N_CODES)], dtype=np.int64)


def cheapest(offered: Prices) -> npt.NDArray[np.int64]:
    """The cheapest tiles of each code, and behind them what must not be looked at."""
    price = np.full((N_CODES, RACK), -77_777, dtype=np.int64)
    for code, some in offered.items():
        price[code, : len(some)] = some[:RACK]
    return price


def priced(offered: Prices, more: Sequence[int]) -> PricedTiles:
    return PricedTiles(counts(offered), cheapest(offered), np.array(more, dtype=np.int64))


def or_never(least: dict[int, int]) -> npt.NDArray[np.int64]:
    return np.array([least.get(code, MINUS_INFINITY) for code in range(N_CODES)], dtype=np.int64)
