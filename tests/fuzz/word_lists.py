"""Word lists, which solver and referee read by programs of their own."""

from contextlib import suppress

from solver.errors import LexiconError
from solver.model.puzzle import read_lexicon
from solver.scrabble.graph import listed_words
from tests.fuzz.target import DisagreementError, Target, as_file
from verify.rules import RulesError, WordList, read_words

# what no word has: letters that lower, upper or look like a to z, marks, signs and white space
STRANGE = "éþßıİſＡａ\u212a\u0301\u200d\u00ad\ufeff\x00\x1c\x85\u2028\xa01'-?. \t\r"


def both_readings(content: bytes) -> None:
    """Read a list on both sides, which may both refuse it.

    Raises:
        DisagreementError: They read other words, or say other things of the lines that are left out.
    """
    words = lexicon = None
    told: list[str] = []
    with as_file(content, "words.txt") as file:
        try:
            words = read_words(file)
        except RulesError as error:
            told.append(str(error))
        try:
            lexicon = read_lexicon(file)
        except LexiconError as error:
            told.append(str(error))
    if words is None and lexicon is None and told[0] == told[1]:
        return
    if (
        words is None
        or lexicon is None
        or words != WordList(frozenset(lexicon.words), lexicon.left_out)
    ):
        raise DisagreementError(
            f"the referee reads {words!r:.200}, the solver {lexicon!r:.200}: {told}"
        )


def _word_lists(content: bytes) -> None:
    """Those of the row-draw puzzle, and those of Scrabble, whose letters may be any."""
    both_readings(content)
    with as_file(content, "words.txt") as file, suppress(RulesError):
        listed_words(str(file))


TARGETS = {
    "word-lists": Target(
        _word_lists,
        lambda: [b"tea\neat\nate\n", b"Tea\r\n\r\nEAT", "\ufeffñu\nþú\ntea\nit's\n".encode()],
    ),
}
