"""The verdict on a whole game in a GCG file."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import islice
from operator import attrgetter
from typing import Any

from verify.core import Fault
from verify.explain import BaseVerdict, Faults
from verify.scrabble.game import Game
from verify.scrabble.game_referee import GameReferee, Phony, Step
from verify.scrabble.gcg import GameFile, Kind, read_gcg
from verify.scrabble.lexicons import GameWords, game_words, words_of_pragma
from verify.scrabble.play import THROUGH, Grid
from verify.scrabble.rule_sets import DEFAULT, RuleSet, rule_set_of, rule_sets, rules_of_tiles
from verify.scrabble.tiles import (
    BLANK,
    TileSet,
    tile_set,
    tile_set_for,
    tile_set_names,
    tile_set_of,
)
from verify.text import counted, printable, quote

DEFAULT_TILES = "english"
_BOARDS = dict.fromkeys(
    ("standard", "standard15", "crosswordgame"), "standard"
)  # by the names of layouts
_BOARDS |= dict.fromkeys(("super", "supercrosswordgame"), "super")
_FEWEST_FAULTS, _MOST_EVENTS = 2, 200  # of a game for which another tile set is looked for
_LONGEST_NICK, _LONGEST_LINE, _MOST_PLAYERS = (
    40,
    200,
    9,
)  # the limits of what a line of a verdict shows


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
        uncounted: Whether the game is over, but the tiles left are not counted.
        judged: Whether the game was judged; if not, a fault says why.
        steps: The events as the referee replayed them, or as in the file if the game is not judged.
        remarks: What contradicts a rack, or the score of a rule set that lets it stand.
        rules: The name of the rule set; empty if nothing names one.
        hint: The bundled tile set with which the game has no fault; empty if none was looked for or found.
    """

    tile_set: TileSet
    words: str
    totals: Mapping[str, int]
    game: GameFile
    finished: bool = False
    bingos: Mapping[str, int] = field(default_factory=dict)
    phonies: tuple[Phony, ...] = ()
    grid: Grid = field(default_factory=dict)
    uncounted: bool = False
    judged: bool = True
    steps: tuple[Step, ...] = ()
    remarks: tuple[Fault, ...] = ()
    rules: str = ""
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
    def computed(self) -> str:
        """What the file does not give and is computed: `scores`, `totals` or nothing."""
        return self.game.computed

    @property
    def tiles(self) -> str:
        """The name of the tile set."""
        return self.tile_set.name

    @property
    def score(self) -> int:
        """The highest total."""
        return max(self.totals.values(), default=0)

    @property
    def winners(self) -> list[str]:
        """The players with the highest total; empty before the end."""
        return (
            [nick for nick, total in self.totals.items() if total == self.score]
            if self.finished
            else []
        )

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
            "computed": bool(self.computed),
            "finished": self.finished,
            "uncounted": self.uncounted,
            "winners": self.winners,
            "spread": self.spread,
            "bingos": dict(self.bingos),
            "phonies": [{**vars(phony), "words": list(phony.words)} for phony in self.phonies],
            "remarks": [dict(vars(remark)) for remark in self.remarks],
            "tiles": self.tiles,
            "rules": self.rules or DEFAULT,
            "words": self.words,
            "hint": self.hint or None,
            **self.faults.as_json(),
        }

    def as_text(self) -> str:
        """Return a line for the verdict, and one for each violation, each remark and each phony."""
        shown = [
            f"{nick[:_LONGEST_NICK]} {total}"
            for nick, total in islice(self.totals.items(), _MOST_PLAYERS)
        ]
        shown += ["..."] if len(self.totals) > _MOST_PLAYERS else []
        bingos = sum(self.bingos.values())
        parts = [
            f"{', '.join(shown)} after {counted(self.events, 'event')}".strip(),
            f"the file has no {self.computed}, they are computed" if self.computed else "",
            self._result() if self.judged else "",
            counted(bingos, "bingo") if bingos else "",
            counted(len(self.remarks), "remark") if self.remarks else "",
            f"{self.tiles} tiles",
            f"{self.rules} rules" if self.rules else "",
            self.words,
            f"with --tiles {self.hint} it has no fault" if self.hint else "",
        ]
        name = printable(self.file)
        remarks = "".join(
            f"{name}:{one.line}: remark: {one.code}: {one.message}\n" for one in self.remarks
        )
        phonies = "".join(
            f"{name}:{phony.line}: phony: {printable(phony.text)[:_LONGEST_LINE]}\n"
            for phony in self.phonies
        )
        return (
            self._text(f"{self.state}; {', '.join(part for part in parts if part)}")
            + remarks
            + phonies
        )

    def _result(self) -> str:
        if self.uncounted:
            return "over, but the tiles left are not counted"
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
    strict_racks: bool = False,
) -> GameVerdict:
    """Return the verdict on the game in `content`.

    Args:
        content: The bytes of a GCG file.
        file: Its name in messages.
        tiles: A bundled tile set or a file; None to let the game decide.
        words: A bundled word list or a file; None to let the game decide.
        extra: A file of more valid words.
        rules: A bundled rule set or a file; None to let the game decide.
        strict_racks: Whether what contradicts a rack is a fault.

    Raises:
        RulesError: A choice cannot be used. The bytes in `content` never cause it.
    """
    game = read_gcg(content)
    lexicon = game.pragma("lexicon")
    judge = words_of_pragma(lexicon, extra) if words is None else game_words(words, extra)

    def verdict_by(tiles: str | None) -> GameVerdict:
        return _verdict(game, file, judge, tiles, rules, strict_racks)

    verdict = verdict_by(tiles)
    is_guessed = (
        tiles is None and not game.pragma("tile-distribution") and not tile_set_for(lexicon)
    )
    is_looked_for = len(verdict.violations) >= _FEWEST_FAULTS and len(game.events) <= _MOST_EVENTS
    if not (is_guessed and is_looked_for and verdict.judged):
        return verdict
    others = (name for name in tile_set_names() if name != verdict.tiles)
    return replace(verdict, hint=next((name for name in others if verdict_by(name).valid), ""))


def _verdict(
    file: GameFile,
    name: str,
    judge: GameWords,
    tiles: str | None,
    rules: str | None,
    strict_racks: bool,
) -> GameVerdict:
    """Return the verdict on a game by these words, see `judge_game`; `name`: of its file."""
    faults = list(file.problems)
    if not file.events:
        faults.append(
            Fault(0, "empty", "no event: expected lines such as '>ann: ABCDEFG 8H FACED +30 30'")
        )
    chosen, unknown = _tiles(file, tiles)
    if reason := unknown or _refusal(file, chosen):
        # with the wrong set or board every line would be a fault
        faults.append(Fault(0, "unknown-tiles" if unknown else "unknown-variant", reason))
        chosen = replace(chosen, name="unknown") if unknown else chosen
        totals = {event.player: event.total for event in file.events}
        steps = tuple(Step(event, event.score, event.total) for event in file.events)
        left = "nothing else is judged"
        return GameVerdict(
            name, Faults.of(faults), chosen, left, totals, file, judged=False, steps=steps
        )
    rule_set, is_named = _rules(file, chosen, rules, faults)
    game = Game(chosen, rule_set, [player.nick for player in file.players])
    referee = GameReferee(game, judge.is_word, strict_racks)
    referee.replay(file)
    return GameVerdict(
        name,
        Faults.of([*faults, *referee.faults]),
        chosen,
        judge.remark,
        game.totals,
        file,
        referee.is_counted,
        +referee.bingos,
        tuple(referee.phonies),
        game.grid,
        referee.is_over and not referee.is_counted,
        steps=tuple(referee.steps),
        remarks=tuple(sorted(referee.remarks, key=attrgetter("line"))),
        rules=rule_set.name if is_named else "",
    )


def _rules(
    file: GameFile, tiles: TileSet, option: str | None, faults: list[Fault]
) -> tuple[RuleSet, bool]:
    """Return the rules by the option, the pragmata or the tile set of the game, and whether they are named."""
    if option is not None:
        return rule_set_of(option), True
    named = file.pragma("rules").lower()
    bundled = rule_sets()  # a game must not decide which files are opened
    if named in bundled:
        return bundled[named], True
    if named:
        faults.append(
            Fault(0, "unknown-rules", f"rules {quote(named)}: expected one of {', '.join(bundled)}")
        )
    own = rules_of_tiles(tiles.name)
    return bundled[DEFAULT] if own is None else bundled[DEFAULT].also(own), bool(named)


def _tiles(game: GameFile, option: str | None) -> tuple[TileSet, str]:
    """Return the tile set by the option, the pragmata, the word list or the letters of the game, and why none is known."""
    if option is not None:
        return tile_set_of(option), ""
    known = tile_set_names()
    if named := game.pragma("tile-distribution").lower():
        why = (
            f"tile distribution {quote(named)}: expected one of {', '.join(known)}, or --tiles FILE"
        )
        return (tile_set(named), "") if named in known else (tile_set(DEFAULT_TILES), why)
    by_list = tile_set_for(game.pragma("lexicon"))
    chosen, why = (by_list, "") if by_list else _by_letters(game)
    is_super = _BOARDS.get(game.pragma("board-layout").lower()) == "super"
    if is_super and not why and f"{chosen.name}_super" in known:
        return tile_set(f"{chosen.name}_super"), ""
    return chosen, why


def _by_letters(game: GameFile) -> tuple[TileSet, str]:
    """Return the set that lacks the fewest tiles of a game, the English one if several do, and why none is known."""
    played = [event.tiles for event in game.events if event.kind is not Kind.EXCHANGE]

    def strange(tiles: TileSet) -> list[str]:
        seen = [tile for event in game.events for tile in tiles.rack(event.rack)]
        seen += [tile for text in played for tile in tiles.split(text)]
        return [
            tile.upper() for tile in seen if not tiles.has(tile) and tile not in (BLANK, THROUGH)
        ]

    default = tile_set(DEFAULT_TILES)
    lacking = {name: strange(tile_set(name)) for name in tile_set_names()}
    fewest = min(map(len, lacking.values()))
    best = [name for name, tiles in lacking.items() if len(tiles) == fewest]
    foreign = quote(" ".join(sorted(set(lacking[DEFAULT_TILES]))))
    if fewest > sum(len(event.rack) for event in game.events) + sum(map(len, played)) - fewest:
        return default, f"{foreign}: tiles of no bundled set: give --tiles FILE"
    if DEFAULT_TILES in best:
        return default, ""
    if len(best) == 1:
        return tile_set(best[0]), ""
    return (
        default,
        f"{foreign}: no English tiles; the sets {', '.join(best)} have them: name one by --tiles",
    )


def _refusal(game: GameFile, tiles: TileSet) -> str:
    """Return why a game with known tiles cannot be judged; empty if it can."""
    layout, kind = game.pragma("board-layout").lower(), game.pragma("game-type").lower()
    board = _BOARDS.get(layout) if layout else tiles.board
    if board is None:
        return f"board layout {quote(layout)}: expected CrosswordGame or SuperCrosswordGame"
    if board != tiles.board:
        return f"board layout {quote(layout)}: the {tiles.name} set is played on the {tiles.board} board"
    possible = ("", "classic", "classic_super") if tiles.board == "super" else ("", "classic")
    return "" if kind in possible else f"game type {quote(kind)}: expected classic"
