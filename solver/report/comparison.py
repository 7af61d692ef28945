"""A comparison as one page: the question, the set-up, tables, plots and the best games."""

import base64
from dataclasses import dataclass
from typing import Any

from solver.lab.compare.collect import Comparison
from solver.lab.compare.tables import PAIR_HEAD, SUMMARY_HEAD, pair_cells, summary_cells
from solver.report.pages import render
from solver.report.plots import plots
from solver.show.game import make_game
from solver.show.picture import game_svg
from verify import Rules, judge, load_rules
from verify.rules import is_bundled
from verify.text import printable

_PLOT_TEXTS = {
    "anytime": "Median gap to the best known score over time, with the band from the 20th to the 80th percentile.",
    "gaps": "Box plot of the gap to the best known score of every run, one box for each strategy.",
    "profile": "Share of runs that end at most so many points below the best known score.",
    "targets": "Share of runs that have come within one per cent of the best known score, over time.",
    "scatter": "Mean score on each puzzle: the strategy with the best mean against the others.",
}


@dataclass(frozen=True)
class BestGame:
    """The best run of a puzzle.

    picture: a data URL; empty where the journal does not say by which rules the run was judged.
    """

    puzzle: str
    score: int
    label: str
    seed: int
    seconds: float
    known: int
    bound: float | None
    picture: str


def comparison_page(comparison: Comparison, name: str) -> str:
    """The page as HTML that needs no other file."""
    good = [record for record in comparison.records if "error" not in record]
    return render(
        "comparison.html",
        title=f"Comparison {name}",
        puzzles=comparison.puzzles,
        strategies=[(s.label, _spec(comparison, s.label)) for s in comparison.summaries],
        runs=len(comparison.records),
        seeds=len({record["seed"] for record in comparison.records}),
        budgets=sorted({record["budget"] for record in comparison.records}),
        threads=sorted({record["threads"] for record in comparison.records}),
        tables=[
            ("Strategies", SUMMARY_HEAD, summary_cells(comparison.summaries)),
            ("Pairs over puzzles", PAIR_HEAD, pair_cells(comparison.pairs)),
        ],
        plots=[(_PLOT_TEXTS[key], _address(svg)) for key, svg in plots(comparison).items()],
        games=[_best_game(comparison, puzzle) for puzzle in comparison.best_by_puzzle],
        failures=[{**record, "error": printable(record["error"])} for record in comparison.failures],
        machines=_distinct(good, "machine"),
        versions=_distinct(good, "versions"),
    )


def _spec(comparison: Comparison, label: str) -> str:
    return str(next(record["strategy"] for record in comparison.records if record["label"] == label))


def _distinct(records: list[Any], field: str) -> list[str]:
    """The different values of a field, each as one line."""
    lines = (", ".join(f"{key} {value}" for key, value in (record.get(field) or {}).items()) for record in records)
    return list(dict.fromkeys(lines))


def _best_game(comparison: Comparison, puzzle: str) -> BestGame:
    record = comparison.best_by_puzzle[puzzle]
    known = comparison.known[puzzle]
    return BestGame(
        puzzle, record["score"], record["label"], record["seed"], record["seconds"], known.best, known.bound, _picture(record)
    )


def _picture(record: Any) -> str:
    rules = _rules(record)
    if rules is None:
        return ""
    return _address(game_svg(make_game(judge("\n".join(record["solution"]).encode(), rules), rules)))


def _rules(record: Any) -> Rules | None:
    """The rules that the run was judged by; None where the journal does not tell them.

    Only a bundled puzzle is read from its file: what the journal of somebody else names is not opened.
    """
    if is_bundled(record["puzzle"]):
        return load_rules(record["puzzle"])
    told = record.get("rules")
    if told is None:
        return None
    # the referee has checked the words at the end of the run, so they are valid
    words = frozenset(line.split()[-1] for line in record["solution"])
    return Rules(record["puzzle_name"], told["row"], told["rack"], told["values"], words, told.get("bonus", 0))


def _address(svg: str) -> str:
    """A picture as a data URL: so the ids inside one picture cannot clash with those of another."""
    return "data:image/svg+xml;base64," + base64.b64encode(svg.encode()).decode()
