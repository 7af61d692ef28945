"""The shape of the repository: which way imports run, and that files stay small."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

# a module may import from its own room and from rooms further up
ROOMS = (
    ("solver.errors", "solver.extras", "solver.tiles", "solver.cache", "solver.files"),
    ("solver.jit", "solver.racks"),
    ("solver.kernels",),
    ("solver.lexicon", "solver.puzzle"),
    ("solver.index", "solver.plays"),
    ("solver.problem", "solver.solution"),
    ("solver.search",),
    ("solver.refine", "solver.bound"),
    ("solver.exact",),
    ("solver.result", "solver.warmup", "solver.progress"),
    ("solver.solve", "solver.bench"),
    ("solver.records",),
    ("solver.hunt", "solver.optima", "solver.learn"),
    ("solver.compare",),
    ("solver.report", "solver.table"),
    ("solver.commands",),
    ("solver.cli",),
)


def imports(path: Path) -> list[str]:
    """The modules that a file imports, anywhere in it."""
    found = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found += [name.name for name in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            found.append(node.module or "")
    return found


def room(module: str) -> int:
    for number, prefixes in enumerate(ROOMS):
        if any(module == prefix or module.startswith(f"{prefix}.") for prefix in prefixes):
            return number
    raise AssertionError(f"{module} has no room")


def module_name(root: Path, path: Path) -> str:
    return ".".join(path.relative_to(root).with_suffix("").parts).removesuffix(".__init__")


def test_verify_imports_only_itself_and_the_standard_library_and_numpy_for_bounds(root: Path) -> None:
    for path in (root / "verify").rglob("*.py"):
        for name in imports(path):
            if name.split(".")[0] == "islenska" and path.name == "words.py":
                continue  # an extra, imported where it is used
            if name.split(".")[0] == "numpy" and path.parent.name == "bound":
                continue  # certificates are worked out with it
            assert name.split(".")[0] in sys.stdlib_module_names | {"verify"}, f"{path} imports {name}"


def test_imports_of_the_solver_run_one_way(root: Path) -> None:
    for path in (root / "solver").rglob("*.py"):
        name = module_name(root, path)
        if name == "solver":
            continue
        for imported in imports(path):
            if imported.startswith("solver"):
                assert room(imported) <= room(name), f"{name} imports {imported}"


def test_files_stay_small(root: Path) -> None:
    for folder in ("solver", "verify", "tests"):
        for path in (root / folder).rglob("*.py"):
            assert len(path.read_text(encoding="utf-8").splitlines()) <= 330, path


@pytest.mark.parametrize("module", ["solver.cli", "verify.cli"])
def test_commands_start_without_heavy_imports(module: str) -> None:
    code = f"import sys, {module}; print([m for m in ('numpy', 'numba', 'ortools', 'matplotlib') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
