"""Strategies by name: those of the package, and those that its users register.

A strategy is a frozen dataclass with the fields `parameters`, itself a frozen dataclass, and `name`, and a method `search`;
see `solver.search.strategy`. Those of the package are imported when they are used, since a command that searches nothing must
not wait for the kernels.
"""

from collections.abc import Callable
from dataclasses import fields, is_dataclass, replace
from typing import Any

from solver.errors import StrategyError
from solver.search.strategy import Strategy

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
    from solver.bound.exact import Exact

    return Exact


def _refined() -> Factory:
    from solver.refine.strategy import Refined

    return Refined


_STRATEGIES: dict[str, Callable[[], Factory]] = {
    "greedy": _greedy,
    "beam": _beam,
    "widening": _widening,
    "exact": _exact,
    "refined": _refined,
}


def strategy_names() -> list[str]:
    """All names that `make_strategy` knows."""
    return list(_STRATEGIES)


def register(strategy: type[Strategy]) -> type[Strategy]:
    """Let `make_strategy`, `solve` and `compare` know a strategy of your own. Returns it, so that it can decorate.

    strategy: a dataclass with defaults for all its fields, and the type of its parameters as `Parameters`.

    Raises `StrategyError` if it is not such a class, or its name is taken.
    """
    name, parameters = getattr(strategy, "name", None), getattr(strategy, "Parameters", None)
    if not isinstance(name, str) or not name.isidentifier() or not is_dataclass(parameters):
        raise StrategyError(f"{strategy!r}: expected a strategy with a name and a dataclass `Parameters`")
    if name in _STRATEGIES:
        raise StrategyError(f"strategy {name!r}: that name is taken")
    _STRATEGIES[name] = lambda: strategy
    return strategy


def make_strategy(spec: str, **more: Any) -> Strategy:
    """The strategy of a text such as `beam` or `beam:width=1000,price=0.7`; settings in `more` that are None are ignored.

    Raises `StrategyError` for an unknown name or parameter, a parameter that is given twice, or a value out of range.
    """
    name, _, settings = spec.partition(":")
    if name not in _STRATEGIES:
        raise StrategyError(f"unknown strategy {name!r}: expected one of {', '.join(_STRATEGIES)}")
    factory: Any = _STRATEGIES[name]()
    parameters = factory.Parameters()
    given: dict[str, Any] = {}
    pairs = [setting.partition("=") for setting in filter(None, settings.split(","))]
    for key, value in (*((key.strip(), value.strip()) for key, _, value in pairs), *more.items()):
        if value is None:
            continue
        if key in given:
            raise StrategyError(f"strategy {name}: {key} is given twice, as {given[key]} and as {value}")
        given[key] = value
    kinds = {field.name: type(getattr(parameters, field.name)) for field in fields(parameters)}
    for key, value in given.items():
        if key not in kinds:
            known = f"expected {', '.join(kinds)}" if kinds else "it has none"
            raise StrategyError(f"strategy {name} has no parameter {key!r}: {known}")
        try:
            given[key] = kinds[key](value)
        except ValueError as error:
            raise StrategyError(f"strategy {name}: {key} = {value!r}: expected {_KIND_NAMES[kinds[key]]}") from error
    made: Strategy = factory(replace(parameters, **given))
    return made


_KIND_NAMES = {int: "a whole number", float: "a number"}
