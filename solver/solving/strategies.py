"""Strategies by name: those of the package, of installed distributions and of files, those registered, and programs.

A strategy is a frozen dataclass with the fields `parameters`, itself a frozen dataclass, and `name`, and a method `search`;
see `solver.search.strategy`. Those of the package are imported when they are used, since a command that searches nothing must
not wait for the kernels.
"""

from collections.abc import Callable
from contextlib import nullcontext, suppress
from dataclasses import MISSING, Field, asdict, fields, replace
from pathlib import Path
from typing import Any, get_type_hints

from solver.errors import StrategyError
from solver.search.strategy import Strategy
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
from solver.solving.programs import Program, ProgramParameters, program_digest
from verify.text import quote

Factory = Callable[[Any], Strategy]  # it also has the type of its parameters as the attribute `Parameters`


def _greedy() -> Factory:
    from solver.search.greedy import Greedy

    return Greedy


def _beam() -> Factory:
    from solver.search.beam import Beam

    return Beam


def _widening() -> Factory:
    from solver.search.widening import Widening

    return Widening


def _exact() -> Factory:
    from solver.bound.sweeps.exact import Exact

    return Exact


def _refined() -> Factory:
    from solver.refine.refinement import Refined

    return Refined


_STRATEGIES: dict[str, Callable[[], Factory]] = {
    "greedy": _greedy,
    "beam": _beam,
    "widening": _widening,
    "exact": _exact,
    "refined": _refined,
}


PROGRAMS = {"command": False, "command-json": True}  # whether the puzzle is told as JSON
_OUTSIDE = "FILE.py:NAME", "command:PROGRAM", "command-json:PROGRAM"


def strategy_names() -> list[str]:
    """All names that `make_strategy` knows: those of the product, those registered, and those of installed distributions."""
    return list(dict.fromkeys([*_STRATEGIES, *installed()]))


def register(strategy: type[Strategy]) -> type[Strategy]:
    """Let `make_strategy`, and so `solve` and `compare`, know a strategy of your own; returns it, so that it can decorate.

    strategy: a dataclass with defaults for all its fields, and the type of its parameters as `Parameters`.

    Raises `StrategyError` if it is not such a class, or its name is taken.
    """
    name = checked_strategy(strategy, repr(strategy)).name
    if name in _STRATEGIES:
        raise StrategyError(f"strategy {name!r}: that name is taken")
    _STRATEGIES[name] = lambda: strategy
    return strategy


def make_strategy(spec: str, **more: Any) -> Strategy:
    """The strategy of a text; settings in `more` that are None are ignored.

    spec: a name and maybe settings, such as `beam` or `beam:width=1000,price=0.7`; a class in a file,
         `mine.py:Mine:depth=3`; or a program, `command:./solver --fast`, `command-json:...`.

    Raises `StrategyError` for an unknown name or parameter, a parameter that is given twice, or a value out of range.
    """
    head, settings = _split(spec)
    pairs = [setting.partition("=") for setting in filter(None, settings.split(","))]
    told = [(key, value) for key, value in more.items() if value is not None]
    kind, _, command = head.partition(":")
    if kind in PROGRAMS:
        if told:
            raise StrategyError(f"strategy {kind} has no parameter {told[0][0]!r}: it has none")
        return Program(ProgramParameters(command.strip()), PROGRAMS[kind])
    factory = _factory(head)
    name = factory.name
    source = source_of(factory)
    with nullcontext() if source is None else blaming(f"strategy {name}", source):
        _check_defaults(factory)
        parameters = factory.Parameters()
        given = _values(name, parameters, [(key.strip(), value.strip()) for key, _, value in pairs] + told)
        try:
            made: Strategy = factory(replace(parameters, **given))
        except StrategyError:
            raise
        except ValueError as error:
            raise StrategyError(f"strategy {name}: {error}") from error
    return made


def full_spec(spec: str) -> str:
    """The spec with every parameter spelled out, so that a changed default is another strategy."""
    head, _ = _split(spec)
    strategy = make_strategy(spec)
    if isinstance(strategy, Program):
        return f"{strategy.name}:{strategy.parameters.command}"
    # what cannot be told as text is as the code has it, of which there is a hash
    kinds = _kinds(strategy.parameters)
    told = [(name, value) for name, value in asdict(strategy.parameters).items() if _can_be_told(value)]
    # a number is told as the worker will read it, or the same run would have two names
    settings = ",".join(f"{name}={float(value) if kinds[name] is float else value}" for name, value in told)
    place = _place_of(head, strategy)
    return f"{place}:{settings}" if settings else place


def _can_be_told(value: Any) -> bool:
    return type(value) in _KIND_NAMES and "," not in (text := str(value)) and text.isprintable() and text == text.strip()


def _place_of(head: str, strategy: Strategy) -> str:
    """What finds the strategy from another process: of one that was registered, its file. Raises `StrategyError`."""
    source = source_of(strategy)
    if source is None or head not in _STRATEGIES:
        return head
    place = f"{source}:{type(strategy).__qualname__}"
    if not FILE.fullmatch(place) or not place.isprintable():
        raise StrategyError(f"strategy {head}: runs have processes of their own: expected its class at the top of a file")
    return place


def is_program(spec: str) -> bool:
    """Whether a spec is that of a program."""
    return spec.strip().partition(":")[0] in PROGRAMS


def code_of(spec: str) -> str:
    """A hash of the code of a strategy that stands outside the package; empty for one of the package."""
    strategy = make_strategy(spec)
    return program_digest(strategy.parameters) if isinstance(strategy, Program) else sources_digest(strategy)


def catalogue() -> list[tuple[str, str, str]]:
    """What there is: each strategy's name, its parameters with their defaults, and the first line that it says of itself."""
    found = []
    for name in strategy_names():
        try:
            factory = _factory(name)
            settings = ",".join(f"{key}={value}" for key, value in asdict(factory.Parameters()).items())
            told = (factory.__doc__ or "").strip().partition("\n")[0]
        except StrategyError as error:
            settings, told = "", str(error)
        found.append((name, settings, told))
    return [
        *found,
        ("FILE.py:NAME:SETTINGS", "", "A strategy of your own: the class NAME in a Python file."),
        ("command:PROGRAM", "", "A program in any language, with its arguments. It is given the row."),
        ("command-json:PROGRAM", "", "The same. It is given the whole puzzle as JSON."),
    ]


def _split(spec: str) -> tuple[str, str]:
    """Which strategy, and its settings."""
    spec = spec.strip()
    if not spec.isprintable():
        raise StrategyError(f"strategy {quote(spec)}: expected a line of printable characters")
    if is_program(spec):
        return spec, ""
    if found := FILE.match(spec):
        rest = spec[found.end() :]
        if rest and not rest.startswith(":"):
            raise StrategyError(f"strategy {quote(spec)}: expected FILE.py:NAME, or FILE.py:NAME:SETTING=VALUE,...")
        return found[0], rest[1:]
    name, _, settings = spec.partition(":")
    return name, settings


def _factory(head: str) -> Any:
    """The class of a strategy."""
    if head in _STRATEGIES:
        return _STRATEGIES[head]()
    if found := FILE.fullmatch(head):
        return strategy_in_file(Path(found["file"]), found["name"])
    if head in installed():
        return installed_strategy(head)
    hint = " (a class of a file is FILE.py:NAME)" if head.endswith(".py") else ""
    raise StrategyError(f"unknown strategy {quote(head)}: expected one of {', '.join((*strategy_names(), *_OUTSIDE))}{hint}")


def _check_defaults(factory: Any) -> None:
    for holder in (factory, factory.Parameters):
        for field in fields(holder) if hasattr(holder, "__dataclass_fields__") else ():
            if field.init and field.default is MISSING and field.default_factory is MISSING:
                raise StrategyError(f"strategy {factory.name}: {holder.__name__}.{field.name}: expected a default")


_KIND_NAMES = {int: "a whole number", float: "a number", bool: "true or false", str: "a text"}
_TRUTHS = {"true": True, "false": False}


def _values(name: str, parameters: Any, settings: list[tuple[str, Any]]) -> dict[str, Any]:
    """The values of settings that are told as text. Raises `StrategyError`."""
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
    """The type of each parameter: as it is declared, and where that is none of ours, as its default is."""
    hints: dict[str, Any] = {}
    with suppress(Exception):  # names that only a type checker knows
        hints = get_type_hints(type(parameters))

    def kind(field: "Field[Any]") -> type:
        declared = hints.get(field.name)
        return declared if declared in _KIND_NAMES else type(getattr(parameters, field.name))

    return {field.name: kind(field) for field in fields(parameters)}
