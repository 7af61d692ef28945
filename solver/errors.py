"""The errors of the package: all errors of bad input are a `RowdrawError`."""

from importlib.util import find_spec


class RowdrawError(ValueError):
    """Input that cannot be used. The message says where it is and what was expected."""


class ArgumentError(RowdrawError):
    """An argument of a function that is of another type than its annotation."""


class OrderError(RowdrawError):
    """Arguments of a search that exclude or need each other.

    Attributes:
        text: The message, with `{}` for the name of each argument.
        names: These names.
    """

    def __init__(self, text: str, *names: str) -> None:
        super().__init__(text.format(*names))
        self.text, self.names = text, names


class PuzzleError(RowdrawError):
    """A puzzle file or a row that breaks the rules of a puzzle."""


class LexiconError(RowdrawError):
    """A word list that cannot be read, or holds something other than words."""


class RackError(RowdrawError):
    """Tiles that are not a rack."""


class SolutionError(RowdrawError):
    """A solution file that cannot be read."""


class ReportError(RowdrawError):
    """A report that cannot be made or written."""


class TargetError(RowdrawError):
    """A file that a command may not write to."""


class JournalError(RowdrawError):
    """The journal of a comparison that cannot be read."""


class StrategyError(RowdrawError):
    """An unknown strategy, or parameters that it cannot work with."""


class RecordError(RowdrawError):
    """A folder of results that cannot be read or written."""


class TableError(RowdrawError):
    """A move that the rules of Scrabble do not allow, or a saved game that cannot be continued."""


class RefereeDisagreementError(RuntimeError):
    """The referee rejects a search's solution, which is an internal error."""


class MissingExtraError(RowdrawError):
    """A library that only some commands need is not installed."""


def require(extra: str, *modules: str) -> None:
    """Raise `MissingExtraError`, which says how to install them, unless all `modules` are installed."""
    missing = [module for module in modules if find_spec(module) is None]
    if missing:
        raise MissingExtraError(f"this needs {', '.join(missing)}: pip install 'rowdraw[{extra}]'")
