"""Strategies from outside the package: in a file, `mine.py:Mine`, and in installed distributions."""

import hashlib
import importlib.util
import inspect
import os
import re
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import is_dataclass
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from os import _exit
from pathlib import Path
from types import ModuleType
from typing import Any, NoReturn

from solver.errors import RowdrawError, StrategyError
from verify.reading import LARGEST_TEXT, read_file
from verify.text import printable, quote

GROUP = "rowdraw.strategies"  # the entry points of a distribution that provides strategies
FILE = re.compile(r"(?P<file>.+?\.py):(?P<name>[A-Za-z_]\w*)")


_OURS = [Path(__file__).resolve().parents[2] / name for name in ("solver", "verify")]
_LOADED = "rowdraw_strategy_"  # the prefix of the module of a file


def checked_strategy(candidate: Any, where: str) -> Any:
    """Return `candidate`, a strategy's class. Raises `StrategyError` that says what it lacks."""
    if lack := _lack_of(candidate):
        expected = "a class with a name, a dataclass `Parameters` and a method search(problem, run)"
        raise StrategyError(f"{where}: {lack}: expected a strategy, {expected}")
    return candidate


def _lack_of(candidate: Any) -> str:
    """Return why `candidate` is not a strategy's class; empty if it is one."""
    if not isinstance(candidate, type):
        return f"it is a {quote(type(candidate).__name__)}, not a class"
    for needed in ("name", "Parameters", "search"):
        if not hasattr(candidate, needed):
            return f"it has no {needed}"
    name, parameters, search = (getattr(candidate, needed) for needed in ("name", "Parameters", "search"))
    if not isinstance(name, str) or not name.isidentifier():
        return f"name = {quote(name)} is not a name of letters, digits and _"
    if not is_dataclass(parameters):
        return "Parameters is not a dataclass"
    return "" if callable(search) else "search is not a method"


def strategy_in_file(path: Path, name: str) -> Any:
    """Return the strategy's class of that name in a Python file.

    Raises `StrategyError` that names the file, and the line if the file cannot be run.
    """
    shown = printable(str(path))
    try:
        source = read_file(path, LARGEST_TEXT)
    except OSError as error:
        raise StrategyError(f"{shown}: cannot be read ({error.strerror})") from error
    with blaming(shown, path.resolve()):
        module = _load(path.resolve(), source)
    if not hasattr(module, name):
        there = [key for key, value in vars(module).items() if inspect.isclass(value) and value.__module__ == module.__name__]
        raise StrategyError(f"{shown}: there is no {name}: it has {', '.join(there) or 'no class'}")
    return checked_strategy(getattr(module, name), f"{shown}:{name}")


def _load(path: Path, source: bytes) -> ModuleType:
    """Return the module of a file that holds `source`; each content is run once."""
    # after installed modules, so that no neighbour of the file hides a module of ours or of Python
    if str(path.parent) not in sys.path:
        sys.path.append(str(path.parent))
    place = hashlib.sha256(str(path).encode(errors="surrogateescape")).hexdigest()[:8]
    digest = hashlib.sha256(source).hexdigest()[:16]
    name = f"{_LOADED}{path.stem}_{digest}_{place}"
    if name in sys.modules:
        return sys.modules[name]
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    try:
        # its loader would take compiled code of an older content of the same size and second
        exec(compile(source, path, "exec", dont_inherit=True), vars(module))
    except BaseException:
        del sys.modules[name]
        raise
    return module


@cache
def installed() -> dict[str, tuple[EntryPoint, ...]]:
    """Return the entry points of installed distributions by name; a name should have one."""
    by_name: dict[str, tuple[EntryPoint, ...]] = {}
    for point in entry_points(group=GROUP):
        by_name[point.name] = (*by_name.get(point.name, ()), point)
    return by_name


def installed_strategy(name: str) -> Any:
    """Return the strategy's class that a distribution provides under that name. Raises `StrategyError`."""
    points = installed()[name]
    providers = " and ".join(_distribution(point) for point in points)
    if len({point.value for point in points}) > 1:
        raise StrategyError(f"strategy {name!r} is provided by {providers}: expected one of them to be installed")
    where = f"strategy {name} of {providers}"
    with blaming(where, None):
        spec = importlib.util.find_spec(points[0].module.partition(".")[0])
    with blaming(where, Path(spec.origin).resolve() if spec and spec.origin else None):
        return checked_strategy(points[0].load(), where)


def _distribution(point: EntryPoint) -> str:
    return "an unknown distribution" if point.dist is None else f"{point.dist.name} {point.dist.version}"


@contextmanager
def blaming(what: str, file: Path | None) -> Iterator[None]:
    """Report any exception inside as a `StrategyError` with the line of the strategy's own code that raised it.

    `os._exit` raises `SystemExit` inside: it would end the command without a reason, and with the exit code of a success.

    With ROWDRAW_DEBUG in the environment the exception passes with its traceback. `what` is named if no line is known; lines in
    the folder of `file` are the strategy's own.
    """
    process, before = os.getpid(), os._exit  # one strategy may run another

    def raise_exit(code: int) -> NoReturn:
        if os.getpid() != process:
            _exit(code)  # of a process that the strategy has started
        raise SystemExit(code)

    vars(os)["_exit"] = raise_exit
    try:
        yield
    except (RowdrawError, KeyboardInterrupt):
        raise
    except BaseException as error:  # outside code may raise other exceptions, such as CancelledError
        if "ROWDRAW_DEBUG" in os.environ and not isinstance(error, SystemExit):  # which has no traceback
            raise
        raise StrategyError(f"{_place(error, file) or what}: {_words(error)} (ROWDRAW_DEBUG=1 shows more)") from error
    finally:
        vars(os)["_exit"] = before


def _place(error: BaseException, file: Path | None) -> str:
    if isinstance(error, SyntaxError) and error.filename:
        return printable(f"{error.filename}:{error.lineno}")
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if file and _is_of(Path(frame.filename), file)]
    return printable(f"{frames[-1].filename}:{frames[-1].lineno}") if frames else ""


def _is_of(path: Path, file: Path) -> bool:
    # an environment, or our clone, may be in the strategy's folder, and packages installed there are not its own
    folder = file.parent
    ours = any(path.is_relative_to(place) for place in _OURS)
    return path == file or (path.is_relative_to(folder) and not ours and "site-packages" not in path.relative_to(folder).parts)


def _words(error: BaseException) -> str:
    text = error.msg if isinstance(error, SyntaxError) else str(error)
    return f"{type(error).__name__}: {quote(text) if len(text) > 200 else printable(text)}".rstrip(": ")


def source_of(strategy: Any) -> Path | None:
    """Return the file of a strategy, object or class, from outside the package; None for one of the package."""
    kind = strategy if inspect.isclass(strategy) else type(strategy)
    if kind.__module__.partition(".")[0] == __name__.partition(".")[0]:
        return None
    try:
        return Path(inspect.getfile(kind)).resolve()
    except (OSError, TypeError):
        return Path()  # typed interactively


def sources_digest(strategy: Any) -> str:
    """Return a hash of the file of a strategy from outside, and of all loaded modules in its folder or package.

    Empty for a strategy of the package. If one of these files changes, a run is another run.
    """
    file = source_of(strategy)
    if file is None:
        return ""
    package = (strategy if inspect.isclass(strategy) else type(strategy)).__module__.partition(".")[0]
    stands_alone = package == "__main__" or package.startswith(_LOADED)
    files = {file} if file.is_file() else set()
    for name, module in list(sys.modules.items()):
        origin = getattr(module, "__file__", None)
        if isinstance(origin, str):
            path, top = Path(origin).resolve(), name.partition(".")[0]
            # a neighbour is imported by the name of its file or folder
            is_neighbour = file.parent / top in (path.with_suffix(""), *path.parents) and _is_of(path, file)
            if (stands_alone and is_neighbour) or top == package:
                files.add(path)
    digest = hashlib.sha256()
    for path in sorted(files):
        digest.update(hashlib.sha256(path.read_bytes()).digest() if path.is_file() else b"")
    return digest.hexdigest()[:16]
