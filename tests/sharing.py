"""What tests share that takes long to load: the bundled word list, as words of the solver, and its indexes."""

from functools import cache
from pathlib import Path

from solver.index import problem
from solver.index.problem import ClosedIndex, SignatureIndex
from solver.model.puzzle import Lexicon, read_lexicon
from solver.model.tiles import Scoring
from verify.files import bundled_words, remember_input


def share_words() -> None:
    """Let every problem of this process with the bundled words have the same lexicon and indexes, loaded at their first use.

    The bundled list never changes. Another list, and its indexes, are read each time.
    """
    own_signatures, own_closed = problem.signature_index, problem.closed_index
    path = bundled_words("enable1")
    assert path is not None
    read_bundled = cache(lambda: read_lexicon(path))
    signatures = cache(lambda: own_signatures(read_bundled()))
    last: dict[tuple[bytes, bytes, int], ClosedIndex] = {}  # one at most, of some 100 MB

    def read(chosen: Path) -> Lexicon:
        if chosen != path:
            return read_lexicon(chosen)
        remember_input(chosen)  # as its reader does
        return read_bundled()

    def signature_index(lexicon: Lexicon) -> SignatureIndex:
        return signatures() if lexicon is read_bundled() else own_signatures(lexicon)

    def closed_index(lexicon: Lexicon, scoring: Scoring, longest: int) -> ClosedIndex:
        if lexicon is not read_bundled():
            return own_closed(lexicon, scoring, longest)
        key = (scoring.margins.tobytes(), scoring.extra[: longest + 1].tobytes(), longest)
        if key not in last:
            last.clear()
            last[key] = own_closed(lexicon, scoring, longest)
        return last[key]

    for name, shared in (("read_lexicon", read), ("signature_index", signature_index), ("closed_index", closed_index)):
        setattr(problem, name, shared)
