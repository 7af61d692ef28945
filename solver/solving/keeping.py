"""Answers on file: what an answer may replace, so that nothing better is lost."""

import errno
from pathlib import Path

from verify import Rules, judge_all
from verify.reading import LARGEST_TEXT, read_file
from verify.replay.parse import parse, parse_list


def is_answer(content: bytes) -> bool:
    """Whether a file holds answers and nothing else: in the plain format, or as JSON."""
    texts = parse_list(content) or [parse(content)]
    return all(
        text.is_json or (text.turns and not any(fault.code in ("malformed-line", "not-utf8") for fault in text.violations))
        for text in texts
    )


def holds_answer(content: bytes) -> bool:
    """Whether a file holds an answer, whatever else it holds: a post, a table."""
    return any(verdict.turns for verdict in judge_all(content))


def best_in(path: Path, rules: Rules) -> int | None:
    """Return the score of the best answer to a puzzle in a file.

    Args:
        path: The file.
        rules: The puzzle's.

    Returns:
        The score in points; None where the file holds no valid answer to this puzzle, or cannot be read.
    """
    try:
        content = read_file(path, LARGEST_TEXT, as_input=False)
    except OSError:
        return None
    return max((verdict.score for verdict in judge_all(content, rules) if verdict.valid), default=None)


def check_better(path: Path, score: int, rules: Rules) -> None:
    """Raise `FileExistsError` if a file holds a better answer than one of `score` points to the puzzle of `rules`."""
    if path.is_file() and (best := best_in(path, rules)) is not None and best > score:
        raise FileExistsError(errno.EEXIST, f"it stays as it is, with a better answer of {best} points", str(path))
