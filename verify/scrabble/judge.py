"""The verdict on a whole game in a GCG file."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import islice
from operator import attrgetter
from typing import Any

from verify.replay.verdict import Judged, Violation, Violations
from verify.scrabble.found import Phony, RightScore
from verify.scrabble.game_referee import GameReferee
from verify.scrabble.gcg import GameFile, Kind, read_gcg
from verify.scrabble.lexicons import GameWords, game_words, words_of_pragma
from verify.scrabble.play import THROUGH, Grid
from verify.scrabble.racks import UNKNOWN
from verify.scrabble.rulings import ENDS, STANDARD, Rulings
from verify.scrabble.tiles import BLANK, TileSet, tile_set, tile_set_for, tile_set_names, tile_set_of
from verify.text import counted, printable, quote

DEFAULT_TILES = "english"
_LAYOUTS = {
    "": None,
    "standard": "standard",
    "standard15": "standard",
    "crosswordgame": "standard",
    "supercrosswordgame": "super",
    "super": "super",
}
_LONGEST_NICK, _MOST_PLAYERS = 40, 9  # the limits of what a line of a verdict shows


@dataclass(frozen=True)
class GameVerdict(Judged):
    """The verdict on a game, with all violations in the order of the lines.

    Attributes:
        tiles: The name of the tile set.
        words: How words were judged, for people to read.
        totals: The total of each player, as the file says.
        events: The number of events.
        finished: Whether the file contains the end of the game.
        bingos: By player, the plays of a full rack that stand.
        phonies: The plays with words that are not in the list, whether they stand or not.
        grid: The tiles on the board at the end.
        board: The name of the board.
        uncounted: Whether the game is over, but the tiles left are not counted.
        judged: Whether the game was judged; if not, a fault says why.
        names: The full name of each player.
        right_scores: The right score of each event; empty if the game is not judged.
        is_computed: Whether the file has no scores, so that all of them are computed.
        remarks: The contradictions between racks, unless they are faults.
    """

    tiles: str
    words: str
    totals: Mapping[str, int]
    events: int
    finished: bool = False
    bingos: Mapping[str, int] = field(default_factory=dict)
    phonies: tuple[Phony, ...] = ()
    grid: Grid = field(default_factory=dict)
    board: str = "standard"
    uncounted: bool = False
    judged: bool = True
    names: Mapping[str, str] = field(default_factory=dict)
    right_scores: tuple[RightScore, ...] = ()
    is_computed: bool = False
    remarks: tuple[Violation, ...] = ()

    @property
    def score(self) -> int:
        """The highest total."""
        return max(self.totals.values(), default=0)

    @property
    def winners(self) -> list[str]:
        """The players with the highest total; empty before the end."""
        return [nick for nick, total in self.totals.items() if total == self.score] if self.finished else []

    @property
    def spread(self) -> int:
        """The lead of the best player over the next one, in points."""
        best = sorted(self.totals.values(), reverse=True)
        return best[0] - best[1] if len(best) > 1 else 0

    def as_json(self) -> dict[str, Any]:
        """Return the verdict as plain values."""
        return {
            "file": self.file,
            "valid": self.valid,
            "score": self.score,
            "scores": dict(self.totals),
            "computed": self.is_computed,
            "finished": self.finished,
            "uncounted": self.uncounted,
            "winners": self.winners,
            "spread": self.spread,
            "bingos": dict(self.bingos),
            "phonies": [
                {"line": phony.line, "player": phony.player, "words": list(phony.words), "challenger": phony.challenger}
                for phony in self.phonies
            ],
            "remarks": [{"line": one.line, "code": one.code, "message": one.message} for one in self.remarks],
            "tiles": self.tiles,
            "words": self.words,
            **self.faults.as_json(),
        }

    def as_text(self) -> str:
        """Return a line for the verdict, and one for each violation, each remark and each phony."""
        shown = [f"{nick[:_LONGEST_NICK]} {total}" for nick, total in islice(self.totals.items(), _MOST_PLAYERS)]
        more = ["..."] if len(self.totals) > _MOST_PLAYERS else []
        totals = ", ".join(shown + more)
        parts = [
            f"{totals} after {counted(self.events, 'event')}".strip(),
            "the file has no scores, they are computed" if self.is_computed else "",
            self._result(),
            *self._count_texts(),
            f"{self.tiles} tiles",
            self.words,
        ]
        name = printable(self.file)
        remarks = "".join(f"{name}:{one.line}: remark: {one.code}: {one.message}\n" for one in self.remarks)
        phonies = "".join(f"{self.file}:{phony.line}: phony: {_phony_text(phony)}\n" for phony in self.phonies)
        return self._text(f"{self.state}; {', '.join(part for part in parts if part)}") + remarks + phonies

    def _result(self) -> str:
        if not self.judged:
            return ""
        if self.uncounted:
            return "over, but the tiles left are not counted"
        if not self.finished:
            return "not finished"
        if len(self.winners) != 1:
            return "a tie"
        return f"{printable(self.winners[0])[:_LONGEST_NICK]} wins by {self.spread}"

    def _count_texts(self) -> list[str]:
        counts = {"bingo": sum(self.bingos.values()), "remark": len(self.remarks)}
        return [counted(count, name) for name, count in counts.items() if count]


def _phony_text(phony: Phony) -> str:
    words = ", ".join(map(printable, phony.words))
    who = printable(phony.player)[:_LONGEST_NICK]
    fate = "stood" if phony.challenger is None else f"challenged off by {printable(phony.challenger)[:_LONGEST_NICK]}"
    return f"{words} of {who}, {fate}"


def judge_game(
    content: bytes,
    file: str = "-",
    tiles: str | None = None,
    words: str | None = None,
    extra: str | None = None,
    rulings: Rulings = STANDARD,
) -> GameVerdict:
    """Return the verdict on the game in `content`.

    Args:
        content: The bytes of a GCG file.
        file: Its name in messages.
        tiles: A bundled tile set or a file; None to let the game decide.
        words: A bundled word list or a file; None to let the game decide.
        extra: A file of more valid words.
        rulings: The rules of the federation.

    Raises:
        RulesError: An option cannot be used. The bytes in `content` never cause it.
    """
    game = read_gcg(content)
    judged = words_of_pragma(game.pragma("lexicon"), extra) if words is None else game_words(words, extra)
    problems = list(game.problems)
    if not game.events:
        problems.append(Violation(0, "empty", "no event: expected lines such as '>ann: ABCDEFG 8H FACED +30 30'"))
    chosen = _tiles(game, tiles)
    reason = _unjudged(game, chosen)
    if isinstance(chosen, str) or reason:
        # with the wrong set or board every line would be a fault
        fault = Violation(0, *(("unknown-tiles", chosen) if isinstance(chosen, str) else ("unknown-variant", reason)))
        name = "unknown" if isinstance(chosen, str) else chosen.name
        totals = {event.player: event.total for event in game.events}
        faults = Violations.of([*problems, fault])
        return GameVerdict(file, faults, name, "nothing else is judged", totals, len(game.events), judged=False)
    return _verdict(game, file, chosen, judged, problems, _with_end(game, rulings, problems))


def _with_end(game: GameFile, rulings: Rulings, problems: list[Violation]) -> Rulings:
    """Return the rulings with the rule of the end that a game names, unless an option names one."""
    named = (game.pragma("end-rule") or "").strip().lower()
    if not named or rulings.end is not None:
        return rulings
    if named not in ENDS:
        problems.append(Violation(0, "unknown-end", f"end rule {quote(named)}: expected one of {', '.join(ENDS)}"))
        return rulings
    return replace(rulings, end=named)


def _verdict(
    game: GameFile, file: str, tiles: TileSet, words: GameWords, problems: list[Violation], rulings: Rulings
) -> GameVerdict:
    referee = GameReferee(tiles, words.is_word, rulings)
    referee.judge(game)
    faults = Violations.of([*problems, *referee.violations])
    return GameVerdict(
        file,
        faults,
        tiles.name,
        words.remark,
        referee.totals,
        len(game.events),
        referee.is_finished,
        +referee.bingos,
        tuple(referee.phonies),
        referee.grid,
        tiles.board,
        referee.is_uncounted,
        names={player.nick: player.name for player in game.players},
        right_scores=tuple(referee.right_scores),
        is_computed=bool(game.events) and not game.events[0].is_scored,
        remarks=tuple(sorted(referee.remarks, key=attrgetter("line"))),
    )


def _tiles(game: GameFile, option: str | None) -> TileSet | str:
    """Return the tile set by the option, the pragmata, the word list or the letters of the game; or why none is known."""
    if option is not None:
        return tile_set_of(option)
    named = (game.pragma("tile-distribution") or "").strip().lower()
    if named:
        known = ", ".join(tile_set_names())
        return (
            tile_set(named)
            if named in tile_set_names()
            else f"tile distribution {quote(named)}: expected one of {known}, or --tiles FILE"
        )
    layout = _LAYOUTS.get((game.pragma("board-layout") or "").strip().lower())
    chosen = tile_set_for(game.pragma("lexicon") or "") or _by_letters(game)
    if isinstance(chosen, TileSet) and layout == "super" and f"{chosen.name}_super" in tile_set_names():
        return tile_set(f"{chosen.name}_super")
    return chosen


def _by_letters(game: GameFile) -> TileSet | str:
    """Return the English set if it has all letters of a game, or else the only set that has; or why none is known."""
    racks = [event.rack for event in game.events if event.rack.upper() != UNKNOWN]
    texts = [*racks, *(event.tiles for event in game.events if event.kind is not Kind.EXCHANGE)]
    default = tile_set(DEFAULT_TILES)
    if _fits(default, texts):
        return default
    fitting = [name for name in tile_set_names() if _fits(tile_set(name), texts)]
    if len(fitting) == 1:
        return tile_set(fitting[0])
    strange = _strange(default, texts)
    if fitting:
        return f"{quote(' '.join(strange))}: no English tiles; the sets {', '.join(fitting)} have them: name one by --tiles"
    # letters that no set has are slips; the referee reports each of them
    return (
        default
        if len(strange) == 1 or not any(map(str.isalpha, strange))
        else f"{quote(' '.join(strange))}: tiles of no set that is at hand: give --tiles FILE"
    )


def _fits(tiles: TileSet, texts: list[str]) -> bool:
    return not _strange(tiles, texts)


def _strange(tiles: TileSet, texts: list[str]) -> list[str]:
    """Return the tiles that a set lacks, in capital letters."""
    seen = {tile for text in texts for tile in tiles.split(text)} - {BLANK, THROUGH}
    return sorted({tile.upper() for tile in seen if not tiles.has(tile)})


def _unjudged(game: GameFile, tiles: TileSet | str) -> str:
    """Return why a game with known tiles cannot be judged; empty if it can."""
    layout = (game.pragma("board-layout") or "").strip().lower()
    if layout not in _LAYOUTS:
        return f"board layout {quote(layout)}: expected CrosswordGame or SuperCrosswordGame"
    if isinstance(tiles, TileSet) and _LAYOUTS[layout] not in (None, tiles.board):
        return f"board layout {quote(layout)}: the {tiles.name} set is played on the {tiles.board} board"
    kind = (game.pragma("game-type") or "").strip().lower()
    if kind == "classic_super" and isinstance(tiles, TileSet) and tiles.board == "super":
        return ""
    return "" if kind in ("", "classic") else f"game type {quote(kind)}: expected classic"
