"""The table of kernels and their twins is true and complete."""

import ast
import importlib
from collections.abc import Iterable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tests.kernels.table import INDEX, TABLE, Pair


def public_kernels(root: Path) -> set[str]:
    """Module and name of every kernel under `root`, in folders `kernels`, without a leading underscore."""
    return {
        f"{path.stem}.{node.name}"
        for path in root.glob("*/kernels/*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("_")
        if {"kernel", "borrowing"} & {name.id for name in node.decorator_list if isinstance(name, ast.Name)}
    }


def found(path: str) -> tuple[ModuleType, Any]:
    """A module of the tests, and what it defines under a name itself; None where it defines no such thing."""
    module_name, name = f"tests.{path}".rsplit(".", 1)
    try:
        module = importlib.import_module(module_name)
    except ModuleNotFoundError:
        return ModuleType(module_name), None
    thing = getattr(module, name, None)
    return module, thing if getattr(thing, "__module__", None) == module_name else None


def names_in(module: ModuleType, function: str) -> set[str]:
    """All names that a function of a module mentions, those of its decorators too."""
    tree = ast.parse(Path(str(module.__file__)).read_text(encoding="utf-8"))
    nodes = [node for top in tree.body if isinstance(top, ast.FunctionDef) and top.name == function for node in ast.walk(top)]
    names = {node.id for node in nodes if isinstance(node, ast.Name)}
    return names | {node.attr for node in nodes if isinstance(node, ast.Attribute)}


def uses_kernels(module: ModuleType) -> bool:
    """Whether a module imports numba or a kernel."""
    text = Path(str(module.__file__)).read_text(encoding="utf-8")
    return any(f"{word} {name}" in text for word in ("from", "import") for name in ("numba", "solver"))


def faults(table: Iterable[Pair], kernels: set[str]) -> list[str]:
    """What is wrong with a table of pairs."""
    pairs = list(table)
    listed = [pair.kernel for pair in pairs]
    wrong = [f"{kernel}: no pair" for kernel in sorted(kernels - set(listed))]
    wrong += [f"{kernel}: no such kernel" for kernel in listed if kernel not in kernels]
    wrong += [f"{kernel}: twice" for kernel in sorted(set(listed)) if listed.count(kernel) > 1]
    for kernel, twin, test, caller in pairs:
        twin_module, its_twin = found(twin)
        test_module, its_test = found(test)
        if not callable(its_twin):
            wrong.append(f"{kernel}: no twin {twin}")
        elif uses_kernels(twin_module):
            wrong.append(f"{kernel}: {twin} is not plain")
        if not hasattr(its_test, "hypothesis"):
            wrong.append(f"{kernel}: no test {test} on random input")
            continue
        mentioned = names_in(test_module, test.rsplit(".", 1)[1])
        names = (path.rsplit(".", 1)[-1] for path in (twin, caller or kernel))
        wrong += [f"{kernel}: {test} does not mention {name}" for name in names if name not in mentioned]
    return wrong


def test_every_public_kernel_is_compared_with_a_plain_twin_on_random_input(root: Path) -> None:
    assert faults(TABLE, public_kernels(root / "solver")) == []


LOG2 = next(pair for pair in TABLE if pair.kernel == "hashing.log2")


@pytest.mark.parametrize(
    ("changed", "fault"),
    [
        ({"kernel": "hashing.log3"}, "hashing.log2: no pair"),
        ({"kernel": "hashing.log3"}, "hashing.log3: no such kernel"),
        ({"twin": "kernels.twins.logarithms"}, "hashing.log2: no twin kernels.twins.logarithms"),
        ({"twin": "kernels.twin.logarithm"}, "hashing.log2: no twin kernels.twin.logarithm"),
        ({"twin": "kernels.twins.isqrt"}, "hashing.log2: no twin kernels.twins.isqrt"),
        ({"twin": "kernels.arrays.counts"}, "hashing.log2: kernels.arrays.counts is not plain"),
        ({"twin": "kernels.twins.rank"}, f"hashing.log2: {LOG2.test} does not mention rank"),
        ({"test": f"{INDEX}.test_nothing"}, f"hashing.log2: no test {INDEX}.test_nothing on random input"),
        ({"test": f"{INDEX}.with_reaches"}, f"hashing.log2: no test {INDEX}.with_reaches on random input"),
        ({"caller": "LeaveRelaxation"}, f"hashing.log2: {LOG2.test} does not mention LeaveRelaxation"),
    ],
)
def test_a_table_that_is_not_true_is_told(changed: dict[str, str], fault: str) -> None:
    assert faults([LOG2], {"hashing.log2"}) == []
    assert fault in faults([LOG2._replace(**changed)], {"hashing.log2"})


def test_a_kernel_that_is_paired_twice_is_told() -> None:
    assert faults([LOG2, LOG2], {"hashing.log2"}) == ["hashing.log2: twice"]


def test_public_kernels_are_those_with_either_decorator(tmp_path: Path) -> None:
    text = "@kernel\ndef one(): ...\n@borrowing\ndef two(): ...\n@kernel\ndef _three(): ...\ndef four(): ...\n"
    (tmp_path / "room/kernels").mkdir(parents=True)
    (tmp_path / "room/kernels/some.py").write_text(text)
    assert public_kernels(tmp_path) == {"some.one", "some.two"}
