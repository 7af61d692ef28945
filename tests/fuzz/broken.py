"""Posts with one broken line, and whether it is lost in silence.

A broken line is lost if all verdicts are valid, fewer turns are read than the post has lines, and
no fault and no note names the line. What the core accepts in the plain format is not broken.
"""

import random
import re
import string
from collections.abc import Iterator
from typing import NamedTuple

from tests.posts.forms import FORMS, OTHER, RECORD, per_line
from verify import Rules, judge_all, load_rules
from verify.core import is_valid, replay, turns_of

_SIGNS = f"{string.ascii_lowercase}?0123456789 -.,;*#!A"
_WORD = re.compile("[a-z]")


class Post(NamedTuple):
    """A post with a broken line. lines: those of its text that hold the broken one."""

    text: str
    lines: range
    turns: list[str]
    broken: str


def spoilt_line(line: str, rng: random.Random) -> str:
    """Return a line with a slip in a character, a field or the end."""
    fields = line.split()
    where = rng.randrange(len(line) + 1)
    sign = rng.choice(_SIGNS)
    return rng.choice(
        [
            line[:where] + sign + line[where:],
            line[:where] + line[where + 1 :],
            line[:where] + sign + line[where + 1 :],
            line[: max(1, where)],
            " ".join(fields[:2]),
            " ".join(fields[1:]),
            f"{fields[0]}{fields[1]}",
            f"{fields[0]} {fields[1]}{fields[2]}",
            f"{fields[0]}{fields[1]} {fields[2]}",
            f"{line} {fields[2]}",
            f"{rng.randrange(14)} {fields[1]} {fields[2]}",
            f"{fields[0]} {fields[2]} {fields[1][::-1]}",
            f"{fields[1]} {fields[2]} {fields[0]}",
        ]
    )


def posts(number: int, seed: int) -> Iterator[Post]:
    """Yield posts of all forms, each with one line that the core refuses."""
    rng = random.Random(seed)
    rules = load_rules()
    made = 0
    while made < number:
        turns = rng.choice([RECORD, OTHER])[: rng.choice([2, 3, 5, 13])]
        at = rng.randrange(len(turns))
        broken = [*turns[:at], spoilt_line(turns[at], rng), *turns[at + 1 :]]
        if is_valid(replay(rules, turns_of("\n".join(broken)))):
            continue
        name = rng.choice([*FORMS])
        above, form, below = FORMS[name]
        before = above + per_line(form, broken[:at])
        text = above + per_line(form, broken) + below
        first = before.count("\n") + (at > 0)
        height = per_line(form, broken[at : at + 1]).count("\n") + 1
        made += 1
        yield Post(text, range(first + 1, first + height + 1), broken, broken[at])


def is_lost(post: Post, rules: Rules) -> bool:
    """Whether no verdict on a post says anything of its broken line.

    A slip may be mended, so that all turns are read, but not a field too many.
    """
    verdicts = judge_all(post.text, rules)
    if not all(verdict.valid for verdict in verdicts):
        return False
    is_mended = sum(len(verdict.turns) for verdict in verdicts) >= len(post.turns)
    if is_mended and sum(map(bool, map(_WORD.search, post.broken.split()))) <= 2:
        return False
    notes = " ".join(note for verdict in verdicts for note in verdict.notes)
    named = {int(line.replace(",", "")) for line in re.findall(r"line ([\d,]*\d)", notes)}
    return named.isdisjoint(post.lines)
