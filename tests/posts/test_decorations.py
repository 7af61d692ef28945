"""Whatever people put around an answer, its verdict is that of the bare one, and nothing that is wrong gets right by it."""

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.verify.test_referee import MUTATIONS, game
from verify import Rules, Verdict, judge, judge_all
from verify.replay.parse import parse
from verify.replay.referee import judge_text

Lines = list[str]


def per_line(form: Callable[[int, Lines], str]) -> Callable[[Lines], Lines]:
    """A decoration of each line, made of its number and its three fields."""
    return lambda lines: [form(number, line.split()) for number, line in enumerate(lines, start=1)]


def capitals(_number: int, fields: Lines) -> str:
    left, play, word = fields
    return f"{left} {''.join(w.upper() if tile == '?' else tile for tile, w in zip(play, word, strict=True))} {word}"


def starred(play: str) -> str:
    """A play with * for blanks, but for one that is nothing else."""
    return play.replace("?", "*") if play.strip("?") else play


CODE = ["score = 0", "total=0", "for left in range(11):", "    rack += row[:left]", "10 print x", "points = 5", "print(score)"]
DECORATIONS: dict[str, Callable[[Lines], Lines]] = {
    "as it is": lambda lines: lines,
    "a fence": lambda lines: ["Here it is:", "", "```", *lines, "```", "", "Any faster ones?"],
    "a fence with a language": lambda lines: ["~~~text", *lines, "~~~"],
    "four spaces": lambda lines: ["**My answer**", "", *("    " + line for line in lines), "", "Thanks for the puzzle!"],
    "quoted": lambda lines: ["> " + line for line in lines],
    "prose above": lambda lines: ["My beam search, in Python, finds this one.", *lines],
    "prose below": lambda lines: [*lines, "", "It ran for some minutes, on an old laptop."],
    "stars": per_line(lambda _n, f: f"* {' '.join(f)}"),
    "numbers": per_line(lambda n, f: f"{n}. {' '.join(f)}"),
    "numbers in brackets": per_line(lambda n, f: f"{n}) {' '.join(f)}"),
    "turns": per_line(lambda n, f: f"Turn {n}: {' '.join(f)}"),
    "a table": lambda lines: [
        "| left | play | word |",
        "|---|---|---|",
        *per_line(lambda _n, f: f"| {' | '.join(f)} |")(lines),
    ],
    "a table of numbers": per_line(lambda n, f: f"| {n} | {' | '.join(f)} |"),
    "commas": lambda lines: ["left,play,word", *per_line(lambda _n, f: ",".join(f))(lines)],
    "semicolons": per_line(lambda _n, f: ";".join(f)),
    "tabs": per_line(lambda _n, f: "\t".join(f)),
    "quotation marks": per_line(lambda _n, f: ",".join(f'"{field}"' for field in f)),
    "backticks": per_line(lambda _n, f: f"`{' '.join(f)}`"),
    "underscores": per_line(lambda _n, f: f"{f[0]} {f[1].replace('?', '_')} {f[2]}"),
    "stars for blanks": per_line(lambda _n, f: f"{f[0]} {starred(f[1])} {f[2]}"),
    "tuples": lambda lines: ["answer = [", *per_line(lambda _n, f: f"    ({f[0]}, {f[1]!r}, {f[2]!r}),")(lines), "]"],
    "tuples in a line": lambda lines: [f"[{', '.join(per_line(lambda _n, f: f'({f[0]}, {f[1]!r}, {f[2]!r})')(lines))}]"],
    "lists": lambda lines: ["[", *per_line(lambda _n, f: f'  [{f[0]}, "{f[1]}", "{f[2]}"],')(lines), "]"],
    "calls": per_line(lambda _n, f: f"game.add(new Turn({f[0]}, '{f[1]}', '{f[2]}'));"),
    "objects": lambda lines: [
        "```json",
        "[",
        *per_line(lambda _n, f: f'  {{\n    "left": {f[0]},\n    "play": "{f[1]}",\n    "word": "{f[2]}"\n  }},')(lines),
        "]",
        "```",
    ],
    "code before": lambda lines: [*CODE, "", "```", *lines, "```"],
    "code behind": lambda lines: ["Mine:", "", *lines, "", *CODE],
    "a comment of a page": lambda lines: ["ann • 2y ago", *lines, "", "Upvote", "961", "Downvote", "Reply", "Award", "Share"],
    "blank lines": lambda lines: [part for line in lines for part in (line, "")],
    "arrows": per_line(lambda _n, f: f"{f[0]} {f[1]} -> {f[2]}"),
    "upper case": lambda lines: [line.upper() for line in lines],
    "a page": lambda lines: ["<html><body><p>Mine:</p><pre>", *lines, "</pre></body></html>"],
    "a page with a table": per_line(lambda _n, f: "<tr>" + "".join(f"<td>{field}</td>" for field in f) + "</tr>"),
    "line breaks": lambda lines: ["<p>" + "<br>".join(lines) + "</p>"],
}


NEEDS_THREE_FIELDS = {"underscores", "arrows", "stars for blanks", "tuples", "tuples in a line", "lists", "calls", "objects"}


def moves(verdict: Verdict) -> list[tuple[str, str, str, str, int]]:
    return [(turn.left, turn.right, turn.play, turn.word, turn.total) for turn in verdict.turns]


def strictly(content: bytes, rules: Rules) -> Verdict:
    """What the plain format alone makes of a content."""
    return judge_text(parse(content), rules)


@pytest.mark.parametrize("name", DECORATIONS)
@settings(max_examples=30)
@given(seed=st.integers(0, 10**9))
def test_a_decorated_answer_gets_the_verdict_of_the_bare_one(name: str, seed: int) -> None:
    rules, lines, total = game(seed)
    if not lines:
        return
    verdict = judge("\n".join(DECORATIONS[name](lines)), rules)
    assert verdict.valid, verdict.as_text()
    assert verdict.score == total
    assert moves(verdict) == moves(judge("\n".join(lines), rules))


@settings(max_examples=60)
@given(seed=st.integers(0, 10**9))
def test_capitals_among_small_letters_are_blanks(seed: int) -> None:
    rules, lines, total = game(seed)
    # a play of capitals alone is upper case, and says nothing of blanks
    if not lines or any(set(line.split()[1]) == {"?"} for line in lines):
        return
    written = per_line(capitals)(lines)
    verdict = judge("\n".join(written), rules)
    codes = {fault.code for fault in verdict.violations}
    assert (
        (verdict.valid and verdict.score == total) or "ambiguous" in codes or strictly("\n".join(written).encode(), rules).valid
    )


@pytest.mark.parametrize("name", DECORATIONS)
@pytest.mark.parametrize("mutation", [name for name in MUTATIONS if name != "four fields"])
@settings(max_examples=8)
@given(seed=st.integers(0, 10**9))
def test_a_faulty_line_is_faulty_in_any_decoration_that_keeps_it(name: str, mutation: str, seed: int) -> None:
    rules, lines, _total = game(seed)
    letters = [i for i, line in enumerate(lines) if set(line.split()[1]) != {"?"}]
    if not letters:
        return
    mutate, _code = MUTATIONS[mutation]
    place = letters[seed % len(letters)]
    changed = [*lines]
    changed[place] = " ".join(mutate(lines[place].split()))
    if mutation == "no word" and name in NEEDS_THREE_FIELDS:
        return
    verdict = judge("\n".join(DECORATIONS[name](changed)), rules)
    assert not verdict.valid


@settings(max_examples=200)
@given(content=st.one_of(st.binary(max_size=200), st.text(max_size=200).map(lambda text: text.encode("utf-8", "replace"))))
def test_strict_is_the_plain_format_whatever_the_bytes(content: bytes) -> None:
    rules, _lines, _total = game(5)
    assert replaced(judge(content, rules, strict=True)) == replaced(strictly(content, rules))


def replaced(verdict: Verdict) -> tuple[object, ...]:
    return verdict.valid, verdict.score, verdict.faults, verdict.turns


@settings(max_examples=200)
@given(seed=st.integers(0, 10**9), mutation=st.sampled_from(sorted(MUTATIONS)))
def test_a_file_in_the_plain_format_keeps_its_verdict_with_every_fault(seed: int, mutation: str) -> None:
    rules, lines, total = game(seed)
    if lines:
        place = seed % len(lines)
        lines[place] = " ".join(MUTATIONS[mutation][0](lines[place].split()))
    content = "\n".join(["# mine", *lines, "", f"# score {total}"]).encode()
    assert replaced(judge(content, rules)) == replaced(strictly(content, rules))


FRAGMENTS = st.sampled_from(
    [
        *("6 tea tea", "| 6 | t?a | tea |", "1. 0 a a", "0 aT at", "-1 at at", "tea", "&gt; 0 a a", "> 3 at at", "|"),
        *("```", "<pre>", "</pre>", "**ann**", "## ben", "Total: 9", "# puzzle x", "# row teas?tab"),
        *("some words, in a row", "3 seconds later", "\x1b[31m", ""),
    ]
)


@settings(max_examples=300)
@given(st.lists(st.one_of(FRAGMENTS, st.text(max_size=12)), max_size=14))
def test_any_mixture_of_such_lines_gets_verdicts_that_can_be_printed(lines: Lines) -> None:
    content = "\n".join(lines).encode("utf-8", "replace")
    for verdict in judge_all(content):
        shown = verdict.as_text(every=True, explain=True)
        assert all(c.isprintable() or c in "\n\u200c\u200d" for c in shown)
        assert verdict.valid == (not verdict.violations)
        verdict.as_json(explain=True)


HEADINGS = ("**u/name{}**", "## name {}", "/u/name{}", "# puzzle name{}")


@settings(max_examples=100)
@given(seed=st.integers(0, 10**9), ends=st.lists(st.integers(1, 12), min_size=2, max_size=4), heading=st.sampled_from(HEADINGS))
def test_answers_under_headings_get_the_verdicts_that_they_get_alone(seed: int, ends: list[int], heading: str) -> None:
    rules, lines, _total = game(seed)
    if not lines:
        return
    games = [lines[:end] for end in ends]
    if "#" in heading and judge("\n".join(line for part in games for line in part), rules).valid:
        return  # in the plain format these are comments, between turns that go on with the game
    text = "\n\n".join("\n".join([heading.format(number), "", *part]) for number, part in enumerate(games))
    verdicts = judge_all(text, rules)
    assert [moves(verdict) for verdict in verdicts] == [moves(judge("\n".join(part), rules)) for part in games]
    assert all(verdict.valid for verdict in verdicts)


@pytest.mark.parametrize("sign", "?_*.#@%-")
@pytest.mark.parametrize("play", ["s{}at", "min{}e", "ms{}t", "s{}"])
def test_a_play_that_begins_like_a_unit_of_time_is_no_duration(sign: str, play: str) -> None:
    if play == "s{}" and sign in ".-":
        return  # "it took 3 s. then" is prose
    rules, lines, _total = game(28421)
    assert judge("\n".join(lines[:1]), rules).valid
    broken = f"3 {play.format(sign)} {'q' * (len(play) - 1)}"
    assert not judge(f"{lines[0]}\n{broken}", rules).valid
    assert judge(f"{lines[0]}\n\nIt took 3 s, or 2 min. in all.", rules).valid
