"""The words of a game by the tiles that spell them, for any alphabet.

Every letter has a random 64-bit number. The signature of a word is the sum of the numbers of its letters, so that anagrams have
the same one. Words are sorted by signature, so that one call of a binary search finds the anagrams of many multisets.
"""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from solver.cache import Arrays, cache_folder, read_bundle, write_bundle
from solver.errors import TableError
from verify.datafiles import data_folder
from verify.rules import RulesError
from verify.scrabble.board import SIZE
from verify.scrabble.tiles import TileSet
from verify.scrabble.words import ICELANDIC, listed_words


@dataclass(frozen=True)
class Vocabulary:
    """The words of a list by their signatures.

    signatures: uint64, shape (words,), ascending.
    letters: uint8, shape (words, SIZE): the place in `alphabet` of each letter + 1, then zeros.
    numbers: uint64, shape (len(alphabet),): the number of each letter.
    """

    alphabet: str
    signatures: npt.NDArray[np.uint64]
    letters: npt.NDArray[np.uint8]
    numbers: npt.NDArray[np.uint64]

    def signature(self, letters: Iterable[str]) -> np.uint64:
        """The signature of capital letters."""
        return np.uint64(sum(int(self.numbers[self.alphabet.index(letter)]) for letter in letters) % 2**64)

    def anagrams(self, signatures: npt.NDArray[np.uint64]) -> list[str]:
        """All words that have one of `signatures`, in capital letters."""
        first = np.searchsorted(self.signatures, signatures, "left")
        stop = np.searchsorted(self.signatures, signatures, "right")
        found = np.flatnonzero(stop > first)
        places = [np.arange(first[i], stop[i]) for i in found]
        rows = self.letters[np.concatenate(places)] if places else []
        return ["".join(self.alphabet[code - 1] for code in row if code) for row in rows]


def vocabulary(lexicon: str, tiles: TileSet) -> Vocabulary:
    """The words of `lexicon` with 2 to 15 letters, all of them in `tiles`; kept in the cache folder.

    Raises `TableError` if the list cannot be read.
    """
    alphabet = "".join(tiles.values)
    try:
        words = listed_words(lexicon) if lexicon.lower() != ICELANDIC else None
        digest = hashlib.sha256("\n".join(sorted(words)).encode()).hexdigest() if words is not None else _bin_version()
        path = cache_folder() / f"vocabulary-{tiles.name}-{digest[:16]}.bundle"
        key = f"vocabulary 1 {alphabet} {digest}"
        arrays = read_bundle(path, key)
        if arrays is None:
            arrays = _arrays(words if words is not None else listed_words(lexicon), alphabet)
            write_bundle(path, key, arrays)
    except RulesError as error:
        raise TableError(str(error)) from error
    return Vocabulary(alphabet, arrays["signatures"], arrays["letters"], arrays["numbers"])


def _bin_version() -> str:
    """A digest of all that the list of BÍN is made from."""
    from importlib.metadata import version

    more = (data_folder() / "icelandic-extra.txt").read_bytes()
    return hashlib.sha256(f"islenska {version('islenska')}\n".encode() + more).hexdigest()


def _arrays(words: Iterable[str], alphabet: str) -> Arrays:
    spelt = set(alphabet)
    fitting = [word for word in words if 2 <= len(word) <= SIZE and spelt.issuperset(word)]
    numbers = np.random.default_rng(294).integers(1, 2**64, size=len(alphabet), dtype=np.uint64)
    padded = "".join(word.ljust(SIZE, "\0") for word in fitting)
    points = np.frombuffer(padded.encode("utf-32-le"), dtype=np.uint32)
    code_of = np.zeros(int(points.max(initial=0)) + 1, dtype=np.uint8)
    for code, letter in enumerate(alphabet, start=1):
        if ord(letter) < len(code_of):
            code_of[ord(letter)] = code
    letters = code_of[points].reshape(-1, SIZE)
    worth = np.concatenate([np.zeros(1, dtype=np.uint64), numbers])
    signatures = np.zeros(len(letters), dtype=np.uint64)
    for place in range(SIZE):
        signatures += worth[letters[:, place]]
    order = np.argsort(signatures, kind="stable")
    return {"signatures": signatures[order], "letters": letters[order], "numbers": numbers}
