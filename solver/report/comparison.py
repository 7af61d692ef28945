"""A comparison as one page: the answer, tables, plots and the best games."""

import base64
from dataclasses import dataclass
from typing import Any

from solver.lab.compare.collect import Comparison
from solver.lab.compare.finding import find
from solver.lab.compare.statistics import Outcome
from solver.lab.compare.tables import (
    FORMULA,
    PAIRS_TEXT,
    PUZZLES_TEXT,
    SUMMARY_TEXT,
    Table,
    pair_table,
    puzzle_table,
    summary_table,
)
from solver.report.pages import render, script_json, script_text, viewer_data
from solver.report.plots import DARK_COLOURS, plots, specifications
from solver.show.steps import Game, make_game
from verify import Rules, judge, load_rules
from verify.replay.rules import is_bundled
from verify.text import counted, printable

_PLOT_TEXTS = {
    "anytime": "Median gap to the best known score over time, with the band from the 20th to the 80th percentile.",
    "gaps": "Box plot of the gap to the best known score of every run with an answer, one box for each strategy.",
    "profile": "Share of runs that end at most a given number of points below the best known score.",
    "targets": "Share of runs that have come within one per cent of the best known score, over time.",
    "scatter": "Mean score on each puzzle: the baseline, or else the strategy with the best mean, against the others.",
}
_GAMES_TEXT = (
    "“From” says where a number comes from. The record book is the one that rowdraw brings along, these runs are those of "
    "this page."
)


@dataclass(frozen=True)
class PageTable:
    """A table under a title, with remarks below; a cell is text, or a link to a place of the page."""

    title: str
    head: tuple[str, ...]
    cells: list[list[Any]]
    names: int
    texts: tuple[str, ...]


@dataclass(frozen=True)
class BestGame:
    """The best game of a puzzle, ready to be stepped through; `data` is what the page's script takes, `number` its place."""

    number: int
    game: Game
    data: str


@dataclass(frozen=True)
class Plot:
    """A plot: what it shows, and its still picture as an address, for a page without scripts."""

    name: str
    text: str
    address: str


def comparison_page(comparison: Comparison, name: str) -> str:
    """The page as HTML that needs no other file."""
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
        tables=[table for table in _tables(comparison, games) if table.cells],
        plots=[Plot(key, _PLOT_TEXTS[key], _address(svg)) for key, svg in drawn.items()],
        plots_data=script_json({"specifications": specifications(comparison), "dark_colours": DARK_COLOURS}),
        library=_library() if drawn else "",
        games=list(games.values()),
        failures=[{**outcome, "error": printable(outcome["error"])} for outcome in comparison.failures],
        machines=_distinct(good, "machine"),
        versions=_distinct(good, "versions"),
    )


def _library() -> str:
    """Vega-Embed with all that it needs, as a script."""
    from vl_convert import javascript_bundle

    return script_text(javascript_bundle("window.vegaEmbed = vegaEmbed;"))


def _tables(comparison: Comparison, games: dict[str, BestGame]) -> list[PageTable]:
    return [
        _page_table("Strategies", summary_table(comparison.summaries), (SUMMARY_TEXT,)),
        _page_table("Puzzle by puzzle", puzzle_table(comparison.outcomes), (PUZZLES_TEXT,)),
        _page_table("Pairs over puzzles", pair_table(comparison.pairs), (PAIRS_TEXT, FORMULA)),
        _games_table(comparison, games),
    ]


def _page_table(title: str, table: Table, texts: tuple[str, ...]) -> PageTable:
    return PageTable(title, table.head, table.cells, table.names, texts)


def _games_table(comparison: Comparison, games: dict[str, BestGame]) -> PageTable:
    """A row a puzzle: its best run, what is known of it and from where, and a link to the game."""
    head = ("puzzle", "score", "best known", "from", "bound", "from", "strategy", "seed", "seconds", "game")
    cells: list[list[Any]] = []
    for puzzle, outcome in comparison.best_by_puzzle.items():
        known = comparison.known[puzzle]
        link = {"target": f"game-{games[puzzle].number}", "text": "turn by turn"} if puzzle in games else "-"
        bound = "-" if known.bound is None else f"{known.bound:.1f}"
        told = [known.best, known.best_from or "-", bound, known.bound_from or "-"]
        found = [outcome["label"], outcome["seed"], f"{outcome['seconds']:.1f}"]
        cells.append([puzzle, outcome["score"], *told, *found, link])
    return PageTable("Best games", head, cells, 1, (_GAMES_TEXT,))


def _strategies(comparison: Comparison) -> list[tuple[str, str]]:
    """The label of each strategy, with all its settings."""
    return list({outcome["label"]: (outcome["label"], outcome["strategy"]) for outcome in comparison.outcomes}.values())


def _distinct(outcomes: list[Outcome], field: str) -> list[str]:
    """The different values of a field, each as one line."""
    lines = (", ".join(f"{key} {value}" for key, value in (outcome.get(field) or {}).items()) for outcome in outcomes)
    return list(dict.fromkeys(lines))


def _best_games(comparison: Comparison) -> dict[str, BestGame]:
    """The best game of each puzzle of which a run tells what it was judged by."""
    games = {}
    for number, (puzzle, outcome) in enumerate(comparison.best_by_puzzle.items(), start=1):
        rules = _rules(outcome)
        if rules is not None:
            game = make_game(judge("\n".join(outcome["solution"]).encode(), rules), rules)
            games[puzzle] = BestGame(number, game, viewer_data([game]))
    return games


def _rules(outcome: Outcome) -> Rules | None:
    """What the run was judged by: the bundled puzzle, or what it tells of another one, whose file it does not open.

    Only a bundled puzzle is read from its file: what the journal of somebody else names is not opened.
    """
    if is_bundled(outcome["puzzle"]):
        return load_rules(outcome["puzzle"])
    told = outcome.get("rules")
    if told is None:
        return None
    # the referee has checked the words at the end of the run, so they are valid
    words = frozenset(line.split()[-1] for line in outcome["solution"])
    return Rules(outcome["puzzle_name"], told["row"], told["rack"], told["values"], words, told.get("bonus", 0))


def _address(svg: str) -> str:
    """A picture as a data URL: so the ids inside one picture cannot clash with those of another."""
    return "data:image/svg+xml;base64," + base64.b64encode(svg.encode()).decode()
