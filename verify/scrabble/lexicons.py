"""The valid words of a game: those of a word list, those of BÍN for Icelandic, or any."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from unicodedata import normalize

from verify.files import bundled_words, data_folder
from verify.rules import RulesError, list_lines
from verify.scrabble.tiles import Spelling
from verify.text import quote

NONE = "none"
ICELANDIC = "bin"
NO_BIN = "BÍN needs the extra 'icelandic': pip install 'rowdraw[icelandic]'"
_USUAL = Spelling()
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
def game_words(name: str, extra: str | None = None, spelling: Spelling = _USUAL) -> GameWords:
    """Return the words of a list. A list is read once, for all games.

    Args:
        name: `none`, `bin`, a bundled list such as `enable1`, or a file.
        extra: A file of more valid words.
        spelling: How the tile set of the games writes words.

    Raises:
        RulesError: A file cannot be read.
    """
    more = read_words(Path(extra), spelling) if extra else frozenset()
    if name.lower() == NONE:
        return GameWords(None, "words are not judged")
    if name.lower() == ICELANDIC:
        return _icelandic(more)
    words = read_list(name, spelling) | more
    return GameWords(words.__contains__, f"words of {name}")


def words_of_pragma(
    lexicon: str, extra: str | None = None, spelling: Spelling = _USUAL
) -> GameWords:
    """Return the words of the bundled list that `#lexicon` of a game names.

    For any other name words are not judged: a game must not decide which files are opened.

    Raises:
        RulesError: The file `extra` cannot be read.
    """
    if not lexicon:
        return GameWords(None, "words are not judged: the game names no list")
    if is_named_list(lexicon):
        return game_words(lexicon, extra, spelling)
    return GameWords(None, f"words are not judged: the list {quote(lexicon)} is not bundled")


def is_named_list(name: str) -> bool:
    """Return whether a name is that of a list that needs no file of the user."""
    return name.lower() in (NONE, ICELANDIC) or bundled_words(name.lower()) is not None


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


def read_list(name: str, spelling: Spelling = _USUAL) -> frozenset[str]:
    """Return the words of a bundled list or a file in capitals. Raises `RulesError`."""
    if not name:
        raise RulesError(
            "the name of the word list is empty: expected enable1, bin, none or a file"
        )
    return read_words(bundled_words(name.lower()) or Path(name), spelling)


def read_words(path: Path, spelling: Spelling = _USUAL) -> frozenset[str]:
    """Return the words of a file in capitals. The letters may be those of any language.

    Raises:
        RulesError: The file cannot be read, or a line is not a word.
    """
    lines = [line if line.isascii() else normalize("NFC", line) for line in list_lines(path)]
    if not spelling.is_word("".join(lines)):
        wrong = next(line for line in lines if line and not spelling.is_word(line))
        raise RulesError(
            f"{path}:{lines.index(wrong) + 1}: {quote(wrong)} is not a word: expected letters "
            "only in a list of --words or --extra-words, without counts and definitions"
        )
    return capitals(filter(None, lines), spelling)


def capitals(words: Iterable[str], spelling: Spelling = _USUAL) -> frozenset[str]:
    """Return words in capitals."""
    return frozenset(spelling.upper(spelling.lower("\n".join(words))).split("\n"))
