"""The verdict on a whole game in a GCG file."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from itertools import chain
from operator import attrgetter
from typing import Any

from verify.core import Fault
from verify.explain import BaseVerdict, Faults
from verify.scrabble.game import GameState
from verify.scrabble.game_referee import GameReferee, Phony, Step
from verify.scrabble.gcg import Event, GameFile, Kind, Unread, read_gcg
from verify.scrabble.lexicons import GameWords, game_words, words_of_pragma
from verify.scrabble.play import THROUGH, Grid
from verify.scrabble.rule_sets import DEFAULT, RuleSet, rule_set_of, rule_sets
from verify.scrabble.tables import bundled
from verify.scrabble.tiles import (
    BLANK,
    TileSet,
    tile_set,
    tile_set_for,
    tile_set_names,
    tile_set_of,
)
from verify.strictness import Strictness
from verify.text import counted, placed, printable, quote

DEFAULT_TILES = "english"
# by the names that programs give to layouts
_BOARDS = {
    "standard15": "standard",
    "crosswordgame": "standard",
    "supercrosswordgame": "super",
}
# of a game for which another tile set is looked for
_FEWEST_FAULTS = 2
_MOST_EVENTS = 200
# the limits of what a line of a verdict shows
_LONGEST_NICK = 40  # characters
_LONGEST_LINE = 200  # characters
_MOST_PLAYERS = 9
_LENIENT = Strictness()


class _UnknownTilesError(Exception):
    """The tile set of a game is not known; the message says why."""


@dataclass(frozen=True)
class GameVerdict(BaseVerdict):
    """The verdict on a game, with all violations in the order of the lines.

    Attributes:
        tile_set: The tile set; if none is known, the English one under the name `unknown`.
        words: How words were judged, for people to read.
        totals: The total of each player, as the file says.
        game: The game as it is in the file.
        finished: Whether the file contains the end of the game.
        bingos: By player, the plays of a full rack that stand.
        phonies: The plays with words that are not in the list, whether they stand or not.
        grid: The tiles on the board at the end.
        uncounted: What is expected of a game that is over, and whose tiles left are not counted.
        judged: Whether the game was judged; if not, a fault says why.
        steps: The events as the referee replayed them, or as in the file if not judged.
        remarks: What contradicts a rack, or the score of a rule set that lets it stand.
        rule_set: The rules; called `any` if nothing names them.
        hint: The bundled tile set with which the game has no fault; empty if none was looked for or
            found.
    """

    tile_set: TileSet
    words: str
    totals: Mapping[str, int]
    game: GameFile
    finished: bool = False
    bingos: Mapping[str, int] = field(default_factory=dict)
    phonies: tuple[Phony, ...] = ()
    grid: Grid = field(default_factory=dict)
    uncounted: str = ""
    judged: bool = True
    steps: tuple[Step, ...] = ()
    remarks: tuple[Fault, ...] = ()
    rule_set: RuleSet = field(default_factory=RuleSet)
    hint: str = ""

    @property
    def events(self) -> int:
        """The number of events."""
        return len(self.game.events)

    @property
    def names(self) -> dict[str, str]:
        """The full name of each player."""
        return {player.nick: player.name for player in self.game.players}

    @property
    def player_of(self) -> dict[int, str]:
        """The name of the player of each line, of lines that cannot be read, too."""
        lines: list[Event | Unread] = [*self.game.events, *self.game.unread]
        return {line.line: self.names.get(line.player) or line.player for line in lines}

    @property
    def tiles(self) -> str:
        """The name of the tile set."""
        return self.tile_set.name

    @property
    def rules(self) -> str:
        """The name of the rule set."""
        return self.rule_set.name

    @property
    def score(self) -> int:
        """The highest total."""
        return max(self.totals.values(), default=0)

    @property
    def winners(self) -> list[str]:
        """The players with the highest total; empty before the end."""
        if not self.finished:
            return []
        return [nick for nick, total in self.totals.items() if total == self.score]

    @property
    def spread(self) -> int:
        """The lead of the best player over the next one, in points."""
        best = sorted(self.totals.values())[-2:] or [0]
        return best[-1] - best[0]

    def as_json(self) -> dict[str, Any]:
        """Return the verdict as plain values."""
        return {
            "file": self.file,
            "valid": self.valid,
            "score": self.score,
            "scores": dict(self.totals),
            "computed": bool(self.game.computed),
            "finished": self.finished,
            "uncounted": bool(self.uncounted),
            "winners": self.winners,
            "spread": self.spread,
            "bingos": dict(self.bingos),
            "phonies": [{**vars(phony), "words": list(phony.words)} for phony in self.phonies],
            "remarks": [dict(vars(remark)) for remark in self.remarks],
            "tiles": self.tiles,
            "rules": self.rules,
            "words": self.words,
            "hint": self.hint or None,
            **self.faults.as_json(),
        }

    def as_text(self) -> str:
        """Return a line for the verdict, and one for each violation, remark and phony."""
        totals = [f"{nick[:_LONGEST_NICK]} {total}" for nick, total in self.totals.items()]
        if len(totals) > _MOST_PLAYERS:
            totals[_MOST_PLAYERS:] = ["..."]
        parts = [f"{', '.join(totals)} after {counted(self.events, 'event')}".strip()]
        if self.game.computed:
            parts.append(f"the file has no {self.game.computed}, they are computed")
        if self.judged:
            parts.append(self._result())
        if bingos := sum(self.bingos.values()):
            parts.append(counted(bingos, "bingo"))
        if self.remarks:
            parts.append(counted(len(self.remarks), "remark"))
        parts.append(f"{self.tiles} tiles")
        if self.rules != DEFAULT:
            parts.append(f"{self.rules} rules")
        parts.append(self.words)
        if self.hint:
            parts.append(f"with --tiles {self.hint} it has no fault")
        text = self._text(f"{self.state}; {', '.join(parts)}")
        name = printable(self.file)
        for remark in self.remarks:
            place = placed(name, remark.line)
            text += f"{place}: remark: {remark.code}: {remark.message}\n"
        for phony in self.phonies:
            text += f"{name}:{phony.line}: phony: {printable(phony.text)[:_LONGEST_LINE]}\n"
        return text

    def _result(self) -> str:
        if self.uncounted:
            return f"over, but the tiles left are not counted: {printable(self.uncounted)}"
        if not self.finished:
            return "not finished"
        if len(self.winners) != 1:
            return "a tie"
        return f"{printable(self.winners[0])[:_LONGEST_NICK]} wins by {self.spread}"


def judge_game(
    content: bytes,
    file: str = "-",
    tiles: str | None = None,
    words: str | None = None,
    extra: str | None = None,
    rules: str | None = None,
    strict: Strictness = _LENIENT,
) -> GameVerdict:
    """Return the verdict on the game in `content`.

    Args:
        content: The bytes of a GCG file.
        file: Its name in messages.
        tiles: A bundled tile set or a file; None to let the game decide.
        words: A bundled word list or a file; None to let the game decide.
        extra: A file of more valid words.
        rules: A bundled rule set or a file; None to let the game decide.
        strict: What is a fault, and not a remark.

    Raises:
        RulesError: A choice cannot be used. The bytes in `content` never cause it.
    """
    game = read_gcg(content)
    lexicon = game.pragma("lexicon")
    faults = list(game.problems)
    if not game.events:
        message = "no event: expected lines such as '>ann: ABCDEFG 8H FACED +30 30'"
        faults.append(Fault(0, "empty", message))
    try:
        chosen = _tiles(game, tiles)
        code = "unknown-variant"
        reason = _refusal(game, chosen)
    except _UnknownTilesError as error:
        chosen = replace(tile_set(DEFAULT_TILES), name="unknown")
        code = "unknown-tiles"
        reason = str(error)
    if reason:
        # with the wrong set or board every line would be a fault
        return GameVerdict(
            file=file,
            faults=Faults.of([*faults, Fault(0, code, reason)]),
            tile_set=chosen,
            words="nothing else is judged",
            totals={event.player: event.total for event in game.events},
            game=game,
            judged=False,
            steps=tuple(Step(event, event.score, event.total) for event in game.events),
        )

    named = _rules(game, rules, faults)

    def verdict_by(tiles: TileSet) -> GameVerdict:
        if words is None:
            judge = words_of_pragma(lexicon, extra, tiles.spelling)
        else:
            judge = game_words(words, extra, tiles.spelling)
        if named is not None:
            return _verdict(game, file, judge, tiles, named, strict, faults)
        # by the rules of the tile set or, if there are fewer faults, of any federation
        possible = dict.fromkeys([tiles.rules or DEFAULT, DEFAULT])
        verdicts = [
            _verdict(game, file, judge, tiles, rule_set_of(name), strict, faults)
            for name in possible
        ]
        best = min(verdicts, key=lambda verdict: len(verdict.violations))
        return replace(best, rule_set=replace(best.rule_set, name=DEFAULT))

    verdict = verdict_by(chosen)
    is_named = tiles is not None or game.pragma("tile-distribution") or tile_set_for(lexicon)
    has_few_faults = len(verdict.violations) < _FEWEST_FAULTS
    if is_named or has_few_faults or len(game.events) > _MOST_EVENTS:
        return verdict
    for name in tile_set_names():
        if name != verdict.tiles and verdict_by(tile_set(name)).valid:
            return replace(verdict, hint=name)
    return verdict


def _verdict(
    file: GameFile,
    name: str,
    judge: GameWords,
    tiles: TileSet,
    rules: RuleSet,
    strict: Strictness,
    faults: Iterable[Fault],
) -> GameVerdict:
    """Return the verdict on a game by a tile set and rules; `faults` are those of its file."""
    game = GameState(tiles, rules, [player.nick for player in file.players])
    referee = GameReferee(game, judge.is_word, strict)
    referee.replay(file)
    return GameVerdict(
        file=name,
        faults=Faults.of([*faults, *referee.faults]),
        tile_set=tiles,
        words=judge.remark,
        totals=game.totals,
        game=file,
        finished=referee.is_counted,
        bingos=+referee.bingos,
        phonies=tuple(referee.phonies),
        grid=game.grid,
        uncounted=referee.uncounted,
        steps=tuple(referee.steps),
        remarks=tuple(sorted(referee.remarks, key=attrgetter("line"))),
        rule_set=rules,
    )


def _rules(file: GameFile, option: str | None, faults: list[Fault]) -> RuleSet | None:
    """Return the rules by the option or the pragmata; None if they name none."""
    if option is not None:
        return rule_set_of(option)
    named = file.pragma("rules").lower()
    known = rule_sets()  # a game must not decide which files are opened
    if named and named not in known:
        message = f"rules {quote(named)}: expected one of {', '.join(known)}, or --rules FILE"
        faults.append(Fault(0, "unknown-rules", message))
    return known.get(named)


def _tiles(game: GameFile, option: str | None) -> TileSet:
    """Return the tile set by the option, the pragmata, the word list or the letters of the game.

    Raises `_UnknownTilesError`.
    """
    if option is not None:
        return tile_set_of(option)
    known = tile_set_names()
    if named := game.pragma("tile-distribution").lower():
        if named in known:
            return tile_set(named)
        raise _UnknownTilesError(
            f"tile distribution {quote(named)}: expected one of {', '.join(known)}, or --tiles FILE"
        )
    chosen = tile_set_for(game.pragma("lexicon")) or _by_letters(game)
    larger = f"{chosen.name}_super"
    if larger in known and _board(game) == "super":
        return tile_set(larger)
    return chosen


def _by_letters(game: GameFile) -> TileSet:
    """Return the set that lacks the fewest tiles of a game, the English one if several do.

    Raises `_UnknownTilesError` if several do, but not the English one, or if they lack most tiles.
    """
    racks = [event.rack for event in game.events]
    played = [event.tiles for event in game.events if event.kind is not Kind.EXCHANGE]
    lacking = {}
    for name in tile_set_names():
        tiles = tile_set(name)
        seen = chain(*map(tiles.rack, racks), *map(tiles.split, played))
        lacking[name] = [
            tiles.spelling.upper(tile)
            for tile in seen
            if not tiles.has(tile) and tile not in (BLANK, THROUGH)
        ]
    fewest = min(map(len, lacking.values()))
    best = [name for name, strange in lacking.items() if len(strange) == fewest]
    foreign = quote(" ".join(sorted(set(lacking[DEFAULT_TILES]))))
    if 2 * fewest > len("".join(racks + played)):
        raise _UnknownTilesError(f"{foreign}: tiles of no bundled set: give --tiles FILE")
    if DEFAULT_TILES in best:
        return tile_set(DEFAULT_TILES)
    if len(best) > 1:
        raise _UnknownTilesError(
            f"{foreign}: no English tiles; the sets {', '.join(best)} have them: "
            "name one by --tiles"
        )
    return tile_set(best[0])


def _refusal(game: GameFile, tiles: TileSet) -> str:
    """Return why a game with known tiles cannot be judged; empty if it can."""
    board = _board(game) or tiles.board
    if board != tiles.board:
        layout = quote(game.pragma("board-layout"))
        if board not in bundled("boards"):
            return f"board layout {layout}: expected CrosswordGame or SuperCrosswordGame"
        return f"board layout {layout}: the {tiles.name} set is played on the {tiles.board} board"
    kind = game.pragma("game-type").lower()
    if kind in ("", "classic") or (kind, board) == ("classic_super", "super"):
        return ""
    return f"game type {quote(kind)}: expected classic"


def _board(game: GameFile) -> str:
    """Return the name of the board that a game names; empty if it names none."""
    layout = game.pragma("board-layout").lower()
    return _BOARDS.get(layout, layout)
