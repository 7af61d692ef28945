"""The errors of the package: all errors of bad input are a `RowdrawError`."""

from importlib.util import find_spec

from verify import RowdrawError as RowdrawError


class OrderError(RowdrawError):
    """Arguments of a search that exclude or need each other.

    Attributes:
        text: The message, with `{}` for the name of each argument.
        names: These names.
    """

    def __init__(self, text: str, *names: str) -> None:
        super().__init__(text.format(*names))
        self.text, self.names = text, names


class RackError(RowdrawError):
    """Tiles that are not a rack."""


class TargetError(RowdrawError):
    """A file that a command may not write to."""


class StrategyError(RowdrawError):
    """An unknown strategy, or parameters that it cannot work with."""


class TableError(RowdrawError):
    """A move that the rules of Scrabble do not allow, or a saved game that cannot be continued."""


class RefereeDisagreementError(RuntimeError):
    """The referee rejects a search's solution, which is an internal error.

    Attributes:
        fault: Its first fault, in words.
    """

    def __init__(self, message: str, fault: str = "") -> None:
        super().__init__(message)
        self.fault = fault


def require(extra: str, *modules: str) -> None:
    """Raise `RowdrawError`, which says how to install them, unless all `modules` are installed."""
    missing = [module for module in modules if find_spec(module) is None]
    if missing:
        raise RowdrawError(f"this needs {', '.join(missing)}: pip install 'rowdraw[{extra}]'")
