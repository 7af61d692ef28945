"""Word graphs for any tile set, kept in the cache folder."""

import hashlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from solver.cache import Arrays, kept_arrays, read_only
from solver.errors import TableError
from solver.scrabble.kernels.board_lines import WORD, WordGraph, fill_lengths, find_equals
from verify import RulesError
from verify.files import data_folder
from verify.scrabble.lexicons import ICELANDIC, NO_BIN, capitals, read_list, read_words
from verify.scrabble.tiles import TileSet

MOST_KINDS = 62  # of tiles other than blanks, each a bit of a node's letters
_LARGEST_GAP = 100_000  # between the numbers of two consecutive lemmas of BÍN
_STEP = 5_000  # lemmas read between two reports of progress
LONGEST = 21  # letters of a word: the size of the largest board


@dataclass(frozen=True)
class PlayableWords:
    """The words of a list that can be laid down with a tile set.

    Attributes:
        tiles: The tiles of the set but the blank; the number of a letter in `graph` is its place in this tuple + 1.
        graph: The words as a graph.
    """

    tiles: tuple[str, ...]
    graph: WordGraph


def listed_words(
    name: str, progress: Callable[[int], None] = lambda _words: None
) -> frozenset[str]:
    """Return the words of a list in capitals, for move generation; `game_words` is for judging.

    BÍN has nearly four million words, which take a few seconds. It rejects a few of them when it judges single words.

    Args:
        name: `bin`, a bundled list, or a file.
        progress: Takes the number of words of BÍN read so far.

    Raises:
        RulesError: The list cannot be read.
        ImportError: The extra for BÍN is not installed.
    """
    if name.lower() != ICELANDIC:
        return read_list(name)
    from islenska.bincompress import BinCompressed

    bin_data = BinCompressed()
    forms: set[str] = set()
    empty = lemma = 0
    while empty < _LARGEST_GAP:
        lemma += 1
        inflected = bin_data.lemma_forms(lemma)
        forms.update(inflected)
        if lemma % _STEP == 0:
            progress(len(forms))
        empty = 0 if inflected else empty + 1
    return capitals(forms) | read_words(data_folder() / "icelandic-extra.txt")


def words_of(
    lexicon: str, tiles: TileSet, tell: Callable[[str], None] = lambda _text: None
) -> PlayableWords:
    """Return the words of `lexicon` with at least two tiles.

    Args:
        lexicon: The name of the word list.
        tiles: The tile set.
        tell: Takes what is being done, for a person to read, if the cache does not have the words.

    Raises:
        TableError: The list cannot be read, or the set has too many kinds of tiles.
    """
    kinds = tuple(tiles.values)
    if len(kinds) > MOST_KINDS:
        raise TableError(
            f"the {tiles.name} set has {len(kinds)} kinds of tiles: expected at most {MOST_KINDS}"
        )
    try:
        words = listed_words(lexicon) if lexicon.lower() != ICELANDIC else None
        digest = (
            hashlib.sha256("\n".join(sorted(words)).encode()).hexdigest()
            if words is not None
            else _bin_version()
        )

        def build() -> Arrays:
            listed = words or listed_words(
                lexicon, lambda count: tell(f"reading the words: {count:,} so far")
            )
            tell(f"building the graph of {len(listed):,} words")
            return graph_arrays(_spelt(listed, kinds))

        arrays = kept_arrays("words", f"2 {' '.join(kinds)} {digest}", build)
    except ImportError as error:
        raise TableError(NO_BIN) from error
    except RulesError as error:
        raise TableError(str(error)) from error
    return PlayableWords(kinds, WordGraph(**arrays))


def graph_of(words: Iterable[str], tiles: TileSet) -> PlayableWords:
    """Return the graph of given words in capitals."""
    arrays = read_only(graph_arrays(_spelt(words, tuple(tiles.values))))
    return PlayableWords(tuple(tiles.values), WordGraph(**arrays))


def _bin_version() -> str:
    """Return a digest of the sources of the word list of BÍN."""
    from importlib.metadata import version

    more = (data_folder() / "icelandic-extra.txt").read_bytes()
    return hashlib.sha256(f"islenska {version('islenska')}\n".encode() + more).hexdigest()


def _spelt(words: Iterable[str], tiles: tuple[str, ...]) -> npt.NDArray[np.uint8]:
    """Return words as rows of tile codes (place + 1), padded with zeros: shape (words, LONGEST).

    Leave out words with letters that the set lacks. Where the set has a tile of several letters, these letters are always that
    one tile.
    """
    several = sorted((tile for tile in tiles if len(tile) > 1), key=len, reverse=True)
    signs = {
        tile: chr(0xE000 + place) for place, tile in enumerate(several)
    }  # characters that occur in no word
    code_of = {signs.get(tile, tile): code for code, tile in enumerate(tiles, start=1)}
    fitting = []
    for word in words:
        for tile in several:
            word = word.replace(tile, signs[tile])
        if 2 <= len(word) <= LONGEST and code_of.keys() >= set(word):
            fitting.append(word)
    padded = "".join(word.ljust(LONGEST, "\0") for word in fitting)
    points = np.frombuffer(padded.encode("utf-32-le"), dtype=np.uint32)
    codes = np.zeros(int(points.max(initial=0)) + 1, dtype=np.uint8)
    for sign, code in code_of.items():
        if ord(sign) < len(codes):
            codes[ord(sign)] = code
    return codes[points].reshape(-1, LONGEST)


def graph_arrays(words: npt.NDArray[np.uint8]) -> Arrays:
    """Return the arrays of the graph of `words`, which are rows in any order: letters from 1 on, padded with zeros."""
    letter, first, is_word = _tree(words)
    counts = np.diff(first)
    letters = is_word.astype(np.uint64) * WORD
    if len(letter) > 1:
        bits = np.uint64(1) << letter[1:].astype(np.uint64)
        letters[counts > 0] |= np.bitwise_or.reduceat(bits, first[:-1][counts > 0] - 1)
    same = np.zeros(len(letters), dtype=np.int32)
    find_equals(
        letters, first, same, np.full(1 << (2 * len(letters)).bit_length(), -1, dtype=np.int32)
    )
    kept = np.flatnonzero(same == np.arange(len(same)))
    number = np.zeros(len(letters), dtype=np.int32)
    number[kept] = np.arange(len(kept))
    starts = np.concatenate([[0], np.cumsum(counts[kept])])
    children = np.arange(starts[-1]) + np.repeat(first[kept] - starts[:-1], counts[kept])
    lengths = np.zeros(len(kept), dtype=np.uint32)
    graph = WordGraph(letters[kept], lengths, starts[:-1].astype(np.int32), number[same[children]])
    fill_lengths(graph)
    return graph._asdict()


def _tree(
    words: npt.NDArray[np.uint8],
) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.int32], npt.NDArray[np.bool_]]:
    """Return the tree of all prefixes in breadth-first order.

    Returns:
        The last letter of each node; its first child, where the children of a node end where those of the next one begin; and
        whether it is a word.
    """
    rows = np.unique(np.ascontiguousarray(words).view(f"S{words.shape[1]}").ravel())
    rows = rows.view(np.uint8).reshape(len(rows), words.shape[1]) if len(rows) else words
    letters, counts, ends = [np.zeros(1, dtype=np.uint8)], [], [np.zeros(1, dtype=np.bool_)]
    parent = np.zeros(
        len(rows), dtype=np.int64
    )  # for each word, the index of its prefix among the prefixes of that length
    nodes = 1
    for place in range(words.shape[1]):
        alive = rows[:, place] != 0
        rows, parent = rows[alive], parent[alive]
        if not len(rows):
            break
        fresh = np.ones(len(rows), dtype=np.bool_)
        fresh[1:] = (parent[1:] != parent[:-1]) | (rows[1:, place] != rows[:-1, place])
        counts.append(np.bincount(parent[fresh], minlength=nodes))
        letters.append(rows[fresh, place])
        is_whole = (
            rows[:, place + 1] == 0
            if place + 1 < words.shape[1]
            else np.ones(len(rows), dtype=np.bool_)
        )
        parent = np.cumsum(fresh) - 1
        nodes = int(parent[-1]) + 1
        ends.append(np.bincount(parent, is_whole, nodes) > 0)
    children = np.concatenate([*counts, np.zeros(nodes, dtype=np.int64)])
    first = np.concatenate([[1], 1 + np.cumsum(children)]).astype(np.int32)
    return np.concatenate(letters), first, np.concatenate(ends)
