"""Rule sets: the rules on which federations differ.

They are in data/rule-sets.toml by name, or in a director's file.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache

from verify.files import data_folder
from verify.rules import RulesError
from verify.scrabble.tables import filled, option_file, toml_file
from verify.text import quote

DEFAULT = "any"  # the rules of a game that names none
CASUAL = "casual"  # the rules of a new game


@dataclass(frozen=True)
class RuleSet:
    """The rules of one federation.

    Attributes:
        name: The name.
        like: The rule set that fills what a file leaves out.
        about: A line for people.
        bonus: The points that a failed challenge gives; several are possible, none if it gives
            nothing.
        per_word: Whether these points are for each word that was challenged.
        gain: Whether the player who goes out may get the value of the tiles left.
        deduct: Whether the owners may lose the tiles left without a gain for anyone.
        passes: The number of passes in a row of every player with which a game can end; 0 for
            never.
        scoreless: The number of turns in a row without a score with which a game can end; 0 for
            never.
        on_empty: Whether such turns can end a game on an empty board.
        must_end: Whether such turns and passes end a game, or only let a player end it.
        time: Every time penalty is a multiple of this, in points; 0 for any.
    """

    name: str = DEFAULT
    like: str = DEFAULT
    about: str = ""
    bonus: tuple[int, ...] = (5, 10)
    per_word: bool = False
    gain: bool = True
    deduct: bool = False
    passes: int = 0
    scoreless: int = 6
    on_empty: bool = True
    must_end: bool = False
    time: int = 10

    def bonuses(self, words: int) -> tuple[int, ...]:
        """Return the possible bonuses for a failed challenge of a play that forms `words` words."""
        counts = range(1, words + 1) if self.per_word else (1,)
        return tuple(sorted({points * count for points in self.bonus for count in counts}))

    @property
    def costs_turn(self) -> bool:
        """Whether a failed challenge costs the challenger the turn."""
        return not self.bonus

    @property
    def ends(self) -> str:
        """What must happen before the tiles left are counted."""
        ways = ["the last tile"]
        if self.scoreless:
            on_board = "" if self.on_empty else " and a tile on the board"
            ways.append(f"{self.scoreless} turns without a score{on_board}")
        if self.passes:
            ways.append(f"{self.passes} passes of every player")
        return " or ".join(ways)


@cache
def rule_sets() -> Mapping[str, RuleSet]:
    """Return the bundled rule sets by name."""
    path = data_folder() / "rule-sets.toml"
    tables = toml_file(path, "the table of rule sets")
    return {name: filled(RuleSet(name), path, table) for name, table in tables.items()}


def rule_set_of(name_or_file: str) -> RuleSet:
    """Return the bundled rule set of that name, or the one in a file.

    Raises `RulesError` if neither can be read.
    """
    known = rule_sets()
    file = option_file(name_or_file, known, "rules")
    if file is None:
        return known[name_or_file.lower()]
    table = toml_file(file, "the rule set")
    like = str(table.get("like", DEFAULT))
    if like not in known:
        raise RulesError(f"{file}: like {quote(like)}: expected one of {', '.join(known)}")
    return filled(replace(known[like], name=file.stem, about=""), file, table)
