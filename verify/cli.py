"""The command line of the referee."""

import argparse
import io
import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from verify.bound import is_certificate
from verify.parse import parse
from verify.reading import LARGEST_CERTIFICATE, LARGEST_TEXT, check_size, larger_files, read_file, read_input
from verify.referee import judge_text
from verify.rules import Rules, RulesError, is_bundled, load_rules
from verify.scrabble.gcg import is_gcg
from verify.scrabble.judge import GameVerdict, judge_game
from verify.text import printable, quote
from verify.verdict import Verdict

if TYPE_CHECKING:
    from verify.bound.certificate import BoundVerdict

DEFAULT_PUZZLE = "challenge"


def main(arguments: Sequence[str], program: str = "verify") -> int:
    """Judge the files in `arguments`; returns the exit code: 0 if all are valid, 1 for a violation, 2 for unreadable input."""
    options = _parser(program).parse_args(arguments)
    if sys.stdout is None:
        print(f"{program}: standard output is closed", file=sys.stderr)
        return 2
    # a verdict quotes texts from files, which not every terminal can show
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")
    with larger_files(options.max_size):
        return _judge_all(options, program)


def _judge_all(options: argparse.Namespace, program: str) -> int:
    """Print the verdict on each file, in text as soon as it is known; returns the exit code."""
    verdicts: list[Verdict | GameVerdict | BoundVerdict] = []
    unreadable = False
    judge = Judge(options.puzzle, options.words, options.tiles, options.extra_words)
    for file in options.files or ["-"]:
        try:
            verdicts.append(judge(file))
        except MemoryError:
            problem = f"{file}: too large for this machine's memory"
        except RulesError as error:
            problem = str(error)
        except OSError as error:
            problem = f"{file}: cannot be read ({error.strerror})"
        else:
            if not options.json:
                print(verdicts[-1].as_text(), end="")
            continue
        unreadable = True
        print(f"{program}: {printable(problem)}", file=sys.stderr)
    if options.json:
        print(json.dumps([verdict.as_json() for verdict in verdicts], indent=2))
    if unreadable:
        return 2
    return 0 if all(verdict.valid for verdict in verdicts) else 1


def run() -> int:
    """`main` as a program of its own: an interruption or a failed write ends it without a traceback."""
    try:
        code = main(sys.argv[1:])
        if sys.stdout is not None:
            sys.stdout.flush()
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        print(f"verify: the verdict cannot be written ({error.strerror})", file=sys.stderr)
        return 2
    return code


class Judge:
    """Judges files, each with the referee for its content; it reads each puzzle only once."""

    def __init__(self, puzzle: str | None, words: str | None, tiles: str | None = None, extra_words: str | None = None) -> None:
        self._puzzle = puzzle
        self._words = words
        self._tiles = tiles
        self._extra_words = extra_words
        self._rules: dict[tuple[str, str | None], Rules] = {}

    def __call__(self, file: str) -> "Verdict | GameVerdict | BoundVerdict":
        """The verdict on `file`, a row-draw solution, a whole game or a certificate of a bound.

        Raises `RulesError` or `OSError`.
        """
        content = _read(file)
        if is_certificate(content):
            return self._judge_certificate(content, file)
        if self._puzzle is None and is_gcg(content):
            return judge_game(content, file, self._tiles, self._words, self._extra_words)
        return self._judge_solution(content, file)[0]

    def _judge_certificate(self, content: bytes, file: str) -> "BoundVerdict":
        # only certificates need numpy, because their bounds go through all words again and again
        try:
            from verify.bound.certificate import judge_certificate, read_certificate
        except ImportError as error:
            raise RulesError(f"{file}: a certificate of a bound is checked with numpy: pip install numpy") from error
        told = read_certificate(content, file)
        return judge_certificate(told, self._rules_of(told["puzzle"], told.get("row"), file), file, _show_progress)

    def with_rules(self, file: str) -> tuple[Verdict, Rules]:
        """The verdict on a row-draw solution, and the rules it was judged by. Raises `RulesError` or `OSError`."""
        return self._judge_solution(_read(file), file)

    def _judge_solution(self, content: bytes, file: str) -> tuple[Verdict, Rules]:
        text = parse(content)
        rules = self._rules_of(text.puzzle, text.row, file)
        return judge_text(text, rules, file), rules

    def _rules_of(self, named: str | None, row: str | None, file: str) -> Rules:
        """The rules of the puzzle of `--puzzle`, else those of the bundled puzzle that the file names."""
        if self._puzzle is None and named is not None and not is_bundled(named):
            raise RulesError(f"{file}: it says that it answers the puzzle {quote(named)}: give --puzzle FILE with it")
        puzzle, row = (named or DEFAULT_PUZZLE, row) if self._puzzle is None else (self._puzzle, None)
        if (puzzle, row) not in self._rules:
            self._rules[puzzle, row] = load_rules(puzzle, self._words, row)
        return self._rules[puzzle, row]


def _read(file: str) -> bytes:
    content = read_input(LARGEST_CERTIFICATE) if file == "-" else read_file(Path(file), LARGEST_CERTIFICATE)
    if not is_certificate(content):
        check_size(len(content), LARGEST_TEXT, file)
    return content


def _show_progress(done: int, total: int) -> None:
    """A line on the terminal that says how far a certificate is checked."""
    if sys.stderr is not None and sys.stderr.isatty():
        print(f"\rchecking, {done} of {total}" + ("\r\033[K" if done == total else ""), end="", file=sys.stderr, flush=True)


def _parser(program: str) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog=program,
        description="Replay row-draw solutions and Scrabble games (GCG), check certificates of bounds, and name every "
        "fault. Exit code: 0 all are valid, 1 one is not, 2 unreadable input.",
    )
    parser.add_argument("files", nargs="*", metavar="FILE", help="solutions, games or certificates; - or none: standard input")
    parser.add_argument(
        "--puzzle", metavar="P", help="a bundled puzzle or a puzzle file (what the solution says, else challenge)"
    )
    parser.add_argument(
        "--words", metavar="FILE", help="use this word list instead of the puzzle's or the game's; for games also bin or none"
    )
    parser.add_argument("--extra-words", metavar="FILE", help="for a game: a file of words that are also valid")
    parser.add_argument("--tiles", metavar="NAME", help="for a game: its tile set, english or icelandic")
    parser.add_argument(
        "--max-size", type=_megabytes, default=0, metavar="MB",
        help="read larger files: answers, games and puzzles over 10 MB, certificates over 50, word lists over 200",
    )  # fmt: skip
    parser.add_argument("--json", action="store_true", help="print the verdicts as JSON")
    return parser


def _megabytes(text: str) -> int:
    if not text.isascii() or not text.isdecimal() or not 1 <= len(text) <= 6:
        raise argparse.ArgumentTypeError(f"{quote(text)}: expected a whole number of megabytes")
    return int(text)
