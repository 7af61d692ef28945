"""Reads and writes GCG, the file format of Scrabble games.

A line is a pragma (`#player1 ann Ann Lee`), an event (`>ann: ABCDEFG 8H FACED +30 30`) or the continuation of a note. Reading
never fails: an unreadable line becomes a problem with its line number.
"""

import io
import re
from dataclasses import dataclass, field, replace
from enum import Enum
from operator import attrgetter

from verify.replay.verdict import Violation
from verify.scrabble.encoding import BYTE_ORDER_MARK, decoded, with_newlines
from verify.text import quote

_GAME_EVENT = re.compile(rb"^[ \t\r]*>[^\n:]*:", re.MULTILINE)
_GAME_PRAGMA = re.compile(rb"^[ \t\r]*#(?:player1|character-encoding|lexicon)", re.MULTILINE)
_LONGEST_EVENT, _LONGEST_NAME = 10_000, 1_000  # characters
_MOST_TOKENS = 8  # tokens of an event before its comment
_MOST_LINES, _MOST_EVENTS = 100_000, 5_000  # the limits of what is read; a game has a few dozen events
_SCORE = re.compile(r"([+-]{0,2})([0-9]{1,6})")  # Quackle writes +-12 for a lost rack
_TOTAL = re.compile(r"[+-]?[0-9]{1,6}")
_NUMBERS = "expected a score such as +12 and a total at the end"
_PLACE = re.compile(r"([0-9]{1,2})([A-Za-z])|([A-Za-z])([0-9]{1,2})")


class Kind(Enum):
    """The kind of an event."""

    PLAY = "play"
    EXCHANGE = "exchange"
    PASS = "pass"
    WITHDRAWN = "withdrawn"
    CHALLENGE = "challenge"
    TIME = "time"
    RACK = "rack"


@dataclass(frozen=True)
class Event:
    """One line of a game.

    Attributes:
        player: The nick of the player.
        rack: The rack as written; it may be empty.
        place: The first square of a play: `8H` across, `H8` down.
        tiles: The tiles played, exchanged, or counted at the end.
        score: The points of the event, which may be negative.
        total: The points of the player after the event.
        comment: The rest of the line.
        note: The note after the event.
        is_scored: Whether the line gives score and total; if not, both are 0.
    """

    kind: Kind
    player: str
    rack: str
    place: str
    tiles: str
    score: int
    total: int
    comment: str = ""
    note: str = ""
    line: int = field(default=0, compare=False)
    is_scored: bool = True


@dataclass(frozen=True)
class Player:
    """A player: `nick` is the name before the colon of an event, `name` the full name."""

    nick: str
    name: str


@dataclass(frozen=True)
class GameFile:
    """A game as written in a file.

    Attributes:
        players: The players, in the order of their turns.
        pragmata: (name, value) of each pragma other than players and notes, in order.
        note: The note before the first event.
        problems: The lines that cannot be read.
        pragma_lines: The line number of each of `pragmata`; empty for a game that was not read from a file.
    """

    players: tuple[Player, ...] = ()
    pragmata: tuple[tuple[str, str], ...] = ()
    note: str = ""
    events: tuple[Event, ...] = ()
    problems: tuple[Violation, ...] = field(default=(), compare=False)
    pragma_lines: tuple[int, ...] = field(default=(), compare=False)

    def pragma(self, name: str) -> str | None:
        """Return the value of the last pragma of that name; None if the file has no such pragma."""
        return next((value for known, value in reversed(self.pragmata) if known == name), None)


def is_gcg(content: bytes) -> bool:
    """Return whether `content` looks like a game, not like a row-draw solution: it has an event or a pragma of games."""
    content = with_newlines(content.removeprefix(BYTE_ORDER_MARK))
    return _GAME_EVENT.search(content) is not None or _GAME_PRAGMA.search(content) is not None


def read_gcg(content: bytes) -> GameFile:
    """Return the game in `content`, in the encoding that the file declares, else UTF-8 or ISO-8859-1. Never raises.

    A letter that is written as a letter and an accent is composed (NFC), as tile sets and word lists write it.
    """
    reader = _Reader()
    # line by line: a list of all lines would take many times the memory of the file
    for number, line in enumerate(io.StringIO(decoded(content, reader.problems), newline="\n"), start=1):
        if number > _MOST_LINES or len(reader.events) == _MOST_EVENTS:
            expected = f"expected at most {_MOST_LINES:,} lines and {_MOST_EVENTS:,} events"
            reader.problems.append(
                Violation(number, "too-many-lines", f"this line and those behind it are not read: {expected}")
            )
            break
        reader.take(number, line.rstrip("\r\n"))
    return reader.game()


def write_gcg(game: GameFile) -> str:
    """Return the text of a file that reads back as `game`; it declares UTF-8 as its encoding."""
    lines = ["#character-encoding UTF-8"]
    lines += [f"#player{i} {player.nick} {player.name}".rstrip() for i, player in enumerate(game.players, start=1)]
    lines += [f"#{name} {value}".rstrip() for name, value in game.pragmata]
    lines += _note_lines(game.note)
    lines += [line for event in game.events for line in _event_lines(event)]
    return "".join(f"{line}\n" for line in lines)


def write_event(event: Event) -> str:
    """Return the lines of one event, as `write_gcg` writes them."""
    return "".join(f"{line}\n" for line in _event_lines(event))


def _event_lines(event: Event) -> list[str]:
    numbers = (f"{event.score:+d}", str(event.total)) if event.is_scored else ()
    parts = [f">{event.player}:", event.rack, _move_text(event), *numbers, event.comment]
    return [" ".join(part for part in parts if part), *_note_lines(event.note)]


class _Reader:
    """Reads a file line by line."""

    def __init__(self) -> None:
        self.players: dict[int, Player] = {}
        self.pragmata: list[tuple[str, str]] = []
        self.pragma_lines: list[int] = []
        self.events: list[Event] = []
        self.notes: list[list[str]] = [[]]  # before the first event, then after each
        self.problems: list[Violation] = []
        self._in_note = False

    def take(self, number: int, line: str) -> None:
        text = line.strip()
        if text.startswith(">"):
            self._in_note = False
            event = read_event(number, text)
            if isinstance(event, Violation):
                self.problems.append(event)
            else:
                self.events.append(event)
                self.notes.append([])
        elif text.startswith("#"):
            self._pragma(number, text[1:])
        elif self._in_note:
            self.notes[-1].append(text)
        elif text:
            self._problem(number, text, "expected a pragma (#...) or an event (>...)")

    def game(self) -> GameFile:
        notes = ["\n".join(lines).strip() for lines in self.notes]
        events = tuple(replace(event, note=note) for event, note in zip(self.events, notes[1:], strict=True))
        if any(event.is_scored for event in events):
            # either all events of a game have scores or none has: here a line without them was cut off
            for event in events:
                if not event.is_scored:
                    self._problem(event.line, " ".join(_event_lines(replace(event, note=""))), _NUMBERS)
            events = tuple(event for event in events if event.is_scored)
            self.problems.sort(key=attrgetter("line"))
        players = tuple(player for _number, player in sorted(self.players.items()))
        return GameFile(players, tuple(self.pragmata), notes[0], events, tuple(self.problems), tuple(self.pragma_lines))

    def _pragma(self, number: int, text: str) -> None:
        name, value = _parted(text)
        name = name.lower()
        self._in_note = name == "note"
        if name == "note":
            self.notes[-1].append(value)
        elif re.fullmatch(r"player[1-9]", name):
            if not value or len(value) > _LONGEST_NAME:
                self._problem(number, f"#{text}", "expected a nickname and a name")
            else:
                self._player(number, int(name[-1]), Player(*_parted(value)))
        elif name not in ("character-encoding", ""):
            self.pragmata.append((name, value))
            self.pragma_lines.append(number)

    def _player(self, number: int, place: int, player: Player) -> None:
        same = [other for other, known in self.players.items() if known.nick == player.nick and other != place]
        if self.players.get(place, player) != player:
            self.problems.append(Violation(number, "players", f"#player{place} stands twice: expected #player{place + 1}"))
        elif same:
            what = f"#player{same[0]} and #player{place} are both called {quote(player.nick)}: expected a nickname for each"
            self.problems.append(Violation(number, "players", what))
        self.players.setdefault(place, player)

    def _problem(self, number: int, text: str, expected: str) -> None:
        self.problems.append(_malformed(number, text, expected))


def _parted(text: str) -> tuple[str, str]:
    """Return the first word and the rest."""
    first, *rest = text.split(maxsplit=1) or [""]
    return first, rest[0].strip() if rest else ""


def read_event(number: int, text: str) -> Event | Violation:
    """Return the event of a line that begins with `>`, or the fault of the line."""
    nick, colon, rest = text[1:].partition(":")
    nick = nick.strip()
    if not colon or not nick or len(text) > _LONGEST_EVENT:
        return _malformed(number, text, "expected '>nick: RACK PLACE TILES +SCORE TOTAL'")
    tokens = rest.split(maxsplit=_MOST_TOKENS)
    tails = [place for place in range(len(tokens)) if _numbers_at(tokens, place)]
    if not tails:
        move = _read_move(tokens)
        if move is None:
            return _malformed(number, text, _NUMBERS)
        rack, kind, where, tiles = move
        return Event(kind, nick, rack, where, tiles, 0, 0, line=number, is_scored=False)
    for place in tails:
        move = _read_move(tokens[:place])
        numbers = _numbers_at(tokens, place)
        if move is not None and numbers is not None:
            rack, kind, where, tiles = move
            score, total, behind = numbers
            comment = " ".join(" ".join(tokens[behind:]).split())
            return Event(kind, nick, rack, where, tiles, score, total, comment, "", number)
    return _malformed(number, text, "expected a rack and a move: 8H WORD, -TILES, -, --, (challenge), (time) or (TILES)")


def _numbers_at(tokens: list[str], place: int) -> tuple[int, int, int] | None:
    """Return (score, total, place after them) if tokens at a place are such numbers; the sign may be a separate token."""
    text, behind = tokens[place], place + 1
    if text in ("+", "-") and behind < len(tokens):
        text, behind = text + tokens[behind], behind + 1
    score = _SCORE.fullmatch(text)
    if score is None or behind >= len(tokens) or _TOTAL.fullmatch(tokens[behind]) is None:
        return None
    sign = -1 if "-" in score[1] else 1
    return sign * int(score[2]), int(tokens[behind]), behind + 1


def _read_move(tokens: list[str]) -> tuple[str, Kind, str, str] | None:
    """Return (rack, kind, place, tiles) from the tokens between nick and score; None if they are not a move."""
    if len(tokens) == 3 and _PLACE.fullmatch(tokens[1]):
        return tokens[0], Kind.PLAY, tokens[1].upper(), tokens[2]
    if len(tokens) == 2 and _PLACE.fullmatch(tokens[0]):
        return "", Kind.PLAY, tokens[0].upper(), tokens[1]
    if not 1 <= len(tokens) <= 2 or (tokens[0].startswith("(") and len(tokens) == 2):
        return None
    rack, last = (tokens[0] if len(tokens) == 2 else ""), tokens[-1]
    if last.startswith("(") and last.endswith(")"):
        inside = last[1:-1]
        named = {"challenge": Kind.CHALLENGE, "time": Kind.TIME}.get(inside.lower())
        return (rack, named, "", "") if named else (rack, Kind.RACK, "", inside)
    simple = {"-": Kind.PASS, "--": Kind.WITHDRAWN}.get(last)
    if simple:
        return rack, simple, "", ""
    if last.startswith("-") and len(last) > 1:
        return rack, Kind.EXCHANGE, "", last[1:]
    return None


def _move_text(event: Event) -> str:
    return {
        Kind.PLAY: f"{event.place} {event.tiles}",
        Kind.EXCHANGE: f"-{event.tiles}",
        Kind.PASS: "-",
        Kind.WITHDRAWN: "--",
        Kind.CHALLENGE: "(challenge)",
        Kind.TIME: "(time)",
        Kind.RACK: f"({event.tiles})",
    }[event.kind]


def _note_lines(note: str) -> list[str]:
    # each line becomes a separate pragma, since a line of a note may look like an event
    return [f"#note {line}".rstrip() for line in note.split("\n")] if note else []


def _malformed(number: int, text: str, expected: str) -> Violation:
    return Violation(number, "malformed-line", f"{quote(text)}: {expected}")
