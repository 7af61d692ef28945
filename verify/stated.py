"""The rules that an answer states: in comments, or as fields of JSON.

They are read and written here.

They are a claim. Where the user gives no rules, the referee judges by them, and the name of the
rules says so. No answer decides which files are opened: its puzzle and its word list must be
bundled ones.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from string import ascii_lowercase
from typing import Any

from verify.core import BLANK, Fault
from verify.files import Places, bundled_words
from verify.rules import (
    Rules,
    RulesError,
    bundled_fields,
    is_bundled,
    load_rules,
    named_row,
    rules_name,
    wrong_rule,
)
from verify.text import lower, quote

DEFAULT_PUZZLE = "challenge"
_SHOWN_HASH = 12  # digits
_MOST_SHOWN = 8  # letter values in the name of rules
_LONGEST_COMMENT = 12_000
_HASH = re.compile("[0-9a-f]{64}")
_COMMENT = re.compile(r"#\s*([a-z]{3,8})(?:\s*[:=]\s*|\s+)(\S.*)", re.IGNORECASE)
_PAIR = re.compile("[a-z?]=[0-9]{1,6}")
_EXPECTED = {
    "rack": "a whole number of at most 6 digits, such as 7",
    "bonus": "a whole number of at most 6 digits, such as 50",
    "values": "english, none or the number of each tile, each tile once, such as a=1 b=3",
    "words": "enable1, or the name of another list and its SHA-256 in 64 digits",
}
RULES = ("row", "rack", "values", "bonus", "words", "words_hash")
_LONGEST_LIST = 100  # characters of the name of a word list


@dataclass(frozen=True)
class Stated:
    """The rules that an answer states; None for those that it does not state.

    puzzle: The name of a bundled puzzle, or of another one.
    values: The name of a tile set, or the value of each tile.
    words, words_hash: The name of the word list, and the SHA-256 of its words, sorted, a line each.
    lines: The line that states each rule, as pairs.
    faults: Those of what states them.
    """

    puzzle: str | None = None
    row: str | None = None
    rack: int | None = None
    values: str | tuple[tuple[str, int], ...] | None = None
    bonus: int | None = None
    words: str | None = None
    words_hash: str | None = None
    lines: tuple[tuple[str, int], ...] = field(default=(), compare=False)
    faults: tuple[Fault, ...] = field(default=(), compare=False)

    def places(self, file: str) -> Places:
        """Return the places of the rules in the answer's `file`, for messages."""
        return Places(file, dict(self.lines))

    def with_rule(self, line: int, text: str, fields: Mapping[str, Any]) -> "Stated":
        """Return these rules with those of one more line, or with a fault if they contradict."""
        for name, value in fields.items():
            earlier = getattr(self, name)
            if earlier not in (None, value):
                above = f"line {dict(self.lines)[name]}, which says {name} {quote(earlier)}"
                what = f"{quote(text)} contradicts {above}: expected one of them"
                return replace(
                    self, faults=(*self.faults, Fault(line, "contradictory-rules", what))
                )
        return replace(self, **fields, lines=(*self.lines, *((name, line) for name in fields)))

    def over(self, others: "Stated") -> "Stated":
        """Return these rules, completed by `others`."""
        own = {name: value for name, value in vars(self).items() if value is not None}
        return replace(others, **own | {"lines": (*others.lines, *self.lines)})

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
        fields = {
            "row": self.row,
            "rack": self.rack,
            "values": values,
            "bonus": self.bonus,
            "words": self.words,
        }
        return {name: value for name, value in fields.items() if value is not None}


RulesOf = Callable[[Stated], Rules]
"""The rules of an answer, by what it states. Raises `RulesError`."""


def statement(line: str) -> tuple[dict[str, Any], str]:
    """Read a comment that may state a rule, such as `# rack 7`.

    Returns:
        The fields of `Stated` that it gives, none for a remark; and a clause on a remark that looks
        like a rule.
    """
    comment = _COMMENT.fullmatch(line.strip()[:_LONGEST_COMMENT])
    if comment is None:
        return {}, ""
    name, text = comment[1].lower(), comment[2].strip()
    value = " ".join(text.split())
    if name == "puzzle":
        return {"puzzle": text}, ""  # names of files may have more than one space in them
    if name == "row" and " " in value:
        return {}, ""
    if name == "row":
        return {"row": lower(value)}, ""
    if name not in _EXPECTED:
        return {}, _misspelt(name, value)
    fields = _fields(name, lower(value), value)
    if fields:
        return fields, ""
    if " " not in value or "=" in value or value[0].isdigit():
        return {}, f"{quote(value)} states no {name}: expected {_EXPECTED[name]}"
    return {}, ""


def _fields(name: str, value: str, written: str) -> dict[str, Any]:
    """Return the fields that the value of a rule gives.

    None if it is not of the kind that the rule takes.
    """
    if name in ("rack", "bonus"):
        if re.fullmatch("[0-9]{1,6}", value):
            return {name: int(value)}
        return {}
    if name == "words":
        return _words_stated(written)
    if value == "none":
        return {name: ()}
    if value == "english":
        return {name: value}
    pairs = [pair.split("=") for pair in value.split() if _PAIR.fullmatch(pair)]
    if len(pairs) < len(value.split()):
        return {}
    if len({tile for tile, _value in pairs}) < len(pairs):
        return {name: value}  # which no puzzle has
    return {name: tuple((tile, int(number)) for tile, number in pairs)}


def _words_stated(written: str) -> dict[str, Any]:
    """Return the fields of a word list: the name of a bundled one, or a name and a digest."""
    words, _space, digest = written.rpartition(" ")
    digest = lower(digest)
    if not words and bundled_words(digest):
        return {"words": digest}
    # a digest of a bundled list that is cut is wrong, and is refused with the rules
    is_cut = bundled_words(words) is not None and re.fullmatch("[0-9a-f]{3,}", digest)
    if words and (is_cut or _HASH.fullmatch(digest)):
        return {"words": words, "words_hash": digest}
    return {}


def _misspelt(name: str, value: str) -> str:
    """Return a clause on a comment such as `# rakc 7`, whose name is like that of a rule."""
    alike = get_close_matches(name, _EXPECTED, n=1, cutoff=0.75)
    is_value = "=" in value or value.isdigit() or value == "english"
    return f"{quote(name)} names no rule, did you mean {alike[0]!r}?" if alike and is_value else ""


def stated_in(fields: Mapping[str, Any]) -> Stated:
    """Return the rules that a JSON answer states.

    `puzzle`, `row` and the fields of `rules` are read as the comments that state the same.
    """
    wrong: list[str] = []
    rules = fields.get("rules")
    if not isinstance(rules, dict | None):
        wrong.append(f"rules = {quote(rules)}: expected an object")
    rules = rules if isinstance(rules, dict) else {}
    wrong += [
        f"rules: unknown field {quote(name)}: expected {', '.join(RULES)}"
        for name in sorted(rules.keys() - RULES)
    ]
    if (
        None not in (row := fields.get("row"), other := rules.get("row"))
        and str(row).lower() != str(other).lower()
    ):
        wrong.append(
            f"row = {quote(row)}, but rules.row = {quote(other)}: expected the same row in both"
        )
    given = rules | {
        name: fields[name] for name in ("puzzle", "row") if fields.get(name) is not None
    }
    if (digest := given.pop("words_hash", None)) is not None:
        given["words"] = " ".join(
            str(part) for part in (given.get("words"), digest) if part is not None
        )
    stated: dict[str, Any] = {}
    for name in ("puzzle", *RULES):
        value = given.get(name)
        text = str(value)
        if isinstance(value, dict):
            text = " ".join(f"{tile}={number}" for tile, number in value.items()) or "none"
        found = {} if value is None else statement(f"# {name} {text}")[0]
        if value is not None and not found:
            wrong.append(
                f"{name} = {quote(value)}: expected {_EXPECTED.get(name, 'a text in one line')}"
            )
        stated |= found
    return Stated(**stated, faults=tuple(Fault(0, "unknown-puzzle", what) for what in wrong))


def stated_rules(stated: Stated, words: str | None, file: str) -> Rules:
    """Return the rules that an answer states, completed from its bundled puzzle or the challenge.

    Args:
        stated: The stated rules.
        words: The file of the word list that the user gives instead; None for the stated one.
        file: The file of the answer, for messages.

    Raises:
        RulesError: For a puzzle that is neither bundled nor stated completely, a word list that is
            not bundled, and values that no puzzle can have.
    """
    puzzle = stated.puzzle or DEFAULT_PUZZLE
    places = stated.places(file)
    if not is_bundled(puzzle):
        if not stated.is_complete:
            what = (
                f"it says that it answers the puzzle {quote(puzzle)}: pass that file with --puzzle"
            )
            raise wrong_rule(places, "puzzle", what)
        puzzle = DEFAULT_PUZZLE
    named = f"its words are those of {_list(stated)}"
    if words is None and stated.words is not None and bundled_words(stated.words) is None:
        raise wrong_rule(
            places, "words", f"{named}, which is not bundled: pass them with --words FILE"
        )
    base = load_rules(puzzle, words)
    rules = load_rules(puzzle, words or stated.words).with_fields(stated.puzzle_fields(), places)
    strange_words = stated.words_hash not in (None, rules.words_hash)
    if words is None and strange_words:
        other = "the bundled list of that name has others"
        raise wrong_rule(places, "words", f"{named}; {other}: pass them with --words FILE")
    others = [text for name, text in _differences(rules, base) if name != "row"]
    if rules.words is not base.words and rules.words != base.words:
        others.append(f"words {quote(stated.words)}")
    if strange_words:
        note = f"the answer names other words, those of {_list(stated)}: judged with {words}"
        rules = replace(rules, notes=(note, *rules.notes))
    return replace(rules, name=rules_name(puzzle, rules.row, base.row, words, others))


def overridden(stated: Stated, rules: Rules) -> Rules:
    """Return the user's `rules`, with a note where an answer states others."""
    if not (differing := _contradictions(stated, rules)):
        return rules
    note = f"the answer itself names other rules ({', '.join(differing)}): judged by {rules.name}"
    return replace(rules, notes=(note, *rules.notes))


def _contradictions(stated: Stated, rules: Rules) -> list[str]:
    """Return the stated rules that differ from `rules`, and errors in them, for messages."""
    fields: dict[str, Any] = {}
    if stated.puzzle is not None and is_bundled(stated.puzzle):
        fields |= bundled_fields(stated.puzzle)
    fields |= stated.puzzle_fields()
    words = []
    if stated.words_hash not in (None, rules.words_hash):
        words.append(f"the words of {_list(stated)}")
    try:
        named = rules.with_fields(fields, Places("the answer"))
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
        tiles = [
            tile
            for tile in (*ascii_lowercase, BLANK)
            if rules.values.get(tile, 0) != other.values.get(tile, 0)
        ]
        tiles.sort(key=lambda tile: not rules.values.get(tile))  # values of 0 come last
        more = f" and {len(tiles) - _MOST_SHOWN} more" if len(tiles) > _MOST_SHOWN else ""
        values = " ".join(f"{tile}={rules.values.get(tile, 0)}" for tile in tiles[:_MOST_SHOWN])
        yield "values", f"letter values of its own ({values}{more})"
    if rules.bonus != other.bonus:
        yield "bonus", f"bonus {rules.bonus}"


def _list(stated: Stated) -> str:
    """A word list as a message names it."""
    name = f"the list {quote(stated.words)}"
    if stated.words_hash:
        name += f" (SHA-256 {stated.words_hash[:_SHOWN_HASH]}...)"
    return name


def comments_of(rules: Rules) -> str:
    """Return the comments with which an answer states rules, a line each.

    None for the challenge's own.
    """
    name, named = _named(rules)
    values = {tile: value for tile, value in sorted(rules.values.items()) if value}
    texts = {
        "row": rules.row,
        "rack": str(rules.rack_size),
        "values": " ".join(f"{tile}={value}" for tile, value in values.items()) or "none",
        "bonus": str(rules.bonus),
        "words": f"{_one_line(rules.word_list.name)} {rules.words_hash}",
    }
    lines = [f"{rule} {texts[rule]}" for rule in named]
    # a reader recognises the start of an answer by a line with the puzzle or the row
    if name != DEFAULT_PUZZLE or (lines and "row" not in named):
        lines.insert(0, f"puzzle {name}")
    return "".join(f"# {line}\n" for line in lines)


def fields_of(rules: Rules) -> dict[str, Any]:
    """Return the fields with which an answer in JSON states its puzzle and all rules."""
    name, named = _named(rules)
    fields: dict[str, Any] = {"puzzle": name}
    if "row" in named:
        fields["row"] = rules.row
    words = {"words": _one_line(rules.word_list.name), "words_hash": rules.words_hash}
    stated = rules.fields() | words
    return {**fields, "rules": {rule: stated[rule] for rule in RULES}}


def _named(rules: Rules) -> tuple[str, list[str]]:
    """Return the bundled puzzle that an answer names, and the rules that it must state."""
    name = rules.puzzle if is_bundled(rules.puzzle) else DEFAULT_PUZZLE
    usual = load_rules(name)
    named = [rule for rule, _text in _differences(rules, usual)]
    if rules.words_hash != usual.words_hash:
        named.append("words")
    return name, named


def _one_line(name: str) -> str:
    """Return the name of a file in a form that fits one line of a comment."""
    shown = "".join(c if c.isprintable() else "?" for c in name)
    return " ".join(shown.split())[:_LONGEST_LIST] or "?"
