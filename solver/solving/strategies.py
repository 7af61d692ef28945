"""Strategies by name: those of the package, of installed distributions and of files, registered ones, and programs.

A strategy is a frozen dataclass with the fields `parameters`, itself a frozen dataclass, and `name`, and a method `search`;
see `solver.search.run`. Those of the package are imported when they are used, since a command that searches nothing must
not wait for the kernels.
"""

from collections.abc import Callable
from contextlib import nullcontext, suppress
from dataclasses import MISSING, Field, asdict, fields, replace
from importlib import import_module
from pathlib import Path
from typing import Any, cast, get_type_hints

from solver.errors import StrategyError
from solver.search.run import Strategy
from solver.solving.plugins import (
    FILE,
    blaming,
    checked_strategy,
    installed,
    installed_strategy,
    source_of,
    sources_digest,
    strategy_in_file,
)
from solver.solving.programs.program import Program, ProgramParameters, program_digest
from verify.text import quote

Factory = Callable[[Any], Strategy]  # it also has the type of its parameters as the attribute `Parameters`


def _of_package(module: str, name: str) -> Callable[[], Factory]:
    """Return a function that imports a class only when it is called."""
    return lambda: cast("Factory", getattr(import_module(module), name))


_STRATEGIES: dict[str, Callable[[], Factory]] = {
    "greedy": _of_package("solver.search.greedy", "Greedy"),
    "beam": _of_package("solver.search.beam", "Beam"),
    "widening": _of_package("solver.search.widening", "Widening"),
    "exact": _of_package("solver.bound.sweeps.exact", "Exact"),
    "refined": _of_package("solver.refine.refine", "Refined"),
}
PROGRAMS = {"command": False, "command-json": True}  # whether the program gets the puzzle as JSON
_OUTSIDE = "FILE.py:NAME", "command:PROGRAM", "command-json:PROGRAM"


def strategy_names() -> list[str]:
    """Return all names that `make_strategy` knows: of the package, registered, and of installed distributions."""
    return list(dict.fromkeys([*_STRATEGIES, *installed()]))


def register(strategy: type[Strategy]) -> type[Strategy]:
    """Register a strategy of your own by its name, for `make_strategy`, `solve` and `compare`; usable as a decorator.

    It is a dataclass with defaults for all its fields and the type of its parameters as `Parameters`. Raises `StrategyError` if
    it is not such a class, or if its name is taken.
    """
    name = checked_strategy(strategy, repr(strategy)).name
    if name in _STRATEGIES:
        raise StrategyError(f"strategy {name!r}: that name is taken")
    _STRATEGIES[name] = lambda: strategy
    return strategy


def make_strategy(spec: str, **more: Any) -> Strategy:
    """Return the strategy that a text describes; settings in `more` that are None are ignored.

    Args:
        spec: A name with optional settings, such as `beam` or `beam:width=1000,price=0.7`; a class in a file,
            `mine.py:Mine:depth=3`; or a program, `command:./solver --fast`, `command-json:...`.
        more: Further settings.

    Raises `StrategyError` for an unknown name or parameter, a parameter that is given twice, or a value out of range.
    """
    head, settings = _split(spec)
    pairs = [setting.partition("=") for setting in filter(None, settings.split(","))]
    extra = [(key, value) for key, value in more.items() if value is not None]
    kind, _, command = head.partition(":")
    if kind in PROGRAMS:
        if extra:
            raise StrategyError(f"strategy {kind} has no parameter {extra[0][0]!r}: it has none")
        return Program(ProgramParameters(command.strip()), PROGRAMS[kind])
    factory = _factory(head)
    name = factory.name
    source = source_of(factory)
    with nullcontext() if source is None else blaming(f"strategy {name}", source):
        parameters = _defaults(factory)
        given = _values(name, parameters, [(key.strip(), value.strip()) for key, _, value in pairs] + extra)
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
    values = [(name, value) for name, value in asdict(strategy.parameters).items() if _is_writable(value)]
    # a number is written as the worker will read it, or the same run would have two names
    settings = ",".join(f"{name}={float(value) if kinds[name] is float else value}" for name, value in values)
    place = _place_of(head, strategy)
    return f"{place}:{settings}" if settings else place


def _is_writable(value: Any) -> bool:
    return type(value) in _KIND_NAMES and "," not in (text := str(value)) and text.isprintable() and text == text.strip()


def _place_of(head: str, strategy: Strategy) -> str:
    """Return what finds the strategy from another process; for a registered one, its file. Raises `StrategyError`."""
    source = source_of(strategy)
    if source is None or head not in _STRATEGIES:
        return head
    place = f"{source}:{type(strategy).__qualname__}"
    if not FILE.fullmatch(place) or not place.isprintable():
        raise StrategyError(f"strategy {head}: runs have processes of their own: expected its class at the top of a file")
    return place


def is_program(spec: str) -> bool:
    """Return whether a spec is that of a program."""
    return spec.strip().partition(":")[0] in PROGRAMS


def code_of(spec: str) -> str:
    """Return a hash of the code of a strategy from outside the package; empty for one of the package."""
    strategy = make_strategy(spec)
    return program_digest(strategy.parameters) if isinstance(strategy, Program) else sources_digest(strategy)


def catalogue() -> list[tuple[str, str, str]]:
    """Return each strategy's name, its parameters with their defaults, and the first line of its docstring."""
    known = []
    for name in strategy_names():
        try:
            factory = _factory(name)
            with blaming(f"strategy {name}", source_of(factory)):
                settings = ",".join(f"{key}={value}" for key, value in asdict(_defaults(factory)).items())
            summary = (factory.__doc__ or "").strip().partition("\n")[0]
        except StrategyError as error:
            settings, summary = "", str(error)
        known.append((name, settings, summary))
    return [
        *known,
        ("FILE.py:NAME:SETTINGS", "", "A strategy of your own: the class NAME in a Python file."),
        ("command:PROGRAM", "", "A program in any language, with its arguments. It is given the row."),
        ("command-json:PROGRAM", "", "The same. It is given the whole puzzle as JSON."),
    ]


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
            raise StrategyError(f"strategy {quote(spec)}: expected FILE.py:NAME, or FILE.py:NAME:SETTING=VALUE,...")
        return in_file[0], rest[1:]
    name, _, settings = spec.partition(":")
    return name, settings


def _factory(head: str) -> Any:
    """Return the class of a strategy."""
    if head in _STRATEGIES:
        return _STRATEGIES[head]()
    if match := FILE.fullmatch(head):
        return strategy_in_file(Path(match["file"]), match["name"])
    if head in installed():
        return installed_strategy(head)
    hint = " (a class of a file is FILE.py:NAME)" if head.endswith(".py") else ""
    raise StrategyError(f"unknown strategy {quote(head)}: expected one of {', '.join((*strategy_names(), *_OUTSIDE))}{hint}")


def _defaults(factory: Any) -> Any:
    """Return the parameters of a strategy with their defaults. Raises `StrategyError` if one has none."""
    for holder in (factory, factory.Parameters):
        for field in fields(holder) if hasattr(holder, "__dataclass_fields__") else ():
            if field.init and field.default is MISSING and field.default_factory is MISSING:
                raise StrategyError(f"strategy {factory.name}: {holder.__name__}.{field.name}: expected a default")
    return factory.Parameters()


_KIND_NAMES = {int: "a whole number", float: "a number", bool: "true or false", str: "a text"}
_TRUTHS = {"true": True, "false": False}


def _values(name: str, parameters: Any, settings: list[tuple[str, Any]]) -> dict[str, Any]:
    """Parse settings. Raises `StrategyError`."""
    kinds = _kinds(parameters)
    given: dict[str, Any] = {}
    for key, value in settings:
        if key in given:
            raise StrategyError(f"strategy {name}: {key} is given twice, as {given[key]} and as {value}")
        if key not in kinds:
            known = f"expected {', '.join(kinds)}" if kinds else "it has none"
            raise StrategyError(f"strategy {name} has no parameter {key!r}: {known}")
        kind = kinds[key]
        if kind not in _KIND_NAMES:
            raise StrategyError(f"strategy {name}: {key} is a {kind.__name__}, which no text can give")
        try:
            given[key] = _TRUTHS[str(value).lower()] if kind is bool else kind(value)
        except (ValueError, KeyError) as error:
            raise StrategyError(f"strategy {name}: {key} = {value!r}: expected {_KIND_NAMES[kind]}") from error
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
