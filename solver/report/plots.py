"""The plots of a comparison, as SVG.

Every strategy has a colour of the Okabe-Ito palette, which colour-blind readers tell apart, and a line style and marker of its
own, so that a grey print can be read too.
"""

import io
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from solver.lab.compare.collect import Comparison
from solver.lab.compare.statistics import JournalLine, puzzle_means

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
_STYLES = ("-", "--", "-.", ":", (0, (5, 1)), (0, (3, 1, 1, 1)), (0, (1, 1)))
_MARKERS = ("o", "s", "^", "D", "v", "P", "X")
_POINTS = 200


def plots(comparison: Comparison) -> dict[str, str]:
    """SVG text by name: anytime, gaps, profile, targets and, for two strategies or more, scatter."""
    if not comparison.summaries:
        return {}  # every run failed
    drawn = {
        "anytime": _figure(lambda axes: _anytime(axes, comparison)),
        "gaps": _figure(lambda axes: _gaps(axes, comparison)),
        "profile": _figure(lambda axes: _profile(axes, comparison)),
        "targets": _figure(lambda axes: _targets(axes, comparison)),
    }
    if len(comparison.summaries) > 1:
        drawn["scatter"] = _figure(lambda axes: _scatter(axes, comparison))
    return drawn


def _figure(draw: Callable[["Axes"], None]) -> str:
    import matplotlib as mpl
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure

    # text as text, and no dates or random ids: the same figures give the same file
    settings: Any = {"svg.fonttype": "none", "svg.hashsalt": "rowdraw", "font.size": 10, "axes.grid": True, "grid.alpha": 0.3}
    with mpl.rc_context(settings):
        figure = Figure(figsize=(7.2, 4.2), layout="constrained")
        FigureCanvasSVG(figure)
        draw(figure.subplots())
        out = io.StringIO()
        figure.savefig(out, format="svg", metadata={"Date": None, "Creator": "rowdraw"})
    # svg.fonttype none leaves names of strategies as escaped text
    return out.getvalue()


def _look(i: int) -> dict[str, Any]:
    return {"color": _COLOURS[i % len(_COLOURS)], "linestyle": _STYLES[i % len(_STYLES)]}


_LONGEST_LABEL = 60  # characters; a command may have a thousand


def _good(comparison: Comparison, label: str) -> list[JournalLine]:
    return [record for record in comparison.records if record["label"] == label and "error" not in record]


def _text(label: str) -> str:
    """A label as plain text, short enough to leave room for the plot: matplotlib reads what stands between dollars as maths."""
    shown = label if len(label) <= _LONGEST_LABEL else f"{label[:30]}…{label[-29:]}"
    return shown.replace("$", r"\$")


def _gap_curve(record: JournalLine, best: int, times: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """The gap to `best` at each of `times`; NaN before the first answer."""
    seconds = np.array([point[0] for point in record["trace"]])
    gaps = np.array([best - point[2] for point in record["trace"]], dtype=np.float64)
    place = np.searchsorted(seconds, times, side="right") - 1
    return np.where(place >= 0, gaps[np.maximum(place, 0)], np.nan) if len(gaps) else np.full(len(times), np.nan)


def _anytime(axes: "Axes", comparison: Comparison) -> None:
    longest = max((record["seconds"] for s in comparison.summaries for record in _good(comparison, s.label)), default=1.0)
    times = np.geomspace(max(longest, 0.02) / 1000, max(longest, 0.02), _POINTS)
    for i, summary in enumerate(comparison.summaries):
        curves = np.array(
            [_gap_curve(r, comparison.known[r["puzzle_name"]].best, times) for r in _good(comparison, summary.label)]
        )
        # drawn from where every run has an answer: before that a median would be over the lucky ones
        ready = ~np.isnan(curves).any(axis=0)
        low, middle, high = np.percentile(curves[:, ready], (20, 50, 80), axis=0)
        axes.plot(times[ready], middle, drawstyle="steps-post", label=_text(summary.label), linewidth=2, **_look(i))
        axes.fill_between(times[ready], low, high, step="post", alpha=0.15, color=_look(i)["color"], linewidth=0)
    axes.set(ylabel="points below the best known", title="Median gap over time, 20–80 % band")
    _log_seconds(axes)
    axes.legend()


def _log_seconds(axes: "Axes") -> None:
    """Seconds along the x axis, by orders of magnitude, in plain numbers."""
    from matplotlib.ticker import LogLocator, NullLocator

    if not any((np.asarray(line.get_xdata()) > 0).any() for line in axes.get_lines()):
        axes.set_xlim(0.1, 10)  # without a point there is nothing to take limits from
    axes.set(xscale="log", xlabel="seconds")
    axes.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_major_formatter("{x:g}")


def _gaps(axes: "Axes", comparison: Comparison) -> None:
    labels = [s.label for s in comparison.summaries]
    gaps = [[comparison.known[r["puzzle_name"]].best - r["score"] for r in _good(comparison, label)] for label in labels]
    boxes = axes.boxplot(gaps, orientation="horizontal", patch_artist=True, tick_labels=[_text(x) for x in labels], widths=0.6)
    for i, (box, middle) in enumerate(zip(boxes["boxes"], boxes["medians"], strict=True)):
        box.set(facecolor=_look(i)["color"], alpha=0.35, hatch=("", "//", "..", "xx", "\\\\", "oo", "++")[i % 7])
        middle.set(color="black", linewidth=2)
    axes.invert_yaxis()
    axes.set(xlabel="points below the best known", title="Gap of every run")


def _steps(axes: "Axes", i: int, label: str, values: Sequence[float], total: int) -> None:
    """The share of `total` that is at most x, as a staircase."""
    ordered = np.sort(np.asarray(values, dtype=np.float64))
    shares = np.arange(1, len(ordered) + 1) / max(total, 1)
    started = len(ordered) > 0
    axes.step(
        np.concatenate([ordered[:1], ordered]),
        np.concatenate([[0.0] * started, shares]),
        where="post",
        label=_text(label),
        linewidth=2,
        marker=_MARKERS[i % len(_MARKERS)],
        markersize=4,
        **_look(i),
    )


def _profile(axes: "Axes", comparison: Comparison) -> None:
    for i, summary in enumerate(comparison.summaries):
        records = _good(comparison, summary.label)
        gaps = [comparison.known[r["puzzle_name"]].best - r["score"] for r in records]
        _steps(axes, i, summary.label, gaps, len(records) + summary.failed)
    axes.set(
        xlabel="points below the best known", ylabel="share of runs at most that far below", ylim=(-0.02, 1.02),
        title="Performance profile",
    )  # fmt: skip
    axes.legend(loc="lower right")


def _targets(axes: "Axes", comparison: Comparison) -> None:
    """Time until within 1 % of the best known score, a target that every puzzle has."""
    for i, summary in enumerate(comparison.summaries):
        records = _good(comparison, summary.label)
        times = []
        for record in records:
            target = 0.99 * comparison.known[record["puzzle_name"]].best
            hit = next((point[0] for point in record["trace"] if point[2] >= target), None)
            if hit is not None:
                times.append(max(hit, 1e-3))
        _steps(axes, i, summary.label, times, len(records) + summary.failed)
    _log_seconds(axes)  # first: without a run that got there, a limit set before finds no x that has a logarithm
    axes.set(ylabel="share of runs", ylim=(-0.02, 1.02), title="Time until within 1 % of the best known score")
    axes.legend(loc="upper left")


def _scatter(axes: "Axes", comparison: Comparison) -> None:
    """The strategy with the best mean against every other, a point a puzzle."""
    means = puzzle_means(comparison.records)
    leader = max(comparison.summaries, key=lambda s: s.mean).label
    points = [value for by_puzzle in means.values() for value in by_puzzle.values()]
    low, high = min(points) - 5, max(points) + 5
    axes.plot([low, high], [low, high], color="0.5", linewidth=1)
    for i, summary in enumerate(comparison.summaries):
        if summary.label == leader:
            continue
        names = sorted(set(means[leader]) & set(means[summary.label]))
        axes.plot(
            [means[summary.label][name] for name in names],
            [means[leader][name] for name in names],
            linestyle="none",
            marker=_MARKERS[i % len(_MARKERS)],
            color=_look(i)["color"],
            label=_text(summary.label),
        )
    axes.set(xlabel="mean score of the other strategy", ylabel=f"mean score of {_text(leader)}", title="Puzzle by puzzle")
    axes.legend(loc="lower right")
