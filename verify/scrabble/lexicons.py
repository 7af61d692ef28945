"""The valid words of a game: those of a word list, those of BÍN for Icelandic, or any."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from unicodedata import normalize

from verify.files import bundled_words, data_folder
from verify.rules import RulesError, list_lines
from verify.text import lower, quote

NONE = "none"
ICELANDIC = "bin"
NO_BIN = "BÍN needs the extra 'icelandic': pip install 'rowdraw[icelandic]'"
_KEPT = 1 << 16  # size of the cache of looked-up words; a game has a few hundred


@dataclass(frozen=True)
class GameWords:
    """The words that a game is judged by.

    Attributes:
        is_word: Returns whether a word in capitals is valid; None if words are not judged.
        remark: How a verdict describes this.
    """

    is_word: Callable[[str], bool] | None
    remark: str


@lru_cache(maxsize=8)
def game_words(name: str, extra: str | None = None) -> GameWords:
    """Return the words of a list. A list is read once, for all games.

    Args:
        name: `none`, `bin`, a bundled list such as `enable1`, or a file.
        extra: A file of more valid words.

    Raises:
        RulesError: A file cannot be read.
    """
    more = read_words(Path(extra)) if extra else frozenset()
    if name.lower() == NONE:
        return GameWords(None, "words are not judged")
    if name.lower() == ICELANDIC:
        return _icelandic(more)
    words = read_list(name) | more
    return GameWords(words.__contains__, f"words of {name}")


def words_of_pragma(lexicon: str, extra: str | None = None) -> GameWords:
    """Return the words of the bundled list that `#lexicon` of a game names.

    For any other name words are not judged: a game must not decide which files are opened.

    Raises:
        RulesError: The file `extra` cannot be read.
    """
    if not lexicon:
        return GameWords(None, "words are not judged: the game names no list")
    if lexicon.lower() in (NONE, ICELANDIC) or bundled_words(lexicon.lower()) is not None:
        return game_words(lexicon, extra)
    return GameWords(None, f"words are not judged: the list {quote(lexicon)} is not bundled")


def _icelandic(more: frozenset[str]) -> GameWords:
    try:
        from islenska import Bin
    except ImportError:
        return GameWords(None, f"words are not judged: {NO_BIN}")
    played = more | read_words(data_folder() / "icelandic-extra.txt")
    # without rules such as those for compounds, which would accept words that are in no dictionary
    bin_data = Bin(add_negation=False, add_legur=False, add_compounds=False)

    @lru_cache(_KEPT)
    def is_word(word: str) -> bool:
        return word in played or word.lower() in bin_data

    return GameWords(is_word, "words of BÍN")


def read_list(name: str) -> frozenset[str]:
    """Return the words of a bundled list or a file in capitals. Raises `RulesError`."""
    if not name:
        raise RulesError(
            "the name of the word list is empty: expected enable1, bin, none or a file"
        )
    return read_words(bundled_words(name.lower()) or Path(name))


def read_words(path: Path) -> frozenset[str]:
    """Return the words of a file in capitals. The letters may be those of any language.

    Raises:
        RulesError: The file cannot be read, or a line is not a word.
    """
    lines = [line if line.isascii() else normalize("NFC", line) for line in list_lines(path)]
    for number, line in enumerate(lines, start=1):
        if line and not line.isalpha():
            raise RulesError(f"{path}:{number}: {quote(line)} is not a word: expected letters only")
    return capitals(map(lower, filter(None, lines)))


def capitals(words: Iterable[str]) -> frozenset[str]:
    """Return words in capitals."""
    return frozenset(map(str.upper, words))
