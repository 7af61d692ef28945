"""The rules of a puzzle as its answers state them: with these and the word list a referee can judge an answer."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from solver.model.lexicon import Lexicon
from solver.model.puzzle import CHALLENGE, Puzzle, bundled_puzzles, fields_of, is_english, load_puzzle
from solver.model.tiles import ORDER
from verify import Rules, load_rules

_LONGEST_LIST = 100  # the most characters in the name of a word list
_RULES = ("row", "rack", "values", "bonus", "words")  # in the order of the comments


def address_of(puzzle: Puzzle) -> tuple[str, str | None]:
    """Return the name by which a referee finds the puzzle of an answer, and the row if it differs from that puzzle's row.

    If the rules are those of the challenge, an answer names the challenge and its row instead of a file.
    """
    if puzzle.source in bundled_puzzles() and not puzzle.own_row:
        return puzzle.source, None
    challenge = load_puzzle(CHALLENGE)
    same_words = puzzle.own_words is not None or puzzle.words == challenge.words
    same_rules = (puzzle.rack_size, puzzle.values, puzzle.bonus) == (challenge.rack_size, challenge.values, challenge.bonus)
    if same_words and same_rules:
        return CHALLENGE, None if puzzle.row == challenge.row else puzzle.row
    return puzzle.reference, puzzle.row if puzzle.own_row else None


@dataclass(frozen=True)
class Statement:
    """The rules that an answer states of its puzzle.

    Attributes:
        puzzle: The bundled puzzle, or the file.
        row: The row.
        rack: The number of tiles that a rack holds.
        values: The values of the tiles.
        bonus: The points for a play of a full rack.
        words: The name of the word list.
        words_hash: The SHA-256 of its words, sorted, one a line.
        named: The rules that the comments of an answer must name besides `puzzle`: all if the puzzle is not bundled.
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
        """Return the statement of `puzzle` played with the words of `lexicon`."""
        name, _row = address_of(puzzle)
        named = tuple(rule for rule in _RULES if rule != "bonus" or puzzle.bonus)
        if name in bundled_puzzles():
            rules, bundled = fields_of(puzzle), fields_of(load_puzzle(name))
            has_own_words = puzzle.own_words is not None
            named = tuple(rule for rule in _RULES if rules[rule] != bundled[rule] or (rule == "words" and has_own_words))
        words = _one_line(lexicon.name)
        return cls(name, puzzle.row, puzzle.rack_size, puzzle.values, puzzle.bonus, words, lexicon.digest, named)

    @classmethod
    def of_rules(cls, rules: Rules) -> "Statement":
        """Return the statement of the rules by which the referee has judged an answer."""
        name = rules.name if rules.name in bundled_puzzles() else CHALLENGE
        usual = _bundled_rules(name)
        same = (
            rules.row == usual.row,
            rules.rack_size == usual.rack_size,
            all(rules.values.get(tile, 0) == usual.values.get(tile, 0) for tile in ORDER),
            rules.bonus == usual.bonus,
            rules.words_hash == usual.words_hash,
        )
        named = tuple(rule for rule, is_usual in zip(_RULES, same, strict=True) if not is_usual)
        words = _one_line(rules.list_name)
        return cls(name, rules.row, rules.rack_size, rules.values, rules.bonus, words, rules.words_hash, named)

    def comments(self) -> str:
        """Return the lines with which an answer begins; none for the challenge, whose own script reads only turns."""
        texts = {
            "row": self.row,
            "rack": str(self.rack),
            "values": _values_text(self.values),
            "bonus": str(self.bonus),
            "words": f"{self.words} {self.words_hash}",
        }
        lines = [f"{rule} {texts[rule]}" for rule in self.named]
        # a reader recognises the start of an answer by a line with the puzzle or the row
        if self.puzzle != CHALLENGE or (lines and "row" not in self.named):
            lines.insert(0, f"puzzle {self.puzzle}")
        return "".join(f"# {line}\n" for line in lines)

    def fields(self) -> dict[str, Any]:
        """Return the puzzle, the row if it differs from the bundled puzzle's row, and all rules, for JSON."""
        row = {"row": self.row} if "row" in self.named else {}
        rules = {rule: getattr(self, rule) for rule in (*_RULES, "words_hash")}
        return {"puzzle": self.puzzle, **row, "rules": rules}


@cache
def _bundled_rules(name: str) -> Rules:
    return load_rules(name)


def _values_text(values: Mapping[str, int]) -> str:
    if is_english(values):
        return "english"
    return " ".join(f"{tile}={value}" for tile, value in sorted(values.items()) if value) or "none"


def _one_line(name: str) -> str:
    """Return the name of a file in a form that fits one line of a comment."""
    return " ".join("".join(c if c.isprintable() else "?" for c in name).split())[:_LONGEST_LIST] or "?"
