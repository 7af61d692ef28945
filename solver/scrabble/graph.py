"""Word graphs for any tile set, kept in the cache folder."""

import hashlib
import re
from collections.abc import Iterable, Mapping

import numpy as np
import numpy.typing as npt

from solver.cache import Arrays, kept_arrays, read_only
from solver.errors import TableError
from solver.scrabble.kernels.board_lines import WORD, WordGraph
from verify import RulesError
from verify.files import data_folder
from verify.scrabble.board import LARGEST_BOARD
from verify.scrabble.lexicons import ICELANDIC, NO_BIN, capitals, read_list, read_words
from verify.scrabble.tiles import Spelling, TileSet

MOST_KINDS = 62  # of tiles other than blanks, each a bit of a node's letters
_USUAL = Spelling()
_LONGEST_TILE = 8  # letters
_LARGEST_GAP = 100_000  # between the numbers of two consecutive lemmas of BÍN
LONGEST = LARGEST_BOARD  # tiles of a word


def listed_words(name: str, spelling: Spelling = _USUAL) -> frozenset[str]:
    """Return the words of a list in capitals, for move generation; `game_words` is for judging.

    BÍN has nearly four million words, which take a few seconds. It rejects a few of them when it
    judges single words.

    Args:
        name: `bin`, a bundled list, or a file.
        spelling: How the tile set of the game writes words.

    Raises:
        RulesError: The list cannot be read.
        ImportError: The extra for BÍN is not installed.
    """
    if name.lower() != ICELANDIC:
        return read_list(name, spelling)
    from islenska.bincompress import BinCompressed

    bin_data = BinCompressed()
    forms: set[str] = set()
    lemma = 0
    last = 0
    while lemma - last < _LARGEST_GAP:
        lemma += 1
        inflected = bin_data.lemma_forms(lemma)
        if inflected:
            forms.update(inflected)
            last = lemma
    return capitals(forms) | read_words(data_folder() / "icelandic-extra.txt")


def words_of(lexicon: str, tiles: TileSet) -> WordGraph:
    """Return the words of `lexicon` with at least two tiles.

    The number of a letter in the graph is the place of its tile in the set + 1.

    Raises:
        TableError: The list cannot be read, or the set has too many kinds of tiles.
    """
    kinds = " ".join(tiles.values)
    if len(tiles.values) > MOST_KINDS:
        kind = f"{len(tiles.values)} kinds of tiles"
        raise TableError(f"the {tiles.name} set has {kind}: expected at most {MOST_KINDS}")

    def build() -> Arrays:
        return graph_of(words or listed_words(lexicon), tiles)._asdict()

    words: frozenset[str] = frozenset()
    try:
        if lexicon.lower() == ICELANDIC:
            digest = _bin_version()
        else:
            words = listed_words(lexicon, tiles.spelling)
            digest = hashlib.sha256("\n".join(sorted(words)).encode()).hexdigest()
        return WordGraph(**kept_arrays("words", f"4 {kinds} {digest}", build))
    except ImportError as error:
        raise TableError(NO_BIN) from error
    except RulesError as error:
        raise TableError(str(error)) from error


def _bin_version() -> str:
    """Return a digest of the sources of the word list of BÍN."""
    from importlib.metadata import version

    more = (data_folder() / "icelandic-extra.txt").read_bytes()
    return hashlib.sha256(f"islenska {version('islenska')}\n".encode() + more).hexdigest()


def _spelt(words: Iterable[str], tiles: TileSet) -> npt.NDArray[np.uint8]:
    """Return words as rows of tile codes (place + 1), padded with zeros: shape (words, LONGEST).

    Leave out words with letters that the set lacks. A word that tiles can spell in several ways has
    a row for each.
    """
    # of a tile of several letters a character that is in no word
    signs = {
        tile: tile if len(tile) == 1 else chr(0xE000 + place)
        for place, tile in enumerate(tiles.values)
    }
    several = re.compile("|".join(re.escape(tile) for tile in signs if len(tile) > 1) or "(?!)")
    letters = set(signs.values())
    fitting: list[str] = []
    for word in words:
        spellings = _spellings(word, signs) if several.search(word) else [word]
        fitting += [
            each for each in spellings if 2 <= len(each) <= LONGEST and letters >= set(each)
        ]
    padded = "".join(word.ljust(LONGEST, "\0") for word in fitting)
    points = np.frombuffer(padded.encode("utf-32-le"), dtype=np.uint32)
    code_of = np.zeros(max(map(ord, letters)) + 1, dtype=np.uint8)
    for code, sign in enumerate(signs.values(), start=1):
        code_of[ord(sign)] = code
    return code_of[points].reshape(-1, LONGEST)


def _spellings(word: str, signs: Mapping[str, str]) -> list[str]:
    """Return all ways to spell a word with tiles, a sign for each tile.

    No two neighbours spell another tile: the federations do not allow C and H laid for CH.
    """
    if len(word) > LONGEST * _LONGEST_TILE:
        return []
    # by the number of letters spelt, the ways to spell them, with the last tile of each
    ways: list[list[tuple[str, str]]] = [[("", "")]]
    for end in range(1, len(word) + 1):
        found = []
        for start in range(max(0, end - _LONGEST_TILE), end):
            tile = word[start:end]
            if tile in signs:
                for before, last in ways[start]:
                    if last == "" or last + tile not in signs:
                        found.append((before + signs[tile], tile))
        ways.append(found)
    return [spelt for spelt, _last in ways[-1]]


def graph_of(words: Iterable[str], tiles: TileSet) -> WordGraph:
    """Return the graph of words in capitals that tiles of a set can spell."""
    rows = np.unique(_spelt(words, tiles).view(f"S{LONGEST}"))
    rows = rows.view(np.uint8).reshape(-1, LONGEST)
    # a word adds the prefixes that the word before it does not begin with
    is_new = rows != 0
    is_new[1:] &= ~np.logical_and.accumulate(rows[1:] == rows[:-1], axis=1)
    nodes = np.flatnonzero(is_new.T)  # by length, then by word; before them comes the root
    last, row = np.divmod(nodes, len(rows))
    parent = np.searchsorted(nodes, nodes - len(rows), side="right")
    letters = np.zeros(len(nodes) + 1, dtype=np.uint64)
    letters[1:] = np.pad(rows, ((0, 0), (0, 1)))[row, last + 1] == 0  # the bit `WORD`
    lengths = letters.astype(np.uint32)
    np.bitwise_or.at(letters, parent, WORD << rows[row, last].astype(np.uint64))
    for length in range(LONGEST)[::-1]:
        (longest,) = np.nonzero(last == length)
        np.bitwise_or.at(lengths, parent[longest], lengths[longest + 1] << np.uint32(1))
    counts = np.bincount(parent, minlength=len(letters))
    first = (1 + np.cumsum(counts) - counts).astype(np.int32)
    return WordGraph(**read_only({"letters": letters, "lengths": lengths, "first": first}))
