"""Recognizes comments that were meant to state a rule and do not: `# rack seven`, `# rakc 7`, `# words nope`."""

import re
from difflib import get_close_matches

from verify.replay.rules import bundled_list, is_bundled
from verify.replay.stated import rule_in
from verify.text import quote

# a comment of several words is a remark
_MISSPELT = re.compile(
    r"# ?(?:(?P<name>rack|bonus)(?: ?[:=] ?| )(?P<value>\S+|[0-9]+ ?(?:tiles?|letters?|points?|pts|[(#].*))"
    r"|values(?: ?[:=] ?| )(?P<pairs>\S+(?:=\S*)?(?: \S+=\S+)*)"
    r"|words(?: ?[:=] ?| )(?P<list>(?![0-9,.]+$)\S+(?: [0-9a-f]{8,})?))",
    re.IGNORECASE,
)
_EXPECTED = {
    "rack": "a whole number of at most 6 digits, such as '# rack 7'",
    "bonus": "a whole number of at most 6 digits, such as '# bonus 50'",
    "values": "english, none or tile=number pairs, such as '# values a=1 b=3'",
    "words": "'# words enable1', or the name of another list and its SHA-256 in 64 digits",
}
# a rule with any name; a value that only a rule has says more than the name
_ANY_RULE = re.compile(
    r"# ?(?P<name>[a-z]{3,8})(?: ?[:=] ?| )(?:(?P<values>english|none|[a-z?]=[0-9]+(?: [a-z?]=[0-9]+)*)|(?P<number>[0-9]{1,5})"
    r"|(?P<words>\S.* [0-9a-f]{64})|(?P<row>[a-z?]*\?[a-z][a-z?]*|[a-z]{30,})|(?P<puzzle>[\w.-]+))",
    re.IGNORECASE,
)
_LONGEST = 400  # characters of a comment whose name is compared, since the pattern may need quadratic time
_ALIKE = 0.75  # of two names, see `difflib`; of rakc and rack


def misspelt_rule(comment: str) -> str:
    """Return a clause on a comment that seems to state a rule but does not, such as `# rack seven`; empty for others."""
    match = _MISSPELT.fullmatch(" ".join(comment.split()))
    if match is None:
        return _misspelt_name(" ".join(comment.split()))
    if rule_in(match[0]) is not None:
        return ""
    if match["list"]:
        return f"{quote(match['list'])} is no bundled word list: expected {_EXPECTED['words']}"
    name = (match["name"] or "values").lower()
    return f"{quote(match['value'] or match['pairs'])} states no {name}: expected {_EXPECTED[name]}"


def _misspelt_name(comment: str) -> str:
    """Return a clause on a comment such as `# rakc 7`, whose name is like that of a rule and no word of the language."""
    match = _ANY_RULE.fullmatch(comment) if len(comment) <= _LONGEST else None
    if match is None:
        return ""
    name, kind = match["name"].lower(), str(match.lastgroup)
    alike = get_close_matches(name, ("rack", "bonus") if kind == "number" else (kind,), n=1, cutoff=_ALIKE)
    if not alike or name in alike or (kind == "puzzle" and not is_bundled(match["puzzle"])):
        return ""
    if kind == "number" and name in bundled_list():
        return ""
    return f"{quote(match['name'])} names no rule, did you mean {alike[0]!r}?"
