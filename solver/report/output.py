"""Writing pages and pictures."""

from pathlib import Path

import click

from solver.errors import ReportError
from solver.files import write_out


def write_report(path: Path, text: str) -> None:
    """Write `text` to `path`, or to standard output where that is `-`. Raises `ReportError` where it cannot be written."""
    if str(path) == "-":
        click.echo(text, nl=False)
        return
    try:
        write_out(path, text)
    except OSError as error:
        raise ReportError(f"{path}: cannot be written ({error.strerror})") from error
