"""The verdict on a whole game in a GCG file."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any

from verify.rules import RulesError
from verify.scrabble.gcg import GameFile, read_gcg
from verify.scrabble.referee import GameReferee
from verify.scrabble.tiles import TileSet, tile_set, tile_set_names
from verify.scrabble.words import GameWords, game_words, words_of_pragma
from verify.text import quote
from verify.verdict import Judged, Violation, Violations

DEFAULT_TILES = "english"
_LONGEST_NICK, _MOST_PLAYERS = 40, 9  # the most that a line of a verdict shows


@dataclass(frozen=True)
class GameVerdict(Judged):
    """The verdict on a game, with all violations in the order of the lines.

    totals: the total of each player, as the file says.
    words: how words were judged, for people to read.
    """

    tiles: str
    words: str
    totals: Mapping[str, int]
    events: int

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
            **self.faults.as_json(),
        }

    def as_text(self) -> str:
        """A line for the verdict, and one for each violation."""
        shown = [f"{nick[:_LONGEST_NICK]} {total}" for nick, total in islice(self.totals.items(), _MOST_PLAYERS)]
        more = ["..."] if len(self.totals) > _MOST_PLAYERS else []
        totals = ", ".join(shown + more)
        return self._text(f"{self.state}; {totals} after {self.events} events; {self.tiles} tiles, {self.words}")


def judge_game(
    content: bytes, file: str = "-", tiles: str | None = None, words: str | None = None, extra: str | None = None
) -> GameVerdict:
    """The verdict on the game in `content`.

    tiles, words: names from options; if they are None, the file's pragmata decide.
    extra: a file of words that are also valid.

    Raises `RulesError` for an option that cannot be used, but never because of the bytes in `content`.
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
    faults = Violations.of([*problems, *referee.violations])
    return GameVerdict(file, faults, tiles.name, words.remark, referee.totals, len(game.events))


def _tiles(game: GameFile, option: str | None, problems: list[Violation]) -> TileSet:
    known = ", ".join(tile_set_names())
    if option is not None:
        try:
            return tile_set(option.lower())
        except KeyError as error:
            raise RulesError(f"tile set {quote(option)}: expected one of {known}") from error
    named = game.pragma("tile-distribution")
    try:
        return tile_set((named or DEFAULT_TILES).lower())
    except KeyError:
        problems.append(Violation(0, "unknown-tiles", f"tile distribution {quote(named)}: expected one of {known}"))
        return tile_set(DEFAULT_TILES)
