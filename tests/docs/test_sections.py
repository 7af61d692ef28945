"""The commands and programs of the documentation run, each section in a folder with the files of `examples`."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs.blocks import Section, prints
from tests.docs.test_docs import ROOT, SECTIONS

PROGRAMS = [block.text for section in SECTIONS for block in section.blocks if block.language == "python"]


@pytest.fixture
def desk(tmp_path: Path) -> Path:
    """A folder with the small files that the examples need."""
    return Path(shutil.copytree(ROOT / "examples", tmp_path / "desk"))


@pytest.mark.parametrize(
    "section", [found for found in SECTIONS if found.commands], ids=lambda found: f"{found.page}: {found.title}"
)
def test_the_commands_of_a_section_end_with_the_exit_codes_and_print_what_it_says(section: Section, desk: Path) -> None:
    for command in section.commands:
        done = command.run(desk)
        assert done.returncode == command.code, f"{command.line}\n{done.stderr}"
        if command.printed is not None:
            assert prints(command.printed).fullmatch(done.stdout), f"{command.line}\n{done.stdout}"


@pytest.mark.parametrize("program", PROGRAMS)
def test_the_programs_run_without_a_warning(program: str, desk: Path) -> None:
    command = [sys.executable, "-W", "error", "-c", program]
    done = subprocess.run(command, cwd=desk, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, f"{program}\n{done.stderr}"
    assert done.stdout
