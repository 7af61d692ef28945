"""Tests whose needs are missing are skipped, and say why."""

import re
from pathlib import Path

from tests.process import python


def test_without_a_browser_and_a_compiler_tests_are_skipped_with_one_reason_each(
    root: Path,
) -> None:
    files = ("tests/web/test_offline.py", "tests/bound/test_second_checker.py")
    done = python("-m", "pytest", "-n0", *files, cwd=root, PATH="")
    assert done.returncode == 0, done.stdout
    assert re.findall(r"^\d+ skipped: (\w+)", done.stdout, re.MULTILINE) == ["Chromium", "no"]
    assert re.search(r"^\d+ skipped in ", done.stdout, re.MULTILINE), done.stdout
