"""The verdict on a whole game in a GCG file."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from verify.rules import RulesError
from verify.scrabble.gcg import GameFile, read_gcg
from verify.scrabble.referee import GameReferee
from verify.scrabble.tiles import TileSet, tile_set, tile_set_names
from verify.scrabble.words import GameWords, game_words, words_of_pragma
from verify.verdict import Violation, fault_lines

DEFAULT_TILES = "english"


@dataclass(frozen=True)
class GameVerdict:
    """All violations, in the order of the lines. totals: as the file tells them; words: how words were judged."""

    file: str
    tiles: str
    words: str
    totals: Mapping[str, int]
    events: int
    violations: tuple[Violation, ...]

    @property
    def valid(self) -> bool:
        return not self.violations

    @property
    def score(self) -> int:
        """The highest total."""
        return max(self.totals.values(), default=0)

    def as_json(self) -> dict[str, Any]:
        """The verdict as plain values."""
        return {
            "file": self.file,
            "valid": self.valid,
            "score": self.score,
            "scores": dict(self.totals),
            "tiles": self.tiles,
            "words": self.words,
            "violations": [vars(violation) for violation in self.violations],
        }

    def as_text(self) -> str:
        """A line for the verdict, and one for each violation."""
        count = len(self.violations)
        state = "valid" if self.valid else f"INVALID, {count} violation{'s' * (count != 1)}"
        totals = ", ".join(f"{nick} {total}" for nick, total in self.totals.items())
        lines = [f"{self.file}: {state}; {totals} after {self.events} events; {self.tiles} tiles, {self.words}"]
        return "".join(f"{line}\n" for line in lines + fault_lines(self.file, self.violations))


def judge_game(
    content: bytes, file: str = "-", tiles: str | None = None, words: str | None = None, extra: str | None = None
) -> GameVerdict:
    """The verdict on the game in `content`, whatever the bytes.

    tiles, words: names from options; where they are None the file's pragmata decide. extra: a file of further words.
    Raises `RulesError` for an option that cannot be used, never for what the game holds.
    """
    game = read_gcg(content)
    problems = list(game.problems)
    chosen = _tiles(game, tiles, problems)
    judged = words_of_pragma(game.pragma("lexicon"), extra) if words is None else game_words(words, extra)
    return _verdict(game, file, chosen, judged, problems)


def _verdict(game: GameFile, file: str, tiles: TileSet, words: GameWords, problems: list[Violation]) -> GameVerdict:
    referee = GameReferee(tiles, words.is_word)
    referee.judge(game)
    if not game.events:
        problems.append(Violation(0, "empty", "no event: expected lines such as '>ann: ABCDEFG 8H FACED +30 30'"))
    violations = sorted([*problems, *referee.violations], key=lambda violation: violation.line)
    return GameVerdict(file, tiles.name, words.remark, referee.totals, len(game.events), tuple(violations))


def _tiles(game: GameFile, option: str | None, problems: list[Violation]) -> TileSet:
    known = ", ".join(tile_set_names())
    if option is not None:
        try:
            return tile_set(option.lower())
        except KeyError as error:
            raise RulesError(f"tile set {option!r}: expected one of {known}") from error
    named = game.pragma("tile-distribution")
    try:
        return tile_set((named or DEFAULT_TILES).lower())
    except KeyError:
        problems.append(Violation(0, "unknown-tiles", f"tile distribution {named!r}: expected one of {known}"))
        return tile_set(DEFAULT_TILES)
