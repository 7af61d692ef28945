"""Word lists, which solver and referee read by programs of their own."""

import random
from collections.abc import Sequence
from contextlib import suppress

from solver.errors import LexiconError
from solver.model.puzzle import Lexicon, read_lexicon
from solver.scrabble.graph import listed_words
from tests.fuzz.target import DisagreementError, Target, as_file
from verify.rules import RulesError, WordList, read_words

# what no word has: letters that lower, upper or look like a to z, marks, signs and white space
STRANGE = "éþßıİſＡａ\u212a\u0301\u200d\u00ad\ufeff\x00\x1c\x85\u2028\xa01'-?. \t\r"


def both_readings(content: bytes) -> tuple[WordList, Lexicon] | None:
    """Read a list on both sides; return None where both refuse it.

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
        return None
    if words is None or lexicon is None or words != WordList(frozenset(lexicon.words), lexicon.left_out):
        raise DisagreementError(f"the referee reads {words!r:.200}, the solver {lexicon!r:.200}: {told}")
    return words, lexicon


def changed_lines(rng: random.Random, words: Sequence[str]) -> list[str]:
    """Lines of a list: some of the words, and words that were changed at one place."""
    lines = rng.sample(words, rng.randint(0, len(words)))
    for word in rng.choices(words, k=rng.randint(0, 12)):
        place = rng.randint(0, len(word))
        changed = word[:place] + rng.choice(STRANGE) + word[place + rng.randint(0, 1) :]
        lines.append(rng.choice((changed, changed.upper(), word.upper(), f" {word}\r", "")))
    rng.shuffle(lines)
    return lines


def _word_lists(content: bytes) -> None:
    """Those of the row-draw puzzle, and those of Scrabble, whose letters may be any."""
    both_readings(content)
    with as_file(content, "words.txt") as file, suppress(RulesError):
        listed_words(str(file))


TARGETS = {
    "word-lists": Target(_word_lists, lambda: [b"tea\neat\nate\n", b"Tea\r\n\r\nEAT", "\ufeffñu\nþú\ntea\nit's\n".encode()]),
}
