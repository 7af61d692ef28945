"""The words that may be played."""

import hashlib
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import numpy as np
import numpy.typing as npt

from solver.errors import LexiconError
from solver.model.tiles import encode_bytes
from verify.reading import LARGEST_WORD_LIST, read_file, utf8_text
from verify.text import left_out_lines, quote


@dataclass(frozen=True)
class Lexicon:
    """Distinct words in lower case, sorted.

    Attributes:
        name: The name of the word list.
        words: The words. The id of a word is its index, from 0.
        left_out: A sentence about lines of the file that are not words; empty if all are.
    """

    name: str
    words: tuple[str, ...] = field(repr=False)
    left_out: str = field(default="", repr=False, compare=False)

    @cached_property
    def digest(self) -> str:
        """The SHA-256 of the words, one a line."""
        return hashlib.sha256("".join(f"{word}\n" for word in self.words).encode()).hexdigest()

    @cached_property
    def starts(self) -> npt.NDArray[np.int64]:
        """The index of each word's first letter in `codes`: int64, shape (words + 1,)."""
        lengths = np.fromiter(map(len, self.words), dtype=np.int64, count=len(self.words))
        return np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(lengths)])

    @cached_property
    def codes(self) -> npt.NDArray[np.uint8]:
        """The codes of the letters of all words, one word after the other: uint8, shape (letters,)."""
        return encode_bytes(np.frombuffer("".join(self.words).encode(), dtype=np.uint8))

    @cached_property
    def shortest(self) -> int:
        """The length of the shortest word; 1 without words."""
        return min(map(len, self.words), default=1)

    def __len__(self) -> int:
        return len(self.words)


def read_lexicon(path: Path) -> Lexicon:
    """Read a word list. A word is a line of letters a to z, in either case; `Lexicon.left_out` counts other lines.

    Raises `LexiconError` if the file cannot be read, is not UTF-8, or holds no word.
    """
    try:
        text = utf8_text(read_file(path, LARGEST_WORD_LIST))
    except OSError as error:
        raise LexiconError(f"{path}: the word list cannot be read ({error.strerror})") from error
    except ValueError as error:
        raise LexiconError(f"{path}: {error}: expected a text file, a word a line") from error
    lines = [line for line in map(str.strip, text.split("\n")) if line]
    if not lines:
        raise LexiconError(f"{path}: the word list is empty: expected a word a line")
    spelled, left_out = lines, ""
    if not _is_spelled("".join(lines)):  # rare
        spelled = list(filter(_is_spelled, lines))
        number, other = _first_other(text)
        if not spelled:
            raise LexiconError(f"{path}:{number}: {quote(other)} is not a word, nor is any other line: expected letters a to z")
        left_out = left_out_lines(path, len(lines) - len(spelled), len(lines), number, other)
    words = "\n".join(spelled).lower().split("\n")
    # sorting before removing duplicates is fast, because most lists are sorted already
    return Lexicon(path.stem, tuple(dict.fromkeys(sorted(words))), left_out)


def _first_other(text: str) -> tuple[int, str]:
    """Return the number of the first line that is not a word, from 1, and the line."""
    lines = enumerate(map(str.strip, text.split("\n")), start=1)
    return next((number, line) for number, line in lines if line and not _is_spelled(line))


def _is_spelled(line: str) -> bool:
    """Return whether a line consists of letters a to z."""
    return line.isascii() and line.isalpha()
