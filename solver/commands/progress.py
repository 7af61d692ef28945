"""The progress bar of a search, on stderr."""

import sys
from typing import NoReturn

import click
from tqdm import tqdm

from solver.commands.running import is_quiet, say
from solver.search.run import Progress, Run

_SHORTEST_INTERVAL = 0.1  # seconds


class Bar:
    """Shows the progress of runs; hidden if stderr is not a terminal."""

    def __init__(self) -> None:
        self._bar: tqdm[NoReturn] | None = None
        self._label = ""
        self._shown = -1.0
        self._muted = is_quiet() or not sys.stderr.isatty()

    def __call__(self, run: Run, progress: Progress) -> None:
        """Show the progress of `run`."""
        now = run.elapsed
        is_new = progress.label != self._label
        is_too_soon = progress.done < progress.total and now - self._shown < _SHORTEST_INTERVAL
        if self._muted or (not is_new and is_too_soon):
            return
        if is_new:
            self._close()
            self._label = progress.label
            unit = "tile" if progress.total else "round"
            self._bar = tqdm(total=progress.total or None, leave=False, dynamic_ncols=True, unit=unit, file=sys.stderr)
        assert self._bar is not None
        self._shown = now
        self._bar.n = progress.done
        rate = f"{run.racks / now:,.0f} racks/s" if now > 0 and run.racks else ""
        best = progress.note or f"best {run.incumbent.score or '-'}"
        title = f"{run.title}: " if run.title else ""
        self._bar.set_description(f"{title}{progress.label}, {best}", refresh=False)
        self._bar.set_postfix_str(rate)

    def tell(self, message: str) -> None:
        """Print a line on stdout, with the bar hidden meanwhile."""
        with tqdm.external_write_mode(file=sys.stdout):
            click.echo(message)

    def say(self, message: str) -> None:
        """Print a message on stderr, with the bar hidden meanwhile."""
        with tqdm.external_write_mode(file=sys.stderr):
            say(message)

    def __enter__(self) -> "Bar":
        return self

    def __exit__(self, *_error: object) -> None:
        self._close()

    def _close(self) -> None:
        if self._bar is not None:
            self._bar.close()
            self._bar = None
