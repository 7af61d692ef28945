"""What tests share that takes long to read: the bundled word list, as words of the solver."""

from functools import cache
from pathlib import Path

from solver.index import problem
from solver.model.puzzle import Lexicon
from verify.files import bundled_words, remember_input


def share_words() -> None:
    """Read the bundled word list once in this process. It never changes; any other list is read each time."""
    bundled, read = bundled_words("enable1"), problem.read_lexicon
    shared = cache(read)

    def read_lexicon(path: Path) -> Lexicon:
        if path != bundled:
            return read(path)
        remember_input(path)  # as its reader does
        return shared(path)

    problem.read_lexicon = read_lexicon
