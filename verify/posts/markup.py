"""The lines of a page or a comment, without tags, marks of quotation and fences, each with its number in the file."""

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass
from html.parser import HTMLParser

from verify.posts.literals import written_out

_TAG = re.compile(r"<(?:!doctype|html|body|pre|code|p|br|li|td|th|tr|div|table|blockquote)\b[^<>]{0,500}>", re.IGNORECASE)
# a picture of a game holds the answer next to texts for people, with scores and totals
_PICTURE = re.compile(r"\s*<svg\b[^<>]{0,1000}>\s*<metadata class=\"rowdraw-game\">([^<]*)</metadata>")
_LARGEST_PAGE, _MOST_TAGS = 1_000_000, 50_000  # characters and tags of a page; larger ones are read as text
_QUOTE = re.compile(r"\s*((?:>\s?)+)")
_FENCE = re.compile(r"\s*(`{3,}|~{3,})")
_ESCAPE = re.compile(r"\\([?_*|#>.+\-!()\[\]~\\])")
_SPOILER = re.compile(r">!|!<")
_INVISIBLE = re.compile("[\u200b-\u200f\u061c\u2060\ufeff\u00ad]")
_BREAKS = frozenset({"p", "br", "li", "tr", "div", "table", "ul", "ol", "section", "article", "dt", "dd", "hr"})
_SILENT = frozenset({"script", "style", "title"})
_MOST_QUOTES = 20  # kept marks of quotation of a line of a page
# unclosed tags, for which html.parser needs quadratic time, and remains of declarations, for which it raises errors
_NO_TAG = re.compile(r"<(?![^<>]*>)|<!(?=--|\[)")


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a post.

    text: without quotation marks, escapes and space around it.
    raw: as in the file, without tags.
    place: the number of its paragraph, or of its fence.
    depth: the number of its quotation marks.
    apart: whether a blank line or a mark of a fence is before it.
    language: that of its fence, in lower case.
    """

    number: int
    text: str
    raw: str
    place: int
    depth: int
    fenced: bool
    apart: bool = False
    language: str = ""

    @property
    def is_bare(self) -> bool:
        """Whether the text has no marks around it."""
        return not self.depth and not self.fenced and self.text == self.raw.strip()


def has_tags(text: str) -> bool:
    """Whether a text is a page or a part of one, or a picture of a game."""
    if _PICTURE.match(text):
        return True
    return "<" in text and len(text) <= _LARGEST_PAGE and text.count("<") <= _MOST_TAGS and _TAG.search(text) is not None


def lines_of(text: str) -> Iterator[Line]:
    """Yield the lines of a text, without blank ones and marks of fences."""
    first = 1
    if picture := _PICTURE.match(text):
        first, text = text.count("\n", 0, picture.start(1)) + 1, picture[1]
    numbered = written_out(_without_tags(text) if has_tags(text) else list(enumerate(text.split("\n"), start=first)))
    place, fence, language, apart = 0, "", "", False
    for number, raw in numbered:
        rest, depth = html.unescape(raw) if "&" in raw else raw, 0
        if "!" in rest:
            rest = _SPOILER.sub("", rest)
        if quote := _QUOTE.match(rest):
            depth = quote[1].count(">")
            rest = rest[quote.end() :]
        mark = _FENCE.match(rest)
        if mark and "`" not in rest[mark.end() :] and (not fence or mark[1].startswith(fence)):
            fence, language, apart = "" if fence else mark[1][:3], "", True
            place += 1
            if (behind := _plain(rest[mark.end() :]))[:1].isdigit():  # no language has such a name
                yield Line(number, behind, raw, place, depth, bool(fence), apart)
            elif fence:
                language = behind.partition(" ")[0].strip("{}.,").lower()
            continue
        stripped = _plain(rest)
        if stripped:
            yield Line(number, stripped, raw, place, depth, bool(fence), apart, language)
            apart = False
        else:
            apart = True
            place += not fence


def _plain(text: str) -> str:
    """Return a line without escapes and invisible characters."""
    if "\\" in text:
        text = _ESCAPE.sub(r"\1", text)
    if not text.isascii():
        text = _INVISIBLE.sub("", text)
    return text.strip()


def _without_tags(text: str) -> list[tuple[int, str]]:
    page = _Page()
    page.feed(_NO_TAG.sub(lambda found: f"&lt;{found[0][1:]}", _without_comments(text)))
    page.close()
    return page.finished()


def _without_comments(text: str) -> str:
    """Return a page without its comments; their line feeds stay, to keep the numbers of the lines."""
    kept, position = [], 0
    while (start := text.find("<!--", position)) >= 0 and (end := text.find("-->", start + 2)) >= 0:
        kept += [text[position:start], "\n" * text.count("\n", start, end)]
        position = end + 3
    return "".join([*kept, text[position:]])


class _Page(HTMLParser):
    """Turns a page into lines as a comment has them, each with its number in the file."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self._lines: list[tuple[int, str]] = []
        self._current: list[str] = []
        self._quotes = 0
        self._silent = 0
        self._kept = 0  # elements in which blank lines count

    def finished(self) -> list[tuple[int, str]]:
        """Return all lines."""
        self._break()
        return self._lines

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:  # noqa: ARG002
        if tag in _SILENT:
            self._silent += 1
        elif tag in ("td", "th"):
            self._current.append(" | ")
        elif tag in ("b", "strong"):
            self._current.append("**")
        else:
            self._mark(tag, opening=True)

    def handle_endtag(self, tag: str) -> None:
        if tag in _SILENT:
            self._silent = max(0, self._silent - 1)
        elif tag in ("b", "strong"):
            self._current.append("**")
        else:
            self._mark(tag, opening=False)

    def handle_data(self, data: str) -> None:
        if self._silent:
            return
        for place, part in enumerate(data.split("\n")):
            if place:
                self._break(place)
            self._current.append(part)

    def _mark(self, tag: str, opening: bool) -> None:
        if tag in _BREAKS:
            self._break()
            if tag == "p":
                self._lines.append((self.getpos()[0], ""))
        elif tag == "pre":
            self._break()
            self._kept = max(0, self._kept + (1 if opening else -1))
            self._lines.append((self.getpos()[0], "```"))
        elif tag == "blockquote":
            self._break()
            self._quotes = max(0, self._quotes + (1 if opening else -1))
        elif len(tag) == 2 and tag[0] == "h" and tag[1].isdigit():
            self._break()
            if opening:
                self._current.append("## ")

    def _break(self, lines_on: int = 0) -> None:
        """End a line. lines_on: the number of line feeds in the text up to here."""
        text = "".join(self._current)
        self._current = []
        if text.strip() or (lines_on and self._kept):
            number = self.getpos()[0] + max(0, lines_on - 1)
            self._lines.append((number, "> " * min(self._quotes, _MOST_QUOTES) + text if text.strip() else ""))
