"""The shape of the repository: which way imports run, and that files stay small."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

from solver.compiled import sources

# a module may import from its own room and from rooms further up
ROOMS = (
    ("solver.errors", "solver.limits", "solver.extras", "solver.files", "solver.cache"),
    ("solver.model",),
    ("solver.compiled",),
    ("solver.index",),
    ("solver.search",),
    ("solver.refine", "solver.bound"),
    ("solver.show",),
    ("solver.solving",),
    ("solver.lab",),
    ("solver.library",),
    ("solver.report", "solver.scrabble", "solver.play", "solver.web"),
    ("solver.commands",),
)
ROOT = {"__init__", "cache", "compiled", "errors", "extras", "files", "library", "limits"}
MODULE = re.compile(r"solver(\.\w+)+")


def imports(path: Path) -> list[str]:
    """The modules that a file imports or names, anywhere in it."""
    found = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found += [name.name for name in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            found.append(node.module or "")
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and MODULE.fullmatch(node.value):
            found.append(node.value)  # a module that is named is imported in the end
    return found


def room(module: str) -> int:
    for number, prefixes in enumerate(ROOMS):
        if any(module == prefix or module.startswith(f"{prefix}.") for prefix in prefixes):
            return number
    raise AssertionError(f"{module} has no room")


def module_name(root: Path, path: Path) -> str:
    return ".".join(path.relative_to(root).with_suffix("").parts).removesuffix(".__init__")


def test_verify_imports_only_itself_and_the_standard_library_and_what_bounds_are_worked_out_with(root: Path) -> None:
    for path in (root / "verify").rglob("*.py"):
        for name in imports(path):
            if name.split(".")[0] == "islenska" and path.name == "lexicons.py":
                continue  # an extra, imported where it is used
            if name.split(".")[0] in {"numpy", "numba"} and path.parent.name == "bound":
                continue  # certificates are worked out with them
            assert name.split(".")[0] in sys.stdlib_module_names | {"verify"}, f"{path} imports {name}"


def test_imports_of_the_solver_run_one_way(root: Path) -> None:
    for path in (root / "solver").rglob("*.py"):
        name = module_name(root, path)
        if name == "solver":
            continue  # the library, from which everything is reached and which nothing imports
        for imported in imports(path):
            assert imported != "solver", f"{name} imports the library"
            if imported.startswith("solver."):
                assert room(imported) <= room(name), f"{name} imports {imported}"


def test_the_root_holds_no_more_than_the_library_and_what_all_rooms_share(root: Path) -> None:
    assert {path.stem for path in (root / "solver").glob("*.py")} == ROOT


def test_kernels_stand_in_folders_of_their_own_and_all_that_they_are_made_of_is_in_their_digest(root: Path) -> None:
    hashed = {module_name(root, path) for path in sources()}
    for path in (root / "solver").rglob("*.py"):
        name = module_name(root, path)
        if "@kernel" in path.read_text(encoding="utf-8"):
            assert path.parent.name == "kernels", f"{name} has a kernel"
            for imported in imports(path):
                assert not imported.startswith("solver.") or imported in hashed, f"{name} imports {imported}"


def test_files_stay_small(root: Path) -> None:
    for folder in ("solver", "verify", "tests"):
        for path in (root / folder).rglob("*.py"):
            assert len(path.read_text(encoding="utf-8").splitlines()) <= 330, path


@pytest.mark.parametrize("module", ["solver.commands.cli", "verify.cli"])
def test_commands_start_without_heavy_imports(module: str) -> None:
    code = f"import sys, {module}; print([m for m in ('numpy', 'numba', 'ortools', 'vl_convert') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
