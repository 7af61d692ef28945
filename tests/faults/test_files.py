"""Some changes of files fail, or a kill follows; `python -m tests.faults` tries all of them."""

from pathlib import Path

import pytest

from tests.faults.trial import COMMANDS, check_failing, check_killed, count


@pytest.mark.parametrize("name", COMMANDS)
def test_after_a_change_that_fails_or_a_kill_files_are_whole_and_the_command_goes_on(
    name: str, tmp_path: Path
) -> None:
    changes = count(name, tmp_path / "count")
    assert changes > 2
    for number in (1, 2 * changes // 3):
        check_failing(name, tmp_path / f"failing-{number}", number)
    for number in (2 * changes // 3, changes):
        check_killed(name, tmp_path / f"killed-{number}", number)
