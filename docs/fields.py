"""Docstrings as they stand in the code, for pages: what they say of parameters and fields becomes a list.

The docstrings say `name: what it is` for each parameter or field, one behind the other or a line each. Those with a section
`Args:` are left as they are, since mkdocstrings reads them.
"""

import re
from typing import Any

import griffe

_START = r"(?:^|(?<=[.;:]) +)(?=`?{}`?(?:, `?\w+`?)*: )"


def listed(text: str, names: list[str]) -> str:
    """`text` with an item of a list for each of `names` that it explains."""
    if not names:
        return text
    start = re.compile(_START.format(f"(?:{'|'.join(map(re.escape, names))})"))
    paragraphs = []
    for paragraph in text.split("\n\n"):
        said, *items = start.split(" ".join(paragraph.split()))
        marked = [re.sub(r"^(.*?): ", r"**\1**: ", item.strip(), count=1) for item in items]
        bullets = "\n".join(f"- {item.rstrip(';.')}" for item in marked)
        paragraphs.append("\n\n".join(part for part in (said.strip(), bullets) if part) if items else paragraph)
    return "\n\n".join(paragraphs)


class Fields(griffe.Extension):
    """Lists what docstrings say of parameters and fields."""

    def on_function(self, *, func: griffe.Function, **_more: Any) -> None:
        """Of a function's parameters."""
        if func.docstring is not None and "\nArgs:\n" not in func.docstring.value:
            func.docstring.value = listed(func.docstring.value, [parameter.name for parameter in func.parameters])

    def on_class(self, *, cls: griffe.Class, **_more: Any) -> None:
        """Of a class's fields."""
        if cls.docstring is not None and "\nAttributes:\n" not in cls.docstring.value:
            names = [name for name, member in cls.members.items() if member.is_attribute]
            cls.docstring.value = listed(cls.docstring.value, names)
