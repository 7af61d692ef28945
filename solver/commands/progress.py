"""A bar on stderr that shows how far a search has come."""

import sys
from types import TracebackType
from typing import NoReturn

import click
from tqdm import tqdm

from solver.commands.running import is_quiet, say
from solver.search.run import Progress, Run

_SHORTEST_INTERVAL = 0.1  # seconds


class Bar:
    """Watches a run. Shows nothing where stderr is not a terminal."""

    def __init__(self) -> None:
        self._bar: tqdm[NoReturn] | None = None
        self._label = ""
        self._shown = -1.0
        self._muted = is_quiet() or not sys.stderr.isatty()

    def __call__(self, run: Run, progress: Progress) -> None:
        """Show how far `run` has come."""
        now = run.elapsed
        fresh = progress.label != self._label
        between = progress.done < progress.total and now - self._shown < _SHORTEST_INTERVAL
        if self._muted or (not fresh and between):
            return
        if fresh:
            self._close()
            self._label = progress.label
            self._bar = tqdm(
                total=progress.total or None,
                leave=False,
                dynamic_ncols=True,
                unit="tile" if progress.total else "round",
                file=sys.stderr,
            )
        assert self._bar is not None
        self._shown = now
        self._bar.n = progress.done
        rate = f"{run.racks / now:,.0f} racks/s" if now > 0 and run.racks else ""
        best = progress.note or f"best {run.incumbent.score or '-'}"
        title = f"{run.title}: " if run.title else ""
        self._bar.set_description(f"{title}{progress.label}, {best}", refresh=False)
        self._bar.set_postfix_str(rate)

    def tell(self, message: str) -> None:
        """Print a line on stdout without the bar in its way."""
        with tqdm.external_write_mode(file=sys.stdout):
            click.echo(message)

    def say(self, message: str) -> None:
        """Print a message on stderr without the bar in its way."""
        with tqdm.external_write_mode(file=sys.stderr):
            say(message)

    def __enter__(self) -> "Bar":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._close()

    def _close(self) -> None:
        if self._bar is not None:
            self._bar.close()
            self._bar = None
