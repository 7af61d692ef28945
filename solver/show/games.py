"""A game turn by turn, with the place of every tile of the row, and how each form shows it."""

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from html import escape
from pathlib import Path
from typing import Any

import click

from solver.model.puzzle import Statement
from verify import Fault, Played, Rules, Verdict
from verify.core import BLANK
from verify.text import counted, csv_text, printable


@dataclass(frozen=True)
class PlayedTile:
    """A tile of a play. `place` is its place in the row, from 0; None if the tile was not on the rack."""

    tile: str
    letter: str
    value: int
    position: int
    place: int | None

    @property
    def points(self) -> int:
        """Its points at its position."""
        return self.position * self.value


@dataclass(frozen=True)
class GameTurn:
    """One turn.

    Attributes:
        left: The places in the row of the tiles drawn from the left.
        right: Of those drawn from the right.
        held: Of the tiles on the rack before the draw.
        leave: Of the tiles kept after the play.
        bonus: The points of the play for its number of tiles.
        count: The number of left draws, as the answer writes it.
    """

    line: int
    left: tuple[int, ...]
    right: tuple[int, ...]
    held: tuple[int, ...]
    leave: tuple[int, ...]
    play: tuple[PlayedTile, ...]
    word: str
    bonus: int
    score: int
    total: int
    count: str
    violations: tuple[Fault, ...]

    @property
    def tiles(self) -> str:
        """The tiles of the play, with `?` for a blank."""
        return "".join(tile.tile for tile in self.play)

    @property
    def line_text(self) -> str:
        """The turn as a line of an answer."""
        return f"{self.count} {self.tiles} {self.word}"

    @property
    def sum_text(self) -> str:
        """The score as a sum over the letters, see `sum_text`."""
        return sum_text((tile.value for tile in self.play), self.bonus)

    @property
    def rack(self) -> tuple[int, ...]:
        """The places of the rack before the play, those held first."""
        return self.held + self.left + self.right


@dataclass(frozen=True)
class Game:
    """A game in the form in which it is shown.

    Attributes:
        faults: The number of faults, in words.
        first: The first fault.
        violations: The faults that belong to no turn.
        statement: The rules, as the answer states them in every form.
    """

    file: str
    puzzle: str
    row: str
    values: tuple[int, ...]
    score: int
    valid: bool
    faults: str
    first: Fault | None
    turns: tuple[GameTurn, ...]
    violations: tuple[Fault, ...]
    statement: Statement

    @property
    def comments(self) -> str:
        """The comments with which the answer states its rules, a line each."""
        return self.statement.comments()

    @property
    def drawn_by(self) -> dict[int, tuple[int, str]]:
        """The number of the turn, from 1, that drew the tile at a place, and the side."""
        drawn: dict[int, tuple[int, str]] = {}
        for number, turn in enumerate(self.turns, start=1):
            drawn |= dict.fromkeys(turn.left, (number, "left")) | dict.fromkeys(
                turn.right, (number, "right")
            )
        return drawn

    def rack(self, turn: GameTurn) -> str:
        """Return the tiles of the rack before the play of `turn`, in the order of the alphabet."""
        return "".join(sorted(self.row[place] for place in turn.rack))

    @property
    def answer(self) -> str:
        """The game as an answer."""
        return self.comments + "".join(f"{turn.line_text}\n" for turn in self.turns)

    def as_dict(self) -> dict[str, object]:
        """Return the game as plain values, for the script of a page."""
        return {name: value for name, value in asdict(self).items() if name != "statement"}


def sum_text(values: Iterable[int], bonus: int = 0) -> str:
    """Return the score of adjacent tiles as `1×1 + 0 + 3×1`, position times value, or 0 for a value of 0, then the bonus."""
    placed = [
        f"{position}×{value}" if value else "0" for position, value in enumerate(values, start=1)
    ]
    return " + ".join([*placed, str(bonus)] if bonus else placed)


def make_game(verdict: Verdict, statement: Statement | None = None) -> Game:
    """Return the game of a verdict. `statement` is what its answer states; None for the statement of its rules."""
    rules = verdict.rules
    start, stop = 0, len(rules.row)
    held: tuple[int, ...] = ()
    turns = []
    unplaced = list(verdict.violations)
    for replay in verdict.turns:
        left = tuple(range(start, start + len(replay.left)))
        right = tuple(range(stop - len(replay.right), stop))
        start, stop = start + len(replay.left), stop - len(replay.right)
        play, leave = _lay_down(replay, rules, held + left + right)
        here = tuple(fault for fault in unplaced if fault.line == replay.line)
        unplaced = [fault for fault in unplaced if fault.line != replay.line]
        word, bonus = printable(replay.word), rules.bonus_of(replay.play)
        points = bonus, replay.score, replay.total
        turns.append(
            GameTurn(
                replay.line,
                left,
                right,
                held,
                leave,
                play,
                word,
                *points,
                printable(replay.count),
                here,
            )
        )
        held = leave
    values = tuple(rules.values.get(tile, 0) for tile in rules.row)
    file, puzzle = printable(Path(verdict.file).name), printable(verdict.puzzle)
    faults = str(verdict.faults), next(iter(verdict.violations), None)
    stated = statement or Statement.of_rules(rules)
    return Game(
        file,
        puzzle,
        rules.row,
        values,
        verdict.score,
        verdict.valid,
        *faults,
        tuple(turns),
        tuple(unplaced),
        stated,
    )


def with_game(games: Iterable[Game]) -> str:
    """Return games as answers, escaped, in the form in which pictures and pages hold them for the referee."""
    return "\n".join(escape(game.answer) for game in games)


def _lay_down(
    replay: Played, rules: Rules, rack: Sequence[int]
) -> tuple[tuple[PlayedTile, ...], tuple[int, ...]]:
    """Return the tiles of a play with their places, and the places that stay on the rack."""
    left = list(rack)
    play = []
    for position, tile in enumerate(replay.play, start=1):
        place = next((place for place in left if rules.row[place] == tile), None)
        if place is not None:
            left.remove(place)
        letter = (
            replay.word[position - 1] if tile == BLANK and position <= len(replay.word) else tile
        )
        play.append(
            PlayedTile(
                printable(tile), printable(letter), rules.values.get(tile, 0), position, place
            )
        )
    return tuple(play), tuple(left)


_COLUMNS = ("game", "turn", "left", "right", "rack", "play", "word", "sum", "score", "total")
_ROW_SHOWN = 100  # tiles of the row in a line for the terminal


def games_answers(games: Sequence[Game]) -> str:
    """Return games as answers, each after a comment with its number and score."""
    return "\n".join(
        f"# answer {number}: {game.score} points\n{game.answer}"
        for number, game in enumerate(games, start=1)
    )


def games_csv(games: Sequence[Game]) -> str:
    """Return comments that state the rules, a header, then a line for each turn; `game` counts the games from 1."""
    rows: list[Sequence[Any]] = [_COLUMNS]
    for number, game in enumerate(games, start=1):
        for count, turn in enumerate(game.turns, start=1):
            fields = [
                number,
                count,
                len(turn.left),
                len(turn.right),
                game.rack(turn),
                turn.tiles,
                turn.word,
            ]
            rows.append([*fields, turn.sum_text, turn.score, turn.total])
    return (games[0].comments if games else "") + csv_text(rows)


def games_markdown(games: Sequence[Game]) -> str:
    """Return, for each game, a heading, the answer in a fenced block, and a table with the sum of every play."""
    return "\n".join(
        _markdown(game, lambda lines: ["```text", *lines, "```"], "## ") for game in games
    )


def games_reddit(games: Sequence[Game]) -> str:
    """Return the same for Reddit, with the answer indented by four spaces, which every version of the site shows alike."""
    return "\n".join(
        _markdown(game, lambda lines: [f"    {line}" for line in lines], "**", "**")
        for game in games
    )


def games_json(games: Sequence[Game]) -> str:
    """Return a list of games, each with its turns, the points of every letter, and the violations."""
    return json.dumps([_fields(game) for game in games], indent=2) + "\n"


def _markdown(
    game: Game, block: Callable[[list[str]], list[str]], before: str, after: str = ""
) -> str:
    state = "" if game.valid else ", invalid"
    result = f"{counted(game.score, 'point')} in {counted(len(game.turns), 'turn')}"
    lines = [f"{before}{result} on {_plain(game.puzzle)}{state}{after}", ""]
    lines += block(
        [*map(_plain, game.comments.splitlines()), *(_plain(turn.line_text) for turn in game.turns)]
    )
    rows = [
        (
            number,
            f"`{_plain(turn.tiles)}`",
            _plain(turn.word),
            turn.sum_text,
            turn.score,
            turn.total,
        )
        for number, turn in enumerate(game.turns, start=1)
    ]
    lines += [
        "",
        markdown_table(("turn:", "play", "word", "sum", "score:", "total:"), rows).rstrip("\n"),
    ]
    if faults := [*game.violations, *(fault for turn in game.turns for fault in turn.violations)]:
        lines += ["", *(f"- line {fault.line}: {_plain(fault.message)}" for fault in faults)]
    return "\n".join([*lines, ""])


def markdown_table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return a Markdown table; a column whose head ends with a colon stands at the right."""
    rulers = ["---:" if title.endswith(":") else "---" for title in head]
    lines = [[title.removesuffix(":") for title in head], rulers, *rows]
    return "".join(
        "| " + " | ".join(str(cell).replace("|", "\\|") for cell in line) + " |\n" for line in lines
    )


def _plain(text: str) -> str:
    """Return text without the characters that Markdown would interpret in a table or in code."""
    return "".join(c for c in text if c.isprintable() and c not in "|`<>\\")


def _fields(game: Game) -> dict[str, Any]:
    return {
        **{name: getattr(game, name) for name in ("file", "puzzle", "row", "score", "valid")},
        "rules": game.statement.fields()["rules"],
        "turns": [_turn_fields(game, turn) for turn in game.turns],
        "violations": [[fault.line, fault.code, fault.message] for fault in game.violations],
    }


def bonus_field(bonus: int) -> dict[str, int]:
    """Return the bonus of a turn as a field of JSON; no field for no bonus."""
    return {"bonus": bonus} if bonus else {}


def _turn_fields(game: Game, turn: GameTurn) -> dict[str, Any]:
    return {
        "left": len(turn.left),
        "right": len(turn.right),
        "rack": game.rack(turn),
        "play": turn.tiles,
        "word": turn.word,
        "points": [tile.points for tile in turn.play],
        **bonus_field(turn.bonus),
        "score": turn.score,
        "total": turn.total,
        "violations": [[fault.line, fault.code, fault.message] for fault in turn.violations],
    }


def game_text(verdict: Verdict) -> str:
    """Return the game turn by turn, with the faults of each turn below it, in styles that `click.echo` may remove."""
    lines = [click.style(printable(f"{verdict.file} on {verdict.puzzle}"), bold=True)]
    lines += [*map(printable, verdict.notes), ""]
    unplaced = list(verdict.violations)
    for number, turn in enumerate(verdict.turns, start=1):
        before = [fault for fault in unplaced if fault.line < turn.line]
        here = [fault for fault in unplaced if fault.line == turn.line]
        unplaced = [fault for fault in unplaced if fault.line > turn.line]
        lines += _fault_lines(before) + _turn_lines(number, turn, verdict.rules)
        lines += [*_fault_lines(here), ""]
    lines += _fault_lines(unplaced) + _more(verdict)
    summary = f"{counted(verdict.score, 'point')} in {counted(len(verdict.turns), 'turn')}, {verdict.state}"
    lines.append(click.style(summary, bold=True))
    return "".join(f"{line}\n" for line in lines)


def games_text(verdicts: Sequence[Verdict]) -> str:
    """Return games side by side, a line a turn: play, score and total of each, and the lead of the first."""
    width = max(
        (len(printable(turn.play)) for verdict in verdicts for turn in verdict.turns), default=4
    )
    column = width + 12
    lines = [
        "      "
        + "  ".join(f"{printable(verdict.file)[-column:]:{column}}" for verdict in verdicts)
        + "   lead"
    ]
    for number in range(max((len(verdict.turns) for verdict in verdicts), default=0)):
        cells, totals = [], []
        for verdict in verdicts:
            turn = verdict.turns[number] if number < len(verdict.turns) else None
            totals.append(turn.total if turn else verdict.score)
            cells.append(
                f"{printable(turn.play):{width}} {turn.score:+5} {turn.total:5}"
                if turn
                else " " * column
            )
        lines.append(
            f"{number + 1:4}  "
            + "  ".join(f"{cell:{column}}" for cell in cells)
            + f" {totals[0] - totals[-1]:+6}"
        )
    for verdict in verdicts:
        state = printable(
            f"{verdict.file}: {counted(verdict.score, 'point')} on {verdict.puzzle}, {verdict.state}"
        )
        lines.append(click.style(state, bold=True))
        lines += _fault_lines(verdict.violations) + _more(verdict)
    return "".join(f"{line}\n" for line in lines)


def _turn_lines(number: int, turn: Played, rules: Rules) -> list[str]:
    middle = turn.row[len(turn.left) : len(turn.row) - len(turn.right)]
    if len(middle) > _ROW_SHOWN:
        middle = f"{middle[: _ROW_SHOWN // 2]} … {middle[-_ROW_SHOWN // 2 :]}"
    drawn = f"{click.style(turn.left, fg='blue', bold=True)}[{middle}]{click.style(turn.right, fg='magenta', bold=True)}"
    play, word = click.style(printable(turn.play), bold=True), printable(turn.word)
    return [
        f"{number:4}  row   {drawn}",
        f"      draw  {len(turn.left)} left, {len(turn.right)} right",
        f"      rack  {''.join(sorted(turn.rack))}",
        f"      play  {play}  {word}  {turn.score:+}  total {turn.total}",
        f"      sum   {sum_text((rules.values.get(tile, 0) for tile in turn.play), rules.bonus_of(turn.play))}",
    ]


def _fault_lines(faults: Sequence[Fault]) -> list[str]:
    """Return a line for each fault."""
    return [
        click.style(f"      line {fault.line}: {fault.code}: {fault.message}", fg="red")
        for fault in faults
    ]


def _more(verdict: Verdict) -> list[str]:
    """Return a line that counts the faults that are not listed."""
    more = verdict.faults.more
    return [click.style(f"      and {more:,} more", fg="red")] if more else []


_PICTURE_COLUMNS = 50
_TILE = 17
_MARGIN = 14
_LINE = 27
_INK, _SOFT, _RULE, _BAD = "#1c1b19", "#5c5850", "#d9d4c8", "#b3261e"


def game_svg(game: Game) -> str:
    """Draw the row, coloured by the turn that drew each tile, then a line for each turn: draws, play, points and total."""
    rows = -(-len(game.row) // _PICTURE_COLUMNS)
    width = 2 * _MARGIN + _PICTURE_COLUMNS * _TILE
    top = _MARGIN + 26
    turns_at = top + rows * (_TILE + 9) + 14
    height = turns_at + len(game.turns) * _LINE + _MARGIN
    state = "" if game.valid else ", INVALID"
    title = f"{counted(game.score, 'point')} in {counted(len(game.turns), 'turn')} on {game.puzzle}{state}"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'font-family="system-ui, sans-serif" role="img" aria-label="{escape(title)}">',
        f'<metadata class="rowdraw-game">\n{with_game([game])}</metadata>',
        f'<rect width="{width}" height="{height}" rx="8" fill="#fbfaf7"/>',
        _text(_MARGIN, _MARGIN + 10, title, size=15, weight=650, fill=_INK if game.valid else _BAD),
    ]
    drawn = game.drawn_by
    for place, tile in enumerate(game.row):
        x = _MARGIN + place % _PICTURE_COLUMNS * _TILE
        y = top + place // _PICTURE_COLUMNS * (_TILE + 9)
        turn, side = drawn.get(place, (0, ""))
        parts.append(_tile(x, y, tile, turn))
        if turn:
            edge = x if side == "left" else x + _TILE - 4
            parts.append(f'<rect x="{edge}" y="{y}" width="2" height="{_TILE - 2}" fill="{_INK}"/>')
            parts.append(
                _text(
                    x + _TILE / 2 - 1, y + _TILE + 5, str(turn), size=7, fill=_SOFT, anchor="middle"
                )
            )
    for number, played in enumerate(game.turns, start=1):
        parts += _turn(turns_at + (number - 1) * _LINE, number, played, drawn)
    return "\n".join([*parts, "</svg>", ""])


def _turn(y: float, number: int, turn: GameTurn, drawn: dict[int, tuple[int, str]]) -> list[str]:
    parts = [
        _text(_MARGIN + 16, y + 13, str(number), size=11, fill=_SOFT, anchor="end"),
        _text(
            _MARGIN + 26,
            y + 13,
            f"{len(turn.left)} left, {len(turn.right)} right",
            size=11,
            fill=_SOFT,
        ),
    ]
    for i, played in enumerate(turn.play):
        x = _MARGIN + 116 + i * (_TILE + 1)
        owner = drawn.get(played.place, (0, ""))[0] if played.place is not None else 0
        parts.append(
            _tile(x, y, played.letter, owner, blank=played.tile == "?", bad=played.place is None)
        )
        parts.append(
            _text(
                x + _TILE / 2 - 1,
                y + _TILE + 5,
                str(played.points),
                size=7,
                fill=_SOFT,
                anchor="middle",
            )
        )
    if turn.bonus:
        parts.append(
            _text(
                _MARGIN + 120 + len(turn.play) * (_TILE + 1),
                y + 13,
                f"+ {turn.bonus}",
                size=11,
                fill=_SOFT,
            )
        )
    fill = _BAD if turn.violations else _INK
    note = turn.violations[0].code if turn.violations else ""
    parts.append(_text(_MARGIN + 470, y + 13, turn.word, size=12, fill=fill))
    parts.append(_text(_MARGIN + 640, y + 13, f"+{turn.score}", size=12, fill=fill, anchor="end"))
    parts.append(
        _text(_MARGIN + 700, y + 13, str(turn.total), size=12, weight=650, fill=fill, anchor="end")
    )
    parts.append(_text(_MARGIN + 712, y + 13, note, size=11, fill=_BAD))
    return parts


def _tile(
    x: float, y: float, letter: str, turn: int, blank: bool = False, bad: bool = False
) -> str:
    hue = (turn - 1) * 137.5 % 360
    fill = f"hsl({hue:g}, 62%, 84%)" if turn else "#ffffff"
    stroke = _BAD if bad else f"hsl({hue:g}, 40%, 55%)" if turn else _RULE
    shown = letter.upper()
    style = f'fill="{_SOFT}" font-style="italic"' if blank else f'fill="{_INK}"'
    return (
        f'<rect x="{x}" y="{y}" width="{_TILE - 2}" height="{_TILE - 2}" rx="2" fill="{fill}" stroke="{stroke}"/>'
        f'<text x="{x + _TILE / 2 - 1}" y="{y + 11.5}" font-size="11" text-anchor="middle" {style}>{escape(shown)}</text>'
    )


def _text(
    x: float, y: float, text: str, size: int, fill: str, anchor: str = "start", weight: int = 400
) -> str:
    return (
        f'<text x="{x}" y="{y}" font-size="{size}" font-weight="{weight}" fill="{fill}" text-anchor="{anchor}">'
        f"{escape(text)}</text>"
    )
