"""A still picture of a game, as SVG."""

from html import escape

from solver.show.reports import with_game
from solver.show.steps import Game, GameTurn
from verify.text import counted

_COLUMNS = 50
_TILE = 17
_MARGIN = 14
_LINE = 27
_INK, _SOFT, _RULE, _BAD = "#1c1b19", "#5c5850", "#d9d4c8", "#b3261e"


def game_svg(game: Game) -> str:
    """Draw the row, coloured by the turn that drew each tile, then a line for each turn: draws, play, points and total."""
    rows = -(-len(game.row) // _COLUMNS)
    width = 2 * _MARGIN + _COLUMNS * _TILE
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
        x = _MARGIN + place % _COLUMNS * _TILE
        y = top + place // _COLUMNS * (_TILE + 9)
        turn, side = drawn.get(place, (0, ""))
        parts.append(_tile(x, y, tile, turn))
        if turn:
            edge = x if side == "left" else x + _TILE - 4
            parts.append(f'<rect x="{edge}" y="{y}" width="2" height="{_TILE - 2}" fill="{_INK}"/>')
            parts.append(_text(x + _TILE / 2 - 1, y + _TILE + 5, str(turn), size=7, fill=_SOFT, anchor="middle"))
    for number, played in enumerate(game.turns, start=1):
        parts += _turn(turns_at + (number - 1) * _LINE, number, played, drawn)
    return "\n".join([*parts, "</svg>", ""])


def _turn(y: float, number: int, turn: GameTurn, drawn: dict[int, tuple[int, str]]) -> list[str]:
    parts = [
        _text(_MARGIN + 16, y + 13, str(number), size=11, fill=_SOFT, anchor="end"),
        _text(_MARGIN + 26, y + 13, f"{len(turn.left)} left, {len(turn.right)} right", size=11, fill=_SOFT),
    ]
    for i, played in enumerate(turn.play):
        x = _MARGIN + 116 + i * (_TILE + 1)
        owner = drawn.get(played.place, (0, ""))[0] if played.place is not None else 0
        parts.append(_tile(x, y, played.letter, owner, blank=played.tile == "?", bad=played.place is None))
        parts.append(_text(x + _TILE / 2 - 1, y + _TILE + 5, str(played.points), size=7, fill=_SOFT, anchor="middle"))
    if turn.bonus:
        parts.append(_text(_MARGIN + 120 + len(turn.play) * (_TILE + 1), y + 13, f"+ {turn.bonus}", size=11, fill=_SOFT))
    fill = _BAD if turn.violations else _INK
    independent = [fault for fault in turn.violations if fault.follows_from is None]
    note = (
        independent[0].code
        if independent
        else f"follows from line {turn.violations[0].follows_from}"
        if turn.violations
        else ""
    )
    parts.append(_text(_MARGIN + 470, y + 13, turn.word, size=12, fill=fill))
    parts.append(_text(_MARGIN + 640, y + 13, f"+{turn.score}", size=12, fill=fill, anchor="end"))
    parts.append(_text(_MARGIN + 700, y + 13, str(turn.total), size=12, weight=650, fill=fill, anchor="end"))
    parts.append(_text(_MARGIN + 712, y + 13, note, size=11, fill=_BAD))
    return parts


def _tile(x: float, y: float, letter: str, turn: int, blank: bool = False, bad: bool = False) -> str:
    hue = (turn - 1) * 137.5 % 360
    fill = f"hsl({hue:g}, 62%, 84%)" if turn else "#ffffff"
    stroke = _BAD if bad else f"hsl({hue:g}, 40%, 55%)" if turn else _RULE
    shown = letter.upper()
    style = f'fill="{_SOFT}" font-style="italic"' if blank else f'fill="{_INK}"'
    return (
        f'<rect x="{x}" y="{y}" width="{_TILE - 2}" height="{_TILE - 2}" rx="2" fill="{fill}" stroke="{stroke}"/>'
        f'<text x="{x + _TILE / 2 - 1}" y="{y + 11.5}" font-size="11" text-anchor="middle" {style}>{escape(shown)}</text>'
    )


def _text(x: float, y: float, text: str, size: int, fill: str, anchor: str = "start", weight: int = 400) -> str:
    return (
        f'<text x="{x}" y="{y}" font-size="{size}" font-weight="{weight}" fill="{fill}" text-anchor="{anchor}">'
        f"{escape(text)}</text>"
    )
