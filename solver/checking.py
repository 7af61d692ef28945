"""Checks of arguments: limits that command line and library share, and annotated types."""

import inspect
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, wraps
from numbers import Integral, Real
from types import UnionType
from typing import Any, Literal, ParamSpec, TypeVar, Union, get_args, get_origin, get_type_hints

from solver.errors import RowdrawError

MOST_THREADS = 256
MOST_ANSWERS = 1_000  # answers of a search, or plays of a rack
MOST_PLAYS = 1_000_000  # plays of a rack on a board
MOST_STATES = 10_000_000  # states in a layer of a bound's sweeps


Parameters = ParamSpec("Parameters")
Returned = TypeVar("Returned")

_LONGEST = 60  # characters of a value that a message quotes
_KINDS: dict[Any, Any] = {int: Integral, float: Real}  # numbers of numpy are among them


def checked(function: Callable[Parameters, Returned]) -> Callable[Parameters, Returned]:
    """Let a function raise `RowdrawError` for a missing argument, or one of another type."""
    signature = inspect.signature(function)
    # at the first call, when all modules are loaded
    hints = cache(lambda: get_type_hints(function))

    @wraps(function)
    def call(*arguments: Parameters.args, **options: Parameters.kwargs) -> Returned:
        try:
            bound = signature.bind(*arguments, **options)
        except TypeError as error:
            raise RowdrawError(f"{function.__name__}: {error}") from error
        for name, value in bound.arguments.items():
            if name in hints() and not _fits(value, hints()[name]):
                expected = inspect.formatannotation(hints()[name])
                raise RowdrawError(f"{name} = {repr(value)[:_LONGEST]}: expected {expected}")
        return function(*arguments, **options)

    return call


def _fits(value: Any, hint: Any) -> bool:
    """Return whether a value is of an annotated type."""
    kind = get_origin(hint) or hint
    if kind in (Union, UnionType):
        return any(_fits(value, part) for part in get_args(hint))
    if kind is Literal:
        return value in get_args(hint)
    if kind is Sequence:
        # a text is one of texts, but no one means that
        is_sequence = isinstance(value, Sequence) and not isinstance(value, str)
        return is_sequence and all(_fits(item, get_args(hint)[0]) for item in value)
    if isinstance(value, bool):
        return kind is bool
    return isinstance(value, _KINDS.get(kind, kind))


def check_seconds(name: str, seconds: float | None) -> None:
    """Raise `RowdrawError` unless `seconds`, called `name`, is a time limit or None."""
    if seconds is not None and not seconds >= 0:  # also true for NaN
        raise RowdrawError(
            f"{name} = {seconds}: expected a time limit of 0 seconds or more, or None for no limit"
        )


def check_number(
    name: str, number: float, least: float, most: float, error: type[RowdrawError] = RowdrawError
) -> None:
    """Raise `error` unless `number`, which the message calls `name`, is from `least` to `most`."""
    if not least <= number <= most:  # also true for NaN
        shown = f"{number:g}" if isinstance(number, float) else number
        raise error(f"{name} = {shown}: expected {least} to {most:,}")


@dataclass(frozen=True)
class Budget:
    """The limit of a search: seconds, or racks expanded.

    With racks a run on one thread is exactly repeatable.
    """

    seconds: float | None = None
    racks: int | None = None

    @classmethod
    def of(cls, limit: float | str) -> "Budget":
        """Return the budget that `2`, `2s` or `1e6racks` states. Raises `RowdrawError`."""
        text = str(limit).strip()
        number = text.removesuffix("racks")
        in_racks = number != text
        if not in_racks:
            number = text.removesuffix("s")
        try:
            amount = float(number)
        except ValueError:
            amount = math.nan
        if not 0 <= amount < math.inf:
            raise RowdrawError(
                f"time {text!r}: expected seconds or racks, such as 2, 2s or 1e6racks"
            )
        if in_racks:
            return cls(racks=max(1, round(amount)))
        return cls(seconds=amount)

    def __str__(self) -> str:
        return f"{self.racks}racks" if self.racks is not None else f"{self.seconds:g}s"
