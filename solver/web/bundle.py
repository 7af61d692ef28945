"""Scripts and style sheets as a browser loads them from the site: one file for a page, and bare.

The modules of the page are written so that this takes no parser: an import is a line at the top,
and an export is a declaration or `export const { names } = value`, whose line begins with `export`.
Biome keeps lines that way, and the tests load the site.
"""

import posixpath
import re
from collections.abc import Mapping

Files = Mapping[str, bytes]
"""The contents of files by their paths, with `/` between folders."""

_UNSENT = re.compile(r"^(?:\s*//.*\n|\s*/\*.*\*/\n|[ \n]+)+", re.MULTILINE)
_IMPORT = re.compile(r'^import (?:\* as (\w+)|\{ (.*) \}) from "(\..*)";\n', re.MULTILINE)
_EXPORT = re.compile(
    r"^export (?:async )?(?:const|function|class) (?:\{ (.*?) \}|(\w+))", re.MULTILINE
)


def bare(text: str) -> str:
    """Return a script or a style sheet without comment lines and indents, which are a fifth."""
    return _UNSENT.sub("", text)


def bundle(files: Files, entry: str) -> bytes:
    """Return a module with all that it imports as one.

    Each imported module becomes a function that returns its exports.

    Args:
        files: The modules, by path.
        entry: The path of the module.

    Raises:
        ValueError: A module imports itself through others, or has an import of another form.
    """
    numbers: dict[str, int] = {}
    parts: list[str] = []

    def add(name: str, above: tuple[str, ...]) -> int:
        if name in above:
            raise ValueError(f"{name}: it imports itself by way of {above[-1]}")
        if name in numbers:
            return numbers[name]

        def imported(found: re.Match[str]) -> str:
            whole, names, path = found.groups()
            number = add(
                posixpath.normpath(posixpath.join(posixpath.dirname(name), path)), (*above, name)
            )
            if not whole:
                whole = f"{{ {names.replace(' as ', ': ')} }}"
            return f"const {whole} = $[{number}];\n"

        body = _IMPORT.sub(imported, bare(files[name].decode()))
        if re.search(r"^import\b|\bimport\(|^export \{", body, re.MULTILINE):
            raise ValueError(f"{name}: an import or an export that a bundle does not know")
        exported = ", ".join(one or several for several, one in _EXPORT.findall(body))
        body = re.sub(r"^export ", "", body, flags=re.MULTILINE)
        place = posixpath.relpath(name, posixpath.dirname(entry))
        body = body.replace("import.meta.url", f'new URL("{place}", import.meta.url)')
        numbers[name] = len(parts)
        if above:
            body = f"$[{len(parts)}] = (() => {{\n{body}return {{ {exported} }};\n}})();\n"
        parts.append(body)
        return numbers[name]

    add(entry, ())
    return f"const $ = [];\n{''.join(parts)}".encode()
