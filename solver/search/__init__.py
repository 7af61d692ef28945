"""Search strategies. A strategy is a file here and a line in `STRATEGIES`."""

from dataclasses import fields, replace
from importlib import import_module
from typing import Any

from solver.errors import StrategyError
from solver.search.strategy import Strategy

# named, not imported: a command that searches nothing must not pay for the kernels
STRATEGIES = {
    "greedy": "solver.search.greedy:Greedy",
    "beam": "solver.search.beam:Beam",
    "widening": "solver.search.widening:Widening",
    "exact": "solver.exact:Exact",
    "refined": "solver.refine.strategy:Refined",
}


def make_strategy(spec: str, **more: Any) -> Strategy:
    """The strategy of a text such as `beam` or `beam:width=1000,price=0.7`; more settings that are None do not count.

    Raises `StrategyError` for an unknown name or parameter, one that is given twice, or a value out of range.
    """
    name, _, settings = spec.partition(":")
    if name not in STRATEGIES:
        raise StrategyError(f"unknown strategy {name!r}: expected one of {', '.join(STRATEGIES)}")
    module, _, attribute = STRATEGIES[name].partition(":")
    factory = getattr(import_module(module), attribute)
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
