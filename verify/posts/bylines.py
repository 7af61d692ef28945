"""Recognizes the lines that pages put around a comment: author, time, buttons, and votes.

A copy from a browser or an app holds them as lines of text: `ann • 2y ago`, `Upvote`, `12`, `Reply`. Some pages write the
author, a dot and the time in lines of their own.
"""

import re
from collections.abc import Sequence

from verify.posts.lines import Item, LineKind
from verify.posts.markup import Line

_LONGEST = 160  # characters of such a line
_LOOKED_BACK = 6  # lines between an author and the time
_UNIT = r"(?:mo|[mhdwy]|mins?|hrs?|wks?|yrs?|minutes?|hours?|days?|weeks?|months?|years?)"
_AGO = rf"(?:(?:about |over |almost )?(?:\d{{1,4}}|an?|one) ?(?:s|secs?|seconds?|{_UNIT})\.? ago|just now)"
_MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\.?"
_CLOCK = r"\d{1,2}:\d{2}(?::\d{2})?(?: ?[ap]\.?m\.?)?"
_DAY = (
    rf"(?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]{{0,6}},? )?(?:{_MONTH} \d{{1,2}}(?:st|nd|rd|th)?,? \d{{4}}|{_MONTH} \d{{1,2}}"
    rf"|\d{{1,2}}\.? {_MONTH},? \d{{4}}|\d{{1,4}}[/.\-]\d{{1,2}}[/.\-]\d{{1,4}}|today|yesterday)"
)
_DATE = rf"(?:{_DAY}(?:,? (?:at )?{_CLOCK})?)"
_WHEN = rf"(?:{_AGO}|{_DATE}|{_CLOCK})"
_MARKS = r"(?: ?(?:\[[A-Z]{1,3}\]|\(?OP\)?|MOD|BOT|APP|avatar))*"
_TOKEN = r"@?(?:/?u/)?[\w\[][\w.\-\]@]{0,50}"
_NAME = r"(?P<name>@?(?:/?u/)?[\w\[][\w.'\-\]@]{0,50}(?: [\w.'\-@]{1,50}){0,3}?)"
_POINTS = r"(?:\[?score hidden\]?|-?\d[\d.,]*k? points?)"
_SAID = r"(?:says|said|writes|wrote|commented|replied|posted|answered)"
_FORMS = [
    re.compile(form, re.IGNORECASE)
    for form in (
        rf"{_NAME}{_MARKS} ?[•·] ?(?:{_WHEN}|\d{{1,3}} ?{_UNIT}\.?)(?: ?[•·(*].*)?",
        rf"{_NAME}{_MARKS} ?[—–] ?{_WHEN}(?: ?[•·(*].*)?",
        rf"\[[–—\-+]\]\s*(?P<name>{_TOKEN}).*",
        rf"(?P<name>{_TOKEN}){_MARKS}(?: [^\s]{{1,30}}){{0,4}}? {_POINTS} ?[•·]? ?{_WHEN}.*",
        rf"(?P<name>{_TOKEN}) (?:{_AGO}|on {_DATE})(?: ?(?:[|(*]|\[[–—\-+]\]).*)?",
        rf"{_NAME} {_SAID}:? (?:on |at )?{_WHEN}\b.*",
        rf"{_NAME} (?:on |at )?{_WHEN},? {_SAID}:?",
        rf"(?:posted|submitted|answered|asked|written) (?:by )?(?P<name>{_TOKEN})[,•· ]* ?(?:on |at )?{_WHEN}.*",
        rf"(?:posted|submitted|answered|written) (?:on |at )?{_WHEN} by (?P<name>{_TOKEN}).*",
        rf"{_POINTS} by (?P<name>{_TOKEN}) {_WHEN}.*",
        r"(?P<name>/?u/[\w-]{1,40}) avatar",
    )
]
_HINT = re.compile(r"ago\b|now\b|avatar|today|yesterday|\d[:/.\-]\d|[•·]|\]|\d{4}|\d(?:st|nd|rd|th)?\b", re.IGNORECASE)
_NO_NAMES = frozenset(
    {"posted", "submitted", "edited", "updated", "answered", "asked", "commented", "created", "modified", "last", "found"}
    | {"ran", "time", "elapsed", "duration", "runtime", "total"}
)  # words before a time that name no one
_TIME = re.compile(
    r"[•·—–]? ?(?:edited |posted |last edited |answered |asked |modified )?(?:on |at )?"
    rf"(?:{_WHEN}|(?<=[•·] )\d{{1,3}} ?{_UNIT}\.?)\*?(?: ?[•·(].*)?",
    re.IGNORECASE,
)
_DOT = re.compile(r"[•·—–|]+")
_BETWEEN = re.compile(rf"[•·—–|]+|op|mod|bot|app|edited|\(edited\)|{_POINTS}|{_MARKS.strip()}|.{{1,40}} avatar", re.IGNORECASE)
_VERB = re.compile(rf"(?: {_SAID})?:?$", re.IGNORECASE)
_CLOCKS = re.compile(_CLOCK, re.IGNORECASE)
_ONE_NAME = re.compile(rf"({_TOKEN}){_MARKS}", re.IGNORECASE)
_SEVERAL_NAMES = re.compile(rf"{_NAME}{_MARKS}", re.IGNORECASE)
# longer ones first, as no other way to cut a line is tried
_BUTTON = (
    r"(?:upvotes?|downvotes?|votes?|up|down|reply to [^ ]{1,40}|reply|replies|give award|award|share|report|saved?|follow|"
    r"likes?|dislike|quote|permalink|embed|parent|give gold|hide child comments|hide|copy link|copy|context|full comments|"
    r"source|crosspost|boost|favou?rite|bookmark|repost|retweet|translate|see more|hide replies|view \d+ repl(?:y|ies)|"
    r"track me|improve this (?:answer|question)|add a comment|(?:show|load|view|read) more(?: comments| replies)?|"
    r"more repl(?:y|ies)|more options|continue this thread|level \d+|comment image|\(?edited\)?|profile badge.{0,60}|"
    r".{1,40} avatar|sort by:?.{0,30}|(?:gold|silver|bronze) badges?|helpful|mention|react|next|prev|root|delete|edit|flag)"
)
_SIGNS = r"(?>(?:[•·|.…↓↑▲▼\- ]|\d[\d.,]*k?\b)*)"
_BUTTONS = re.compile(rf"{_SIGNS}(?>{_BUTTON}{_SIGNS})++", re.IGNORECASE)
_UPVOTE = re.compile(r"(?:upvote|vote|up|▲)s?", re.IGNORECASE)
_VOTES = re.compile(
    rf"[\d ]+|\d{{1,3}}{_UNIT}|"
    r"[-\u2212]?\d[\d.,]*k?(?: (?:points?|votes?|upvotes?|likes?))?(?: \(\d+% upvoted\))?|•",
    re.IGNORECASE,
)
# a number and two words, like a turn
_AGES = re.compile(rf"\d{{1,4}} {_UNIT} ago", re.IGNORECASE)
_LIKE_TURNS = re.compile(rf"\d{{1,5}} (?:gold|silver|bronze) badges?|{_AGES.pattern}", re.IGNORECASE)
_BUTTON_ITEM = Item(LineKind.BUTTON)


def without_furniture(found: Sequence[tuple[Line, Item]]) -> list[tuple[Line, Item]]:
    """Return the lines of a post, authors as `LineKind.AUTHOR`, and buttons, times and votes as `LineKind.BUTTON`."""
    items = [item for _line, item in found]
    texts = [line.text if _may_be(line, item) else "" for line, item in found]
    for place, text in enumerate(texts):
        if text and (name := _author(text)):
            items[place] = Item(LineKind.AUTHOR, name=name, strong=True)
    for place, text in enumerate(texts):
        if text and items[place].kind is not LineKind.AUTHOR and _TIME.fullmatch(text):
            _read_above(place, texts, items)
    buttons = {
        place
        for place, text in enumerate(texts)
        if text and items[place].kind is not LineKind.AUTHOR and (_BUTTONS.fullmatch(text) or _AGES.fullmatch(text))
    }
    # a single word is a button only on a page of comments
    if any(item.kind is LineKind.AUTHOR for item in items) or len({texts[place].lower() for place in buttons}) > 1:
        for place in buttons:
            items[place] = _BUTTON_ITEM
        _read_votes(found, texts, items, buttons)
    return [(line, item) for (line, _old), item in zip(found, items, strict=True)]


def _may_be(line: Line, item: Item) -> bool:
    is_other = (
        item.kind not in (LineKind.TURN, LineKind.BROKEN, LineKind.COMMENT) or _LIKE_TURNS.fullmatch(line.text) is not None
    )
    return is_other and not line.fenced and len(line.text) <= _LONGEST


def _author(text: str) -> str:
    """Return the author that a line names; empty for another line."""
    if not _HINT.search(text):
        return ""
    text = text.strip("*_# ")
    for form in _FORMS:
        if (found := form.fullmatch(text)) and found["name"].lower() not in _NO_NAMES:
            return found["name"]
    return ""


def _read_above(place: int, texts: Sequence[str], items: list[Item]) -> None:
    """Take a line with a time as the time of an author, if one stands above it."""
    above = place - 1
    dotted = texts[place][0] in "•·—–"
    while above >= max(0, place - _LOOKED_BACK) and (items[above].kind is LineKind.BUTTON or _BETWEEN.fullmatch(texts[above])):
        dotted = dotted or _DOT.fullmatch(texts[above]) is not None
        above -= 1
    if above < max(0, place - _LOOKED_BACK) or (not dotted and _CLOCKS.fullmatch(texts[place])):
        return
    if items[above].kind is not LineKind.AUTHOR:
        form = _SEVERAL_NAMES if dotted or _CLOCKS.search(texts[place]) else _ONE_NAME
        name = form.fullmatch(_VERB.sub("", texts[above]))
        is_other = items[above].kind not in (LineKind.FIELDS, LineKind.PROSE, LineKind.HEADING) or _BUTTONS.fullmatch(
            texts[above]
        )
        if name is None or is_other or name[1].lower() in _NO_NAMES:
            return
        items[above] = Item(LineKind.AUTHOR, name=name[1], strong=True)
    items[above + 1 : place + 1] = [_BUTTON_ITEM] * (place - above)


def _read_votes(found: Sequence[tuple[Line, Item]], texts: Sequence[str], items: list[Item], buttons: set[int]) -> None:
    """Take numbers next to buttons as votes; a possible claim among turns only below `Upvote`.

    Several numbers in a line, and small ones below an author, are votes and badges.
    """
    turns = {line.place for (line, _old), item in zip(found, items, strict=True) if item.kind is LineKind.TURN}
    for place, text in enumerate(texts):
        if not text or not _VOTES.fullmatch(text):
            continue
        before, behind = place - 1, place + 1
        below_upvote = before in buttons and _UPVOTE.fullmatch(texts[before]) is not None
        above_button = behind in buttons and not _UPVOTE.fullmatch(texts[behind])
        below = before >= 0 and items[before].kind in (LineKind.AUTHOR, LineKind.BUTTON)
        is_badge = items[place].kind is LineKind.FIELDS and (below or above_button or " " in text)
        alone = found[place][0].place not in turns
        if below_upvote or is_badge or (alone and (before in buttons or above_button)):
            items[place] = _BUTTON_ITEM
