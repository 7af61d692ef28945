"""`rowdraw best`, `can` and `score`: what racks and words are worth."""

import sys
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import click

from solver.commands import options
from solver.commands.options import FILE
from solver.commands.running import complain, read_problem, say, say_left_out
from solver.errors import RackError, RowdrawError
from solver.limits import MOST_ANSWERS, MOST_PLAYS
from solver.model.weights import RULES

if TYPE_CHECKING:
    from solver.model.tiles import Counts
    from solver.scrabble.position import RankedMove

_BATCH = 8192  # racks
_MOST_NAMED = 1_000  # invalid lines that are named; any others are only counted
_LONGEST_LINE = 1_000  # characters
_RULE = "positional"
_ON_BOARD = 15  # plays that `best --board` prints


@click.command()
@click.argument("racks", nargs=-1, metavar="[RACK...]")
@click.option(
    "--top",
    type=click.IntRange(1, MOST_PLAYS),
    metavar="N",
    help=f"Plays to print for each rack. Default: 1, on a board 15; at most {MOST_ANSWERS:,}, on a board {MOST_PLAYS:,}.",
)
@click.option(
    "--rule",
    type=click.Choice(list(RULES)),
    help=f"What counts (default: {_RULE}): {'; '.join(f'{name}, {rule.text}' for name, rule in RULES.items())}.",
)
@options.lexicon("Use this word list, a file; on a board also enable1 or bin. Default: the puzzle's, or the game's.")
@click.option(
    "--board",
    metavar="FILE[#N]",
    shell_complete=options.complete_file,
    help="Plays on the board of this Scrabble game (GCG): before its event N, or at its end.",
)
@options.tiles("The tile set of the game, or a file of one (.toml). Default: the game's.")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON list.")
def best(
    racks: tuple[str, ...],
    top: int | None,
    rule: str | None,
    words: str | None,
    board: str | None,
    tiles: str | None,
    as_json: bool,
) -> int:
    """Print the best plays of racks.

    A RACK has up to 20 tiles, with ? for blanks. Each play is a line: rack, score, play, word.

    If RACK is -, the racks are read from standard input, one per line.

    With --board, a RACK has up to seven tiles; without RACK it is that of the event. Each play is a line: rack, place, tiles,
    score, leave, and equity, which is the score + the worth of the leave. An exchange has the place -.
    """
    if board is not None:
        if rule is not None:
            raise click.UsageError("--rule scores words without a board: expected no --board")
        return _best_on_board(racks, board, top or _ON_BOARD, words, tiles, as_json)
    if tiles is not None:
        raise click.UsageError("--tiles is for a game: expected --board FILE")
    if not racks:
        raise click.UsageError("Missing argument 'RACK...'.")
    if top is not None and top > MOST_ANSWERS:
        raise click.UsageError(f"--top {top}: expected at most {MOST_ANSWERS:,} without --board")
    return _best_of_racks(racks, top or 1, rule or _RULE, None if words is None else Path(words), as_json)


def _best_of_racks(racks: tuple[str, ...], top: int, rule: str, words: Path | None, as_json: bool) -> int:
    """Print the best words of racks; return the exit code."""
    import json

    from solver.model.puzzle import load_puzzle

    problem = read_problem(load_puzzle("challenge", words))
    finder = problem.finder_by(rule)
    reader = _RackReader()
    entries: list[dict[str, object]] = []
    for batch, counts in reader.batches(racks):
        lines = []
        for rack, plays in zip(map(str.lower, batch), finder.best(counts, top=top), strict=True):
            if as_json:
                no_play: list[dict[str, object]] = [{"rack": rack, "score": 0, "play": None, "word": None}]
                entries += [{"rack": rack, "score": p.score, "play": p.tiles, "word": p.word} for p in plays] or no_play
            else:
                lines += [f"{rack}\t{play.score}\t{play.tiles}\t{play.word}\n" for play in plays] or [f"{rack}\t0\t-\t-\n"]
        sys.stdout.write("".join(lines))
    if as_json:
        sys.stdout.write(json.dumps(entries, indent=1) + "\n")
    return reader.finish()


def _best_on_board(racks: tuple[str, ...], board: str, top: int, words: str | None, tiles: str | None, as_json: bool) -> int:
    """Print the best moves of racks on the board of a game; return the exit code."""
    import json

    from solver.scrabble.position import Ranking, position_words, read_position
    from verify.scrabble.tiles import written
    from verify.text import counted

    position = read_position(board, tiles)
    wanted = list(_lines(racks)) if racks else [("", position.own_rack())]
    checked, refusals = [], 0
    for where, text in wanted:
        try:
            checked.append(position.rack(text))
        except RackError as error:
            refusals += 1
            complain(f"{where}{error}")
    if position.faults:
        say(f"{board}: the referee finds {counted(position.faults, 'fault')} before that: the board is what the file says")
    ranking = Ranking(position, *position_words(position, words)) if checked else None
    entries: list[dict[str, object]] = []
    for rack in checked:
        moves = ranking.best(rack, top) if ranking is not None else []
        shown = written(rack)
        if as_json:
            entries += [
                {"rack": shown, **move._asdict(), "place": move.place or None, "word": move.word or None} for move in moves
            ]
        else:
            sys.stdout.write("".join(f"{shown}\t{_line(move)}\n" for move in moves) or f"{shown}\t-\t-\t0\t{shown}\t-\n")
    if as_json:
        sys.stdout.write(json.dumps(entries, indent=1, ensure_ascii=False) + "\n")
    return 2 if refusals else 0


def _line(move: "RankedMove") -> str:
    return f"{move.place or '-'}\t{move.tiles}\t{move.score}\t{move.leave or '-'}\t{move.equity:.2f}"


class _RackReader:
    """Reads racks in batches. It names the lines that are not racks and goes on with the others."""

    def __init__(self) -> None:
        self._refusals = 0

    def finish(self) -> int:
        """Say how many invalid lines were not named; return the exit code."""
        if self._refusals > _MOST_NAMED:
            complain(f"and {self._refusals - _MOST_NAMED:,} more lines that are not racks")
        return 2 if self._refusals else 0

    def batches(self, racks: Iterable[str]) -> Iterator[tuple[list[str], "Counts"]]:
        """Yield racks with their counts by code."""
        from solver.model.racks import racks_counts

        lines = _lines(racks)
        while batch := list(islice(lines, _BATCH)):
            try:
                yield [rack for _where, rack in batch], racks_counts([rack for _where, rack in batch])
            except RackError:
                good = [rack for where, rack in batch if self._accepts(where, rack)]
                if good:
                    yield good, racks_counts(good)

    def _accepts(self, where: str, rack: str) -> bool:
        from solver.model.racks import rack_counts

        try:
            rack_counts(rack)
        except RackError as error:
            self._refusals += 1
            if self._refusals <= _MOST_NAMED:
                complain(f"{where}{error}")
            return False
        return True


def _lines(racks: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield (its line, rack) of each argument, and of each line of standard input that is not blank."""
    for argument in racks:
        if argument != "-":
            yield "", argument
            continue
        if sys.stdin is None:
            raise RackError("standard input is closed: expected racks, one a line")
        for number, raw in enumerate(iter(lambda: sys.stdin.buffer.readline(_LONGEST_LINE + 1), b""), start=1):
            if len(raw) > _LONGEST_LINE:
                raise RackError(f"line {number}: more than {_LONGEST_LINE:,} characters: expected a rack of at most 20 tiles")
            line = raw.decode("utf-8", "replace").strip()
            if line:
                yield f"line {number}: ", line


@click.command()
@click.argument("rack")
@click.argument("word")
@click.option("--words", type=FILE, metavar="FILE", help="Also say whether WORD is in this list: one word per line.")
def can(rack: str, word: str, words: Path | None) -> int:
    """Say whether a rack makes a word.

    It prints the play of WORD from RACK, or says which tiles are missing and exits with 1.
    """
    from solver.model.lexicon import read_lexicon
    from solver.model.racks import laid_tiles, rack_counts

    if not word.isascii() or not word.isalpha():
        raise RackError(f"word {word!r}: expected letters a to z")
    word = word.lower()
    counts = rack_counts(rack)
    if words is not None:
        lexicon = read_lexicon(words)
        say_left_out(lexicon)
        if word not in lexicon.words:
            click.echo(f"'{word}' is not in {words}")
            return 1
    try:
        click.echo(laid_tiles(counts, word))
    except RackError as error:
        click.echo(str(error))
        return 1
    return 0


@click.command()
@click.argument("word")
@click.option("--at", "square", metavar="SQUARE", help="Where the first letter lies on the empty board, such as I2.")
@click.option("--across/--down", default=True, help="Which way the word runs from there.")
@click.option("--bonus", is_flag=True, help="Add 50 for all seven tiles of a rack.")
@click.option(
    "--distribution",
    metavar="SCORES",
    help="26 letter scores, a to z, each 1 to 9 or X for 10 (default: those of an English set).",
)
@options.tiles("A tile set, such as german, or a file of one (.toml).")
def score(word: str, square: str | None, across: bool, bonus: bool, distribution: str | None, tiles: str | None) -> None:
    """Score a word of Scrabble.

    It prints the letters of WORD, their values and multipliers, and the sum. Brackets double or triple the letters inside:
    'e[xt]ra(vag)an[z]a'. With --at the premium squares multiply instead. A blank is ?, or a small letter among
    capitals: 'cab?age', 'CABbAGE'.
    """
    from verify.scrabble import BoardError, NotationError
    from verify.scrabble.explain import explain
    from verify.scrabble.tiles import tile_set_of

    if tiles is not None and distribution is not None:
        raise click.UsageError("--tiles and --distribution: expected one of them")
    try:
        chosen = None if tiles is None else tile_set_of(tiles)
        click.echo(explain(word, distribution, square, across, bonus, chosen), nl=False)
    except (BoardError, NotationError) as error:
        raise RowdrawError(str(error)) from error
