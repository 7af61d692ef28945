"""Reads and writes GCG, the file format of Scrabble games.

A line is a pragma (`#player1 ann Ann Lee`), an event (`>ann: ABCDEFG 8H FACED +30 30`) or the
continuation of a note. Reading never fails: an unreadable line becomes a problem with its line
number.
"""

import codecs
import io
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from enum import Enum
from operator import attrgetter

from verify.core import Fault
from verify.text import quote

_ENCODING = re.compile(rb"#character-encoding[ \t]+([A-Za-z0-9_.:-]+)[ \t\r]*$", re.MULTILINE)
# only these: some of Python's encodings are not for text, and some take quadratic time
_OF_TEXTS = re.compile(r"utf-8|ascii|iso8859-[0-9]+|cp125[0-9]")
_DEFAULT_ENCODING = "iso-8859-1"
_LONE_RETURN = re.compile(rb"\r(?!\r?\n)")  # ends a line of old programs; some end lines by \r\r\n
_LONGEST_EVENT = 10_000  # characters
_LONGEST_NAME = 1_000
# the limits of what is read; a game has a few dozen events
_MOST_LINES = 100_000
_MOST_EVENTS = 5_000
# the group of a kind holds the tiles of the event; Quackle writes the score +-12 for a lost rack
_EVENT = re.compile(
    r"""(?:(?P<rack>\S+)\s+)??
    (?:(?P<place>[0-9]{1,2}[A-Za-z]|[A-Za-z][0-9]{1,2})\s+(?P<PLAY>(?:[^\s()]|\([^\s()]+\))+)
    |-(?P<PASS>)|--(?P<WITHDRAWN>)|-(?P<EXCHANGE>\S+)
    |\((?ai:challenge)(?P<CHALLENGE>)\)|\((?ai:time)(?P<TIME>)\)|\((?P<RACK>\S*)\))
    (?:\s+(?P<score>(?:\+\s*-?|-\s*)?[0-9]{1,6})\s+(?P<total>[+-]?[0-9]{1,6})(?:\s+(?P<comment>.*))?
    |\s+(?P<only_score>(?:\+-?|-)[0-9]{1,6}))?""",
    re.VERBOSE,
)
_EVENT_FORM = (
    "'>nick: RACK MOVE +SCORE TOTAL', where MOVE is 8H WORD, -TILES, -, --, (challenge), (time) or "
    "(TILES)"
)
# what is computed, by the numbers of an event: none, its score, score and total
_COMPUTED = ("scores", "totals", "")
OWN_ID = "rowdraw"
_OWN_FIELD = re.compile("([a-z-]+)=([^;]*)")
# the end of an event, which may give a total although the rest cannot be read
_LAST_TOTAL = re.compile(r"[+-][0-9]{1,6}\s+(-?[0-9]{1,6})\s*$")
_NO_PARENTHESES = str.maketrans("", "", "()")


class Kind(Enum):
    """The kind of an event."""

    PLAY = "play"
    EXCHANGE = "exchange"
    PASS = "pass"
    WITHDRAWN = "withdrawn"
    CHALLENGE = "challenge"
    TIME = "time"
    RACK = "rack"


_SCORELESS = (Kind.EXCHANGE, Kind.PASS)
TURNS = (Kind.PLAY, Kind.EXCHANGE, Kind.PASS)
_LOSSES = (Kind.WITHDRAWN, Kind.TIME)
_MOVES = {
    Kind.PLAY: "{place} {tiles}",
    Kind.EXCHANGE: "-{tiles}",
    Kind.PASS: "-",
    Kind.WITHDRAWN: "--",
    Kind.CHALLENGE: "(challenge)",
    Kind.TIME: "(time)",
    Kind.RACK: "({tiles})",
}


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
class Unread:
    """An event that cannot be read, with its player and the total that it gives, if it does."""

    line: int
    player: str
    total: int | None


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
        unread: The events among them.
        computed: What the file does not give and is computed: `scores`, `totals` or nothing.
    """

    players: tuple[Player, ...] = ()
    pragmata: tuple[tuple[str, str], ...] = ()
    note: str = ""
    events: tuple[Event, ...] = ()
    problems: tuple[Fault, ...] = field(default=(), compare=False)
    unread: tuple[Unread, ...] = field(default=(), compare=False)
    computed: str = field(default="", compare=False)

    def pragma(self, name: str) -> str:
        """Return the value of the last pragma of that name, or of that field of `#id rowdraw`.

        Empty if there is none. Other programs refuse a file with pragmata that they do not know.
        """
        values = dict(self.pragmata)
        authority, _space, fields = values.get("id", "").partition(" ")
        if authority == OWN_ID:
            values = dict(_OWN_FIELD.findall(fields)) | values
        return values.get(name, "").strip()


def read_gcg(content: bytes) -> GameFile:
    """Return the game in `content`. Never raises.

    The encoding is the one that the file declares, else UTF-8 or ISO-8859-1. A letter that is
    written as a letter and an accent is composed (NFC), as tile sets and word lists write it.
    """
    reader = _GameReader()
    # line by line: a list of all lines would take many times the memory of the file
    text = io.StringIO(_decoded(content, reader.problems), newline="\n")
    for number, line in enumerate(text, start=1):
        if number > _MOST_LINES or len(reader.events) == _MOST_EVENTS:
            message = (
                "this line and those after it are not read: "
                f"expected at most {_MOST_LINES:,} lines and {_MOST_EVENTS:,} events"
            )
            reader.problems.append(Fault(number, "too-many-lines", message))
            break
        reader.take(number, line.strip())
    return reader.game()


def write_gcg(game: GameFile) -> str:
    """Return the text of a file that reads back as `game`; it declares UTF-8 as its encoding.

    Other programs refuse a file with a line that is not written in their way.
    """
    pragmata = [("character-encoding", "UTF-8")]
    for number, player in enumerate(game.players, start=1):
        pragmata.append((f"player{number}", f"{player.nick} {player.name}"))
    pragmata += game.pragmata
    lines = [f"#{name} {value}".rstrip() + "\n" for name, value in pragmata]
    return "".join([*lines, _note_text(game.note), *map(write_event, game.events)])


def write_event(event: Event) -> str:
    """Return the lines of one event, as `write_gcg` writes them."""
    move = _MOVES[event.kind].format(place=event.place, tiles=event.tiles)
    rack = f"{event.rack} "
    if not event.rack and event.kind not in (Kind.CHALLENGE, Kind.TIME):
        rack = ""  # the two others have the space on both sides of a rack
    text = f">{event.player}: {rack}{move}"
    if event.is_scored:
        is_lost = event.kind in _LOSSES or (event.kind is Kind.RACK and event.rack)
        score = f"{event.score:+d}"
        if is_lost and event.score == 0:
            score = "-0"
        text += f" {score} {event.total}"
    return f"{text} {event.comment}".rstrip() + "\n" + _note_text(event.note)


def _note_text(note: str) -> str:
    if not note:
        return ""
    # each line becomes a separate pragma, since a line of a note may look like an event
    return "".join(f"#note {line}".rstrip() + "\n" for line in note.split("\n"))


class _GameReader:
    """Reads a file line by line."""

    def __init__(self) -> None:
        self.players: dict[int, tuple[int, str]] = {}  # by number, line and text of the pragma
        self.pragmata: list[tuple[str, str]] = []
        self.events: list[Event] = []
        # the line of each event, and how many of score and total it has
        self.lines: list[tuple[str, int]] = []
        self.notes: list[list[str]] = [[]]  # before the first event, then after each
        self.problems: list[Fault] = []
        self.unread: list[Unread] = []
        self._in_note = False

    def take(self, number: int, text: str) -> None:
        """Read a line without the space around it."""
        if text.startswith(">"):
            self._in_note = False
            nicks = [value.split()[0] for _line, value in self.players.values()]
            read = _read_event(number, text, nicks)
            if read is None:
                self._problem(number, text, f"expected {_EVENT_FORM}")
                self._skip(number, " ".join(text[1:].partition(":")[0].split()), text)
            else:
                event, numbers = read
                self.events.append(event)
                self.lines.append((text, numbers))
                self.notes.append([])
        elif text.startswith("#"):
            self._pragma(number, text)
        elif self._in_note:
            self.notes[-1].append(text)
        elif text:
            self._problem(number, text, "expected a pragma (#...) or an event (>...)")

    def game(self) -> GameFile:
        """Return the game.

        All of its events have the same numbers: a line with fewer than the others was cut off. Some
        programs give none to a pass and an exchange.
        """
        numbers = max((count for _text, count in self.lines), default=2)
        players = self._players()
        nicks = {player.nick.casefold(): player.nick for player in reversed(players)}
        nicks |= {player.nick: player.nick for player in players}
        totals: Counter[str] = Counter()
        events = []
        read = zip(self.events, self.lines, self.notes[1:], strict=True)
        for event, (text, count), note in read:
            if count < numbers and (count or event.kind not in _SCORELESS):
                expected = "expected a score such as +12 and a total at the end"
                self._problem(event.line, text, expected)
                self._skip(event.line, event.player, text)
                continue
            nick = nicks.get(event.player) or nicks.get(event.player.casefold(), event.player)
            total = event.total
            if count < 2:
                total = totals[nick] + event.score
            totals[nick] = total
            events.append(replace(event, player=nick, total=total, note="\n".join(note).strip()))
        unread = []
        for line in self.unread:
            # the colon may be missing
            first_word = line.player.partition(" ")[0].casefold()
            nick = nicks.get(line.player.casefold()) or nicks.get(first_word, line.player)
            unread.append(replace(line, player=nick))
        return GameFile(
            players=players,
            pragmata=tuple(self.pragmata),
            note="\n".join(self.notes[0]).strip(),
            events=tuple(events),
            problems=tuple(sorted(self.problems, key=attrgetter("line"))),
            unread=tuple(unread),
            computed=_COMPUTED[numbers],
        )

    def _players(self) -> tuple[Player, ...]:
        """Return the players.

        A nick is what the events put before the colon, even if it has spaces; else the first word.
        """
        used = sorted({event.player for event in self.events}, key=len, reverse=True)
        players: list[Player] = []
        numbers: dict[str, int] = {}
        for number, (line, text) in sorted(self.players.items()):
            length = len(text.split()[0])
            for nick in used:
                if f"{text} "[: len(nick) + 1].casefold() == f"{nick} ".casefold():
                    length = len(nick)
                    break
            nick = text[:length]
            if nick in numbers:
                message = (
                    f"#player{numbers[nick]} and #player{number} are both called {quote(nick)}: "
                    "expected a nickname for each"
                )
                self.problems.append(Fault(line, "players", message))
            players.append(Player(nick, text[length:].strip()))
            numbers.setdefault(nick, number)
        return tuple(players)

    def _pragma(self, number: int, text: str) -> None:
        name, _space, value = " ".join(text[1:].split(maxsplit=1)).partition(" ")
        name = name.lower()
        self._in_note = name == "note"
        if name == "note":
            self.notes[-1].append(value)
        elif re.fullmatch(r"player[1-9]", name):
            player = int(name[-1])
            value = " ".join(value.split())
            if not value or len(value) > _LONGEST_NAME:
                self._problem(number, text, "expected a nickname and a name")
                return
            _line, first = self.players.setdefault(player, (number, value))
            if first != value:
                message = f"#{name} is given twice: expected #player{player + 1}"
                self.problems.append(Fault(number, "players", message))
        elif name not in ("character-encoding", ""):
            self.pragmata.append((name, value))

    def _skip(self, number: int, nick: str, text: str) -> None:
        last = _LAST_TOTAL.search(text[-_LONGEST_NAME:])
        self.unread.append(Unread(number, nick, int(last[1]) if last else None))

    def _problem(self, number: int, text: str, expected: str) -> None:
        self.problems.append(Fault(number, "malformed-line", f"{quote(text)}: {expected}"))


def _read_event(number: int, text: str, nicks: Iterable[str]) -> tuple[Event, int] | None:
    """Return the event of a line that begins with `>`; None if it cannot be read.

    With it comes how many of score and total it has.

    Args:
        number: The number of the line.
        text: The line.
        nicks: Nicks that may contain a colon.
    """
    body = text[1:].lstrip()
    nick = next((nick for nick in nicks if body.startswith(f"{nick}:")), body.partition(":")[0])
    read = _EVENT.fullmatch(body[len(nick) + 1 :].strip())
    if not nick.strip() or len(text) > _LONGEST_EVENT or read is None:
        return None
    kind = next(kind for kind in Kind if read[kind.name] is not None)
    rack = read["rack"] or ""
    tiles = read[kind.name]
    if kind is Kind.PLAY:
        # some programs put tiles that are on the board in parentheses
        tiles = tiles.translate(_NO_PARENTHESES)
    elif rack.startswith("("):
        return None
    signed = read["score"] or read["only_score"] or ""
    score = int(re.sub(r"[^0-9]", "", signed) or 0)
    if "-" in signed:
        score = -score
    event = Event(
        kind=kind,
        player=" ".join(nick.split()),
        rack=rack,
        place=(read["place"] or "").upper(),
        tiles=tiles,
        score=score,
        total=int(read["total"] or 0),
        comment=" ".join((read["comment"] or "").split()),
        line=number,
        is_scored=signed != "",
    )
    return event, event.is_scored + (read["total"] is not None)


def _decoded(content: bytes, problems: list[Fault]) -> str:
    """Return the text of a file, with newlines and composed letters (NFC).

    Args:
        content: The bytes of the file.
        problems: Takes a fault if the encoding is unknown, or if the bytes are not in it.
    """
    is_marked = content.startswith(codecs.BOM_UTF8)
    content = _LONE_RETURN.sub(b"\n", content.removeprefix(codecs.BOM_UTF8))
    named = ""
    if is_marked:
        named = "utf-8"
    elif declared := _ENCODING.search(content):
        named = declared[1].decode().lower()
    known = ""
    with suppress(LookupError):
        known = codecs.lookup(named or "utf-8").name
    if _OF_TEXTS.fullmatch(known) is None:
        message = f"encoding {quote(named)}: expected UTF-8 or ISO-8859-1"
        problems.append(Fault(1, "unknown-encoding", message))
        known = _DEFAULT_ENCODING
    try:
        text = content.decode(known)
    except UnicodeDecodeError as error:
        if named:
            line = content.count(b"\n", 0, error.start) + 1
            message = f"byte {content[error.start]:#04x} is not {named}"
            problems.append(Fault(line, "bad-encoding", message))
            text = content.decode(known, "replace")
        else:
            # text in another encoding is hardly ever valid UTF-8
            text = content.decode(_DEFAULT_ENCODING)
    return unicodedata.normalize("NFC", text)
