"""`rowdraw play`: the row-draw game at the keyboard."""

import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from solver.commands.running import (
    FILE,
    INTERRUPTED,
    chosen_puzzle,
    interrupt_on_signals,
    puzzle_options,
    read_problem,
    say,
)
from solver.errors import RowdrawError
from solver.solving.opened import OpenedGame

if TYPE_CHECKING:
    from solver.model.puzzle import Puzzle
    from solver.play.table import Table


@click.command()
@puzzle_options
@click.option("--save", type=FILE, metavar="FILE", help="Where the game is kept; default: a new file named after the puzzle.")
@click.option("--resume", type=FILE, metavar="FILE", help="Go on with the game of this file; FILE:K, with its first K turns.")
def play(puzzle: str, row: str | None, words: Path | None, save: Path | None, resume: Path | None) -> int:
    """Play a game yourself, in the terminal.

    Draw tiles of PUZZLE, play words, ask for hints. After every turn the game is in its file.
    """
    from solver.play.keyboard_game import Session
    from solver.play.table import Table
    from solver.solving.warmup import warm_up

    if sys.stdin is None:
        raise RowdrawError("standard input is closed: expected moves, a line each")
    chosen = chosen_puzzle(puzzle, row, words)
    if resume is not None and save is not None:
        raise click.UsageError("--resume keeps the game in its own file: expected no --save")
    opened = None if resume is None else OpenedGame.of(str(resume))
    problem = read_problem(chosen if opened is None else opened.puzzle(chosen, tell=say))
    begun = opened is not None and any(line.strip() and not line.startswith(b"#") for line in opened.content.splitlines())
    turns = opened.turns(problem) if opened is not None and begun else ()
    warm_up(say)
    if save is not None and save.exists():
        raise RowdrawError(f"{save}: is there already: --resume goes on with it")
    table = Table(problem, turns)
    path = save or _new_file(problem.puzzle.name)
    if opened is not None and resume is not None and _is_kept_game(opened.content, table):
        path = resume
    elif resume is not None:
        say(f"{resume} holds more than a game that this command keeps: going on in {path}")
    session = Session(table, path, _resume_command(problem.puzzle, path))
    if path != resume:
        session.keep()
    interrupt_on_signals()
    try:
        session.run()
    except (KeyboardInterrupt, click.Abort):
        click.echo(f"\n{session.kept}")
        return INTERRUPTED
    return 0


def _resume_command(puzzle: "Puzzle", path: Path) -> str:
    """Return the command that goes on with a game of `puzzle` in `path`. The game names no file of a puzzle or of words."""
    from solver.model.puzzle import bundled_puzzles

    named = puzzle.address[0]
    words = ["--words", str(puzzle.own_words)] if puzzle.own_words is not None else []
    return shlex.join(["rowdraw", "play", *([] if named in bundled_puzzles() else [named]), *words, "--resume", str(path)])


def _is_kept_game(content: bytes, table: "Table") -> bool:
    """Whether a file holds this game and nothing else, so that nothing is lost when the game is written there."""
    return content.split() == table.text().encode().split()


def _new_file(name: str) -> Path:
    """A name that no file has yet."""
    plain = "".join(c if c.isalnum() else "-" for c in name)[:40].strip("-") or "row"
    paths = (Path(f"rowdraw-{plain}{f'-{number}' if number > 1 else ''}.txt") for number in range(1, 10_000))
    return next(path for path in paths if not path.exists())
