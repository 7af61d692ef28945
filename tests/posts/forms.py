"""Posts: the two best known answers in the forms in which people and programs write turns."""

from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
Lines = list[str]


def turns_in(file: str) -> Lines:
    """Return the lines of an answer, without its comments."""
    lines = (ROOT / file).read_text().splitlines()
    return [line for line in lines if not line.startswith("#")]


RECORD = turns_in("results/challenge/1042.txt")
OTHER = turns_in("examples/other.txt")


def per_line(form: str, lines: Sequence[str]) -> str:
    """Write each line in a form, by its number, its fields and the whole of it."""
    written = []
    for number, line in enumerate(lines, start=1):
        # a broken line may lack fields, or have more
        left, play, word, *more = [*line.split(" "), "", ""]
        word = " ".join([word, *filter(None, more)])
        fields = {"n": number, "left": left, "play": play, "word": word}
        bracketed = play.replace("?", "[?]")
        written.append(form.format(line=line, bracketed=bracketed, **fields))
    return "\n".join(written)


def capitals(line: str) -> str:
    """Return a line with capitals for blanks."""
    left, play, word = line.split()
    pairs = zip(play, word, strict=False)
    shown = "".join(letter.upper() if tile == "?" else tile for tile, letter in pairs)
    return f"{left} {shown} {word}"


# what stands above the turns, each turn, and what stands below them
FORMS = {
    "as it is": ("", "{line}", ""),
    "a fence": ("Here it is:\n\n~~~text\n", "{line}", "\n~~~\n\nAny faster ones?"),
    "four spaces": ("**My answer**\n\n", "    {line}", "\n\nThanks for the puzzle!"),
    "quoted": ("", "> > {line}", ""),
    "touching prose": (
        "My beam search, in Python, finds this one.\n",
        "{line}",
        "\nIt ran for some minutes.",
    ),
    "turns": ("", "Turn {n}: {line}", ""),
    "a table": ("| left | play | word |\n|---|---|---|\n", "| {left} | {play} | {word} |", ""),
    "a table of numbers": ("", "| {n} | {left} | {play} | {word} | nice |", ""),
    "other columns": ("word,tiles,left\n", "{word},{play},{left}", ""),
    "lists": ("[\n", "  [{left}, '{play}', '{word}'],", "\n]"),
    "calls": ("", "game.add(new Turn({left}, '{play}', '{word}'));", ""),
    "logs": ("", "[INFO] turn={n} left={left} play={play} word={word}", ""),
    "objects": (
        "```\n",
        '{{\n "left": {left},\n "play": "{play}",\n "word": "{word}"\n}},',
        "\n```",
    ),
    "code before": (
        "score = 0\nfor left in range(11):\n    rack += row[:left]\n\n```\n",
        "{line}",
        "\n```",
    ),
    "the word first": ("", "- word: {word}\n  play: {play}\n  left: {left}", ""),
    "columns of spaces": (
        "Left  Rack  Play  Word\n",
        "{left:>4}  abcdefghij  {play:10}  {word}",
        "",
    ),
    "spoilers": ("", ">!{line}!<", ""),
    "a page": (
        "<html><!-- 3 asp\nasps --><body><p>Mine:</p><pre>\n",
        "{line}",
        "\n</pre></body></html>",
    ),
    "a page with a table": ("", "<tr><td>{left}</td><td>{play}</td><td>{word}</td></tr>", ""),
    "brackets for blanks": ("", "{left} {bracketed} {word}", ""),
    "bullets": ("", "* {line}", ""),
    "numbered": ("", "{n}. {line}", ""),
    "points": ("", "{line} = 12 points", ""),
    "double spaced": ("Mine:\n\n", "{line}\n", "\nThanks!"),
    "arrows": ("", "{left} {play} -> {word}", ""),
    "key and value": ("", "left={left} play={play} word={word}", ""),
    "JSON lines": ("", '{{"left": {left}, "play": "{play}", "word": "{word}"}}', ""),
    "YAML": ("moves:\n", "  - left: {left}\n    play: {play}\n    word: {word}", ""),
    "TOML": ("", '[[moves]]\nleft = {left}\nplay = "{play}"\nword = "{word}"\n', ""),
    "CSV": ("turn,left,play,word\n", "{n},{left},{play},{word}", ""),
    "Reddit's table": ("L|play|word\n:-|:-|:-\n", "{left}|{play}|{word}", "\n\nNot bad?"),
    "prose": ("", "Turn {n}: {left} left: {play} ({word})", ""),
    "lists of lists": ("[\n", '  [\n    {left},\n    "{play}",\n    "{word}"\n  ],', "\n]"),
}


def in_form(name: str, lines: Sequence[str]) -> str:
    """Return the post that holds lines in a form."""
    above, form, below = FORMS[name]
    return above + per_line(form, lines) + below
