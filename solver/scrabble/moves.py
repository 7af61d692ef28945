"""Parses the input of a player: a move in GCG notation or a command."""

import re
from dataclasses import dataclass

from solver.errors import TableError
from verify.text import quote

_PLAY = re.compile(r"([0-9]{1,2}[A-Za-z]|[A-Za-z][0-9]{1,2})\s+(\S+)")
_WORDS = {"pass": "-", "q": "quit", "exit": "quit", "?": "help"}
COMMANDS = ("challenge", "accept", "undo", "hint", "end", "help", "quit")


@dataclass(frozen=True)
class Move:
    """A move or a command.

    Attributes:
        kind: play, exchange, pass or one of `COMMANDS`.
        place: The place of a play.
        tiles: The tiles played or exchanged.
    """

    kind: str
    place: str = ""
    tiles: str = ""


def parse_move(text: str) -> Move:
    """Return the move of a line of input. Raises `TableError`, which lists the possible input."""
    line = _WORDS.get(text.strip().lower(), text.strip())
    if line.lower() in COMMANDS:
        return Move(line.lower())
    if line == "-":
        return Move("pass")
    exchanged = re.fullmatch(r"(?:-|exchange\s+)\s*(\S+)", line, re.IGNORECASE)
    if exchanged:
        return Move("exchange", tiles=exchanged[1].upper())
    played = _PLAY.fullmatch(line)
    if played:
        return Move("play", played[1].upper(), played[2])
    raise TableError(f"{quote(line)}: expected a play such as '8H FACED', -ABC, -, or one of {', '.join(COMMANDS)}")
