"""Short games for tests, and what the referee finds in them."""

from typing import Any

from verify.scrabble.judge import GameVerdict, judge_game
from verify.strictness import Strictness

LENIENT = Strictness()
HEAD = "#player1 ann Ann Lee\n#player2 bob Bob\n"
CAB = ">ann: ABCDEFG 8H CAB +14 14\n"


def judged(
    text: str,
    rules: str | None = None,
    tiles: str | None = None,
    words: str = "none",
    strict: Strictness = LENIENT,
) -> GameVerdict:
    """The verdict on a game, of ann and bob unless it begins with their names."""
    content = (HEAD + text.removeprefix(HEAD)).encode()
    return judge_game(content, words=words, tiles=tiles, rules=rules, strict=strict)


def faults(verdict: GameVerdict) -> list[str]:
    """The line and the code of each fault, the first line after the names of two players as 1."""
    return [f"{fault.line - 2} {fault.code}" for fault in verdict.violations]


def codes(text: str, rules: str | None = None, **options: Any) -> list[str]:
    return faults(judged(text, rules, **options))
