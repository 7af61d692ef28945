"""Finds the faults of a game that follow from an earlier one.

The game is replayed once more. At each slip, the replay takes the mend with which most of the later lines can be played. A tile
that is not on the rack, and an impossible draw, follow from the last slip if the mended game has no such fault in their line.
Where no mend lets even the next turn be played, all later faults follow from the slip.

Other faults never follow: an unknown word, a play that does not make its word, a count that is no number, a wrong score of the
turn. A wrong total follows from a slip if it is the total of the mended game, or if the game cannot be mended.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from verify.replay.parse import TurnLine
from verify.replay.rules import BLANK, Rules
from verify.replay.verdict import Violation

_MAY_FOLLOW = frozenset({"not-on-rack", "too-many-draws", "row-exhausted", "after-end"})
_LOOKED_BACK = 3  # turns before a slip whose draw may be its cause
_MOST_STEPS = 200_000  # limit of replayed turns; beyond it all faults follow from the last slip


@dataclass(frozen=True)
class Stand:
    """The state of a game between two turns: the row from `start` to `stop`, the leave, and the points so far."""

    start: int
    stop: int
    leave: str = ""
    total: int = 0


def fold(turns: Sequence[TurnLine], faults: Sequence[Violation], claims: dict[int, object], rules: Rules) -> list[Violation]:
    """Return `faults`, each with the line that it follows from.

    turns: all lines that look like a turn, in order.
    claims: the total claimed in a line, for faults of the code `score-claim` in lines that are no turns.
    """
    if len(faults) < 2:
        return list(faults)
    return _Mending(turns, faults, rules).folded(faults, claims)


class _Mending:
    """The mended replay, and the lines without a fault in it."""

    def __init__(self, turns: Sequence[TurnLine], faults: Sequence[Violation], rules: Rules) -> None:
        self.turns = turns
        self.rules = rules
        self.root_of: dict[int, int] = {}
        self.steps = 0
        self.changed: int | None = None
        self.lost: int | None = None
        at_turns = {turn.line for turn in turns}
        self._unread = sorted(f.line for f in faults if f.code == "malformed-line" and f.line not in at_turns)
        self._unplayed = {turn.line for turn in turns if turn.malformed and not _is_play(turn, rules)}
        self._mismatched = {fault.line for fault in faults if fault.code == "play-word-mismatch"}
        self._astray = {fault.line for fault in faults if fault.code in _MAY_FOLLOW}
        self.total = self._replay()

    def folded(self, faults: Sequence[Violation], claims: dict[int, object]) -> list[Violation]:
        """Return the faults, each with the line that it follows from."""
        cause = self.lost if self.lost is not None else self.changed
        end = next((fault.line for fault in faults if fault.code == "after-end"), 0)
        result = []
        for fault in faults:
            root = self.root_of.get(fault.line) if fault.code in _MAY_FOLLOW else None
            if fault.code == "after-end" and fault.line > end and (root is None or root > end):
                root = self.root_of.get(end, end)
            if fault.code == "score-claim" and fault.line in claims:
                meant = self.lost is not None or claims[fault.line] == self.total
                root = cause if meant else None
            result.append(fault if root is None else Violation(fault.line, fault.code, fault.message, root))
        return result

    def _replay(self) -> int:
        """Replay the game with mends; returns the total."""
        stand = Stand(0, len(self.rules.row))
        past: list[Stand] = []
        root: int | None = None
        for place, turn in enumerate(self.turns):
            self._pass_unread(turn.line)
            if self.lost is not None:
                # all later turns follow from the line where the game was lost
                self.root_of.update((later.line, self.lost) for later in self.turns[place:] if later.line != self.lost)
                break
            past.append(stand)
            if turn.line in self._unplayed:
                self.lost = turn.line
                continue
            after = self._step(stand, turn)
            if after is not None and turn.line not in self._mismatched:
                stand = after
                self._follows(turn.line, root)
                continue
            stand, sound = self._mended(past, place, after)
            if after is not None:
                # the tiles were on the rack, even if they do not make the word
                self._follows(turn.line, root)
                root = turn.line if stand != after else root
            elif self.steps > _MOST_STEPS:
                self._follows(turn.line, root)
                self.lost = root if root is not None else turn.line
            elif turn.line in self._astray or _count(turn) is None:
                if _count(turn) is None and any(self._other_draws(past[place], turn)):
                    # only the count is wrong in the mended game, and the tiles are there
                    self._follows(turn.line, root)
                root = turn.line
            self.changed = self.changed or root
            if not sound and self.lost is None and place + 1 < len(self.turns):
                self.lost = root
        self._pass_unread(None)
        return stand.total

    def _pass_unread(self, line: int | None) -> None:
        """Give the game up at an unreadable turn before this line."""
        if self.lost is None and self._unread and (line is None or self._unread[0] < line):
            self.lost = self._unread[0]

    def _follows(self, line: int, root: int | None) -> None:
        if root is not None and root != line:
            self.root_of[line] = root

    def _mended(self, past: Sequence[Stand], place: int, after: Stand | None) -> tuple[Stand, bool]:
        """Return the state after a turn with a slip, mended so that most later turns can be played.

        Also whether the mend is sound: the next turn can be played, or its own slip can be mended.
        """
        best, furthest = self._forced(past[place], self.turns[place]), place
        options = self._mends(past, place) if self.steps <= _MOST_STEPS else iter(())
        for stand in options if after is None else chain([after], options):
            reached = self._reach(stand, place + 1)
            if reached > furthest:
                best, furthest = stand, reached
            if reached == len(self.turns):
                break
        if furthest == place + 1 < len(self.turns) - 1:
            again = self._other_draws(best, self.turns[furthest]) if self.steps <= _MOST_STEPS else iter(())
            return best, any(self._reach(stand, furthest + 1) > furthest + 1 for stand in again)
        return best, furthest > place

    def _mends(self, past: Sequence[Stand], place: int) -> Iterator[Stand]:
        """Yield possible states after the turn: with another draw, another draw shortly before, or another play of its word."""
        turn = self.turns[place]
        yield from self._other_draws(past[place], turn)
        for back in range(place - 1, max(place - 1 - _LOOKED_BACK, -1), -1):
            for stand in self._other_draws(past[back], self.turns[back]):
                if (later := self._on(stand, back + 1, place)) is not None:
                    yield later
        meant = {turn.word} - {turn.play}
        for play in (replace(turn, play=word, word=word) for word in meant if word in self.rules.words):
            yield from self._other_draws(past[place], play, blanks=True)
        yield from self._other_draws(past[place], turn, blanks=True)

    def _on(self, stand: Stand, begin: int, last: int) -> Stand | None:
        """Return the state after the turns from `begin` to `last` as written; None where one cannot be played."""
        at: Stand | None = stand
        for turn in self.turns[begin : last + 1]:
            at = None if at is None else self._step(at, turn)
        return at

    def _reach(self, stand: Stand, place: int) -> int:
        """Return the index of the first turn from `place` on that cannot be played as written."""
        at: Stand | None = stand
        while place < len(self.turns):
            if self.turns[place].line not in self._unplayed:
                at = self._step(at, self.turns[place]) if at is not None else None
                if at is None:
                    return place
            place += 1
        return place

    def _step(self, stand: Stand, turn: TurnLine) -> Stand | None:
        """Return the state after a turn as written; None where it cannot be played."""
        self.steps += 1
        left = _count(turn)
        if not turn.play or left is None or left > min(self.rules.rack_size - len(stand.leave), stand.stop - stand.start):
            return None
        return self._played(stand, left, turn.play)

    def _other_draws(self, stand: Stand, turn: TurnLine, blanks: bool = False) -> Iterator[Stand]:
        """Yield the state after the play for each draw that holds it, nearest to the written draw first.

        blanks: missing letters are laid as blanks.
        """
        wanted = max(0, min(self.rules.rack_size - len(stand.leave), stand.stop - stand.start))
        written = _count(turn) or 0
        for left in sorted(range(wanted + 1), key=lambda count: abs(count - written)):
            self.steps += 1
            after = self._played(stand, left, turn.play, blanks)
            if after is not None:
                yield after

    def _played(self, stand: Stand, left: int, play: str, blanks: bool = False) -> Stand | None:
        """Return the state after `left` left draws, the others from the right, and the play; None where tiles are missing."""
        right = min(self.rules.rack_size - len(stand.leave) - left, stand.stop - stand.start - left)
        start, stop = stand.start + left, stand.stop - max(0, right)
        row = self.rules.row
        rack = stand.leave + row[stand.start : start] + row[stop : stand.stop]
        laid = []
        for tile in play:
            if tile not in rack:
                if not blanks or BLANK not in rack:
                    return None
                tile = BLANK
            rack = rack.replace(tile, "", 1)
            laid.append(tile)
        return Stand(start, stop, rack, stand.total + self.rules.score("".join(laid)))

    def _forced(self, stand: Stand, turn: TurnLine) -> Stand:
        """Return the state as the referee goes on: it fills the rack and removes the played tiles that the rack holds."""
        drawn = self._played(stand, 0, "") or stand
        rack = "".join((Counter(drawn.leave) - Counter(turn.play)).elements())
        return Stand(drawn.start, drawn.stop, rack, stand.total + self.rules.score(turn.play))


def _count(turn: TurnLine) -> int | None:
    """Return the number of left draws; None for another field."""
    digits = turn.left.lstrip("0") or turn.left[:1]
    return int(digits) if digits.isascii() and digits.isdecimal() and len(digits) < 9 else None


def _is_play(turn: TurnLine, rules: Rules) -> bool:
    """Whether a malformed line is replayed as a turn."""
    return turn.word in rules.words and len(turn.play) == len(turn.word)
