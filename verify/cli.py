"""The command line of the referee."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from verify.command import Session
from verify.reading import larger_files, remembering_inputs
from verify.scrabble.rulings import CHALLENGES, ENDS, RACKS, Rulings
from verify.streams import prepare_output, replacement_note, report_failure
from verify.text import quote


def main(arguments: Sequence[str], program: str = "verify") -> int:
    """Judge the files in `arguments`; returns the exit code: 0 all valid, 1 a fault, 2 unreadable input or none."""
    parser = make_parser(program)
    options = parser.parse_args(arguments)
    if (options.csv or options.html) and not (options.rank or options.help):
        parser.error("--csv and --html are forms of a ranking: give --rank with them")
    if sys.stdout is None:
        print(f"{program}: standard output is closed", file=sys.stderr)
        return 2
    if options.help:
        print(parser.format_help(), end="")
        return 0
    if not options.files and not options.quiet and sys.stdin is not None and sys.stdin.isatty():
        print(f"{program}: reading standard input, up to Ctrl-D", file=sys.stderr)
    with larger_files(options.max_size), remembering_inputs():
        session = Session(options, program)
        return session.rank() if options.rank else session.judge()


def run() -> int:
    """Run `main` as a program, without a traceback after an interruption or a failed write."""
    # a verdict quotes what files hold, which not every terminal can show
    replaced = prepare_output()
    try:
        code = main(sys.argv[1:])
        if sys.stdout is not None:
            sys.stdout.flush()
    except KeyboardInterrupt:
        return 130
    except (OSError, ImportError, MemoryError) as error:
        return report_failure(error, _say, "smaller files")
    if replaced:
        _say(replacement_note(replaced))
    return code


def _say(message: str) -> None:
    print(f"verify: {message}", file=sys.stderr)


def make_parser(program: str) -> argparse.ArgumentParser:
    """Return the parser of the referee's arguments.

    Args:
        program: how the command is called in messages.
    """
    parser = argparse.ArgumentParser(
        prog=program,
        add_help=False,  # that of argparse keeps quiet about a full disk
        description="Replay row-draw solutions and Scrabble games (GCG), work out certificates of bounds, and name every "
        "fault. A solution may stand in a comment or a page, and several in one file. Exit code: 0 all are valid, 1 one is "
        "not, 2 unreadable input or nothing to verify.",
    )
    parser.add_argument("-h", "--help", action="store_true", help="print this help and exit")
    parser.add_argument(
        "files", nargs="*", metavar="FILE",
        help="solutions, games or certificates, or folders of them; - or none: standard input",
    )  # fmt: skip
    _add_rules(parser)
    parser.add_argument("--strict", action="store_true", help="read the challenge's format alone, no posts around it")
    parser.add_argument("--explain", action="store_true", help="print what each line was taken for")
    parser.add_argument("--all", action="store_true", help="list also the faults that follow from others")
    parser.add_argument("--rank", action="store_true", help="print the answers by score, and the players of games by games won")
    parser.add_argument("--csv", action="store_true", help="print the ranking as comma-separated values")
    parser.add_argument("--html", metavar="PAGE", help="write the ranking as a page for a browser (- for standard output)")
    parser.add_argument("--json", action="store_true", help="print the verdicts, or the ranking, as JSON")
    parser.add_argument("-q", "--quiet", action="store_true", help="print no progress and no messages")
    return parser


def _add_rules(parser: argparse.ArgumentParser) -> None:
    """Add the options that choose the rules."""
    parser.add_argument(
        "--puzzle", metavar="P", help="a bundled puzzle or a puzzle file (what the solution says, else challenge)"
    )
    parser.add_argument(
        "--words", metavar="FILE", help="use this word list instead of the puzzle's or the game's; for games also bin or none"
    )
    parser.add_argument("--extra-words", metavar="FILE", help="for a game: a file of words that are also valid")
    parser.add_argument("--tiles", metavar="SET", help="for a game: its tile set, such as german, or a file of one (.toml)")
    parser.add_argument(
        "--challenge", choices=sorted(CHALLENGES), default="any", metavar="RULE",
        help=f"for a game: what a challenge in vain brings. {_listed(CHALLENGES)}",
    )  # fmt: skip
    parser.add_argument(
        "--end", choices=sorted(ENDS), metavar="RULE",
        help=f"for a game: who gets the tiles left (by the game or its tiles). {_listed(ENDS)}",
    )  # fmt: skip
    parser.add_argument(
        "--racks", choices=sorted(RACKS), default=Rulings.racks, metavar="RULE",
        help=f"for a game: how racks are judged, which may be guessed. {_listed(RACKS)}",
    )  # fmt: skip
    parser.add_argument("--single", action="store_const", dest="challenge", const="void", help="the same as --challenge void")
    parser.add_argument(
        "--time-step", type=_points, default=Rulings.time_step, metavar="POINTS",
        help="for a game: a time penalty is a multiple of POINTS (10)",
    )  # fmt: skip
    parser.add_argument(
        "--scoreless", type=_points, default=Rulings.scoreless, metavar="TURNS",
        help="for a game: TURNS without a score in a row end it (without the option 6 let a player end it)",
    )  # fmt: skip
    parser.add_argument(
        "--keep", type=_folder, metavar="FOLDER",
        help="for a certificate whose check takes long: save progress in FOLDER and resume from it; progress that others "
        "saved proves nothing",
    )  # fmt: skip
    parser.add_argument(
        "--max-size", type=_megabytes, default=0, metavar="MB",
        help="read larger files: answers, games and puzzles over 10 MB, certificates over 50, word lists over 200",
    )  # fmt: skip


def _listed(rules: dict[str, str]) -> str:
    return " ".join(f"{name}: {effect}." for name, effect in rules.items())


def _points(text: str) -> int:
    if not text.isascii() or not text.isdecimal() or not 1 <= len(text) <= 3 or int(text) == 0:
        raise argparse.ArgumentTypeError(f"{quote(text)}: expected a whole number from 1 to 999")
    return int(text)


def _folder(text: str) -> Path:
    if not text:
        raise argparse.ArgumentTypeError("the name is empty: expected a folder, such as 'progress'")
    return Path(text)


def _megabytes(text: str) -> int:
    if not text.isascii() or not text.isdecimal() or not 1 <= len(text) <= 6:
        raise argparse.ArgumentTypeError(f"{quote(text)}: expected a whole number of megabytes")
    return int(text)
