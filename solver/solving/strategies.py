"""Strategies by name: those of the package, classes in files, `mine.py:Mine`, and programs.

`solver.search.run.Strategy` says what a strategy is. Those of the package are imported when they are used, since a command
that searches nothing must not wait for the kernels.
"""

import hashlib
import importlib.util
import inspect
import os
import re
import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import MISSING, Field, asdict, dataclass, fields, is_dataclass, replace
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, cast, get_type_hints

from solver.errors import RefereeDisagreementError, RowdrawError, StrategyError
from solver.index.problem import Problem
from solver.search.run import Strategy
from solver.solving.programs.program import Program, ProgramParameters, program_digest
from verify.files import LARGEST_TEXT, read_file
from verify.text import printable, quote

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
    name, parameters, search = (
        getattr(candidate, needed) for needed in ("name", "Parameters", "search")
    )
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
        there = [
            key
            for key, value in vars(module).items()
            if inspect.isclass(value) and value.__module__ == module.__name__
        ]
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


@contextmanager
def blaming(what: str, file: Path | None) -> Iterator[None]:
    """Report any exception inside as a `StrategyError` with the line of the strategy's own code that raised it.

    With ROWDRAW_DEBUG in the environment the exception passes with its traceback. `what` is named if no line is known; lines in
    the folder of `file` are the strategy's own.
    """
    try:
        yield
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # outside code may raise others, such as CancelledError
        place = _place(error, file)
        if isinstance(error, RowdrawError) and not place:
            raise
        if "ROWDRAW_DEBUG" in os.environ and not isinstance(error, SystemExit):
            raise
        told = f"{place or what}: {_words(error)}"
        if not isinstance(error, RowdrawError | RefereeDisagreementError):
            told += " (ROWDRAW_DEBUG=1 shows more)"
        raise StrategyError(told) from error


def _place(error: BaseException, file: Path | None) -> str:
    if isinstance(error, SyntaxError) and error.filename:
        return printable(f"{error.filename}:{error.lineno}")
    frames = [
        frame
        for frame in traceback.extract_tb(error.__traceback__)
        if file and _is_of(Path(frame.filename), file)
    ]
    return printable(f"{frames[-1].filename}:{frames[-1].lineno}") if frames else ""


def _is_of(path: Path, file: Path) -> bool:
    # an environment, or our clone, may be in the strategy's folder, and packages installed there are not its own
    folder = file.parent
    ours = any(path.is_relative_to(place) for place in _OURS)
    return path == file or (
        path.is_relative_to(folder)
        and not ours
        and "site-packages" not in path.relative_to(folder).parts
    )


def _words(error: BaseException) -> str:
    if isinstance(error, RefereeDisagreementError):
        return f"it offered an answer that is not valid: {error.fault}"
    text = error.msg if isinstance(error, SyntaxError) else str(error)
    return f"{type(error).__name__}: {quote(text) if len(text) > 200 else printable(text)}".rstrip(
        ": "
    )


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
    package = (strategy if inspect.isclass(strategy) else type(strategy)).__module__.partition(".")[
        0
    ]
    stands_alone = package == "__main__" or package.startswith(_LOADED)
    files = {file} if file.is_file() else set()
    for name, module in list(sys.modules.items()):
        origin = getattr(module, "__file__", None)
        if isinstance(origin, str):
            path, top = Path(origin).resolve(), name.partition(".")[0]
            # a neighbour is imported by the name of its file or folder
            is_neighbour = file.parent / top in (path.with_suffix(""), *path.parents) and _is_of(
                path, file
            )
            if (stands_alone and is_neighbour) or top == package:
                files.add(path)
    digest = hashlib.sha256()
    for path in sorted(files):
        digest.update(hashlib.sha256(path.read_bytes()).digest() if path.is_file() else b"")
    return digest.hexdigest()[:16]


Factory = Callable[
    [Any], Strategy
]  # it also has the type of its parameters as the attribute `Parameters`


def _of_package(module: str, name: str) -> Callable[[], Factory]:
    """Return a function that imports a class only when it is called."""
    return lambda: cast("Factory", getattr(import_module(module), name))


_STRATEGIES: dict[str, Callable[[], Factory]] = {
    "greedy": _of_package("solver.search.greedy", "Greedy"),
    "beam": _of_package("solver.search.beam", "Beam"),
    "widening": _of_package("solver.search.beam", "Widening"),
    "exact": _of_package("solver.bound.sweeps.exact", "Exact"),
    "refined": _of_package("solver.refine.refine", "Refined"),
}
_PROVABLE = 40  # tiles of the longest row that exact search solves, mostly in half a minute
# without the closed index a rack takes at least ten times as long
_BEAM_OF_LARGE_RACKS = "beam:width=200"
PROGRAMS = {"command": False, "command-json": True}  # whether the program gets the puzzle as JSON
_ATTRIBUTE = re.compile(r"^ {4}(?P<name>\w+): (?P<text>.*(?:\n {8,}.*)*)", re.MULTILINE)
_OUTSIDE = "FILE.py:NAME", "command:PROGRAM", "command-json:PROGRAM"


def strategy_names() -> list[str]:
    """Return the names of the package's own strategies."""
    return list(_STRATEGIES)


def can(strategy: Any, ability: str) -> bool:
    """Return whether a strategy, or its class, says that it has an ability, see `solver.search.run.Strategy`."""
    return bool(getattr(strategy, ability, False))


def names_that(ability: str) -> str:
    """Return the names of the package's strategies with an ability, for messages."""
    names = [name for name, load in _STRATEGIES.items() if can(load(), ability)]
    return " or ".join(filter(None, (", ".join(names[:-1]), names[-1])))


def suited_strategy(problem: Problem, seconds: float | None, *, is_plain: bool = True) -> str:
    """Return the strategy expected to find most. Short rows are solved exactly, except variants.

    Args:
        problem: The problem.
        seconds: The time limit; None without one.
        is_plain: Whether one answer is wanted, from the first turn on.
    """
    if not is_plain:
        return "beam"
    is_short = len(problem.puzzle.row) <= _PROVABLE and problem.has_closed_index
    if is_short and not problem.rules.is_variant:
        return "exact"
    if seconds is not None:
        return "widening"
    return "beam" if problem.has_closed_index else _BEAM_OF_LARGE_RACKS


def make_strategy(spec: str) -> Strategy:
    """Return the strategy that a text describes.

    Args:
        spec: A name with optional settings, such as `beam` or `beam:width=1000,price=0.7`; a class in a file,
            `mine.py:Mine:depth=3`; or a program, `command:./solver --fast`, `command-json:...`.

    Raises `StrategyError` for an unknown name or parameter, a parameter that is given twice, or a value out of range.
    """
    head, settings = _split(spec)
    pairs = [setting.partition("=") for setting in filter(None, settings.split(","))]
    kind, _, command = head.partition(":")
    if kind in PROGRAMS:
        return Program(ProgramParameters(command.strip()), PROGRAMS[kind])
    factory = _factory(head)
    name = factory.name
    source = source_of(factory)
    with nullcontext() if source is None else blaming(f"strategy {name}", source):
        parameters = _defaults(factory)
        given = _values(name, parameters, [(key.strip(), value.strip()) for key, _, value in pairs])
        try:
            made: Strategy = factory(replace(parameters, **given))
        except StrategyError:
            raise
        except ValueError as error:
            raise StrategyError(f"strategy {name}: {error}") from error
    return made


def full_spec(spec: str) -> str:
    """Return a spec with every parameter spelled out, so that a changed default is another strategy."""
    head, _ = _split(spec)
    strategy = make_strategy(spec)
    if isinstance(strategy, Program):
        return f"{strategy.name}:{strategy.parameters.command}"
    # values that no text can give are defaults of the code, which has a hash
    kinds = _kinds(strategy.parameters)
    values = [
        (name, value) for name, value in asdict(strategy.parameters).items() if _is_writable(value)
    ]
    # a number is written as the worker will read it, or the same run would have two names
    settings = ",".join(
        f"{name}={float(value) if kinds[name] is float else value}" for name, value in values
    )
    return f"{head}:{settings}" if settings else head


def _is_writable(value: Any) -> bool:
    return (
        type(value) in _KIND_NAMES
        and "," not in (text := str(value))
        and text.isprintable()
        and text == text.strip()
    )


def is_program(spec: str) -> bool:
    """Return whether a spec is that of a program."""
    return spec.strip().partition(":")[0] in PROGRAMS


def code_of(spec: str) -> str:
    """Return a hash of the code of a strategy from outside the package; empty for one of the package."""
    strategy = make_strategy(spec)
    return (
        program_digest(strategy.parameters)
        if isinstance(strategy, Program)
        else sources_digest(strategy)
    )


@dataclass(frozen=True)
class Listed:
    """A strategy as the catalogue lists it; `settings` has the name, the default and the meaning of each parameter."""

    name: str
    summary: str
    settings: tuple[tuple[str, object, str], ...] = ()


def catalogue() -> list[Listed]:
    """Return the package's strategies, and how those from outside are named."""
    known = []
    for name, load in _STRATEGIES.items():
        factory: Any = load()
        meanings = _meanings(factory.Parameters)
        defaults = asdict(_defaults(factory))
        settings = tuple((key, value, meanings.get(key, "")) for key, value in defaults.items())
        known.append(Listed(name, _first_line(factory), settings))
    own, program, with_json = _OUTSIDE
    return [
        *known,
        Listed(f"{own}:SETTINGS", "A strategy of your own: the class NAME in a Python file."),
        Listed(program, "A program in any language, with its arguments. It is given the row."),
        Listed(with_json, "The same. It is given the whole puzzle as JSON."),
    ]


def _first_line(factory: Any) -> str:
    return (factory.__doc__ or "").strip().partition("\n")[0]


def _meanings(parameters: type) -> dict[str, str]:
    """Return the meaning of each parameter, from the section "Attributes" of the docstring of their type."""
    _before, _heading, section = (inspect.getdoc(parameters) or "").partition("Attributes:\n")
    return {
        found["name"]: " ".join(found["text"].split())
        for found in _ATTRIBUTE.finditer(section.partition("\n\n")[0])
    }


def _split(spec: str) -> tuple[str, str]:
    """Split a spec into the strategy and its settings."""
    spec = spec.strip()
    if not spec.isprintable():
        raise StrategyError(f"strategy {quote(spec)}: expected a line of printable characters")
    if is_program(spec):
        return spec, ""
    if in_file := FILE.match(spec):
        rest = spec[in_file.end() :]
        if rest and not rest.startswith(":"):
            raise StrategyError(
                f"strategy {quote(spec)}: expected FILE.py:NAME, or FILE.py:NAME:SETTING=VALUE,..."
            )
        return in_file[0], rest[1:]
    name, _, settings = spec.partition(":")
    return name, settings


def _factory(head: str) -> Any:
    """Return the class of a strategy."""
    if head in _STRATEGIES:
        return _STRATEGIES[head]()
    if match := FILE.fullmatch(head):
        return strategy_in_file(Path(match["file"]), match["name"])
    hint = " (a class of a file is FILE.py:NAME)" if head.endswith(".py") else ""
    raise StrategyError(
        f"unknown strategy {quote(head)}: expected one of {', '.join((*strategy_names(), *_OUTSIDE))}{hint}"
    )


def _defaults(factory: Any) -> Any:
    """Return the parameters of a strategy with their defaults. Raises `StrategyError` if one has none."""
    for holder in (factory, factory.Parameters):
        for field in fields(holder) if hasattr(holder, "__dataclass_fields__") else ():
            if field.init and field.default is MISSING and field.default_factory is MISSING:
                raise StrategyError(
                    f"strategy {factory.name}: {holder.__name__}.{field.name}: expected a default"
                )
    return factory.Parameters()


_KIND_NAMES = {int: "a whole number", float: "a number", bool: "true or false", str: "a text"}
_TRUTHS = {"true": True, "false": False}


def _values(name: str, parameters: Any, settings: list[tuple[str, Any]]) -> dict[str, Any]:
    """Parse settings. Raises `StrategyError`."""
    kinds = _kinds(parameters)
    given: dict[str, Any] = {}
    for key, value in settings:
        if key in given:
            raise StrategyError(
                f"strategy {name}: {key} is given twice, as {given[key]} and as {value}"
            )
        if key not in kinds:
            known = f"expected {', '.join(kinds)}" if kinds else "it has none"
            raise StrategyError(f"strategy {name} has no parameter {key!r}: {known}")
        kind = kinds[key]
        if kind not in _KIND_NAMES:
            raise StrategyError(
                f"strategy {name}: {key} is a {kind.__name__}, which no text can give"
            )
        try:
            given[key] = _TRUTHS[str(value).lower()] if kind is bool else kind(value)
        except (ValueError, KeyError) as error:
            raise StrategyError(
                f"strategy {name}: {key} = {value!r}: expected {_KIND_NAMES[kind]}"
            ) from error
    return given


def _kinds(parameters: Any) -> dict[str, type]:
    """Return the type of each parameter: as declared, or where that is another type than ours, the type of its default."""
    hints: dict[str, Any] = {}
    with suppress(Exception):  # names that only a type checker knows
        hints = get_type_hints(type(parameters))

    def kind(field: "Field[Any]") -> type:
        declared = hints.get(field.name)
        return declared if declared in _KIND_NAMES else type(getattr(parameters, field.name))

    return {field.name: kind(field) for field in fields(parameters)}
