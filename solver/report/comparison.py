"""The reports of a comparison: files of tables and plots, and one page.

The page has the answer, tables, plots and the best games.

The plots are Vega-Lite specifications and, drawn from them, SVG. Every strategy has a colour of the
Okabe-Ito palette, which colour-blind readers can distinguish, and its own line style and marker, so
that a grey print can be read too.
"""

from collections.abc import Sequence
from itertools import cycle, islice
from operator import itemgetter
from pathlib import Path
from typing import Any

import numpy as np
from msgspec.structs import replace

from solver.files import replace_file
from solver.lab.compare.collect import json_text
from solver.lab.compare.comparing import Comparison
from solver.lab.compare.finding import leading
from solver.lab.compare.runs import Journal, Outcome, rules_of
from solver.lab.compare.statistics import CLOSE, gaps_at, puzzle_means, reached_at
from solver.lab.compare.tables import markdown, sections_of
from solver.show.games import make_game
from solver.show.pages import render, script_json, script_text, viewer_data
from verify import judge
from verify.text import counted, csv_text, printable

Spec = dict[str, Any]
Rows = list[dict[str, Any]]

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
# the same palette without dark colours
DARK_COLOURS = ("#56B4E9", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#F0E442", "#FFFFFF")
# with seven colours, six styles and five markers, no two of 35 strategies look alike
_DASHES = ([1, 0], [6, 3], [8, 2, 2, 2], [2, 2], [10, 2], [6, 2, 1, 2, 1, 2])
_MARKERS = ("circle", "square", "triangle-up", "diamond", "cross")
_LANE = 46  # the height of a strategy's box
_TIMES = 60  # the number of times at which gaps are drawn
_SOONEST = 1e-3  # seconds; a logarithmic axis has no 0
_FRAME: Spec = {
    "$schema": "https://vega.github.io/schema/vega-lite/v6.json",
    "width": 560,
    "height": 300,
    "padding": 8,
    "config": {
        # a plot is one picture with one text; a label for each mark would be half of the file
        "aria": False,
        "view": {"stroke": None},
        "axis": {
            "gridOpacity": 0.5,
            "labelLimit": 200,
            "labelFontSize": 11,
            "titleFontSize": 12,
            "titleFontWeight": "normal",
        },
        "legend": {
            "orient": "bottom",
            "title": None,
            "labelFontSize": 11,
            "symbolSize": 80,
            "symbolOpacity": 1,
            "columns": 1,
            "labelLimit": 480,
        },
        "title": {"fontSize": 13, "anchor": "start", "fontWeight": 600},
        "range": {"category": list(COLOURS)},
    },
}


def plots(comparison: Comparison) -> dict[str, str]:
    """Return all `specifications` as SVG text by name; the same figures give the same text."""
    from vl_convert import vegalite_to_svg

    return {name: f"{vegalite_to_svg(spec)}\n" for name, spec in specifications(comparison).items()}


def specifications(comparison: Comparison) -> dict[str, Spec]:
    """Return Vega-Lite by name: anytime, gaps, targets and scatter.

    Scatter needs two strategies to compare. Empty if every run failed.
    """
    if not comparison.summaries:
        return {}
    runs = _runs(comparison)
    specs = {
        "anytime": _anytime(comparison),
        "gaps": _gaps(comparison, runs),
        "targets": _targets(comparison, runs),
    }
    if len(comparison.summaries) > 1:
        specs["scatter"] = _scatter(comparison, leading(comparison))
    return {name: _FRAME | spec for name, spec in specs.items()}


def _labels(comparison: Comparison) -> list[str]:
    """Return the names of the strategies."""
    return [summary.label for summary in comparison.summaries]


def _runs(comparison: Comparison) -> Rows:
    """Return, for every run with an answer, score, gap and the effort until within 1 %."""
    rows = []
    for outcome in comparison.compared:
        if outcome.failed:
            continue
        best = comparison.known[outcome.puzzle_name].best
        reached = reached_at(outcome, CLOSE * best)
        effort = None
        if reached is not None:
            effort = _rounded(max(reached[comparison.in_racks], _soonest(comparison)))
        run = {
            "strategy": outcome.label,
            "puzzle": outcome.puzzle_name,
            "seed": outcome.seed,
            "score": outcome.score,
            "gap": best - outcome.score,
            _unit(comparison): effort,
        }
        rows.append(run)
    return rows


def _unit(comparison: Comparison) -> str:
    """Return what limits the runs, which plots show along their axis."""
    return "racks" if comparison.in_racks else "seconds"


def _soonest(comparison: Comparison) -> float:
    """Return the least effort that is drawn; a logarithmic axis has no 0."""
    return 1 if comparison.in_racks else _SOONEST


def _rounded(value: float) -> float:
    """Round to four significant digits, which a plot can show."""
    return float(f"{value:.4g}")


def _looks(comparison: Comparison, channel: str, styles: Sequence[object]) -> Spec:
    """Return the channels that distinguish strategies: colours, and line styles or markers."""
    labels = _labels(comparison)
    field: Spec = {"field": "strategy", "type": "nominal", "legend": {}, "sort": None}
    scale = {"domain": labels, "range": list(islice(cycle(styles), len(labels)))}
    # the colours themselves are those of the page, light or dark
    colour = {**field, "scale": {"domain": labels}}
    return {"color": colour, channel: {**field, "scale": scale}}


def _line_looks(comparison: Comparison) -> Spec:
    return _looks(comparison, "strokeDash", _DASHES)


def _dot_looks(comparison: Comparison) -> Spec:
    return _looks(comparison, "shape", _MARKERS)


def _efforts(comparison: Comparison) -> Spec:
    """Return seconds or racks along the x axis, by orders of magnitude, in plain numbers."""
    unit = _unit(comparison)
    return {
        "field": unit,
        "type": "quantitative",
        "title": unit,
        "scale": {"type": "log", "nice": False},
        "axis": {"format": "~s" if comparison.in_racks else "~g", "labelOverlap": True},
    }


def _points(title: str, field: str = "gap", **more: Any) -> Spec:
    return {"field": field, "type": "quantitative", "title": title, **more}


def _dots(size: int, **more: Any) -> Spec:
    return {"type": "point", "filled": True, "size": size, "tooltip": _TIP, **more}


def _steps(**points: Any) -> Spec:
    """Return lines between points, at which the pointer shows their data."""
    line = {"type": "line", "interpolate": "step-after", "strokeWidth": 2}
    return {**line, "point": points, "tooltip": _TIP}


_BELOW = "points below the best known"
_TIP = {"content": "data"}


def _anytime(comparison: Comparison) -> Spec:
    unit = _unit(comparison)
    ended = [getattr(run, unit) for run in comparison.compared if not run.failed]
    longest = max([20 * _soonest(comparison), *ended])
    moments = np.geomspace(longest / 1000, longest, _TIMES)
    rows: Rows = []
    for label in _labels(comparison):
        curves = []
        first = 0.0
        for outcome in comparison.compared:
            if outcome.label == label:
                best = comparison.known[outcome.puzzle_name].best
                curves.append(gaps_at(outcome, best, moments, in_racks=comparison.in_racks))
                if outcome.trace:
                    first = max(first, outcome.trace[0][comparison.in_racks])
        # drawn from where every run with an answer has one: before, a gap is as large as the score
        for moment, gaps in zip(moments, np.transpose(curves), strict=True):
            if moment >= first:
                low, middle, high = np.percentile(gaps, (20, 50, 80))
                figures = {unit: _rounded(moment), "20 %": low, "gap": middle, "80 %": high}
                rows.append({"strategy": label, **figures})
    looks = _line_looks(comparison)
    for channel in looks.values():
        channel["legend"] = {"symbolType": "stroke", "symbolStrokeWidth": 2, "symbolSize": 400}
    area = {"type": "area", "interpolate": "step-after", "opacity": 0.15}
    return {
        "title": "Median gap over time, 20–80 % band",
        "data": {"values": rows},
        "encoding": {"x": _efforts(comparison), "color": looks.pop("color")},
        "layer": [
            {"mark": area, "encoding": {"y": _points(_BELOW, "20 %"), "y2": {"field": "80 %"}}},
            {"mark": _steps(opacity=0, size=150), "encoding": {"y": _points(_BELOW), **looks}},
        ],
    }


def _gaps(comparison: Comparison, runs: Rows) -> Spec:
    box = {
        "type": "boxplot",
        "size": 22,
        "opacity": 0.35,
        "outliers": False,
        "median": {"color": "currentColor", "opacity": 1},
    }
    # runs of a strategy lie in a lane, by puzzle, so that they do not hide each other
    lanes = {"field": "puzzle", "type": "nominal", "scale": {"paddingOuter": 1}}
    return {
        "title": "Gap of every run",
        "height": _LANE * len(comparison.summaries),
        "data": {"values": runs},
        "encoding": {
            "x": _points(_BELOW),
            "y": {"field": "strategy", "type": "nominal", "sort": None, "title": None},
            "color": {**_dot_looks(comparison)["color"], "legend": None},
        },
        "layer": [
            {"mark": box},
            {"mark": _dots(28, opacity=0.8), "encoding": {"yOffset": lanes}},
        ],
    }


def _targets(comparison: Comparison, runs: Rows) -> Spec:
    """Return the share of runs that are within 1 % of the best known score, by what they spent."""
    unit = _unit(comparison)
    reached = [run for run in runs if run[unit] is not None]
    reached.sort(key=itemgetter(unit))
    rows: Rows = []
    for summary in comparison.summaries:
        place = 0
        for run in reached:
            if run["strategy"] == summary.label:
                place += 1
                rows.append({**run, "share": _rounded(place / summary.runs)})
    share = _points("share of runs", "share", scale={"domain": [0, 1]}, axis={"format": "%"})
    looks = _line_looks(comparison) | _dot_looks(comparison)
    return {
        "title": f"{unit.capitalize()} until within 1 % of the best known",
        "data": {"values": rows},
        "encoding": {"x": _efforts(comparison), "y": share, **looks},
        "mark": _steps(size=30),
    }


def _scatter(comparison: Comparison, leader: str) -> Spec:
    """Return the leader against every other strategy, a point for each puzzle."""
    means = puzzle_means(comparison.compared)
    of_leader = means.pop(leader)
    rows: Rows = []
    scores = []
    for label, by_puzzle in means.items():
        for name in sorted(by_puzzle):
            score = round(by_puzzle[name], 1)
            best = round(of_leader[name], 1)
            scores += [score, best]
            rows.append({"strategy": label, "puzzle": name, "score": score, "leader": best})
    ends = [min(scores, default=0) - 5, max(scores, default=1) + 5]
    scale = {"zero": False, "nice": False}
    line = {"type": "line", "color": "#888", "strokeWidth": 1}
    return {
        "title": "Puzzle by puzzle",
        "encoding": {
            "x": _points("mean score of the other strategy", "score", scale=scale),
            "y": _points(f"mean score of {leader}", "leader", scale=scale),
        },
        "layer": [
            {"data": {"values": [{"score": end, "leader": end} for end in ends]}, "mark": line},
            {"data": {"values": rows}, "mark": _dots(60), "encoding": _dot_looks(comparison)},
        ],
    }


_PLOT_TEXTS = {
    "anytime": "Median gap to the best known score over time, "
    "with the band from the 20th to the 80th percentile.",
    "gaps": "Box plot of the gap to the best known score of every run with an answer, "
    "one box for each strategy.",
    "targets": "Share of runs that have come within one per cent of the best known score, "
    "over time.",
    "scatter": "Mean score on each puzzle: the baseline, "
    "or else the strategy with the best mean, against the others.",
}


def comparison_page(comparison: Comparison, name: str) -> str:
    """Return the page as HTML that needs no other file."""
    good = [outcome for outcome in comparison.outcomes if not outcome.failed]
    finding = comparison.finding
    drawn = specifications(comparison)
    return render(
        "comparison.html",
        package="solver.report",
        title=f"Comparison {name}",
        answer=finding.answer,
        notes=finding.notes,
        puzzles=comparison.puzzles,
        strategies={outcome.label: outcome.strategy for outcome in comparison.outcomes}.items(),
        runs=counted(len(comparison.outcomes), "run"),
        seeds=counted(len(_different(comparison, "seed")), "seed"),
        budgets=_different(comparison, "budget"),
        threads=_different(comparison, "threads"),
        sections=[section for section in sections_of(comparison) if section.table.cells],
        plots={name: _PLOT_TEXTS[name] for name in drawn},
        plots_data=script_json({"specifications": drawn, "dark_colours": DARK_COLOURS}),
        library=_library() if drawn else "",
        games=_best_games(comparison),
        failures=[
            replace(outcome, error=printable(str(outcome.error))) for outcome in comparison.failures
        ],
        machines=_distinct(good, "machine"),
        versions=_distinct(good, "versions"),
    )


def _different(comparison: Comparison, field: str) -> list[Any]:
    """Return the different values of a field of the runs, sorted."""
    return sorted({getattr(outcome, field) for outcome in comparison.outcomes})


def _library() -> str:
    """Return Vega-Embed with all that it needs, as a script."""
    from vl_convert import javascript_bundle

    return script_text(javascript_bundle("window.vegaEmbed = vegaEmbed;"))


def _distinct(outcomes: list[Outcome], field: str) -> list[str]:
    """Return the different values of a field, each as one line."""
    lines = []
    for outcome in outcomes:
        values = getattr(outcome, field) or {}
        lines.append(", ".join(f"{key} {value}" for key, value in values.items()))
    return list(dict.fromkeys(lines))


def _best_games(comparison: Comparison) -> list[dict[str, Any]]:
    """Return the best game of each puzzle whose rules are known, as the template takes it."""
    games = []
    for outcome in comparison.best_by_puzzle.values():
        rules = rules_of(outcome)
        if rules is not None and outcome.solution:
            game = make_game(judge("\n".join(outcome.solution).encode(), rules))
            games.append({"game": game, "run": outcome, "data": viewer_data([game])})
    return games


def write_reports(comparison: Comparison, folder: Path) -> None:
    """Write the tables as CSV, Markdown and JSON, and the plots.

    Raises the errors of `check_folder`.
    """
    Journal(folder).check_folder()
    finding = comparison.finding
    parts = [f"{sentence}\n" for sentence in (finding.answer, *finding.notes)]
    sections = sections_of(comparison)
    for section in sections:
        if section.table.cells:
            parts.append(markdown(section.table))
            if section.text:
                parts.append(f"{section.text}\n")
    texts = {"tables.md": "\n".join(parts), "figures.json": json_text(comparison)}
    names = ("summary.csv", "pairs.csv", "puzzles.csv")
    for name, section in zip(names, sections, strict=False):
        texts[name] = csv_text(section.table.plain)
    for name, svg in plots(comparison).items():
        texts[f"{name}.svg"] = svg
    for name, text in texts.items():
        replace_file(folder / name, text)
