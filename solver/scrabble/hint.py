"""The highest-scoring play of a rack on a board.

Each stretch of a line that a play can fill has fixed letters and some empty squares. All stretches with the same fixed
letters and the same number of empty squares share one anagram lookup: these letters with every choice of so many tiles.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import combinations, combinations_with_replacement

import numpy as np
import numpy.typing as npt

from solver.scrabble.game import Game
from solver.scrabble.vocabulary import Vocabulary
from verify.scrabble.board import SIZE, Square, standard_board
from verify.scrabble.play import Grid, place_play, place_text, score_play
from verify.scrabble.tiles import BLANK


@dataclass(frozen=True)
class Hint:
    """A play as GCG writes it, the main word, and the score."""

    place: str
    tiles: str
    word: str
    score: int


@dataclass(frozen=True)
class _Stretch:
    """Squares of one line that a word would fill exactly."""

    squares: tuple[Square, ...]
    across: bool


def best_play(game: Game, words: Vocabulary, is_word: Callable[[str], bool]) -> Hint | None:
    """The legal play of the player on turn that scores most; None if there is none.

    Of plays with the same score it is the one whose place and tiles come first in alphabetical order.
    """
    finder = _Finder(game, words, is_word)
    best: Hint | None = None
    for hint in finder.plays():
        better = best is None or (-hint.score, hint.place, hint.tiles) < (-best.score, best.place, best.tiles)
        # the vocabulary may hold a form that `is_word` does not know
        if better and is_word(hint.word):
            best = hint
    return best


class _Finder:
    def __init__(self, game: Game, words: Vocabulary, is_word: Callable[[str], bool]) -> None:
        self._grid: Grid = game.grid
        self._tiles = game.setup.tiles
        self._rack = Counter(game.rack)
        self._words = words
        self._is_word = is_word
        self._crossing: dict[tuple[Square, bool], frozenset[str] | None] = {}

    def plays(self) -> Iterator[Hint]:
        """Legal plays, each with the choice of blanks that scores most."""
        groups: dict[tuple[str, int], list[_Stretch]] = defaultdict(list)
        for stretch in self._stretches():
            lying = sorted(self._grid[square].upper() for square in stretch.squares if square in self._grid)
            groups["".join(lying), len(stretch.squares) - len(lying)].append(stretch)
        choices = {count: self._choices(count) for count in {empty for _fixed, empty in groups}}
        for (fixed, empty), stretches in groups.items():
            for word in self._words.anagrams(choices[empty] + self._words.signature(fixed)):
                for stretch in stretches:
                    yield from self._laid(stretch, word)

    def _stretches(self) -> Iterator[_Stretch]:
        for across in (True, False):
            for line in range(SIZE):
                squares = [Square(line, i) if across else Square(i, line) for i in range(SIZE)]
                for start in range(SIZE):
                    if start == 0 or squares[start - 1] not in self._grid:
                        yield from self._from(squares, start, across)

    def _from(self, squares: list[Square], start: int, across: bool) -> Iterator[_Stretch]:
        empty, touches = 0, False
        for stop in range(start, SIZE):
            square = squares[stop]
            if square in self._grid:
                touches = True
            else:
                empty += 1
                if empty > self._rack.total():
                    return
                touches = (
                    touches or square == standard_board().centre if not self._grid else touches or self._touches(square, across)
                )
            closed = stop + 1 == SIZE or squares[stop + 1] not in self._grid
            if closed and touches and empty and stop > start:
                yield _Stretch(tuple(squares[start : stop + 1]), across)

    def _touches(self, square: Square, across: bool) -> bool:
        return square.next(not across, -1) in self._grid or square.next(not across, 1) in self._grid

    def _choices(self, count: int) -> npt.NDArray[np.uint64]:
        """The signatures of every choice of `count` tiles of the rack, with every letter for each blank."""
        real = sorted((self._rack - Counter({BLANK: self._rack[BLANK]})).elements())
        found: set[int] = set()
        for blanks in range(min(count, self._rack[BLANK]) + 1):
            named = [self._words.signature(some) for some in combinations_with_replacement(self._words.alphabet, blanks)]
            held = {int(self._words.signature(some)) for some in combinations(real, count - blanks)}
            found |= {(int(one) + other) % 2**64 for one in named for other in held}
        return np.array(sorted(found), dtype=np.uint64)

    def _laid(self, stretch: _Stretch, word: str) -> Iterator[Hint]:
        needed = []
        for square, letter in zip(stretch.squares, word, strict=True):
            lying = self._grid.get(square)
            if lying is None:
                allowed = self._allowed(square, stretch.across)
                if allowed is not None and letter not in allowed:
                    return
                needed.append(letter)
            elif lying.upper() != letter:
                return
        missing = Counter(needed) - self._rack
        if missing.total() > self._rack[BLANK]:
            return
        for blanked in _blank_choices(needed, missing):
            laid = iter(letter.lower() if i in blanked else letter for i, letter in enumerate(needed))
            tiles = "".join("." if square in self._grid else next(laid) for square in stretch.squares)
            placed = place_play(standard_board(), self._grid, stretch.squares[0], stretch.across, tiles)
            place = place_text(stretch.squares[0], stretch.across)
            yield Hint(place, tiles, word, score_play(standard_board(), self._grid, placed, self._tiles))

    def _allowed(self, square: Square, across: bool) -> frozenset[str] | None:
        """The letters that make a valid crossing word at `square`; None where there is no crossing word."""
        key = (square, across)
        if key not in self._crossing:
            before, after = self._run(square, not across, -1)[::-1], self._run(square, not across, 1)
            self._crossing[key] = (
                frozenset(letter for letter in self._words.alphabet if self._is_word(before + letter + after))
                if before or after
                else None
            )
        return self._crossing[key]

    def _run(self, square: Square, across: bool, step: int) -> str:
        letters = ""
        square = square.next(across, step)
        while square in self._grid:
            letters += self._grid[square].upper()
            square = square.next(across, step)
        return letters


def _blank_choices(needed: list[str], missing: Counter[str]) -> Iterator[frozenset[int]]:
    """Every choice of places for the blanks: for each letter, as many places as tiles are missing."""
    chosen: list[frozenset[int]] = [frozenset()]
    for letter, count in missing.items():
        places = [i for i, other in enumerate(needed) if other == letter]
        chosen = [before | frozenset(more) for before in chosen for more in combinations(places, count)]
    yield from chosen
