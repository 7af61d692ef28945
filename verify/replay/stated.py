"""The rules that an answer states of itself: in comments, or as fields of JSON.

They are a claim. Where the user gives no rules, the answer is judged by them, and the name of the rules says so. No answer
decides which files are opened: its puzzle and its word list are found among the bundled ones only.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from verify.datafiles import bundled_words
from verify.replay.rules import Rules, RulesError, bundled_fields, is_bundled, load_rules, made_rules, named_row
from verify.text import quote

DEFAULT_PUZZLE = "challenge"
_SHOWN_HASH = 12  # digits
_HASH = re.compile("[0-9a-f]{64}")
_NUMBER = r"# ?{}(?: ?[:=] ?| )([0-9]{{1,6}})"
_COMMENTS = {
    "rack": re.compile(_NUMBER.format("rack"), re.IGNORECASE),
    "values": re.compile(r"# ?values(?: ?[:=] ?| )(english|none|[a-z?]=[0-9]{1,6}(?: [a-z?]=[0-9]{1,6}){0,50})", re.IGNORECASE),
    "bonus": re.compile(_NUMBER.format("bonus"), re.IGNORECASE),
    "words": re.compile(r"# ?words(?: ?[:=] ?| )(\S.* [0-9a-f]{64})", re.IGNORECASE),
}


@dataclass(frozen=True)
class Stated:
    """What an answer states of its rules; None for what it does not state.

    puzzle: The name of a bundled puzzle, or whatever else the puzzle is called.
    values: The name of a tile set, or the value of each tile.
    words, words_hash: The name of the word list, and the SHA-256 of its words, sorted, a line each.
    """

    puzzle: str | None = None
    row: str | None = None
    rack: int | None = None
    values: str | tuple[tuple[str, int], ...] | None = None
    bonus: int | None = None
    words: str | None = None
    words_hash: str | None = None

    @property
    def is_complete(self) -> bool:
        """Whether no puzzle is needed besides."""
        return None not in (self.row, self.rack, self.values, self.words)

    def agrees_with(self, rules: Rules) -> bool:
        """Whether nothing that is stated differs from `rules`."""
        return not _contradictions(self, rules)

    def puzzle_fields(self) -> dict[str, object]:
        """What is stated, as the fields of a puzzle file."""
        values = dict(self.values) if isinstance(self.values, tuple) else self.values
        told = {"row": self.row, "rack": self.rack, "values": values, "bonus": self.bonus, "words": self.words}
        return {name: value for name, value in told.items() if value is not None}


def rule_in(comment: str) -> str | None:
    """Return which rule a comment states, its spaces made one: `rack`, `values`, `bonus` or `words`; None for no rule."""
    return next((name for name, pattern in _COMMENTS.items() if pattern.fullmatch(comment)), None)


def stated_by(comment: str) -> dict[str, Any]:
    """Return the fields of `Stated` that a comment gives, its spaces made one; none for a comment that states no rule.

    Raises:
        ValueError: For values that name a tile twice.
    """
    for name, pattern in _COMMENTS.items():
        if found := pattern.fullmatch(comment):
            if name == "words":
                words, _space, digest = found[1].rpartition(" ")
                return {"words": words, "words_hash": digest.lower()}
            return {name: _values(found[1].lower()) if name == "values" else int(found[1])}
    return {}


def _values(text: str) -> str | tuple[tuple[str, int], ...]:
    if text in ("english", "none"):
        return text if text == "english" else ()
    pairs = [pair.split("=") for pair in text.split()]
    if len({tile for tile, _value in pairs}) < len(pairs):
        raise ValueError(f"values = {quote(text)}: expected each tile once")
    return tuple((tile, int(value)) for tile, value in pairs)


def stated_in(told: Mapping[str, Any]) -> tuple[Stated, list[str]]:
    """Return what an answer in JSON states of its rules, and what is wrong with it, a message each.

    Args:
        told: The object of JSON. What it states is `puzzle`, `row`, and the object `rules`.
    """
    wrong: list[str] = []
    rules = told.get("rules")
    if not isinstance(rules, dict | None):
        wrong.append(f"rules = {quote(rules)}: expected an object")
    rules = rules if isinstance(rules, dict) else {}
    wrong += [f"rules: unknown field {quote(name)}: expected {', '.join(_RULES)}" for name in sorted(rules.keys() - _RULES)]
    given = {name: told[name] for name in ("puzzle", "row") if told.get(name) is not None}
    told = rules | given
    found: dict[str, Any] = {}
    for name, (fits, expected) in _KINDS.items():
        value = told.get(name)
        if value is not None and not fits(value):
            wrong.append(f"{name} = {quote(value)}: expected {expected}")
        elif value is not None:
            found[name] = tuple(value.items()) if isinstance(value, dict) else value
    if ("words" in found) != ("words_hash" in found):
        only, other = ("words", "words_hash") if "words" in found else ("words_hash", "words")
        wrong.append(f"{only} = {quote(found.pop(only))}: expected {other} with it")
    return Stated(**found), wrong


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _is_whole(value: object) -> bool:
    return type(value) is int


_KINDS: dict[str, tuple[Callable[[Any], bool], str]] = {
    "puzzle": (_is_text, "a text"),
    "row": (_is_text, "a text"),
    "rack": (_is_whole, "a whole number"),
    "values": (lambda value: isinstance(value, dict) and all(map(_is_whole, value.values())), "an object of tile: number"),
    "bonus": (_is_whole, "a whole number"),
    "words": (_is_text, "a text"),
    "words_hash": (lambda value: isinstance(value, str) and bool(_HASH.fullmatch(value)), "64 digits, 0 to f"),
}
_RULES = tuple(name for name in _KINDS if name != "puzzle")


def stated_rules(stated: Stated, words: str | None, file: str) -> Rules:
    """Return the rules that an answer states, what it leaves out as in the bundled puzzle that it names, else the challenge.

    Args:
        stated: What the answer states.
        words: The file of the word list that the user gives instead; None for the one that is stated.
        file: The file of the answer, which messages name.

    Raises:
        RulesError: For a puzzle that is not bundled and not stated completely, for a word list that is not at hand, and for
            what no puzzle can have.
    """
    puzzle = stated.puzzle or DEFAULT_PUZZLE
    if not is_bundled(puzzle):
        if not stated.is_complete:
            raise RulesError(f"{file}: it says that it answers the puzzle {quote(puzzle)}: give --puzzle FILE with it")
        puzzle = DEFAULT_PUZZLE
    if words is None and stated.words is not None and bundled_words(stated.words) is None:
        raise RulesError(f"{file}: its words are those of {_list(stated)}, which is not bundled: give --words FILE with them")
    base = load_rules(puzzle, words)
    rules = made_rules(bundled_fields(puzzle) | stated.puzzle_fields(), file, words, base.name)
    strange_words = stated.words_hash not in (None, rules.words_hash)
    if words is None and strange_words:
        other = "the bundled list of that name has others"
        raise RulesError(f"{file}: its words are those of {_list(stated)}; {other}: give --words FILE with them")
    others = [text for name, text in _differences(rules, base) if name != "row"]
    if rules.words is not base.words and rules.words != base.words:
        others.append(f"words {quote(stated.words)}")
    name = named_row(rules.row) if rules.row != base.row else f"the row of {puzzle}" if others else puzzle
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
    """Return `rules`, which the user gives, with a note where an answer states others.

    Args:
        stated: What the answer states.
        rules: What it is judged by.
    """
    if not (differing := _contradictions(stated, rules)):
        return rules
    note = f"the answer itself names other rules ({', '.join(differing)}): judged by {rules.name}"
    return replace(rules, notes=(note, *rules.notes))


def _contradictions(stated: Stated, rules: Rules) -> list[str]:
    """Return what is stated, or wrong with it, and differs from `rules`, as a message names it."""
    told = bundled_fields(stated.puzzle) if stated.puzzle is not None and is_bundled(stated.puzzle) else {}
    told |= stated.puzzle_fields()
    words = [] if stated.words_hash in (None, rules.words_hash) else [f"the words of {_list(stated)}"]
    known = {"row": rules.row, "rack": rules.rack_size, "values": dict(rules.values), "bonus": rules.bonus}
    try:
        named = made_rules(known | {key: told[key] for key in known.keys() & told.keys()}, "the answer", None, rules.name)
    except RulesError as error:
        return [str(error), *words]
    return [text for _name, text in _differences(named, rules)] + words


def _differences(rules: Rules, other: Rules) -> Iterator[tuple[str, str]]:
    """Yield each rule in which two puzzles differ, with its text."""
    if rules.row != other.row:
        yield "row", named_row(rules.row).removeprefix("the ")
    if rules.rack_size != other.rack_size:
        yield "rack", f"rack {rules.rack_size}"
    if rules.values != other.values:
        yield "values", "letter values of its own"
    if rules.bonus != other.bonus:
        yield "bonus", f"bonus {rules.bonus}"


def _list(stated: Stated) -> str:
    """A word list as a message names it."""
    digest = f" (SHA-256 {stated.words_hash[:_SHOWN_HASH]}...)" if stated.words_hash else ""
    return f"the list {quote(stated.words)}{digest}"
