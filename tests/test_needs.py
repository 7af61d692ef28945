"""Tests whose needs are missing are skipped, and say why."""

import os
import re
import subprocess
import sys
from pathlib import Path


def test_without_a_browser_and_a_compiler_tests_are_skipped_with_one_reason_each(
    root: Path,
) -> None:
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-n0",
        "tests/web/test_offline.py",
        "tests/bound/test_second_checker.py",
    ]
    done = subprocess.run(
        command,
        env={**os.environ, "PATH": ""},
        cwd=root,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stdout
    assert re.findall(r"^\d+ skipped: (\w+)", done.stdout, re.MULTILINE) == ["Chromium", "no"]
    assert re.search(r"^\d+ skipped in ", done.stdout, re.MULTILINE), done.stdout
