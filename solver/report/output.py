"""Writing pages and pictures."""

from pathlib import Path

import click

from solver.errors import ReportError
from solver.files import write_out


def write_report(path: Path | None, text: str) -> None:
    """Write `text` to `path`, without its styles; to standard output where that is None or `-`.

    Raises `ReportError` where it cannot be written.
    """
    if path is None or str(path) == "-":
        click.echo(text, nl=False)
        return
    try:
        write_out(path, click.unstyle(text))
    except OSError as error:
        raise ReportError(f"{path}: cannot be written ({error.strerror})") from error
