"""A game in progress: the position, the possible plays, and why a word cannot be played."""

from collections import Counter
from dataclasses import dataclass

from solver.errors import TableError
from solver.index.problem import Problem
from solver.index.rack_plays import Play
from solver.model.racks import laid_tiles
from solver.model.solution import Solution, Turn
from solver.model.tiles import BLANK
from solver.search.beam import best_after
from solver.search.hand import Hand, after_all, can_play
from solver.search.run import processors
from verify import judge
from verify.text import counted, nearest, quote
from verify.threads import ThreadPool

_WIDTH = 500  # of the beam that looks for a hint
_SHOWN = 10  # best plays


@dataclass(frozen=True)
class Hint:
    """The next turn of the best game that a quick search found, and that game's score."""

    turn: Turn
    score: int


class Table:
    """A game of one player.

    Attributes:
        left: The number of tiles of the next draw that come from the left.
    """

    def __init__(self, problem: Problem, turns: tuple[Turn, ...] = ()) -> None:
        self.problem = problem
        self._undone: list[Turn] = []
        self._take(turns)

    @property
    def score(self) -> int:
        """The score of the turns so far, in points."""
        return Solution(self.turns).score

    def text(self) -> str:
        """Return the game as an answer."""
        return self.problem.statement.comments() + Solution(self.turns).text()

    @property
    def rack(self) -> str:
        """The rack after the draw, in the order of the alphabet."""
        return self.drawn.tiles

    @property
    def drawn(self) -> Hand:
        """The hand after the draw."""
        return self.hand.drawn(self.problem, self.left)

    def draw(self, left: int) -> None:
        """Choose the draw. Raises `TableError`."""
        wants = self.hand.wants(self.problem)
        if not 0 <= left <= wants:
            raise TableError(f"draw {left}: expected 0 to {wants}, the number of tiles that the rack takes")
        self.left = left

    def play(self, word: str, tiles: str | None = None) -> Turn:
        """Play a word, with blanks for the letters that the rack lacks, or with `tiles`. Raises `TableError`."""
        if tiles is None and word in self.problem.rules.words and self._missing(word, self.rack):
            raise TableError(self.why(word))
        laid = tiles if tiles is not None else self._laid(word)
        line = f"{self.left} {laid} {word}"
        verdict = judge("".join(f"{turn}\n" for turn in self.turns) + line, self.problem.rules, strict=True)
        if not verdict.valid:
            raise TableError("; ".join(fault.message for fault in verdict.violations))
        turn = Turn(self.left, laid, word, verdict.turns[-1].score)
        self._take((*self.turns, turn))
        self._undone.clear()
        return turn

    def undo(self) -> None:
        """Take the last turn back. Raises `TableError`."""
        if not self.turns:
            raise TableError("there is no turn to take back")
        self._undone.append(self.turns[-1])
        self._take(self.turns[:-1])

    def redo(self) -> None:
        """Play again what was taken back. Raises `TableError`."""
        if not self._undone:
            raise TableError("there is nothing to play again")
        self._take((*self.turns, self._undone.pop()))

    def best(self) -> list[Play]:
        """Return the best plays of the rack after the draw."""
        return self.problem.finder.best([self.drawn.leave], top=_SHOWN)[0]

    def hint(self) -> Hint | None:
        """Return a good turn, by a quick search; None if no word can be played."""
        with ThreadPool(processors()) as pool:
            game = best_after(self.problem, self.turns, _WIDTH, pool, processors())
        return Hint(game.turns[len(self.turns)], game.score) if len(game.turns) > len(self.turns) else None

    def is_over(self) -> bool:
        """Return whether no draw allows a play."""
        return not can_play(self.problem, self.hand)

    def why(self, word: str) -> str:
        """Return a sentence: the score of a word, or the reason why it cannot be played now."""
        if word not in self.problem.rules.words:
            alike = (other for other in self.problem.rules.words if other[:1] == word[:1] and abs(len(other) - len(word)) < 2)
            return f"{quote(word)} is not in the word list{self.problem.rules.where_listed(word) or nearest(word, alike)}"
        missing = self._missing(word, self.rack)
        if not missing:
            return f"'{word}' can be played for {self.problem.rules.score(self._laid(word))}"
        draws = [
            left
            for left in range(self.hand.wants(self.problem) + 1)
            if not self._missing(word, self.hand.drawn(self.problem, left).tiles)
        ]
        other = f"; draw {' or '.join(map(str, draws))} from the left for it" if draws else "; no draw gives them now"
        blanks = self.rack.count(BLANK)
        held = f", and the rack has {counted(blanks, 'blank') if blanks else 'no blanks'}"
        return f"'{word}' needs {' '.join(missing)} besides the letters of the rack{held}{other}"

    def _missing(self, word: str, rack: str) -> list[str]:
        missing = sorted((Counter(word) - Counter(rack)).elements())
        return missing if len(missing) > rack.count(BLANK) else []

    def _laid(self, word: str) -> str:
        if not word.isascii() or not word.isalpha() or self._missing(word, self.rack):
            return word  # the referee names its fault
        return laid_tiles(self.drawn.leave, word)

    def _take(self, turns: tuple[Turn, ...]) -> None:
        self.turns = turns
        self.hand = after_all(self.problem, turns)
        self.left = self.hand.wants(self.problem) // 2
