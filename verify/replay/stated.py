"""The rules that an answer states: in comments, or as fields of JSON.

They are a claim. Where the user gives no rules, the referee judges by them, and the name of the rules says so. No answer
decides which files are opened: its puzzle and its word list must be bundled ones.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from string import ascii_lowercase
from typing import Any

from verify.datafiles import bundled_words
from verify.reading import Places
from verify.replay.rules import (
    BLANK,
    Rules,
    RulesError,
    bundled_fields,
    is_bundled,
    load_rules,
    made_rules,
    named_row,
)
from verify.text import quote

DEFAULT_PUZZLE = "challenge"
_SHOWN_HASH = 12  # digits
_MOST_SHOWN = 8  # letter values in the name of rules
_HASH = re.compile("[0-9a-f]{64}")
_NUMBER = r"# ?{}(?: ?[:=] ?| )([0-9]{{1,6}})"
_COMMENTS = {
    "rack": re.compile(_NUMBER.format("rack"), re.IGNORECASE),
    "values": re.compile(r"# ?values(?: ?[:=] ?| )(english|none|[a-z?]=[0-9]{1,6}(?: [a-z?]=[0-9]{1,6}){0,50})", re.IGNORECASE),
    "bonus": re.compile(_NUMBER.format("bonus"), re.IGNORECASE),
    "words": re.compile(r"# ?words(?: ?[:=] ?| )(\S.* [0-9a-f]{64}|enable1)", re.IGNORECASE),
}


@dataclass(frozen=True)
class Stated:
    """The rules that an answer states; None for those that it does not state.

    puzzle: The name of a bundled puzzle, or of another one.
    values: The name of a tile set, or the value of each tile.
    words, words_hash: The name of the word list, and the SHA-256 of its words, sorted, a line each.
    lines: The line that states each rule, as pairs.
    """

    puzzle: str | None = None
    row: str | None = None
    rack: int | None = None
    values: str | tuple[tuple[str, int], ...] | None = None
    bonus: int | None = None
    words: str | None = None
    words_hash: str | None = None
    lines: tuple[tuple[str, int], ...] = field(default=(), compare=False)

    def places(self, file: str) -> Places:
        """Return the places of the rules in the answer's `file`, for messages."""
        return Places(file, dict(self.lines))

    @property
    def is_complete(self) -> bool:
        """Whether the rules are complete without a puzzle."""
        return None not in (self.row, self.rack, self.values, self.words)

    def agrees_with(self, rules: Rules) -> bool:
        """Whether no stated rule differs from `rules`."""
        return not _contradictions(self, rules)

    def puzzle_fields(self) -> dict[str, object]:
        """Return the stated rules as the fields of a puzzle file."""
        values = dict(self.values) if isinstance(self.values, tuple) else self.values
        fields = {"row": self.row, "rack": self.rack, "values": values, "bonus": self.bonus, "words": self.words}
        return {name: value for name, value in fields.items() if value is not None}


def rule_in(comment: str) -> str | None:
    """Return the rule that a comment with single spaces states: `rack`, `values`, `bonus` or `words`; None for no rule."""
    return next((name for name, pattern in _COMMENTS.items() if pattern.fullmatch(comment)), None)


def stated_by(comment: str) -> dict[str, Any]:
    """Return the fields of `Stated` in a comment with single spaces: those of one rule.

    Raises `ValueError` for values that name a tile twice.
    """
    for name, pattern in _COMMENTS.items():
        if match := pattern.fullmatch(comment):
            if name == "words":
                words, _space, digest = match[1].rpartition(" ")
                return {"words": words, "words_hash": digest.lower()} if words else {"words": digest.lower()}
            return {name: _values(match[1].lower()) if name == "values" else int(match[1])}
    return {}


def _values(text: str) -> str | tuple[tuple[str, int], ...]:
    if text in ("english", "none"):
        return text if text == "english" else ()
    pairs = [pair.split("=") for pair in text.split()]
    if len({tile for tile, _value in pairs}) < len(pairs):
        raise ValueError(f"values = {quote(text)}: expected each tile once")
    return tuple((tile, int(value)) for tile, value in pairs)


def stated_in(fields: Mapping[str, Any]) -> tuple[Stated, list[str]]:
    """Return the rules that a JSON answer states in `puzzle`, `row` and `rules`, and a message for each error in them."""
    wrong: list[str] = []
    rules = fields.get("rules")
    if not isinstance(rules, dict | None):
        wrong.append(f"rules = {quote(rules)}: expected an object")
    rules = rules if isinstance(rules, dict) else {}
    wrong += [f"rules: unknown field {quote(name)}: expected {', '.join(RULES)}" for name in sorted(rules.keys() - RULES)]
    if None not in (row := fields.get("row"), other := rules.get("row")) and str(row).lower() != str(other).lower():
        wrong.append(f"row = {quote(row)}, but rules.row = {quote(other)}: expected the same row in both")
    given = rules | {name: fields[name] for name in ("puzzle", "row") if fields.get(name) is not None}
    stated: dict[str, Any] = {}
    for name, (fits, expected) in _KINDS.items():
        value = given.get(name)
        if value is not None and not fits(value):
            wrong.append(f"{name} = {quote(value)}: expected {expected}")
        elif value is not None:
            stated[name] = tuple(value.items()) if isinstance(value, dict) else value
    if ("words" in stated) != ("words_hash" in stated):
        only, other = ("words", "words_hash") if "words" in stated else ("words_hash", "words")
        wrong.append(f"{only} = {quote(stated.pop(only))}: expected {other} with it")
    return Stated(**stated), wrong


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _is_whole(value: object) -> bool:
    return type(value) is int


def _are_values(value: object) -> bool:
    return isinstance(value, str) or (isinstance(value, dict) and all(map(_is_whole, value.values())))


_KINDS: dict[str, tuple[Callable[[Any], bool], str]] = {
    "puzzle": (_is_text, "a text"),
    "row": (_is_text, "a text"),
    "rack": (_is_whole, "a whole number"),
    "values": (_are_values, 'an object of tile: number, or "english"'),
    "bonus": (_is_whole, "a whole number"),
    "words": (_is_text, "a text"),
    "words_hash": (lambda value: isinstance(value, str) and bool(_HASH.fullmatch(value)), "64 digits, 0 to f"),
}
RULES = tuple(name for name in _KINDS if name != "puzzle")


def stated_rules(stated: Stated, words: str | None, file: str) -> Rules:
    """Return the rules that an answer states, completed from the bundled puzzle that it names, else from the challenge.

    Args:
        stated: The stated rules.
        words: The file of the word list that the user gives instead; None for the stated one.
        file: The file of the answer, for messages.

    Raises:
        RulesError: For a puzzle that is neither bundled nor stated completely, a word list that is not bundled, and values
            that no puzzle can have.
    """
    puzzle, places = stated.puzzle or DEFAULT_PUZZLE, stated.places(file)
    if not is_bundled(puzzle):
        if not stated.is_complete:
            what = f"it says that it answers the puzzle {quote(puzzle)}: give --puzzle FILE with it"
            raise RulesError(f"{places('puzzle')}: {what}", places.lines.get("puzzle", 0))
        puzzle = DEFAULT_PUZZLE
    where, line = places("words"), places.lines.get("words", 0)
    if words is None and stated.words is not None and bundled_words(stated.words) is None:
        what = f"its words are those of {_list(stated)}, which is not bundled: give --words FILE with them"
        raise RulesError(f"{where}: {what}", line)
    base = load_rules(puzzle, words)
    rules = made_rules(bundled_fields(puzzle) | stated.puzzle_fields(), places, words, base.name)
    strange_words = stated.words_hash not in (None, rules.words_hash)
    if words is None and strange_words:
        other = "the bundled list of that name has others"
        raise RulesError(f"{where}: its words are those of {_list(stated)}; {other}: give --words FILE with them", line)
    others = [text for name, text in _differences(rules, base) if name != "row"]
    if rules.words is not base.words and rules.words != base.words:
        others.append(f"words {quote(stated.words)}")
    name = named_row(rules.row, base.row) if rules.row != base.row else f"the row of {puzzle}" if others else puzzle
    if others:
        name += f", with the rules that the answer itself names: {', '.join(others)}"
    elif rules.row != base.row:
        name += f", with the rules of {puzzle}"
    if words is not None:
        name += f"{' and' if name != puzzle else ', with'} the words of {words}"
    if strange_words:
        note = f"the answer names other words, those of {_list(stated)}: judged with {words}"
        rules = replace(rules, notes=(note, *rules.notes))
    return replace(rules, name=name)


def overridden(stated: Stated, rules: Rules) -> Rules:
    """Return the user's `rules`, with a note where an answer states others."""
    if not (differing := _contradictions(stated, rules)):
        return rules
    note = f"the answer itself names other rules ({', '.join(differing)}): judged by {rules.name}"
    return replace(rules, notes=(note, *rules.notes))


def _contradictions(stated: Stated, rules: Rules) -> list[str]:
    """Return the stated rules that differ from `rules`, and errors in them, as a message names them."""
    fields = bundled_fields(stated.puzzle) if stated.puzzle is not None and is_bundled(stated.puzzle) else {}
    fields |= stated.puzzle_fields()
    words = [] if stated.words_hash in (None, rules.words_hash) else [f"the words of {_list(stated)}"]
    known = {"row": rules.row, "rack": rules.rack_size, "values": dict(rules.values), "bonus": rules.bonus}
    try:
        named = made_rules(
            known | {key: fields[key] for key in known.keys() & fields.keys()}, Places("the answer"), None, rules.name
        )
    except RulesError as error:
        return [str(error), *words]
    return [text for _name, text in _differences(named, rules)] + words


def _differences(rules: Rules, other: Rules) -> Iterator[tuple[str, str]]:
    """Yield the name and the text of each rule of `rules` that differs from `other`."""
    if rules.row != other.row:
        yield "row", named_row(rules.row, other.row).removeprefix("the ")
    if rules.rack_size != other.rack_size:
        yield "rack", f"rack {rules.rack_size}"
    if rules.values != other.values:
        tiles = [tile for tile in (*ascii_lowercase, BLANK) if rules.values.get(tile, 0) != other.values.get(tile, 0)]
        tiles.sort(key=lambda tile: not rules.values.get(tile))  # values of 0 come last
        more = f" and {len(tiles) - _MOST_SHOWN} more" if len(tiles) > _MOST_SHOWN else ""
        values = " ".join(f"{tile}={rules.values.get(tile, 0)}" for tile in tiles[:_MOST_SHOWN])
        yield "values", f"letter values of its own ({values}{more})"
    if rules.bonus != other.bonus:
        yield "bonus", f"bonus {rules.bonus}"


def _list(stated: Stated) -> str:
    """A word list as a message names it."""
    digest = f" (SHA-256 {stated.words_hash[:_SHOWN_HASH]}...)" if stated.words_hash else ""
    return f"the list {quote(stated.words)}{digest}"
