"""Finds program code in a post: none of its lines is a turn, a claim, a heading or a header.

Some lines can only be code (`rack += row[:left]`). Others may be (`score = total`, `else:`): they are if a line that
can only be code is next to them, or in the same fence. A turn is never code, nor is a line with a number first in a paragraph
of turns.
"""

import re
from collections.abc import Sequence
from enum import IntEnum

from verify.posts.lines import PROSE, Item, LineKind, fits
from verify.posts.markup import Line

_LONGEST = 400  # characters of a line that are read
_PROSE_FENCES = frozenset(
    {"", "text", "txt", "plain", "plaintext", "none", "output", "console", "sh", "bash", "shell"}
    | {"csv", "tsv", "json", "md", "markdown"}
)  # languages of fences without a program

# lines of code only: assignments of more than a name or a number, calls, statements with a final sign, operators
_SURE = re.compile(
    r"""
    [$@%]?[A-Za-z_][\w.$\[\]'"]{0,80}(?:\ *:\ *[\w.\[\], ]{1,40})?\ *
        (?:[-+*/|&%]=|//=|\*\*=|:=|<-|=\ *(?=.*[()\[\]{}"'+*/$<>&|%]|\w+\ -))\ *\S.*    # x += 1, row = "..."
    | (?:my|our|local|let|var|val|const|int|long|auto|float|double|char|string|bool|static|final|public|private|unsigned)[ ]
        (?:\w+\ ){0,3}[$@%]?\w[\w\[\]<>,]*\ *(?::\ *\w+)?\ *:?=.*                       # let mut score = 0
    | (?:import|package|using|use|require|\#include|module)\ [\w.:{}<>,*"'/ ]+;?
    | from\ [\w.]+\ import\ .*
    | (?:def|class|fn|func|function|sub|fun|proc|struct|impl|interface|public|private|static|void|template)\ .*[({:<].*
    | (?:for|while|if|elif|switch|foreach|until|unless|catch|match|with|assert|return|print|puts|echo|printf|yield)\b
        .*(?:[()\[\]{}"'$;]|==|!=|<=|>=|\ [<>%]\ ).*
    | [\w.$:>-]{1,80}\(.*\)?[;:{]?                                                      # print(score)
    | [^\w\s]{0,3}\(\w[\w?!*+/<>=-]{0,40}\ .*\)                                            # (define score 0)
    | .*(?:\w|\)|\])\ ?(?:==|!=|&&|\|\||\+=|-=|\*=|->\ \w+\ ?[{:])\ ?[\w('"$-].*
    | (?=.*[=()\[\]{}$<>]).*;\ *(?:(?://|\#).*)?
    | [$@%][A-Za-z_]\w*(?:->|\[|\{|\ ?=|;).*
    | .*[\w)\]]\ *\{ | \}\ *(?:else|catch|while|\)|;).* | \#!.* | //\ ?.* | /\*.* | \*/
    | [rRbBuU]{0,2}(?:"{3}|'{3}).*                                                      # a text of several lines
    | (?:[$>]{1,3}\ )?(?:SELECT|INSERT|CREATE)\ .*
    """,
    re.VERBOSE,
)
# a numbered statement of BASIC, and the first value of a variable
_BASIC = re.compile(
    r"\d{1,5} (?:(?:print|goto|gosub|let|input|rem|dim|if|for|next|end|return|data|read|cls|def)\b.*|[a-z]\w*\$? ?= ?.+)",
    re.IGNORECASE,
)
_INITIAL = re.compile(r"[$@%]?[A-Za-z_]\w{0,40} ?:?= ?-?\d(?:\.\d*)?;?")
_SIGN = re.compile(r"[=()\[\]{}$<>;\"']")
_MAYBE = re.compile(
    r"""
    [$@%]?[A-Za-z_][\w.$]{0,80}\ *(?::\ *\w+\ *)?:?=\ *[\w.$-]+\ *;?
    | (?:for|while|if|elif|else|try|except|finally|do|switch|case|default|begin|repeat|with|class|def)\b.*[:{]?
    | (?:else|end|done|fi|then|do|begin|pass|break|continue|return|next|wend|loop|esac|\}|\)|\]|\{|\(|\[)[;,:)}\]]*
    | (?:return|print|puts|echo|say|yield|raise|throw|del|goto|call)\ .*
    | ["']?\w+["']?\ *:\ *.*,
    | .*;
    """,
    re.VERBOSE,
)


class _Code(IntEnum):
    """How likely a line is code."""

    NEVER = 0
    BETWEEN = 1  # where code stands above and below it
    MAYBE = 2
    SURE = 3


def without_code(found: Sequence[tuple[Line, Item]], sure: set[int]) -> list[tuple[Line, Item]]:
    """Return the lines of a post, those of code as prose. sure: the paragraphs and fences that certainly hold a turn."""
    codes = [_code_of(line, item, line.place in sure) for line, item in found]
    items = [item for _line, item in found]
    begin = 0
    while begin < len(found):
        end = begin + 1
        if codes[begin] is _Code.NEVER:
            begin = end
            continue
        while end < len(found) and codes[end] is not _Code.NEVER and not _parts(found[end - 1][0], found[end][0], sure):
            end += 1
        places = [place for place in range(begin, end) if codes[place] > _Code.BETWEEN]
        if places and max(codes[begin:end]) is _Code.SURE:
            first, last = places[0], places[-1]
            while first > begin and found[first - 1][1].kind is LineKind.COMMENT:
                first -= 1
            while last + 1 < end and _is_indented_comment(found[last + 1]) and found[last + 1][0].place not in sure:
                last += 1
            items[first : last + 1] = [PROSE] * (last + 1 - first)
        begin = end
    _blank_fences(found, codes, items, sure)
    return [(line, item) for (line, _old), item in zip(found, items, strict=True)]


def _parts(before: Line, line: Line, sure: set[int]) -> bool:
    """Whether code cannot continue from a line to the next: another fence or quotation, or a paragraph of turns."""
    if before.depth != line.depth or before.fenced != line.fenced:
        return True
    return before.place != line.place and (line.fenced or before.place in sure or line.place in sure)


def _blank_fences(found: Sequence[tuple[Line, Item]], codes: Sequence[_Code], items: list[Item], sure: set[int]) -> None:
    """Turn each fence without turns into prose, if it holds code or names a programming language."""
    coded = {
        line.place
        for (line, _item), code in zip(found, codes, strict=True)
        if line.fenced and (code is _Code.SURE or line.language not in _PROSE_FENCES)
    } - sure
    for place, (line, _item) in enumerate(found):
        if line.place in coded:
            items[place] = PROSE


def _is_indented(line: Line) -> bool:
    return line.raw.startswith(("    ", "\t"))


def _is_indented_comment(line_item: tuple[Line, Item]) -> bool:
    return line_item[1].kind is LineKind.COMMENT and _is_indented(line_item[0])


def _code_of(line: Line, item: Item, among_turns: bool) -> _Code:
    """Classify a line as code. among_turns: its paragraph holds a turn."""
    text = line.text[:_LONGEST]
    if item.kind is LineKind.TURN and item.cells is not None:
        doubtful = not among_turns and not fits(item.cells.play, item.cells.word)
        return _Code.SURE if doubtful and _BASIC.fullmatch(text) else _Code.NEVER
    if item.kind in (LineKind.BROKEN, LineKind.AUTHOR, LineKind.BUTTON, LineKind.RULE) or (among_turns and text[:1].isdigit()):
        return _Code.NEVER
    if item.kind is LineKind.COMMENT or (item.kind is LineKind.HEADING and text.startswith("#")):
        return _Code.BETWEEN
    if item.kind is LineKind.HEADING and item.strong:
        return _Code.NEVER
    if _INITIAL.fullmatch(text) or _BASIC.fullmatch(text):
        return _Code.SURE
    if item.kind is not LineKind.CLAIM and _SURE.fullmatch(text):
        # two or three words among turns may also be a bad turn
        return _Code.MAYBE if among_turns and item.kind is LineKind.FIELDS and not _SIGN.search(text) else _Code.SURE
    if _MAYBE.fullmatch(text):
        return _Code.MAYBE
    indented = _is_indented(line) and item.kind in (LineKind.PROSE, LineKind.FIELDS, LineKind.HEADING)
    return _Code.BETWEEN if indented else _Code.NEVER
