"""Options for games in TOML files: tile sets, rule sets, aliases.

Each is a bundled one that an option names, or a file.
"""

import unicodedata
from collections.abc import Collection, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from verify.files import LARGEST_TEXT, data_folder, read_file, toml_fields, utf8_text
from verify.rules import RulesError
from verify.text import quote

Options = TypeVar("Options", bound=Any)

_MOST = 1_000
_EXPECTED = {
    bool: "true or false",
    int: f"a whole number from 0 to {_MOST:,}",
    str: "a text",
    tuple: 'a list, such as [5, 10] or ["polish"]',
    dict: "a table with a number for each tile",
}
_OF_NUMBERS = {"bonus"}  # lists of numbers; others have texts


@cache
def bundled(folder: str) -> Mapping[str, Path]:
    """Return the files in a folder of the bundled data, by name."""
    return {path.stem: path for path in sorted((data_folder() / folder).iterdir())}


def option_file(name: str, known: Collection[str], what: str) -> Path | None:
    """Return the file that an option names in place of one of the `known` names, if it does.

    Raises `RulesError` for any other text.
    """
    if name.lower() in known:
        return None
    if not name.endswith(".toml"):
        raise RulesError(
            f"{what} {quote(name)}: expected one of {', '.join(known)}, "
            "or a file whose name ends in .toml"
        )
    return Path(name)


def text_file(path: Path, what: str) -> str:
    """Return the text of a file. Raises `RulesError`, which calls the file `what`."""
    try:
        return utf8_text(read_file(path, LARGEST_TEXT))
    except OSError as error:
        raise RulesError(f"{path}: {what} cannot be read ({error.strerror})") from error
    except ValueError as error:
        raise RulesError(f"{path}: {what} is no text: {error}") from error


def toml_file(path: Path, what: str) -> dict[str, Any]:
    """Return the fields of a TOML file, with composed letters (NFC).

    Raises `RulesError`, which calls the file `what`.
    """
    text = unicodedata.normalize("NFC", text_file(path, what))
    try:
        return toml_fields(text.encode())
    except ValueError as error:
        raise RulesError(f"{path}: {what} is not TOML: {error}") from error


def filled(base: Options, path: Path, table: Mapping[str, Any]) -> Options:
    """Return `base` with the fields of a table, each of which has the type that it has in `base`.

    Raises `RulesError`.
    """
    defaults = dict(vars(base))
    del defaults["name"]
    fields = dict(table)
    for name, value in table.items():
        if name not in defaults:
            raise RulesError(f"{path}: {quote(name)}: expected {', '.join(defaults)}")
        kind = type(defaults[name])
        part_kind = kind
        parts = [(name, value)]
        if kind is tuple and isinstance(value, list):
            fields[name] = tuple(value)
            parts = [(name, part) for part in value]
            part_kind = int if name in _OF_NUMBERS else str
        elif kind is dict and isinstance(value, dict):
            parts = [(f"{name}: {quote(key)}", part) for key, part in value.items()]
            part_kind = int
        for place, part in parts:
            if type(part) is not part_kind or (part_kind is int and not 0 <= part <= _MOST):
                raise RulesError(f"{path}: {place} = {part!r:.40}: expected {_EXPECTED[kind]}")
    return replace(base, **fields)
