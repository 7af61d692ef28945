"""The rules of a puzzle as its answers state them, so that whoever judges an answer needs no other file but its word list."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from solver.model.lexicon import Lexicon
from solver.model.puzzle import CHALLENGE, Puzzle, bundled_puzzles, is_english, load_puzzle

_LONGEST_LIST = 100  # characters of the name of a word list
_RULES = ("row", "rack", "values", "bonus", "words")  # in the order in which comments have them


@dataclass(frozen=True)
class Statement:
    """What an answer says of its puzzle.

    puzzle: The bundled puzzle, or the file.
    words, words_hash: The name of the word list, and the SHA-256 of its words, sorted, a line each.
    named: Which rules the comments of an answer need besides `puzzle`: all for a puzzle that is not bundled.
    """

    puzzle: str
    row: str
    rack: int
    values: Mapping[str, int]
    bonus: int
    words: str
    words_hash: str
    named: tuple[str, ...]

    @classmethod
    def of(cls, puzzle: Puzzle, lexicon: Lexicon) -> "Statement":
        """Return what answers to `puzzle`, played with the words of `lexicon`, say of it."""
        name, _row = puzzle.address
        named = tuple(rule for rule in _RULES if rule != "bonus" or puzzle.bonus)
        if name in bundled_puzzles():
            bundled = load_puzzle(name)
            differing = {
                "row": puzzle.row != bundled.row,
                "rack": puzzle.rack_size != bundled.rack_size,
                "values": puzzle.values != bundled.values,
                "bonus": puzzle.bonus != bundled.bonus,
                "words": puzzle.own_words is not None or puzzle.words != bundled.words,
            }
            named = tuple(rule for rule in _RULES if differing[rule])
        words = _one_line(lexicon.name)
        return cls(name, puzzle.row, puzzle.rack_size, puzzle.values, puzzle.bonus, words, lexicon.digest, named)

    def comments(self) -> str:
        """Return the lines with which an answer begins; none for the challenge, whose script reads nothing but turns."""
        texts = {
            "row": self.row,
            "rack": str(self.rack),
            "values": _values_text(self.values),
            "bonus": str(self.bonus),
            "words": f"{self.words} {self.words_hash}",
        }
        lines = [f"{rule} {texts[rule]}" for rule in self.named]
        # a row makes a first line as well, by which a reader tells where an answer begins
        if self.puzzle != CHALLENGE or (lines and "row" not in self.named):
            lines.insert(0, f"puzzle {self.puzzle}")
        return "".join(f"# {line}\n" for line in lines)

    def fields(self) -> dict[str, Any]:
        """Return the puzzle, the row where it is not the bundled puzzle's own, and all rules, for JSON."""
        row = {"row": self.row} if "row" in self.named else {}
        rules = {rule: getattr(self, rule) for rule in (*_RULES, "words_hash")}
        return {"puzzle": self.puzzle, **row, "rules": rules}


def _values_text(values: Mapping[str, int]) -> str:
    if is_english(values):
        return "english"
    return " ".join(f"{tile}={value}" for tile, value in sorted(values.items()) if value) or "none"


def _one_line(name: str) -> str:
    """The name of a file as a comment can have it."""
    return " ".join("".join(c if c.isprintable() else "?" for c in name).split())[:_LONGEST_LIST] or "?"
