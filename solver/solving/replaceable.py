"""Answers on file: what an answer may replace, so that nothing better is lost."""

import errno
import re
from pathlib import Path
from typing import Any

from solver.files import MOST_NESTING
from solver.show.reports import games_within
from verify import Rules, judge_all
from verify.reading import LARGEST_CERTIFICATE, json_value, read_file
from verify.replay.parse import TurnLine, parse, parse_list

_COUNT = re.compile(r"[0-9]{1,6}")
_WORD = re.compile(r"[a-z]+")
# the fields of an answer and of its turns as JSON: a file with any other field holds something else too
_FIELDS = {"name", "puzzle", "row", "rack", "values", "bonus", "words", "words_hash", "rules", "score", "bound", "gap", "turns"}
_FIELDS |= {"strategy", "parameters", "seed", "threads", "seconds", "cpu_seconds", "racks", "complete", "date", "versions"}
_FIELDS_OF_TURN = {"left", "play", "word", "points", "bonus", "score", "total"}


def is_answer(content: bytes) -> bool:
    """Return whether a file holds answers with at least one turn each, plain or JSON, and besides comments nothing else."""
    texts = parse_list(content) or [parse(content)]
    if any(text.unread or not text.turns or not all(map(_is_turn, text.turns)) for text in texts):
        return False
    return not texts[0].is_json or _has_no_other_field(json_value(content, MOST_NESTING))


def _is_turn(turn: TurnLine) -> bool:
    """Return whether a line has a count, a play and a word that the play can be."""
    fits = len(turn.play) == len(turn.word) and all(
        tile in (letter, "?") for tile, letter in zip(turn.play, turn.word, strict=True)
    )
    return fits and not turn.malformed and bool(_COUNT.fullmatch(turn.left) and _WORD.fullmatch(turn.word))


def _has_no_other_field(value: Any) -> bool:
    answers = value if isinstance(value, list) else [value]
    turns = [turn for answer in answers for turn in answer["turns"]]
    return all(answer.keys() <= _FIELDS for answer in answers) and all(turn.keys() <= _FIELDS_OF_TURN for turn in turns)


def _best_of(content: bytes, rules: Rules) -> int | None:
    """Return the score of the best valid answer in a file, a picture or a page; None if there is none."""
    texts = games_within(content) or [content]
    return max((verdict.score for text in texts for verdict in judge_all(text, rules) if verdict.valid), default=None)


def best_in(path: Path, rules: Rules) -> int | None:
    """Return the score of the best valid answer to a puzzle in a file; None if there is none, or the file cannot be read."""
    try:
        # a pipe without a writer would block for ever
        return _best_of(read_file(path, LARGEST_CERTIFICATE, as_input=False), rules) if path.is_file() else None
    except OSError:
        return None


def check_better(path: Path, score: int, rules: Rules) -> None:
    """Raise `FileExistsError` if a file holds a better answer than one of `score` points to the puzzle of `rules`.

    Raises `OSError` if the file cannot be read, since it may hold a better answer.
    """
    if not path.is_file():
        return
    best = _best_of(read_file(path, LARGEST_CERTIFICATE, as_input=False), rules)
    if best is not None and best > score:
        raise FileExistsError(errno.EEXIST, f"it stays as it is, with a better answer of {best} points", str(path))
