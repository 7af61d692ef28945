"""Some changes of files fail, or are the last ones before a kill; `python -m tests.faults` tries all of them."""

from pathlib import Path

import pytest

from tests.faults.trial import COMMANDS, check_failing, check_killed, count


def some(name: str, folder: Path) -> list[int]:
    """The first change, the last one, and one in between."""
    changes = count(name, folder / "count")
    assert changes > 2
    return sorted({1, 2 * changes // 3, changes})


@pytest.mark.parametrize("name", COMMANDS)
def test_a_change_that_fails_is_reported_and_leaves_what_was_there(name: str, tmp_path: Path) -> None:
    for number in some(name, tmp_path):
        check_failing(name, tmp_path / str(number), number)


@pytest.mark.parametrize("name", COMMANDS)
def test_a_kill_before_a_change_leaves_whole_files_and_the_same_command_goes_on(name: str, tmp_path: Path) -> None:
    for number in some(name, tmp_path):
        check_killed(name, tmp_path / str(number), number)


@pytest.mark.parametrize("name", COMMANDS)
def test_the_committed_figures_of_each_command_tell_of_nothing_that_was_lost(name: str, root: Path) -> None:
    text = (root / "results/faults.md").read_text(encoding="utf-8")
    (cells,) = (line.strip("| ").split(" | ") for line in text.splitlines() if line.startswith(f"| {name} "))
    _name, changes, failed, killed, lost = cells
    assert int(changes) > 2
    assert (failed, killed, lost) == (changes, changes, "0")
