"""Word lists: those of the row-draw puzzle, and those of Scrabble, whose letters may be any."""

from contextlib import suppress

from solver.scrabble.graph import listed_words
from tests.fuzz.target import DisagreementError, Target, as_file
from verify.core import words_of
from verify.rules import RulesError, read_words

# what no word has: letters that lower, upper or look like a to z, marks, signs and white space
STRANGE = "éþßıİſＡａ\u212a\u0301\u200d\u00ad\ufeff\x00\x1c\x85\u2028\xa01'-?. \t\r"


def both_readings(content: bytes) -> None:
    """Read a list with the reader and with the core; they must read the same words."""
    with as_file(content, "words.txt") as file:
        try:
            listed = read_words(file)
        except RulesError:
            return
        words = words_of(file.read_bytes().decode("utf-8-sig"))
    if listed.distinct != words or listed.words != tuple(sorted(words)):
        raise DisagreementError(f"the reader reads {listed!r:.200}, the core {words!r:.200}")


def _word_lists(content: bytes) -> None:
    both_readings(content)
    with as_file(content, "words.txt") as file, suppress(RulesError):
        listed_words(str(file))


TARGETS = {
    "word-lists": Target(
        _word_lists,
        lambda: [b"tea\neat\nate\n", b"Tea\r\n\r\nEAT", "\ufeffñu\nþú\ntea\nit's\n".encode()],
    ),
}
