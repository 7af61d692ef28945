"""The input of every search: a puzzle with its lexicon and its indexes."""

from dataclasses import dataclass
from functools import cached_property

from solver.errors import StrategyError
from solver.index.index import ClosedIndex, SignatureIndex, closed_index, signature_index
from solver.index.rack_plays import PlayFinder
from solver.model.lexicon import Lexicon, read_lexicon
from solver.model.puzzle import Puzzle
from solver.model.racks import CLOSED_RACK
from solver.model.statement import Statement
from verify import Rules


@dataclass(frozen=True)
class Problem:
    """A puzzle and the words it is played with. The indexes are loaded, or built, at their first use."""

    puzzle: Puzzle
    lexicon: Lexicon

    @classmethod
    def of(cls, puzzle: Puzzle) -> "Problem":
        """Return the problem of `puzzle`. Raises `PuzzleError` or `LexiconError` if its word list cannot be used."""
        return cls(puzzle, read_lexicon(puzzle.word_list))

    @cached_property
    def signatures(self) -> SignatureIndex:
        """The index of signatures, for any rack."""
        return signature_index(self.lexicon)

    @cached_property
    def finder(self) -> PlayFinder:
        """The finder of the best plays of a rack."""
        return self.finder_by("positional")

    def finder_by(self, rule: str) -> PlayFinder:
        """Return a finder of the best plays of a rack by `rule`, a key of `solver.model.weights.RULES`."""
        return PlayFinder(self.lexicon, self.signatures, self.puzzle.scoring(rule))

    @cached_property
    def statement(self) -> Statement:
        """The rules of the puzzle as its answers state them."""
        return Statement.of(self.puzzle, self.lexicon)

    @cached_property
    def rules(self) -> Rules:
        """The rules by which the referee judges games of this puzzle."""
        puzzle = self.puzzle
        words = frozenset(self.lexicon.words)
        return Rules(puzzle.name, puzzle.row, puzzle.rack_size, puzzle.values, words, puzzle.bonus)

    def require_ordinary(self, what: str) -> None:
        """Raise `StrategyError` if the puzzle is a variant, which `what` does not support."""
        if self.puzzle.is_variant:
            raise StrategyError(
                f"{what} takes no variant: in {self.puzzle.reference} a blank is worth something or a full rack has a bonus"
            )

    @property
    def has_closed_index(self) -> bool:
        """Whether the rack is small enough for an index closed under blanks."""
        return self.puzzle.rack_size <= CLOSED_RACK

    @cached_property
    def closed(self) -> ClosedIndex:
        """The index closed under blanks, for racks of up to `CLOSED_RACK` tiles."""
        return closed_index(self.lexicon, self.puzzle.scoring(), self.puzzle.rack_size)
