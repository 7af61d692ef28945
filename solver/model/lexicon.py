"""The words that may be played."""

import hashlib
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import numpy as np
import numpy.typing as npt

from solver.errors import LexiconError
from solver.model.tiles import encode_bytes
from verify.reading import LARGEST_WORD_LIST, read_file
from verify.text import quote


@dataclass(frozen=True)
class Lexicon:
    """Distinct words in lower case, sorted; a word's id is its place in `words`, from 0."""

    name: str
    words: tuple[str, ...] = field(repr=False)

    @cached_property
    def digest(self) -> str:
        """sha256 of the words, a line each."""
        return hashlib.sha256("".join(f"{word}\n" for word in self.words).encode()).hexdigest()

    @cached_property
    def starts(self) -> npt.NDArray[np.int64]:
        """Where each word's letters begin in `codes`: int64, shape (words + 1,)."""
        lengths = np.fromiter(map(len, self.words), dtype=np.int64, count=len(self.words))
        return np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(lengths)])

    @cached_property
    def codes(self) -> npt.NDArray[np.uint8]:
        """The codes of the letters of all words, one word after the other: uint8, shape (letters,)."""
        return encode_bytes(np.frombuffer("".join(self.words).encode(), dtype=np.uint8))

    @cached_property
    def shortest(self) -> int:
        """The length of the shortest word; 1 where there are no words."""
        return min(map(len, self.words), default=1)

    def __len__(self) -> int:
        return len(self.words)


def read_lexicon(path: Path) -> Lexicon:
    """The word list at `path`: one word per line, letters a to z in either case; blank lines are skipped.

    Raises `LexiconError` naming the file, the line and what stands there.
    """
    try:
        text = read_file(path, LARGEST_WORD_LIST).decode("utf-8-sig")
    except OSError as error:
        raise LexiconError(f"{path}: the word list cannot be read ({error.strerror})") from error
    except UnicodeDecodeError as error:
        raise LexiconError(f"{path}: byte {error.start + 1} is not UTF-8: expected a text file, a word a line") from error
    lines = [word for word in map(str.strip, text.split("\n")) if word]
    joined = "".join(lines)
    if not lines:
        raise LexiconError(f"{path}: the word list is empty: expected a word a line")
    if not (joined.isascii() and joined.isalpha()):
        _name_bad_line(path, text)
    words = "\n".join(lines).lower().split("\n")
    # sorting before removing doubles is quick, because most lists are sorted already
    return Lexicon(path.stem, tuple(dict.fromkeys(sorted(words))))


def _name_bad_line(path: Path, text: str) -> None:
    for number, line in enumerate(text.split("\n"), start=1):
        token = line.strip()
        if token and not (token.isascii() and token.isalpha()):
            raise LexiconError(f"{path}:{number}: {quote(token)} is not a word: expected letters a to z only")
