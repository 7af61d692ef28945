"""Text from files, made fit for comparing and for messages."""

_QUOTED = 60


def lower(text: str) -> str:
    """`text` in lower case, but for what is no ASCII letter and would become one, as the Kelvin sign would."""
    if text.isascii():
        return text.lower()
    return "".join(small if small.isascii() == c.isascii() else c for c, small in ((c, c.lower()) for c in text))


def quote(value: object) -> str:
    """`value` as a message quotes it: cut to a readable length."""
    try:
        text = repr(value)
    except ValueError:
        return "a number of thousands of digits"
    return text if len(text) <= _QUOTED else f"{text[: _QUOTED - 4]}...{text[0] if text[0] in chr(34) + chr(39) else ''}"
