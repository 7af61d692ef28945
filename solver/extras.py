"""Optional dependencies."""

from importlib.util import find_spec

from solver.errors import RowdrawError


class MissingExtraError(RowdrawError):
    """A library that only some commands need is not installed."""


def require(extra: str, *modules: str) -> None:
    """Raise `MissingExtraError`, which says how to install them, unless all `modules` are installed."""
    missing = [module for module in modules if find_spec(module) is None]
    if missing:
        raise MissingExtraError(f"this needs {', '.join(missing)}: pip install 'rowdraw[{extra}]'")
