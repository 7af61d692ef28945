"""Strategies of installed distributions."""

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import solver
from solver.errors import StrategyError
from solver.lab.compare.execute import run_isolated
from solver.lab.compare.runs import Budget, plan
from solver.solving import strategies as plugins
from solver.solving.strategies import catalogue, make_strategy, strategy_names
from tests.programs.test_plugins import GREEDY, written

DISTRIBUTION = """[rowdraw.strategies]
theirs = their_package:Mine
broken = their_package:Nothing
lacking = their_package:Lacking
odd = -
"""
LACKING = """
@dataclass(frozen=True)
class Depth:
    depth: int

@dataclass(frozen=True)
class Lacking(Mine):
    Parameters = Depth
    parameters: Depth = Depth(1)
    name: str = "lacking"
"""


@pytest.fixture
def distribution(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    site = tmp_path / "site"
    (site / "their_package").mkdir(parents=True)
    written(site / "their_package", GREEDY + LACKING, "__init__.py")
    folder = site / "theirs-1.2.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text("Metadata-Version: 2.1\nName: theirs\nVersion: 1.2\n")
    (folder / "entry_points.txt").write_text(DISTRIBUTION)
    monkeypatch.syspath_prepend(str(site))
    plugins.installed.cache_clear()
    yield site
    plugins.installed.cache_clear()
    sys.modules.pop("their_package", None)


@pytest.mark.usefixtures("distribution")
def test_distributions_bring_strategies_by_name() -> None:
    assert "theirs" in strategy_names()
    assert solver.solve("challenge", "theirs:shortest=2").score == 946
    known = {name: (settings, doc) for name, settings, doc in catalogue()}
    assert known["theirs"][1] == "Mine, for a test."
    assert "shortest=3" in known["theirs"][0]
    with pytest.raises(StrategyError, match=r"strategy broken of theirs 1\.2: AttributeError"):
        make_strategy("broken")
    assert "AttributeError" in known["broken"][1]
    assert known["odd"][1].startswith("strategy odd of theirs 1.2: ")
    assert known["lacking"] == ("", "strategy lacking: Depth.depth: expected a default")
    with pytest.raises(
        StrategyError, match=r"expected one of greedy, .*theirs, broken, lacking, odd"
    ):
        make_strategy("other")


def test_a_changed_distribution_is_another_run_and_workers_find_it(distribution: Path) -> None:
    task = plan(["challenge"], ["theirs:shortest=2"], 1, Budget(racks=2000))[0]
    assert run_isolated(task).score == 946
    with (distribution / "their_package" / "__init__.py").open("a") as file:
        file.write("# changed\n")
    assert plan(["challenge"], ["theirs:shortest=2"], 1, Budget(racks=2000))[0].key != task.key


def test_two_distributions_with_one_name_are_both_named(distribution: Path) -> None:
    second = distribution / "others-3.dist-info"
    shutil.copytree(distribution / "theirs-1.2.dist-info", second)
    (second / "METADATA").write_text("Metadata-Version: 2.1\nName: others\nVersion: 3\n")
    (second / "entry_points.txt").write_text(
        DISTRIBUTION.replace("their_package:Mine", "their_package:Other")
    )
    plugins.installed.cache_clear()
    with pytest.raises(
        StrategyError,
        match=r"'theirs' is provided by (theirs 1\.2 and others 3|others 3 and theirs 1\.2)",
    ):
        make_strategy("theirs")
