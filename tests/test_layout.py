"""The shape of the repository: which way imports run, and what is loaded."""

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

import verify
from solver.compiled import sources
from tests.process import python

# a module may import from its own room and from rooms further up
ROOMS = """\
solver.errors solver.checking solver.files solver.cache
solver.model
solver.compiled
solver.index
solver.search
solver.bound
solver.show solver.outputs
solver.solving
solver.lab
solver.library
solver.report solver.scrabble solver.play solver.web
solver.commands
"""
MODULE = re.compile(r"solver(\.\w+)+")
ROOMS_OF_VERIFY = """\
verify.core
verify.text verify.threads verify.strictness
verify.files verify.streams
verify.compiled
verify.rules
verify.stated
verify.explain
verify.records
verify.posts
verify.answers
verify.report
verify.bound verify.scrabble
verify.judging
verify.cli verify.__main__
"""
# what the solver takes from the referee: its library, its reader of puzzles, plumbing that judges
# nothing, the game of Scrabble, and these names
PLUMBING = {
    f"verify.{name}"
    for name in ("rules", "core", "compiled", "text", "files", "streams", "threads", "strictness")
}
HELPERS = {
    "verify": set(verify.__all__),
    "verify.answers": {"judge_file", "rules_by_statement", "stated_rules_of"},
    "verify.bound.certificate": {
        "Certificate",
        "FIRST_LINE",
        "Focus",
        "HIGHEST_CLAIM",
        "LONGEST_ROW",
        "MOST_FOCI",
        "read_certificate",
    },
    "verify.bound.verdict": {"judge_certificate"},
    "verify.cli": {"OPTIONS", "main"},
    "verify.judging": {"Judge"},
    "verify.stated": {"Stated", "comments_of", "fields_of", "overridden", "stated_rules"},
}


def imports(path: Path) -> list[str]:
    """The modules that a file imports or names, anywhere in it."""
    found = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found += [name.name for name in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            # `from verify import core` imports a module
            module = node.module or ""
            found += (
                [f"verify.{name.name}" for name in node.names] if module == "verify" else [module]
            )
        elif (
            isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and MODULE.fullmatch(node.value)
        ):
            found.append(node.value)  # a module that is named is imported in the end
    return found


def room(module: str, rooms: str) -> int:
    """The number of a module's line in a table of rooms."""
    found = {
        prefix: number
        for number, line in enumerate(rooms.splitlines())
        for prefix in line.split()
        if f"{module}.".startswith(f"{prefix}.")
    }
    assert found, f"{module} has no room"
    return found[max(found, key=len)]  # a module may be further down than its package


def module_name(root: Path, path: Path) -> str:
    return ".".join(path.relative_to(root).with_suffix("").parts).removesuffix(".__init__")


def test_verify_imports_only_itself_the_standard_library_and_numpy_for_bounds(root: Path) -> None:
    for path in (root / "verify").rglob("*.py"):
        allowed = {"verify", *sys.stdlib_module_names}
        if path.name == "lexicons.py":
            allowed.add("islenska")  # an extra, imported where it is used
        if path.parent.name == "bound" or path.stem == "compiled":
            allowed |= {"numpy", "numba", "platformdirs"}  # certificates are computed with them
        assert {name.partition(".")[0] for name in imports(path)} <= allowed, path


def imports_of_package(root: Path, package: str) -> Iterator[tuple[str, str]]:
    """Each module of a package but the library, which nothing imports, with each of its imports."""
    for path in (root / package).rglob("*.py"):
        name = module_name(root, path)
        if name != package:
            for imported in imports(path):
                yield name, imported


@pytest.mark.parametrize("package", ["solver", "verify"])
def test_imports_run_one_way(package: str, root: Path) -> None:
    rooms = {"solver": ROOMS, "verify": ROOMS_OF_VERIFY}[package]
    for name, imported in imports_of_package(root, package):
        assert imported != package, f"{name} imports the library"
        if imported.startswith(package):
            assert room(imported, rooms) <= room(name, rooms), f"{name} imports {imported}"


def test_the_core_imports_nothing_of_ours_and_the_solver_no_tool(root: Path) -> None:
    tools = {path.stem for path in (root / "tools").glob("*.py")} | {"tools"}
    for name, imported in imports_of_package(root, "solver"):
        assert imported.partition(".")[0] not in tools, f"{name} imports {imported}"
    core = imports(root / "verify" / "core.py")
    assert not [imported for imported in core if imported.startswith("verify")]


def test_the_solver_takes_from_the_referee_what_this_file_lists(root: Path) -> None:
    for path in (root / "solver").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                assert not any(name.name.split(".")[0] == "verify" for name in node.names), path
            module = (node.module or "") if isinstance(node, ast.ImportFrom) else ""
            is_listed = module in PLUMBING or module.startswith("verify.scrabble")
            if module.split(".")[0] == "verify" and not is_listed:
                names = {name.name for name in node.names}
                assert names <= HELPERS.get(module, set()), f"{path} imports {names} of {module}"


def test_a_plain_answer_is_judged_without_scrabble_bounds_and_posts(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("# row teas\n4 teas teas\n")
    loaded = "print(sorted(name for name in sys.modules if name.startswith('verify.')))"
    for code, last in (
        ("import verify", "answers"),
        ("from verify.judging import Judge; Judge(None, None)('a.txt')", "judging"),
        ("from verify.cli import main; main(['a.txt', '--json', '--explain'])", "cli"),
        ("from verify.cli import main; main(['.'])", "cli"),
    ):
        folder = Path(verify.__file__).parents[1]
        program = f"import sys; sys.path.insert(0, sys.argv[1]); {code}; {loaded}"
        done = python("-c", program, folder, cwd=tmp_path)
        modules = ast.literal_eval(done.stdout.splitlines()[-1])
        assert f"verify.{last}" in modules
        assert not any(
            name.startswith(("verify.scrabble", "verify.bound", "verify.posts")) for name in modules
        )


def test_kernels_are_in_folders_of_their_own_and_all_their_parts_are_in_their_digest(
    root: Path,
) -> None:
    hashed = {module_name(root, path) for path in sources()}
    for path in (root / "solver").rglob("*.py"):
        name = module_name(root, path)
        if "@kernel" in path.read_text(encoding="utf-8"):
            assert path.parent.name == "kernels", f"{name} has a kernel"
            for imported in imports(path):
                assert not imported.startswith("solver.") or imported in hashed, (
                    f"{name} imports {imported}"
                )


def test_modules_that_only_posix_has_are_imported_where_they_are_used(root: Path) -> None:
    posix = {"fcntl", "grp", "pty", "pwd", "resource", "termios", "tty"}
    for folder in ("solver", "verify", "tests"):
        for path in (root / folder).rglob("*.py"):
            for node in ast.parse(path.read_text(encoding="utf-8")).body:
                if isinstance(node, ast.Import | ast.ImportFrom):
                    module = getattr(node, "module", None)
                    assert not posix & {module, *(name.name for name in node.names)}, path


@pytest.mark.parametrize("module", ["solver.commands.cli", "verify.cli"])
def test_commands_start_without_heavy_imports(module: str) -> None:
    heavy = "{'numpy', 'numba', 'ortools', 'vl_convert'}"
    assert (
        python("-c", f"import sys, {module}; print({heavy} & {{*sys.modules}})").stdout == "set()\n"
    )


def test_every_library_that_is_imported_is_a_dependency(root: Path) -> None:
    """Another one may be there all the same, for the tests alone."""
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    stated = [*project["dependencies"]]
    for extra in ("report", "cluster", "icelandic", "web"):
        stated += extras[extra]
    # numba brings llvmlite, starlette anyio, jinja2 markupsafe
    known = {"solver", "verify", "llvmlite", "anyio", "markupsafe", *sys.stdlib_module_names}
    for line in stated:
        name = line.split(">=")[0].removesuffix("-python")
        known.add(name.replace("-", "_"))
    for folder in ("solver", "verify"):
        for path in (root / folder).rglob("*.py"):
            assert {name.partition(".")[0] for name in imports(path)} <= known, path


@pytest.mark.usefixtures("compiled")
def test_a_search_loads_compiled_kernels_without_scipy() -> None:
    """For a function that may use BLAS, numba imports `scipy.linalg`, as slow as numba itself."""
    code = (
        "import atexit, sys; from solver.commands.cli import main\n"
        "heavy = ('scipy.linalg', 'scipy.sparse', 'scipy.special', 'ortools')\n"
        "atexit.register(lambda: print([name for name in heavy if name in sys.modules]))\n"
        "main(['solve', '--strategy', 'beam:width=100'])"
    )
    assert python("-c", code).stdout.splitlines()[-1] == "[]"
