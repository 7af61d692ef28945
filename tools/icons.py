"""Draw the icons of the page and the picture that a link to it shows, as PNG files."""

import sys
from pathlib import Path

import click

from solver.commands.cli import run_command
from solver.commands.options import FOLDER
from solver.errors import require

_CLONE = Path(__file__).resolve().parents[1]
_ICON, _RECORD = _CLONE / "solver/web/static/icon.svg", _CLONE / "results/challenge/1042.svg"
# (name, picture, scale): the icon is 32 pixels wide, the record game 878
_PICTURES = (("icon-192.png", _ICON, 6), ("icon-512.png", _ICON, 16), ("row.png", _RECORD, 1))


@click.command(help=__doc__)
@click.option("-o", "--output", type=FOLDER, default=_ICON.parent / "pictures")
def main(output: Path) -> None:
    """Write the pictures."""
    require("report", "vl_convert")
    from vl_convert import svg_to_png

    output.mkdir(parents=True, exist_ok=True)
    for name, picture, scale in _PICTURES:
        (output / name).write_bytes(svg_to_png(picture.read_text(encoding="utf-8"), scale=scale))
        click.echo(str(output / name))


if __name__ == "__main__":
    run_command(main, sys.argv[0], sys.argv[1:])
