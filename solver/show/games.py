"""A game turn by turn, with the place of every tile of the row.

Its forms are CSV, Markdown, Reddit, JSON, SVG and text for a terminal.
"""

import json
import math
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from html import escape
from itertools import chain
from pathlib import Path
from textwrap import indent
from typing import Any

import click

from verify import Fault, Played, Rules, Verdict
from verify.core import BLANK
from verify.stated import comments_of, fields_of
from verify.text import counted, csv_text, printable


@dataclass(frozen=True)
class PlayedTile:
    """A tile of a play; `place`: in the row, from 0; None if the tile was not on the rack."""

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
        comments: The comments with which the answer states its rules, a line each.
        stated: The rules as the answer states them in JSON.
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
    comments: str
    stated: dict[str, Any]

    @property
    def answer(self) -> str:
        """The answer: the comments, then the turns."""
        return self.comments + "".join(f"{turn.line_text}\n" for turn in self.turns)

    @property
    def state(self) -> str:
        """The end of a sentence that says whether the game is invalid."""
        return "" if self.valid else ", invalid"

    @property
    def drawn_by(self) -> dict[int | None, int]:
        """The number of the turn, from 1, that drew the tile at each place."""
        drawn: dict[int | None, int] = {}
        for number, turn in enumerate(self.turns, start=1):
            drawn |= dict.fromkeys(turn.left + turn.right, number)
        return drawn

    def rack(self, turn: GameTurn) -> str:
        """Return the tiles of the rack before the play of `turn`, in the order of the alphabet."""
        return "".join(sorted(self.row[place] for place in turn.rack))

    def as_dict(self) -> dict[str, object]:
        """Return the game as plain values, for the script of a page."""
        fields = asdict(self)
        del fields["comments"], fields["stated"]
        return fields


def _summary(game: Game | Verdict) -> str:
    return f"{counted(game.score, 'point')} in {counted(len(game.turns), 'turn')}"


def sum_text(values: Iterable[int], bonus: int = 0) -> str:
    """Return the score of adjacent tiles as a sum such as `1×1 + 0 + 3×1`.

    Each term is position times value, or 0 for a value of 0; the bonus comes last.
    """
    terms = []
    for position, value in enumerate(values, start=1):
        terms.append(f"{position}×{value}" if value else "0")
    if bonus:
        terms.append(str(bonus))
    return " + ".join(terms)


def make_game(verdict: Verdict) -> Game:
    """Return the game of a verdict."""
    rules = verdict.rules
    start = 0
    stop = len(rules.row)
    held: tuple[int, ...] = ()
    turns = []
    faults = _by_line(verdict)
    for replay in verdict.turns:
        left = tuple(range(start, start + len(replay.left)))
        right = tuple(range(stop - len(replay.right), stop))
        start += len(left)
        stop -= len(right)
        play, leave = _lay_down(replay, rules, held + left + right)
        turn = GameTurn(
            line=replay.line,
            left=left,
            right=right,
            held=held,
            leave=leave,
            play=play,
            word=printable(replay.word),
            bonus=rules.bonus_of(replay.play),
            score=replay.score,
            total=replay.total,
            count=printable(replay.count),
            violations=tuple(faults.pop(replay.line, ())),
        )
        turns.append(turn)
        held = leave
    return Game(
        file=printable(Path(verdict.file).name),
        puzzle=printable(verdict.puzzle),
        row=rules.row,
        values=tuple(rules.values.get(tile, 0) for tile in rules.row),
        score=verdict.score,
        valid=verdict.valid,
        faults=str(verdict.faults),
        first=next(iter(verdict.violations), None),
        turns=tuple(turns),
        violations=tuple(chain.from_iterable(faults.values())),
        comments=comments_of(rules),
        stated=fields_of(rules)["rules"],
    )


def _by_line(verdict: Verdict) -> dict[int, list[Fault]]:
    """Return the faults of each line of an answer, in their order."""
    faults: dict[int, list[Fault]] = {}
    for fault in verdict.violations:
        faults.setdefault(fault.line, []).append(fault)
    return faults


def with_game(games: Iterable[Game]) -> str:
    """Return games as answers, escaped, as pictures and pages hold them for the referee."""
    return escape("\n".join(game.answer for game in games))


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
        letter = tile
        if tile == BLANK:
            letter = replay.word[position - 1 : position] or tile
        played = PlayedTile(
            tile=printable(tile),
            letter=printable(letter),
            value=rules.values.get(tile, 0),
            position=position,
            place=place,
        )
        play.append(played)
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
    """Return comments that state the rules, a header, then a line for each turn.

    The column `game` counts the games from 1.
    """
    rows: list[Sequence[Any]] = [_COLUMNS]
    for number, game in enumerate(games, start=1):
        for count, turn in enumerate(game.turns, start=1):
            fields = _turn_fields(game, turn) | {"game": number, "turn": count}
            fields["sum"] = turn.sum_text
            rows.append([fields[name] for name in _COLUMNS])
    return games[0].comments + csv_text(rows)


def games_markdown(games: Sequence[Game], for_reddit: bool = False) -> str:
    """Return, for each game, a heading, the answer, and a table with the sum of every play.

    For Reddit the answer is indented by four spaces, which every version of the site shows alike;
    elsewhere it is a fenced block.
    """
    texts = []
    for game in games:
        heading = f"{_summary(game)} on {_plain(game.puzzle)}{game.state}"
        answer = "".join(f"{_plain(line)}\n" for line in game.answer.splitlines())
        text = f"## {heading}\n\n```text\n{answer}```\n\n"
        if for_reddit:
            text = f"**{heading}**\n\n{indent(answer, '    ')}\n"
        rows = []
        faults = list(game.violations)
        for number, turn in enumerate(game.turns, start=1):
            play = f"`{_plain(turn.tiles)}`"
            points = (turn.sum_text, turn.score, turn.total)
            rows.append((number, play, _plain(turn.word), *points))
            faults += turn.violations
        head = ("turn:", "play", "word", "sum", "score:", "total:")
        text += markdown_table(head, rows)
        if faults:
            text += "\n"
        for fault in faults:
            text += f"- line {fault.line}: {_plain(fault.message)}\n"
        texts.append(text)
    return "\n".join(texts)


def games_json(games: Sequence[Game]) -> str:
    """Return a list of games, each with its turns, the points of all letters and the violations."""
    return json.dumps(list(map(_fields, games)), indent=2) + "\n"


def markdown_table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return a Markdown table; a column whose head ends with a colon stands at the right."""
    titles = []
    rulers = []
    for title in head:
        titles.append(title.removesuffix(":"))
        rulers.append("---:" if title.endswith(":") else "---")
    text = ""
    for line in (titles, rulers, *rows):
        cells = " | ".join(str(cell).replace("|", "\\|") for cell in line)
        text += f"| {cells} |\n"
    return text


def _plain(text: str) -> str:
    """Return text without the characters that Markdown would interpret in a table or in code."""
    return "".join(c for c in text if c.isprintable() and c not in "|`<>\\")


def _fields(game: Game) -> dict[str, Any]:
    return {
        "file": game.file,
        "puzzle": game.puzzle,
        "row": game.row,
        "score": game.score,
        "valid": game.valid,
        "rules": game.stated,
        "turns": [_turn_fields(game, turn) for turn in game.turns],
        "violations": _fault_fields(game.violations),
    }


def _fault_fields(faults: Iterable[Fault]) -> list[list[object]]:
    return [[fault.line, fault.code, fault.message] for fault in faults]


def points_fields(turn: GameTurn) -> dict[str, Any]:
    """Return the points of the tiles of a turn, and its bonus if it has one, for JSON."""
    fields: dict[str, Any] = {"points": [tile.points for tile in turn.play]}
    if turn.bonus:
        fields["bonus"] = turn.bonus
    return fields


def _turn_fields(game: Game, turn: GameTurn) -> dict[str, Any]:
    return {
        "left": len(turn.left),
        "right": len(turn.right),
        "rack": game.rack(turn),
        "play": turn.tiles,
        "word": turn.word,
        **points_fields(turn),
        "score": turn.score,
        "total": turn.total,
        "violations": _fault_fields(turn.violations),
    }


def game_text(verdict: Verdict) -> str:
    """Return the game turn by turn, with the faults of each turn below it.

    The text has styles, which `click.echo` may remove.
    """
    lines = [click.style(printable(f"{verdict.file} on {verdict.puzzle}"), bold=True)]
    lines += [*map(printable, verdict.notes), ""]
    faults = _by_line(verdict)
    for number, turn in enumerate(verdict.turns, start=1):
        lines += _turn_lines(number, turn, verdict.rules)
        lines += [*map(_fault_line, faults.pop(turn.line, ())), ""]
    lines += [*map(_fault_line, chain.from_iterable(faults.values())), *_more(verdict)]
    result = f"{_summary(verdict)}, {verdict.state}"
    return "\n".join([*lines, click.style(result, bold=True), ""])


def _turn_lines(number: int, turn: Played, rules: Rules) -> list[str]:
    middle = turn.row[len(turn.left) : len(turn.row) - len(turn.right)]
    if len(middle) > _ROW_SHOWN:
        middle = f"{middle[: _ROW_SHOWN // 2]} … {middle[-_ROW_SHOWN // 2 :]}"
    left = click.style(turn.left, fg="blue", bold=True)
    right = click.style(turn.right, fg="magenta", bold=True)
    play = click.style(printable(turn.play), bold=True)
    values = (rules.values.get(tile, 0) for tile in turn.play)
    return [
        f"{number:4}  row   {left}[{middle}]{right}",
        f"      draw  {len(turn.left)} left, {len(turn.right)} right",
        f"      rack  {''.join(sorted(turn.rack))}",
        f"      play  {play}  {printable(turn.word)}  {turn.score:+}  total {turn.total}",
        f"      sum   {sum_text(values, rules.bonus_of(turn.play))}",
    ]


def _fault_line(fault: Fault) -> str:
    return click.style(f"      line {fault.line}: {fault.code}: {fault.message}", fg="red")


def _more(verdict: Verdict) -> list[str]:
    """Return a line that counts the faults that are not listed."""
    more = verdict.faults.more
    if more:
        return [click.style(f"      and {more:,} more", fg="red")]
    return []


_PICTURE_COLUMNS = 50
_TILE = 17
_MARGIN = 14
_LINE = 27
_INK = "#1c1b19"
_SOFT = "#5c5850"
_RULE = "#d9d4c8"
_BAD = "#b3261e"


def game_svg(game: Game) -> str:
    """Draw the row, coloured by the turn that drew each tile, then a line for each turn."""
    rows = math.ceil(len(game.row) / _PICTURE_COLUMNS)
    width = 2 * _MARGIN + _PICTURE_COLUMNS * _TILE
    top = _MARGIN + 26
    turns_at = top + rows * (_TILE + 9) + 14
    height = turns_at + len(game.turns) * _LINE + _MARGIN
    title = f"{_summary(game)} on {game.puzzle}{game.state.upper()}"
    ink = _INK if game.valid else _BAD
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" '
        f'font-family="system-ui, sans-serif" role="img" aria-label="{escape(title)}">',
        f'<metadata class="rowdraw-game">\n{with_game([game])}</metadata>',
        f'<rect width="{width}" height="{height}" rx="8" fill="#fbfaf7"/>',
        _text(_MARGIN, _MARGIN + 10, title, size=15, weight=650, fill=ink),
    ]
    drawn = game.drawn_by
    for place, tile in enumerate(game.row):
        x = _MARGIN + place % _PICTURE_COLUMNS * _TILE
        y = top + place // _PICTURE_COLUMNS * (_TILE + 9)
        turn = drawn.get(place, 0)
        parts.append(_tile(x, y, tile, turn))
        if turn:
            edge = x if place in game.turns[turn - 1].left else x + _TILE - 4
            parts.append(f'<rect x="{edge}" y="{y}" width="2" height="{_TILE - 2}" fill="{_INK}"/>')
            parts.append(_number_below(x, y, turn))
    for number, played in enumerate(game.turns, start=1):
        parts += _turn(turns_at + (number - 1) * _LINE, number, played, drawn)
    return "\n".join([*parts, "</svg>", ""])


def _turn(y: float, number: int, turn: GameTurn, drawn: dict[int | None, int]) -> list[str]:
    line = y + 13
    draws = f"{len(turn.left)} left, {len(turn.right)} right"
    parts = [
        _text(_MARGIN + 16, line, str(number), anchor="end"),
        _text(_MARGIN + 26, line, draws),
    ]
    x = _MARGIN + 116
    for played in turn.play:
        is_blank = played.tile == BLANK
        is_bad = played.place is None
        turn_drawn = drawn.get(played.place, 0)
        parts.append(_tile(x, y, played.letter, turn_drawn, blank=is_blank, bad=is_bad))
        parts.append(_number_below(x, y, played.points))
        x += _TILE + 1
    if turn.bonus:
        parts.append(_text(x + 4, line, f"+ {turn.bonus}"))
    fill = _INK
    note = ""
    if turn.violations:
        fill = _BAD
        note = turn.violations[0].code
    return [
        *parts,
        _text(_MARGIN + 470, line, turn.word, size=12, fill=fill),
        _text(_MARGIN + 640, line, f"+{turn.score}", size=12, fill=fill, anchor="end"),
        _text(_MARGIN + 700, line, str(turn.total), size=12, weight=650, fill=fill, anchor="end"),
        _text(_MARGIN + 712, line, note, fill=_BAD),
    ]


def _tile(
    x: float, y: float, letter: str, turn: int, blank: bool = False, bad: bool = False
) -> str:
    hue = (turn - 1) * 137.5 % 360
    fill = "#ffffff"
    stroke = _RULE
    if turn:
        fill = f"hsl({hue:g}, 62%, 84%)"
        stroke = f"hsl({hue:g}, 40%, 55%)"
    if bad:
        stroke = _BAD
    style = f'fill="{_SOFT}" font-style="italic"' if blank else f'fill="{_INK}"'
    side = _TILE - 2
    middle = x + _TILE / 2 - 1
    return (
        f'<rect x="{x}" y="{y}" width="{side}" height="{side}" rx="2" fill="{fill}" '
        f'stroke="{stroke}"/>'
        f'<text x="{middle}" y="{y + 11.5}" font-size="11" text-anchor="middle" {style}>'
        f"{escape(letter.upper())}</text>"
    )


def _number_below(x: float, y: float, number: int) -> str:
    """Return the small number below a tile."""
    return _text(x + _TILE / 2 - 1, y + _TILE + 5, str(number), size=7, anchor="middle")


def _text(
    x: float,
    y: float,
    text: str,
    *,
    size: int = 11,
    fill: str = _SOFT,
    anchor: str = "start",
    weight: int = 400,
) -> str:
    return (
        f'<text x="{x}" y="{y}" font-size="{size}" font-weight="{weight}" fill="{fill}" '
        f'text-anchor="{anchor}">{escape(text)}</text>'
    )
