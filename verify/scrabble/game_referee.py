"""The referee of a whole game: replays it event by event and reports every fault.

After a fault it continues from what the file says: it reports a wrong score or total once, and compares the next total with the
total in the file. A play with words that are not in the list is a remark, not a fault: it stands unless it is challenged.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from verify.replay.verdict import Violation
from verify.scrabble.board import FULL_RACK, Board, board_of
from verify.scrabble.ending import Ending
from verify.scrabble.found import Phony, RightScore
from verify.scrabble.gcg import Event, GameFile, Kind
from verify.scrabble.play import THROUGH, Grid, Placed, parse_place, place_play, score_play
from verify.scrabble.racks import Racks, known_rack
from verify.scrabble.rulings import STANDARD, Rulings
from verify.scrabble.tiles import TileSet
from verify.text import quote

_TURNS = {Kind.PLAY, Kind.EXCHANGE, Kind.PASS}


@dataclass(frozen=True)
class _Played:
    """The last play, which may still be taken back or earn a bonus; `wrong` holds its words that are not in the list."""

    event: Event
    rack: list[str]
    placed: Placed
    wrong: tuple[str, ...]


@dataclass
class _Player:
    """A player: the total in the file, the sum of the right scores, and the tiles known to be kept after the last turn."""

    total: int = 0
    right_total: int = 0
    keeps: Counter[str] = field(default_factory=Counter)


@dataclass
class GameReferee:
    """A game in progress.

    Attributes:
        is_word: Returns whether a word in capitals is valid; None if words are not judged.
        remarks: Contradictions between racks, unless they are faults.
        bingos: By player, the number of plays of a full rack that stand.
        right_scores: The right score of each event so far.
    """

    tiles: TileSet
    is_word: Callable[[str], bool] | None
    rulings: Rulings = STANDARD
    grid: Grid = field(default_factory=dict)
    violations: list[Violation] = field(default_factory=list)
    remarks: list[Violation] = field(default_factory=list)
    phonies: list[Phony] = field(default_factory=list)
    bingos: Counter[str] = field(default_factory=Counter)
    right_scores: list[RightScore] = field(default_factory=list)
    _players: dict[str, _Player] = field(default_factory=dict)
    _order: list[str] = field(default_factory=list)
    _on_turn: str | None = None
    _last: _Played | None = None
    _rewarded: bool = False

    def __post_init__(self) -> None:
        self.board: Board = board_of(self.tiles.board)
        self._racks = Racks(self.tiles, self._fault, self._doubt)
        self._ending = Ending(self.tiles, self.rulings, 2, self._fault, self.grid)

    def judge(self, game: GameFile) -> None:
        """Replay all events of `game`."""
        self._order = [player.nick for player in game.players]
        self._players = {nick: _Player() for nick in self._order}
        self._ending = Ending(self.tiles, self.rulings, max(2, len(self._order)), self._fault, self.grid)
        if not 2 <= len(self._order) <= 4:
            named = "1 player is" if len(self._order) == 1 else f"{len(self._order)} players are"
            self._fault(0, "players", f"{named} named: expected 2 to 4 pragmata such as '#player1 ann Ann'")
        for event in game.events:
            self._take(event)
        self._ending.close()
        self._racks.check_last(game)

    @property
    def totals(self) -> dict[str, int]:
        """The total of each player, as the file says."""
        return {nick: player.total for nick, player in self._players.items()}

    @property
    def is_finished(self) -> bool:
        """Whether the file contains the end of the game, with the tiles left."""
        return self._ending.is_counted

    @property
    def is_uncounted(self) -> bool:
        """Whether the game is over, but the tiles left are not counted."""
        return self._ending.is_over and not self._ending.is_counted

    def _take(self, event: Event) -> None:
        if event.player not in self._players:
            if self._order:
                known = ", ".join(map(quote, self._order))
                self._fault(
                    event.line, "unknown-player", f"{quote(event.player)} is not a player of this game: expected one of {known}"
                )
            self._players[event.player] = _Player()
        player = self._players[event.player]
        rack = known_rack(self.tiles, event.rack)
        if event.kind in _TURNS:
            self._check_turn(event)
            if event.kind is not Kind.PASS:
                self._check_others_hold(event, rack)
            self._last = None
        expected = self._expected(event, player, rack)
        event = _scored(event, player, expected)
        if event.kind in _TURNS:
            self._ending.turn(event)
        right = event.score if expected is None else expected
        player.right_total += right
        self.right_scores.append(RightScore(right, player.right_total))
        if event.score != right:
            self._fault(event.line, "wrong-score", f"{event.score:+d}: expected {right:+d}{self._folded(event, right)}")
        # if the score is wrong, a total with the right score is no second fault
        if event.total not in (player.total + event.score, player.total + right):
            self._fault(
                event.line,
                "wrong-total",
                f"total {event.total} after {player.total} {event.score:+d}: expected {player.total + event.score}",
            )
        player.total = event.total

    def _expected(self, event: Event, player: _Player, rack: list[str]) -> int | None:
        """Carry out the event; return its expected score, None if the rules do not set it."""
        if event.kind is Kind.WITHDRAWN:
            return self._withdraw(event, player, rack)
        if rack:
            self._check_rack(event, rack)
        if event.kind is Kind.PLAY:
            return self._play(event, player, rack)
        if event.kind is Kind.CHALLENGE:
            return self._challenge(event)
        if event.kind is Kind.TIME:
            if not event.is_scored:
                self._fault(event.line, "no-score", "time penalty without a score: expected one such as -10 and a total")
            self._ending.time(event)
            return None
        if event.kind is Kind.RACK:
            self._racks.check_bag(event.line, Counter(self.tiles.split(event.tiles)), quote(event.tiles))
            return self._ending.count(event, self._racks.off_board())
        player.keeps = Counter(rack)
        return self._exchange(event, player, rack) if event.kind is Kind.EXCHANGE else 0

    def _folded(self, event: Event, right: int) -> str:
        """Return a remark if the score of a play is the right one and a challenge bonus, as some programs write it."""
        bonus = event.score - right
        words = len(self._last.placed.words) if self._last is not None else 0
        if event.kind is not Kind.PLAY or bonus not in {5, 10, *self.rulings.bonuses(words)}:
            return ""
        return f"; it is {right} and a bonus of {bonus}, which needs a line of its own, '(challenge) +{bonus}'"

    def _check_others_hold(self, event: Event, rack: list[str]) -> None:
        """Report a turn of a player who holds all tiles off the board: another player has gone out, so the game is over."""
        is_last = self.grid and rack and not self._racks.off_board() - Counter(rack)
        # if others are known to hold tiles, the racks contradict each other
        if is_last and not self._ending.is_over and not self._kept_by_others(event.player):
            who = f"no one but {quote(event.player)} has a tile, and the bag is empty"
            self._fault(event.line, "after-end", f"the game is over, because {who}: expected no further turn")

    def _kept_by_others(self, nick: str) -> Counter[str]:
        return sum((player.keeps for other, player in self._players.items() if other != nick), Counter[str]())

    def _check_turn(self, event: Event) -> None:
        if self._on_turn is not None and event.player != self._on_turn and event.player in self._order:
            self._fault(event.line, "out-of-turn", f"{quote(event.player)} moves: expected {quote(self._on_turn)}")
        if event.player in self._order:
            place = self._order.index(event.player)
            self._on_turn = self._order[(place + 1) % len(self._order)]

    def _check_rack(self, event: Event, rack: list[str]) -> None:
        """Check that the tiles of a rack are neither on the board, nor held by others, nor more than the set has."""
        if self._racks.check(event.line, rack, f"rack {quote(event.rack)}") and event.kind in _TURNS:
            self._racks.check_others(event, rack, self._kept_by_others(event.player))

    def _play(self, event: Event, player: _Player, rack: list[str]) -> int | None:
        player.keeps = Counter(rack)
        try:
            start, across = parse_place(event.place, self.board)
        except ValueError as error:
            self._fault(event.line, "illegal-play", str(error))
            return None
        tiles = self.tiles.split(event.tiles)
        placed = place_play(self.board, self.grid, start, across, tiles)
        for fault in placed.faults:
            self._fault(event.line, "illegal-play", f"{event.place} {quote(event.tiles)}: {fault}")
        used = Counter(self.tiles.tile_of(tile) for tile in placed.new.values())
        strange = sorted({tile for tile in placed.new.values() if not self.tiles.has(tile) and tile != THROUGH})
        if strange:
            self._fault(
                event.line,
                "unknown-tile",
                f"{quote(event.tiles)} lays {quote(' '.join(strange))}: no tiles of the {self.tiles.name} set",
            )
        self._racks.check_played(event, used, rack)
        player.keeps -= used
        score = score_play(self.board, self.grid, placed, self.tiles)
        self.grid.update(placed.new)
        self._racks.lay(placed.new.values())
        self._last, self._rewarded = _Played(_scored(event, player, score), rack, placed, self._wrong_words(placed)), False
        if self._last.wrong:
            self.phonies.append(Phony(event.line, event.player, self._last.wrong))
            if self.rulings.challenge == "void":
                for word in self._last.wrong:
                    self._fault(event.line, "unknown-word", f"{quote(word)} is not in the word list")
        if len(placed.new) == FULL_RACK:
            self.bingos[event.player] += 1
        return score

    def _wrong_words(self, placed: Placed) -> tuple[str, ...]:
        if self.is_word is None:
            return ()
        texts = zip(placed.texts(), placed.words, strict=True)
        return tuple(
            text for text, word in texts if not (self.is_word(text) and self.tiles.are_right(tile for _square, tile in word))
        )

    def _exchange(self, event: Event, player: _Player, rack: list[str]) -> int:
        named = not (event.tiles.isascii() and event.tiles.isdecimal())
        tiles = self.tiles.split(event.tiles) if named else []
        # the file may give only the number of tiles; the first digits of a long number are enough
        number = len(tiles) if named else int(event.tiles[:9])
        if rack and named:
            self._racks.check_held(event, Counter(tiles), rack, f"exchange of {quote(event.tiles)}")
        # a number alone does not say which tiles were kept
        player.keeps = player.keeps - Counter(tiles) if named else Counter()
        if not 1 <= number <= FULL_RACK:
            self._fault(event.line, "illegal-exchange", f"{number} tiles are exchanged: expected 1 to {FULL_RACK}")
        left = self.tiles.bag().total() - len(self.grid) - FULL_RACK * max(2, len(self._order))
        needed = max(self.tiles.exchange, min(number, FULL_RACK))
        if left < needed:
            self._fault(event.line, "illegal-exchange", f"the bag holds {max(0, left)} tiles: expected at least {needed}")
        return 0

    def _withdraw(self, event: Event, player: _Player, rack: list[str]) -> int | None:
        played, self._last = self._last, None
        if played is None or played.event.player != event.player or self._rewarded:
            self._fault(
                event.line,
                "illegal-withdrawal",
                f"{quote(event.player)} has no play to take back: expected it directly after the own play",
            )
            return None
        if rack and played.rack and Counter(rack) != Counter(played.rack):
            self._doubt(
                event.line, "wrong-rack", f"rack {quote(event.rack)}: expected that of the play, {quote(played.event.rack)}"
            )
        if self.is_word is not None and not played.wrong:
            words = ", ".join(map(quote, played.placed.texts()))
            self._fault(event.line, "wrong-ruling", f"{words}: taken back, but in the word list")
        if played.wrong:
            self.phonies[-1] = Phony(played.event.line, event.player, played.wrong, self._other(event.player))
        for square in played.placed.new:
            del self.grid[square]
        self._racks.lift(played.placed.new.values())
        if len(played.placed.new) == FULL_RACK:
            self.bingos[event.player] -= 1
        player.keeps = Counter(rack or played.rack)
        self._ending.withdrawn()
        return -played.event.score

    def _other(self, nick: str) -> str:
        """Return who has challenged: with two players the other one, else unknown."""
        others = [other for other in self._order if other != nick]
        return others[0] if len(others) == 1 else "somebody"

    def _challenge(self, event: Event) -> int | None:
        """Return the points that a failed challenge gives the challenged player, or costs the challenger; None if not set."""
        last = self._last
        loses = self.rulings.loses
        of_player = last is not None and (last.event.player != event.player if loses else last.event.player == event.player)
        if last is None or not of_player or self._rewarded:
            whose = "the other player's" if loses else "the own"
            self._fault(
                event.line,
                "illegal-challenge",
                f"no play of which a challenge could be in vain: expected it directly after {whose} play",
            )
            return None
        self._rewarded = True
        if last.wrong:
            self._fault(
                event.line, "wrong-ruling", f"{quote(last.wrong[0])} was challenged in vain, but is not in the word list"
            )
        allowed = (-loses,) if loses else self.rulings.bonuses(len(last.placed.words))
        expected = " or ".join(f"{bonus:+d}" for bonus in allowed) or "none by this rule"
        if not event.is_scored and len(allowed) == 1:
            return allowed[0]
        if not event.is_scored:
            which = f"expected {expected} in the file, or the rule by --challenge"
            self._fault(event.line, "no-score", f"challenge bonus without a score: {which}")
        elif event.score not in allowed:
            self._fault(event.line, "wrong-score", f"challenge bonus {event.score:+d}: expected {expected}")
        return None

    def _doubt(self, line: int, code: str, message: str) -> None:
        """Report a contradiction between racks, which an annotator may have guessed."""
        found = self.violations if self.rulings.racks == "strict" else self.remarks
        found.append(Violation(line, code, message))

    def _fault(self, line: int, code: str, message: str) -> None:
        self.violations.append(Violation(line, code, message))


def _scored(event: Event, player: _Player, score: int | None) -> Event:
    """Return `event` with score and total; compute them if the file has none."""
    if event.is_scored:
        return event
    return replace(event, score=score or 0, total=player.total + (score or 0))
