"""`rowdraw scrabble`: play, judge and look into games of Scrabble."""

import json
import random
from dataclasses import asdict
from pathlib import Path

import click

from solver.checking import MOST_PLAYS
from solver.commands import options
from solver.commands.games import require_input, run_session
from solver.commands.options import FILE
from solver.commands.racks import rack_lines
from solver.commands.running import complain, say
from solver.commands.show import verify
from solver.errors import RackError, RowdrawError
from verify.text import counted, is_printable, printable


@click.group(cls=options.InOrder)
def scrabble() -> None:
    """Play, judge and look into games of Scrabble."""


@scrabble.command()
@click.option("--names", metavar="A,B,...", help="The names of two to four players.")
@click.option("--against", type=click.Choice(["bot"]), help="Let the computer be the last player.")
@options.tiles(help="A bundled tile set, such as icelandic or german (default: english).")
@options.lexicon(help="enable1, bin, none or a file; default: by the tiles, else none.")
@options.rules(help="The rule set, or a file of one (.toml); default: by the tiles, else casual.")
@click.option(
    "--seed", type=click.IntRange(0, 2**63 - 1), metavar="N", help="Decides the order of the bag."
)
@click.option("--save", type=FILE, metavar="GAME.gcg", help="The file of the new game.")
@click.option("--resume", type=FILE, metavar="GAME.gcg", help="Go on with this game.")
def play(
    names: str | None,
    against: str | None,
    tiles: str | None,
    words: str | None,
    rules: str | None,
    seed: int | None,
    save: Path | None,
    resume: Path | None,
) -> int:
    """Play at one keyboard with others, or against a bot.

    It prints the position after each move, and reads the next one as a line. Every event is in the
    GCG file before the next move. In the browser, `rowdraw serve` hides racks from others.
    """
    from solver.scrabble.game import GameStore, TableGame, new_file, players_of, table_tiles
    from solver.scrabble.table import TableSession
    from verify.scrabble.lexicons import game_words, words_of_pragma

    require_input()
    if resume is not None:
        if any(option is not None for option in (names, against, tiles, seed, save)):
            raise click.UsageError(
                "--resume goes on with a game as it began: expected no other option but --words "
                "and --rules"
            )
        store, game = GameStore.open(resume, rules)
        # a saved game must not decide which files are opened:
        # if it names no bundled list, the players judge words
        find = words_of_pragma if words is None else game_words
        named = _shown(game.lexicon if words is None else words)
        judge = find(named, spelling=game.tiles.spelling)
        return run_session(TableSession(store, game, named, judge))
    chosen = table_tiles(tiles or "english")
    if words is None:
        words = chosen.words or "none"
    if seed is None:
        seed = random.SystemRandom().randrange(2**31)
    judge = game_words(_shown(words), spelling=chosen.spelling)
    if names is None:
        names = "player" if against else "player1,player2"
    seats = names.split(",")
    bot = ""
    if against is not None:
        if judge.is_word is None:
            raise click.UsageError(f"--against {against} needs a list of words: {judge.remark}")
        bot = against
        seats.append(bot)
    game = TableGame(new_file(players_of(seats), chosen, words, seed, rules, bot), rules)
    store = GameStore(save or Path(f"rowdraw-game-{seed}.gcg"))
    store.write(game.file)
    return run_session(TableSession(store, game, words, judge))


def _shown(words: str) -> str:
    """Return the name of a list that is shown and kept. Raises `click.UsageError`."""
    if not is_printable(words):
        raise click.UsageError(f"--words {words!r}: expected the name of a list that can be shown")
    return words


@scrabble.command()
@click.argument("position", metavar="FILE[#N]", shell_complete=options.complete_file)
@click.argument("racks", nargs=-1, metavar="[RACK]...")
@click.option(
    "--top",
    type=click.IntRange(1, MOST_PLAYS),
    default=15,
    show_default=True,
    metavar="N",
    help="Moves to print.",
)
@click.option("--all", "whole", is_flag=True, help="Compare each move of the game with the best.")
@options.lexicon(
    help="enable1, bin or a file; default: the list that the game names, or the one for its tiles."
)
@options.tiles(help="The tile set of the game, or a file of one (.toml). Default: the game's.")
@options.json_option
def best(
    position: str,
    racks: tuple[str, ...],
    top: int,
    whole: bool,
    words: str | None,
    tiles: str | None,
    as_json: bool,
) -> int:
    """Print the best moves in a position of a game.

    The position is the board of the GCG file before its event N, or at its end. A RACK has up to
    seven tiles, or a full rack of the set; without RACK it is that of the event. If RACK is -, the
    racks are read from standard input, one per line.

    Each move is a line: rack, place, tiles, score, leave, and equity, which is the score + the
    worth of the leave. An exchange has the place -. The move of the event has a * at the end.

    With --all each line compares a move of the game with the best one: event, player, rack, place,
    tiles, score, equity, rank, points and equity lost; place, tiles, score and equity of the best.
    """
    if whole:
        if racks or "#" in position:
            raise click.UsageError("--all compares all moves of FILE: expected no #N and no RACK")
        return _compare_all(position, words, tiles, as_json)
    from solver.scrabble.position import bot_for, read_position
    from verify.scrabble.tiles import written

    verdict, place = read_position(position, tiles)
    wanted = list(rack_lines(racks)) if racks else [("", place.own_rack())]
    checked = []
    for where, text in wanted:
        try:
            checked.append(place.rack(text))
        except RackError as error:
            complain(f"{where}{error}")
    faults = list(verdict.violations)
    if place.step is not None:
        line = place.step.event.line
        faults = [fault for fault in faults if fault.line < line]
    if faults and verdict.steps:
        before = f"{counted(len(faults), 'fault')} before that"
        say(f"{position}: the referee finds {before}: the board is what the file says")
    if checked:
        bot = bot_for(verdict, words)
    entries: list[dict[str, object]] = []
    for rack in checked:
        shown = written(rack)
        moves = bot.best(place.game, rack, top)
        for move in moves:
            is_own = not racks and place.is_own(move)
            named = {**move._asdict(), "place": move.place or None, "word": move.word or None}
            entries.append({"rack": shown, **named, "own": is_own})
            mark = "\t*" if is_own else ""
            laid = f"{move.place or '-'}\t{move.tiles}\t{move.score}\t{move.leave or '-'}"
            if not as_json:
                click.echo(f"{shown}\t{laid}\t{move.equity:.2f}{mark}")
        if not (moves or as_json):
            click.echo(f"{shown}\t-\t-\t0\t{shown}\t-")
    if as_json:
        click.echo(json.dumps(entries, indent=1, ensure_ascii=False))
    return 0 if len(checked) == len(wanted) else 2


def _compare_all(file: str, words: str | None, tiles: str | None, as_json: bool) -> int:
    """Print how each move of a game compares with the best one."""
    from solver.scrabble.position import bot_for, compared_moves, read_game

    verdict = read_game(file, tiles)
    entries = []
    for entry in compared_moves(verdict, bot_for(verdict, words), complain):
        entries.append(entry)
        if not as_json:
            click.echo("\t".join(printable(str(value)) for value in entry.values()))
    if as_json:
        click.echo(json.dumps(entries, indent=1, ensure_ascii=False))
    return 0 if entries else 2


@scrabble.command()
@click.argument("word")
@click.option(
    "--at",
    "place",
    metavar="PLACE",
    help="Where the word begins on the empty board: 4A across, A4 down.",
)
@click.option("--bonus", is_flag=True, help="Add 50 for all seven tiles of a rack.")
@click.option(
    "--distribution",
    metavar="SCORES",
    help="26 letter scores, a to z, each 1 to 9 or X for 10 (default: those of an English set).",
)
@options.tiles(help="A tile set, such as german, or a file of one (.toml).")
@options.json_option
def score(
    word: str,
    place: str | None,
    bonus: bool,
    distribution: str | None,
    tiles: str | None,
    as_json: bool,
) -> None:
    """Score a word of Scrabble.

    It prints the letters of WORD, their values and multipliers, and the sum. Brackets double or
    triple the letters inside: 'e[xt]ra(vag)an[z]a'. With --at the premium squares multiply instead.
    A blank is ?, as in 'cab?age'; small letters and capitals mean the same.
    """
    from solver.scrabble.notation import tiles_of_distribution, word_score
    from verify.scrabble.board import NotationError
    from verify.scrabble.tiles import tile_set_of

    if tiles is not None and distribution is not None:
        raise click.UsageError("--tiles and --distribution: expected one of them")
    try:
        chosen = (
            tile_set_of(tiles or "english")
            if distribution is None
            else tiles_of_distribution(distribution)
        )
        found = word_score(word, chosen, place, bonus)
    except NotationError as error:
        raise RowdrawError(str(error)) from error
    click.echo(json.dumps(asdict(found)) + "\n" if as_json else found.text(), nl=False)


# another object, since `--quiet` is added to each command of a group
scrabble.add_command(options.Referee("verify", callback=verify.callback, help=verify.help))
