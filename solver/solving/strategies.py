"""Strategies by name: those of the package, classes in files, `mine.py:Mine`, and programs.

`solver.search.run.Strategy` says what a strategy is. Those of the package are imported when they
are used, since a command that searches nothing must not wait for the kernels.
"""

import hashlib
import importlib.util
import inspect
import os
import re
import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, fields, is_dataclass, replace
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, cast, get_type_hints

from solver.errors import RefereeDisagreementError, RowdrawError, StrategyError
from solver.index.problem import Problem
from solver.search.run import FIRST_WIDTH, Strategy
from solver.solving.programs.program import Program, ProgramParameters, program_digest
from verify.files import LARGEST_TEXT, read_file
from verify.text import printable, quote

FILE = re.compile(r"(?P<file>.+?\.py):(?P<name>[A-Za-z_]\w*)")


_OURS = [Path(__file__).resolve().parents[2] / name for name in ("solver", "verify")]
_PACKAGE = __name__.partition(".")[0]
_LOADED = "rowdraw_strategy_"  # the prefix of the module of a file
_LONGEST_MESSAGE = 200  # characters of an error of a strategy


def checked_strategy(candidate: Any, where: str) -> Any:
    """Return `candidate`, a strategy's class. Raises `StrategyError` that says what it lacks."""
    if lack := _lack_of(candidate):
        expected = "a class with a name, a dataclass `Parameters` and a method search(problem, run)"
        raise StrategyError(f"{where}: {lack}: expected a strategy, {expected}")
    return candidate


def _lack_of(candidate: Any) -> str:
    """Return why `candidate` is not a strategy's class; empty if it is one."""
    kind: Any = candidate
    if not isinstance(candidate, type):
        return f"it is a {quote(type(candidate).__name__)}, not a class"
    for needed in ("name", "Parameters", "search"):
        if not hasattr(kind, needed):
            return f"it has no {needed}"
    if not isinstance(kind.name, str) or not kind.name.isidentifier():
        return f"name = {quote(kind.name)} is not a name of letters, digits and _"
    if not is_dataclass(kind.Parameters):
        return "Parameters is not a dataclass"
    if not callable(kind.search):
        return "search is not a method"
    return ""


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
        classes = inspect.getmembers(module, inspect.isclass)
        own = [key for key, value in classes if value.__module__ == module.__name__]
        raise StrategyError(f"{shown}: there is no {name}: it has {', '.join(own) or 'no class'}")
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
    """Report any exception inside as a `StrategyError` with the strategy's own line.

    With ROWDRAW_DEBUG in the environment the exception passes with its traceback. `what` is named
    if no line is known; lines in the folder of `file` are the strategy's own.
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
        message = f"{place or what}: {_words(error)}"
        if not isinstance(error, RowdrawError | RefereeDisagreementError):
            message += " (ROWDRAW_DEBUG=1 shows more)"
        raise StrategyError(message) from error


def _place(error: BaseException, file: Path | None) -> str:
    """Return the last line of a strategy's own files that led to an error; empty if none did."""
    place = ""
    if isinstance(error, SyntaxError) and error.filename:
        place = f"{error.filename}:{error.lineno}"
    elif file is not None:
        for frame in traceback.extract_tb(error.__traceback__):
            if _is_of(Path(frame.filename), file):
                place = f"{frame.filename}:{frame.lineno}"
    return printable(place)


def _is_of(path: Path, file: Path) -> bool:
    """Return whether a file is a strategy's `file` or one of its neighbours."""
    # an environment, or our clone, may be in the strategy's folder, and is not its own
    is_ours = any(path.is_relative_to(place) for place in _OURS)
    is_near = path.is_relative_to(file.parent) and "site-packages" not in path.parts
    return path == file or (is_near and not is_ours)


def _words(error: BaseException) -> str:
    if isinstance(error, RefereeDisagreementError):
        return f"it offered an answer that is not valid: {error.fault}"
    try:
        text = str(error)
    except Exception:  # the class is the user's, too
        text = ""
    if isinstance(error, SyntaxError):
        text = error.msg
    if len(text) > _LONGEST_MESSAGE:
        text = quote(text)
    return f"{type(error).__name__}: {printable(text)}".rstrip(": ")


def source_of(strategy: Any) -> Path | None:
    """Return the file of a strategy, object or class, from outside the package.

    None for one of the package.
    """
    kind = strategy if isinstance(strategy, type) else type(strategy)
    if kind.__module__.startswith(f"{_PACKAGE}."):
        return None
    try:
        return Path(inspect.getfile(kind)).resolve()
    except (OSError, TypeError):
        return Path()  # typed interactively


def sources_digest(strategy: Any) -> str:
    """Return a hash of the files of a strategy from outside: its own and those that it imports.

    Empty for a strategy of the package. If one of these files changes, a run is another run.
    """
    file = source_of(strategy)
    if file is None:
        return ""
    files = {file}
    for name, module in list(sys.modules.items()):
        origin = getattr(module, "__file__", None)
        if isinstance(origin, str):
            path = Path(origin).resolve()
            # a neighbour is imported by the name of its file or folder
            near = file.parent / name.partition(".")[0]
            if near in (path.with_suffix(""), *path.parents) and _is_of(path, file):
                files.add(path)
    digest = hashlib.sha256()
    for path in sorted(filter(Path.is_file, files)):
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()[:16]


# it also has the type of its parameters as the attribute `Parameters`
Factory = Callable[[Any], Strategy]


def _of_package(module: str, name: str) -> Callable[[], Factory]:
    """Return a function that imports a class only when it is called."""
    return lambda: cast("Factory", getattr(import_module(module), name))


_STRATEGIES: dict[str, Callable[[], Factory]] = {
    "greedy": _of_package("solver.search.greedy", "Greedy"),
    "beam": _of_package("solver.search.beam", "Beam"),
    "widening": _of_package("solver.search.beam", "Widening"),
    "exact": _of_package("solver.bound.sweeps.exact", "Exact"),
}
_PROVABLE = 40  # tiles of the longest row that exact search solves, mostly in half a minute
# from what the first beam has cost, the next widths follow
_WIDENING_IN_TIME = f"widening:first={FIRST_WIDTH}"
PROGRAMS = ("command", "command-json")
_ATTRIBUTE = re.compile(r"^ {4}(?P<name>\w+): (?P<text>.*(?:\n {8,}.*)*)", re.MULTILINE)
_OUTSIDE = "FILE.py:NAME", "command:PROGRAM", "command-json:PROGRAM"


def strategy_names() -> list[str]:
    """Return the names of the package's own strategies."""
    return list(_STRATEGIES)


def can(strategy: Any, ability: str) -> bool:
    """Return whether a strategy, or its class, has an ability of `solver.search.run.Strategy`."""
    return bool(getattr(strategy, ability, False))


def names_that(ability: str) -> str:
    """Return the names of the package's strategies with an ability, for messages."""
    names = [name for name, load in _STRATEGIES.items() if can(load(), ability)]
    return " or ".join(filter(None, (", ".join(names[:-1]), names[-1])))


def suited_strategy(problem: Problem, *, is_limited: bool, is_plain: bool = True) -> str:
    """Return the strategy expected to find most. Short rows are solved exactly, except variants.

    Args:
        problem: The problem.
        is_limited: Whether time or racks are limited.
        is_plain: Whether one answer is wanted, from the first turn on.
    """
    if not problem.has_closed_index:
        return "greedy"
    if not is_plain:
        return "beam"
    is_short = len(problem.puzzle.row) <= _PROVABLE and problem.is_sweepable
    if is_short and not problem.rules.is_variant:
        return "exact"
    return _WIDENING_IN_TIME if is_limited else "beam"


def make_strategy(spec: str) -> Strategy:
    """Return the strategy that a text describes.

    Args:
        spec: A name with optional settings, such as `beam` or `beam:width=1000,price=0.7`; a class
            in a file, `mine.py:Mine:depth=3`; or a program, `command:./solver --fast`,
            `command-json:...`.

    Raises `StrategyError` for an unknown name or parameter, a parameter that is given twice, or a
    value out of range.
    """
    head, settings = _split(spec)
    kind, _, command = head.partition(":")
    if kind in PROGRAMS:
        return Program(ProgramParameters(command.strip()), kind)
    factory = _factory(head)
    source = source_of(factory)
    if source is None:
        return _made(factory, settings)
    with blaming(f"strategy {factory.name}", source):
        return _made(factory, settings)


def _made(factory: Any, settings: str) -> Strategy:
    """Return a strategy of a class with the settings of a text."""
    parameters = _defaults(factory)
    given = _values(factory.name, parameters, settings)
    try:
        made: Strategy = factory(replace(parameters, **given))
    except StrategyError:
        raise
    except ValueError as error:
        raise StrategyError(f"strategy {factory.name}: {error}") from error
    return made


def full_spec(spec: str) -> str:
    """Return a spec with every parameter, so that a changed default is another strategy."""
    head, _ = _split(spec)
    strategy = make_strategy(spec)
    if isinstance(strategy, Program):
        return f"{strategy.name}:{strategy.parameters.command}"
    kinds = _kinds(strategy.parameters)
    settings = []
    for name, value in asdict(strategy.parameters).items():
        # a number is written as the worker will read it, or the same run would have two names
        if kinds[name] is float:
            value = float(value)
        text = str(value)
        # values that no text can give are defaults of the code, which has a hash
        is_plain = text.isprintable() and text == text.strip() and "," not in text
        if type(value) in _KIND_NAMES and is_plain:
            settings.append(f"{name}={text}")
    return ":".join(filter(None, (head, ",".join(settings))))


def is_program(spec: str) -> bool:
    """Return whether a spec is that of a program."""
    return spec.strip().partition(":")[0] in PROGRAMS


def code_of(spec: str) -> str:
    """Return a hash of the code of a strategy from outside the package.

    Empty for one of the package.
    """
    strategy = make_strategy(spec)
    if isinstance(strategy, Program):
        return program_digest(strategy.parameters)
    return sources_digest(strategy)


def catalogue() -> Iterator[str]:
    """Yield lines on the package's strategies and their settings, and on those from outside."""
    meanings: dict[str, str] = {}  # a setting that is not described means what it does above
    for name, load in _STRATEGIES.items():
        factory: Any = load()
        for kind in reversed(factory.Parameters.mro()):
            meanings |= _meanings(kind)
        yield name
        yield f"    {factory.__doc__.splitlines()[0]}"
        for key, value in asdict(_defaults(factory)).items():
            yield f"      {key}={value}: {meanings[key]}"
    own, program, with_json = _OUTSIDE
    yield f"{own}:SETTINGS"
    yield "    A strategy of your own: the class NAME in a Python file."
    yield program
    yield "    A program in any language, with its arguments. It is given the row."
    yield with_json
    yield "    The same. It is given the whole puzzle as JSON."


def _meanings(parameters: type) -> dict[str, str]:
    """Return the meaning of each parameter, from the docstring of their type."""
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
    known = ", ".join((*strategy_names(), *_OUTSIDE))
    raise StrategyError(f"unknown strategy {quote(head)}: expected one of {known}")


def _defaults(factory: Any) -> Any:
    """Return the parameters of a strategy with their defaults.

    Raises `StrategyError` if one, or another field of the strategy, has none.
    """
    for kind in filter(is_dataclass, (factory, factory.Parameters)):
        for field in fields(kind):
            if field.init and field.default is field.default_factory:  # both are missing
                raise StrategyError(f"strategy {factory.name}: {field.name}: expected a default")
    return factory.Parameters()


_KIND_NAMES = {int: "a whole number", float: "a number", bool: "true or false", str: "a text"}
_TRUTHS = {"true": True, "false": False}


def _values(name: str, parameters: Any, settings: str) -> dict[str, Any]:
    """Return the values that settings such as `width=1000,price=0.7` give.

    Raises `StrategyError`.
    """
    kinds = _kinds(parameters)
    given: dict[str, Any] = {}
    for setting in filter(None, settings.split(",")):
        key, _, text = map(str.strip, setting.partition("="))
        if key in given:
            raise StrategyError(
                f"strategy {name}: {key} is given twice, as {given[key]} and as {text}"
            )
        if key not in kinds:
            known = ", ".join(kinds) or "none, since it has none"
            raise StrategyError(f"strategy {name} has no parameter {key!r}: expected {known}")
        given[key] = _value(f"strategy {name}: {key}", kinds[key], text)
    return given


def _value(named: str, kind: type, text: str) -> Any:
    if kind not in _KIND_NAMES:
        raise StrategyError(f"{named} is a {kind.__name__}, which no text can give")
    try:
        if kind is bool:
            return _TRUTHS[text.lower()]
        return kind(text)
    except (ValueError, KeyError) as error:
        raise StrategyError(f"{named} = {text!r}: expected {_KIND_NAMES[kind]}") from error


def _kinds(parameters: Any) -> dict[str, type]:
    """Return the type of each parameter: as declared if a text can give it, else its default's."""
    hints: dict[str, Any] = {}
    with suppress(Exception):  # names that only a type checker knows
        hints = get_type_hints(type(parameters))
    kinds: dict[str, Any] = {}
    for field in fields(parameters):
        kinds[field.name] = hints.get(field.name)
        if kinds[field.name] not in _KIND_NAMES:
            kinds[field.name] = type(getattr(parameters, field.name))
    return kinds
