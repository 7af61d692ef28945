"""The referee of a whole game: replays it event by event and reports every fault.

After a fault it continues from what the file says: it reports a wrong score or total once, and compares the next total with the
total in the file. A play with words that are not in the list is a remark, not a fault: it stands unless it is challenged.

Plays and scores are facts, but a rack is a note of the annotator, who often guesses it. What a rack contradicts is a doubt: a
remark, unless racks are judged strictly. The number of each tile on the board is a fact.
"""

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from verify.core import Fault
from verify.scrabble.board import FULL_RACK, Square
from verify.scrabble.game import Game
from verify.scrabble.gcg import TURNS, Event, GameFile, Kind
from verify.scrabble.play import Grid, Placed
from verify.scrabble.tiles import BLANK, written
from verify.text import counted, quote

_LAST_RACK = re.compile(r"rack[1-9]")


@dataclass(frozen=True)
class Phony:
    """A play with `words` that are not in the list. `challenger` had it taken back; None if it stood."""

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


class GameReferee:
    """Judges the events of a game. A rule is a call of `_expect`: what must hold, the code of its fault, and what is wrong.

    Args:
        game: The game before its first event.
        is_word: Returns whether a word in capitals is valid; None if words are not judged.
        strict_racks: Whether what contradicts a rack is a fault.

    Attributes:
        faults: The faults so far.
        remarks: What the rules allow, or what contradicts a rack.
        bingos: By player, the number of plays of a full rack that stand.
        phonies: The plays with words that are not in the list.
        steps: The events so far.
    """

    def __init__(
        self, game: Game, is_word: Callable[[str], bool] | None, strict_racks: bool = False
    ) -> None:
        self._game, self._rules, self._tiles = game, game.rules, game.tiles
        self._is_word = is_word
        self.faults: list[Fault] = []
        self.remarks: list[Fault] = []
        self._doubts = self.faults if strict_racks else self.remarks
        self.bingos: Counter[str] = Counter()
        self.phonies: list[Phony] = []
        self.steps: list[Step] = []
        self._right_totals: Counter[str] = Counter()
        self._keeps: dict[
            str, Counter[str]
        ] = {}  # by player, the tiles known to be kept after the last turn
        self._counts: list[str] = []  # who gets or loses which tiles at the end
        self._gains: list[
            tuple[str, Counter[str], bool, bool]
        ] = []  # who gets which tiles, once, and twice
        self._losers: list[str] = []
        self._lost: Counter[str] = Counter()
        self._wrong_end: list[Fault] = []  # what is wrong with all counts so far together
        self._times: dict[str, Event] = {}
        self._has_ended = (
            False  # whether a turn after the end is reported: one for each would add nothing
        )

    @property
    def is_counted(self) -> bool:
        """Whether tiles left have been counted."""
        return bool(self._counts)

    @property
    def is_over(self) -> bool:
        """Whether the game is over or may be: tiles or time have been counted, or turns without a score let a player end it."""
        return self.is_counted or bool(self._times) or self._game.may_end

    def replay(self, file: GameFile) -> None:
        """Replay all events of a file."""
        number = len(self._game.nicks)
        named = f"{counted(number, 'player')} {'is' if number == 1 else 'are'} named"
        self._expect(
            2 <= number <= 4,
            0,
            "players",
            f"{named}: expected 2 to 4 pragmata such as '#player1 ann Ann'",
        )
        for event in file.events:
            self._take(event)
        self.faults += self._wrong_end
        self._check_last_racks(file)

    def _expect(
        self, is_right: bool, line: int, code: str, message: str, of_rack: bool = False
    ) -> bool:
        """Report a fault unless the line `is_right`; what contradicts a rack is a doubt."""
        if not is_right:
            (self._doubts if of_rack else self.faults).append(Fault(line, code, message))
        return is_right

    def _take(self, event: Event) -> None:
        game = self._game
        before, in_bag = game.grid, game.in_bag
        known = ", ".join(map(quote, game.nicks))
        stranger = f"{quote(event.player)} is not a player of this game: expected one of {known}"
        self._expect(
            event.player in game.totals or not known, event.line, "unknown-player", stranger
        )
        game.totals.setdefault(event.player, 0)
        rack = self._tiles.rack(event.rack)
        if event.kind in TURNS:
            self._check_turn(event, rack)
        elif event.kind is not Kind.WITHDRAWN:
            self._check_rack(event.line, rack, f"rack {quote(event.rack)}")
        placed = self._placed(event) if event.kind is Kind.PLAY else None
        right = self._right_score(event, placed, rack)
        if not event.is_scored:
            event = replace(event, score=right or 0, total=game.totals[event.player] + (right or 0))
        score = event.score if right is None else right
        self._check_numbers(event, score, placed)
        self._right_totals[event.player] += score
        total = self._right_totals[event.player]
        lifted = game.take(event, placed)
        self.steps.append(Step(event, score, total, placed, tuple(lifted), before, in_bag))

    def _check_turn(self, event: Event, rack: list[str]) -> None:
        """Check that it is the player's turn, and that the game is not over."""
        game, player = self._game, event.player
        has_begun = any(step.event.kind in TURNS for step in self.steps)
        is_on_turn = not has_begun or player not in game.nicks or player == game.on_turn
        self._expect(
            is_on_turn,
            event.line,
            "out-of-turn",
            f"{quote(player)} moves: expected {quote(game.on_turn)}",
        )
        others = sum((kept for nick, kept in self._keeps.items() if nick != player), Counter[str]())
        over = "the game is over, because {}: expected no further turn"
        # if others are known to hold tiles, the racks contradict each other
        is_last = (
            event.kind is not Kind.PASS
            and game.grid
            and rack
            and not game.unseen(rack)
            and not others
        )
        alone = over.format(f"no one but {quote(player)} has a tile, and the bag is empty")
        self._expect(not is_last or self.is_over, event.line, "after-end", alone, of_rack=True)
        if (self.is_counted or game.must_end) and not self._has_ended:
            why = "the tiles that are left were counted" if self.is_counted else game.why_over
            self._has_ended = not self._expect(False, event.line, "after-end", over.format(why))
        for time in self._times.values():
            early = f"time penalty of {quote(time.player)} before the end: expected it after the last turn"
            self._expect(False, time.line, "early-time", early)
        self._times.clear()
        held = Counter(rack)
        if self._check_rack(event.line, rack, f"rack {quote(event.rack)}") and rack:
            short = (others + held - game.unseen()) & held
            tiles = " ".join(
                sorted(tile for tile in short.elements() if self._tiles.counts.get(tile))
            )
            message = (
                f"rack {quote(event.rack)} holds {quote(tiles)}, which another player still holds"
            )
            self._expect(not tiles, event.line, "held-twice", message, of_rack=True)
        self._keeps[player] = held

    def _placed(self, event: Event) -> Placed | None:
        try:
            placed = self._game.place(event)
        except ValueError as error:
            self._expect(False, event.line, "illegal-play", str(error))
            return None
        for fault in placed.faults:
            self._expect(
                False, event.line, "illegal-play", f"{event.place} {quote(event.tiles)}: {fault}"
            )
        return placed

    def _right_score(self, event: Event, placed: Placed | None, rack: list[str]) -> int | None:
        """Check what an event does; return its score by the rules, None if they do not set it."""
        match event.kind:
            case Kind.PLAY:
                return None if placed is None else self._play(event, placed, rack)
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

    def _check_numbers(self, event: Event, right: int, placed: Placed | None) -> None:
        """Check score and total of an event; name a challenge bonus in the score of a play, as some programs write it."""
        found = self.remarks if self._rules.recorded else self.faults
        before, bonus = self._game.totals[event.player], event.score - right
        is_folded = placed is not None and bonus in {5, 10, *self._rules.bonuses(len(placed.words))}
        line = f"which needs a line of its own, '(challenge) +{bonus}', or --rules folded"
        hint = f"; it is {right} and a bonus of {bonus}, {line}" if is_folded else ""
        if bonus:
            found.append(
                Fault(event.line, "wrong-score", f"{event.score:+d}: expected {right:+d}{hint}")
            )
        # if the score is wrong, a total with the right score is no second fault
        if event.total not in (before + event.score, before + right):
            message = f"total {event.total} after {before} {event.score:+d}: expected {before + event.score}"
            found.append(Fault(event.line, "wrong-total", message))

    def _play(self, event: Event, placed: Placed, rack: list[str]) -> int:
        used = self._game.used(placed)
        laid, what = (
            {tile for tile in placed.new.values() if not self._tiles.has(tile)},
            quote(event.tiles),
        )
        message = f"{what} lays a blank without its letter: expected the letter as a small letter"
        self._expect(BLANK not in laid, event.line, "unknown-tile", message)
        strange = sorted(laid - {BLANK})
        message = f"{what} lays {quote(' '.join(strange))}: no tiles of the {self._tiles.name} set"
        self._expect(not strange, event.line, "unknown-tile", message)
        self._use(event, used, rack, what)
        self._check_off_board(event.line, used, f"play {what}")
        if wrong := self._wrong_words(placed):
            self.phonies.append(Phony(event.line, event.player, wrong))
        for word in wrong if self._rules.void else ():
            self._expect(
                False, event.line, "unknown-word", f"{quote(word)} is not in the word list"
            )
        self.bingos[event.player] += len(placed.new) == FULL_RACK
        score = self._game.score(placed)
        is_folded = (
            self._rules.folded
            and event.is_scored
            and event.score - score in self._rules.bonuses(len(placed.words))
        )
        return event.score if is_folded else score

    def _wrong_words(self, placed: Placed) -> tuple[str, ...]:
        if self._is_word is None:
            return ()
        texts = zip(placed.texts(), placed.words, strict=True)
        are_right = self._tiles.are_right
        return tuple(
            text
            for text, word in texts
            if not (self._is_word(text) and are_right(tile for _square, tile in word))
        )

    def _exchange(self, event: Event, rack: list[str]) -> None:
        if event.tiles.isascii() and event.tiles.isdecimal():
            # the file gives only the number of tiles, of which the first digits are enough: it is unknown which were kept
            number = int(event.tiles[:9])
            del self._keeps[event.player]
        else:
            given = Counter(self._tiles.split(event.tiles))
            number = given.total()
            self._use(event, given, rack, f"exchange of {quote(event.tiles)}")
        allowed = f"{number} tiles are exchanged: expected 1 to {FULL_RACK}"
        self._expect(1 <= number <= FULL_RACK, event.line, "illegal-exchange", allowed)
        needed, in_bag = max(self._tiles.exchange, min(number, FULL_RACK)), self._game.in_bag
        message = f"the bag holds {in_bag} tiles: expected at least {needed}"
        self._expect(in_bag >= needed, event.line, "illegal-exchange", message)

    def _use(self, event: Event, used: Counter[str], rack: list[str], what: str) -> None:
        """Check that a rack, if it is known, holds the tiles played or exchanged; remember the tiles that are kept."""
        missing = used - Counter(rack) if rack else Counter[str]()
        message = f"{what} needs {quote(' '.join(sorted(missing.elements())))} more than the rack {quote(event.rack)} holds"
        self._expect(not missing, event.line, "not-on-rack", message, of_rack=True)
        self._keeps[event.player] -= used

    def _withdraw(self, event: Event, rack: list[str]) -> int | None:
        played = self._game.last_play
        if played is None or played.event.player != event.player:
            message = f"{quote(event.player)} has no play to take back: expected a play of this player in the event before"
            self._expect(False, event.line, "illegal-withdrawal", message)
            return None
        held = self._tiles.rack(played.event.rack)
        message = f"rack {quote(event.rack)}: expected that of the play, {quote(played.event.rack)}"
        is_same = not rack or not held or Counter(rack) == Counter(held)
        self._expect(is_same, event.line, "wrong-rack", message, of_rack=True)
        wrong = self._wrong_words(played.placed)
        message = (
            f"{', '.join(map(quote, played.placed.texts()))}: taken back, but in the word list"
        )
        self._expect(self._is_word is None or bool(wrong), event.line, "wrong-ruling", message)
        if wrong:
            others = [other for other in self._game.nicks if other != event.player]
            challenger = others[0] if len(others) == 1 else "somebody"
            self.phonies[-1] = replace(self.phonies[-1], challenger=challenger)
        self.bingos[event.player] -= len(played.placed.new) == FULL_RACK
        self._keeps[event.player] = Counter(rack or held)
        return -played.event.score

    def _challenge(self, event: Event) -> int | None:
        """Return the points that a failed challenge gives the challenged player, or costs the challenger; None if not set."""
        last, rules = self._game.last_play, self._rules
        if last is None or (last.event.player == event.player) == (rules.cost > 0):
            whose = "the other player" if rules.cost else "this player"
            message = f"no play was challenged: expected a play of {whose} in the event before"
            self._expect(False, event.line, "illegal-challenge", message)
            return None
        wrong = self._wrong_words(last.placed)[:1]
        message = (
            f"the challenge of {''.join(map(quote, wrong))} failed, but the word is not in the list"
        )
        self._expect(not wrong, event.line, "wrong-ruling", message)
        allowed = (-rules.cost,) if rules.cost else rules.bonuses(len(last.placed.words))
        expected = (
            " or ".join(f"{bonus:+d}" for bonus in allowed) or f"none by the {rules.name} rules"
        )
        if not event.is_scored and len(allowed) == 1:
            return allowed[0]
        which = f"challenge bonus without a score: expected {expected} in the file, or a rule set by --rules"
        if self._expect(event.is_scored, event.line, "no-score", which):
            message = f"challenge bonus {event.score:+d}: expected {expected}"
            self._expect(event.score in allowed, event.line, "wrong-score", message)
        return None

    def _time(self, event: Event) -> None:
        line, step = event.line, self._rules.time or 1
        self._expect(
            event.is_scored,
            line,
            "no-score",
            "time penalty without a score: expected one such as -10 and a total",
        )
        second = f"second time penalty of {quote(event.player)}: expected one"
        self._expect(event.player not in self._times, line, "second-time", second)
        self._times[event.player] = event
        is_multiple = event.score <= 0 and event.score % step == 0
        self._expect(
            is_multiple,
            line,
            "wrong-score",
            f"time penalty {event.score:+d}: expected a multiple of -{step}",
        )

    def _check_rack(self, line: int, rack: list[str], what: str) -> bool:
        """Return whether a rack is possible with the tiles off the board, as an unknown one is; report each reason why not."""
        held = Counter(rack)
        unknown = sorted(tile for tile in held if not self._tiles.counts.get(tile))
        message = f"{what} holds {quote(' '.join(unknown))}: no tiles of the {self._tiles.name} set"
        self._expect(not unknown, line, "unknown-tile", message, of_rack=True)
        message = f"{what} holds {len(rack)} tiles: expected at most {FULL_RACK}"
        self._expect(len(rack) <= FULL_RACK, line, "rack-size", message, of_rack=True)
        return self._check_off_board(line, held, what, of_rack=True)

    def _check_off_board(
        self, line: int, wanted: Counter[str], what: str, of_rack: bool = False
    ) -> bool:
        """Return whether the set has tiles off the board; report those that it lacks."""
        lacking = sorted((wanted - self._game.unseen()).elements())
        short = [tile for tile in lacking if self._tiles.counts.get(tile)]
        message = f"{what} needs {quote(' '.join(short))} more than the set has off the board"
        return self._expect(not short, line, "not-in-bag", message, of_rack)

    def _check_last_racks(self, file: GameFile) -> None:
        """Check the racks that the pragmas `#rack1` and `#rack2` give for the end of the game."""
        pragmata = zip(file.pragma_lines, file.pragmata, strict=False)
        racks = [
            (line, name, self._tiles.rack(value))
            for line, (name, value) in pragmata
            if _LAST_RACK.fullmatch(name)
        ]
        held = [
            self._check_rack(line, rack, f"#{name} {quote(written(rack))}, at the end,")
            for line, name, rack in racks
        ]
        if racks and all(held):
            together = Counter(tile for _line, _name, rack in racks for tile in rack)
            self._check_off_board(
                racks[-1][0], together, "what the players hold at the end together", of_rack=True
            )

    def _count(self, event: Event, rack: list[str]) -> int:
        """Take tiles counted at the end; return the expected score."""
        tiles = self._tiles.split(event.tiles)
        self._check_off_board(event.line, Counter(tiles), quote(event.tiles))
        value = self._tiles.rack_value(tiles)
        player, score, is_many = event.player, event.score, self._game.players > 2
        if not event.is_scored:
            score = -value if event.rack else value if is_many or self._losers else 2 * value
        # a player who loses tiles still has a rack
        is_lost = score < 0 or (score == 0 and event.rack != "")
        if is_lost:
            held = f"{quote(player)} holds {quote(event.rack)} but loses {quote(event.tiles)}"
            is_all = not rack or Counter(rack) == Counter(tiles)
            self._expect(
                is_all, event.line, "wrong-end", f"{held}: expected the same tiles", of_rack=True
            )
            self._losers.append(player)
            self._lost.update(tiles)
        else:
            may_be_once, may_be_twice = score != 2 * value, score != value and not is_many
            self._gains.append(
                (player, Counter(tiles), not value or may_be_once, not value or may_be_twice)
            )
        twice = " twice" if value and score == 2 * value else ""
        self._counts.append(
            f"{quote(player)} {'loses' if is_lost else 'gets'} {quote(event.tiles)}{twice}"
        )
        expected = self._expected_end()
        said = f"{', '.join(self._counts)}: expected {expected}"
        self._wrong_end = [Fault(event.line, "wrong-end", said)] if expected else []
        if is_lost:
            return -value
        return value if score == value or is_many else 2 * value

    def _expected_end(self) -> str:
        """Return what is expected of all counts so far together; empty if they end the game by the rules.

        The player who goes out gets twice the value of the tiles left, or once while their owners lose it; with more than two
        players only the second way is possible. By other rules the owners lose them, and no one gets their value. If passes or
        turns without a score end the game, every player loses the tiles held.
        """
        game, rules, last = self._game, self._rules, self._game.last_turn
        out = last.player if last is not None and last.kind is Kind.PLAY else ""
        left = game.unseen()
        is_all = not self._gains and sorted(self._losers) == sorted(game.totals)
        is_deducted = not self._gains and self._lost == left and out not in self._losers
        is_gain = False
        if len(self._gains) == 1:
            player, gained, is_once, is_twice = self._gains[0]
            is_gain = (player, gained) == (out, left) and (
                (self._lost == left and is_once) or (not self._lost and is_twice)
            )
        tiles = quote(written(sorted(left.elements())))
        twice = (
            "twice, or once while the others lose it"
            if game.players == 2
            else "while the others lose it"
        )
        ways = [
            (game.may_end, is_all, "every player to lose the tiles held, once"),
            (out and rules.gain, is_gain, f"{quote(out)} to get the value of {tiles}, {twice}"),
            (
                out and rules.deduct,
                is_deducted,
                f"the others to lose {tiles}, and no one to get it",
            ),
        ]
        if any(is_allowed and is_right for is_allowed, is_right, _expected in ways):
            return ""
        return (
            ", or ".join(expected for is_allowed, _right, expected in ways if is_allowed)
            or f"no count before {rules.ends}"
        )
