"""Which runs are in one row, which are left out, and what rows and puzzles are called."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from solver.commands.cli import rowdraw
from solver.errors import RowdrawError, TargetError
from solver.lab.compare.collect import View
from solver.lab.compare.comparing import collect
from solver.lab.compare.finding import find
from solver.lab.compare.plan import code_version
from solver.lab.compare.rows import rows_of
from solver.lab.compare.runs import Journal, Outcome
from solver.lab.compare.tables import puzzle_table
from tests.compare.runs import run_of


@dataclass
class Runs:
    """A journal, and how a line comes into it."""

    folder: Path

    def add(
        self, score: int | None, label: str = "mine.py:Mine", code: str = "base+old", **more: Any
    ) -> Outcome:
        """Append a run, failed without a score; each field may be another than usual."""
        puzzle = more.get("puzzle", "p")
        usual = {
            "label": label,
            "puzzle_name": puzzle,
            "puzzle_digest": f"digest of {puzzle}",
            "budget": "1s",
            "code": code,
        }
        good = {"score": score, "seconds": 1.0, "trace": [[0.5, 9, score]], "solution": ["0 a a"]}
        outcome = run_of(**{**usual, **({"error": "exit 1"} if score is None else good), **more})
        Journal(self.folder).append(outcome)
        return outcome

    def rows(self, view: View | None = None) -> dict[str, tuple[int, float]]:
        """How many runs stand in each row, and its mean."""
        return {
            summary.label: (summary.runs, summary.mean)
            for summary in collect(self.folder, view=view or View()).summaries
        }


@pytest.fixture
def runs(tmp_path: Path) -> Runs:
    return Runs(tmp_path)


def run(*arguments: str) -> Result:
    return CliRunner().invoke(rowdraw, ["compare", *arguments], catch_exceptions=False)


def test_runs_before_an_edit_of_a_plugin_are_left_out_by_a_message(runs: Runs) -> None:
    runs.add(54)
    runs.add(60, "greedy", "base")
    runs.add(66, code="base+new")
    assert runs.rows() == {"greedy": (1, 60), "mine.py:Mine": (1, 66)}
    (note,) = (note for note in find(collect(runs.folder)).notes if "Left out" in note)
    assert (
        note == "Left out: 1 run of earlier versions (mine.py:Mine), which stay in the journal; "
        "--versions compares them."
    )


def test_what_earlier_code_scored_stays_known(runs: Runs) -> None:
    runs.add(66)
    runs.add(99, puzzle="q")
    runs.add(54, code="base+new")
    found = collect(runs.folder)
    assert [(summary.mean, summary.gap_to_best) for summary in found.summaries] == [(54, 12)]
    assert found.puzzles == list(found.known) == ["p"]


def test_an_edit_that_changes_the_settings_or_only_fails_is_the_current_code_all_the_same(
    runs: Runs,
) -> None:
    runs.add(54, strategy="mine.py:Mine:depth=1")
    runs.add(66, code="base+new", strategy="mine.py:Mine:depth=1,ties=2")
    assert runs.rows() == {"mine.py:Mine": (1, 66)}
    runs.add(None, code="base+broken", strategy="mine.py:Mine:depth=1,ties=2")
    found = collect(runs.folder)
    assert find(found).answer == "Every run failed, the only one: there is nothing to compare."
    assert find(found).notes[0].startswith("Left out: 2 runs of earlier versions")


@pytest.mark.parametrize(
    "command",
    ["--puzzles shuffled-01 --strategies greedy --seeds 1", "--collect --merge {}"],
)
def test_a_folder_that_holds_something_else_gets_no_reports(
    command: str, runs: Runs, tmp_path: Path
) -> None:
    runs.add(66)
    full = tmp_path / "full"
    full.mkdir()
    (full / "summary.csv").write_text("6 s?l?mnized solemnized\n")
    with pytest.raises(
        TargetError,
        match=r"full: it holds 'summary\.csv', but no journal\.jsonl: expected a new or empty",
    ):
        run(*command.format(runs.folder).split(), "-o", str(full))
    assert [path.name for path in full.iterdir()] == ["summary.csv"]


def test_the_last_to_finish_is_current_wherever_its_line_stands(runs: Runs) -> None:
    runs.add(66, code="base+new", finished="2026-02-02T00:00:00Z")
    runs.add(54, finished="2026-01-01T00:00:00Z")
    assert runs.rows() == {"mine.py:Mine": (1, 66)}


def test_the_code_of_the_plan_and_that_of_this_rowdraw_are_current_even_where_they_are_older(
    runs: Runs,
) -> None:
    first = runs.add(54)
    runs.add(66, code="base+new")
    assert runs.rows(View((first,))) == {"mine.py:Mine": (1, 54)}
    runs.add(70, "beam", code_version())
    runs.add(71, "beam", "another")
    assert runs.rows()["beam"] == (1, 70)


def test_one_strategy_under_two_labels_is_one_row(runs: Runs) -> None:
    runs.add(50, "beam", "base", strategy="beam:width=2000")
    runs.add(60, "beam:width=2000", "base", strategy="beam:width=2000", seed=1)
    assert runs.rows() == {"beam:width=2000": (2, 55)}


def test_runs_of_different_budgets_and_threads_stand_in_different_rows(runs: Runs) -> None:
    for puzzle, points in (("p", 100), ("q", 900)):
        runs.add(points, "greedy", "base", puzzle=puzzle, budget="1s")
        runs.add(points + 5, "beam", "base", puzzle=puzzle, budget="1s")
        runs.add(points + 9, "beam", "base", puzzle=puzzle, budget="3s")
    assert runs.rows() == {
        "greedy": (2, 500),
        "beam (1s, 1 thread)": (2, 505),
        "beam (3s, 1 thread)": (2, 509),
    }
    assert find(collect(runs.folder)).answer.endswith(
        "Budgets differ: greedy, beam (1s, 1 thread) 1s a run; beam (3s, 1 thread) 3s a run."
    )
    runs.add(1, "beam", "base", budget="3s", threads=2)
    names = {"greedy", "beam (1s, 1 thread)", "beam (3s, 1 thread)", "beam (3s, 2 threads)"}
    rows = rows_of(Journal(runs.folder).outcomes().values()).values()
    assert {row.name for row in rows} == names


def test_after_a_merge_the_strategy_that_is_better_on_every_puzzle_has_the_higher_mean(
    tmp_path: Path,
) -> None:
    one, other, merged = Runs(tmp_path / "one"), Runs(tmp_path / "other"), tmp_path / "merged"
    for puzzle in ("p", "q"):
        one.add(500, "greedy", "base", puzzle=puzzle)
        one.add(510, "beam", "base", puzzle=puzzle)
    other.add(900, "greedy", "base", puzzle="r")
    done = run(
        "--collect", "--merge", str(one.folder), "--merge", str(other.folder), "-o", str(merged)
    )
    assert done.exit_code == 0
    assert done.stderr == f"rowdraw: {one.folder}: 4 runs\nrowdraw: {other.folder}: 1 run\n"
    assert Runs(merged).rows() == {"greedy": (2, 500), "beam": (2, 510)}


def test_two_puzzles_of_one_name_are_two_puzzles(runs: Runs) -> None:
    for digest, points in (("aaaaaaaa1", 100), ("bbbbbbbb2", 300)):
        runs.add(points, "greedy", "base", puzzle="mine", puzzle_digest=digest)
        runs.add(points + 10, "beam", "base", puzzle="mine", puzzle_digest=digest)
    found = collect(runs.folder)
    assert found.puzzles == ["mine (aaaaaaaa)", "mine (bbbbbbbb)"]
    assert puzzle_table(found.outcomes).cells == [
        ["mine (aaaaaaaa)", "100.0", "110.0"],
        ["mine (bbbbbbbb)", "300.0", "310.0"],
    ]
    assert [known.best for known in found.known.values()] == [110, 310]


def test_names_that_are_made_do_not_meet_names_that_are_given(runs: Runs) -> None:
    runs.add(50, "beam (1s, 1 thread)", "base")
    runs.add(51, "beam", "base", budget="1s")
    runs.add(52, "beam", "base", budget="3s")
    names = ["beam (1s, 1 thread)", "beam (1s, 1 thread) #2", "beam (3s, 1 thread)"]
    assert sorted(runs.rows()) == names


def test_a_baseline_goes_by_the_name_of_its_row_its_label_or_its_settings(runs: Runs) -> None:
    runs.add(50, "greedy", "base", strategy="greedy:ties=200")
    planned = runs.add(60, "beam", "base", strategy="beam:width=9")
    for name in ("greedy", "greedy:ties=200"):
        (pair,) = collect(runs.folder, view=View(baseline=name)).pairs
        assert (pair.first, pair.second, pair.difference) == ("beam", "greedy", 10)
    with pytest.raises(
        RowdrawError, match=r"baseline 'gready': not found here, did you mean 'greedy'\?"
    ):
        collect(runs.folder, view=View(baseline="gready"))
    with pytest.raises(RowdrawError, match="baseline 'x': not found here: 'greedy', 'beam'"):
        collect(runs.folder, view=View(baseline="x"))
    runs.add(70, "beam", "base", strategy="beam:width=9", budget="3s")
    with pytest.raises(
        RowdrawError, match=r"baseline 'beam': expected one of 'beam \(1s, 1 thread\)', 'beam"
    ):
        collect(runs.folder, view=View(baseline="beam"))
    assert collect(runs.folder, view=View((planned,), "beam")).baseline == "beam (1s, 1 thread)"


def test_a_baseline_that_is_not_there_is_named_before_anything_runs(tmp_path: Path) -> None:
    options = f"--puzzles challenge --strategies greedy -o {tmp_path / 'cmp'} --baseline beam"
    with pytest.raises(RowdrawError, match="baseline 'beam': not found here: 'greedy'"):
        run(*options.split())
    assert not (tmp_path / "cmp").exists()


def test_a_choice_of_strategies_and_puzzles_never_changes_what_they_are_measured_against(
    runs: Runs,
) -> None:
    for number, puzzle in enumerate("pqrstuvw"):
        runs.add(69, "greedy", "base", puzzle=puzzle)
        runs.add(100 + number, "beam", "base", puzzle=puzzle)
        runs.add(80, "exact", "base", puzzle=puzzle)
    whole = collect(runs.folder)
    chosen = collect(runs.folder, View(strategies=("greedy",)))
    assert chosen.summaries == (whole.summaries[0],)
    assert chosen.known == whole.known
    assert chosen.pairs == ()
    two = collect(runs.folder, View(strategies=("greedy", "exact")))
    assert two.pairs == tuple(
        pair for pair in whole.pairs if "beam" not in (pair.first, pair.second)
    )
    one = collect(runs.folder, View(puzzles=("q",), strategies=("greedy",)))
    assert one.known == {"q": whole.known["q"]}
    assert one.summaries[0].gap_to_best == 101 - 69
    # a plan chooses as well
    planned = tuple(run for run in Journal(runs.folder).outcomes().values() if run.label == "exact")
    assert [row.label for row in collect(runs.folder, View(planned)).summaries] == ["exact"]
    with pytest.raises(RowdrawError, match="strategy 'gready': not found here"):
        collect(runs.folder, View(strategies=("gready",)))


def test_a_strategy_that_is_not_shown_leaves_out_no_puzzle_of_one_that_is(runs: Runs) -> None:
    for puzzle in "pqrs":
        runs.add(100, "greedy", "base", puzzle=puzzle)
    runs.add(120, "beam", "base", puzzle="p")
    assert runs.rows(View(strategies=("greedy",))) == {"greedy": (4, 100)}
    # and a puzzle that is not shown is not among the best known
    chosen = collect(runs.folder, View(strategies=("beam",)))
    assert [*chosen.known] == chosen.puzzles == ["p"]


def test_puzzles_to_show_are_named_as_in_a_plan(runs: Runs) -> None:
    bundled = {"challenge", "shuffled-01", "benchmark-60-01", "benchmark-80-01"}
    for puzzle in (*bundled, "own/60.toml"):
        runs.add(0, "greedy", "base", puzzle=puzzle, solution=[])
    for name, puzzles in (
        ("all", {"challenge", "shuffled-01"}),
        ("shuffled-*", {"shuffled-01"}),
        ("benchmark", bundled),
        ("benchmark-60", {"benchmark-60-01"}),
        ("benchmark-60-01", {"benchmark-60-01"}),
        ("own", {"own/60.toml"}),
    ):
        assert set(collect(runs.folder, View(puzzles=(name,))).puzzles) == puzzles
    with pytest.raises(RowdrawError, match="puzzle 'benchmark-9': not found here"):
        collect(runs.folder, View(puzzles=("benchmark-9",)))


def test_a_puzzle_that_several_files_hold_is_shown_by_the_name_of_each(runs: Runs) -> None:
    for label, puzzle in (("greedy", "rows/p.toml"), ("beam", "/other/p.toml")):
        runs.add(50, label, "base", puzzle=puzzle, puzzle_name="p", puzzle_digest="p")
    for name in ("rows/p.toml", "/other/p.toml", "rows", "p"):
        assert set(runs.rows(View(puzzles=(name,)))) == {"greedy", "beam"}


def test_versions_are_rows_and_the_newest_is_paired_with_the_one_before(runs: Runs) -> None:
    for version, gain in enumerate((0, 3, 20), start=1):
        for number, puzzle in enumerate("pqrstuvw"):
            runs.add(
                100 + number + gain,
                "mine",
                f"base+{version}",
                puzzle=puzzle,
                finished=f"2026-01-0{version}T00:00:00Z",
                comment="wider" if version == 3 else "",
            )
        runs.add(120, "greedy", "base", puzzle="p", seed=version)
    found = collect(runs.folder, View(versions=True, strategies=("mine",)))
    assert [row.label for row in found.summaries] == ["mine v1", "mine v2", "mine v3"]
    assert [(pair.first, pair.second) for pair in found.pairs] == [("mine v3", "mine v2")]
    assert found.finding.answer.startswith(
        "The edit helped: mine v3 has 17.0 points more than mine v2 on average "
        "(95 % interval 17.0 to 17.0; "
    )
    assert "mine v3: 2026-01-03T00:00:00Z, code base+3, wider." in found.finding.notes
    assert not any("Left out" in note for note in found.finding.notes)
    for number, puzzle in enumerate("pqrstuvw"):
        changed = 120 + number + (3, -2)[number % 2]
        date = "2026-01-04T00:00:00Z"
        runs.add(changed, "mine", "base+4", puzzle=puzzle, finished=date)
    last = collect(runs.folder, View(versions=True)).finding.answer
    assert "The edit has no significant effect: mine v4 has 0.5 points more than mine v3" in last
    runs.add(1, "mine", "base+5", finished="2026-01-05T00:00:00Z")
    last = collect(runs.folder, View(versions=True)).finding.answer
    assert last.startswith(
        "Too few puzzles to tell: 1, where at least 6 are needed. "
        "mine v5 has 122.0 points fewer than mine v4 on average"
    )
    with pytest.raises(RowdrawError, match="expected no baseline"):
        View(versions=True, baseline="mine")


def test_an_edit_is_judged_under_one_limit_and_one_that_is_taken_back_as_well(runs: Runs) -> None:
    first = runs.add(100, "mine", "base+1", finished="2026-01-01T00:00:00Z")
    runs.add(120, "mine", "base+2", finished="2026-01-02T00:00:00Z")
    (back,) = collect(runs.folder, View(planned=(first,), versions=True)).pairs
    assert (back.first, back.second, back.difference) == ("mine v1", "mine v2", -20)
    runs.add(130, "mine", "base+2", budget="9racks", finished="2026-01-03T00:00:00Z")
    (edit,) = collect(runs.folder, View(versions=True)).pairs
    assert (edit.first, edit.second) == ("mine v2 (1s, 1 thread)", "mine v1")
    runs.add(130, "mine", "base+3", budget="7racks", finished="2026-01-04T00:00:00Z")
    answer = collect(runs.folder, View(versions=True)).finding.answer
    assert answer.startswith("No two strategies to compare")


def test_a_baseline_without_a_run_on_these_puzzles_is_no_failure_of_the_others(runs: Runs) -> None:
    runs.add(50, "greedy", "base", puzzle="p")
    for label in ("beam", "mine"):
        runs.add(60, label, "base", puzzle="q")
    done = run("--collect", "-o", f"{runs.folder}", "--baseline", "greedy", "--puzzles", "q")
    assert done.stdout.startswith("The baseline greedy has no run on these puzzles.")
    assert (runs.folder / "scatter.svg").exists()
    found = collect(runs.folder, View(baseline="greedy", puzzles=("q",)))
    assert [row.label for row in found.summaries] == ["beam", "mine"]
