"""The reports of a comparison: files of tables and plots, and one page with the answer, tables, plots and the best games."""

import base64
from pathlib import Path
from typing import Any, NamedTuple

from solver.files import replace_file
from solver.lab.compare.collect import Comparison
from solver.lab.compare.finding import find
from solver.lab.compare.journal import Journal
from solver.lab.compare.run_fields import rules_of
from solver.lab.compare.statistics import Outcome
from solver.lab.compare.tables import (
    FORMULA,
    PAIRS_TEXT,
    PUZZLES_TEXT,
    SUMMARY_TEXT,
    TIMES_TEXT,
    Table,
    json_text,
    known_table,
    markdown,
    pair_table,
    puzzle_table,
    summary_table,
    time_table,
)
from solver.report.pages import render, script_json, script_text, viewer_data
from solver.report.plots import DARK_COLOURS, plots, specifications
from solver.show.steps import make_game
from verify import judge
from verify.text import counted, csv_text, printable

_PLOT_TEXTS = {
    "anytime": "Median gap to the best known score over time, with the band from the 20th to the 80th percentile.",
    "gaps": "Box plot of the gap to the best known score of every run with an answer, one box for each strategy.",
    "profile": "Share of runs that end at most a given number of points below the best known score.",
    "targets": "Share of runs that have come within one per cent of the best known score, over time.",
    "scatter": "Mean score on each puzzle: the baseline, or else the strategy with the best mean, against the others.",
}
_GAMES_TEXT = (
    "“From” is the source of a number. The record book is the one bundled with rowdraw, these runs are those of this page."
)


class Section(NamedTuple):
    """A table under a title, with remarks below; a cell is text, or a link to a place on the page."""

    title: str
    table: Table
    texts: tuple[str, ...]


def comparison_page(comparison: Comparison, name: str) -> str:
    """Return the page as HTML that needs no other file."""
    good = [outcome for outcome in comparison.outcomes if "error" not in outcome]
    finding = find(comparison)
    drawn = plots(comparison)
    games = _best_games(comparison)
    return render(
        "comparison.html",
        title=f"Comparison {name}",
        answer=finding.answer,
        notes=finding.notes,
        puzzles=comparison.puzzles,
        strategies=_strategies(comparison),
        runs=counted(len(comparison.outcomes), "run"),
        seeds=counted(len({outcome["seed"] for outcome in comparison.outcomes}), "seed"),
        budgets=sorted({outcome["budget"] for outcome in comparison.outcomes}),
        threads=sorted({outcome["threads"] for outcome in comparison.outcomes}),
        sections=[section for section in (*_sections(comparison), _games_section(comparison, games)) if section.table.cells],
        plots=[{"name": key, "text": _PLOT_TEXTS[key], "address": _address(svg)} for key, svg in drawn.items()],
        plots_data=script_json({"specifications": specifications(comparison), "dark_colours": DARK_COLOURS}),
        library=_library() if drawn else "",
        games=list(games.values()),
        failures=[{**outcome, "error": printable(outcome["error"])} for outcome in comparison.failures],
        machines=_distinct(good, "machine"),
        versions=_distinct(good, "versions"),
    )


def _library() -> str:
    """Return Vega-Embed with all that it needs, as a script."""
    from vl_convert import javascript_bundle

    return script_text(javascript_bundle("window.vegaEmbed = vegaEmbed;"))


def _sections(comparison: Comparison) -> list[Section]:
    return [
        Section("Strategies", summary_table(comparison.summaries), (SUMMARY_TEXT,)),
        Section("Gap over time", time_table(comparison.summaries), (TIMES_TEXT,)),
        Section("Puzzle by puzzle", puzzle_table(comparison.outcomes), (PUZZLES_TEXT,)),
        Section("Pairs over puzzles", pair_table(comparison.pairs), (PAIRS_TEXT, FORMULA)),
    ]


def _games_section(comparison: Comparison, games: dict[str, dict[str, Any]]) -> Section:
    """Return a row for each puzzle: its best run, what is known of it and from where, and a link to the game."""
    head = ("puzzle", "score", "best known", "from", "bound", "from", "strategy", "seed", "seconds", "game")
    cells: list[list[Any]] = []
    for puzzle, outcome in comparison.best_by_puzzle.items():
        known = comparison.known[puzzle]
        link = {"target": f"game-{games[puzzle]['number']}", "text": "turn by turn"} if puzzle in games else "-"
        bound = "-" if known.bound is None else f"{known.bound:.1f}"
        sources = [known.best, known.best_from or "-", bound, known.bound_from or "-"]
        run = [outcome["label"], outcome["seed"], f"{outcome['seconds']:.1f}"]
        cells.append([puzzle, outcome["score"], *sources, *run, link])
    return Section("Best games", Table(head, cells), (_GAMES_TEXT,))


def _strategies(comparison: Comparison) -> list[tuple[str, str]]:
    """Return the label of each strategy, with all its settings."""
    return list({outcome["label"]: (outcome["label"], outcome["strategy"]) for outcome in comparison.outcomes}.values())


def _distinct(outcomes: list[Outcome], field: str) -> list[str]:
    """Return the different values of a field, each as one line."""
    lines = (", ".join(f"{key} {value}" for key, value in (outcome.get(field) or {}).items()) for outcome in outcomes)
    return list(dict.fromkeys(lines))


def _best_games(comparison: Comparison) -> dict[str, dict[str, Any]]:
    """Return the best game of each puzzle whose rules are known: its place, the game, and the data of the page's script."""
    games = {}
    for number, (puzzle, outcome) in enumerate(comparison.best_by_puzzle.items(), start=1):
        rules = rules_of(outcome)
        if rules is not None:
            game = make_game(judge("\n".join(outcome["solution"]).encode(), rules), rules)
            games[puzzle] = {"number": number, "game": game, "data": viewer_data([game])}
    return games


def _address(svg: str) -> str:
    """Return a picture as a data URL, so that ids inside one picture cannot clash with those of another."""
    return "data:image/svg+xml;base64," + base64.b64encode(svg.encode()).decode()


def write_reports(comparison: Comparison, folder: Path) -> None:
    """Write summary, puzzles and pairs as CSV, Markdown and JSON, and the plots. Raises the errors of `check_folder`."""
    Journal(folder).check_folder()
    sections, finding = _sections(comparison), find(comparison)
    names = ("summary.csv", "times.csv", "puzzles.csv", "pairs.csv")
    texts = {name: csv_text([s.table.head, *s.table.cells]) for name, s in zip(names, sections, strict=True)}
    tables = [part for s in sections if s.table.cells for part in (markdown(s.table), f"{' '.join(s.texts)}\n")]
    notes = [f"{sentence}\n" for sentence in (finding.answer, *finding.notes)]
    texts["tables.md"] = "\n".join([*notes, *tables, markdown(known_table(comparison.known))])
    texts["figures.json"] = json_text(comparison.summaries, comparison.pairs, comparison.known, comparison.outcomes)
    texts |= {f"{name}.svg": svg for name, svg in plots(comparison).items()}
    for name, text in texts.items():
        replace_file(folder / name, text)
