"""The text of a GCG file: its encoding, its line ends, and its accents."""

import codecs
import re
import unicodedata
from contextlib import suppress

from verify.replay.verdict import Violation
from verify.text import quote

BYTE_ORDER_MARK = codecs.BOM_UTF8
DEFAULT_ENCODING = "iso-8859-1"
_DECLARED = re.compile(rb"#character-encoding[ \t]+([A-Za-z0-9_.:-]+)[ \t\r]*$", re.MULTILINE)
# only these: some of Python's encodings are not for text, and some take time quadratic in the length of the text
_OF_TEXTS = re.compile(r"utf-8|ascii|iso8859-[0-9]+|cp125[0-9]")
_LONE_RETURN = re.compile(rb"\r(?!\r?\n)")  # some programs end lines by \r\r\n


def with_newlines(content: bytes) -> bytes:
    """Return text with a newline at the end of each line, also if an old program wrote only a carriage return there."""
    return _LONE_RETURN.sub(b"\n", content)


def decoded(content: bytes, problems: list[Violation]) -> str:
    """Return the text of a file, with newlines and composed letters (NFC).

    Args:
        content: The bytes of the file.
        problems: Takes a fault if the encoding is unknown, or if the bytes are not in it.
    """
    return unicodedata.normalize("NFC", _decode(with_newlines(content), problems))


def _decode(content: bytes, problems: list[Violation]) -> str:
    marked = content.startswith(BYTE_ORDER_MARK)
    content = content.removeprefix(BYTE_ORDER_MARK)
    declared = _DECLARED.search(content)
    encoding = "utf-8" if marked else declared[1].decode().lower() if declared else _probable(content)
    known = ""
    with suppress(LookupError):
        known = codecs.lookup(encoding).name
    if _OF_TEXTS.fullmatch(known) is None:
        problems.append(Violation(1, "unknown-encoding", f"encoding {quote(encoding)}: expected UTF-8 or ISO-8859-1"))
        return content.decode(DEFAULT_ENCODING)
    try:
        return content.decode(encoding)
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        problems.append(Violation(line, "bad-encoding", f"byte {content[error.start]:#04x} is not {encoding}"))
        return content.decode(encoding, "replace")


def _probable(content: bytes) -> str:
    """Return the encoding of a file that declares none: text in another encoding is hardly ever valid UTF-8."""
    try:
        content.decode("utf-8")
    except UnicodeDecodeError:
        return DEFAULT_ENCODING
    return "utf-8"
