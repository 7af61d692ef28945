"""Handing out answers: to standard output or to files, and nothing is lost where one cannot be written."""

import sys
from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

from solver.commands.forms import JSON, TEXT, games_as
from solver.commands.running import complain
from solver.errors import RefereeDisagreementError, RowdrawError

if TYPE_CHECKING:
    from solver.solving.result import Result

_DISAGREEMENT = 3


def hand_out(results: "Sequence[Result]", output: Path | None, form: str, *, force: bool = False) -> None:
    """Write answers to a file, or print them where they cannot be written there.

    Args:
        results: The answers, the best one first. With one answer as text goes the JSON that says how it was found.
        output: The file; None for standard output.
        form: One of `solver.commands.forms.FORMS`.
        force: Whether a better answer in the file is replaced.
    """
    from solver.files import locked, write_out
    from solver.solving.keeping import check_better
    from solver.solving.result import answers_json, answers_text

    text = {TEXT: answers_text, JSON: answers_json}[form](results) if form in (TEXT, JSON) else _shown(results, form)
    if output is None:
        sys.stdout.write(text)
        sys.stdout.flush()
        return
    try:
        with locked(output) if output.is_file() or not output.exists() else nullcontext():
            if form == TEXT and len(results) == 1:
                results[0].save(output, force=force)
            else:
                if not force and results[0].rules is not None:
                    check_better(output, results[0].score, results[0].rules)
                write_out(output, text)
    except FileExistsError as error:
        if error.filename == str(output):
            sys.stdout.write(text)
            complain(f"{output}: {error.strerror}; the new answer is on stdout, and --force replaces the old one")
        else:
            complain(f"{error.filename}: {error.strerror}: how the answer was found is not written there")
    except OSError as error:
        sys.stdout.write(text)
        raise RowdrawError(f"{error.filename}: cannot be written ({error.strerror}); the answer is on stdout") from error


def _shown(results: "Sequence[Result]", form: str) -> str:
    from dataclasses import replace

    from solver.show.steps import make_game

    games = []
    for result in results:
        assert result.verdict is not None
        assert result.rules is not None
        game = make_game(replace(result.verdict, file=result.name), result.rules)
        games.append(replace(game, comments=result.statement.comments()))
    return games_as(form, games)


def save_rejected(error: RefereeDisagreementError, output: Path | None) -> int:
    """Save a solution that the referee rejects, with the views of solver and referee in a file beside it."""
    from solver.files import write_out

    path = output or Path("rowdraw-solution.txt")
    if path.exists():
        # what is there is better than what the referee rejects
        path = path.with_name(f"{path.stem}-rejected{path.suffix}")
    write_out(path, error.answer)
    mark = path.with_name(f"{path.name}.rejected")
    write_out(mark, str(error))
    complain(f"internal error: {error}saved as {path}, with these two views in {mark}")
    return _DISAGREEMENT
