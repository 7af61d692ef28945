"""The referee of a whole game: replays it event by event and reports every fault.

After a fault it continues from what the file says: it reports a wrong score or total once, and
compares the next total with the total in the file. Only a play after the last tile is left out,
with its points. A play with words that are not in the list is a remark, not a fault: it stands
unless it is challenged.

Plays and scores are facts, but a rack is a note of the annotator, who often guesses it. What a rack
contradicts is a doubt: a remark, unless racks are judged strictly. The number of each tile on the
board is a fact.
"""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from operator import attrgetter

from verify.core import Fault
from verify.scrabble.board import Square
from verify.scrabble.game import GameState
from verify.scrabble.gcg import TURNS, Event, GameFile, Kind, Unread
from verify.scrabble.play import Grid, Placed
from verify.scrabble.tiles import BLANK, written
from verify.strictness import Strictness
from verify.text import counted, quote


@dataclass(frozen=True)
class Phony:
    """A play with `words` that are not in the list.

    `challenger` had it taken back; None if it stood.
    """

    line: int
    player: str
    words: tuple[str, ...]
    challenger: str | None = None

    @property
    def text(self) -> str:
        """The words, whose they are, and whether they stood."""
        fate = "stood" if self.challenger is None else f"challenged off by {self.challenger}"
        return f"{', '.join(self.words)} of {self.player}, {fate}"


@dataclass(frozen=True)
class Step:
    """An event as the referee replayed it.

    Attributes:
        event: The event; its score and total are computed if the file has none.
        score: The score by the rules. If no rule sets it, the file does.
        total: The total of the player by the rules.
        placed: The play, if it is one that can be placed.
        lifted: The squares whose tiles are taken back.
        before: The tiles on the board before the event.
        in_bag: The number of tiles in the bag before the event.
    """

    event: Event
    score: int
    total: int
    placed: Placed | None = None
    lifted: tuple[Square, ...] = ()
    before: Grid = field(default_factory=dict)
    in_bag: int = 0


@dataclass(frozen=True)
class EndCount:
    """Tiles counted at the end of a game.

    Attributes:
        player: Who gets or loses their value.
        tiles: The tiles.
        value: Their value.
        times: How often the player gets it; -1 if the player loses it.
    """

    player: str
    tiles: Counter[str]
    value: int
    times: int

    @property
    def is_lost(self) -> bool:
        """Whether the player loses the value."""
        return self.times < 0

    @property
    def text(self) -> str:
        """Who gets or loses which tiles."""
        verb = "loses" if self.is_lost else "gets"
        twice = " twice" if self.times > 1 else ""
        return f"{quote(self.player)} {verb} {quote(written(self.tiles.elements()))}{twice}"


class GameReferee:
    """Judges the events of a game.

    Args:
        game: The game before its first event.
        is_word: Returns whether a word in capitals is valid; None if words are not judged.
        strict: What is a fault.

    Attributes:
        faults: The faults so far.
        remarks: What is no fault by `strict`, or contradicts a rack.
        bingos: By player, the number of plays of a full rack that stand.
        phonies: The plays with words that are not in the list.
        steps: The events so far.
    """

    def __init__(
        self, game: GameState, is_word: Callable[[str], bool] | None, strict: Strictness
    ) -> None:
        self._game = game
        self._strict = strict
        self._rules = game.rules
        self._tiles = game.tiles
        self._is_word = is_word
        self._line = 0  # the line that is judged
        self.faults: list[Fault] = []
        self.remarks: list[Fault] = []
        self.bingos: Counter[str] = Counter()
        self.phonies: list[Phony] = []
        self.steps: list[Step] = []
        self._right_totals: Counter[str] = Counter()
        # by player, the tiles known to be kept after the last turn
        self._keeps: dict[str, Counter[str]] = {}
        self._counts: list[EndCount] = []
        self._wrong_end: Fault | None = None  # what is wrong with all counts so far together
        self._times: dict[str, Event] = {}
        self._late: Counter[str] = Counter()  # by player, the points of plays after the last tile
        self._unknown: set[str] = set()  # the players whose totals an unread event left unknown
        # whether a turn after the end is reported: a fault for each would add nothing
        self._has_ended = False

    @property
    def is_counted(self) -> bool:
        """Whether tiles left have been counted, or the game is over and none are left."""
        return bool(self._counts) or (self._game.out != "" and not self._game.unseen())

    @property
    def uncounted(self) -> str:
        """What is expected of a game that is over, and has no count of tiles left.

        Empty for any other game. Passes, turns without a score or a player without tiles let a game
        end.
        """
        out = self._game.out
        if self.is_counted or not (out or self._game.may_end):
            return ""
        if out and self._rules.gain:
            value = self._tiles.rack_value(self._game.unseen().elements())
            times = 2 if self._game.players == 2 else 1
            return f"expected {times * value:+d} for {quote(out)}"
        return f"expected {self._expected_end()}"

    def replay(self, file: GameFile) -> None:
        """Replay all events of a file."""
        number = len(self._game.nicks)
        if not 2 <= number <= 4:
            self._fault(
                "players",
                f"{counted(number, 'player')} {'is' if number == 1 else 'are'} named: "
                "expected 2 to 4 pragmata such as '#player1 ann Ann'",
            )
        lines: list[Event | Unread] = [*file.unread, *file.events]
        for event in sorted(lines, key=attrgetter("line")):
            self._line = event.line
            if isinstance(event, Unread):
                self._skip(event)
                continue
            if not event.is_scored and file.computed != "scores":
                message = f"{event.kind.value} without numbers: expected '+0' and the total"
                self._deviation("lenient", "no-score", message)
            self._take(event)
        self._count_others()
        if self._wrong_end is not None:
            self._line = self._wrong_end.line
            self._deviation("stands", "wrong-end", self._wrong_end.message)

    def _fault(self, code: str, message: str) -> None:
        self.faults.append(Fault(self._line, code, message))

    def _doubt(self, code: str, message: str) -> None:
        """Report what contradicts a rack."""
        found = self.faults if self._strict.racks else self.remarks
        found.append(Fault(self._line, code, message))

    def _deviation(self, record: str, code: str, message: str) -> None:
        """Report what only those who write games down so may do."""
        found = self.remarks if self._strict.allows(record) else self.faults
        found.append(Fault(self._line, code, message))

    def _skip(self, unread: Unread) -> None:
        """Let the turn of an event pass that cannot be read, and its total stand."""
        game = self._game
        player = unread.player
        if player == game.on_turn:
            game.pass_on(player)
        if unread.total is None or player not in game.totals:
            self._unknown.add(player)
        else:
            game.totals[player] = unread.total
            self._right_totals[player] = unread.total

    def _take(self, event: Event) -> None:
        game = self._game
        before = game.grid
        in_bag = game.in_bag
        if game.nicks and event.player not in game.totals:
            known = ", ".join(map(quote, game.nicks))
            self._fault(
                "unknown-player",
                f"{quote(event.player)} is not a player of this game: expected one of {known}",
            )
        game.totals.setdefault(event.player, 0)
        event = replace(event, total=event.total - self._late[event.player])
        if event.kind is Kind.PLAY and game.out:
            self._check_turn(event, self._tiles.rack(event.rack))
            self._late[event.player] += event.score
            game.pass_on(event.player)
            total = self._right_totals[event.player]
            self.steps.append(Step(event, 0, total, before=before, in_bag=in_bag))
            return
        placed, right = self.judge(event)
        if not event.is_scored:
            score = right or 0
            event = replace(event, score=score, total=game.totals[event.player] + score)
        score = event.score if right is None else right
        score = self._check_numbers(event, score, placed)
        self._right_totals[event.player] += score
        lifted = game.take(event, placed)
        self.steps.append(
            Step(
                event=event,
                score=score,
                total=self._right_totals[event.player],
                placed=placed,
                lifted=tuple(lifted),
                before=before,
                in_bag=in_bag,
            )
        )

    def judge(self, event: Event) -> tuple[Placed | None, int | None]:
        """Check an event before it is taken, but for its numbers.

        Returns:
            The play, None if there is none that can be placed; and the score by the rules, None if
            they do not set it.
        """
        rack = self._tiles.rack(event.rack)
        if event.kind in TURNS:
            self._check_turn(event, rack)
        elif event.kind is not Kind.WITHDRAWN:
            self.check_rack(rack, f"rack {quote(event.rack)}")
        placed = self._placed(event)
        return placed, self._right_score(event, placed, rack)

    def _check_turn(self, event: Event, rack: list[str]) -> None:
        """Check that it is the player's turn, and that the game is not over."""
        game = self._game
        player = event.player
        has_begun = any(step.event.kind in TURNS for step in self.steps)
        if has_begun and player in game.nicks and player != game.on_turn:
            self._fault("out-of-turn", f"{quote(player)} moves: expected {quote(game.on_turn)}")
            if not game.out:
                game.is_legal = False
        kept = [held for nick, held in self._keeps.items() if held and nick != player]
        others = sum(kept, Counter[str]())
        why = game.why_over if game.must_end else ""
        if self._counts:
            why = "the tiles that are left were counted"
        elif game.out and event.kind is not Kind.PASS:
            why = f"{quote(game.out)} has no tile left, and the bag is empty"
        if why and not self._has_ended:
            self._fault("after-end", f"the game is over, because {why}: expected no further turn")
            self._has_ended = True
        for time in self._times.values():
            message = (
                f"time penalty of {quote(time.player)} before the end: "
                "expected it after the last turn"
            )
            self.faults.append(Fault(time.line, "early-time", message))
        self._times.clear()
        held = Counter(rack)
        what = f"rack {quote(event.rack)}"
        if self.check_rack(rack, what):
            known = Counter(filter(self._is_of_set, rack))
            short = (others + held - game.unseen()) & known
            if short:
                tiles = quote(" ".join(sorted(short.elements())))
                self._doubt("held-twice", f"{what} holds {tiles}, which another player still holds")
        self._keeps[player] = held

    def _placed(self, event: Event) -> Placed | None:
        """Return the play of an event; None if it is no play, or one that cannot be placed."""
        if event.kind is not Kind.PLAY:
            return None
        try:
            placed = self._game.place(event)
        except ValueError as error:
            self._fault("illegal-play", str(error))
            return None
        for fault in placed.faults:
            self._fault("illegal-play", f"{event.place} {quote(event.tiles)}: {fault}")
        return placed

    def _right_score(self, event: Event, placed: Placed | None, rack: list[str]) -> int | None:
        """Check what an event does; return its score by the rules, None if they do not set it."""
        if placed is not None:
            return self._play(event, placed, rack)
        match event.kind:
            case Kind.PLAY:
                return None
            case Kind.EXCHANGE:
                self._exchange(event, rack)
            case Kind.WITHDRAWN:
                return self._withdraw(event, rack)
            case Kind.CHALLENGE:
                return self._challenge(event)
            case Kind.TIME:
                self._time(event)
                return None
            case Kind.RACK:
                return self._count(event, rack)
        return 0

    def _check_numbers(self, event: Event, right: int, placed: Placed | None) -> int:
        """Check score and total of an event; return the score that stands.

        A challenge bonus in the score of a play, as some programs write it, is named.
        """
        before = self._game.totals[event.player]
        score = event.score
        bonus = score - right
        is_folded = placed is not None and bonus in self._rules.bonuses(len(placed.words))
        message = f"{score:+d}: expected {right:+d}"
        if is_folded:
            message += (
                f"; it is {right} and a bonus of {bonus}, which needs a line of its own, "
                f"'(challenge) +{bonus}', or --record program"
            )
        if bonus and (is_folded or (event.kind is Kind.WITHDRAWN and score == 0)):
            self._deviation("program", "wrong-score", message)
        elif bonus:
            self._deviation("stands", "wrong-score", message)
        # if the score is wrong, a total with the right score is no second fault
        is_unknown = event.player in self._unknown
        self._unknown.discard(event.player)
        if not is_unknown and event.total not in (before + score, before + right):
            message = f"total {event.total} after {before} {score:+d}: expected {before + score}"
            self._deviation("stands", "wrong-total", message)
        return score if bonus and is_folded and self._strict.allows("program") else right

    def _play(self, event: Event, placed: Placed, rack: list[str]) -> int:
        used = self._game.used(placed)
        what = quote(event.tiles)
        strange = {tile for tile in placed.new.values() if not self._tiles.has(tile)}
        if BLANK in strange:
            self._fault(
                "unknown-tile",
                f"{what} lays a blank without its letter: expected the letter as a small letter",
            )
        self._check_tiles(used, f"play {what}", self._fault, strange - {BLANK})
        # one fault is enough for a tile that the set does not have, or a blank without its letter
        known = [tile for tile in placed.new.values() if tile not in strange]
        self._check_held(event, Counter(map(self._tiles.tile_of, known)), rack, what)
        self._keeps[event.player] -= used
        if wrong := self._wrong_words(placed):
            self.phonies.append(Phony(event.line, event.player, wrong))
            if self._strict.phonies:
                for word in wrong:
                    self._fault("unknown-word", f"{quote(word)} is not in the word list")
        self.bingos[event.player] += len(placed.new) == self._tiles.rack_size
        return self._game.score(placed)

    def _wrong_words(self, placed: Placed) -> tuple[str, ...]:
        if self._is_word is None:
            return ()
        wrong = []
        for text, word in zip(placed.texts, placed.words, strict=True):
            is_right = self._tiles.are_right(dict(word).values())
            if not (is_right and self._is_word(text)):
                wrong.append(text)
        return tuple(wrong)

    def _exchange(self, event: Event, rack: list[str]) -> None:
        what = f"exchange of {quote(event.tiles)}"
        if event.tiles.isascii() and event.tiles.isdecimal():
            # the file gives only the number of tiles, of which the first digits are enough: it is
            # unknown which were kept
            number = int(event.tiles[:9])
            del self._keeps[event.player]
        else:
            given = Counter(self._tiles.split(event.tiles))
            number = given.total()
            self._check_tiles(given, what, self._fault)
            self._check_held(event, given, rack, what)
            self._keeps[event.player] -= given
        most = self._tiles.rack_size
        if not 1 <= number <= most:
            self._fault("illegal-exchange", f"{what}: expected 1 to {most} tiles")
        in_bag = self._game.in_bag
        needed = max(self._tiles.exchange, min(number, most))
        if in_bag < needed:
            self._fault(
                "illegal-exchange", f"the bag holds {in_bag} tiles: expected at least {needed}"
            )

    def _check_held(self, event: Event, used: Counter[str], rack: list[str], what: str) -> None:
        """Check that a rack, if known, holds the tiles that go."""
        missing = " ".join(sorted((used - Counter(rack)).elements()))
        if rack and missing:
            self._doubt(
                "not-on-rack",
                f"{what} needs {quote(missing)} more than the rack {quote(event.rack)} holds",
            )

    def _withdraw(self, event: Event, rack: list[str]) -> int | None:
        player = event.player
        played = self._game.last_play
        if played is None or played.event.player != player:
            self._fault(
                "illegal-withdrawal",
                f"{quote(player)} has no play to take back: "
                "expected a play of this player in the event before",
            )
            return None
        held = self._tiles.rack(played.event.rack)
        if rack and held and Counter(rack) != Counter(held):
            self._doubt(
                "wrong-rack",
                f"rack {quote(event.rack)}: expected that of the play, {quote(played.event.rack)}",
            )
        if self._wrong_words(played.placed):
            others = [other for other in self._game.nicks if other != player]
            challenger = others[0] if len(others) == 1 else "somebody"
            self.phonies[-1] = replace(self.phonies[-1], challenger=challenger)
        elif self._is_word is not None:
            words = ", ".join(map(quote, played.placed.texts))
            self._fault("wrong-ruling", f"{words}: taken back, but in the word list")
        self.bingos[player] -= len(played.placed.new) == self._tiles.rack_size
        self._keeps[player] = Counter(rack or held)
        return -played.event.score

    def _challenge(self, event: Event) -> int | None:
        """Return the points that a failed challenge gives; None if not set."""
        last = self._game.last_play
        rules = self._rules
        if last is None:
            message = "no play was challenged: expected a play in the event before"
            self._fault("illegal-challenge", message)
            return None
        owner = last.event.player
        if owner != event.player:
            self._fault(
                "illegal-challenge",
                f"{quote(event.player)} has the line of the challenge of the play by "
                f"{quote(owner)}: expected {quote(owner)} to get points",
            )
            return None
        if wrong := self._wrong_words(last.placed):
            self._fault(
                "wrong-ruling",
                f"the challenge of {quote(wrong[0])} failed, but the word is not in the list",
            )
        allowed = rules.bonuses(len(last.placed.words))
        if not event.is_scored and len(allowed) == 1:
            return allowed[0]
        bonuses = " or ".join(map("{:+d}".format, allowed))
        expected = f"expected {bonuses or f'none by the {rules.name} rules'}"
        if not event.is_scored:
            self._fault(
                "no-score",
                f"challenge bonus without a score: {expected} in the file, "
                "or a rule set by --rules",
            )
        elif event.score not in allowed:
            self._deviation(
                "stands", "wrong-score", f"challenge bonus {event.score:+d}: {expected}"
            )
        return None

    def _time(self, event: Event) -> None:
        if not event.is_scored:
            self._fault(
                "no-score",
                "time penalty without a score: expected one such as -10 and a total",
            )
        if event.player in self._times:
            self._fault(
                "second-time", f"second time penalty of {quote(event.player)}: expected one"
            )
        self._times[event.player] = event
        step = self._rules.time or 1
        if event.score > 0 or event.score % step:
            message = f"time penalty {event.score:+d}: expected a multiple of -{step}"
            self._deviation("stands", "wrong-score", message)

    def check_rack(self, rack: list[str], what: str) -> bool:
        """Report why a rack is impossible with the tiles off the board.

        Returns:
            Whether the set has its tiles off the board; an unknown rack is possible.
        """
        most = self._tiles.rack_size
        if len(rack) > most:
            self._doubt("rack-size", f"{what} holds {len(rack)} tiles: expected at most {most}")
        return self._check_tiles(Counter(rack), what, self._doubt)

    def _check_tiles(
        self,
        wanted: Counter[str],
        what: str,
        report: Callable[[str, str], None],
        strange: Iterable[str] = (),
    ) -> bool:
        """Report the tiles that the set does not have, or not off the board.

        Args:
            wanted: The tiles.
            what: Where they are.
            report: Takes the code and the message.
            strange: Other letters that the set does not have.

        Returns:
            Whether the set has the tiles that it knows off the board.
        """
        unknown = {*strange, *(tile for tile in wanted if not self._is_of_set(tile))}
        if unknown:
            kinds = quote(" ".join(sorted(unknown)))
            report("unknown-tile", f"{what} has {kinds}: no tiles of the {self._tiles.name} set")
        lacking = sorted((wanted - self._game.unseen()).elements())
        short = " ".join(tile for tile in lacking if self._is_of_set(tile))
        if short:
            report("not-in-bag", f"{what} needs {quote(short)} more than the set has off the board")
        return not short

    def _is_of_set(self, tile: str) -> bool:
        return self._tiles.counts.get(tile, 0) > 0

    def _count_others(self) -> None:
        """Count the racks that a game ended by passes leaves out, as Quackle does.

        Quackle writes the loss of the last player alone.
        """
        game = self._game
        losers = [count.player for count in self._counts if count.is_lost]
        others = [nick for nick in game.nicks if nick not in losers]
        if not game.may_end or not losers or len(losers) < len(self._counts):
            return
        if not all(map(self._keeps.get, others)):
            return
        self._wrong_end = None
        for nick in others:
            held = self._keeps[nick]
            loss = self._tiles.rack_value(held.elements())
            game.totals[nick] -= loss
            self._counts.append(EndCount(nick, held, loss, -1))
            self._deviation(
                "lenient",
                "wrong-end",
                f"the loss of {quote(nick)} is left out: expected "
                f"'({written(held.elements())}) -{loss} {game.totals[nick]}', which is counted",
            )

    def _count(self, event: Event, rack: list[str]) -> int:
        """Take tiles counted at the end; return the expected score."""
        tiles = Counter(self._tiles.split(event.tiles))
        self._check_tiles(tiles, f"count of {quote(event.tiles)}", self._fault)
        value = self._tiles.rack_value(tiles.elements())
        player = event.player
        is_once = event.score == value
        if not event.is_scored:
            is_once = any(count.is_lost for count in self._counts)
        times = 1 if is_once or self._game.players > 2 else 2
        # a player who loses tiles still has a rack
        if event.score < 0 or (event.score == 0 and event.rack):
            times = -1
        count = EndCount(player, tiles, value, times)
        if count.is_lost and rack and Counter(rack) != tiles:
            self._doubt(
                "wrong-end",
                f"{quote(player)} holds {quote(event.rack)} but loses {quote(event.tiles)}: "
                "expected the same tiles",
            )
        self._counts.append(count)
        expected = self._expected_end()
        self._wrong_end = None
        if expected:
            counts = ", ".join(count.text for count in self._counts)
            message = f"{counts}: expected {expected}"
            self._wrong_end = Fault(event.line, "wrong-end", message)
        return times * value

    def _expected_end(self) -> str:
        """Return what is expected of all counts so far; empty if they end the game by the rules.

        The player who goes out gets twice the value of the tiles left, or once while their owners
        lose it; with more than two players only the second way is possible. By other rules the
        owners lose them, and no one gets their value. If passes or turns without a score end the
        game, every player loses the tiles held.
        """
        game = self._game
        out = ""
        if game.last_turn is not None and game.last_turn.kind is Kind.PLAY:
            out = game.last_turn.player
        left = game.unseen()
        losses = [count for count in self._counts if count.is_lost]
        gains = [count for count in self._counts if not count.is_lost]
        losers = [count.player for count in losses]
        lost = sum((count.tiles for count in losses), Counter[str]())
        tiles = quote(written(sorted(left.elements())))
        expected = []
        if game.may_end:
            if not gains and sorted(losers) == sorted(game.totals):
                return ""
            expected.append("every player to lose the tiles held, once")
        if out and self._rules.gain:
            times = 1 if lost else 2
            for gain in gains:
                is_all = gain.tiles == left and lost in (left, Counter())
                is_value = gain.times == times or not gain.value
                if len(gains) == 1 and gain.player == out and is_all and is_value:
                    return ""
            ways = "while the others lose it"
            if game.players == 2:
                ways = f"twice, or once {ways}"
            expected.append(f"{quote(out)} to get the value of {tiles}, {ways}")
        if out and self._rules.deduct:
            if not gains and lost == left and out not in losers:
                return ""
            expected.append(f"the others to lose {tiles}, and no one to get it")
        return ", or ".join(expected) or f"no count before {self._rules.ends}"
