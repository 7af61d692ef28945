"""Text from files, made fit for comparing and for messages."""

_QUOTED = 60
_JOINERS = "\u200c\u200d"  # of letters in some scripts, and of emoji: no terminal minds them


def lower(text: str) -> str:
    """`text` in lower case, but for what is no ASCII letter and would become one, as the Kelvin sign would."""
    if text.isascii():
        return text.lower()
    return "".join(small if small.isascii() == c.isascii() else c for c, small in ((c, c.lower()) for c in text))


def quote(value: object) -> str:
    """`value` as a message quotes it: cut to a readable length, and escaped where a terminal would obey it."""
    # a long text is cut before it is escaped, which would take as long as the text is
    if isinstance(value, str) and len(value) > _QUOTED:
        text = repr(value[:_QUOTED])[: _QUOTED - 4]
        return f"{text}...{text[0]}"
    try:
        text = repr(value)
    except (ValueError, RecursionError):
        return "a number of thousands of digits"
    return text if len(text) <= _QUOTED else f"{text[: _QUOTED - 4]}...{text[0] if text[0] in chr(34) + chr(39) else ''}"


def is_printable(text: str) -> bool:
    """Whether `text` may be shown as it is: nothing that a terminal would obey, or that cannot be shown."""
    return text.isprintable() or all(c.isprintable() or c in _JOINERS for c in text)


def printable(text: str) -> str:
    r"""`text` with escapes such as `\x1b` for what a terminal would obey and for what cannot be shown."""
    if is_printable(text):
        return text
    return "".join(c if is_printable(c) else repr(c)[1:-1] for c in text)
