"""The referee: replays a solution turn by turn and names every fault.

After a fault it goes on with the most likely reading, so that one mistake does not hide others. An impossible number of left
draws becomes the number that was probably meant, or the first one with which the play can be made. Tiles that are not on the
rack are not taken from it. Every play scores as it was laid down. A malformed line is a turn only if it holds a word of the
list and a play of the same length.
"""

from collections import Counter
from string import ascii_lowercase

from verify.replay.folding import fold
from verify.replay.parse import MOST_LINES, SolutionText, TurnLine
from verify.replay.rules import BLANK, Rules
from verify.replay.verdict import Replay, Verdict, Violation, Violations
from verify.text import quote

_DIGITS = frozenset("0123456789")
_LETTERS = frozenset(ascii_lowercase)
_LONGEST_PLAY = 100  # tiles; a rack holds 15 at most, and no list has a word of this length


def judge_text(text: SolutionText, rules: Rules, file: str = "-") -> Verdict:
    """Return the verdict on a parsed solution, which is one game."""
    table = GameInProgress(rules)
    for played in text.turns:
        table.play(played)
    violations = [*text.violations, *table.violations]
    running = [(line, claim, table.last_above(line)) for line, claim in text.running]
    # "That is 12 points." after each turn, so also after the last one
    one_by_one = 0 < len(running) == len(table.turns) - 1 and all(turn and claim == turn.score for _, claim, turn in running)
    for line, claim in text.claims:
        if not _is_number(claim, table.total) and not (one_by_one and _is_number(claim, table.turns[-1].score)):
            violations.append(Violation(line, "score-claim", f"claims a score of {quote(claim)}: expected {table.total}"))
    for line, claim, turn in running:
        so_far, score = (turn.total, turn.score) if turn else (0, 0)
        if claim not in (so_far, score, table.total):
            message = f"claims a score of {quote(claim)}: expected {so_far} so far, or {table.total} in all"
            violations.append(Violation(line, "score-claim", message))
    violations = fold(text.turns, violations, dict(text.claims), rules)
    if text.unread:
        long = f"this line and those behind it are not read: expected at most {MOST_LINES:,} lines"
        violations.append(Violation(MOST_LINES + 1, "too-many-lines", long))
    faults = Violations.of(violations, max(0, text.unread - 1))
    return Verdict(file, faults, rules.name, tuple(table.turns), rule_notes=(*rules.notes, *text.notes))


class GameInProgress:
    """A game in progress: the rest of the row, and the rack."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.row = rules.row
        self.rack = ""
        self.total = 0
        self.turns: list[Replay] = []
        self.violations: list[Violation] = []

    def play(self, turn: TurnLine) -> None:
        """Draw and play one turn, noting what is wrong with it."""
        if not self.row and not self.rack:
            self._fault(turn, "after-end", f"{quote(turn.word)} comes after the game has ended: row and rack are empty")
            return
        if len(self.turns) == len(self.rules.row):
            # each turn plays at least one tile; the limit also keeps the referee quick
            self._fault(turn, "after-end", f"{quote(turn.word)} comes after as many turns as the row has tiles")
            return
        if max(len(turn.play), len(turn.word)) > _LONGEST_PLAY:
            what = f"play {quote(turn.play)} of {len(turn.play):,} tiles: expected what a rack holds"
            self._fault(turn, "malformed-line", what)
            return
        if turn.malformed and (turn.word not in self.rules.words or len(turn.play) != len(turn.word)):
            return
        row = self.row
        left = self._left_count(turn)
        from_left, from_right = self._draw(left)
        rack = self.rack
        self._check_tiles(turn)
        self._check_word(turn)
        self.rack = "".join((Counter(rack) - Counter(turn.play)).elements())
        score = self.rules.score(turn.play)
        if turn.score is not None and not _is_number(turn.score, score):
            self._fault(turn, "score-claim", f"claims {quote(turn.score)} for the turn: expected {score}")
        self.total += score
        if turn.total is not None and not _is_number(turn.total, self.total):
            self._fault(turn, "score-claim", f"claims {quote(turn.total)} in all so far: expected {self.total}")
        self.turns.append(Replay(turn.line, row, from_left, from_right, rack, turn.play, turn.word, score, self.total))

    def last_above(self, line: int) -> Replay | None:
        """Return the last turn above a line."""
        return next((turn for turn in reversed(self.turns) if turn.line < line), None)

    def _wanted(self) -> int:
        """Return the number of tiles that the turn draws."""
        return min(self.rules.rack_size - len(self.rack), len(self.row))

    def _left_count(self, turn: TurnLine) -> int:
        """Return the number of left draws, or the most likely number where that of the line is impossible."""
        token = turn.left
        if not token and turn.malformed:
            return self._guess(turn)  # already reported
        if not token or not set(token) <= _DIGITS:
            what = f"left draws {quote(token)}: expected a whole number in plain digits, 0 or more"
            self._fault(turn, "bad-left-count", what)
            return self._guess(turn)
        digits = token.lstrip("0")
        count = int(digits or "0") if len(digits) < 10 else 10**9
        space = self.rules.rack_size - len(self.rack)
        if count > space:
            holds = f"the rack holds {len(self.rack)} of {self.rules.rack_size} tiles: expected at most {space}"
            self._fault(turn, "too-many-draws", f"{count if count < 10**9 else quote(digits)} left draws, but {holds}")
            return self._guess(turn)
        if count > len(self.row):
            holds = f"the row holds {len(self.row)} tiles: expected at most {len(self.row)}"
            self._fault(turn, "row-exhausted", f"{count} left draws, but {holds}")
            return self._guess(turn)
        return count

    def _guess(self, turn: TurnLine) -> int:
        """Return the number that the token may mean, else the first one with which the rack holds the play, else all draws."""
        wanted = self._wanted()
        meant = [count for count in [_loose_number(turn.left)] if 0 <= count <= wanted]
        for left in meant + list(range(wanted + 1)):
            end = len(self.row) - (wanted - left)
            if not Counter(turn.play) - Counter(self.rack + self.row[:left] + self.row[end:]):
                return left
        return wanted

    def _draw(self, left: int) -> tuple[str, str]:
        """Take `left` tiles from the left and fill the rack from the right; returns both draws."""
        right = min(self._wanted() - left, len(self.row) - left)
        end = len(self.row) - right
        from_left, from_right = self.row[:left], self.row[end:]
        self.rack += from_left + from_right
        self.row = self.row[left:end]
        return from_left, from_right

    def _check_tiles(self, turn: TurnLine) -> None:
        missing = Counter(turn.play) - Counter(self.rack)
        if not turn.play:
            self._fault(turn, "malformed-line", "no play: expected the tiles that are laid down")
        elif missing:
            tiles, rack = " ".join(sorted(missing.elements())), "".join(sorted(self.rack))
            self._fault(turn, "not-on-rack", f"{quote(turn.play)} needs {quote(tiles)} more than the rack {quote(rack)} holds")

    def _check_word(self, turn: TurnLine) -> None:
        play, word = turn.play, turn.word
        wrong = next((i for i, (tile, letter) in enumerate(zip(play, word, strict=False)) if tile not in (BLANK, letter)), None)
        what = ""
        if len(play) != len(word):
            what = f"play {quote(play)} has {len(play)} tiles: expected {len(word)}, one for each letter of {quote(word)}"
        elif wrong is not None:
            what = f"play {quote(play)} has {quote(play[wrong])} at position {wrong + 1}: expected {quote(word[wrong])}, as in "
            what += f"{quote(word)}, or a blank"
        if what:
            self._fault(turn, "play-word-mismatch", what)
        if word not in self.rules.words:
            why = self.rules.where_listed(word) if set(word) <= _LETTERS else ": words have only the letters a to z"
            self._fault(turn, "unknown-word", f"{quote(word)} is not in the word list{why}")

    def _fault(self, turn: TurnLine, code: str, message: str) -> None:
        self.violations.append(Violation(turn.line, code, message))


def _is_number(claim: object, number: int) -> bool:
    return type(claim) is int and claim == number


def _loose_number(token: str) -> int:
    """Return the whole number that a person would read in `token`, such as `+9` or `9.0`; -1 for none."""
    try:
        return int(float(token[:12]))
    except (ValueError, OverflowError):
        return -1
